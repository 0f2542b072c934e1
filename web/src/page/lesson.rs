//! The lesson beside its own session: a card with a step, which the worker writes, while the screen shows what it is about.

use ebbline_web::lesson::LAST;
use ebbline_web::sample::FIRST;
pub(super) use ebbline_web::sheet::STEP;
use ebbline_web::sheet::{OPENED, Which};
use leptos::prelude::*;

use super::attributes::AriaAttributes;
use super::before::{BEFORE, Before};
use super::live::{effect, part};
use super::panels::Dialog;
use super::sheet::{Contents, type_into, typed_into};
use super::source::Content;
use super::state::{State, moment_key};
use super::{before, browser, life};

/// The name under which the browser keeps the step that was reached.
const STORAGE_KEY: &str = "ebbline.lesson";

fn shown(state: State) -> Before {
    Before {
        backend: state.backend.get_value(),
        opened: state.opened.get_untracked(),
        source: state.shown_source.get_value(),
        request: state.shown_request.get_value(),
        life: state.life.get_untracked().filter(|_| life::is_there()),
        policy: state.policy.get_untracked(),
        force: state.force.get_untracked(),
        at: state.at.get_untracked(),
        selected: state.selected.get_untracked(),
        side: state.side.get_untracked(),
        comparing: state.comparing.get_untracked(),
    }
}

/// Shows it again.
fn restore(before: Before, state: State) {
    if let (Some(backend), Some(opened)) = (before.backend.clone(), before.opened.clone()) {
        state.show(backend, (*opened).clone());
        state.shown_request.set_value(before.request);
        state.last_source.set_value(before.source.clone());
        state.shown_source.set_value(before.source.clone());
    }
    // A life that is still awaited is that of a step.
    life::asked();
    before.settings(state);
    let Some(life) = before.life else { return state.relive(true) };
    state.at.set(before.at);
    state.selected_at.set_value(Some(moment_key(before.at)));
    state.selected.set(before.selected);
    state.life.set(Some(life));
    life::came();
}

fn is_on(state: State) -> bool {
    typed_into(state, STEP).is_some_and(|step| !step.is_empty())
}

/// The step at which the lesson was left in an earlier visit, or the first.
pub(super) fn left_at() -> u32 {
    browser::stored(STORAGE_KEY).and_then(|step| step.parse().ok()).unwrap_or(1)
}

/// What the page offers: the lesson, or to go on where it was left.
pub(super) fn invitation(state: State) -> String {
    state.fields.track();
    match left_at() {
        0 | 1 => "Learn it in three minutes".to_owned(),
        step => format!("Learn: go on with step {} of {LAST}", step.min(LAST)),
    }
}

/// Goes to a step; 0 leaves the lesson.
pub(super) fn go(state: State, step: u32) {
    state.dialog.set(None);
    if step == 0 {
        type_into(state, STEP, String::new());
        if let Some(before) = BEFORE.take() {
            restore(before, state);
        }
        return;
    }
    browser::store(STORAGE_KEY, &step.to_string());
    if !untrack(|| is_on(state)) {
        BEFORE.set(Some(shown(state)));
        let is_own = state.shown_source.with_value(|source| {
            source.as_ref().is_some_and(|source| source.file.file == Content::Sample(FIRST))
        });
        if !is_own {
            before::show_sample(state);
        }
    }
    type_into(state, OPENED, String::new());
    type_into(state, STEP, step.to_string());
}

/// Opens the step that the address names (`#lesson=4`), if it names one.
pub(super) fn begin(state: State) {
    let step = browser::hash().and_then(|hash| hash.strip_prefix("#lesson=")?.parse::<u32>().ok());
    if let Some(step) = step {
        go(state, step.max(1));
    }
}

/// The card.
#[component]
pub(super) fn Lesson() -> impl IntoView {
    let state = expect_context::<State>();
    let is_on = Memo::new(move |_| is_on(state));
    // The step is read aloud from its beginning.
    effect(move || {
        if typed_into(state, STEP).is_some_and(|step| !step.is_empty()) {
            browser::focus("lesson-card");
        }
    });
    // A step may ask for a sheet.
    effect(move || {
        if let (Some(Dialog::Sheet(sheet)), true) = (state.dialog.get(), is_on.get()) {
            untrack(|| type_into(state, OPENED, sheet.id().to_owned()));
        }
    });
    part(move || {
        is_on.get().then(|| {
            view! {
                <aside class="lesson card" id="lesson-card" tabindex="-1" aria-labelledby="lesson-title">
                    <h2 class="out-of-sight" id="lesson-title">{Which::Lesson.title()}</h2>
                    <Contents which=Which::Lesson/>
                </aside>
            }
        })
    })
}
