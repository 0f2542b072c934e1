//! The selected message before and after, and the reason of its fate.

use std::sync::Arc;

use ebbline::numbers::{counted, grouped};
use ebbline_web::inspect::PARTS;
use ebbline_web::inspected::Inspected;
use ebbline_web::kind::{Kind, Shown};
use ebbline_web::readable::Block;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::live::{click, part, words};
use super::panels::Side;
use super::state::State;

/// How many links to the other ends of calls are shown.
const LINKS: usize = 6;

/// What the plan says about the selected message.
#[derive(Clone, PartialEq)]
struct Fact {
    message: u32,
    kind: Kind,
    tool: String,
    fate: Shown,
    before: u32,
    after: u32,
}

fn fact(state: State) -> Option<Fact> {
    let message = state.selected.get()?;
    let at = message as usize;
    let (kind, tool) = state.opened.with(|opened| opened.as_ref()?.kind_and_tool(at))?;
    state.planned.with(|planned| {
        let fates = &planned.as_ref()?.fates;
        Some(Fact {
            message,
            kind,
            tool,
            fate: Shown::from_code(*fates.fate.get(at)?),
            before: *fates.before.get(at)?,
            after: *fates.after.get(at)?,
        })
    })
}

#[component]
pub(super) fn Inspector() -> impl IntoView {
    let state = expect_context::<State>();
    let fact = Memo::new(move |_| fact(state));
    let tab = move |side: Side, name: &'static str, key: &'static str| {
        view! {
            <button
                type="button"
                role="tab"
                id=format!("tab-{}", name.to_ascii_lowercase())
                aria-controls="inspector-text"
                title=format!("{name} ({key})")
                tabindex=words(move || if state.side.is(side) { "0" } else { "-1" }.to_owned())
                aria-selected=words(move || state.side.is(side).to_string())
                on:click=click(move || state.side.set(Some(side)))
            >
                {name}
            </button>
        }
    };
    view! {
        <section class="inspector card" aria-labelledby="inspector-title">
            <div class="heading">
                <h2 id="inspector-title">
                    {words(move || fact.get().map_or("Inspector".to_owned(), |fact| format!("#{}", grouped(u64::from(fact.message) + 1))))}
                </h2>
                {part(move || fact.get().map(|fact| view! { <Title fact/> }))}
            </div>
            <p class="why" id="why">
                {words(move || state.inspected.with(|inspected| inspected.as_ref().map(|inspected| inspected.why.clone()).unwrap_or_default()))}
            </p>
            <div class="bar-of-tabs">
                <div role="tablist" aria-label="Show the message" on:keydown=move |event| turn_tab(state, &event)>
                    {tab(Side::Before, "Before", "1")}
                    {tab(Side::After, "After", "2")}
                    {tab(Side::Raw, "Raw", "3")}
                </div>
                {part(move || state.inspected.get().map(|inspected| view! { <Partners inspected/> }))}
            </div>
            <div id="inspector-text" class="text" role="tabpanel" tabindex="0" aria-labelledby=words(move || match state.side.get().unwrap_or(Side::Before) {
                Side::Before => "tab-before",
                Side::After => "tab-after",
                Side::Raw => "tab-raw",
            }.to_owned())>
                {part(move || {
                    let (side, fate) = (state.side.get().unwrap_or(Side::Before), fact.get().map(|fact| fact.fate));
                    state.inspected.get().map(|inspected| view! { <Text inspected side fate/> })
                })}
            </div>
        </section>
    }
}

fn turn_tab(state: State, event: &web_sys::KeyboardEvent) {
    let sides = [(Side::Before, "tab-before"), (Side::After, "tab-after"), (Side::Raw, "tab-raw")];
    let at = sides.iter().position(|(side, _)| Some(*side) == state.side.get_untracked()).unwrap_or(0);
    let to = match event.key().as_str() {
        "ArrowRight" => (at + 1) % 3,
        "ArrowLeft" => (at + 2) % 3,
        _ => return,
    };
    if let Some((side, id)) = sides.get(to) {
        event.prevent_default();
        state.side.set(Some(*side));
        super::browser::focus(id);
    }
}

/// Kind, tool, cost and fate in one line.
#[component]
fn Title(fact: Fact) -> impl IntoView {
    let cost = if !fact.fate.is_in_context() {
        String::new()
    } else if fact.before == fact.after {
        counted(u64::from(fact.before), "token")
    } else {
        format!("{} → {} tokens", grouped(u64::from(fact.before)), grouped(u64::from(fact.after)))
    };
    let is_known_by_tool = fact.kind == Kind::Tool && !fact.tool.is_empty();
    let who = if is_known_by_tool { fact.tool } else { fact.kind.word().to_owned() };
    view! {
        <span class="kind"><i class=format!("swatch kind-{}", fact.kind.name())></i>{who}</span>
        <span class="cost">{cost}</span>
        <span class="fate"><i class=format!("swatch fate-{}", fact.fate.name())></i>{fact.fate.word()}</span>
    }
}

/// Links to the messages at the other end of its calls and results.
#[component]
fn Partners(inspected: Arc<Inspected>) -> impl IntoView {
    let state = expect_context::<State>();
    let mine = inspected.message;
    let partners: Vec<u32> = inspected.partners.iter().copied().take(LINKS).collect();
    let more = inspected.partners.len() - partners.len();
    view! {
        <span class="partners">
            {partners
                .into_iter()
                .map(|partner| {
                    let words = if partner < mine { "called by" } else { "answered by" };
                    view! {
                        <button type="button" class="link" on:click=click(move || state.select(partner))>
                            {format!("{words} #{}", grouped(u64::from(partner) + 1))}
                        </button>
                    }
                })
                .collect_view()}
            <span class="quiet" hidden=more == 0>{format!("and {} more", grouped(more as u64))}</span>
        </span>
    }
}

/// The text of the chosen tab: before, after or raw.
#[component]
fn Text(inspected: Arc<Inspected>, side: Side, fate: Option<Shown>) -> impl IntoView {
    let state = expect_context::<State>();
    let left_out = if side == Side::Raw { inspected.left_out.1 } else { inspected.left_out.0 };
    let body = match side {
        Side::Before => shown(&inspected.blocks),
        Side::After if !inspected.blocks_after.is_empty() => shown(&inspected.blocks_after),
        Side::After => {
            let words = match fate {
                Some(Shown::NotSent) => "The model would not see this message: it is not sent.",
                Some(Shown::Later) => "The model would not see this message: it comes later.",
                Some(Shown::Gone) => {
                    "The model would not see this message: an earlier summary stands for it."
                }
                _ => {
                    "The model would not see this message: a summary replaces it and all others before the retention boundary."
                }
            };
            view! { <p class="quiet">{words}</p> }.into_any()
        }
        Side::Raw => {
            let (from, to) = inspected.span;
            view! {
                <p class="label">{format!("bytes {} to {} of the file", grouped(from), grouped(to))}</p>
                <pre>{inspected.raw.clone()}</pre>
            }
            .into_any()
        }
    };
    let is_parts = side != Side::Raw;
    view! {
        {body}
        {(is_parts && inspected.parts.1 > PARTS as u64).then(|| view! { <Pages parts=inspected.parts/> })}
        <p class="more" hidden=left_out == 0>
            {counted(left_out, "more character") + " not shown. "}
            <button type="button" class="link" on:click=click(move || state.whole.set(true))>"Show all"</button>
        </p>
    }
}

/// Buttons for the parts of a message that are not shown.
#[component]
fn Pages(parts: (u64, u64)) -> impl IntoView {
    let state = expect_context::<State>();
    let (first, all) = parts;
    let page = PARTS as u64;
    let end = (first + page).min(all);
    let said = format!("Parts {} to {} of {}", grouped(first + 1), grouped(end), grouped(all));
    let said = match all - end {
        0 => format!("{said}."),
        more => format!("{said}, and {}.", counted(more, "more part")),
    };
    let to = move |name: &'static str, from: u64, is_there: bool| {
        view! {
            <button type="button" class="small" disabled=!is_there on:click=click(move || state.from.set(from as u32))>{name}</button>
        }
    };
    view! {
        <div class="pages" role="group" aria-label="Parts">
            <span>{said}</span>
            {to("First", 0, first > 0)}
            {to("Earlier", first.saturating_sub(page), first > 0)}
            {to("Later", end, end < all)}
            {to("Last", all - 1, end < all)}
        </div>
    }
}

fn shown(blocks: &[Block]) -> AnyView {
    blocks
        .iter()
        .cloned()
        .map(|Block { label, text }| {
            let empty = text.is_empty();
            view! {
                <p class="label">{label}</p>
                <pre class=if empty { "quiet" } else { "" }>{if empty { "(empty)".to_owned() } else { text }}</pre>
            }
        })
        .collect_view()
        .into_any()
}
