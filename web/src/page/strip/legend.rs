//! The meaning of colors and shapes, and buttons that move the boundaries where handles are too small for fingers.

use ebbline::numbers::grouped;
use ebbline_web::figures::Figures;
use ebbline_web::kind::Kind;
use ebbline_web::knob::Knob;
use ebbline_web::verdict::{fires_at, left_free};
use leptos::prelude::*;

use crate::page::attributes::{AriaAttributes, GlobalAttributes};
use crate::page::live::{click, flag, words};
use crate::page::state::State;

#[component]
pub(super) fn Legend() -> impl IntoView {
    let state = expect_context::<State>();
    let fires = move || {
        state.planned.with(|planned| planned.as_ref().map_or(0, |planned| planned.figures.trigger.threshold))
    };
    let figure = move |read: fn(&Figures) -> u64| {
        state.planned.with(|planned| planned.as_ref().map_or(0, |planned| read(&planned.figures)))
    };
    view! {
        <div class="nudges">
            <Nudge knob=Knob::Protect/>
            <Nudge knob=Knob::Keep/>
        </div>
        <ul class="legend" aria-label="Legend">
            {Kind::ALL
                .iter()
                .map(|kind| view! { <li><i class=format!("swatch kind-{}", kind.name())></i>{kind.word()}</li> })
                .collect_view()}
            <li class="apart"><i class="swatch fate-kept"></i>"kept"</li>
            <li><i class="swatch fate-pruned"></i>"pruned to a placeholder"</li>
            <li><i class="swatch fate-summarized"></i>"summarized"</li>
            <li class="apart"><i class="swatch mark-fires"></i>{words(move || state.policy.with(fires_at).to_owned())}{words(move || grouped(fires()))}</li>
            <li><i class="swatch mark-reserve"></i>"left free "{words(move || grouped(figure(left_free)))}</li>
            <li id="besides" hidden=flag(move || figure(Figures::not_in_file) == 0)>
                <i class="swatch kind-system fate-inactive"></i>"not in the file, about "{words(move || grouped(figure(Figures::not_in_file)))}
            </li>
        </ul>
    }
}

#[component]
fn Nudge(knob: Knob) -> impl IntoView {
    let state = expect_context::<State>();
    let nudge = move |more: bool| {
        let (value, context) =
            state.policy.with_untracked(|policy| (knob.value(policy), Knob::Context.value(policy)));
        let step = (context / 100).max(1);
        state.set_knob(knob, if more { value + step } else { value.saturating_sub(step) });
    };
    view! {
        <span class="nudge">
            <button type="button" aria-label=format!("{} less", knob.label()) on:click=click(move || nudge(false))>"−"</button>
            <span>{knob.id()}" "<b>{words(move || state.policy.with(|policy| grouped(knob.value(policy))))}</b></span>
            <button type="button" aria-label=format!("{} more", knob.label()) on:click=click(move || nudge(true))>"+"</button>
        </span>
    }
}
