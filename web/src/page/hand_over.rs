//! Sessions that another window hands over: the window that opened this page, or the page that embeds it.

use ebbline_web::error_text::UserError;
use ebbline_web::hand_over::{self, FAILED, HandOver, MARK, Member, OPENED, READY};
use js_sys::{Array, ArrayBuffer, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, MessageEvent, Window};

use super::state::State;
use super::{browser, open};

/// Takes sessions from now on, and says so to the windows that may hand one over.
pub(super) fn listen(state: State) {
    let listener = window_event_listener(leptos::ev::message, move |event| hear(state, &event));
    on_cleanup(move || listener.remove());
    for window in partners() {
        post(&window, "*", &[(MARK, READY.into())]);
    }
}

/// The window that opened this page and the page that embeds it.
fn partners() -> Vec<Window> {
    let Some(own) = browser::window() else { return Vec::new() };
    let opener = own.opener().ok().filter(JsValue::is_object);
    let parent = own.parent().ok().flatten().map(JsValue::from);
    let others = opener.into_iter().chain(parent).filter(|other| !Object::is(other, &own));
    // A window of another origin cannot be asked what it is.
    others.map(JsCast::unchecked_into).collect()
}

fn hear(state: State, event: &MessageEvent) {
    let data = event.data();
    let Some(from) = event.source() else { return };
    let Some(from) = partners().into_iter().find(|partner| Object::is(partner, &from)) else { return };
    let Some(object) = data.dyn_ref::<Object>() else { return };
    let members: Vec<(String, Member)> = Object::keys(object)
        .iter()
        .filter_map(|name| name.as_string())
        .map(|name| {
            let member = member(&value(object, &name));
            (name, member)
        })
        .collect();
    match members.iter().find(|(name, _)| name == MARK) {
        None => return,
        Some((_, mark)) if hand_over::is_answer(mark) => return,
        Some(_) => {}
    }
    // An origin that cannot be named, for example a file's, cannot be addressed either.
    let origin = event.origin();
    let (to, shown) = match origin.as_str() {
        "null" | "" => ("*".to_owned(), "a page without an address".to_owned()),
        _ => (origin.clone(), origin),
    };
    let taken = hand_over::checked(&members)
        .and_then(|taken| Ok((content(object, &taken).ok_or_else(unreadable)?, taken)));
    match taken {
        Err(problem) => {
            let name = members.into_iter().find(|(name, _)| name == "name");
            let name = match name {
                Some((_, Member::Text(name))) => name,
                _ => String::new(),
            };
            answer(&from, &to, &name, Err(problem));
        }
        Ok((blob, HandOver { name, read_as, .. })) => {
            let given = name.clone();
            let outcome = move |how| answer(&from, &to, &given, how);
            open::handed_over(state, (blob, &name), (&shown, read_as), Box::new(outcome));
        }
    }
}

fn unreadable() -> UserError {
    UserError::from_page("unreadable", "The browser could not read this session.")
}

fn value(object: &Object, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

fn member(value: &JsValue) -> Member {
    match value.as_string() {
        Some(text) => Member::Text(text),
        None if value.has_type::<Blob>() => Member::Blob,
        None if value.has_type::<ArrayBuffer>() => Member::Buffer,
        None => Member::Other,
    }
}

/// The session as a file in memory.
fn content(object: &Object, taken: &HandOver) -> Option<Blob> {
    let value = value(object, taken.content);
    match value.dyn_into::<Blob>() {
        Ok(blob) => Some(blob),
        Err(value) => Blob::new_with_blob_sequence(&Array::of1(&value)).ok(),
    }
}

/// Tells how it went; nothing of the session but the number of its messages.
fn answer(to: &Window, origin: &str, name: &str, how: Result<u64, UserError>) {
    let name = ("name", name.into());
    match how {
        Ok(messages) => {
            post(to, origin, &[(MARK, OPENED.into()), name, ("messages", (messages as f64).into())]);
        }
        Err(UserError { code, sentence, .. }) => {
            post(
                to,
                origin,
                &[(MARK, FAILED.into()), name, ("code", code.into()), ("sentence", sentence.into())],
            );
        }
    }
}

fn post(to: &Window, origin: &str, members: &[(&str, JsValue)]) {
    let message = Object::new();
    for (name, value) in members {
        let _never = Reflect::set(&message, &(*name).into(), value);
    }
    let _gone = to.post_message(&message, origin);
}
