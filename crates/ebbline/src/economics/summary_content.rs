//! What the summaries of a replay carry: nobody wrote them, so a comparison has to assume something.

use std::fmt::Write as _;
use std::ops::Range;

use super::Point;
use crate::error::{Error, ErrorCode};
use crate::explain::plan;
use crate::format::{PieceForm, PieceKind, Pieces};
use crate::loss::LossInput;
use crate::plan::{Fate, Plan, PlanOptions};
use crate::replay::{Moment, Replay, Source};
use crate::session_text::SessionText;
use crate::summary::{Original, by_rule as summary_by_rule, with_words};
use crate::transcript::Output;

/// What is assumed of the summaries that a replay makes.
///
/// # Example
///
/// ```
/// use ebbline::economics::SummaryContent;
/// assert_eq!(SummaryContent::default(), SummaryContent::Nothing);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SummaryContent {
    /// They carry nothing: everything that they stand for is gone.
    #[default]
    Nothing,
    /// They are what [`SessionText::deterministic_summary`] writes of the same messages.
    ByRule,
    /// They name so many tokens of identifiers, those of the newest outputs first.
    Names(u64),
}

impl SummaryContent {
    /// What the option `carried` says: `nothing`, `by_rule`, or a number of tokens.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::SummaryContent;
    /// assert_eq!(SummaryContent::of_option("1800")?, SummaryContent::Names(1_800));
    /// assert_eq!(SummaryContent::of_option("by_rule")?, SummaryContent::ByRule);
    /// assert_eq!(SummaryContent::of_option("all").unwrap_err().code(), "invalid_option");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn of_option(word: &str) -> Result<Self, Error> {
        match word {
            "nothing" => Ok(Self::Nothing),
            "by_rule" => Ok(Self::ByRule),
            tokens => tokens.parse().map(Self::Names).map_err(|_| {
                let why = "the option carried must be one of nothing, by_rule, a number of tokens";
                Error::new(ErrorCode::InvalidOption, why)
            }),
        }
    }
}

/// The texts of the summaries that the departures of a replay name, by their compactions; empty if the texts are not known.
pub(super) fn texts(session: &SessionText<'_>, replay: &Replay<'_>, content: SummaryContent) -> Vec<String> {
    if content == SummaryContent::ByRule { by_rule(session, replay, &|_, _, text| text) } else { Vec::new() }
}

/// The deterministic summary of each compaction as it is sent: with the user's own words behind it.
pub(crate) fn sent(session: &SessionText<'_>, replay: &Replay<'_>) -> Vec<String> {
    by_rule(session, replay, &|original, plan, text| with_words(original, plan, &text).into_owned())
}

/// What a measurement of a point assumes.
pub(super) fn input<'i>(point: &'i Point, content: SummaryContent, summaries: &'i [String]) -> LossInput<'i> {
    let named = if let SummaryContent::Names(tokens) = content { tokens } else { 0 };
    let mut input = LossInput { undo: true, findings: 0, summaries, ..LossInput::default() };
    (input.placeholders, input.named) = (Some(&point.policy), named);
    input
}

/// What becomes of a summary before it is sent.
type Finish<'f> = &'f dyn Fn(Original<'_, '_>, &Plan, String) -> String;

/// The deterministic summary of each compaction; empty where it made none.
fn by_rule(session: &SessionText<'_>, replay: &Replay<'_>, finish: Finish<'_>) -> Vec<String> {
    let mut source = session.source().to_owned();
    let mut written = Vec::new();
    let mut spans = Vec::new();
    for made in replay.compactions() {
        let moment = replay.moment(made.request as usize).filter(|_| !made.summarized.is_empty());
        let text = moment.and_then(|moment| summary_of(session, replay, &moment, (&source, &spans), finish));
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
    (source, spans): (&str, &[Range<usize>]),
    finish: Finish<'_>,
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
    let text = summary_by_rule(original, &plan).ok()??;
    Some(finish(original, &plan, text))
}
