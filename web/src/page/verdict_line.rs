//! The verdict, in large type above everything. It is announced once it has not changed for a moment.

use ebbline::plan::Source;
use ebbline_web::verdict::{Piece, details, headline, plain, warning};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::live::{effect, flag, part, words};
use super::state::State;

/// How long the verdict must not change before it is announced, in milliseconds.
const STILL: u32 = 400;

/// The headline, the details and the warning.
type Said = (Vec<Piece>, Vec<Piece>, Option<String>);

#[component]
pub(super) fn VerdictLine() -> impl IntoView {
    let state = expect_context::<State>();
    let said = Memo::new(move |_| {
        state.planned.with(|shown| {
            let shown = shown.as_ref()?;
            let (figures, policy) = (&shown.figures, &shown.policy);
            Some((headline(figures, policy), details(figures, policy), warning(figures, policy)))
        })
    });
    let announced = RwSignal::new(String::new());
    let timer = StoredValue::new_local(None::<Timeout>);
    effect(move || {
        let text = said.with(|said| {
            said.as_ref().map(|(headline, details, _)| format!("{} {}", plain(headline), plain(details)))
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
            <p class="headline" id="verdict">{sentence(|said| &said.0)}</p>
            <p class="grounds">
                {sentence(|said| &said.1)}" "
                <span class="estimate" title="The session's own text is measured; no tokenizer is used.">{words(estimates)}</span>
            </p>
            <p class="warning" hidden=flag(move || said.with(|said| said.as_ref().is_none_or(|said| said.2.is_none())))>
                {words(move || said.with(|said| said.as_ref().and_then(|said| said.2.clone()).unwrap_or_default()))}
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
