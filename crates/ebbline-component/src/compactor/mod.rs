//! The resource `compactor`: carries out what the engine's controller says, before each request of an agent.

mod asking;
mod background;
mod carrying;
mod cause;
mod figures;
mod glob;
mod introduction;
mod overhead;
mod parts;
mod pins;
mod record;
mod settings;
mod store;
mod told;
mod view;
mod when;
mod work;

use std::cell::RefCell;

use crate::bindings::api::{self, Failure, GuestCompactor};
use crate::options::{OF_COMPACTORS, parsed};
use crate::session::{decision, elements};
use cause::Cause;
pub(crate) use introduction::known as introductions;
pub(crate) use pins::Pins;
use settings::Settings;
use work::Work;

/// Keeps a session inside its context window.
#[derive(Debug)]
pub(crate) struct Keeper(RefCell<Work>);

impl Keeper {
    /// Works towards what is to be sent. Once nothing is asked for any more, it says so if that exceeds the window.
    fn towards(
        &self,
        work: impl FnOnce(&mut Work) -> Result<Option<String>, Failure>,
    ) -> Result<Option<String>, Failure> {
        let mut kept = self.0.borrow_mut();
        let asked = work(&mut kept)?;
        if asked.is_none() {
            kept.warn();
        }
        Ok(asked)
    }
}

impl GuestCompactor for Keeper {
    fn open(options: String) -> Result<api::Compactor, Failure> {
        let given = parsed(&options, OF_COMPACTORS)?;
        let work = Work::new(Settings::read(given.root())?)?;
        Ok(api::Compactor::new(Self(RefCell::new(work))))
    }

    fn pin(&self, rule: u32, messages: Vec<u32>) -> Result<(), Failure> {
        Ok(self.0.borrow_mut().pin(rule, &messages)?)
    }

    fn prepare(
        &self,
        keep: u32,
        added: String,
        idle: Option<u64>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        let added = elements(&added)?;
        self.towards(|work| {
            if work.take(keep as usize, added)? {
                work.answered();
            }
            work.prepare(idle, now)
        })
    }

    fn overflowed(&self, words: String) -> Result<(), Failure> {
        self.0.borrow_mut().overflowed(&words)
    }

    fn recover(&self, keep: u32, added: String, now: Option<u64>) -> Result<Option<String>, Failure> {
        let added = elements(&added)?;
        self.towards(|work| {
            work.take(keep as usize, added)?;
            work.forced(Cause::Overflow, None, now)
        })
    }

    fn compact_now(
        &self,
        keep: u32,
        added: String,
        focus: Option<String>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        let mut work = self.0.borrow_mut();
        work.take(keep as usize, elements(&added)?)?;
        work.forced(Cause::Asked, focus, now)
    }

    fn allow(&self, wish: Option<String>) -> Result<Option<String>, Failure> {
        self.towards(|work| work.allow(wish.as_deref()))
    }

    fn answer(&self, text: String, truncated: bool) -> Result<Option<String>, Failure> {
        self.towards(|work| work.answer(&text, truncated))
    }

    fn give_up(&self, why: String) -> Result<Option<String>, Failure> {
        self.towards(|work| work.give_up(&why))
    }

    fn is_wanted(&self) -> bool {
        self.0.borrow().wants()
    }

    fn stored(&self, texts: u32) -> Result<Option<String>, Failure> {
        self.towards(|work| work.stored(texts as usize))
    }

    fn lacks(&self) -> String {
        self.0.borrow().lacks()
    }

    fn found(&self, texts: String) -> Result<(), Failure> {
        self.0.borrow_mut().found(&texts)
    }

    fn cancel(&self) {
        self.0.borrow_mut().cancel();
    }

    fn view(&self) -> String {
        self.0.borrow().sent()
    }

    fn restored(&self) -> Option<String> {
        self.0.borrow().restored()
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

    fn recall(&self, id: String) -> Result<Option<String>, Failure> {
        self.0.borrow().recall(&id)
    }

    fn record(&self) -> String {
        self.0.borrow().record()
    }

    fn events(&self) -> String {
        self.0.borrow_mut().told()
    }
}
