//! Where messages are divided that have more tokens than a request for a summary may have.
//!
//! The messages are divided, not the text of the request. So the engine writes every request: it shortens each part by its own
//! budget, quotes the user's open request only in the last one, and hands an earlier summary on in its own section. Text that was
//! divided here would need these rules a second time, and whoever writes into a transcript could forge them.

use std::ops::Range;

use ebbline::json::Writer;
use ebbline::plan::{Fate, MessagePlan};
use ebbline::summary::SummaryOptions;
use ebbline::{Error, ErrorCode, Format, Plan};

use crate::texts::{LiveMessages, MessageText};

/// The most parts that a summary is written in.
const MOST_PARTS: usize = 64;
/// The share of a request's budget that a part may fill: the summary of the parts before stands beside it.
const SHARE: f64 = 0.75;
/// From so many budgets on, one request would have to leave out or cut too much.
const MOST_BUDGETS: u64 = 2;
/// What a request is made with that leaves nothing out.
pub(crate) const BOUNDLESS: u64 = 1 << 40;

/// Messages in parts.
#[derive(Clone, Debug)]
pub(crate) struct ChunkedMessages {
    pub(crate) texts: Vec<MessageText>,
    pub(crate) format: Format,
    /// For each part, the first message behind it, and how many messages it is asked for with, which the next one belongs to:
    /// it shows how the part ends.
    pub(crate) cuts: Vec<(usize, usize)>,
}

impl ChunkedMessages {
    /// The messages that part `at` is asked for with.
    pub(crate) fn part(&self, at: usize) -> &[MessageText] {
        let from = at.checked_sub(1).and_then(|before| self.cuts.get(before)).map_or(0, |(bound, _)| *bound);
        let to = self.cuts.get(at).map_or(from, |(_, behind)| *behind);
        self.texts.get(from..to).unwrap_or_default()
    }

    /// The messages that part `at` has and the part before was not asked for with.
    pub(crate) fn newer(&self, at: usize) -> &[MessageText] {
        let from =
            at.checked_sub(1).and_then(|before| self.cuts.get(before)).map_or(0, |(_, behind)| *behind);
        let to = self.cuts.get(at).map_or(from, |(_, behind)| *behind);
        self.texts.get(from..to).unwrap_or_default()
    }
}

/// Whether one request would have to leave out or cut much: the messages have more than twice the tokens that it may have.
#[must_use]
pub fn is_too_much(summarized: u64, budget: u64) -> bool {
    summarized > MOST_BUDGETS.saturating_mul(budget)
}

/// Where messages are divided: parts are tried by a host, which says what it found.
#[derive(Clone, Debug)]
pub struct Division {
    weights: Vec<Weight>,
    boundary: usize,
    summarized: u64,
    /// What a part may have of a request, and the tokens that it should have.
    room: f64,
    size: f64,
    /// The messages in front of which parts may end, newest first.
    targets: Vec<usize>,
    bounds: Vec<usize>,
}

/// What a message is to a division.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// Whether it is summarized.
    pub is_summarized: bool,
    /// Whether it is sent.
    pub is_active: bool,
    /// Its tokens.
    pub tokens: u64,
}

impl Division {
    /// The division of messages of which `summarized` tokens in front of the boundary are summarized; a request may have `budget` tokens.
    #[must_use]
    pub fn new(weights: Vec<Weight>, boundary: usize, summarized: u64, budget: u64) -> Self {
        let room = budget as f64 * SHARE;
        let size = room.min(summarized as f64 / 2.0);
        let (targets, bounds) = (Vec::new(), Vec::new());
        let mut division = Self { weights, boundary, summarized, room, size, targets, bounds };
        while division.found_targets().len() > MOST_PARTS {
            division.size = (division.size + 1.0) * 1.25;
        }
        division.begin();
        division
    }

    /// The most tokens of a request for a part that is tried.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.room as u64
    }

    /// The messages of the part that is tried next; nothing if there is none.
    pub fn next_part(&mut self) -> Option<Range<usize>> {
        let from = self.bounds.last().copied().unwrap_or(0);
        while self.size >= self.summarized as f64 / MOST_PARTS as f64 {
            let wanted = self.targets.pop()?;
            if wanted > from {
                return Some(from..self.behind(wanted));
            }
        }
        None
    }

    /// So many messages of the part that was tried are worth a request.
    pub fn found(&mut self, messages: usize) {
        self.bounds.push(self.bounds.last().copied().unwrap_or(0) + messages);
    }

    /// The request for the part that was tried is too large. Many short messages take more room in a request than they have tokens.
    pub fn too_large(&mut self) {
        self.size /= 2.0;
        self.begin();
    }

    /// For each part, the first message behind it, and how many messages it is asked for with; nothing if they cannot be divided.
    #[must_use]
    pub fn cuts(&self) -> Option<Vec<(usize, usize)>> {
        let mut bounds = self.bounds.clone();
        // The last part has nothing that is worth a request: it belongs to the one before.
        *bounds.last_mut()? = self.boundary;
        let is_divided = (2..=MOST_PARTS).contains(&bounds.len());
        is_divided.then(|| bounds.into_iter().map(|bound| (bound, self.behind(bound))).collect())
    }

    fn begin(&mut self) {
        self.bounds.clear();
        self.targets = self.found_targets();
        self.targets.reverse();
    }

    /// The messages in front of which a part has its size, and the boundary of the plan.
    fn found_targets(&self) -> Vec<usize> {
        let (mut found, mut tokens) = (Vec::new(), 0);
        for (at, weight) in self.weights.iter().enumerate().take(self.boundary) {
            if !weight.is_summarized {
                continue;
            }
            if tokens > 0 && (tokens + weight.tokens) as f64 > self.size {
                found.push(at);
                tokens = 0;
            }
            tokens += weight.tokens;
        }
        found.push(self.boundary);
        found
    }

    /// How many messages a part is asked for with: those before its boundary, and the first behind it, which shows how the part ends.
    fn behind(&self, bound: usize) -> usize {
        let mut rest = self.weights.iter().skip(bound);
        let next = rest.position(|weight| weight.is_active && weight.tokens > 0);
        next.map_or(self.weights.len(), |next| bound + next + 1)
    }
}

/// The messages that a plan summarizes, in parts. Every part by itself gives a request that fits, and no call is parted from its
/// result. `None` if they cannot be divided.
///
/// # Errors
///
/// As [`LiveMessages::portion`].
pub(crate) fn divide(
    live: &LiveMessages,
    texts: &[MessageText],
    format: Format,
    plan: &Plan,
    budget: u64,
) -> Result<Option<ChunkedMessages>, Error> {
    let retain = &plan.decision.retain;
    // Where a format stores its messages in another order, or appends a summary, a beginning of the list is no beginning of the
    // session.
    let Some(boundary) =
        retain.boundary.filter(|_| format != Format::Opencode && plan.messages.len() == texts.len())
    else {
        return Ok(None);
    };
    let weight = |message: &MessagePlan| Weight {
        is_summarized: message.fate == Fate::Summarized,
        is_active: message.fate != Fate::Inactive,
        tokens: message.tokens_before,
    };
    let weights = plan.messages.iter().map(weight).collect();
    let mut division = Division::new(weights, boundary, retain.summarized, budget);
    while let Some(part) = division.next_part() {
        let (portion, found) = live.portion(texts.get(part).unwrap_or_default(), format)?;
        let retain = &found.decision.retain;
        let Some(boundary) = retain.boundary.filter(|boundary| retain.applied && *boundary > 0) else {
            continue;
        };
        let options = SummaryOptions::new().budget_tokens(division.budget());
        match portion.session.summary_request(&found, &options) {
            Err(error) if error.kind() == ErrorCode::BudgetTooSmall => division.too_large(),
            Err(error) => return Err(error),
            Ok(Some(_)) => division.found(boundary),
            Ok(None) => {}
        }
    }
    Ok(division.cuts().map(|cuts| ChunkedMessages { texts: texts.to_vec(), format, cuts }))
}

/// The summaries of all parts, in order, as messages of which one summary is written: a JSON array.
#[must_use]
pub fn joined_summaries(summaries: &[String]) -> String {
    let said = summaries.iter().enumerate().map(|(at, summary)| {
        format!("Summary of part {} of {} of the conversation:\n\n{summary}", at + 1, summaries.len())
    });
    let mut out = Writer::default();
    for (at, said) in said.chain(["Go on.".to_owned()]).enumerate() {
        out.raw(if at == 0 { "[" } else { "," });
        out.raw("{\"role\":\"user\",\"content\":").string(&said).raw("}");
    }
    out.raw("]");
    out.finish()
}
