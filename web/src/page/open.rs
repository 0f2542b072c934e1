//! Opens a session: a file, dropped, chosen or handed over; a pasted text; a sample; a session of the menu. A newer
//! request replaces an older one, and the open session stays on screen until the new one is ready.

use std::time::Duration;

use ebbline::numbers;
use ebbline_web::error_text::UserError;
use ebbline_web::read_as::ReadAs;
use ebbline_web::readable::file_name;
use ebbline_web::sample::{self, FIRST, Sample};
use ebbline_web::sessions::{self, Arrival, MOST, Source};
use ebbline_web::shape;
use leptos::prelude::*;
use web_sys::{Blob, DataTransfer, File, FileSystemEntry};

use super::backend::{Backend, WorkerEvent, not_started};
use super::source::{Content, Failed, FileSource, Loading, Outcome};
use super::state::State;
use super::{address, before, browser};

/// The size limit of files, in bytes: the engine reads up to 4 GiB, a browser's tab less.
const TOO_LARGE: f64 = 1_000_000_000.0;
/// Smaller files, in bytes, are read so quickly that a progress panel would only flicker.
const SMALL: f64 = 1_000_000.0;
/// After this time the panel appears even for small files: the worker's program may have to be fetched first.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows the first sample. Its first picture is there at once; everything else is answered as soon as its worker runs.
pub(super) fn first(state: State) {
    let content = Content::Sample(FIRST);
    let source = keep(state, content.clone(), FIRST.name);
    begin(state, source.clone());
    let request = state.request.get_value();
    state.shown_source.set_value(Some(source));
    state.shown_request.set_value(request);
    let on_event = move |event: WorkerEvent| match event {
        WorkerEvent::Progress(_) => {}
        WorkerEvent::Opened(_) => browser::mark("data-open"),
        WorkerEvent::Failed(problem) | WorkerEvent::Lost(problem) => {
            if state.shown_request.get_value() == request {
                state.lost.set(problem.sentence);
            }
        }
    };
    match Backend::open(&content, FIRST.name, ReadAs::default(), on_event).ok().zip(sample::first::picture())
    {
        Some((backend, first)) => state.show_first(backend, first),
        None => state.lost.set(not_started().sentence),
    }
}

/// Opens a sample.
pub(super) fn sample(state: State, sample: &'static Sample) {
    if sample.id == FIRST.id {
        before::end(state);
        first(state);
    } else {
        open(state, keep(state, Content::Sample(sample), sample.name));
    }
}

/// Opens a session of the menu.
pub(super) fn kept(state: State, number: u32) {
    match state.sessions.with_untracked(|sessions| sessions.find(number)) {
        None => {}
        Some(Source { file: Content::Sample(chosen), .. }) => sample(state, chosen),
        Some(file) => open(state, FileSource { number, file, came: Arrival::default() }),
    }
}

/// Opens the first of several files, and keeps the others in the menu. `folders` are the names of folders that came
/// with them.
pub(super) fn files(state: State, files: &[File], folders: &[String]) {
    let Some(first) = files.first() else {
        if let Some(name) = folders.first() {
            cancel(state);
            let sentence =
                "This is a folder. Drop the files in it instead: of several, you choose in a menu.";
            fail(state, name.clone(), UserError::from_page("folder", sentence));
        }
        return;
    };
    let keep = |file: &File| keep(state, Content::File(file.clone().into()), &file.name());
    let came = Arrival { files: files.len(), folders: folders.len() };
    let source = FileSource { came, ..keep(first) };
    // Requested before the others are kept, because of a full menu all but the newest request may leave.
    begin(state, source);
    for file in files.iter().skip(1).take(MOST - 1) {
        keep(file);
    }
    read(state);
}

/// Opens what was dropped or pasted: files, or else the text.
pub(super) fn dropped(state: State, data: Option<DataTransfer>) {
    let Some(data) = data else { return };
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    let items = data.items();
    for item in (0..items.length()).filter_map(|at| items.get(at)).filter(|item| item.kind() == "file") {
        let entry = item.webkit_get_as_entry().ok().flatten();
        if let Some(folder) = entry.filter(FileSystemEntry::is_directory) {
            folders.push(folder.name());
        } else if let Ok(Some(file)) = item.get_as_file() {
            files.push(file);
        }
    }
    let text = data.get_data("text/plain").unwrap_or_default();
    if !files.is_empty() || !folders.is_empty() {
        self::files(state, &files, &folders);
    } else if !text.trim().is_empty() {
        self::text(state, &text);
    }
}

/// Opens a pasted text.
pub(super) fn text(state: State, text: &str) {
    match shape::link_in(text) {
        Some(link) => address::shape_of(state, link),
        None => named(state, text, "pasted.json"),
    }
}

/// Opens a text as a file with this name.
pub(super) fn named(state: State, text: &str, name: &str) {
    if let Some(text) = browser::blob(text) {
        open(state, keep(state, Content::File(text), name));
    }
}

/// Opens a session that a page of `origin` handed over, and calls `outcome`.
pub(super) fn handed_over(
    state: State,
    (blob, name): (Blob, &str),
    (origin, read_as): (&str, ReadAs),
    outcome: Outcome,
) {
    let source = Source { origin: origin.to_owned(), read_as, ..source(Content::File(blob), name) };
    let said = format!("{} was {}.", source.name, sessions::handed_over(origin));
    let source = kept_as(state, source);
    begin(state, source);
    state.outcome.set_value(Some(outcome));
    state.note.set(said);
    read(state);
}

/// Opens the last requested file again, as another format.
pub(super) fn again(state: State, read_as: ReadAs) {
    if let Some(source) = state.last_source.get_value() {
        let file = Source { read_as, ..source.file };
        open(state, FileSource { file, ..source });
    }
}

/// Opens the session on screen in a new worker after its worker stopped. Settings and selection stay.
pub(super) fn restart(state: State) {
    let Some(source) = state.shown_source.get_value() else { return };
    cancel(state);
    clear(state);
    in_worker(state, &source, true);
}

/// Stops reading. The session on screen stays.
pub(super) fn cancel(state: State) {
    state.request.update_value(|request| *request += 1);
    state.pending.set_value(None);
    state.loading.set(None);
    let sentence = "Another session was opened instead, or reading was cancelled.";
    settle(state, Err(UserError::from_page("replaced", sentence)));
}

/// Tells whoever handed over the file requested last.
fn settle(state: State, how: Result<u64, UserError>) {
    if let Some(outcome) = state.outcome.try_update_value(Option::take).flatten() {
        outcome(how);
    }
}

fn fail(state: State, name: String, problem: UserError) {
    settle(state, Err(problem.clone()));
    state.failed.set(Some(Failed { name, problem }));
}

/// Puts a file into the menu.
fn keep(state: State, content: Content, name: &str) -> FileSource {
    kept_as(state, source(content, name))
}

fn source(content: Content, name: &str) -> Source<Content> {
    let size = match &content {
        Content::Sample(_) => None,
        Content::File(file) => Some(file.size() as u64),
    };
    let (origin, read_as) = (String::new(), ReadAs::default());
    Source { name: file_name(name), size, origin, read_as, file: content }
}

fn kept_as(state: State, file: Source<Content>) -> FileSource {
    let open = state.last_source.with_value(|source| source.as_ref().map(|source| source.number));
    let number = state.sessions.try_update(|sessions| sessions.add(file.clone(), open)).unwrap_or_default();
    FileSource { number, file, came: Arrival::default() }
}

/// Makes `source` the requested file, and cancels the request before.
fn begin(state: State, source: FileSource) {
    cancel(state);
    clear(state);
    state.read_as.set(source.file.read_as);
    state.last_source.set_value(Some(source));
}

fn clear(state: State) {
    state.failed.set(None);
    state.note.set(String::new());
}

fn open(state: State, source: FileSource) {
    begin(state, source);
    read(state);
}

fn is_newest(state: State, request: u32) -> bool {
    state.request.try_get_value() == Some(request)
}

/// Reads the requested file.
fn read(state: State) {
    let Some(source) = state.last_source.get_value() else { return };
    let size = source.file.file.size();
    if size > TOO_LARGE {
        let sentence = format!(
            "This file has {}; up to {} can be read here. Cut it to its newest part, or use the command line.",
            numbers::bytes(size as u64),
            numbers::bytes(TOO_LARGE as u64)
        );
        not_opened(state, &source, UserError::from_page("too_large", sentence));
    } else {
        in_worker(state, &source, false);
    }
}

/// Says why a file was not opened. If it is no session, it leaves the menu.
fn not_opened(state: State, source: &FileSource, problem: UserError) {
    state.pending.set_value(None);
    state.loading.set(None);
    let is_shown = state
        .shown_source
        .with_value(|shown| shown.as_ref().is_some_and(|shown| shown.number == source.number));
    if problem.code != "worker" && !is_shown {
        state.sessions.update(|sessions| sessions.remove(source.number));
    }
    fail(state, source.file.name.clone(), problem);
    say_what_came(state, source, false);
}

fn say_what_came(state: State, FileSource { file, came, .. }: &FileSource, is_open: bool) {
    let said = sessions::arrived(*came, &file.name, is_open);
    if !said.is_empty() {
        state.note.set(said);
    }
}

/// `again` means that the session is already on screen.
fn in_worker(state: State, source: &FileSource, again: bool) {
    let request = state.request.get_value();
    let Source { file: content, name, read_as, .. } = source.file.clone();
    let size = content.size();
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
        let source = source.clone();
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
                        // A file that was no session at first has left the menu.
                        state.shown_source.set_value(Some(kept_as(state, source.file.clone())));
                        say_what_came(state, &source, true);
                        browser::mark("data-open");
                        settle(state, Ok(opened.about.counts.messages as u64));
                        if again {
                            state.rejoin(worker, opened);
                        } else {
                            before::end(state);
                            state.show(worker, opened);
                            match &source.file.file {
                                Content::Sample(_) => state.relive(true),
                                Content::File(_) => state.open_own(),
                            }
                        }
                    }
                }
                WorkerEvent::Failed(problem) if again => {
                    state.pending.set_value(None);
                    state.loading.set(None);
                    state.lost.set(problem.sentence);
                }
                WorkerEvent::Failed(problem) => not_opened(state, &source, problem),
            }
        }
    };
    match Backend::open(&content, &name, read_as, on_event) {
        Ok(worker) => state.pending.set_value(Some(worker)),
        Err(_) => not_opened(state, source, not_started()),
    }
}
