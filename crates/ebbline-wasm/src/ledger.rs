//! The growing session: messages come as records, decisions leave as numbers.
//!
//! A decision is so many doubles at [`Ledger::figures`], read through a view of the module's memory: those of
//! [`ebbline::binding::figures`]. Their reader in JavaScript is written by `cargo xtask gen`.

use ebbline::plan::Decision;
use ebbline::transcript::Turn;
use ebbline::{Error, PlanOptions};
use ebbline_compactor::binding::Context;
use ebbline_wasm_shared::{EbblineError, known, or_negative, plan_options};
use wasm_bindgen::prelude::*;

use crate::policy::Policy;

/// How many figures a decision is.
const FIGURES: usize = ebbline::binding::FIGURES;

/// How many words the ledger's own lists take for each word of records, while they grow, the room for the words included.
const BOOKS: usize = 6;
/// How many words of room are kept.
const LARGEST_ROOM: usize = 1 << 16;

/// A session that grows under one policy.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Ledger {
    inner: ebbline::Session,
    figures: Box<[f64; FIGURES]>,
    /// Where JavaScript writes the words of new messages.
    room: Vec<u32>,
}

#[wasm_bindgen]
impl Ledger {
    /// A ledger without messages.
    #[wasm_bindgen(constructor)]
    pub fn new(policy: &Policy) -> Self {
        let inner = ebbline::Session::new(&policy.inner);
        Self { inner, figures: Box::new([0.0; FIGURES]), room: Vec::new() }
    }

    /// Registers the next tool that records will number: the first is number 1.
    pub fn tool(&mut self, name: &str) {
        ebbline::binding::register_tool(&mut self.inner, name);
    }

    /// Makes room for `count` words and says where it lies in the module's memory; it moves when more is asked for.
    pub fn room(&mut self, count: usize) -> Result<usize, EbblineError> {
        let more = count.saturating_sub(self.room.len());
        if count > LARGEST_ROOM {
            // What is made of so many words fills many lists, each of which grows several times. JavaScript collects its
            // garbage whenever the module's memory grows: it shall do so once.
            let mut books = Vec::<u32>::new();
            std::hint::black_box(books.try_reserve_exact(count.saturating_mul(BOOKS)).is_ok());
        }
        self.room.try_reserve(more).map_err(|_| EbblineError::out_of_memory(count.saturating_mul(4)))?;
        self.room.resize(count.max(self.room.len()), 0);
        Ok(self.room.as_ptr() as usize)
    }

    /// Adds the messages of the first `count` words of the room.
    pub fn push(&mut self, count: usize) -> Result<(), EbblineError> {
        let pushed = ebbline::binding::extend(&mut self.inner, self.room.get(..count).unwrap_or_default());
        // A long session that was brought in at once needs no room of that size again.
        if count > LARGEST_ROOM {
            self.room = Vec::new();
        }
        Ok(pushed?)
    }

    /// Forgets all but the first `messages` messages.
    pub fn truncate(&mut self, messages: usize) {
        self.inner.truncate(messages);
    }

    /// Where the figures of the decision made last lie in the module's memory, as doubles. They never move.
    #[wasm_bindgen(getter)]
    pub fn figures(&self) -> usize {
        self.figures.as_ptr() as usize
    }

    /// Decides; the figures then hold the decision.
    pub fn decide(&mut self, force: bool, known_tokens: f64, overhead: f64, idle: f64, changed_at: f64) {
        let decision = self.inner.decide(plan_options(force, known_tokens, overhead, idle, changed_at));
        *self.figures = ebbline::binding::figures(&decision);
    }

    /// Says that the context changes to `messages` messages. Returns what is remembered of the tokens sent beside the
    /// messages; a negative number when nothing is known.
    #[wasm_bindgen(js_name = changesTo)]
    pub fn changes_to(&mut self, messages: usize) -> f64 {
        or_negative(ebbline::binding::changes_to(&mut self.inner, messages))
    }

    /// What the ledger knows of the tokens sent beside the messages and a plan of the messages alone does not learn; a
    /// negative number for nothing.
    #[wasm_bindgen(js_name = knownOverhead)]
    pub fn known_overhead(&mut self) -> f64 {
        or_negative(ebbline::binding::known_overhead(&mut self.inner))
    }

    /// Remembers what another ledger knew when the context became what its first `messages` messages are.
    pub fn recall(&mut self, overhead: f64, messages: usize) {
        ebbline::binding::recall(&mut self.inner, known(overhead), messages);
    }

    /// The whole plan as JSON, from the same sums as the decision.
    pub fn plan(
        &mut self,
        force: bool,
        known_tokens: f64,
        overhead: f64,
        idle: f64,
        changed_at: f64,
    ) -> String {
        self.inner.plan(plan_options(force, known_tokens, overhead, idle, changed_at)).to_json()
    }

    /// The outputs that the plan cuts, oldest first, six words each ([`ebbline::binding::cut`]).
    pub fn cut(&mut self) -> Vec<u32> {
        ebbline::binding::cut(&mut self.inner)
    }

    /// The outputs that the plan prunes or cuts, oldest first: message, part, message, part …
    pub fn pruned(&mut self) -> Vec<u32> {
        let pruned = self.inner.pruned();
        pruned.into_iter().flat_map(|(message, part)| [message as u32, part as u32]).collect()
    }
}

/// What the course of a call sees of a ledger.
#[derive(Debug)]
pub(crate) struct Seen<'l> {
    pub(crate) session: &'l mut ebbline::Session,
    changed_at: Option<usize>,
}

impl Ledger {
    /// What the course of a call sees; the messages became what they are when there were `changed_at` of them.
    pub(crate) fn seen(&mut self, changed_at: f64) -> Seen<'_> {
        Seen { session: &mut self.inner, changed_at: known(changed_at).map(|messages| messages as usize) }
    }

    /// The context window.
    pub(crate) fn window(&self) -> Option<u64> {
        ebbline::binding::window(&self.inner)
    }
}

impl Context for Seen<'_> {
    fn decide(&mut self, options: PlanOptions) -> Decision {
        self.session.decide(options)
    }

    fn plan(&mut self, options: PlanOptions) -> Result<Decision, Error> {
        Ok(self.session.decide(options))
    }

    fn plan_without_summary(&mut self, options: PlanOptions) -> Result<Decision, Error> {
        Ok(ebbline::binding::decide_without_summary(self.session, options))
    }

    fn estimates(&mut self) -> (u64, u64) {
        ebbline::binding::estimates(self.session)
    }

    fn window(&self) -> Option<u64> {
        ebbline::binding::window(self.session)
    }

    fn changed_at(&self) -> Option<usize> {
        self.changed_at
    }

    fn counts(&self) -> (usize, usize) {
        let messages = self.session.transcript().messages();
        (messages.len(), messages.iter().filter(|message| message.turn == Turn::Person).count())
    }
}
