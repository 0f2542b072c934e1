//! The menu of samples.

use ebbline_web::sample::{ALL, Sample};
use leptos::prelude::*;

use super::live::click;
use super::modal::Modal;
use super::open;
use super::panels::Dialog;
use super::state::State;

#[component]
pub(super) fn Samples() -> impl IntoView {
    let state = expect_context::<State>();
    let row = move |sample: &'static Sample| {
        let open = move || {
            state.dialog.set(None);
            open::sample(state, sample);
        };
        view! {
            <li>
                <button type="button" on:click=click(open)>
                    <span class="name">{sample.title}</span>
                    <span class="about">{sample.about}</span>
                </button>
            </li>
        }
        .into_any()
    };
    view! {
        <Modal which=Dialog::Samples id="samples" title="Sample sessions">
            <ul class="offers">{ALL.iter().map(row).collect::<Vec<_>>()}</ul>
            <p class="quiet">"They were written for this page and are nobody's recordings."</p>
        </Modal>
    }
}
