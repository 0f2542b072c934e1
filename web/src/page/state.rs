//! The state of the whole page. Each large value is behind one signal and is read in place.

use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use ebbline::Policy;
use ebbline_web::drawn_plan::DrawnPlan;
use ebbline_web::edge::Edge;
use ebbline_web::export::ExportKind;
use ebbline_web::inspected::Inspected;
use ebbline_web::kind::{Kind, Shown};
use ebbline_web::knob::{self, Knob};
use ebbline_web::overview::Overview;
use ebbline_web::question::{Answer, Line, Request};
use ebbline_web::read_as::ReadAs;
use ebbline_web::saved;
use ebbline_web::sessions::Sessions;
use ebbline_web::sheet::LETTERS;
use leptos::prelude::*;

use super::backend::{Backend, OnAnswer};
use super::browser;
use super::choice::Choice;
use super::live::effect;
use super::panels::{Dialog, Panel, Side};
use super::shortcuts::letters_are_on;
use super::shown_life::ShownLife;
use super::source::{Content, Failed, FileSource, Loading, Outcome};

/// The storage key of the settings.
const STORAGE_KEY: &str = "ebbline.settings";

/// A plan and the settings it was made for, so that the page never mixes it with other settings.
#[derive(Clone, Debug)]
pub(super) struct ShownPlan {
    pub(super) planned: DrawnPlan,
    pub(super) policy: Policy,
    pub(super) force: bool,
    /// The request of the life; `None` for the session as its file holds it.
    pub(super) at: Option<u32>,
}

impl Deref for ShownPlan {
    type Target = DrawnPlan;

    fn deref(&self) -> &DrawnPlan {
        &self.planned
    }
}

/// A moment as a number; the end of the file is the largest.
pub(super) fn moment_key(at: Option<u32>) -> u64 {
    at.map_or(u64::MAX, u64::from)
}

/// The state of the page, which lives as long as the page. Every component gets it from the context, and every closure
/// holds it, so it is no larger than a reference.
#[derive(Clone, Copy)]
pub(super) struct State(&'static Signals);

impl Deref for State {
    type Target = Signals;

    fn deref(&self) -> &Signals {
        self.0
    }
}

/// What the page is made of.
pub(super) struct Signals {
    pub(super) backend: StoredValue<Option<Rc<Backend>>, LocalStorage>,
    /// Counts the opened sessions, so that late answers of an earlier one are recognized.
    pub(super) generation: StoredValue<u32>,
    pub(super) opened: RwSignal<Option<Arc<Overview>>>,
    pub(super) policy: RwSignal<Policy>,
    pub(super) force: RwSignal<bool>,
    pub(super) planned: RwSignal<Option<Arc<ShownPlan>>>,
    pub(super) life: RwSignal<Option<Arc<ShownLife>>>,
    /// The request that is shown; `None` for the session as its file holds it.
    pub(super) at: RwSignal<Option<u32>>,
    pub(super) playing: RwSignal<bool>,
    /// The moment for which a message was selected: [`moment_key`].
    pub(super) selected_at: StoredValue<Option<u64>>,
    pub(super) selected: RwSignal<Option<u32>>,
    pub(super) inspected: RwSignal<Option<Arc<Inspected>>>,
    pub(super) whole: RwSignal<bool>,
    /// The first part of the selected message that is shown.
    pub(super) from: RwSignal<u32>,
    pub(super) side: Choice<Side>,
    pub(super) previews: RwSignal<HashMap<u32, String>>,
    pub(super) only_kind: Choice<Kind>,
    pub(super) only_fate: Choice<Shown>,
    pub(super) query: RwSignal<String>,
    pub(super) found: RwSignal<Option<Arc<Vec<u32>>>>,
    /// What the found messages have in common, if they were not searched for.
    pub(super) found_of: RwSignal<String>,
    /// The edge that is being dragged or has the focus.
    pub(super) held: Choice<Edge>,
    /// How many tokens the strip is wide while an edge is dragged, so that nothing moves under the pointer.
    pub(super) scale: RwSignal<Option<u32>>,
    /// The codes of the knobs that stand first: those that mattered when this moment was reached.
    pub(super) first: RwSignal<Option<Arc<Vec<u32>>>>,
    /// The sessions of this tab.
    pub(super) sessions: RwSignal<Sessions<Content>, LocalStorage>,
    /// Who waits for the file requested last.
    pub(super) outcome: StoredValue<Option<Outcome>, LocalStorage>,
    /// The file requested last, and the file on screen.
    pub(super) last_source: StoredValue<Option<FileSource>, LocalStorage>,
    pub(super) shown_source: StoredValue<Option<FileSource>, LocalStorage>,
    /// The request that opened the session on screen.
    pub(super) shown_request: StoredValue<u32>,
    /// The notice shown when the worker of the session has stopped; empty while it runs.
    pub(super) lost: RwSignal<String>,
    /// A remark about what was opened.
    pub(super) note: RwSignal<String>,
    pub(super) read_as: RwSignal<ReadAs>,
    pub(super) loading: RwSignal<Option<Loading>>,
    pub(super) failed: RwSignal<Option<Failed>>,
    pub(super) panel: Choice<Panel>,
    pub(super) dialog: Choice<Dialog>,
    pub(super) theme: Choice<super::theme::Theme>,
    /// Increases when colors may have changed.
    pub(super) colors: RwSignal<u32>,
    pub(super) pending: StoredValue<Option<Rc<Backend>>, LocalStorage>,
    pub(super) request: StoredValue<u32>,
    /// Whether the policy on the knobs is compared with the one that writes the history.
    pub(super) comparing: RwSignal<bool>,
    /// The life under the policy on the knobs, while it is compared.
    pub(super) other: RwSignal<Option<Arc<Line>>>,
    /// What the user chose to export last of the session on screen.
    pub(super) exported: StoredValue<Option<ExportKind>>,
    /// What was typed into the fields of sheets.
    pub(super) fields: RwSignal<Vec<(String, String)>>,
    /// The part of the screen that the lesson is about; empty without a lesson.
    pub(super) light: RwSignal<String>,
}

impl State {
    pub(super) fn new() -> Self {
        let default = || ebbline::profiles::ALL.first().map(|profile| (profile.policy(), false));
        let kept = browser::stored(STORAGE_KEY).and_then(|text| saved::parse(&text)).or_else(default);
        // There is always a default profile; the fallback is never used.
        let (policy, force) = kept.unwrap_or_else(|| unreachable!("there are profiles"));
        let letters =
            if letters_are_on() { Vec::new() } else { vec![(LETTERS.to_owned(), "off".to_owned())] };
        let signals = Signals {
            backend: StoredValue::new_local(None),
            generation: StoredValue::new(0),
            opened: RwSignal::new(None),
            policy: RwSignal::new(policy),
            force: RwSignal::new(force),
            planned: RwSignal::new(None),
            life: RwSignal::new(None),
            at: RwSignal::new(None),
            playing: RwSignal::new(false),
            selected_at: StoredValue::new(None),
            selected: RwSignal::new(None),
            inspected: RwSignal::new(None),
            whole: RwSignal::new(false),
            from: RwSignal::new(0),
            side: Choice::new(Some(Side::Before)),
            previews: RwSignal::new(HashMap::new()),
            only_kind: Choice::new(None),
            only_fate: Choice::new(None),
            query: RwSignal::new(String::new()),
            found: RwSignal::new(None),
            found_of: RwSignal::new(String::new()),
            held: Choice::new(None),
            scale: RwSignal::new(None),
            first: RwSignal::new(None),
            sessions: RwSignal::new_local(Sessions::default()),
            outcome: StoredValue::new_local(None),
            last_source: StoredValue::new_local(None),
            shown_source: StoredValue::new_local(None),
            shown_request: StoredValue::new(0),
            lost: RwSignal::new(String::new()),
            note: RwSignal::new(String::new()),
            read_as: RwSignal::new(ReadAs::default()),
            loading: RwSignal::new(None),
            failed: RwSignal::new(None),
            panel: Choice::new(Some(Panel::Messages)),
            dialog: Choice::new(None),
            theme: Choice::new(Some(super::theme::Theme::stored())),
            colors: RwSignal::new(0),
            pending: StoredValue::new_local(None),
            request: StoredValue::new(0),
            comparing: RwSignal::new(false),
            other: RwSignal::new(None),
            exported: StoredValue::new(None),
            fields: RwSignal::new(letters),
            light: RwSignal::new(String::new()),
        };
        Self(Box::leak(Box::new(signals)))
    }

    /// Sends a request. `then` is not called if another session has been opened meanwhile or if the worker has
    /// stopped.
    pub(super) fn ask(self, request: &Request, then: impl FnOnce(Answer) + 'static) {
        let then = move |answer| {
            if let Some(answer) = answer {
                then(answer);
            }
        };
        self.ask_or(request, Box::new(then));
    }

    /// Like [`Self::ask`], but calls `then` with `None` if the worker has stopped.
    pub(super) fn ask_or(self, request: &Request, then: OnAnswer) {
        let generation = self.generation.get_value();
        let Some(backend) = self.backend.get_value() else { return };
        let then = move |answer| {
            if self.generation.try_get_value() == Some(generation) {
                then(answer);
            }
        };
        backend.ask(request, Box::new(then));
    }

    /// Whether the plan on screen was made for the current settings.
    pub(super) fn is_current(self) -> bool {
        let (force, at) = (self.force.get(), self.at.get());
        self.planned.with(|shown| {
            shown.as_ref().is_some_and(|shown| {
                (shown.force, shown.at) == (force, at) && self.policy.with(|policy| *policy == shown.policy)
            })
        })
    }

    /// What is being done while the plan on screen is not that of the settings; empty if it is.
    pub(super) fn busy(self) -> String {
        if let Some(name) = self.loading.with(|loading| loading.as_ref().map(|loading| loading.name.clone()))
        {
            return format!("Reading {name}.");
        }
        if self.life.with(Option::is_none) || self.waits_for_window() {
            return "Replaying the session, request by request.".to_owned();
        }
        if self.is_current() { String::new() } else { "Planning.".to_owned() }
    }

    /// Whether the history was made with another window than the one on the knobs, and nobody is dragging that.
    pub(super) fn waits_for_window(self) -> bool {
        let window = self.policy.with(|policy| Knob::Context.value(policy));
        let is_other = |life: &Arc<ShownLife>| Knob::Context.value(&life.policy) != window;
        self.scale.with(Option::is_none) && self.life.with(|life| life.as_ref().is_some_and(is_other))
    }

    /// Whether the knobs follow another system's rules than those that wrote the history: then the two are compared.
    pub(super) fn is_against(self) -> bool {
        let name = |policy: &Policy| policy.profile.trim_end_matches('*').to_owned();
        self.life.with(|life| life.as_ref().is_some_and(|life| name(&life.policy) != self.policy.with(name)))
    }

    /// Whether a knob stands first.
    pub(super) fn is_first(self, knob: Knob) -> bool {
        self.first.with(|first| first.as_ref().is_some_and(|first| first.contains(&(knob as u32))))
    }

    /// Shows a knob, and gives it the focus.
    pub(super) fn show_knob(self, knob: Knob) {
        if !untrack(|| self.is_first(knob))
            && let Some(all) = browser::element("all-knobs")
        {
            let _never = all.set_attribute("open", "");
        }
        let id = format!("{}-value", knob.id());
        request_animation_frame(move || browser::focus(&id));
    }

    /// Continues with the session on screen in another worker. Everything stays, and the plan is made again.
    pub(super) fn rejoin(self, backend: Rc<Backend>, opened: Overview) {
        self.generation.update_value(|generation| *generation += 1);
        self.backend.set_value(Some(backend));
        self.lost.set(String::new());
        self.failed.set(None);
        self.loading.set(None);
        self.opened.set(Some(Arc::new(opened)));
    }

    /// Shows another session. The policy stays.
    pub(super) fn show(self, backend: Rc<Backend>, opened: Overview) {
        self.generation.update_value(|generation| *generation += 1);
        self.backend.set_value(Some(backend));
        self.lost.set(String::new());
        self.selected.set(None);
        self.selected_at.set_value(None);
        self.inspected.set(None);
        self.planned.set(None);
        self.give_back_window();
        self.life.set(None);
        self.playing.set(false);
        self.at.set(None);
        self.previews.set(HashMap::new());
        self.only_kind.set(None);
        self.only_fate.set(None);
        self.query.set(String::new());
        self.found.set(None);
        self.found_of.set(String::new());
        self.exported.set_value(None);
        self.failed.set(None);
        self.loading.set(None);
        self.opened.set(Some(Arc::new(opened)));
    }

    pub(super) fn set_knob(self, knob: Knob, value: u64) {
        if self.policy.with_untracked(|policy| knob.value(policy)) != value {
            self.policy.update(|policy| knob.set(policy, value));
        }
    }

    /// Changes something that is not a number.
    pub(super) fn change(self, change: impl FnOnce(&mut Policy)) {
        self.policy.update(|policy| knob::change(policy, change));
    }

    /// The policy of the profile that the current policy is based on.
    pub(super) fn preset(self) -> Policy {
        self.policy.with_untracked(knob::preset)
    }

    pub(super) fn select(self, message: u32) {
        self.whole.set(false);
        self.from.set(0);
        self.selected.set(Some(message));
    }

    /// Stores the settings in the browser whenever they change, with the user's own window.
    pub(super) fn save_settings(self) {
        effect(move || {
            let (force, mut policy) = (self.force.get(), self.policy.get());
            self.life.track();
            // The lesson sets the knobs for its own purpose.
            if !self.light.with(String::is_empty) {
                return;
            }
            if let Some((from, _)) = self.fitted() {
                Knob::Context.set(&mut policy, from);
            }
            browser::store(STORAGE_KEY, &saved::write(&policy, force));
        });
    }
}
