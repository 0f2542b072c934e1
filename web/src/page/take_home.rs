//! The export: the compacted session, the policy as data and as code, the plan.

use ebbline_web::desk::{Answer, Ask};
use ebbline_web::error_text::Trouble;
use ebbline_web::export::{Exported, Wanted, stub};
use ebbline_web::number::bytes;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::browser;
use super::help::Modal;
use super::state::{Dialog, State};

/// How much of a file is shown before it is saved, in characters.
const SHOWN: usize = 4_000;

const CHOICES: [(Wanted, &str, &str); 5] = [
    (Wanted::Session, "session", "Compacted session"),
    (Wanted::JavaScript, "javascript", "Policy as JavaScript"),
    (Wanted::Rust, "rust", "Policy as Rust"),
    (Wanted::Policy, "policy", "Policy as JSON"),
    (Wanted::Plan, "plan", "Plan as JSON"),
];

#[component]
pub(super) fn TakeHome() -> impl IntoView {
    view! {
        <Modal which=Dialog::Export id="export" title="Export">
            <Contents/>
        </Modal>
    }
}

#[component]
fn Contents() -> impl IntoView {
    let state = expect_context::<State>();
    let wanted = RwSignal::new(Wanted::Session);
    let summary = RwSignal::new(String::new());
    let file = RwSignal::new(None::<Result<Exported, Trouble>>);
    Effect::new(move || {
        let ask = Ask::Export {
            wanted: wanted.get(),
            policy: Box::new(state.policy.get()),
            force: state.force.get(),
            summary: summary.get(),
        };
        state.ask(&ask, move |answer| {
            if let Answer::Exported(exported) = answer {
                file.try_set(Some(exported));
            }
        });
    });
    let summarised = move || {
        state.planned.with(|planned| {
            planned.as_ref().filter(|planned| planned.head.retain.applied).map(|planned| planned.head.retain.messages)
        })
    };
    view! {
        <div class="choices" role="radiogroup" aria-label="What">
            {CHOICES
                .into_iter()
                .map(|(choice, id, name)| view! {
                    <label>
                        <input type="radio" name="wanted" id=format!("export-{id}") prop:checked=move || wanted.get() == choice on:change=move |_| wanted.set(choice)/>
                        <span>{name}</span>
                    </label>
                })
                .collect_view()}
        </div>
        <Show when=move || { wanted.get() == Wanted::Session && summarised().is_some() }>
            <label for="summary">
                "The summary. Nothing here writes one: paste yours, or "
                <code>{move || stub(summarised().unwrap_or(0))}</code>
                " stands in its place."
            </label>
            <textarea id="summary" rows="3" prop:value=summary on:input:target=move |event| summary.set(event.target().value())></textarea>
        </Show>
        {move || file.get().map(|file| match file {
            Ok(file) => view! { <File file/> }.into_any(),
            Err(trouble) => view! { <p class="warning">{trouble.sentence}</p> }.into_any(),
        })}
    }
}

/// A file to be saved or copied, and how it begins.
#[component]
fn File(file: Exported) -> impl IntoView {
    let copied = RwSignal::new("");
    let Exported { name, text, note } = file;
    let size = bytes(text.len() as u64);
    let beginning: String = text.chars().take(SHOWN).collect();
    let is_cut = beginning.len() < text.len();
    let (to_save, to_copy) = ((name.clone(), text.clone()), text);
    view! {
        {(!note.is_empty()).then(|| view! { <p class="note">{note}</p> })}
        <pre class="file" tabindex="0" aria-label="How the file begins">{beginning}{is_cut.then_some("\n…")}</pre>
        <div class="actions">
            <span class="quiet">{name}" · "{size}</span>
            <span role="status" class="quiet">{copied}</span>
            <button type="button" id="copy" on:click=move |_| {
                let text = to_copy.clone();
                spawn_local(async move {
                    let words = if browser::copy(text).await { "Copied." } else { "The browser would not copy it." };
                    copied.try_set(words);
                });
            }>"Copy"</button>
            <button type="button" class="main" id="save" on:click=move |_| browser::save(&to_save.0, &to_save.1)>"Save file"</button>
        </div>
    }
}
