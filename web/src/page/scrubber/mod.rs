//! The life of the session: the sawtooth, and the scrubber that moves through it.

mod paint;
mod play;

use ebbline::numbers::grouped;
use ebbline_web::life_words;
use ebbline_web::sawtooth::Scale;
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlCanvasElement;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::canvas::{Room, paint_when_changed, watch_size};
use super::live::{click, field, flag, words};
use super::sheet::Closer;
use super::shown_life::ShownLife;
use super::state::State;

pub(super) use play::{to_event, to_request, to_turn, toggle};

/// The life with its controls.
#[component]
pub(super) fn LifeOfSession() -> impl IntoView {
    let state = expect_context::<State>();
    let canvas = NodeRef::<html::Canvas>::new();
    let room = RwSignal::new(Room { width: 0.0, ratio: 1.0 });
    watch_size(canvas, room);
    paint_life(state, canvas, room);
    play::follow(state);

    let of = move |read: fn(&ShownLife, Option<u32>) -> String| {
        words(move || {
            let at = state.at.get();
            state.life.with(|life| life.as_ref().map_or_else(String::new, |life| read(life, at)))
        })
    };
    let gaps = Memo::new(move |_| {
        state.life.with(|life| life.as_ref().map_or_else(String::new, |life| life.told[1].clone()))
    });
    let requests = move || state.life.with(|life| life.as_ref().map_or(0, |life| life.life.len()));
    let go = move |x: i32| {
        let to = state.life.with_untracked(|life| {
            let life = life.as_ref()?;
            Some(Scale::new(&life.life, None, room.get_untracked().width).request_at(f64::from(x)))
        });
        play::stop(state);
        state.go(to);
    };
    view! {
        <section class="life card" aria-labelledby="life-title">
            <div class="life-words">
                <h2 id="life-title">{of(|life, at| life_words::place(&life.life, at))}</h2>
                <p id="happening">{of(|life, at| life_words::happening(&life.life, at))}</p>
                <p class="quiet" id="whole-life">{of(|life, _| life.told[0].clone())}</p>
            </div>
            <div class="sawtooth">
                <canvas
                    node_ref=canvas
                    role="img"
                    aria-label=of(|life, _| life.told[2].clone())
                    on:pointerdown=move |event| if event.button() == 0 {
                        go(event.offset_x());
                    }
                    on:pointermove=move |event| if event.buttons() == 1 {
                        go(event.offset_x());
                    }
                ></canvas>
            </div>
            <input
                type="range"
                id="scrubber"
                min="0"
                step="1"
                aria-label="Moment of the session"
                max=words(move || requests().to_string())
                prop:max=words(move || requests().to_string())
                prop:value=words(move || state.at.get().map_or_else(|| requests().to_string(), |at| at.to_string()))
                aria-valuetext=of(|life, at| life_words::spoken(&life.life, at))
                on:input=field(move |field| {
                    play::stop(state);
                    state.go(Some(field.value_as_number() as u32));
                })
            />
            <Steps/>
            <p class="pinned quiet" id="gaps" hidden=flag(move || gaps.get().is_empty())>{words(move || gaps.get())}</p>
            <p class="pinned" id="pinned" hidden=flag(move || !is_other(state) || state.is_against())>
                "Up to this request, the session is compacted by "<b>{of(|life, _| life.name().to_owned())}</b>
                " with its earlier settings. Your changes apply to this one request. "
                <button type="button" class="link" id="from-the-start" on:click=click(move || state.relive_as_shown())>"Apply them to the whole session"</button>
            </p>
        </section>
    }
}

/// Buttons that move through the life, and why it opened where it did.
#[component]
fn Steps() -> impl IntoView {
    let state = expect_context::<State>();
    let of = move |read: fn(&ShownLife) -> String| {
        words(move || state.life.with(|life| life.as_ref().map_or_else(String::new, |life| read(life))))
    };
    let step = move |label: &'static str, title: &'static str, text: &'static str, act: fn(State)| {
        view! {
            <button type="button" class="small" aria-label=label title=title on:click=click(move || act(state))>{text}</button>
        }
        .into_any()
    };
    view! {
        <div class="steps" role="group" aria-label="Move through the session">
            {step("Previous compaction", "Previous compaction ([)", "◂ compaction", |state| to_event(state, false))}
            {step("Previous turn", "Previous turn of the user (Shift ←)", "◂ turn", |state| to_turn(state, false))}
            <button
                type="button"
                class="small main"
                id="play"
                title="Play to the next compaction (Space)"
                aria-pressed=words(move || state.playing.get().to_string())
                on:click=click(move || toggle(state))
            >
                {words(move || if state.playing.get() { "Pause" } else { "Play" }.to_owned())}
            </button>
            {step("Next turn", "Next turn of the user (Shift →)", "turn ▸", |state| to_turn(state, true))}
            {step("Next compaction", "Next compaction (])", "next compaction ▸", |state| to_event(state, true))}
            {step("Whole session", "The session as its file holds it", "whole session", |state| {
                play::stop(state);
                state.go(None);
            })}
            <p class="opening" id="opening" role="status">
                {of(|life| life.opening.clone())}
                " "
                <button
                    type="button"
                    class="link"
                    id="unfit"
                    hidden=flag(move || state.life.with(|life| life.as_ref().is_none_or(|life| life.fitted.is_none())))
                    on:click=click(move || state.relive(false))
                >
                    {of(|life| life.fitted.map_or_else(String::new, |(from, _)| format!("Back to {}", grouped(from))))}
                </button>
                <button
                    type="button"
                    class="link"
                    id="fit"
                    hidden=flag(move || state.life.with(|life| life.as_ref().is_none_or(|life| life.smaller.is_none())))
                    on:click=click(move || state.fit())
                >
                    {of(|life| life.smaller.map_or_else(String::new, |to| format!("In a smaller window: {}", grouped(to))))}
                </button>
            </p>
            <Closer/>
        </div>
    }
}

/// Whether the knobs differ from the policy that wrote the history.
fn is_other(state: State) -> bool {
    state
        .policy
        .with(|policy| state.life.with(|life| life.as_ref().is_some_and(|life| life.policy != *policy)))
}

/// Paints the sawtooth when something that it shows has changed.
fn paint_life(state: State, canvas: NodeRef<html::Canvas>, room: RwSignal<Room>) {
    let painter = paint::Painter::default();
    let track = move || {
        state.life.track();
        state.at.track();
        state.other.track();
        state.colors.track();
        room.track();
    };
    let paint = move |canvas: &HtmlCanvasElement| {
        let Some(life) = state.life.get_untracked() else { return };
        let (at, colors) = (state.at.get_untracked(), state.colors.get_untracked());
        let other = state.other.get_untracked();
        painter.paint(canvas, room.get_untracked(), (&life.life, other.as_deref()), (at, colors));
    };
    paint_when_changed(track, paint, canvas);
}
