//! A summary as Copilot Chat keeps it: with the last round of calls that it stands for.

use super::requests::requests;
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::format::placement::{OldMessages, SummaryRecord};
use crate::format::slot::{Shape, Slot};
use crate::format::source::Source;
use crate::format::summary::Summary;
use crate::json::quote;
use crate::plan::Fate;
use crate::transcript::Role;

pub(super) static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Stay };

/// A request without rounds gets one from Copilot Chat, with an id that this file does not have.
pub(super) const BEHIND_NONE: &str =
    "Copilot Chat keeps a summary with a round of calls, and this plan ends behind none: keep more or fewer messages, or ask for a summary in the chat with /compact";

/// Adds the summary to the round of the last messages that it replaces.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    let messages = summary.session.transcript.messages();
    let last = (0..messages.len()).rev().find(|index| summary.is_summarized(*index));
    let goes_on = |index: usize| {
        let fate = summary.plan.messages.get(index).map(|message| message.fate);
        !matches!(fate, None | Some(Fate::Summarized | Fate::Inactive))
    };
    let role = |index: usize| messages.get(index).map(|message| message.role);
    let answer = last
        .filter(|last| !(0..*last).any(goes_on))
        .and_then(|last| (0..=last).rev().find(|index| role(*index) != Some(Role::Tool)))
        .map(|answer| summary.session.span(answer));
    let requests = requests(&source);
    let mut rounds = requests.iter().flat_map(|request| request.rounds());
    let round = answer.and_then(|answer| rounds.find(|round| round.span() == answer));
    let round = round.ok_or_else(|| Error::new(ErrorCode::NoPlaceForSummary, BEHIND_NONE))?;
    Ok(vec![Slot::of_member(round, "summary", Shape::Text).written(&quote(summary.text))])
}
