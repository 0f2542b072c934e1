//! The life on screen: which policy writes it, which moment is shown, and with which window.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use ebbline::Policy;
use ebbline_web::agents::Agent;
use ebbline_web::knob::Knob;
use ebbline_web::link::{Moment, Place, View};
use ebbline_web::opening::Opening;
use ebbline_web::question::{Answer, Request};
use ebbline_web::sample::first::First;
use ebbline_web::view::At;
use leptos::prelude::*;

use super::backend::Backend;
use super::lesson;
use super::panels::Dialog;
use super::shown_life::ShownLife;
use super::state::{ShownPlan, State, moment_key};

/// How many lives were asked for, how many of them are there, and the place at which the newest one is to be shown.
#[derive(Clone, Copy, Default)]
struct Lives {
    asked: u32,
    came: u32,
    place: Option<Place>,
}

thread_local! {
    static LIVES: Cell<Lives> = Cell::default();
}

/// A life is asked for: its number.
pub(super) fn asked() -> u32 {
    let lives = LIVES.get();
    LIVES.set(Lives { asked: lives.asked + 1, place: None, ..lives });
    lives.asked + 1
}

/// Whether no other life has been asked for since the one with this number.
fn is_newest(number: u32) -> bool {
    LIVES.get().asked == number
}

/// Whether the newest life is there.
pub(super) fn is_there() -> bool {
    let lives = LIVES.get();
    lives.asked == lives.came
}

/// The newest life is there: the place that has waited for it.
pub(super) fn came() -> Option<Place> {
    let lives = LIVES.get();
    LIVES.set(Lives { came: lives.asked, place: None, ..lives });
    lives.place
}

/// The newest life is to be shown at this place.
pub(super) fn then_go(place: Place) {
    LIVES.set(Lives { place: Some(place), ..LIVES.get() });
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
        let Opening { words, told, .. } = opening;
        self.life.set(Some(Arc::new(ShownLife {
            life,
            policy,
            opening: words,
            told,
            fitted: None,
            smaller: None,
        })));
        if !is_same {
            self.relive(true);
        }
    }

    /// Opens a session of one's own: under the rules of the agent that wrote it, if they are known, with the settings beside
    /// them.
    pub(super) fn open_own(self) {
        let format =
            self.opened.with_untracked(|opened| opened.as_ref().map(|opened| opened.about.format.clone()));
        let rules = format.and_then(|format| Agent::of_format(&format)).and_then(Agent::rules);
        let mut history = self.policy.get_untracked();
        if let Some(rules) = rules {
            let window = Knob::Context.value(&history);
            history = rules.policy();
            Knob::Context.set(&mut history, window);
        }
        self.live(history, false, None);
    }

    /// Shows the session in a smaller window, with the rules that ran until here.
    pub(super) fn fit(self) {
        if let Some(history) = self.life.with_untracked(|life| life.as_ref().map(|life| life.policy.clone()))
        {
            self.live(history, true, None);
        }
    }

    /// Makes the history anew with the window on the knobs. Who looks at the whole session goes on doing so.
    pub(super) fn relive_in_window(self) {
        let Some(mut history) =
            self.life.with_untracked(|life| life.as_ref().map(|life| life.policy.clone()))
        else {
            return;
        };
        Knob::Context.set(&mut history, self.policy.with_untracked(|policy| Knob::Context.value(policy)));
        let stays = self.at.get_untracked().is_none().then(|| (None, self.policy.get_untracked()));
        self.live(history, false, stays);
    }

    /// Lets the current policy write the history from the start, and goes to the most telling moment. With `fit`, a
    /// session that never fills the window is shown with a smaller one.
    pub(super) fn relive(self, fit: bool) {
        self.give_back_window();
        self.live(self.policy.get_untracked(), fit, None);
    }

    /// Lets the policy on the knobs write the history from the start, with the window that is shown.
    pub(super) fn relive_as_shown(self) {
        self.relive(self.fitted().is_some());
    }

    /// Takes a profile. The context window stays: it belongs to the model.
    pub(super) fn take_profile(self, name: &str) {
        let Some(policy) = ebbline::profiles::find(name).map(ebbline::profiles::Profile::policy) else {
            return;
        };
        let is_compared = self.comparing.get_untracked() || untrack(|| self.is_against());
        let context = self.policy.with_untracked(|policy| Knob::Context.value(policy));
        self.policy.set(policy);
        self.set_knob(Knob::Context, context);
        // While two policies are compared, it is the second.
        if !is_compared {
            self.relive_as_shown();
        }
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
        let number = asked();
        // Where the moment stays, so does the window that was chosen for the session only.
        let window = Knob::Context.value(&history);
        let fitted = to.as_ref().and_then(|_| self.fitted()).filter(|(_, shown)| *shown == window);
        let shown = self.life.with_untracked(|life| life.as_ref().map(|life| life.policy.clone()));
        let before = shown.filter(|_| to.is_none()).map(Box::new);
        let request = Request::Life { policy: Box::new(history.clone()), fit, before };
        self.ask(&request, move |answer| {
            let Answer::Life(life, opening) = answer else { return };
            if !is_newest(number) {
                return;
            }
            let mut history = history;
            let from = self.policy.with_untracked(|policy| Knob::Context.value(policy));
            if let Some(window) = opening.window {
                Knob::Context.set(&mut history, window);
                self.set_knob(Knob::Context, window);
            }
            self.playing.set(false);
            let fitted = opening.window.map(|to| (from, to)).or(fitted);
            let (at, words) = match to {
                None => (opening.request, opening.words),
                Some((at, knobs)) => {
                    self.policy.set(knobs);
                    (at, String::new())
                }
            };
            self.at.set(at);
            self.life.set(Some(Arc::new(ShownLife {
                life: *life,
                policy: history,
                opening: words,
                told: opening.told,
                fitted,
                smaller: opening.smaller,
            })));
            if let Some(place) = came() {
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
        let View { lesson, comparing, sheet } = place.view;
        self.comparing.set(comparing);
        lesson::go(self, lesson);
        self.dialog.set(sheet.map(Dialog::Sheet));
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
