//! The address of the page: it holds the state as a link, so that it can be given away, and so that Back undoes.
//!
//! A finished change of the settings, which is one that is made while neither a key nor a button of the pointer is held,
//! gets an entry of its own in the browser's history. Other changes replace the link of the current entry.

use std::cell::RefCell;

use ebbline_web::knob::Knob;
use ebbline_web::link::{Linked, Moment, Of, Place, View, is_link, plain_part};
use ebbline_web::question::{Answer, Request};
use ebbline_web::sample::{self, FIRST};
use ebbline_web::shape;
use ebbline_web::sheet::{Which, share};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::live::effect;
use super::panels::Dialog;
use super::sheet::{type_into, typed_into};
use super::source::Content;
use super::state::State;
use super::{browser, lesson, life, open};

/// How long the state has to stand still before its link is written, in milliseconds: browsers allow about three changes of
/// the address in a second.
const STILL: u32 = 300;

/// What is said of a file that is another one than the link's.
const OTHER_FILE: &str = "This is not the file that the link was made with, or it has changed since. The settings are those of the link.";

/// What the page knows of its address.
#[derive(Default)]
struct Entries {
    /// The link of the state with which the page began; empty until it is known.
    start: String,
    /// The settings of the current entry, as words, and its link.
    settings: String,
    written: String,
    /// Writes the link when the state has stood still.
    timer: Option<Timeout>,
    /// The link that is to be written then; empty if it is written.
    waiting: String,
    /// Whether a key or a button of the pointer is held.
    is_held: bool,
    /// The link that waits for its session; empty if none does.
    awaited: String,
    /// The number by which the file on screen is recognized again.
    fingerprint: Option<u64>,
    /// The link of the shape that is being opened, and of the one that is on screen.
    asked_shape: String,
    shape: String,
}

thread_local! {
    static ENTRIES: RefCell<Entries> = RefCell::default();
}

fn update<T>(change: impl FnOnce(&mut Entries) -> T) -> T {
    ENTRIES.with_borrow_mut(change)
}

/// Takes the settings from the link with which the page was opened, before its session is shown. Returns what there is to
/// say about it when the session is there.
pub(super) fn start(state: State) -> Option<String> {
    let hash = hash();
    let link = link_in(&hash)?;
    match Linked::read(link) {
        Err(fault) => Some(fault.sentence()),
        Ok(linked) => {
            update(|entries| {
                link.clone_into(&mut entries.awaited);
                link.clone_into(&mut entries.written);
            });
            state.force.set(linked.force);
            let wants = linked.wants();
            state.policy.set(linked.policy);
            Some(wants).filter(|wants| !wants.is_empty())
        }
    }
}

/// What stands behind `#` in the address, if it can be a link.
fn hash() -> String {
    let hash = browser::hash().unwrap_or_default();
    plain_part(hash.strip_prefix('#').unwrap_or_default()).to_owned()
}

/// The link of a state in what stands behind `#`; a link with a shape may have one.
fn link_in(hash: &str) -> Option<&str> {
    let link = match shape::link_in(hash) {
        Some(link) => shape::divided(link).1?,
        None => hash,
    };
    Some(link).filter(|link| is_link(link))
}

/// The state that waits for its session, which does not wait any longer, if it waits for one that is `wanted`.
fn taken(wanted: impl FnOnce(&Of) -> bool) -> Option<Linked> {
    let linked = Linked::read(&update(|entries| entries.awaited.clone())).ok()?;
    if !wanted(&linked.of) {
        return None;
    }
    update(|entries| entries.awaited.clear());
    Some(linked)
}

/// Opens the session of the address: a shape, or another sample than the first.
pub(super) fn open_session(state: State) {
    let hash = hash();
    if let Some(link) = shape::link_in(&hash) {
        shape_of(state, link);
    } else if let Some(Ok(Linked { of: Of::Sample(id), .. })) = link_in(&hash).map(Linked::read)
        && let Some(wanted) = sample::find(&id).filter(|sample| sample.id != FIRST.id)
    {
        open::sample(state, wanted);
    }
}

/// Keeps the address up to date, and goes where the user goes in the browser's history.
pub(super) fn follow(state: State) {
    effect(move || {
        state.policy.track();
        state.force.track();
        state.at.track();
        state.selected.track();
        state.life.track();
        state.comparing.track();
        state.dialog.track();
        state.fields.track();
        changed(state);
    });
    effect(move || {
        if state.opened.with(Option::is_some) {
            opened(state);
        }
    });
    for (name, is_held) in [
        ("pointerdown", true),
        ("keydown", true),
        ("pointerup", false),
        ("pointercancel", false),
        ("keyup", false),
        ("blur", false),
    ] {
        let listener = window_event_listener_untyped(name, move |_| {
            update(|entries| entries.is_held = is_held);
            if !is_held {
                changed(state);
            }
        });
        on_cleanup(move || listener.remove());
    }
    let back = window_event_listener_untyped("popstate", move |_| back(state));
    on_cleanup(move || back.remove());
}

/// Opens the dialog with the link, and copies it.
pub(super) fn share(state: State) {
    let Some(linked) = linked(state) else { return };
    let address = browser::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    let page = address.split('#').next().unwrap_or_default();
    let link = format!("{page}#{}", link_of(&linked));
    for (field, value) in [(share::LINK, link.as_str()), (share::COPIED, ""), (share::SHAPE, "")] {
        type_into(state, field, value.to_owned());
    }
    state.dialog.set(Some(Dialog::Sheet(Which::Share)));
    spawn_local(async move {
        let is_copied = browser::copy(link).await;
        type_into(state, share::COPIED, if is_copied { "yes" } else { "no" }.to_owned());
    });
}

/// The state that the page shows; `None` while it is being changed into another one. In the lesson, which sets the screen
/// itself, it is the state before the lesson, with the step.
fn linked(state: State) -> Option<Linked> {
    let of = match sample_on_screen(state) {
        Some(id) => Of::Sample(id.to_owned()),
        None => update(|entries| entries.fingerprint).map_or(Of::Unknown, Of::File),
    };
    let step = untrack(|| typed_into(state, lesson::STEP)).and_then(|step| step.parse().ok()).unwrap_or(0);
    if step > 0 {
        let mut linked = update(|entries| Linked::read(link_in(&entries.written)?).ok())?;
        if linked.of != of {
            (linked.of, linked.place, linked.file) = (of, Place::default(), String::new());
        }
        linked.place.view.lesson = step;
        return Some(linked);
    }
    if !life::is_there() {
        return None;
    }
    let life = state.life.get_untracked()?;
    let fitted = state.fitted();
    let mut policy = state.policy.get_untracked();
    let mut history = life.policy.clone();
    if let Some((from, _)) = fitted {
        Knob::Context.set(&mut policy, from);
        Knob::Context.set(&mut history, from);
    }
    let moment = state.at.get_untracked().map_or(Moment::End, Moment::Request);
    let sheet = match state.dialog.get_untracked() {
        // It is about the link itself.
        Some(Dialog::Sheet(sheet)) if sheet != Which::Share => Some(sheet),
        _ => None,
    };
    let view = View { lesson: 0, comparing: state.comparing.get_untracked(), sheet };
    let place = Place { moment: Some(moment), message: state.selected.get_untracked(), view };
    Some(Linked {
        history: Some(history).filter(|history| *history != policy),
        force: state.force.get_untracked(),
        policy,
        fitted: fitted.is_some(),
        place,
        of,
        file: state
            .opened
            .with_untracked(|opened| opened.as_ref().map(|opened| opened.about.short()))
            .unwrap_or_default(),
    })
}

/// The id of the sample that is on screen, if it is one.
fn sample_on_screen(state: State) -> Option<&'static str> {
    state.shown_source.with_value(|source| match source.as_ref()?.file.file {
        Content::Sample(sample) => Some(sample.id),
        Content::File(_) => None,
    })
}

/// The link of a state, with the shape on screen in front of it.
fn link_of(linked: &Linked) -> String {
    let (shape, link) = (update(|entries| entries.shape.clone()), linked.write());
    if shape.is_empty() { link } else { format!("{shape}.{link}") }
}

/// Writes the state into the address: at once after a finished change of the settings, else as soon as it stands still.
fn changed(state: State) {
    // The history of another window is still to be made, and the moment with it: the link of now would not lead back here.
    if untrack(|| state.waits_for_window()) {
        return;
    }
    let Some(linked) = linked(state) else { return };
    let (settings, link) = (linked.settings(), link_of(&linked));
    update(|entries| {
        if entries.start.is_empty() {
            entries.start.clone_from(&link);
            (entries.settings, entries.written) = (settings, link);
        } else if entries.settings != settings {
            if !entries.is_held {
                // Where the last entry was left is where going back leads.
                let left = std::mem::take(&mut entries.waiting);
                if !left.is_empty() {
                    put(&left, false);
                }
                put(&link, true);
                (entries.settings, entries.written, entries.timer) = (settings, link, None);
            }
        } else if entries.written != link {
            entries.timer = Some(Timeout::new(STILL, move || replace(state)));
            entries.waiting = link;
        }
    });
}

/// Writes the state into the current entry, if the settings are those of the entry.
fn replace(state: State) {
    let Some(linked) = linked(state) else { return };
    let (settings, link) = (linked.settings(), link_of(&linked));
    update(|entries| {
        if entries.settings == settings {
            put(&link, false);
            entries.written = link;
            entries.waiting.clear();
        }
    });
}

/// Another session is on screen: it may be the one that a link waits for.
fn opened(state: State) {
    let sample = sample_on_screen(state);
    let is_shape = state.opened.with_untracked(|opened| {
        opened.as_ref().is_some_and(|opened| opened.about.facts.iter().any(|(name, _)| name == shape::FACT))
    });
    let is_asked = update(|entries| {
        entries.fingerprint = None;
        // While a shape is being opened, the first sample is on screen, and what waits is not for it.
        if sample.is_none() && !entries.asked_shape.is_empty() {
            entries.shape = std::mem::take(&mut entries.asked_shape);
        }
        if !is_shape {
            entries.shape.clear();
        }
        !entries.asked_shape.is_empty()
    });
    if is_shape {
        state.note.set(shape::SAID.to_owned());
        if let Some(linked) = taken(|_| true) {
            restore(state, linked);
        }
    } else if let Some(id) = sample {
        let wanted = taken(|of| match of {
            Of::Sample(wanted) => wanted == id,
            Of::Unknown => !is_asked,
            Of::File(_) => false,
        });
        if let Some(linked) = wanted {
            restore(state, linked);
        }
    } else {
        state.ask(&Request::Fingerprint, move |answer| {
            let Answer::Fingerprint(fingerprint) = answer else { return };
            update(|entries| entries.fingerprint = Some(fingerprint));
            match taken(|_| true) {
                Some(linked) if linked.of == Of::File(fingerprint) => restore(state, linked),
                Some(Linked { of: Of::File(_), .. }) => state.note.set(OTHER_FILE.to_owned()),
                _ => {}
            }
            changed(state);
        });
    }
}

/// Shows the state of the entry to which the user has gone.
fn back(state: State) {
    let hash = hash();
    let link = if hash.is_empty() { Some(update(|entries| entries.start.clone())) } else { None };
    let link = match &link {
        Some(start) => link_in(start),
        None => link_in(&hash),
    };
    let shape = shape::link_in(&hash)
        .filter(|link| shape::divided(link).0 != update(|entries| entries.shape.clone()));
    let Some(link) = link else { return };
    let mut linked = match Linked::read(link) {
        Ok(linked) => linked,
        Err(fault) => return state.note.set(fault.sentence()),
    };
    update(|entries| {
        (entries.timer, entries.waiting) = (None, String::new());
        entries.settings = linked.settings();
        // The entry without a link stays without one as long as it shows the state of the start.
        entries.written.clone_from(if hash.is_empty() { &entries.start } else { &hash });
    });
    let is_on_screen = match &linked.of {
        Of::Sample(id) => sample_on_screen(state) == Some(id),
        Of::File(fingerprint) => update(|entries| entries.fingerprint) == Some(*fingerprint),
        Of::Unknown => true,
    };
    let wait = || update(|entries| link.clone_into(&mut entries.awaited));
    if let Some(shape) = shape {
        wait();
        return shape_of(state, shape);
    }
    if let (false, Of::Sample(id)) = (is_on_screen, &linked.of)
        && let Some(sample) = sample::find(id)
    {
        wait();
        return open::sample(state, sample);
    }
    if !is_on_screen {
        // An entry of a file that has to be opened again: its settings apply.
        linked.place = Place::default();
    }
    restore(state, linked);
}

/// Shows the settings and the place of a link.
fn restore(state: State, linked: Linked) {
    let Linked { mut policy, force, history, fitted, place, .. } = linked;
    let history = history.unwrap_or_else(|| policy.clone());
    state.force.set(force);
    let shown = state.life.get_untracked().filter(|_| life::is_there());
    let same = shown.filter(|life| {
        let mut own = life.policy.clone();
        if let Some((from, _)) = life.fitted.filter(|_| fitted) {
            Knob::Context.set(&mut own, from);
        }
        life.fitted.is_some() == fitted && own == history
    });
    if let Some(life) = same {
        if let Some((_, to)) = life.fitted {
            Knob::Context.set(&mut policy, to);
        }
        state.policy.set(policy);
        state.go_to(place);
    } else {
        state.policy.set(policy);
        state.live(history, fitted, None);
        life::then_go(place);
    }
}

/// Puts a link behind `#`, in an entry of its own or in the current one.
fn put(link: &str, is_new: bool) {
    let history = browser::window().and_then(|window| window.history().ok());
    let Some(history) = history else { return };
    let address = format!("#{link}");
    let _refused = if is_new {
        history.push_state_with_url(&JsValue::NULL, "", Some(&address))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
    };
}

/// Opens a shape.
pub(super) fn shape_of(state: State, link: &str) {
    update(|entries| shape::divided(link).0.clone_into(&mut entries.asked_shape));
    open::named(state, link, shape::NAME);
}
