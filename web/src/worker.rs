//! The worker: it reads one session, keeps it and answers requests about it, so that the page never blocks. The
//! page's first message contains the file, or the id of a sample.

use std::cell::RefCell;

use ebbline_web::error_text::UserError;
use ebbline_web::file::File;
use ebbline_web::open_session::OpenSession;
use ebbline_web::overview::Overview;
use ebbline_web::read_as::ReadAs;
use ebbline_web::sample;
use ebbline_web::wire::{self, ANSWER, OPENED, PROGRESS, READY};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

/// How many bytes of a file are read at once; after each chunk the worker reports its progress.
const CHUNK: f64 = 4_000_000.0;

thread_local! {
    static SESSION: RefCell<Option<OpenSession<File>>> = const { RefCell::new(None) };
}

/// Listens to the page as long as the worker lives.
pub(crate) fn serve() {
    // The module that is shipped has no messages of panics.
    #[cfg(debug_assertions)]
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
    }));
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| {
        let message: Array = event.data().unchecked_into();
        let id = message.get(0).as_f64().unwrap_or_default();
        let text = |at| message.get(at).as_string().unwrap_or_default();
        let body = message.get(1);
        if let Some(sample) = body.as_string().and_then(|sample| sample::find(&sample)) {
            open(id, sample::text_of(sample).into_bytes(), (&text(2), sample.window), ReadAs::of(&text(3)));
            return;
        }
        match body.dyn_into::<Blob>() {
            Ok(file) => spawn_local(open_file(id, file, text(2), ReadAs::of(&text(3)))),
            Err(question) => answer(id, &Uint8Array::new(&question).to_vec()),
        }
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
    post(0.0, READY, &[]);
}

fn post(id: f64, tag: u8, bytes: &[u8]) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let body = Uint8Array::from(bytes);
    let message = Array::of3(&id.into(), &tag.into(), &body);
    // Transfers the bytes instead of copying them.
    let _gone = scope.post_message_with_transfer(&message, &Array::of1(&body.buffer()));
}

async fn open_file(id: f64, file: Blob, name: String, read_as: ReadAs) {
    if let Ok(bytes) = read(id, &file).await {
        open(id, bytes, (&name, None), read_as);
    } else {
        let problem = UserError::from_page("unreadable", "The browser could not read this file.");
        post(id, OPENED, &wire::encode(&Err::<Overview, _>(problem)));
    }
}

/// Opens a session of this name, with the context window that shows it best if it is a sample that has one.
fn open(id: f64, bytes: Vec<u8>, (name, window): (&str, Option<u64>), read_as: ReadAs) {
    let opened = OpenSession::open(bytes, name, &read_as.options()).map(|(session, opened)| {
        SESSION.with_borrow_mut(|place| *place = Some(session.with_window(window)));
        opened
    });
    post(id, OPENED, &wire::encode(&opened));
}

async fn read(id: f64, file: &Blob) -> Result<Vec<u8>, JsValue> {
    let size = file.size();
    let mut bytes = Vec::with_capacity(size as usize);
    let mut at = 0.0;
    while at < size {
        let end = (at + CHUNK).min(size);
        let chunk = file.slice_with_f64_and_f64(at, end)?;
        let buffer = JsFuture::from(chunk.array_buffer()).await?;
        bytes.extend(Uint8Array::new(&buffer).to_vec());
        at = end;
        post(id, PROGRESS, &(at as u64).to_le_bytes());
    }
    Ok(bytes)
}

fn answer(id: f64, question: &[u8]) {
    let Some(request) = wire::decode(question) else { return };
    SESSION.with_borrow(|session| {
        if let Some(session) = session {
            post(id, ANSWER, &wire::encode(&session.answer(&request)));
        }
    });
}
