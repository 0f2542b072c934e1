//! What fills the context, ranked: each row leads to its messages.

use std::sync::Arc;

use ebbline_web::fills::Fill;
use ebbline_web::number::{counted, grouped, percent};
use ebbline_web::open_session::{Answer, Request};
use leptos::prelude::*;

use super::attributes::AriaAttributes;
use super::browser;
use super::help::Modal;
use super::live::{click, part};
use super::state::{Dialog, Panel, State};

/// The titles of the groups, in their order.
const TITLES: [&str; 4] = ["By kind", "Outputs by tool", "Calls and outputs by file", "The largest messages"];

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
    let groups = RwSignal::new(Vec::<Vec<Fill>>::new());
    let policy = Box::new(state.policy.get_untracked());
    state.ask(&Request::Fills { policy, at: state.moment() }, move |answer| {
        if let Answer::Fills(found) = answer {
            groups.try_set(found);
        }
    });
    let shown = move || {
        let total = state
            .planned
            .with(|planned| planned.as_ref().map_or(0, |planned| planned.figures.total_before()));
        let groups = TITLES.into_iter().zip(groups.get());
        groups.map(|(title, fills)| group(state, title, fills, total)).collect::<Vec<_>>()
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
        <div class="fills">{part(shown)}</div>
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
