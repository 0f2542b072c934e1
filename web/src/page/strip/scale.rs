//! Where things are on the strip, and how many tokens its width stands for.

use ebbline::Policy;
use ebbline::numbers::{grouped, short};
use ebbline_web::drawn_plan::DrawnPlan;
use ebbline_web::knob::Knob;

use leptos::prelude::*;

use crate::page::canvas::Room;
use crate::page::state::{ShownPlan, State};

/// The tops and heights of the two rows, in CSS pixels.
pub(super) const BEFORE: (f64, f64) = (34.0, 56.0);

pub(super) const AFTER: (f64, f64) = (130.0, 34.0);

pub(super) const AXIS: f64 = 170.0;

pub(super) const HEIGHT: f64 = 188.0;

/// How many tokens the whole width stands for: the window, or the context if that is larger.
pub(in crate::page) fn scale_of(planned: &DrawnPlan, policy: &Policy) -> u64 {
    let context = Knob::Context.value(policy);
    let most = planned.figures.total_before().max(planned.figures.total_after());
    if most > context { most + most / 50 } else { context }.max(1)
}

/// The same, but no less than when an edge was taken.
pub(super) fn shown_scale(state: State, planned: &ShownPlan) -> u64 {
    scale_of(planned, &planned.policy).max(u64::from(state.scale.get().unwrap_or(0)))
}

/// `200,000`, or `200k` on a narrow screen.
pub(super) fn fitting(tokens: u64, room: Room) -> String {
    if room.width < 560.0 { short(tokens) } else { grouped(tokens) }
}
