//! Moving through the life: by request, by turn, by event, and by itself until something happens.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use crate::page::browser;
use crate::page::live::effect;
use crate::page::state::State;

/// How long playing a whole life takes at most, in milliseconds, and the shortest and the longest step.
const WHOLE: u32 = 12_000;
const STEP: (u32, u32) = (30, 250);
/// The step for people who want no motion: two a second.
const STILL: u32 = 500;

/// Stops playing.
pub(super) fn stop(state: State) {
    if state.playing.get_untracked() {
        state.playing.set(false);
    }
}

/// Plays, or stops playing. At the end it begins anew.
pub(in crate::page) fn toggle(state: State) {
    let is_playing = state.playing.get_untracked();
    if !is_playing && state.at.get_untracked().is_none() {
        state.go(Some(0));
    }
    state.playing.set(!is_playing);
}

fn with_life<T>(state: State, read: impl FnOnce(&ebbline_web::life::Life) -> T) -> Option<T> {
    state.life.with_untracked(|life| life.as_ref().map(|life| read(&life.life)))
}

fn place(state: State) -> u32 {
    let end = with_life(state, |life| life.len() as u32).unwrap_or(0);
    state.at.get_untracked().unwrap_or(end)
}

/// Goes to the next or the previous event.
pub(in crate::page) fn to_event(state: State, forward: bool) {
    stop(state);
    let from = place(state);
    if let Some(to) = with_life(state, |life| life.next_event(from, forward)).flatten() {
        state.go(Some(to));
    }
}

/// Goes to the first request of the next turn, or of this one, or of the one before.
pub(in crate::page) fn to_turn(state: State, forward: bool) {
    stop(state);
    let from = place(state);
    if let Some(to) = with_life(state, |life| life.next_turn(from, forward)) {
        state.go(Some(to));
    }
}

/// Goes to the next or the previous request; behind the last one is the end of the file.
pub(in crate::page) fn to_request(state: State, forward: bool) {
    stop(state);
    let from = place(state);
    state.go(Some(if forward { from + 1 } else { from.saturating_sub(1) }));
}

/// Takes a step as long as it plays. It stops at the first event, and at the end.
pub(super) fn follow(state: State) {
    let timer = StoredValue::new_local(None::<Timeout>);
    effect(move || {
        let (is_playing, at) = (state.playing.get(), state.at.get());
        if !is_playing {
            timer.set_value(None);
            return;
        }
        let Some(at) = at else {
            state.playing.set(false);
            return;
        };
        let requests = with_life(state, |life| life.len() as u32).unwrap_or(0);
        let step = if browser::wants_no_motion() {
            STILL
        } else {
            (WHOLE / requests.max(1)).max(STEP.0).min(STEP.1)
        };
        let next = Timeout::new(step, move || {
            if state.playing.try_get_untracked() != Some(true) {
                return;
            }
            // A life with more requests than there are steps in the time is played several at once.
            let stride = (requests / (WHOLE / STEP.0)).max(1);
            let event = with_life(state, |life| life.next_event(at, true)).flatten();
            let to = event.map_or(at + stride, |event| event.min(at + stride));
            if event == Some(to) || to >= requests {
                state.playing.set(false);
            }
            state.go(Some(to));
        });
        timer.set_value(Some(next));
    });
}
