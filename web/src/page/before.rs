//! What was on screen before the lesson, and how it ends when another session is opened.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use ebbline::Policy;
use ebbline_web::overview::Overview;
use ebbline_web::sheet::STEP;
use leptos::prelude::*;

use super::backend::Backend;
use super::panels::Side;
use super::shown_life::ShownLife;
use super::source::FileSource;
use super::state::State;

/// What was on screen before the lesson. The worker of its session goes on: nothing is read again.
pub(super) struct Before {
    pub(super) backend: Option<Rc<Backend>>,
    pub(super) opened: Option<Arc<Overview>>,
    pub(super) source: Option<FileSource>,
    pub(super) request: u32,
    /// The life, unless it was still being made.
    pub(super) life: Option<Arc<ShownLife>>,
    pub(super) policy: Policy,
    pub(super) force: bool,
    pub(super) at: Option<u32>,
    pub(super) selected: Option<u32>,
    pub(super) side: Option<Side>,
    pub(super) comparing: bool,
}

thread_local! {
    pub(super) static BEFORE: RefCell<Option<Before>> = const { RefCell::new(None) };
}

thread_local! {
    static SAMPLE: Cell<Option<fn(State)>> = const { Cell::new(None) };
}

/// Says what shows the lesson's session.
pub(super) fn sample_is_shown_by(show: fn(State)) {
    SAMPLE.set(Some(show));
}

/// Shows the lesson's session.
pub(super) fn show_sample(state: State) {
    if let Some(show) = SAMPLE.get() {
        show(state);
    }
}

impl Before {
    /// Gives the settings back.
    pub(super) fn settings(&self, state: State) {
        state.light.set(String::new());
        state.playing.set(false);
        state.comparing.set(self.comparing);
        state.side.set(self.side);
        state.force.set(self.force);
        state.policy.set(self.policy.clone());
    }
}

/// Ends the lesson because another session is opened: that one stays, and the settings come back.
pub(super) fn end(state: State) {
    if let Some(before) = BEFORE.take() {
        state.fields.update(|fields| fields.retain(|(of, _)| of != STEP));
        before.settings(state);
    }
}
