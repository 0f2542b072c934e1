//! The meaning of colors and shapes in the picture, and buttons that move its edges where handles are too small for fingers.

use ebbline::Fate;
use ebbline::numbers::{grouped, short};
use ebbline_web::edge::Edge;
use ebbline_web::figures::Figures;
use ebbline_web::kind::Kind;
use ebbline_web::knob::Knob;
use ebbline_web::verdict::{fires_at, left_free};
use leptos::prelude::*;

use crate::page::attributes::{AriaAttributes, GlobalAttributes};
use crate::page::live::{click, flag, words};
use crate::page::state::{ShownPlan, State};

/// What is in the picture.
#[component]
pub(super) fn Legend() -> impl IntoView {
    let state = expect_context::<State>();
    let figure = move |read: fn(&Figures) -> u64| {
        state.planned.with(|planned| planned.as_ref().map_or(0, |planned| read(&planned.figures)))
    };
    // A bit for each kind, and behind them one for each outcome.
    let there = Memo::new(move |_| {
        state.planned.with(|planned| {
            planned.as_ref().map_or(0, |planned| {
                let segments = &planned.segments;
                let kinds = segments.kind.iter().fold(0, |seen, code| seen | 1_u64 << (code & 15));
                let fates = segments.fate.iter().fold(0, |seen, code| seen | 1_u64 << (16 + (code & 15)));
                let summary = u64::from(planned.figures.allowance > 0) << Kind::Summary as u8;
                kinds | fates | summary
            })
        })
    });
    let sign = move |bit: u8, class: String, name: &'static str| {
        let gone = flag(move || there.get() >> bit & 1 == 0);
        view! { <li hidden=gone><i class=class></i>{name}</li> }.into_any()
    };
    let of_kind = |kind: &Kind| sign(*kind as u8, format!("swatch kind-{}", kind.name()), kind.word());
    let of_fate =
        |fate: Fate, class: &str, name: &'static str| sign(16 + fate as u8, format!("swatch {class}"), name);
    let has = move |read: fn(&Figures) -> u64| flag(move || figure(read) == 0);
    view! {
        <div class="nudges">
            <Nudge edge=Edge::Prune/>
            <Nudge edge=Edge::Keep/>
            <Nudge edge=Edge::Limit/>
        </div>
        <ul class="legend" aria-label="Legend">
            {Kind::ALL.iter().map(of_kind).collect::<Vec<_>>()}
            {of_fate(Fate::Kept, "fate-kept", "kept")}
            {of_fate(Fate::Pruned, "fate-pruned", "pruned to a placeholder")}
            {of_fate(Fate::Summarized, "fate-summarized", "summarized")}
            <li hidden=has(|figures| figures.trigger.threshold)><i class="swatch mark-fires"></i>{words(move || state.policy.with(fires_at).to_owned())}{words(move || grouped(figure(|figures| figures.trigger.threshold)))}</li>
            <li hidden=has(left_free)><i class="swatch mark-reserve"></i>"kept for the answer "{words(move || grouped(figure(left_free)))}</li>
            <li id="besides" hidden=has(Figures::not_in_file)>
                <i class="swatch kind-system fate-inactive"></i>"system prompt and tools, about "{words(move || grouped(figure(Figures::not_in_file)))}
            </li>
        </ul>
    }
}

/// Buttons that move an edge by 1 % of the window.
#[component]
fn Nudge(edge: Edge) -> impl IntoView {
    let state = expect_context::<State>();
    let code = Memo::new(move |_| {
        let lever = |planned: &ShownPlan| planned.said.levers.get(edge as usize)?.knob;
        state.planned.with(|planned| lever(planned.as_ref()?)).map(|knob| knob as u32)
    });
    let of = move || code.get().map(Knob::from_code);
    let nudge = move |more: bool| {
        let Some(knob) = untrack(of) else { return };
        let (value, context) =
            state.policy.with_untracked(|policy| (knob.value(policy), Knob::Context.value(policy)));
        let step = if knob.is_count() { 1 } else { (context / 100).max(1) };
        let less = value.saturating_sub(step).max(u64::from(knob == Knob::Context));
        state.set_knob(knob, if more { value + step } else { less });
    };
    let label = move |what: &'static str| words(move || format!("{} {what}", of().map_or("", Knob::label)));
    let value = move || of().map_or(0, |knob| state.policy.with(|policy| knob.value(policy)));
    view! {
        <span class="nudge" hidden=flag(move || code.get().is_none())>
            <button type="button" aria-label=label("less") on:click=click(move || nudge(false))>"−"</button>
            <span>{words(move || of().map_or("", Knob::label).to_ascii_lowercase())}" "<b>{words(move || short(value()))}</b></span>
            <button type="button" aria-label=label("more") on:click=click(move || nudge(true))>"+"</button>
        </span>
    }
}
