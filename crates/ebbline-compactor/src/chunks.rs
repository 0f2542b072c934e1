//! Where messages are divided that have more tokens than a request for a summary may have.
//!
//! The messages are divided, not the text of the request. So the engine writes every request: it shortens each part by its own
//! budget, quotes the user's open request only in the last one, and hands an earlier summary on in its own section. Text that was
//! divided here would need these rules a second time, and whoever writes into a transcript could forge them. npm's
//! `npm/src/chunking.ts` does the same.

use ebbline::json::Writer;
use ebbline::plan::Fate;
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
pub(crate) fn is_too_much(plan: &Plan, budget: u64) -> bool {
    plan.decision.retain.summarized > MOST_BUDGETS * budget
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
    let (summarized, room) = (retain.summarized as f64, budget as f64 * SHARE);
    let mut size = room.min(summarized / 2.0);
    while targets(plan, boundary, size).len() > MOST_PARTS {
        size = (size + 1.0) * 1.25;
    }
    // Many short messages take more room in a request than they have tokens.
    while size >= summarized / MOST_PARTS as f64 {
        match bounds(live, texts, format, (plan, boundary, size), room as u64) {
            Err(error) if error.kind() == ErrorCode::BudgetTooSmall => size /= 2.0,
            Err(error) => return Err(error),
            Ok(bounds) if bounds.len() < 2 || bounds.len() > MOST_PARTS => return Ok(None),
            Ok(bounds) => {
                let cuts = bounds.into_iter().map(|bound| (bound, behind(plan, bound))).collect();
                return Ok(Some(ChunkedMessages { texts: texts.to_vec(), format, cuts }));
            }
        }
    }
    Ok(None)
}

/// The first message behind each part of about `size` tokens.
fn bounds(
    live: &LiveMessages,
    texts: &[MessageText],
    format: Format,
    (plan, last, size): (&Plan, usize, f64),
    budget: u64,
) -> Result<Vec<usize>, Error> {
    let mut bounds: Vec<usize> = Vec::new();
    let mut from = 0;
    for wanted in targets(plan, last, size) {
        if wanted <= from {
            continue;
        }
        let (portion, found) =
            live.portion(texts.get(from..behind(plan, wanted)).unwrap_or_default(), format)?;
        let retain = &found.decision.retain;
        let Some(boundary) = retain.boundary.filter(|boundary| retain.applied && *boundary > 0) else {
            continue;
        };
        let options = SummaryOptions::new().budget_tokens(budget);
        if portion.session.summary_request(&found, &options)?.is_some() {
            from += boundary;
            bounds.push(from);
        }
    }
    // The last part has nothing that is worth a request: it belongs to the one before.
    if let Some(bound) = bounds.last_mut() {
        *bound = last;
    }
    Ok(bounds)
}

/// The messages in front of which a part has its size, and the boundary of the plan.
fn targets(plan: &Plan, last: usize, size: f64) -> Vec<usize> {
    let mut found = Vec::new();
    let mut tokens = 0;
    for (at, message) in plan.messages.iter().enumerate().take(last) {
        if message.fate != Fate::Summarized {
            continue;
        }
        if tokens > 0 && (tokens + message.tokens_before) as f64 > size {
            found.push(at);
            tokens = 0;
        }
        tokens += message.tokens_before;
    }
    found.push(last);
    found
}

/// How many messages a part is asked for with: those before its boundary, and the first behind it.
fn behind(plan: &Plan, bound: usize) -> usize {
    let mut rest = plan.messages.iter().skip(bound);
    let next = rest.position(|message| message.fate != Fate::Inactive && message.tokens_before > 0);
    next.map_or(plan.messages.len(), |next| bound + next + 1)
}

/// The summaries of all parts, in order, as messages of which one summary is written.
pub(crate) fn joined_summaries(summaries: &[String]) -> Vec<MessageText> {
    let said = summaries.iter().enumerate().map(|(at, summary)| {
        format!("Summary of part {} of {} of the conversation:\n\n{summary}", at + 1, summaries.len())
    });
    let message = |said: String| {
        let mut out = Writer::default();
        out.raw("{\"role\":\"user\",\"content\":").string(&said).raw("}");
        MessageText::of(&out.finish())
    };
    said.chain(["Go on.".to_owned()]).map(message).collect()
}
