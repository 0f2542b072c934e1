//! The connection to the worker, which keeps the open session.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use ebbline_web::error_text::UserError;
use ebbline_web::overview::Overview;
use ebbline_web::question::{Answer, Request};
use ebbline_web::read_as::ReadAs;
use ebbline_web::wire::{self, ANSWER, LOADING, OPENED, PROGRESS, READY};
use gloo::timers::callback::{Interval, Timeout};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use super::source::Content;

/// Called with the answer, or with `None` if the worker has stopped.
pub(super) type OnAnswer = Box<dyn FnOnce(Option<Answer>)>;

/// A worker that keeps one session. Dropping it ends the worker.
pub(super) struct Backend {
    shared: Rc<Shared>,
    _listener: Closure<dyn FnMut(MessageEvent)>,
    _faults: Closure<dyn FnMut(web_sys::Event)>,
    _watch: Interval,
}

/// The state that the page keeps of a worker.
struct Shared {
    worker: Worker,
    on_event: Box<dyn Fn(WorkerEvent)>,
    phase: Cell<Phase>,
    asked: Cell<u32>,
    waiting: RefCell<HashMap<u32, OnAnswer>>,
    /// Requests that came before the session was open; they are sent as soon as it is.
    early: RefCell<Vec<Array>>,
    /// For how many seconds the worker has been silent although it owes a message, and how many are too many.
    silent: Cell<u32>,
    patience: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The worker's program is being fetched.
    Loading,
    /// The worker reads the file.
    Reading,
    /// The session is open; the worker answers requests.
    Open,
    /// The worker has ended.
    Stopped,
}

/// What a worker reports while it opens a file, and when it stops.
pub(super) enum WorkerEvent {
    /// How many bytes it has read.
    Progress(f64),
    /// The session is open.
    Opened(Overview),
    /// The session could not be opened.
    Failed(UserError),
    /// The worker of an open session has stopped.
    Lost(UserError),
}

/// After how many seconds of silence a worker counts as dead, plus one second for each [`SLOWEST`] bytes of the file.
const PATIENCE: u32 = 10;
/// How many bytes a slow machine reads and plans in a second.
const SLOWEST: f64 = 5_000_000.0;

impl Backend {
    /// Starts a worker that opens `content`, and calls `on_event`.
    pub(super) fn open(
        content: &Content,
        name: &str,
        read_as: ReadAs,
        on_event: impl Fn(WorkerEvent) + 'static,
    ) -> Result<Rc<Self>, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options("./worker.js", &options)?;
        let shared = Rc::new(Shared {
            worker: worker.clone(),
            on_event: Box::new(on_event),
            phase: Cell::new(Phase::Loading),
            asked: Cell::new(0),
            waiting: RefCell::default(),
            early: RefCell::default(),
            silent: Cell::new(0),
            patience: PATIENCE + (content.size() / SLOWEST) as u32,
        });
        let listener = {
            let (shared, body, name) = (Rc::downgrade(&shared), content.body(), name.to_owned());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                if let Some(shared) = shared.upgrade() {
                    shared.hear(&event.data().unchecked_into(), (&body, &name, read_as));
                }
            })
        };
        let faults = {
            let shared = Rc::downgrade(&shared);
            Closure::<dyn FnMut(web_sys::Event)>::new(move |_| {
                if let Some(shared) = shared.upgrade() {
                    shared.end(STOPPED);
                }
            })
        };
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        worker.set_onerror(Some(faults.as_ref().unchecked_ref()));
        let watched = Rc::downgrade(&shared);
        let watch = Interval::new(1_000, move || Shared::watch(&watched));
        Ok(Rc::new(Self { shared, _listener: listener, _faults: faults, _watch: watch }))
    }

    /// Sends a request, as soon as the session is open. `then` is called with the answer, and with `None` if the worker
    /// has stopped.
    pub(super) fn ask(&self, request: &Request, then: OnAnswer) {
        let shared = &self.shared;
        if shared.phase.get() == Phase::Stopped {
            return then(None);
        }
        let id = shared.asked.get() + 1;
        shared.asked.set(id);
        if shared.waiting.borrow().is_empty() {
            shared.silent.set(0);
        }
        shared.waiting.borrow_mut().insert(id, then);
        let question = Uint8Array::from(wire::encode(request).as_slice());
        let question = Array::of2(&id.into(), &question);
        if shared.phase.get() == Phase::Open {
            let _gone = shared.worker.post_message(&question);
        } else {
            shared.early.borrow_mut().push(question);
        }
    }
}

impl Content {
    /// Its size in bytes; 0 for a sample.
    pub(super) fn size(&self) -> f64 {
        match self {
            Self::Sample(_) => 0.0,
            Self::File(file) => file.size(),
        }
    }

    /// What the worker is sent.
    fn body(&self) -> JsValue {
        match self {
            Self::Sample(sample) => sample.id.into(),
            Self::File(file) => file.into(),
        }
    }
}

impl Shared {
    fn hear(&self, message: &Array, (body, name, read_as): (&JsValue, &str, ReadAs)) {
        self.silent.set(0);
        let id = message.get(0).as_f64().unwrap_or_default() as u32;
        let tag = message.get(1).as_f64().unwrap_or_default() as u8;
        // Messages of the worker's script have no body.
        let bytes = match message.get(2) {
            bytes if bytes.is_undefined() => Vec::new(),
            bytes => Uint8Array::new(&bytes).to_vec(),
        };
        match tag {
            READY => {
                self.phase.set(Phase::Reading);
                let [name, read_as] = [name, read_as.name()].map(JsValue::from_str);
                let _gone = self.worker.post_message(&Array::of4(&0.into(), body, &name, &read_as));
            }
            PROGRESS => {
                let read = bytes.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                (self.on_event)(WorkerEvent::Progress(read as f64));
            }
            OPENED => match wire::decode::<Result<Overview, UserError>>(&bytes) {
                Some(Ok(opened)) => {
                    self.phase.set(Phase::Open);
                    for question in self.early.take() {
                        let _gone = self.worker.post_message(&question);
                    }
                    (self.on_event)(WorkerEvent::Opened(opened));
                }
                Some(Err(problem)) => (self.on_event)(WorkerEvent::Failed(problem)),
                None => self.end(STOPPED),
            },
            ANSWER => {
                let then = self.waiting.borrow_mut().remove(&id);
                if let Some((then, answer)) = then.zip(wire::decode(&bytes)) {
                    then(Some(answer));
                }
            }
            LOADING => {}
            _ => self.end(STOPPED),
        }
    }

    /// Called every second: counts the silence of a worker that owes a message.
    fn watch(this: &Weak<Self>) {
        let Some(shared) = this.upgrade() else { return };
        let is_due = match shared.phase.get() {
            Phase::Stopped => false,
            Phase::Open => !shared.waiting.borrow().is_empty(),
            Phase::Loading | Phase::Reading => true,
        };
        shared.silent.set(if is_due { shared.silent.get() + 1 } else { 0 });
        if shared.silent.get() > shared.patience {
            // Later, because the handler may drop the timer that is calling this function.
            Timeout::new(0, move || shared.end(SILENT)).forget();
        }
    }

    /// Ends the worker: first answers all pending requests with `None`, then reports the event.
    fn end(&self, message: &str) {
        let phase = self.phase.replace(Phase::Stopped);
        self.worker.terminate();
        let problem = UserError::from_page("worker", message);
        let waiting: Vec<_> = self.waiting.borrow_mut().drain().collect();
        for (_, then) in waiting {
            then(None);
        }
        match phase {
            Phase::Stopped => {}
            Phase::Loading => (self.on_event)(WorkerEvent::Failed(not_fetched())),
            Phase::Reading => (self.on_event)(WorkerEvent::Failed(problem)),
            Phase::Open => (self.on_event)(WorkerEvent::Lost(problem)),
        }
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        self.shared.phase.set(Phase::Stopped);
        self.shared.worker.set_onmessage(None);
        self.shared.worker.set_onerror(None);
        self.shared.worker.terminate();
    }
}

const STOPPED: &str = "The worker that reads and plans stopped.";
const SILENT: &str = "The worker that reads and plans does not answer any more.";

fn not_fetched() -> UserError {
    UserError::from_page(
        "worker",
        "The part of the page that reads and writes files could not be fetched. It comes from where the page came from: \
         is there a connection? Then try again.",
    )
}

/// The error of a browser that does not start workers.
pub(super) fn not_started() -> UserError {
    UserError::from_page("worker", "The browser would not start the worker that reads and writes files.")
}
