//! Opens a session: a file, dropped or chosen; a pasted text; the sample. A newer request replaces an older one,
//! and the open session stays on screen until the new one is ready.

use std::time::Duration;

use ebbline_web::error_text::UserError;
use ebbline_web::number::{self, counted};
use ebbline_web::read_as::ReadAs;
use ebbline_web::readable::file_name;
use ebbline_web::sample;
use leptos::prelude::*;
use web_sys::{Blob, DataTransfer, File};

use super::backend::{Backend, WorkerEvent, not_started};
use super::browser;
use super::state::{Failed, FileSource, Loading, State};

/// The size limit of files, in bytes: the engine reads up to 4 GiB, a browser's tab less.
const TOO_LARGE: f64 = 1_000_000_000.0;
/// Smaller files, in bytes, are read so quickly that a progress panel would only flicker.
const SMALL: f64 = 1_000_000.0;
/// After this time the panel appears even for small files: the worker's program may have to be fetched first.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows the sample. Its first picture is there at once; everything else is answered as soon as its worker runs.
pub(super) fn sample(state: State) {
    let (request, name) = begin(state, sample::NAME);
    let source = FileSource { file: None, name, read_as: ReadAs::default() };
    state.last_source.set_value(Some(source.clone()));
    state.shown_source.set_value(Some(source.clone()));
    state.shown_request.set_value(request);
    state.read_as.set(ReadAs::default());
    let on_event = move |event: WorkerEvent| match event {
        WorkerEvent::Progress(_) => {}
        WorkerEvent::Opened(_) => browser::mark("data-open"),
        WorkerEvent::Failed(problem) | WorkerEvent::Lost(problem) => {
            if state.shown_request.get_value() == request {
                state.lost.set(problem.sentence);
            }
        }
    };
    match Backend::open(None, sample::NAME, ReadAs::default(), on_event).ok().zip(sample::first::picture()) {
        Some((backend, first)) => state.show_first(backend, first),
        None => state.lost.set(not_started().sentence),
    }
}

pub(super) fn file(state: State, file: &File) {
    blob(state, Some(file), &file.name(), ReadAs::default());
}

/// Opens what was dropped or pasted: the first file, or else the text.
pub(super) fn dropped(state: State, data: Option<DataTransfer>) {
    let Some(data) = data else { return };
    let files = data.files();
    let count = files.as_ref().map_or(0, web_sys::FileList::length);
    if let Some(file) = files.and_then(|files| files.get(0)) {
        self::file(state, &file);
        if count > 1 {
            state.note.set(format!(
                "{} came at once; the page shows the first, {}.",
                counted(u64::from(count), "file"),
                file.name()
            ));
        }
        return;
    }
    let text = data.get_data("text/plain").unwrap_or_default();
    if !text.trim().is_empty() {
        self::text(state, &text);
    }
}

/// Opens a pasted text.
pub(super) fn text(state: State, text: &str) {
    if let Some(text) = super::browser::blob(text) {
        blob(state, Some(&text), "pasted.json", ReadAs::default());
    }
}

/// Opens the last requested file again, as another format.
pub(super) fn again(state: State, read_as: ReadAs) {
    if let Some(FileSource { file, name, .. }) = state.last_source.get_value() {
        blob(state, file.as_ref(), &name, read_as);
    }
}

/// Opens the session on screen in a new worker after its worker stopped. Settings and selection stay.
pub(super) fn restart(state: State) {
    let Some(source) = state.shown_source.get_value() else { return };
    let (request, _) = begin(state, &source.name);
    in_worker(state, request, source, true);
}

/// Stops reading. The session on screen stays.
pub(super) fn cancel(state: State) {
    state.request.update_value(|request| *request += 1);
    state.pending.set_value(None);
    state.loading.set(None);
}

/// Starts a request and cancels the one before.
fn begin(state: State, name: &str) -> (u32, String) {
    cancel(state);
    state.failed.set(None);
    state.note.set(String::new());
    (state.request.get_value(), file_name(name))
}

fn is_newest(state: State, request: u32) -> bool {
    state.request.try_get_value() == Some(request)
}

fn blob(state: State, blob: Option<&Blob>, name: &str, read_as: ReadAs) {
    let (request, name) = begin(state, name);
    let source = FileSource { file: blob.cloned(), name: name.clone(), read_as };
    state.last_source.set_value(Some(source.clone()));
    state.read_as.set(read_as);
    let size = blob.map_or(0.0, Blob::size);
    if size > TOO_LARGE {
        let sentence = format!(
            "This file has {}; up to {} can be read here. Cut it to its newest part, or use the command line.",
            number::bytes(size as u64),
            number::bytes(TOO_LARGE as u64)
        );
        state.failed.set(Some(Failed { name, problem: UserError::from_page("too_large", sentence) }));
    } else {
        in_worker(state, request, source, false);
    }
}

/// `again` means that the session is already on screen.
fn in_worker(state: State, request: u32, source: FileSource, again: bool) {
    let FileSource { file: blob, name, read_as } = source.clone();
    let size = blob.as_ref().map_or(0.0, Blob::size);
    let loading = Loading { name: name.clone(), size, read: 0.0 };
    if size > SMALL {
        state.loading.set(Some(loading));
    } else {
        set_timeout(
            move || {
                if is_newest(state, request) && state.pending.with_value(Option::is_some) {
                    state.loading.set(Some(loading));
                }
            },
            PATIENCE,
        );
    }
    let on_event = {
        let name = name.clone();
        move |event: WorkerEvent| {
            if let WorkerEvent::Lost(problem) = &event {
                // An earlier session's worker concerns nobody any more.
                if state.shown_request.get_value() == request {
                    state.lost.set(problem.sentence.clone());
                }
                return;
            }
            if !is_newest(state, request) {
                return;
            }
            match event {
                WorkerEvent::Lost(_) => {}
                WorkerEvent::Progress(read) => state.loading.update(|loading| {
                    if let Some(loading) = loading {
                        loading.read = read;
                    }
                }),
                WorkerEvent::Opened(opened) => {
                    if let Some(worker) = state.pending.try_update_value(Option::take).flatten() {
                        state.shown_request.set_value(request);
                        state.shown_source.set_value(Some(source.clone()));
                        browser::mark("data-open");
                        if again {
                            state.rejoin(worker, opened);
                        } else {
                            state.show(worker, opened);
                            state.relive(true);
                        }
                    }
                }
                WorkerEvent::Failed(problem) => {
                    state.pending.set_value(None);
                    state.loading.set(None);
                    if again {
                        state.lost.set(problem.sentence);
                    } else {
                        state.failed.set(Some(Failed { name: name.clone(), problem }));
                    }
                }
            }
        }
    };
    if let Ok(worker) = Backend::open(blob.as_ref(), &name, read_as, on_event) {
        state.pending.set_value(Some(worker));
    } else {
        state.loading.set(None);
        state.failed.set(Some(Failed { name, problem: not_started() }));
    }
}
