//! What stands in the place of a handle that would change nothing: why, and the knob that decides instead.

use ebbline_web::lever::{Edge, Lever};
use leptos::prelude::*;

use crate::page::attributes::GlobalAttributes;
use crate::page::live::{click, part};
use crate::page::state::State;

/// A sentence for each edge without a handle.
#[component]
pub(super) fn Instead() -> impl IntoView {
    let state = expect_context::<State>();
    let without = Memo::new(move |_| {
        state.planned.with(|planned| {
            let levers = planned.as_ref().map(|planned| planned.said.levers.clone()).unwrap_or_default();
            let both = Edge::ALL.into_iter().zip(levers);
            both.filter(|(_, lever)| lever.knob.is_none() && !lever.said.is_empty()).collect::<Vec<_>>()
        })
    });
    let line = move |(edge, lever): &(Edge, Lever)| {
        let link = lever.instead.map(|knob| {
            let show = click(move || state.show_knob(knob));
            view! { " "<button type="button" class="link" on:click=show>{knob.label()}</button>" decides." }
        });
        view! { <p id=format!("instead-{}", edge.id())>{lever.said.clone()}{link}</p> }.into_any()
    };
    part(move || {
        let lines = without.with(|without| without.iter().map(line).collect::<Vec<_>>());
        view! { <div class="instead">{lines}</div> }
    })
}
