//! The export dialog: the session, the policy for an agent and as code, reports and pictures.

use ebbline::numbers::bytes;
use ebbline_web::agents::first_export;
use ebbline_web::error_text::UserError;
use ebbline_web::export::{ExportKind, Exported, GROUPS, Theme};
use ebbline_web::question::{Answer, Request};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::browser;
use super::live::{click, effect, field, flag, part};
use super::modal::Modal;
use super::open;
use super::panels::Dialog;
use super::state::State;

/// The code of an error after which a new worker may succeed.
const WORKER: &str = "worker";
/// How many bytes of a file are shown before it is saved.
const SHOWN: usize = 4_000;

#[component]
pub(super) fn ExportDialog() -> impl IntoView {
    view! {
        <Modal which=Dialog::Export id="export" title="Export">
            <Contents/>
        </Modal>
    }
}

#[component]
fn Contents() -> impl IntoView {
    let state = expect_context::<State>();
    state.playing.set(false);
    let format =
        state.opened.with_untracked(|opened| opened.as_ref().map(|opened| opened.about.format.clone()));
    let first = state.exported.get_value().unwrap_or_else(|| {
        state.policy.with_untracked(|policy| first_export(&format.unwrap_or_default(), &policy.profile))
    });
    let wanted = RwSignal::new(first);
    let summary = RwSignal::new(String::new());
    let free_bytes = RwSignal::new(false);
    let file = RwSignal::new(None::<Result<Exported, UserError>>);
    // Whether the shown file matches the current choices; until it does, it cannot be saved.
    let is_current = RwSignal::new(false);
    let asked = StoredValue::new(0_u32);
    let again = RwSignal::new(0_u32);
    effect(move || {
        again.track();
        // A session opened in a new worker is written again.
        state.opened.track();
        state.life.track();
        let request = Request::Export {
            wanted: wanted.get(),
            policy: Box::new(state.policy.get()),
            window: state.fitted().map(|(own, _)| own),
            force: state.force.get(),
            summary: summary.get(),
            free_bytes: free_bytes.get(),
            at: state.moment(),
            theme: if state.is_dark() { Theme::Dark } else { Theme::Light },
        };
        asked.update_value(|asked| *asked += 1);
        let this = asked.get_value();
        is_current.set(false);
        let then = move |answer| {
            let exported = match answer {
                Some(Answer::Exported(exported)) => exported,
                Some(_) => return,
                None => Err(UserError::from_page(
                    WORKER,
                    "Nothing was written: the worker that writes files has stopped.",
                )),
            };
            if asked.try_get_value() == Some(this) {
                file.try_set(Some(exported));
                is_current.try_set(true);
            }
        };
        state.ask_or(&request, Box::new(then));
    });
    let summarized = Memo::new(move |_| {
        file.with(|file| file.as_ref().and_then(|file| file.as_ref().ok()).map_or(0, |file| file.summarized))
    });
    view! {
        <div class="kinds" role="radiogroup" aria-label="What" inner_html=kinds(first) on:change=field(move |field| {
            let id = field.id();
            let all = GROUPS.iter().flat_map(|(_, kinds)| kinds.iter());
            if let Some((kind, ..)) = all.into_iter().find(|(_, name, _)| id.strip_prefix("export-") == Some(*name)) {
                wanted.set(*kind);
                state.exported.set_value(Some(*kind));
            }
        })></div>
        <div hidden=flag(move || summarized.get() == 0)>
            <label for="summary">"The summary. The playground cannot write one: paste yours, or a stub takes its place."</label>
            <textarea id="summary" rows="3" on:input=field(move |field| summary.set(field.value()))></textarea>
        </div>
        <label class="check" hidden=flag(move || wanted.get() != ExportKind::Session)>
            <input type="checkbox" id="free-bytes" on:change=field(move |field| free_bytes.set(field.checked())) />
            <span>"Also clear what the agent does not send: the file's copies of pruned outputs"</span>
        </label>
        {part(move || match file.get() {
            Some(Ok(file)) => view! { <File file is_current/> }.into_any(),
            Some(Err(problem)) => {
                let is_worker = problem.code == WORKER;
                view! {
                    <p class="warning" role="alert">{problem.sentence}</p>
                    <p hidden=!is_worker>
                        <button type="button" class="main" id="write-again" on:click=click(move || {
                            file.set(None);
                            if state.lost.with_untracked(String::is_empty) {
                                again.update(|again| *again += 1);
                            } else {
                                open::restart(state);
                            }
                        })>"Try again"</button>
                    </p>
                }
                .into_any()
            }
            // Keeps the layout stable, so that nothing moves under the pointer when the file is ready.
            None => view! { <p class="quiet waiting" role="status">"Writing the file."</p> }.into_any(),
        })}
    }
}

/// The choices by group, with one of them chosen. They never change, so they need no view, which would be several times as
/// large.
fn kinds(chosen: ExportKind) -> String {
    let mut html = String::new();
    for (title, kinds) in GROUPS {
        html += &format!(
            "<p class=\"quiet\" aria-hidden=\"true\">{title}</p><div class=\"choices\" role=\"group\" aria-label=\"{title}\">"
        );
        for (kind, id, name) in kinds {
            let checked = if *kind == chosen { " checked" } else { "" };
            html += &format!(
                "<label><input type=\"radio\" name=\"wanted\" id=\"export-{id}\"{checked}><span>{name}</span></label>"
            );
        }
        html += "</div>";
    }
    html
}

/// A file to be saved or copied, and its beginning.
#[component]
fn File(file: Exported, is_current: RwSignal<bool>) -> impl IntoView {
    let state = expect_context::<State>();
    let done = RwSignal::new("");
    let Exported { name, bytes: content, note, warning, profile, .. } = file;
    let picture_name = name.strip_suffix(".svg");
    let is_picture = picture_name.is_some();
    let (png, url, picture) = picture_name.map_or_else(Default::default, |name| {
        // The address of a picture has neither quotes nor brackets.
        let url = browser::picture_url(&browser::text_of(&content));
        let picture = format!("<img class=\"file\" alt=\"The picture as it is saved\" src=\"{url}\">");
        (format!("{name}.png"), url, picture)
    });
    let size = bytes(content.len() as u64);
    // Do not cut in the middle of a character.
    let is_first = |at: &usize| content.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    let end = (SHOWN.saturating_sub(3)..=SHOWN).rev().find(is_first).unwrap_or(SHOWN);
    let prefix = content.get(..end).unwrap_or(&content);
    let mut beginning = browser::text_of(prefix);
    if prefix.len() < content.len() {
        beginning.push_str("\n…");
    }
    let (to_save, to_copy) = ((name.clone(), content.clone()), content);
    view! {
        <p class="warning" hidden=warning.is_empty()>{warning.clone()}</p>
        <p hidden=profile.is_empty()>
            <button type="button" id="take-profile" on:click=click({
                let profile = profile.clone();
                move || state.take_profile(&profile)
            })>"Take the profile "{profile.clone()}</button>
        </p>
        <p class="note" hidden=note.is_empty()>{note.clone()}</p>
        <div inner_html=picture></div>
        <pre class="file" tabindex="0" aria-label="How the file begins" hidden=is_picture>{beginning}</pre>
        <div class="actions">
            <span class="quiet">{format!("{name} · {size}")}</span>
            <span role="status" class="quiet">{done}</span>
            <button type="button" class="" id="copy" hidden=false disabled=flag(move || !is_current.get()) on:click=click(move || {
                let text = browser::text_of(&to_copy);
                spawn_local(async move {
                    let words = if browser::copy(text).await { "Copied." } else { "The browser refused to copy it." };
                    done.try_set(words);
                });
            })>"Copy"</button>
            <button type="button" class="" id="save-png" hidden=!is_picture disabled=flag(move || !is_current.get()) on:click=click(move || {
                browser::save_png(&png, &url);
                done.set("Saved.");
            })>"Save as PNG"</button>
            <button type="button" class="main" id="save" hidden=false disabled=flag(move || !is_current.get()) on:click=click(move || {
                browser::save(&to_save.0, &to_save.1);
                done.set("Saved.");
            })>"Save file"</button>
        </div>
    }
}
