//! The session's chip: the name of the open session and, when opened, the other sessions of this tab and what was read.

use std::sync::Arc;

use ebbline::Format;
use ebbline::numbers::{bytes, counted, grouped};
use ebbline_web::overview::Overview;
use ebbline_web::read_as::ReadAs;
use ebbline_web::sessions::{Source, handed_over};
use ebbline_web::verdict::estimate_words;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::browser;
use super::live::{click, field, flag, part, words};
use super::open;
use super::source::{Content, FileSource};
use super::state::State;

#[component]
pub(super) fn Chip() -> impl IntoView {
    let state = expect_context::<State>();
    let opened = move || state.opened.get();
    let short = move || opened().map_or_else(String::new, |opened| opened.about.short());
    // The session on screen changes when another one is opened.
    let shown = move || {
        state.opened.track();
        state.shown_source.with_value(|shown| shown.as_ref().map_or(0, |shown| shown.number))
    };
    let place = move || state.sessions.with(|sessions| sessions.place(shown()));
    let from = move || {
        state.opened.track();
        let origin = |shown: &FileSource| shown.file.origin.clone();
        let origin = state.shown_source.with_value(|shown| shown.as_ref().map(origin)).unwrap_or_default();
        if origin.is_empty() { origin } else { handed_over(&origin) }
    };
    let problems = move || opened().map_or(0, |opened| opened.about.problem_count);
    view! {
        <details class="chip menu" id="chip">
            <summary>
                <span class="name">{words(move || opened().map(|opened| opened.about.name.clone()).unwrap_or_default())}</span>
                <span class="what">{words(short)}</span>
                <span class="place" hidden=flag(move || place().is_empty())>{words(place)}</span>
                <span class="warn" hidden=flag(move || problems() == 0)>{words(move || counted(problems() as u64, "problem"))}</span>
            </summary>
            <div class="sheet">
                {part(move || menu(state, shown()))}
                <p class="quiet" hidden=flag(move || from().is_empty())>"This session was "{words(from)}"."</p>
                {part(move || opened().map(|opened| view! { <Read opened/> }))}
                <ReadAsSelect id="read-as"/>
                <p class="quiet">
                    "Tokens: "{words(move || state.policy.with(|policy| estimate_words(&policy.estimator)))}
                    ". The session stays in this tab; nothing is sent anywhere."
                </p>
            </div>
        </details>
    }
}

/// The sessions of this tab, if there is more than one.
fn menu(state: State, shown: u32) -> Option<AnyView> {
    let row = move |(number, source): &(u32, Source<Content>)| {
        let (number, is_shown) = (*number, *number == shown);
        let open = move || {
            browser::close_menus();
            open::kept(state, number);
        };
        view! {
            <li>
                <button type="button" aria-current=is_shown.then_some("true") on:click=click(open)>
                    <span class="name">{source.name.clone()}</span>
                    <span class="about">{source.about()}</span>
                </button>
            </li>
        }
        .into_any()
    };
    let rows = state.sessions.with(|sessions| match sessions.all() {
        [] | [_] => None,
        all => Some(all.iter().map(row).collect::<Vec<_>>()),
    })?;
    let list = view! {
        <h2 id="sessions-title">"Sessions in this tab"</h2>
        <ul class="offers" id="sessions" aria-labelledby="sessions-title">{rows}</ul>
    };
    Some(list.into_any())
}

/// The menu of formats, for files that detection gets wrong or cannot decide on.
#[component]
pub(super) fn ReadAsSelect(id: &'static str) -> impl IntoView {
    let state = expect_context::<State>();
    let formats = Format::ALL.iter();
    view! {
        <p class="read-as">
            <label for=id>"Read as"</label>
            <select
                id=id
                prop:value=words(move || state.read_as.get().name().to_owned())
                on:change=field(move |field| open::again(state, ReadAs::of(&field.value())))
            >
                <option value="">"detect"</option>
                {formats.map(|format| view! { <option value=format.name()>{format.title()}</option> }).collect_view()}
            </select>
        </p>
    }
}

/// What was read.
#[component]
fn Read(opened: Arc<Overview>) -> impl IntoView {
    let about = &opened.about;
    let counts = about.counts;
    let mut rows = vec![
        ("Format".to_owned(), format!("{}: {}", about.format, about.evidence)),
        ("Size".to_owned(), bytes(about.bytes)),
        ("Messages".to_owned(), grouped(counts.messages as u64)),
        ("Tool calls".to_owned(), grouped(counts.calls as u64)),
        ("Tool results".to_owned(), grouped(counts.results as u64)),
        ("Pruned before".to_owned(), grouped(counts.already_pruned as u64)),
        ("Not sent now".to_owned(), grouped(counts.inactive as u64)),
    ];
    rows.extend(about.facts.iter().cloned());
    let unanswered = counts.calls_without_result.saturating_sub(counts.paired_by_place);
    let unpaired = unanswered + counts.results_without_call;
    let said_of_pairs = format!(
        "{} without a result, {} without a call.",
        counted(unanswered as u64, "call"),
        counted(counts.results_without_call as u64, "result")
    );
    let more = about.problem_count.saturating_sub(about.problems.len());
    let said_of_more = if more > 0 {
        format!("and {} more; all stay in every export.", grouped(more as u64))
    } else {
        String::new()
    };
    let problems = about.problems.clone();
    view! {
        <dl>
            {rows.into_iter().map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> }).collect_view()}
        </dl>
        <p class="quiet" hidden=unpaired == 0>{said_of_pairs}</p>
        <h3 hidden=problems.is_empty()>"Not read"</h3>
        <ol class="problems">
            {problems.into_iter().map(|problem| view! {
                <li>{problem.place + ": " + &problem.sentence}<code>{problem.snippet}</code></li>
            }).collect_view()}
        </ol>
        <p class="quiet" hidden=more == 0>{said_of_more}</p>
    }
}
