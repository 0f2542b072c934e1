//! The lesson beside the session: a card with a step, which the worker writes, while the screen shows what it is about.

use std::sync::Arc;

use ebbline::{Policy, profiles};
use ebbline_web::knob::Knob;
use ebbline_web::lesson::LAST;
pub(super) use ebbline_web::sheet::STEP;
use ebbline_web::sheet::Which;
use leptos::prelude::*;

use super::attributes::AriaAttributes;
use super::live::{effect, part};
use super::sheet::{Contents, type_into, typed_into};
use super::shown_life::ShownLife;
use super::state::State;
use super::{browser, life};

/// The name under which the browser keeps the step that was reached.
const STORAGE_KEY: &str = "ebbline.lesson";

/// What was on screen before the lesson.
struct Before {
    life: Option<Arc<ShownLife>>,
    policy: Policy,
    at: Option<u32>,
    /// The session's number.
    session: u32,
}

impl Before {
    /// Shows it again. A session that was opened during the lesson stays, and so does a profile that was chosen.
    fn restore(self, state: State) {
        state.light.set(String::new());
        state.playing.set(false);
        let default = profiles::ALL.first().map(|profile| profile.name);
        let shown = state.policy.get_untracked();
        let is_chosen = Some(shown.profile.trim_end_matches('*')) != default;
        let is_other = state.generation.get_value() != self.session;
        if is_chosen || is_other || self.life.is_none() {
            let mut policy = if is_chosen { shown } else { self.policy.clone() };
            Knob::Context.set(&mut policy, self.window());
            state.policy.set(policy);
            state.relive(true);
            return;
        }
        state.policy.set(self.policy);
        // A life that is still awaited is that of a step.
        life::asked();
        state.at.set(self.at);
        state.life.set(self.life);
        life::came();
    }

    /// The window that the user chose, which may be another one than was shown.
    fn window(&self) -> u64 {
        let window = Knob::Context.value(&self.policy);
        let fitted = self.life.as_ref().and_then(|life| life.fitted);
        fitted.filter(|(_, to)| *to == window).map_or(window, |(from, _)| from)
    }
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
    if step > 0 {
        browser::store(STORAGE_KEY, &step.to_string());
    }
    type_into(state, STEP, if step > 0 { step.to_string() } else { String::new() });
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
    let is_on = Memo::new(move |_| typed_into(state, STEP).is_some_and(|step| !step.is_empty()));
    let before = StoredValue::new(None::<Before>);
    effect(move || {
        if is_on.get() {
            before.set_value(Some(Before {
                life: state.life.get_untracked(),
                policy: state.policy.get_untracked(),
                at: state.at.get_untracked(),
                session: state.generation.get_value(),
            }));
        } else if let Some(before) = before.try_update_value(Option::take).flatten() {
            before.restore(state);
        }
    });
    // The step is read aloud from its beginning.
    effect(move || {
        if typed_into(state, STEP).is_some_and(|step| !step.is_empty()) {
            browser::focus("lesson-card");
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
