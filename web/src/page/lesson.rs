//! The lesson beside the session: a card with a step, which the worker writes, while the screen shows what it is about.

use ebbline::Policy;
use ebbline_web::sheet::Which;
use leptos::prelude::*;

use super::attributes::AriaAttributes;
use super::browser;
use super::live::{effect, part};
use super::sheet::{Contents, type_into, typed_into};
use super::state::State;

/// The name under which the browser keeps the step that was reached.
const STORAGE_KEY: &str = "ebbline.lesson";
/// The field with the number of the step; empty without a lesson.
pub(super) const STEP: &str = "lesson";

/// What was on screen before the lesson: the policy that wrote the history, the one on the knobs, and the moment.
type Before = (Policy, Policy, Option<u32>);

/// The step at which the lesson was left in an earlier visit, or the first.
pub(super) fn left_at() -> u32 {
    browser::stored(STORAGE_KEY).and_then(|step| step.parse().ok()).unwrap_or(1)
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
            let history = state.life.with_untracked(|life| life.as_ref().map(|life| life.policy.clone()));
            let own =
                history.map(|history| (history, state.policy.get_untracked(), state.at.get_untracked()));
            before.set_value(own);
        } else if let Some((history, policy, at)) = before.try_update_value(Option::take).flatten() {
            state.light.set(String::new());
            state.live(history, false, Some((at, policy)));
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
