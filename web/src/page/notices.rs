//! Errors and progress. The panel that remains when the program itself fails is part of the shell (`web/boot.js`).

use ebbline::numbers::{bytes, percent};
use ebbline_web::error_text::HERE;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::chip::ReadAsSelect;
use super::list::found_words;
use super::live::{click, part, words};
use super::open;
use super::source::{Failed, Loading};
use super::state::State;

/// The notices: a file that could not be opened, a file that is being read, a worker that stopped.
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
        {part(move || {
            let said = state.note.get();
            (!said.is_empty()).then(|| view! {
                <section class="notice" role="status" id="note" aria-label="Remark">
                    <div><p>{said}</p></div>
                    <button type="button" class="small" on:click=click(move || state.note.set(String::new()))>"Close"</button>
                </section>
            })
        })}
        {part(move || is_loading.get().then(|| view! { <Reading/> }))}
    }
}

/// The notice of a stopped worker.
#[component]
fn Lost(said: String) -> impl IntoView {
    let state = expect_context::<State>();
    let until = move || {
        let below = "The page shows the last plan, which";
        if state.is_current() {
            format!("{below} belongs to these settings.")
        } else {
            format!("{below} belongs to the settings before the last change.")
        }
    };
    view! {
        <section class="notice failed" role="alert" id="lost" aria-label="Worker stopped">
            <div>
                <h2>"The page no longer follows the settings"</h2>
                <p>{said}" Nothing is lost: the file and the settings are still there."</p>
                <p class="quiet">{words(until)}</p>
            </div>
            <button type="button" class="main" on:click=click(move || open::restart(state))>"Start again"</button>
        </section>
    }
}

/// Why a file could not be opened, and where.
#[component]
fn NotOpened(failed: Failed) -> impl IntoView {
    let state = expect_context::<State>();
    let Failed { name, problem } = failed;
    let is_somewhere = !problem.place.is_empty();
    // The worker failed, not the file: opening the same file again may work.
    let is_worker = problem.code == "worker";
    let (before, behind) = problem.snippet.split_once(HERE).unwrap_or_default();
    view! {
        <section class="notice failed" role="alert" id="failed" aria-label="Not opened">
            <div>
                <h2>{name + " was not opened"}</h2>
                <p>{problem.sentence.clone()}</p>
                <p class="place" hidden=!is_somewhere>{problem.place.clone()}</p>
                <pre hidden=!is_somewhere>{before.to_owned()}<mark>"here ▸"</mark>{behind.to_owned()}</pre>
                <div hidden=!problem.may_be_read_as()><ReadAsSelect id="read-failed-as"/></div>
                <p class="quiet">"The page still shows the previous session."</p>
            </div>
            <button type="button" class="main" hidden=!is_worker on:click=click(move || open::again(state, state.read_as.get_untracked()))>"Try again"</button>
            <button type="button" class="small" on:click=click(move || state.failed.set(None))>"Close"</button>
        </section>
    }
}

/// The progress of reading a file.
#[component]
fn Reading() -> impl IntoView {
    let state = expect_context::<State>();
    let said = |loading: &Loading| {
        if loading.size == 0.0 {
            return format!("Making the sample {}", loading.name);
        }
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

/// Announces changes elsewhere on the page to users of screen readers.
#[component]
pub(super) fn Status() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <p class="out-of-sight" role="status" id="status">{words(move || found_words(state).unwrap_or_default())}</p>
    }
}
