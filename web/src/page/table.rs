//! The data table: what the two pictures show, as tables for people who do not see them or want to copy them.

use ebbline_web::kind::Shown;
use ebbline_web::life_words;
use ebbline_web::number::{counted, grouped};
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::help::Modal;
use super::live::{click, part, words};
use super::state::{Dialog, State};

/// How many rows are shown at once.
const PAGE: usize = 200;

/// A table: its caption, its columns, and its rows.
type Table = (String, [&'static str; 4], usize, Vec<[String; 4]>);

#[component]
pub(super) fn DataTable() -> impl IntoView {
    view! {
        <Modal which=Dialog::Table id="table" title="Data table">
            <Contents/>
        </Modal>
    }
}

/// The requests of the life, from `first` on.
fn of_life(state: State, first: usize) -> Option<Table> {
    state.life.with(|life| {
        let life = &life.as_ref()?.life;
        let rows = (first..life.len().min(first + PAGE)).map(|at| {
            let request = at as u32;
            let event = match (life.event_at(request), life.recorded_at(request)) {
                (Some(event), _) => life_words::event_with_sizes(event),
                (None, Some(event)) => format!("recorded: {}", life_words::event_with_sizes(event)),
                (None, None) => String::new(),
            };
            let number = |column: &[u32]| grouped(u64::from(column.get(at).copied().unwrap_or(0)));
            [grouped(at as u64 + 1), number(&life.turns), number(&life.found), event]
        });
        let caption = counted(life.len() as u64, "request") + ", each with the size of its context in tokens";
        Some((caption, ["Request", "Turn", "Context", "Compaction"], life.len(), rows.collect()))
    })
}

/// The messages at this moment, from `first` on.
fn of_messages(state: State, first: usize) -> Option<Table> {
    let opened = state.opened.get()?;
    state.planned.with(|planned| {
        let fates = &planned.as_ref()?.fates;
        let all = fates.fate.len();
        let rows = (first..all.min(first + PAGE)).filter_map(|at| {
            let shown = Shown::from_code(*fates.fate.get(at)?);
            let (kind, tool) = opened.kind_and_tool(at)?;
            let who =
                if tool.is_empty() { kind.word().to_owned() } else { format!("{}, {tool}", kind.word()) };
            let tokens = if shown.is_in_context() {
                format!(
                    "{} → {}",
                    grouped(u64::from(*fates.before.get(at)?)),
                    grouped(u64::from(*fates.after.get(at)?))
                )
            } else {
                String::new()
            };
            Some([grouped(at as u64 + 1), who, tokens, shown.word().to_owned()])
        });
        let caption = counted(all as u64, "message")
            + ", each with its tokens before and after, and its fate at this moment";
        Some((caption, ["Message", "Kind", "Tokens", "Fate"], all, rows.collect()))
    })
}

/// A row, whose first cell names it.
fn line([name, others @ ..]: [String; 4]) -> AnyView {
    let cells = others.map(|cell| view! { <td>{cell}</td> }.into_any());
    view! { <tr><th scope="row">{name}</th>{cells.into_iter().collect::<Vec<_>>()}</tr> }.into_any()
}

#[component]
fn Contents() -> impl IntoView {
    let state = expect_context::<State>();
    let by_message = RwSignal::new(false);
    let first = RwSignal::new(0_usize);
    let tab = move |name: &'static str, of_message: bool| {
        view! {
            <button
                type="button"
                class="small"
                aria-pressed=words(move || (by_message.get() == of_message).to_string())
                on:click=click(move || {
                    first.set(0);
                    by_message.set(of_message);
                })
            >{name}</button>
        }
        .into_any()
    };
    let table =
        move || if by_message.get() { of_messages(state, first.get()) } else { of_life(state, first.get()) };
    let page = move |name: &'static str, to: usize, is_there: bool| {
        view! { <button type="button" class="small" disabled=!is_there on:click=click(move || first.set(to))>{name}</button> }
            .into_any()
    };
    view! {
        <div class="steps" role="group" aria-label="Which table">{tab("By request", false)}{tab("By message", true)}</div>
        {part(move || table().map(|(caption, columns, all, rows)| {
            let at = first.get();
            let shown = rows.len();
            view! {
                <div class="table" tabindex="0" role="group" aria-label="Table">
                    <table>
                        <caption>{caption}</caption>
                        <thead><tr>{columns.map(|name| view! { <th scope="col">{name}</th> }).into_iter().collect_view()}</tr></thead>
                        <tbody>
                            {rows.into_iter().map(line).collect_view()}
                        </tbody>
                    </table>
                </div>
                <div class="pages" role="group" aria-label="Rows">
                    <span>{format!("Rows {} to {} of {}", grouped(at as u64 + 1), grouped((at + shown) as u64), grouped(all as u64))}</span>
                    {page("Earlier", at.saturating_sub(PAGE), at > 0)}
                    {page("Later", at + PAGE, at + shown < all)}
                </div>
            }
            .into_any()
        }))}
    }
}
