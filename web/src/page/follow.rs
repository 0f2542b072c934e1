//! What follows by itself when something changes: a plan, the knobs that stand first, the history, the selection, the inspector.

use std::sync::Arc;

use ebbline_web::kind::Shown;
use ebbline_web::question::{Answer, Request};
use ebbline_web::view::At;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::browser;
use super::latest::Latest;
use super::live::effect;
use super::state::{ShownPlan, State, moment_key};

/// How long a window must stand still before the history is made anew with it, in milliseconds.
const REST: u32 = 250;

impl State {
    /// Requests a plan when policy or moment change and an inspection when the selection changes. At most one request
    /// of each kind is pending; when it is answered, the newest state is requested if it has changed meanwhile.
    pub(super) fn follow(self) {
        let planning = Latest::new();
        effect(move || {
            let (policy, force, at) = (self.policy.get(), self.force.get(), self.at.get());
            if self.opened.with(Option::is_none) {
                return;
            }
            // A session is planned where it opens.
            let Some(history) = self.life.with(|life| life.as_ref().map(|life| life.policy.clone())) else {
                return;
            };
            let at = at.map(|request| Box::new(At { history, request }));
            let request = Request::Plan { policy: Box::new(policy), force, at };
            planning.run((self.generation.get_value(), request), move |(_, request), done| {
                self.ask(&request.clone(), move |answer| {
                    if let (Answer::Planned(planned), Request::Plan { policy, force, at }) = (answer, request)
                    {
                        let at = at.map(|at| at.request);
                        let shown = ShownPlan { planned: *planned, policy: *policy, force, at };
                        self.planned.set(Some(Arc::new(shown)));
                    }
                    done();
                });
            });
        });
        // The knobs stay in their places while they are turned: they are chosen anew at another moment, session or profile.
        let chosen = RwSignal::new(String::new());
        effect(move || {
            self.planned.with(|planned| {
                let Some(planned) = planned else { return };
                let name = planned.policy.profile.trim_end_matches('*');
                let of = format!("{} {} {name}", self.generation.get_value(), moment_key(planned.at));
                // Whoever is typing a value keeps the box.
                if chosen.with_untracked(|chosen| *chosen != of) && !browser::is_typing_in(".settings") {
                    chosen.set(of);
                    let all = &planned.said.first;
                    // The same in another order stay where they are.
                    if untrack(|| all.iter().any(|knob| !self.is_first(*knob))) {
                        self.first.set(Some(Arc::new(all.iter().map(|knob| *knob as u32).collect())));
                    }
                }
            });
        });
        // A history belongs to a window: with another one it is made anew, once nothing is dragged any more.
        let timer = StoredValue::new_local(None::<Timeout>);
        effect(move || {
            self.policy.track();
            if !self.waits_for_window() {
                timer.set_value(None);
                return;
            }
            timer.set_value(Some(Timeout::new(REST, move || self.relive_in_window())));
        });
        // At a new moment, select the output that crosses the protection boundary, which shows what the page is about, or
        // the newest message where nothing is compacted; at the end of the file, that output or else the first message.
        effect(move || {
            let telling = self.planned.with(|planned| {
                // The plan of another moment may still arrive after that of a link has been gone to.
                let planned = planned.as_ref().filter(|planned| planned.at == self.at.get_untracked())?;
                let figures = &planned.figures;
                let crossing = figures.prune.boundary.map(|boundary| boundary.message);
                let codes = &planned.fates.fate;
                let newest = || codes.iter().rposition(|code| Shown::from_code(*code).is_in_context());
                let is_idle = planned.at.is_some() && !figures.prune.applied && !figures.retain.applied;
                let newest = || planned.at.and_then(|_| newest());
                let message = crossing.filter(|_| !is_idle).or_else(newest).unwrap_or(0);
                Some((planned.at, message as u32))
            });
            if let Some((at, message)) = telling
                && self.selected_at.get_value() != Some(moment_key(at))
            {
                self.selected_at.set_value(Some(moment_key(at)));
                self.select(message);
            }
        });
        let inspecting = Latest::new();
        effect(move || {
            let (selected, whole, from) = (self.selected.get(), self.whole.get(), self.from.get() as usize);
            self.planned.track();
            let Some(message) = selected else { return };
            let policy = Box::new(self.policy.get_untracked());
            let (force, at) = (self.force.get_untracked(), self.moment());
            let request = Request::Inspect { message, policy, force, whole, from, at };
            inspecting.run((self.generation.get_value(), request), move |(_, request), done| {
                self.ask(&request, move |answer| {
                    if let Answer::Inspected(inspected) = answer {
                        self.inspected.set(Some(Arc::from(inspected)));
                    }
                    done();
                });
            });
        });
    }
}
