//! Pasting a session. A visible field with a large text makes every frame slow, so the text becomes a file in memory,
//! and the field shows only its beginning.

use std::sync::Arc;

use ebbline::numbers::bytes;
use ebbline_web::read_as;
use leptos::prelude::*;
use web_sys::ClipboardEvent;

use super::attributes::GlobalAttributes;
use super::live::{click, field, flag, words};
use super::modal::Modal;
use super::open;
use super::panels::Dialog;
use super::state::State;

/// How many characters of a pasted text are shown.
const SHOWN: usize = 2_048;

#[component]
pub(super) fn Paste() -> impl IntoView {
    let state = expect_context::<State>();
    // The large text; the field shows only its beginning.
    let large = RwSignal::new(None::<Arc<str>>);
    let typed = RwSignal::new(String::new());
    let paste = move |event: ClipboardEvent| {
        let Some(data) = event.clipboard_data() else { return };
        let text = data.get_data("text/plain").unwrap_or_default();
        if text.is_empty() {
            event.prevent_default();
            state.dialog.set(None);
            open::dropped(state, Some(data));
        } else if text.len() > SHOWN {
            event.prevent_default();
            typed.set(text.chars().take(SHOWN).collect());
            large.set(Some(text.into()));
        }
    };
    let size = move || large.with(|large| large.as_ref().map(|text| text.len() as u64));
    let read = move || {
        let text = large.get_untracked().map_or_else(|| typed.get_untracked(), |text| text.to_string());
        large.set(None);
        typed.set(String::new());
        state.dialog.set(None);
        open::text(state, &text);
    };
    view! {
        <Modal which=Dialog::Paste id="paste" title="Paste a session">
            <label for="pasted">"JSON or JSON Lines of one of these: "{read_as::formats()}"."</label>
            <textarea
                id="pasted"
                rows="12"
                spellcheck="false"
                autofocus
                prop:value=words(move || typed.get())
                on:paste=paste
                on:input=field(move |field| {
                    large.set(None);
                    typed.set(field.value());
                })
            ></textarea>
            <p class="quiet" role="status">
                {words(move || size().map_or_else(String::new, |size| format!("{} pasted; only the beginning is shown.", bytes(size))))}
            </p>
            <div class="actions">
                <button type="button" class="main" disabled=flag(move || typed.with(String::is_empty)) on:click=click(read)>
                    "Read it"
                </button>
            </div>
        </Modal>
    }
}
