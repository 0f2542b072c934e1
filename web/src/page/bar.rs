//! The bar at the top: the name, the session, the profile, and the actions.

use ebbline_web::knob;
use ebbline_web::sheet::Which;
use leptos::html;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::browser::FILE_INPUT;
use super::chip::Chip;
use super::live::{click, field, words};
use super::panels::Dialog;
use super::state::State;
use super::theme_switch::ThemeSwitch;
use super::{address, lesson, open};

#[component]
pub(super) fn Bar() -> impl IntoView {
    let state = expect_context::<State>();
    let input = NodeRef::<html::Input>::new();
    view! {
        <header class="bar">
            <a class="skip" href="#main">"Skip to the session"</a>
            <h1 class="wordmark"><Mark/>"ebbline"</h1>
            <Chip/>
            <div class="group bring">
                <input
                    node_ref=input
                    id=FILE_INPUT
                    type="file"
                    multiple
                    class="out-of-sight"
                    tabindex="-1"
                    aria-label="Session file"
                    on:change=field(move |input| {
                        let list = input.files();
                        let files = list.iter().flat_map(|list| (0..list.length()).filter_map(|at| list.get(at)));
                        open::files(state, &files.collect::<Vec<_>>(), &[]);
                        input.set_value("");
                    })
                />
                <button type="button" title="Open a file (O)" on:click=click(move || if let Some(input) = input.get_untracked() {
                    input.click();
                })>"Open"</button>
                <button type="button" on:click=click(move || state.dialog.set(Some(Dialog::Paste)))>"Paste"</button>
                <button type="button" on:click=click(move || state.dialog.set(Some(Dialog::Samples)))>"Sample"</button>
            </div>
            <span class="gap"></span>
            <Profiles/>
            <div class="group take">
                <button type="button" id="learn" title="The lesson (L)" aria-label=words(move || lesson::invitation(state)) on:click=click(move || lesson::go(state, lesson::left_at()))>
                    "Learn"
                </button>
                <button type="button" title="Share (S)" on:click=click(move || address::share(state))>
                    "Share"
                </button>
                <button type="button" class="main" title="Export (E)" on:click=click(move || state.dialog.set(Some(Dialog::Export)))>
                    "Export"
                </button>
            </div>
            <div class="group looks">
                <ThemeSwitch/>
                <button type="button" class="icon" aria-label="Help and keys" title="Help (?)" on:click=click(move || state.dialog.set(Some(Dialog::Sheet(Which::Help))))>
                    "?"
                </button>
            </div>
        </header>
    }
}

/// The logo: a dashed wave, which has ebbed away, above the line that stays.
#[component]
fn Mark() -> impl IntoView {
    view! {
        <svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M2 15.5c3.4 0 3.4-2.6 6.7-2.6s3.3 2.6 6.6 2.6 3.3-2.6 6.7-2.6V22H2z" fill="currentColor"/>
            <path d="M2 8.6C5.4 8.6 5.4 6 8.700 6s3.300 2.600 6.600 2.600S18.600 6 22 6" fill="none" stroke="currentColor" stroke-width="1.7" stroke-dasharray="2.2 2.6" stroke-linecap="round"/>
        </svg>
    }
}

/// The menu of profiles.
#[component]
fn Profiles() -> impl IntoView {
    let state = expect_context::<State>();
    let name = Memo::new(move |_| state.policy.with(|policy| policy.profile.clone()));
    let base = move || name.get().trim_end_matches('*').to_owned();
    view! {
        <label class="profile">
            <span class="label" aria-hidden="true">"Profile"</span>
            <select
                id="profile"
                aria-label="Profile"
                prop:value=words(base)
                on:change=field(move |field| state.take_profile(&field.value()))
            >
                {ebbline::profiles::ALL
                    .iter()
                    .map(|profile| view! {
                        <option value=profile.name title=profile.about>
                            {profile.name}{knob::when(profile.about)}
                            {words(move || if name.get().strip_suffix('*') == Some(profile.name) { "*".to_owned() } else { String::new() })}
                        </option>
                    })
                    .collect_view()}
            </select>
        </label>
    }
}
