//! What went wrong, what is under way, and the panel that is left when the program itself fails.

use ebbline_web::number::{bytes, percent};
use leptos::prelude::*;

use super::browser;
use super::list::found_words;
use super::open;
use super::state::State;

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
    view! {
        {move || state.failed.get().map(|failed| view! {
            <section class="notice failed" role="alert" id="failed" aria-label="Not opened">
                <div>
                    <h2>{failed.name}" was not opened"</h2>
                    <p>{failed.trouble.sentence}</p>
                    {(!failed.trouble.place.is_empty()).then(|| view! {
                        <p class="place">{failed.trouble.place}</p>
                        <pre>{failed.trouble.snippet}</pre>
                    })}
                    <p class="quiet">"The session below is still the one before."</p>
                </div>
                <button type="button" class="small" on:click=move |_| state.failed.set(None)>"Close"</button>
            </section>
        })}
        <Show when=move || state.loading.with(Option::is_some)>
            <section class="notice loading" aria-label="Reading" id="loading">
                <div>
                    <p>
                        "Reading "
                        <b>{move || state.loading.with(|loading| loading.as_ref().map(|loading| loading.name.clone()))}</b>
                        {move || state.loading.with(|loading| loading.as_ref().map(|loading| {
                            if loading.read >= loading.size {
                                format!(": {}, all read; finding the messages", bytes(loading.size as u64))
                            } else {
                                format!(": {} of {}", percent(loading.read as u64, loading.size as u64), bytes(loading.size as u64))
                            }
                        }))}
                    </p>
                    <progress
                        aria-label="Read so far"
                        max=move || state.loading.with(|loading| loading.as_ref().map_or(1.0, |loading| loading.size).to_string())
                        value=move || state.loading.with(|loading| loading.as_ref().map_or(0.0, |loading| loading.read).to_string())
                    ></progress>
                </div>
                <button type="button" class="small" on:click=move |_| open::cancel(state)>"Cancel"</button>
            </section>
        </Show>
    }
}

/// Says what has changed elsewhere, to those who do not see it.
#[component]
pub(super) fn Status() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <p class="out-of-sight" role="status" id="status">{move || found_words(state)}</p>
    }
}
