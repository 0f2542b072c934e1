//! One root for everything that is on screen. Large data stands behind one signal each and is read in place.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use ebbline::{Fate, Policy};
use ebbline_web::desk::{Answer, Ask, Inspected, Opened};
use ebbline_web::error_text::Trouble;
use ebbline_web::kept;
use ebbline_web::kind::Kind;
use ebbline_web::knob::{self, Knob};
use ebbline_web::planned::Planned;
use ebbline_web::read_as::ReadAs;
use leptos::prelude::*;

use super::browser;
use super::link::{Link, Then};
use super::live::effect;

/// The name under which the settings are kept.
const KEPT_AS: &str = "ebbline.settings";

/// A file that is being read by a worker.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loading {
    pub(super) name: String,
    pub(super) size: f64,
    pub(super) read: f64,
}

/// What went wrong with which file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failed {
    pub(super) name: String,
    pub(super) trouble: Trouble,
}

/// A file or text that can be read again.
#[derive(Clone)]
pub(super) struct Opening {
    pub(super) file: web_sys::Blob,
    pub(super) name: String,
    pub(super) read_as: ReadAs,
}

/// A plan with what was asked: whatever is said or drawn of it is said with the settings that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    planned: Planned,
    pub(super) policy: Policy,
    force: bool,
}

impl Deref for Shown {
    type Target = Planned;

    fn deref(&self) -> &Planned {
        &self.planned
    }
}

/// Which of the panels a phone shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    Messages,
    Inspector,
    Policy,
}

impl Panel {
    /// The name in the style sheet.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Inspector => "inspector",
            Self::Policy => "policy",
        }
    }
}

/// A message as the inspector shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
    Raw,
}

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialog {
    Paste,
    Export,
    Help,
}

/// The root; every component gets it from the context.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) link: StoredValue<Option<Link>, LocalStorage>,
    /// Counts sessions, so that a late answer for an earlier one is known.
    pub(super) era: StoredValue<u32>,
    pub(super) opened: RwSignal<Option<Arc<Opened>>>,
    pub(super) policy: RwSignal<Policy>,
    pub(super) force: RwSignal<bool>,
    pub(super) planned: RwSignal<Option<Arc<Shown>>>,
    pub(super) selected: RwSignal<Option<u32>>,
    pub(super) inspected: RwSignal<Option<Arc<Inspected>>>,
    pub(super) whole: RwSignal<bool>,
    /// The first part of the message that is looked at.
    pub(super) from: RwSignal<u32>,
    pub(super) side: RwSignal<Side>,
    pub(super) previews: RwSignal<HashMap<u32, String>>,
    pub(super) only_kind: RwSignal<Option<Kind>>,
    pub(super) only_fate: RwSignal<Option<Fate>>,
    pub(super) wanted: RwSignal<String>,
    pub(super) found: RwSignal<Option<Arc<Vec<u32>>>>,
    /// The boundary that is held or has the focus.
    pub(super) held: RwSignal<Option<Knob>>,
    /// The file that was asked for last, and the one that is on screen.
    pub(super) file: StoredValue<Option<Opening>, LocalStorage>,
    pub(super) on_screen: StoredValue<Option<Opening>, LocalStorage>,
    /// The request by which that came.
    pub(super) on_screen_request: StoredValue<u32>,
    /// What is said when the worker that holds the session is gone; empty while it is there.
    pub(super) lost: RwSignal<String>,
    pub(super) read_as: RwSignal<ReadAs>,
    pub(super) loading: RwSignal<Option<Loading>>,
    pub(super) failed: RwSignal<Option<Failed>>,
    pub(super) panel: RwSignal<Panel>,
    pub(super) dialog: RwSignal<Option<Dialog>>,
    pub(super) theme: RwSignal<super::theme::Theme>,
    /// Grows when colours may have changed.
    pub(super) colours: RwSignal<u32>,
    pub(super) opening: StoredValue<Option<std::rc::Rc<super::link::Remote>>, LocalStorage>,
    pub(super) request: StoredValue<u32>,
}

impl State {
    pub(super) fn new() -> Self {
        let default = || ebbline::profiles::ALL.first().map(|profile| (profile.policy(), false));
        let kept = browser::kept(KEPT_AS).and_then(|text| kept::settings(&text)).or_else(default);
        // There is always a default profile; the fallback is never used.
        let (policy, force) = kept.unwrap_or_else(|| unreachable!("there are profiles"));
        Self {
            link: StoredValue::new_local(None),
            era: StoredValue::new(0),
            opened: RwSignal::new(None),
            policy: RwSignal::new(policy),
            force: RwSignal::new(force),
            planned: RwSignal::new(None),
            selected: RwSignal::new(None),
            inspected: RwSignal::new(None),
            whole: RwSignal::new(false),
            from: RwSignal::new(0),
            side: RwSignal::new(Side::Before),
            previews: RwSignal::new(HashMap::new()),
            only_kind: RwSignal::new(None),
            only_fate: RwSignal::new(None),
            wanted: RwSignal::new(String::new()),
            found: RwSignal::new(None),
            held: RwSignal::new(None),
            file: StoredValue::new_local(None),
            on_screen: StoredValue::new_local(None),
            on_screen_request: StoredValue::new(0),
            lost: RwSignal::new(String::new()),
            read_as: RwSignal::new(ReadAs::default()),
            loading: RwSignal::new(None),
            failed: RwSignal::new(None),
            panel: RwSignal::new(Panel::Messages),
            dialog: RwSignal::new(None),
            theme: RwSignal::new(super::theme::Theme::kept()),
            colours: RwSignal::new(0),
            opening: StoredValue::new_local(None),
            request: StoredValue::new(0),
        }
    }

    /// Asks the session; an answer that comes after another session was opened is passed over, and there is none when
    /// the worker is gone.
    pub(super) fn ask(self, ask: &Ask, then: impl FnOnce(Answer) + 'static) {
        let then = move |answer| {
            if let Some(answer) = answer {
                then(answer);
            }
        };
        self.ask_or(ask, Box::new(then));
    }

    /// The same for those who have to know that there is none.
    pub(super) fn ask_or(self, ask: &Ask, then: Then) {
        let era = self.era.get_value();
        let Some(link) = self.link.get_value() else { return };
        let then = move |answer| {
            if self.era.try_get_value() == Some(era) {
                then(answer);
            }
        };
        link.ask(ask, Box::new(then));
    }

    /// Whether what is on screen belongs to the settings as they are.
    pub(super) fn is_current(self) -> bool {
        let force = self.force.get();
        self.planned.with(|shown| {
            shown.as_ref().is_none_or(|shown| {
                shown.force == force && self.policy.with(|policy| *policy == shown.policy)
            })
        })
    }

    /// Goes on with the session on screen in another worker. Everything stays; the plan is made again.
    pub(super) fn rejoin(self, link: Link, opened: Opened) {
        self.era.update_value(|era| *era += 1);
        self.link.set_value(Some(link));
        self.lost.set(String::new());
        self.failed.set(None);
        self.loading.set(None);
        self.opened.set(Some(Arc::new(opened)));
    }

    /// Shows another session. The policy stays.
    pub(super) fn show(self, link: Link, opened: Opened) {
        self.era.update_value(|era| *era += 1);
        self.link.set_value(Some(link));
        self.lost.set(String::new());
        self.selected.set(None);
        self.inspected.set(None);
        self.planned.set(None);
        self.previews.set(HashMap::new());
        self.only_kind.set(None);
        self.only_fate.set(None);
        self.wanted.set(String::new());
        self.found.set(None);
        self.failed.set(None);
        self.loading.set(None);
        self.opened.set(Some(Arc::new(opened)));
    }

    /// Turns a knob.
    pub(super) fn turn(self, knob: Knob, value: u64) {
        if self.policy.with_untracked(|policy| knob.value(policy)) != value {
            self.policy.update(|policy| knob.turn(policy, value));
        }
    }

    /// Changes what is no number.
    pub(super) fn change(self, change: impl FnOnce(&mut Policy)) {
        self.policy.update(|policy| knob::change(policy, change));
    }

    /// The policy of the profile that the present one came from.
    pub(super) fn preset(self) -> Policy {
        self.policy.with_untracked(knob::preset)
    }

    /// Selects a message.
    pub(super) fn select(self, message: u32) {
        self.whole.set(false);
        self.from.set(0);
        self.selected.set(Some(message));
    }

    /// Keeps the settings over visits whenever they change.
    pub(super) fn keep_settings(self) {
        effect(move || {
            let force = self.force.get();
            browser::keep(KEPT_AS, &self.policy.with(|policy| kept::text(policy, force)));
        });
    }

    /// Follows policy and selection with plans and inspections. One request of each kind is under way at a time;
    /// when it is answered and something has changed meanwhile, the newest state is asked for.
    pub(super) fn follow(self) {
        let planning = Latest::new();
        effect(move || {
            let (policy, force) = (self.policy.get(), self.force.get());
            let Some(era) = self.opened.with(|opened| opened.is_some().then(|| self.era.get_value())) else {
                return;
            };
            let ask = Ask::Plan { policy: Box::new(policy), force };
            planning.run((era, ask), move |(_, ask), done| {
                self.ask(&ask.clone(), move |answer| {
                    if let (Answer::Planned(planned), Ask::Plan { policy, force }) = (answer, ask) {
                        let shown = Shown { planned: *planned, policy: *policy, force };
                        self.planned.set(Some(Arc::new(shown)));
                    }
                    done();
                });
            });
        });
        // At first the output that crosses the boundary is looked at: it shows what the page is about.
        effect(move || {
            let crossing = self.planned.with(|planned| {
                planned
                    .as_ref()
                    .map(|planned| planned.head.prune.boundary.map_or(0, |boundary| boundary.message as u32))
            });
            if let Some(crossing) = crossing
                && self.selected.with_untracked(Option::is_none)
            {
                self.selected.set(Some(crossing));
            }
        });
        let inspecting = Latest::new();
        effect(move || {
            let (selected, whole, from) = (self.selected.get(), self.whole.get(), self.from.get() as usize);
            self.planned.track();
            let Some(message) = selected else { return };
            let policy = Box::new(self.policy.get_untracked());
            let ask = Ask::Inspect { message, policy, force: self.force.get_untracked(), whole, from };
            inspecting.run((self.era.get_value(), ask), move |(_, ask), done| {
                self.ask(&ask, move |answer| {
                    if let Answer::Inspected(inspected) = answer {
                        self.inspected.set(Some(Arc::from(inspected)));
                    }
                    done();
                });
            });
        });
    }
}

/// Lets one request through at a time and remembers only the newest of those that come meanwhile.
#[derive(Clone, Copy)]
struct Latest {
    busy: StoredValue<Option<u32>>,
    next: StoredValue<Option<(u32, Ask)>>,
}

impl Latest {
    fn new() -> Self {
        Self { busy: StoredValue::new(None), next: StoredValue::new(None) }
    }

    fn run(self, request: (u32, Ask), send: impl Fn((u32, Ask), Box<dyn FnOnce()>) + Copy + 'static) {
        // A request for an earlier session is never answered, so it does not hold up this one's.
        if self.busy.get_value() == Some(request.0) {
            self.next.set_value(Some(request));
            return;
        }
        self.busy.set_value(Some(request.0));
        let done = move || {
            self.busy.set_value(None);
            let next = self.next.try_update_value(Option::take).flatten();
            if let Some(next) = next {
                self.run(next, send);
            }
        };
        send(request, Box::new(done));
    }
}
