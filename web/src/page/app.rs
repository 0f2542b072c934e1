//! The page as a whole: its layout, and the events of the whole window.

use ebbline_web::read_as;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::DragEvent;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::bar::Bar;
use super::export_dialog::ExportDialog;
use super::hand_over;
use super::inspector::Inspector;
use super::lesson::{self, Lesson};
use super::list::Messages;
use super::live::{click, flag, words};
use super::notices::{Notices, Status};
use super::open;
use super::panels::Panel;
use super::paste::Paste;
use super::samples::Samples;
use super::scrubber::LifeOfSession;
use super::settings::Settings;
use super::sheet::{Compare, Sheets, Versus};
use super::state::State;
use super::strip::Strip;
use super::verdict_line::VerdictLine;
use super::{address, before, browser, keys, theme_switch};

/// Replaces the shell's placeholder by the page.
pub(super) fn mount() {
    let Some(place) = browser::element("app") else { return };
    place.set_inner_html("");
    mount_to(place, App).forget();
    browser::mark("data-ready");
}

#[component]
fn App() -> impl IntoView {
    let state = State::new();
    provide_context(state);
    state.follow();
    state.save_settings();
    theme_switch::follow_system(state);
    keys::listen(state);
    let said = address::start(state);
    before::sample_is_shown_by(open::first);
    open::first(state);
    hand_over::listen(state);
    address::follow(state);
    address::open_session(state);
    if let Some(said) = said {
        state.note.set(said);
    }
    lesson::begin(state);

    let over = RwSignal::new(false);
    listen_to_drops(state, over);
    view! {
        <Bar/>
        <Lesson/>
        <main id="main" tabindex="-1" data-light=words(move || state.light.get()) class:stale=flag(move || !state.busy().is_empty())>
            <Notices/>
            <div class="top">
                <VerdictLine/>
                <Versus/>
            </div>
            <div class="desk">
                <div class="pictures">
                    <LifeOfSession/>
                    <Strip/>
                </div>
                <Settings/>
                <div class="rows" data-panel=words(move || state.panel.get().map_or("", Panel::name).to_owned())>
                    <Compare/>
                    <Tabs/>
                    <Messages/>
                    <Inspector/>
                </div>
            </div>
        </main>
        <Status/>
        <Paste/>
        <Samples/>
        <ExportDialog/>
        <Sheets/>
        <div class="drop" class:shown=flag(move || over.get()) aria-hidden="true"><p>"Drop the session anywhere"<small>{read_as::formats()}</small></p></div>
    }
}

/// A phone shows one of two panels; larger screens show both and no tabs.
#[component]
fn Tabs() -> impl IntoView {
    let state = expect_context::<State>();
    let tab = move |panel: Panel, name: &'static str| {
        view! {
            <button
                type="button"
                aria-pressed=words(move || state.panel.is(panel).to_string())
                on:click=click(move || state.panel.set(Some(panel)))
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="tabs" role="group" aria-label="Panel">
            {tab(Panel::Messages, "Messages")}
            {tab(Panel::Inspector, "Inspector")}
        </div>
    }
}

/// Accepts files and texts dropped anywhere on the window, or pasted.
fn listen_to_drops(state: State, over: RwSignal<bool>) {
    let has_files = |event: &DragEvent| {
        event.data_transfer().is_some_and(|data| {
            ["Files", "text/plain"].iter().any(|kind| data.types().includes(&(*kind).into(), 0))
        })
    };
    let moving = window_event_listener_untyped("dragover", move |event| {
        let event: DragEvent = event.unchecked_into();
        if has_files(&event) {
            event.prevent_default();
            over.set(true);
        }
    });
    let left = window_event_listener_untyped("dragleave", move |event| {
        let event: DragEvent = event.unchecked_into();
        // When the pointer leaves the window, the event has no related target.
        if event.related_target().is_none() {
            over.set(false);
        }
    });
    let dropped = window_event_listener_untyped("drop", move |event| {
        let event: DragEvent = event.unchecked_into();
        event.prevent_default();
        over.set(false);
        open::dropped(state, event.data_transfer());
    });
    // A text or file that is pasted anywhere but into a field.
    let pasted = window_event_listener_untyped("paste", move |event| {
        let is_field = event.target().is_some_and(|target| {
            target.has_type::<web_sys::HtmlInputElement>()
                || target.has_type::<web_sys::HtmlTextAreaElement>()
        });
        if !is_field && !event.default_prevented() {
            let event: web_sys::ClipboardEvent = event.unchecked_into();
            open::dropped(state, event.clipboard_data());
        }
    });
    on_cleanup(move || {
        pasted.remove();
        moving.remove();
        left.remove();
        dropped.remove();
    });
}
