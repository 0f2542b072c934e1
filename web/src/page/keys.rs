//! Keyboard shortcuts of the whole page. Single letters work only outside text fields and can be switched off.

use ebbline_web::sheet::Which;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::browser::FILE_INPUT;
use super::panels::{Dialog, Side};
use super::shortcuts::letters_are_on;
use super::state::State;
use super::{address, browser, lesson, list, scrubber, theme_switch};

/// Listens on the whole window.
pub(super) fn listen(state: State) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| press(state, &event));
    on_cleanup(move || listener.remove());
}

fn press(state: State, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return;
    }
    if event.key() == "Escape" {
        let in_dialog = browser::document()
            .is_some_and(|page| matches!(page.query_selector("dialog[open]"), Ok(Some(_))));
        if !browser::close_menus() && !in_dialog {
            state.comparing.set(false);
        }
        return;
    }
    let is_typing =
        event.target().and_then(|target| target.dyn_into::<Element>().ok()).is_some_and(|target| {
            let name = target.tag_name();
            let is_text = name == "INPUT"
                && !matches!(target.get_attribute("type").as_deref(), Some("range" | "checkbox"));
            is_text || name == "TEXTAREA" || name == "SELECT"
        });
    let in_dialog =
        browser::document().is_some_and(|page| matches!(page.query_selector("dialog[open]"), Ok(Some(_))));
    if is_typing || in_dialog || !letters_are_on() {
        return;
    }
    // Arrows and space belong to what has the focus; the scrubber leaves some of them to the page.
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_free =
        target.as_ref().is_none_or(|target| matches!(target.tag_name().as_str(), "BODY" | "MAIN" | "HTML"));
    let is_scrubber = target.is_some_and(|target| target.id() == "scrubber");
    match event.key().as_str() {
        "[" => scrubber::to_event(state, false),
        "]" => scrubber::to_event(state, true),
        "ArrowLeft" | "ArrowRight" if event.shift_key() && (is_free || is_scrubber) => {
            scrubber::to_turn(state, event.key() == "ArrowRight");
        }
        "ArrowLeft" | "ArrowRight" if is_free => scrubber::to_request(state, event.key() == "ArrowRight"),
        " " if is_free || is_scrubber => scrubber::toggle(state),
        "j" => list::step(state, true, false),
        "k" => list::step(state, false, false),
        "J" => list::step(state, true, true),
        "K" => list::step(state, false, true),
        "1" => state.side.set(Some(Side::Before)),
        "2" => state.side.set(Some(Side::After)),
        "3" => state.side.set(Some(Side::Raw)),
        "/" => browser::focus("find"),
        "o" | "O" => {
            if let Some(input) = browser::element(FILE_INPUT) {
                input.click();
            }
        }
        "c" | "C" => state.comparing.update(|comparing| *comparing = !*comparing),
        "s" | "S" => address::share(state),
        "e" | "E" => state.dialog.set(Some(Dialog::Export)),
        "l" | "L" => lesson::go(state, lesson::left_at()),
        "t" | "T" => theme_switch::next(state),
        "?" => state.dialog.set(Some(Dialog::Sheet(Which::Help))),
        _ => return,
    }
    event.prevent_default();
}
