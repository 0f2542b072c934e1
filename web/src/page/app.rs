//! The page as a whole: its layout, and the events of the whole window.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::DragEvent;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::bar::Bar;
use super::export_dialog::ExportDialog;
use super::help::Help;
use super::inspector::Inspector;
use super::list::Messages;
use super::live::{click, flag, words};
use super::notices::{Notices, Status};
use super::open;
use super::paste::Paste;
use super::settings::Settings;
use super::state::{Panel, State};
use super::strip::Strip;
use super::verdict_line::VerdictLine;
use super::{browser, keys, theme};

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
    theme::follow_system(state);
    keys::listen(state);
    open::sample(state);

    let over = RwSignal::new(false);
    listen_to_drops(state, over);
    view! {
        <Bar/>
        <main id="main" tabindex="-1" class:stale=flag(move || !state.is_current())>
            <Notices/>
            <VerdictLine/>
            <Strip/>
            <Tabs/>
            <div class="columns" data-panel=words(move || state.panel.get().name().to_owned())>
                <Messages/>
                <Inspector/>
                <Settings/>
            </div>
        </main>
        <Status/>
        <Paste/>
        <ExportDialog/>
        <Help/>
        <div class="drop" class:shown=flag(move || over.get()) aria-hidden="true"><p>"Drop the session anywhere"</p></div>
    }
}

/// A phone shows one of three panels; larger screens show all of them and no tabs.
#[component]
fn Tabs() -> impl IntoView {
    let state = expect_context::<State>();
    let tab = move |panel: Panel, name: &'static str| {
        view! {
            <button
                type="button"
                aria-pressed=words(move || (state.panel.get() == panel).to_string())
                on:click=click(move || state.panel.set(panel))
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="tabs" role="group" aria-label="Panel">
            {tab(Panel::Messages, "Messages")}
            {tab(Panel::Inspector, "Inspector")}
            {tab(Panel::Policy, "Policy")}
        </div>
    }
}

/// Accepts files dropped anywhere on the window.
fn listen_to_drops(state: State, over: RwSignal<bool>) {
    let has_files = |event: &DragEvent| {
        event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
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
    on_cleanup(move || {
        moving.remove();
        left.remove();
        dropped.remove();
    });
}
