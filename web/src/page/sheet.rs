//! Sheets: what the worker writes, as dialogs and, for the comparison, in the page itself.

use std::sync::Arc;

use ebbline_web::question::{Answer, Request};
use ebbline_web::sheet::{Act, Ask, LETTERS, READ, Which};
use leptos::html;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::blocks::{self, Drawn};
use super::browser;
use super::browser::FILE_INPUT;
use super::latest::Latest;
use super::lesson;
use super::live::{click, effect, part, words};
use super::modal::Modal;
use super::panels::{Dialog, Panel, Side};
use super::shortcuts;
use super::state::State;

/// The sheets that are dialogs.
const DIALOGS: [Which; 7] =
    [Which::Fills, Which::Frontier, Which::Facts, Which::Summary, Which::Table, Which::Share, Which::Help];

/// The menu of closer looks.
#[component]
pub(super) fn Closer() -> impl IntoView {
    let state = expect_context::<State>();
    let sheet = move |id: &'static str, which: Which| {
        let open = click(move || {
            browser::close_menus();
            state.dialog.set(Some(Dialog::Sheet(which)));
        });
        view! { <button type="button" id=id on:click=open>{which.title()}</button> }.into_any()
    };
    view! {
        <details class="menu closer" id="closer">
            <summary>"Look closer"</summary>
            <div class="sheet">
                <button
                    type="button"
                    id="compare-switch"
                    title="Compare with the policy that ran until here (C)"
                    aria-pressed=words(move || state.comparing.get().to_string())
                    on:click=click(move || {
                        browser::close_menus();
                        state.comparing.update(|comparing| *comparing = !*comparing);
                    })
                >"Compare two policies"</button>
                {sheet("what-costs", Which::Frontier)}
                {sheet("what-fills", Which::Fills)}
                {sheet("what-is-carried", Which::Facts)}
                {sheet("what-is-asked", Which::Summary)}
                {sheet("data-table", Which::Table)}
            </div>
        </details>
    }
}

/// The rules that ran until here against those on the knobs, where they are another system's.
#[component]
pub(super) fn Versus() -> impl IntoView {
    let state = expect_context::<State>();
    let is_against = Memo::new(move |_| state.is_against());
    part(move || {
        is_against.get().then(|| {
            view! {
                <section class="versus" id="versus" aria-label=Which::Versus.title()>
                    <Contents which=Which::Versus/>
                    <p class="actions-row">
                        <button type="button" class="link" id="compare-closely" on:click=click(move || state.comparing.set(true))>"Compare closely"</button>
                        <button type="button" class="link" id="only-these" on:click=click(move || state.relive_as_shown())>{words(move || format!("Only {}", state.policy.with(|policy| policy.profile.clone())))}</button>
                    </p>
                </section>
            }
        })
    })
}

/// All sheets that are dialogs.
#[component]
pub(super) fn Sheets() -> impl IntoView {
    DIALOGS
        .map(|which| {
            view! {
                <Modal which=Dialog::Sheet(which) id=which.id() title=which.title()>
                    <Contents which/>
                </Modal>
            }
            .into_any()
        })
        .into_iter()
        .collect::<Vec<_>>()
}

/// The comparison, below the picture to which it belongs.
#[component]
pub(super) fn Compare() -> impl IntoView {
    let state = expect_context::<State>();
    let asking = Latest::new();
    effect(move || {
        let policy = Box::new(state.policy.get());
        let is_other = state.life.with(|life| life.as_ref().is_some_and(|life| life.policy != *policy));
        if !(state.comparing.get() || state.is_against()) || !is_other {
            state.other.set(None);
            return;
        }
        asking.run((state.generation.get_value(), Request::Line(policy)), move |(_, request), done| {
            state.ask(&request, move |answer| {
                let is_wanted = untrack(|| state.comparing.get() || state.is_against());
                if let (Answer::Line(line), true) = (answer, is_wanted) {
                    state.other.set(Some(Arc::new(line)));
                }
                done();
            });
        });
    });
    // It opens below the picture, which may be below the fold.
    let section = NodeRef::<html::Section>::new();
    effect(move || {
        // The lesson shows it beside what it asks for.
        if let Some(section) = section.get().filter(|_| untrack(|| state.light.with(String::is_empty))) {
            section.scroll_into_view();
        }
    });
    part(move || {
        state.comparing.get().then(|| {
            view! {
                <section node_ref=section class="compare card" aria-labelledby="compare-title">
                    <div class="heading">
                        <h2 id="compare-title">{Which::Compare.title()}</h2>
                        <span class="quiet key"><i class="solid"></i>"A"<i class="dashed"></i>"B"</span>
                        <button type="button" class="small" on:click=click(move || state.comparing.set(false))>"Close"</button>
                    </div>
                    <Contents which=Which::Compare/>
                </section>
            }
        })
    })
}

/// A sheet, written again when something changes that it is about. A block that stays the same is not built again, so that a
/// field keeps the focus.
#[component]
pub(super) fn Contents(which: Which) -> impl IntoView {
    let state = expect_context::<State>();
    let place = NodeRef::<html::Div>::new();
    // The blocks on screen, and the session that they are about.
    let drawn = StoredValue::new_local((0_u32, Vec::<Drawn>::new()));
    let asking = Latest::new();
    effect(move || {
        // What is about the whole life waits until nothing is dragged.
        let is_of_life = which == Which::Versus;
        if is_of_life && state.scale.with(Option::is_some) {
            return;
        }
        let request = if is_of_life { None } else { state.at.get() };
        let (policy, force, mut fields) = (state.policy.get(), state.force.get(), state.fields.get());
        if which == Which::Lesson
            && let (Some(Side::After), Some(message)) = (state.side.get(), state.selected.get())
        {
            fields.push((READ.to_owned(), message.to_string()));
        }
        let Some(history) = state.life.with(|life| life.as_ref().map(|life| life.policy.clone())) else {
            return;
        };
        let ask = Box::new(Ask { which, history, policy, force, request, fields });
        asking.run((state.generation.get_value(), Request::Sheet(ask)), move |(session, request), done| {
            state.ask(&request, move |answer| {
                if let (Answer::Sheet(blocks), Some(place)) = (answer, place.try_get_untracked().flatten()) {
                    drawn.try_update_value(|(of, drawn)| {
                        // A step of the lesson sets the screen again, even if it wants the same of the new session.
                        if *of != session {
                            (*of, *drawn) = (session, Vec::new());
                        }
                        blocks::draw(state, &place, blocks, drawn);
                    });
                }
                done();
            });
        });
    });
    view! { <div class="written" node_ref=place><p class="quiet" role="status">"Working it out."</p></div> }
}

/// Carries out what a click means.
pub(super) fn act(state: State, act: &Act) {
    match act {
        Act::None => {}
        Act::Lead { of, messages } => {
            state.dialog.set(None);
            state.panel.set(Some(Panel::Messages));
            state.only_kind.set(None);
            state.only_fate.set(None);
            state.query.set(String::new());
            if let Some(first) = messages.first() {
                state.select(*first);
            }
            let several = messages.len() > 1;
            state.found.set(several.then(|| Arc::new(messages.clone())));
            state.found_of.set(if several { of.clone() } else { String::new() });
            browser::focus("list");
        }
        Act::Take(policy) => state.policy.set((**policy).clone()),
        Act::Write(policy) => {
            let stays = Some((state.at.get_untracked(), state.policy.get_untracked()));
            state.live((**policy).clone(), false, stays);
        }
        Act::FromTheStart => state.relive_as_shown(),
        Act::Swap => state.swap(),
        Act::Open(which) => state.dialog.set(Some(Dialog::Sheet(*which))),
        Act::Type { id, value } => type_into(state, id, value.clone()),
        Act::Step(step) => lesson::go(state, *step),
        Act::Choose => {
            if let Some(input) = browser::element(FILE_INPUT) {
                input.click();
            }
        }
        Act::Go(page) => browser::go(page),
    }
}

/// What stands in a field.
pub(super) fn typed_into(state: State, id: &str) -> Option<String> {
    state.fields.with(|fields| fields.iter().find(|(of, _)| of == id).map(|(_, value)| value.clone()))
}

/// Changes what stands in a field.
pub(super) fn type_into(state: State, id: &str, value: String) {
    if id == LETTERS {
        shortcuts::switch_letters(value != "off");
    }
    state.fields.update(|fields| {
        fields.retain(|(of, _)| of != id);
        fields.push((id.to_owned(), value));
    });
}
