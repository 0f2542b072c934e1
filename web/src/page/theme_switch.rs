//! The switch of the theme, and what follows from it.

use leptos::prelude::*;

use super::browser;
use super::live::{click, words};
use super::state::State;
use super::theme::{STORAGE_KEY, Theme};

/// Sets the theme and keeps it.
pub(super) fn choose(state: State, theme: Theme) {
    browser::store(STORAGE_KEY, theme.name());
    if let Some(root) = browser::document().and_then(|document| document.document_element()) {
        let _never = root.set_attribute("data-theme", theme.name());
    }
    state.theme.set(Some(theme));
    state.colors.update(|count| *count += 1);
}

impl State {
    /// Whether the page is dark.
    pub(super) fn is_dark(self) -> bool {
        match self.theme.get_untracked().unwrap_or(Theme::System) {
            Theme::System => browser::matches_media("(prefers-color-scheme: dark)"),
            theme => theme == Theme::Dark,
        }
    }
}

pub(super) fn next(state: State) {
    choose(state, state.theme.get_untracked().unwrap_or(Theme::System).next());
}

/// Repaints when the system changes its colors.
pub(super) fn follow_system(state: State) {
    use wasm_bindgen::prelude::*;
    for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"] {
        let list = browser::window().and_then(|window| window.match_media(query).ok().flatten());
        let Some(list) = list else { continue };
        let changed = Closure::<dyn FnMut()>::new(move || {
            state.colors.try_update(|count| *count += 1);
        });
        list.set_onchange(Some(changed.as_ref().unchecked_ref()));
        changed.forget();
        // The browser keeps the listener only as long as this object exists.
        std::mem::forget(list);
    }
}

fn name(state: State) -> &'static str {
    state.theme.get().unwrap_or(Theme::System).name()
}

/// The switch of the theme: one button for three states, which names the current one.
#[component]
pub(super) fn ThemeSwitch() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <button
            type="button"
            class="icon"
            title="Theme (T)"
            aria-label=words(move || format!("Theme: {}", name(state)))
            on:click=click(move || next(state))
        >
            <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
                <circle cx="10" cy="10" r="6.5" fill="none" stroke="currentColor" stroke-width="1.6"/>
                <path d=words(move || match state.theme.get().unwrap_or(Theme::System) {
                    Theme::System => "M10 3.5a6.5 6.5 0 0 1 0 13z",
                    Theme::Light => "M10 8a2 2 0 0 1 0 4a2 2 0 0 1 0-4z",
                    Theme::Dark => "M10 3.5a6.5 6.5 0 0 1 0 13a6.5 6.5 0 0 1 0-13z",
                }.to_owned()) fill="currentColor"/>
            </svg>
            <span class="wide">{words(move || name(state).to_owned())}</span>
        </button>
    }
}
