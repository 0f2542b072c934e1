//! Opening a session: a file, dropped or chosen; pasted text; the sample. The newest request wins, and what is on screen
//! stays until another session is there to take its place.

use std::rc::Rc;
use std::time::Duration;

use ebbline_web::content::Content;
use ebbline_web::desk::Desk;
use ebbline_web::error_text::Trouble;
use ebbline_web::number;
use ebbline_web::read_as::ReadAs;
use ebbline_web::sample;
use leptos::prelude::*;
use web_sys::{Blob, DataTransfer, File};

use super::link::{AtHand, Link, News, Remote, not_started};
use super::state::{Failed, Loading, Opening, State};

/// Larger files are refused: the engine reads up to 4 GiB, a browser's tab less.
const TOO_LARGE: f64 = 1_000_000_000.0;
/// What is smaller, in bytes, is read so soon that a panel about it would only flicker.
const SMALL: f64 = 1_000_000.0;
/// After so many milliseconds a panel is due even then: the reader itself may have to be fetched.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows the sample.
pub(super) fn sample(state: State) {
    let (request, _) = begin(state, sample::NAME);
    state.on_screen_request.set_value(request);
    let (desk, opened) = Desk::of_sample();
    let file = super::browser::blob(desk.content().source());
    let opening =
        file.map(|file| Opening { file, name: sample::NAME.to_owned(), read_as: ReadAs::default() });
    state.file.set_value(opening.clone());
    state.on_screen.set_value(opening);
    state.read_as.set(ReadAs::default());
    state.show(Link::Here(Rc::new(AtHand::new(desk))), opened);
}

/// Opens a file.
pub(super) fn file(state: State, file: &File) {
    blob(state, file, &file.name(), ReadAs::default());
}

/// Opens what was dropped or pasted, if it is a file.
pub(super) fn dropped(state: State, data: Option<DataTransfer>) {
    let Some(file) = data.and_then(|data| data.files()).and_then(|files| files.get(0)) else {
        return;
    };
    self::file(state, &file);
}

/// Opens a text.
pub(super) fn text(state: State, text: &str) {
    if let Some(text) = super::browser::blob(text) {
        blob(state, &text, "pasted.json", ReadAs::default());
    }
}

/// Opens the file that was opened last in another way.
pub(super) fn again(state: State, read_as: ReadAs) {
    if let Some(Opening { file, name, .. }) = state.file.get_value() {
        blob(state, &file, &name, read_as);
    }
}

/// Opens the session on screen in a new worker: its own is gone. Settings and selection stay.
pub(super) fn restart(state: State) {
    let Some(opening) = state.on_screen.get_value() else { return };
    let (request, _) = begin(state, &opening.name);
    in_worker(state, request, opening, true);
}

/// Stops reading; the session on screen stays.
pub(super) fn cancel(state: State) {
    state.request.update_value(|request| *request += 1);
    state.opening.set_value(None);
    state.loading.set(None);
}

/// Begins a request; earlier ones are forgotten.
fn begin(state: State, name: &str) -> (u32, String) {
    cancel(state);
    state.failed.set(None);
    (state.request.get_value(), name.to_owned())
}

fn is_newest(state: State, request: u32) -> bool {
    state.request.try_get_value() == Some(request)
}

fn blob(state: State, blob: &Blob, name: &str, read_as: ReadAs) {
    let (request, name) = begin(state, name);
    let opening = Opening { file: blob.clone(), name: name.clone(), read_as };
    state.file.set_value(Some(opening.clone()));
    state.read_as.set(read_as);
    let size = blob.size();
    if size > TOO_LARGE {
        let sentence = format!(
            "This file has {}; up to {} can be read here. Cut it to its newest part, or use the command line.",
            number::bytes(size as u64),
            number::bytes(TOO_LARGE as u64)
        );
        state.failed.set(Some(Failed { name, trouble: Trouble::of_page("too_large", sentence) }));
    } else {
        in_worker(state, request, opening, false);
    }
}

/// `again` for the session that is on screen already.
fn in_worker(state: State, request: u32, opening: Opening, again: bool) {
    let Opening { file: blob, name, read_as } = opening.clone();
    let loading = Loading { name: name.clone(), size: blob.size(), read: 0.0 };
    if blob.size() > SMALL {
        state.loading.set(Some(loading));
    } else {
        set_timeout(
            move || {
                if is_newest(state, request) && state.opening.with_value(Option::is_some) {
                    state.loading.set(Some(loading));
                }
            },
            PATIENCE,
        );
    }
    let news = {
        let name = name.clone();
        move |news: News| {
            if let News::Lost(trouble) = &news {
                // Of an earlier session nobody needs to know.
                if state.on_screen_request.get_value() == request {
                    state.lost.set(trouble.sentence.clone());
                }
                return;
            }
            if !is_newest(state, request) {
                return;
            }
            match news {
                News::Lost(_) => {}
                News::Read(read) => state.loading.update(|loading| {
                    if let Some(loading) = loading {
                        loading.read = read;
                    }
                }),
                News::Opened(opened) => {
                    if let Some(remote) = state.opening.try_update_value(Option::take).flatten() {
                        state.on_screen_request.set_value(request);
                        state.on_screen.set_value(Some(opening.clone()));
                        let link = Link::There(remote);
                        if again { state.rejoin(link, opened) } else { state.show(link, opened) }
                    }
                }
                News::Failed(trouble) => {
                    state.opening.set_value(None);
                    state.loading.set(None);
                    state.failed.set(Some(Failed { name: name.clone(), trouble }));
                }
            }
        }
    };
    if let Ok(remote) = Remote::open(&blob, &name, read_as, news) {
        state.opening.set_value(Some(remote));
    } else {
        state.loading.set(None);
        state.failed.set(Some(Failed { name, trouble: not_started() }));
    }
}
