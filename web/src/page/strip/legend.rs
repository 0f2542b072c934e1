//! The meaning of colors and shapes in the picture, and buttons that move its edges where handles are too small for fingers.

use ebbline::Fate;
use ebbline::numbers::{grouped, short};
use ebbline_web::figures::Figures;
use ebbline_web::kind::Kind;
use ebbline_web::knob::Knob;
use ebbline_web::lever::Edge;
use ebbline_web::verdict::{fires_at, left_free};
use leptos::prelude::*;

use crate::page::attributes::{AriaAttributes, GlobalAttributes};
use crate::page::live::{click, flag, words};
use crate::page::state::State;

/// What is in the picture.
#[component]
pub(super) fn Legend() -> impl IntoView {
    let state = expect_context::<State>();
    let figure = move |read: fn(&Figures) -> u64| {
        state.planned.with(|planned| planned.as_ref().map_or(0, |planned| read(&planned.figures)))
    };
    // By code: whether there is a segment of this kind, and one with this outcome.
    let there = Memo::new(move |_| {
        let mut there = ([false; 5], [false; 5]);
        state.planned.with(|planned| {
            let Some(segments) = planned.as_ref().map(|planned| &planned.segments) else { return };
            for (codes, seen) in [(&segments.kind, &mut there.0), (&segments.fate, &mut there.1)] {
                for code in codes {
                    if let Some(seen) = seen.get_mut(usize::from(*code)) {
                        *seen = true;
                    }
                }
            }
        });
        if let Some(summary) = there.0.get_mut(Kind::Summary as usize) {
            *summary |= figure(|figures| figures.allowance) > 0;
        }
        there
    });
    let of_kind = move |kind: &Kind| {
        let (at, class) = (*kind as usize, format!("swatch kind-{}", kind.name()));
        let gone = flag(move || there.with(|there| !there.0.get(at).copied().unwrap_or(true)));
        view! { <li hidden=gone><i class=class></i>{kind.word()}</li> }.into_any()
    };
    let of_fate = move |fate: Fate, class: &'static str, name: &'static str| {
        let gone = flag(move || there.with(|there| !there.1.get(fate as usize).copied().unwrap_or(true)));
        view! { <li hidden=gone><i class=format!("swatch {class}")></i>{name}</li> }.into_any()
    };
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
    let knob = Memo::new(move |_| {
        state.planned.with(|planned| planned.as_ref()?.said.levers.get(edge as usize)?.knob)
    });
    let nudge = move |more: bool| {
        let Some(knob) = knob.get_untracked() else { return };
        let (value, context) =
            state.policy.with_untracked(|policy| (knob.value(policy), Knob::Context.value(policy)));
        let step = if knob.is_count() { 1 } else { (context / 100).max(1) };
        let less = value.saturating_sub(step).max(u64::from(knob == Knob::Context));
        state.set_knob(knob, if more { value + step } else { less });
    };
    let label =
        move |what: &'static str| words(move || format!("{} {what}", knob.get().map_or("", Knob::label)));
    let value = move || knob.get().map_or(0, |knob| state.policy.with(|policy| knob.value(policy)));
    view! {
        <span class="nudge" hidden=flag(move || knob.get().is_none())>
            <button type="button" aria-label=label("less") on:click=click(move || nudge(false))>"−"</button>
            <span>{words(move || knob.get().map_or("", Knob::label).to_lowercase())}" "<b>{words(move || short(value()))}</b></span>
            <button type="button" aria-label=label("more") on:click=click(move || nudge(true))>"+"</button>
        </span>
    }
}
