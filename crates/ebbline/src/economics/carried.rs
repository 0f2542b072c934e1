//! What the summaries of a replay carry: nobody wrote them, so a comparison has to assume something.

use std::fmt::Write as _;

use super::Point;
use crate::explain::plan;
use crate::format::{PieceForm, PieceKind, Pieces};
use crate::loss::{Departure, Left, LossInput};
use crate::plan::{Fate, PlanOptions};
use crate::replay::{Moment, Replay, Source};
use crate::session_text::SessionText;
use crate::summary::{Answer, Original, SummaryOptions, deterministic, finish, request};
use crate::transcript::Output;

/// Nobody is asked, so nothing has to fit into a request.
const BOUNDLESS: u64 = 1 << 40;

/// What is assumed of the summaries that a replay makes.
///
/// # Example
///
/// ```
/// use ebbline::economics::Carried;
/// assert_eq!(Carried::default(), Carried::Nothing);
/// assert_eq!(Carried::from_word("1800"), Some(Carried::Names(1_800)));
/// assert_eq!(Carried::from_word("by_rule"), Some(Carried::ByRule));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Carried {
    /// They carry nothing: everything that they stand for is gone.
    #[default]
    Nothing,
    /// They are what [`SessionText::deterministic_summary`] writes of the same messages.
    ByRule,
    /// They name so many tokens of identifiers, those of the newest outputs first.
    Names(u64),
}

impl Carried {
    /// The assumption of a word: `nothing`, `by_rule`, or a number of tokens.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::economics::Carried::from_word("everything"), None);
    /// ```
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "nothing" => Some(Self::Nothing),
            "by_rule" => Some(Self::ByRule),
            tokens => tokens.parse().ok().map(Self::Names),
        }
    }
}

/// The departures of a replay, and the texts of the summaries that they name.
pub(super) fn departures(
    session: &SessionText<'_>,
    replay: &Replay<'_>,
    carried: Carried,
) -> (Vec<Departure>, Vec<String>) {
    let mut departures = replay.departures();
    if carried != Carried::ByRule || replay.compactions().iter().all(|made| made.summarized.is_empty()) {
        return (departures, Vec::new());
    }
    let texts = by_rule(session, replay);
    let messages = replay.history().messages();
    for departure in departures.iter_mut().filter(|departure| departure.how == Left::Summarized) {
        let made = replay.compactions().iter().position(|made| {
            let at = replay.requests().get(made.request as usize).and_then(|it| messages.get(it.at as usize));
            !made.summarized.is_empty() && at.is_none_or(|at| *at as usize == departure.at)
        });
        departure.summary = made;
    }
    (departures, texts)
}

/// What a measurement of a point assumes.
pub(super) fn input<'i>(point: &'i Point, carried: Carried, summaries: &'i [String]) -> LossInput<'i> {
    let named = if let Carried::Names(tokens) = carried { tokens } else { 0 };
    let mut input = LossInput { undo: true, findings: 0, summaries, ..LossInput::default() };
    (input.placeholders, input.named) = (Some(&point.policy), named);
    input
}

/// The deterministic summary of each compaction; empty where it made none.
fn by_rule(session: &SessionText<'_>, replay: &Replay<'_>) -> Vec<String> {
    let mut source = session.source().to_owned();
    let mut written = Vec::new();
    let mut spans = Vec::new();
    for made in replay.compactions() {
        let moment = replay.moment(made.request as usize).filter(|_| !made.summarized.is_empty());
        let text = moment.and_then(|moment| summary_of(session, replay, &moment, &source, &spans));
        let text = text.unwrap_or_default();
        let start = source.len();
        let _ = write!(source, "{text}");
        spans.push(start..source.len());
        written.push(text);
    }
    written
}

/// The summary of what the policy summarizes at a moment. Earlier summaries stand in `source` at `spans`.
fn summary_of(
    session: &SessionText<'_>,
    replay: &Replay<'_>,
    moment: &Moment,
    source: &str,
    spans: &[std::ops::Range<usize>],
) -> Option<String> {
    let transcript = moment.transcript();
    let options = PlanOptions::new().overhead(moment.overhead());
    let is_made = |options| {
        let plan = plan(transcript, replay.policy(), options);
        plan.messages.iter().any(|message| message.fate == Fate::Summarized).then_some(plan)
    };
    // A decision in a pause is made where the cache is cold.
    let plan = is_made(options)
        .or_else(|| is_made(options.idle(u64::MAX)))
        .or_else(|| is_made(options.force(true)))?;
    let mut pieces = Pieces::default();
    for (message, from) in moment.sources().iter().enumerate() {
        for part in transcript.part_range(message) {
            match (from, moment.parts().get(part)) {
                (Source::Summary(made), _) => {
                    let span = spans.get(*made as usize)?;
                    pieces.note_piece(part, span, PieceKind::Content, PieceForm::Text);
                }
                (Source::Log(_), Some(of_log)) => {
                    let is_gone = transcript.parts().get(part).is_some_and(|it| it.output == Output::Pruned);
                    for piece in session.reading.pieces.of(*of_log as usize).iter().filter(|_| !is_gone) {
                        pieces.note_piece(part, &piece.span(), piece.kind, piece.form);
                    }
                }
                _ => {}
            }
        }
    }
    let original = Original { transcript, pieces: &pieces, source };
    let task = request(original, &plan, &SummaryOptions::new().budget_tokens(BOUNDLESS)).ok()??;
    let text = deterministic(original, &plan)?;
    finish(&task.context, Answer { text: &text, truncated: false }).ok()
}
