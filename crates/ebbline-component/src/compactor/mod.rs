//! The resource `compactor`: carries out what the engine's controller says, before each request of an agent.

mod settings;
mod view;
mod work;

use std::cell::RefCell;

use ebbline::Error;
use ebbline::json::Writer;

use crate::bindings::api::{self, Failure, GuestCompactor};
use crate::options::{OF_COMPACTORS, parsed};
use crate::session::{decision, elements};
use settings::Settings;
use work::{Cause, Work};

/// Keeps a session inside its context window.
#[derive(Debug)]
pub(crate) struct Keeper(RefCell<Work>);

impl GuestCompactor for Keeper {
    fn open(options: String) -> Result<api::Compactor, Failure> {
        let given = parsed(&options, OF_COMPACTORS)?;
        let work = Work::new(Settings::read(given.root())?);
        Ok(api::Compactor::new(Self(RefCell::new(work))))
    }

    fn prepare(
        &self,
        keep: u32,
        added: String,
        idle: Option<u64>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        let mut work = self.0.borrow_mut();
        if work.take(keep as usize, &elements(&added)?)? {
            work.answered();
        }
        work.prepare(idle, now)
    }

    fn recover(&self, keep: u32, added: String, now: Option<u64>) -> Result<Option<String>, Failure> {
        let mut work = self.0.borrow_mut();
        work.take(keep as usize, &elements(&added)?)?;
        work.forced(Cause::Overflow, None, now)
    }

    fn compact_now(
        &self,
        keep: u32,
        added: String,
        focus: Option<String>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        let mut work = self.0.borrow_mut();
        work.take(keep as usize, &elements(&added)?)?;
        work.forced(Cause::Asked, focus, now)
    }

    fn answer(&self, text: String, truncated: bool) -> Result<Option<String>, Failure> {
        self.0.borrow_mut().answer(&text, truncated)
    }

    fn give_up(&self, why: String) -> Result<Option<String>, Failure> {
        self.0.borrow_mut().give_up(&why)
    }

    fn cancel(&self) {
        self.0.borrow_mut().cancel();
    }

    fn view(&self) -> String {
        self.0.borrow().view().to_json()
    }

    fn known(&self) -> u32 {
        self.0.borrow().view().log() as u32
    }

    fn changes(&self) -> u32 {
        self.0.borrow().view().changes()
    }

    fn usage(&self, tokens: u64) {
        self.0.borrow_mut().usage(tokens);
    }

    fn decide(&self) -> api::Decision {
        decision(&self.0.borrow_mut().decide(None))
    }

    fn undo(&self) -> Result<bool, Failure> {
        Ok(self.0.borrow_mut().turn(false)?)
    }

    fn redo(&self) -> Result<bool, Failure> {
        Ok(self.0.borrow_mut().turn(true)?)
    }

    fn events(&self) -> String {
        let mut out = Writer::default();
        for (at, event) in self.0.borrow_mut().told().into_iter().enumerate() {
            out.raw(if at == 0 { "[" } else { "," }).raw(&event);
        }
        let written = out.finish();
        if written.is_empty() { "[]".to_owned() } else { written + "]" }
    }
}

/// What happened, as JSON.
fn event(kind: &str, cause: Cause, write: impl FnOnce(&mut Writer)) -> String {
    let mut out = Writer::default();
    out.raw("{\"type\":").string(kind).raw(",\"cause\":").string(cause.as_str());
    write(&mut out);
    out.raw("}");
    out.finish()
}

/// An error as members of an event.
fn write_error(error: &Failure, out: &mut Writer) {
    out.raw(",\"code\":").string(&error.code).raw(",\"message\":").string(&error.message);
}

/// The failure of an error, as the engine has it.
fn failed(error: Error) -> Failure {
    Failure::from(error)
}
