//! The verdict, in large type above everything. It is announced once it has not changed for a moment.

use ebbline::plan::Source;
use ebbline_web::verdict::{Piece, Said, plain};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::live::{effect, flag, part, words};
use super::state::State;

/// How long the verdict must not change before it is announced, in milliseconds.
const STILL: u32 = 400;

#[component]
pub(super) fn VerdictLine() -> impl IntoView {
    let state = expect_context::<State>();
    let said = Memo::new(move |_| state.planned.with(|shown| shown.as_ref().map(|shown| shown.said.clone())));
    let announced = RwSignal::new(String::new());
    let timer = StoredValue::new_local(None::<Timeout>);
    effect(move || {
        let text = said.with(|said| {
            said.as_ref().map(|said| format!("{} {}", plain(&said.headline), plain(&said.details)))
        });
        if let Some(text) = text {
            let announce = Timeout::new(STILL, move || {
                announced.try_set(text);
            });
            timer.set_value(Some(announce));
        }
    });
    let sentence = move |which: fn(&Said) -> &Vec<Piece>| {
        part(move || said.with(|said| said.as_ref().map(|said| set(which(said)))))
    };
    let estimates = move || {
        let source =
            state.planned.with(|planned| planned.as_ref().map(|planned| planned.figures.trigger.source));
        match source {
            Some(Source::Reported) => "All other figures are estimates.".to_owned(),
            _ => "All figures are estimates.".to_owned(),
        }
    };
    view! {
        <section class="verdict" aria-label="Verdict">
            <p class="headline" id="verdict">{sentence(|said| &said.headline)}</p>
            <p class="grounds">
                {sentence(|said| &said.details)}" "
                <span class="estimate" title="The session's own text is measured; no tokenizer is used.">{words(estimates)}</span>
            </p>
            <p class="warning" class:alarm=flag(move || state.planned.with(|planned| planned.as_ref().is_some_and(|planned| !planned.figures.fits()))) hidden=flag(move || said.with(|said| said.as_ref().is_none_or(|said| said.warning.is_empty())))>
                {words(move || said.with(|said| said.as_ref().map(|said| said.warning.clone()).unwrap_or_default()))}
            </p>
            <p class="out-of-sight" role="status" aria-live="polite" id="announced">{words(move || announced.get())}</p>
        </section>
    }
}

fn set(pieces: &[Piece]) -> Vec<AnyView> {
    pieces
        .iter()
        .cloned()
        .map(
            |Piece { text, strong }| {
                if strong { view! { <strong>{text}</strong> }.into_any() } else { text.into_any() }
            },
        )
        .collect()
}
