//! What fills the context, ranked: each row leads to its messages.

use std::sync::Arc;

use ebbline_web::fills::{Files, Fill, by_file, by_kind, by_message, by_tool};
use ebbline_web::number::{counted, grouped, percent};
use ebbline_web::open_session::{Answer, Request};
use leptos::prelude::*;

use super::attributes::AriaAttributes;
use super::browser;
use super::help::Modal;
use super::live::{click, part};
use super::state::{Dialog, Panel, State};

#[component]
pub(super) fn Fills() -> impl IntoView {
    view! {
        <Modal which=Dialog::Fills id="fills" title="What fills the context">
            <Contents/>
        </Modal>
    }
}

#[component]
fn Contents() -> impl IntoView {
    let state = expect_context::<State>();
    let files = RwSignal::new(Files::default());
    state.ask(&Request::Files, move |answer| {
        if let Answer::Files(found) = answer {
            files.try_set(found);
        }
    });
    let groups = move || {
        let (planned, opened) = (state.planned.get()?, state.opened.get()?);
        let total = planned.figures.total_before();
        let groups = [
            ("By kind", by_kind(&planned)),
            ("Outputs by tool", by_tool(&planned, &opened)),
            ("Calls and outputs by file", files.with(|files| by_file(&planned, files))),
            ("The largest messages", by_message(&planned, &opened)),
        ];
        Some(groups.map(|(title, fills)| group(state, title, fills, total)).into_iter().collect::<Vec<_>>())
    };
    let total = move || {
        state.planned.with(|planned| {
            planned.as_ref().map(|planned| {
                let figures = &planned.figures;
                let beside = match figures.not_in_file() {
                    0 => String::new(),
                    beside => format!(", about {} of them beside the messages", grouped(beside)),
                };
                format!(
                    "{} at this moment{beside}. A row leads to its messages.",
                    counted(figures.total_before(), "token")
                )
            })
        })
    };
    view! {
        <p class="quiet">{part(total)}</p>
        <div class="fills">{part(groups)}</div>
    }
}

/// A group of rows; nothing if it is empty.
fn group(state: State, title: &'static str, fills: Vec<Fill>, total: u64) -> AnyView {
    if fills.is_empty() {
        return ().into_any();
    }
    let rows = fills.into_iter().map(|fill| row(state, fill, total)).collect::<Vec<_>>();
    view! { <section><h3>{title}</h3><ol>{rows}</ol></section> }.into_any()
}

fn row(state: State, fill: Fill, total: u64) -> AnyView {
    let Fill { name, tokens, messages } = fill;
    let share = percent(tokens, total);
    let width = format!("{}%", (tokens * 100 / total.max(1)).min(100));
    let said = format!("{}, {share}", grouped(tokens));
    let about = format!(
        "{name}: {}, {share}, in {}",
        counted(tokens, "token"),
        counted(messages.len() as u64, "message")
    );
    let of = name.clone();
    let lead = move || {
        state.dialog.set(None);
        state.panel.set(Panel::Messages);
        state.only_kind.set(None);
        state.only_fate.set(None);
        state.query.set(String::new());
        if let Some(first) = messages.first() {
            state.select(*first);
        }
        state.found.set((messages.len() > 1).then(|| Arc::new(messages.clone())));
        state.found_of.set(if messages.len() > 1 { of.clone() } else { String::new() });
        browser::focus("list");
    };
    view! {
        <li>
            <button type="button" aria-label=about on:click=click(lead)>
                <span class="name">{name}</span>
                <span class="share" aria-hidden="true"><i style:width=width></i></span>
                <span class="tokens">{said}</span>
            </button>
        </li>
    }
    .into_any()
}
