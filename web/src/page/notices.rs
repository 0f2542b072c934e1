//! What went wrong, what is under way, and the panel that is left when the program itself fails.

use ebbline_web::number::{bytes, percent};
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::browser;
use super::chip::ReadAsSelect;
use super::list::found_words;
use super::live::{click, part, words};
use super::open;
use super::state::{Failed, Loading, State};

/// Shows the panel that asks for a reload. It is part of the shell, so that it needs nothing that may be broken.
pub(super) fn show_panic() {
    if let Some(panel) = browser::element("panic") {
        let _never = panel.remove_attribute("hidden");
    }
}

/// A file that could not be opened, or one that is being read.
#[component]
pub(super) fn Notices() -> impl IntoView {
    let state = expect_context::<State>();
    let is_loading = Memo::new(move |_| state.loading.with(Option::is_some));
    view! {
        {part(move || {
            let said = state.lost.get();
            (!said.is_empty()).then(|| view! { <Lost said/> })
        })}
        {part(move || state.failed.get().map(|failed| view! { <NotOpened failed/> }))}
        {part(move || is_loading.get().then(|| view! { <Reading/> }))}
    }
}

/// The worker that holds the session on screen is gone.
#[component]
fn Lost(said: String) -> impl IntoView {
    let state = expect_context::<State>();
    let until = move || {
        let below = "The picture is its last answer";
        if state.is_current() {
            format!("{below} and belongs to these settings.")
        } else {
            format!("{below} and belongs to the settings before the last change.")
        }
    };
    view! {
        <section class="notice failed" role="alert" id="lost" aria-label="Worker stopped">
            <div>
                <h2>"The picture does not follow the settings any more"</h2>
                <p>{said}" Nothing is lost: the file and the settings are still there."</p>
                <p class="quiet">{words(until)}</p>
            </div>
            <button type="button" class="main" on:click=click(move || open::restart(state))>"Start again"</button>
        </section>
    }
}

/// What was wrong with a file, with the place.
#[component]
fn NotOpened(failed: Failed) -> impl IntoView {
    let state = expect_context::<State>();
    let Failed { name, trouble } = failed;
    let is_somewhere = !trouble.place.is_empty();
    // Not the file's fault: the same file may be read the next time.
    let is_worker = trouble.code == "worker";
    let (before, behind) = trouble.snippet.split_once("⟨here⟩").unwrap_or_default();
    view! {
        <section class="notice failed" role="alert" id="failed" aria-label="Not opened">
            <div>
                <h2>{name + " was not opened"}</h2>
                <p>{trouble.sentence.clone()}</p>
                <p class="place" hidden=!is_somewhere>{trouble.place.clone()}</p>
                <pre hidden=!is_somewhere>{before.to_owned()}<mark>"here ▸"</mark>{behind.to_owned()}</pre>
                <div hidden=is_worker><ReadAsSelect id="read-failed-as"/></div>
                <p class="quiet">"The session below is still the one before."</p>
            </div>
            <button type="button" class="main" hidden=!is_worker on:click=click(move || open::again(state, state.read_as.get_untracked()))>"Try again"</button>
            <button type="button" class="small" on:click=click(move || state.failed.set(None))>"Close"</button>
        </section>
    }
}

/// A file that is being read.
#[component]
fn Reading() -> impl IntoView {
    let state = expect_context::<State>();
    let said = |loading: &Loading| {
        let size = bytes(loading.size as u64);
        let done = if loading.read < loading.size {
            format!("{} of {size}", percent(loading.read as u64, loading.size as u64))
        } else {
            format!("{size}, all read; finding the messages")
        };
        format!("Reading {}: {done}", loading.name)
    };
    let of = move |read: fn(&Loading) -> String| {
        words(move || state.loading.with(|loading| loading.as_ref().map(read).unwrap_or_default()))
    };
    view! {
        <section class="notice loading" aria-label="Reading" id="loading">
            <div>
                <p>{of(said)}</p>
                <progress
                    aria-label="Read so far"
                    max=of(|loading| (loading.size as u64).to_string())
                    value=of(|loading| (loading.read as u64).to_string())
                ></progress>
            </div>
            <button type="button" class="small" on:click=click(move || open::cancel(state))>"Cancel"</button>
        </section>
    }
}

/// Says what has changed elsewhere, to those who do not see it.
#[component]
pub(super) fn Status() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <p class="out-of-sight" role="status" id="status">{words(move || found_words(state).unwrap_or_default())}</p>
    }
}
