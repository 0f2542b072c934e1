//! The way to the session: a desk in the page for the sample, a worker for every file. Both are asked alike.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use ebbline_web::desk::{Answer, Ask, Desk, Opened};
use ebbline_web::error_text::Trouble;
use ebbline_web::read_as::ReadAs;
use ebbline_web::sample::{self, Sample};
use ebbline_web::wire::{self, ANSWER, COMING, OPENED, PROGRESS, READY};
use gloo::timers::callback::{Interval, Timeout};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::browser;

/// What is done with an answer; there is none when the worker is gone.
pub(super) type Then = Box<dyn FnOnce(Option<Answer>)>;

/// Where the session is.
#[derive(Clone)]
pub(super) enum Link {
    /// The sample's, in the page.
    Here(Rc<AtHand>),
    /// In a worker.
    There(Rc<Remote>),
}

impl Link {
    /// Asks; `then` is called with the answer, at once when the page itself has it, and without one when the worker is
    /// gone.
    pub(super) fn ask(&self, ask: &Ask, then: Then) {
        match self {
            Self::Here(at_hand) => match at_hand.desk.answer(ask) {
                Some(answer) => then(Some(answer)),
                None => at_hand.pass_on(ask, then),
            },
            Self::There(remote) => remote.ask(ask, then),
        }
    }
}

/// The sample in the page. What the page's program cannot make of it, a worker makes that has read the same text.
pub(super) struct AtHand {
    desk: Desk<Sample>,
    worker: Rc<RefCell<Helper>>,
}

/// The sample's worker, which is started when something of the sample is taken home.
#[derive(Default)]
struct Helper {
    remote: Option<Rc<Remote>>,
    is_open: bool,
    /// The newest question, until the worker can be asked.
    waiting: Option<(Ask, Then)>,
}

impl AtHand {
    pub(super) fn new(desk: Desk<Sample>) -> Self {
        Self { desk, worker: Rc::default() }
    }

    fn pass_on(&self, ask: &Ask, then: Then) {
        let mut worker = self.worker.borrow_mut();
        if let Some(remote) = worker.remote.as_ref().filter(|_| worker.is_open) {
            return remote.ask(ask, then);
        }
        worker.waiting = Some((ask.clone(), then));
        if worker.remote.is_some() {
            return;
        }
        let news = {
            let worker = Rc::downgrade(&self.worker);
            move |news: News| {
                if let Some(worker) = worker.upgrade() {
                    Helper::take(&worker, news);
                }
            }
        };
        let text = browser::blob(ebbline_web::content::Content::source(self.desk.content()));
        let started = text.and_then(|text| Remote::open(&text, sample::NAME, ReadAs::default(), news).ok());
        if started.is_none()
            && let Some((_, then)) = worker.waiting.take()
        {
            drop(worker);
            return then(Some(Answer::Exported(Err(not_started()))));
        }
        worker.remote = started;
    }
}

impl Helper {
    fn take(this: &RefCell<Self>, news: News) {
        match news {
            News::Read(_) => {}
            News::Opened(_) => {
                let mut worker = this.borrow_mut();
                worker.is_open = true;
                if let Some((ask, then)) = worker.waiting.take()
                    && let Some(remote) = &worker.remote
                {
                    remote.ask(&ask, then);
                }
            }
            News::Failed(trouble) | News::Lost(trouble) => {
                // The next question tries again.
                let Self { remote, waiting, .. } = this.take();
                drop(remote);
                if let Some((_, then)) = waiting {
                    then(Some(Answer::Exported(Err(trouble))));
                }
            }
        }
    }
}

/// A worker that keeps a session. It ends when it is dropped.
pub(super) struct Remote {
    shared: Rc<Shared>,
    _listener: Closure<dyn FnMut(MessageEvent)>,
    _faults: Closure<dyn FnMut(web_sys::Event)>,
    _watch: Interval,
}

/// What the page knows of a worker.
struct Shared {
    worker: Worker,
    news: Box<dyn Fn(News)>,
    phase: Cell<Phase>,
    asked: Cell<u32>,
    waiting: RefCell<HashMap<u32, Then>>,
    /// For how many seconds nothing has been heard although something is to come, and how many are too many.
    silent: Cell<u32>,
    patience: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Its program is being fetched.
    Coming,
    /// It reads the file.
    Reading,
    /// It answers.
    Open,
    /// It is gone.
    Gone,
}

/// What a worker tells while it opens a file, and when it stops.
pub(super) enum News {
    /// So many bytes have been read.
    Read(f64),
    /// The session is open.
    Opened(Opened),
    /// It could not be opened.
    Failed(Trouble),
    /// The worker of an open session is gone.
    Lost(Trouble),
}

/// A worker that is silent for so many seconds is taken for dead; one more for each [`SLOWEST`] bytes of the file.
const PATIENCE: u32 = 10;
/// What a slow machine reads and plans in a second, in bytes.
const SLOWEST: f64 = 5_000_000.0;

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
        let shared = Rc::new(Shared {
            worker: worker.clone(),
            news: Box::new(news),
            phase: Cell::new(Phase::Coming),
            asked: Cell::new(0),
            waiting: RefCell::default(),
            silent: Cell::new(0),
            patience: PATIENCE + (file.size() / SLOWEST) as u32,
        });
        let listener = {
            let (shared, file, name) = (Rc::downgrade(&shared), file.clone(), name.to_owned());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                if let Some(shared) = shared.upgrade() {
                    shared.hear(&event.data().unchecked_into(), (&file, &name, read_as));
                }
            })
        };
        let faults = {
            let shared = Rc::downgrade(&shared);
            Closure::<dyn FnMut(web_sys::Event)>::new(move |_| {
                if let Some(shared) = shared.upgrade() {
                    shared.end(STOPPED_SAYS);
                }
            })
        };
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        worker.set_onerror(Some(faults.as_ref().unchecked_ref()));
        let watched = Rc::downgrade(&shared);
        let watch = Interval::new(1_000, move || Shared::watch(&watched));
        Ok(Rc::new(Self { shared, _listener: listener, _faults: faults, _watch: watch }))
    }

    fn ask(&self, ask: &Ask, then: Then) {
        let shared = &self.shared;
        if shared.phase.get() == Phase::Gone {
            return then(None);
        }
        let id = shared.asked.get() + 1;
        shared.asked.set(id);
        if shared.waiting.borrow().is_empty() {
            shared.silent.set(0);
        }
        shared.waiting.borrow_mut().insert(id, then);
        let question = Uint8Array::from(wire::from_ask(ask).as_slice());
        let _gone = shared.worker.post_message(&Array::of2(&id.into(), &question));
    }
}

impl Shared {
    fn hear(&self, message: &Array, (file, name, read_as): (&Blob, &str, ReadAs)) {
        self.silent.set(0);
        let id = message.get(0).as_f64().unwrap_or_default() as u32;
        let tag = message.get(1).as_f64().unwrap_or_default() as u8;
        // What the script itself tells has no body.
        let body = match message.get(2) {
            body if body.is_undefined() => Vec::new(),
            body => Uint8Array::new(&body).to_vec(),
        };
        match tag {
            READY => {
                self.phase.set(Phase::Reading);
                let [name, read_as] = [name, read_as.name()].map(JsValue::from_str);
                let _gone = self.worker.post_message(&Array::of4(&0.into(), file, &name, &read_as));
            }
            PROGRESS => {
                let read = body.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                (self.news)(News::Read(read as f64));
            }
            OPENED => match wire::to_opened(&body) {
                Some(Ok(opened)) => {
                    self.phase.set(Phase::Open);
                    (self.news)(News::Opened(opened));
                }
                Some(Err(trouble)) => (self.news)(News::Failed(trouble)),
                None => self.end(STOPPED_SAYS),
            },
            ANSWER => {
                let then = self.waiting.borrow_mut().remove(&id);
                if let Some((then, answer)) = then.zip(wire::to_answer(&body)) {
                    then(Some(answer));
                }
            }
            COMING => {}
            _ => self.end(STOPPED_SAYS),
        }
    }

    /// A second has passed.
    fn watch(this: &Weak<Self>) {
        let Some(shared) = this.upgrade() else { return };
        let is_due = match shared.phase.get() {
            Phase::Gone => false,
            Phase::Open => !shared.waiting.borrow().is_empty(),
            Phase::Coming | Phase::Reading => true,
        };
        shared.silent.set(if is_due { shared.silent.get() + 1 } else { 0 });
        if shared.silent.get() > shared.patience {
            // Not in here: whoever hears of it may drop the timer that is calling.
            Timeout::new(0, move || shared.end(SILENT_SAYS)).forget();
        }
    }

    /// The worker is gone: those who wait are told, and then everybody.
    fn end(&self, says: &str) {
        let phase = self.phase.replace(Phase::Gone);
        self.worker.terminate();
        let trouble = Trouble::of_page("worker", says);
        let waiting: Vec<_> = self.waiting.borrow_mut().drain().collect();
        for (_, then) in waiting {
            then(None);
        }
        match phase {
            Phase::Gone => {}
            Phase::Coming => (self.news)(News::Failed(not_fetched())),
            Phase::Reading => (self.news)(News::Failed(trouble)),
            Phase::Open => (self.news)(News::Lost(trouble)),
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.shared.phase.set(Phase::Gone);
        self.shared.worker.set_onmessage(None);
        self.shared.worker.set_onerror(None);
        self.shared.worker.terminate();
    }
}

/// What is said of a worker that has told of its end, and of one that is silent.
const STOPPED_SAYS: &str = "The worker that reads and plans stopped.";
const SILENT_SAYS: &str = "The worker that reads and plans does not answer any more.";

fn not_fetched() -> Trouble {
    Trouble::of_page(
        "worker",
        "The part of the page that reads and writes files could not be fetched. It comes from where the page came from: \
         is there a connection? Then try again.",
    )
}

/// The browser starts no workers.
pub(super) fn not_started() -> Trouble {
    Trouble::of_page("worker", "The browser would not start the worker that reads and writes files.")
}
