//! What stands in the place of a handle that would change nothing: why, and the knob that decides instead.

use ebbline_web::edge::Edge;
use ebbline_web::knob::Knob;
use ebbline_web::lever::Lever;
use leptos::prelude::*;

use crate::page::attributes::GlobalAttributes;
use crate::page::live::{click, flag, words};
use crate::page::state::State;

/// A sentence for each edge without a handle.
#[component]
pub(super) fn Instead() -> impl IntoView {
    let state = expect_context::<State>();
    let line = move |edge: &Edge| {
        let edge = *edge;
        let with = move |read: &dyn Fn(&Lever) -> String| {
            state.planned.with(|planned| {
                let lever = planned.as_ref().and_then(|planned| planned.said.levers.get(edge as usize));
                lever.filter(|lever| lever.knob.is_none()).map_or_else(String::new, read)
            })
        };
        let said = move || with(&|lever| lever.said.clone());
        let knob = move || with(&|lever| lever.instead.map_or("", Knob::label).to_owned());
        let show = move || {
            let label = untrack(knob);
            if let Some(knob) = Knob::ALL.into_iter().find(|knob| knob.label() == label) {
                state.show_knob(knob);
            }
        };
        view! {
            <p id=format!("instead-{}", edge.id()) hidden=flag(move || said().is_empty())>
                {words(said)}
                <span hidden=flag(move || knob().is_empty())>" "<button type="button" class="link" on:click=click(show)>{words(knob)}</button>" decides."</span>
            </p>
        }
        .into_any()
    };
    view! { <div class="instead">{Edge::ALL.iter().map(line).collect::<Vec<_>>()}</div> }
}
