//! The way to the session: a desk in the page for small ones, a worker for large ones. Both are asked alike.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ebbline_web::desk::{Answer, Ask, Desk, Opened};
use ebbline_web::error_text::Trouble;
use ebbline_web::read_as::ReadAs;
use ebbline_web::wire;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::worker::{ANSWER, OPENED, PROGRESS, READY};

/// Larger files are read and planned in a worker, in bytes.
pub(super) const LARGE: f64 = 1_000_000.0;

type Then = Box<dyn FnOnce(Answer)>;

/// Where the session is.
#[derive(Clone)]
pub(super) enum Link {
    /// In the page.
    Here(Rc<Desk>),
    /// In a worker.
    There(Rc<Remote>),
}

impl Link {
    /// Asks; `then` is called with the answer, at once when the session is in the page.
    pub(super) fn ask(&self, ask: &Ask, then: impl FnOnce(Answer) + 'static) {
        match self {
            Self::Here(desk) => then(desk.answer(ask)),
            Self::There(remote) => remote.ask(ask, Box::new(then)),
        }
    }
}

/// A worker that keeps a session. It ends when it is dropped.
pub(super) struct Remote {
    worker: Worker,
    waiting: Rc<RefCell<Waiting>>,
    _listener: Closure<dyn FnMut(MessageEvent)>,
    _faults: Closure<dyn FnMut(web_sys::Event)>,
}

#[derive(Default)]
struct Waiting {
    next: u32,
    answers: HashMap<u32, Then>,
}

/// What a worker tells while it opens a file.
pub(super) enum News {
    /// So many bytes have been read.
    Read(f64),
    /// The session is open.
    Opened(Opened),
    /// It could not be opened.
    Failed(Trouble),
}

impl Remote {
    /// Starts a worker that opens `file` and tells `news`.
    pub(super) fn open(
        file: &Blob,
        name: &str,
        read_as: ReadAs,
        news: impl Fn(News) + 'static,
    ) -> Result<Rc<Self>, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options("./worker.js", &options)?;
        let waiting = Rc::new(RefCell::new(Waiting::default()));
        let news = Rc::new(news);
        let listener = {
            let (worker, waiting, news) = (worker.clone(), Rc::clone(&waiting), Rc::clone(&news));
            let (file, name) = (file.clone(), name.to_owned());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let message: Array = event.data().unchecked_into();
                let id = message.get(0).as_f64().unwrap_or_default() as u32;
                let tag = message.get(1).as_f64().unwrap_or_default() as u8;
                let body = Uint8Array::new(&message.get(2)).to_vec();
                match tag {
                    READY => {
                        let [name, read_as] = [name.as_str(), read_as.name()].map(JsValue::from_str);
                        let _gone = worker.post_message(&Array::of4(&0.into(), &file, &name, &read_as));
                    }
                    PROGRESS => {
                        let read = body.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                        news(News::Read(read as f64));
                    }
                    OPENED => news(match wire::to_opened(&body).unwrap_or_else(|| Err(broken())) {
                        Ok(opened) => News::Opened(opened),
                        Err(trouble) => News::Failed(trouble),
                    }),
                    ANSWER => {
                        let then = waiting.borrow_mut().answers.remove(&id);
                        if let Some((then, answer)) = then.zip(wire::to_answer(&body)) {
                            then(answer);
                        }
                    }
                    _ => {}
                }
            })
        };
        let faults = Closure::<dyn FnMut(web_sys::Event)>::new(move |_| news(News::Failed(broken())));
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        worker.set_onerror(Some(faults.as_ref().unchecked_ref()));
        // The same compiled program: nothing is loaded or compiled twice.
        worker.post_message(&wasm_bindgen::module())?;
        Ok(Rc::new(Self { worker, waiting, _listener: listener, _faults: faults }))
    }

    fn ask(&self, ask: &Ask, then: Then) {
        let id = {
            let mut waiting = self.waiting.borrow_mut();
            waiting.next += 1;
            let id = waiting.next;
            waiting.answers.insert(id, then);
            id
        };
        let question = Uint8Array::from(wire::from_ask(ask).as_slice());
        let _gone = self.worker.post_message(&Array::of2(&id.into(), &question));
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn broken() -> Trouble {
    Trouble::of_page(
        "worker",
        "The worker that reads large files stopped. The session on screen is as it was; try the file again.",
    )
}
