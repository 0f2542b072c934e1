//! The life on screen: which policy writes it, which moment is shown, and with which window.

use std::rc::Rc;
use std::sync::Arc;

use ebbline::Policy;
use ebbline_web::knob::Knob;
use ebbline_web::life::Life;
use ebbline_web::link::{Moment, Place};
use ebbline_web::open_session::{Answer, Request};
use ebbline_web::sample::first::First;
use ebbline_web::view::At;
use leptos::prelude::*;

use super::address;
use super::backend::Backend;
use super::state::{ShownPlan, State, moment_key};

/// The session's life under the policy that writes its history.
#[derive(Clone, Debug)]
pub(super) struct ShownLife {
    pub(super) life: Life,
    pub(super) policy: Policy,
    /// Why the session opened where it did.
    pub(super) opening: String,
    /// The window that was chosen for this session instead of another: the other, and the chosen one.
    pub(super) fitted: Option<(u64, u64)>,
}

impl ShownLife {
    /// The profile's name.
    pub(super) fn name(&self) -> &str {
        &self.policy.profile
    }
}

impl State {
    /// Shows what is known of the sample before its worker answers.
    pub(super) fn show_first(self, backend: Rc<Backend>, first: First) {
        let First { overview, life: (life, opening), planned, previews: (first_row, lines), inspected } =
            first;
        self.show(backend, overview);
        let Some(policy) = ebbline::profiles::ALL.first().map(ebbline::profiles::Profile::policy) else {
            return;
        };
        let at = opening.request;
        let is_same = self.policy.with_untracked(|own| *own == policy);
        self.planned.set(Some(Arc::new(ShownPlan { planned, policy: policy.clone(), force: false, at })));
        self.at.set(at);
        self.selected_at.set_value(Some(moment_key(at)));
        self.previews.set((first_row..).zip(lines).collect());
        self.selected.set(Some(inspected.message));
        self.inspected.set(Some(Arc::new(inspected)));
        self.life.set(Some(Arc::new(ShownLife { life, policy, opening: opening.words, fitted: None })));
        if !is_same {
            self.relive(true);
        }
    }

    /// Lets the current policy write the history from the start, and goes to the most telling moment. With `fit`, a
    /// session that never fills the window is shown with a smaller one.
    pub(super) fn relive(self, fit: bool) {
        self.give_back_window();
        self.live(self.policy.get_untracked(), fit, None);
    }

    /// Lets the policy on the knobs write the history, and puts the one that wrote it on the knobs. The moment stays.
    pub(super) fn swap(self) {
        let Some(before) = self.life.with_untracked(|life| life.as_ref().map(|life| life.policy.clone()))
        else {
            return;
        };
        self.live(self.policy.get_untracked(), false, Some((self.at.get_untracked(), before)));
    }

    /// Lets `history` write the history. Goes to the most telling moment or, if one is given, there, with a policy for the
    /// knobs.
    pub(super) fn live(self, history: Policy, fit: bool, to: Option<(Option<u32>, Policy)>) {
        let number = address::life_asked();
        let request = Request::Life { policy: Box::new(history.clone()), fit };
        self.ask(&request, move |answer| {
            let Answer::Life(life, opening) = answer else { return };
            if !address::is_newest_life(number) {
                return;
            }
            let mut history = history;
            let from = self.policy.with_untracked(|policy| Knob::Context.value(policy));
            if let Some(window) = opening.window {
                Knob::Context.set(&mut history, window);
                self.set_knob(Knob::Context, window);
            }
            self.playing.set(false);
            let fitted = opening.window.map(|to| (from, to));
            let (at, words) = match to {
                None => (opening.request, opening.words),
                Some((at, knobs)) => {
                    self.policy.set(knobs);
                    (at, String::new())
                }
            };
            self.at.set(at);
            self.life.set(Some(Arc::new(ShownLife { life: *life, policy: history, opening: words, fitted })));
            if let Some(place) = address::life_came() {
                self.go_to(place);
            }
        });
    }

    /// Goes to a place, as far as the session has it.
    pub(super) fn go_to(self, place: Place) {
        match place.moment {
            Some(Moment::Request(request)) => self.go(Some(request)),
            Some(Moment::End) => self.go(None),
            None => {}
        }
        let rows =
            self.opened.with_untracked(|opened| opened.as_ref().map_or(0, |opened| opened.rows.kind.len()));
        if let Some(message) = place.message.filter(|message| (*message as usize) < rows) {
            self.selected_at.set_value(Some(moment_key(self.at.get_untracked())));
            self.select(message);
        }
    }

    /// Sets the window back that was chosen for the session on screen only.
    pub(super) fn give_back_window(self) {
        if let Some((from, _)) = self.fitted() {
            self.set_knob(Knob::Context, from);
        }
    }

    /// The window that the user chose and the one that is shown instead, as long as it is.
    pub(super) fn fitted(self) -> Option<(u64, u64)> {
        let fitted = self.life.with_untracked(|life| life.as_ref().and_then(|life| life.fitted));
        fitted.filter(|(_, to)| self.policy.with_untracked(|policy| Knob::Context.value(policy)) == *to)
    }

    /// The moment that is shown; `None` for the session as its file holds it.
    pub(super) fn moment(self) -> Option<Box<At>> {
        let history = self.life.with_untracked(|life| life.as_ref().map(|life| life.policy.clone()))?;
        self.at.get_untracked().map(|request| Box::new(At { history, request }))
    }

    /// Goes to a moment; `None` is the session as its file holds it.
    pub(super) fn go(self, at: Option<u32>) {
        let last = self.life.with_untracked(|life| life.as_ref().map_or(0, |life| life.life.len() as u32));
        let at = at.filter(|at| *at < last);
        if self.at.get_untracked() != at {
            self.at.set(at);
        }
    }
}
