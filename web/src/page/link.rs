//! The way to the session: a desk in the page for the sample, a worker for every file. Both are asked alike.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use ebbline_web::desk::{Answer, Ask, Desk, Opened};
use ebbline_web::error_text::Trouble;
use ebbline_web::read_as::ReadAs;
use ebbline_web::sample::{self, Sample};
use ebbline_web::wire::{self, ANSWER, OPENED, PROGRESS, READY};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::browser;

type Then = Box<dyn FnOnce(Answer)>;

/// Where the session is.
#[derive(Clone)]
pub(super) enum Link {
    /// The sample's, in the page.
    Here(Rc<AtHand>),
    /// In a worker.
    There(Rc<Remote>),
}

impl Link {
    /// Asks; `then` is called with the answer, at once when the page itself has it.
    pub(super) fn ask(&self, ask: &Ask, then: impl FnOnce(Answer) + 'static) {
        match self {
            Self::Here(at_hand) => match at_hand.desk.answer(ask) {
                Some(answer) => then(answer),
                None => at_hand.pass_on(ask, Box::new(then)),
            },
            Self::There(remote) => remote.ask(ask, Box::new(then)),
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
            return then(Answer::Exported(Err(not_started())));
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
            News::Failed(trouble) => {
                // The next question tries again.
                let Self { remote, waiting, .. } = this.take();
                drop(remote);
                if let Some((_, then)) = waiting {
                    then(Answer::Exported(Err(trouble)));
                }
            }
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
        let is_ready = Rc::new(Cell::new(false));
        let listener = {
            let is_ready = Rc::clone(&is_ready);
            let (worker, waiting, news) = (worker.clone(), Rc::clone(&waiting), Rc::clone(&news));
            let (file, name) = (file.clone(), name.to_owned());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let message: Array = event.data().unchecked_into();
                let id = message.get(0).as_f64().unwrap_or_default() as u32;
                let tag = message.get(1).as_f64().unwrap_or_default() as u8;
                let body = Uint8Array::new(&message.get(2)).to_vec();
                match tag {
                    READY => {
                        is_ready.set(true);
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
                    _ => news(News::Failed(not_fetched())),
                }
            })
        };
        let faults = Closure::<dyn FnMut(web_sys::Event)>::new(move |_| {
            news(News::Failed(if is_ready.get() { broken() } else { not_fetched() }));
        });
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        worker.set_onerror(Some(faults.as_ref().unchecked_ref()));
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
        "The worker that reads files stopped. The session on screen is as it was; try the file again.",
    )
}

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
