//! How each format records that old messages gave way to a summary.

use std::ops::Range;

use super::telling;
use crate::edit::{Edit, apply, disjoint};
use crate::error::{Error, ErrorCode};
use crate::json::quote;
use crate::length::Length;
use crate::marks;
use crate::order::sort_by;
use crate::plan::{Fate, PartPlan, Plan};
use crate::session::Session;
use crate::transcript::Part;

use super::recorder::Clearing;

/// The text with which TunaCode begins a summary message.
pub(crate) const LEAD: &str = "[Compaction summary]\n\n";

/// A summary to be recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary<'s> {
    pub(crate) session: &'s Session,
    pub(crate) source: &'s str,
    pub(crate) plan: &'s Plan,
    pub(crate) text: &'s str,
    /// What stands in the place of pruned outputs.
    pub(crate) clearing: Clearing<'s>,
    pub(crate) now: u64,
}

/// Where a format puts a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Nowhere.
    None,
    /// In the list, as a message in the place of those it stands for.
    List(Style),
    /// In the session's `compaction` record; the old messages are removed.
    TunaCode,
    /// As an entry behind the last; the old messages stay in the file.
    PiFile {
        /// Whether the kept entry is named by its index: version 1.
        indexed: bool,
    },
    /// As a boundary and a summary behind the last line.
    ClaudeCode,
    /// As a compaction line behind the last.
    Codex,
    /// As a line behind the last that replaces the messages: the summary, then those that were kept.
    GeminiCli,
    /// As a marker and the answer to it behind the last message.
    Opencode,
    /// As a condensation behind the last event.
    Openhands,
    /// As a compaction that begins where the kept messages do and is complete behind the last event.
    CopilotCli,
    /// In a trajectory's history, as an observation.
    SweAgent,
    /// In the list, as a message that Cline knows for a summary.
    Cline,
}

/// How a summary message is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    OpenAi,
    Anthropic,
    TinyAgent,
    PydanticAi,
    Pi,
    Responses,
    GeminiContents,
    GeminiCli,
    VercelModel,
    VercelUi,
    /// The classes of messages stand in another place in Python than in JavaScript, which loads only its own.
    LangchainDump {
        python: bool,
    },
    LangchainDict,
    LangchainFlat,
}

impl Ending {
    /// Whether the summarised messages leave the file.
    pub(crate) fn removes(self) -> bool {
        matches!(self, Self::List(_) | Self::TunaCode | Self::SweAgent | Self::Cline)
    }

    /// Whether what is kept is written anew behind everything else, which does not count any more.
    pub(crate) fn rewrites(self) -> bool {
        matches!(self, Self::Codex | Self::GeminiCli)
    }

    /// The edits that record `summary`.
    pub(crate) fn summarise(self, summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
        match self {
            Self::None => Err(Error::new(
                ErrorCode::NoPlaceForSummary,
                format!("{} has no place for a summary", summary.session.format),
            )),
            Self::List(style) => {
                let message = telling::message(style, summary).unwrap_or_else(|| style.message(summary));
                Ok(summary.replace_messages(&message))
            }
            Self::TunaCode => super::tunacode::summarise(summary),
            Self::PiFile { indexed } => super::pi::summarise(summary, indexed),
            Self::ClaudeCode => super::claude_code::summarise(summary),
            Self::Codex => super::codex::summarise(summary),
            Self::GeminiCli => super::gemini_cli::summarise(summary),
            Self::Opencode => super::opencode::summarise(summary),
            Self::Openhands => super::openhands::summarise(summary),
            Self::CopilotCli => super::copilot_cli::summarise(summary),
            Self::SweAgent => super::swe_agent::summarise(summary),
            Self::Cline => Ok(super::cline::summarise(summary)),
        }
    }
}

impl Style {
    fn message(self, summary: &Summary<'_>) -> String {
        let text = quote(&summary.marked());
        match self {
            Self::OpenAi | Self::Anthropic | Self::VercelModel => {
                format!(r#"{{"role":"user","content":{text}}}"#)
            }
            Self::TinyAgent => format!(
                r#"{{"role":"user","content":[{{"type":"text","text":{text}}}],"compaction_summary":true}}"#
            ),
            Self::PydanticAi => format!(
                r#"{{"kind":"request","parts":[{{"part_kind":"user-prompt","content":{text},"timestamp":{}}}]}}"#,
                quote(&iso_moment(summary.now))
            ),
            Self::Responses => format!(
                r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":{text}}}]}}"#
            ),
            Self::GeminiCli => super::gemini_cli::in_list(summary),
            Self::GeminiContents => format!(r#"{{"role":"user","parts":[{{"text":{text}}}]}}"#),
            Self::VercelUi => format!(
                r#"{{"id":"compaction-{}","role":"user","parts":[{{"type":"text","text":{text}}}]}}"#,
                summary.plan.messages.len()
            ),
            Self::LangchainDump { python } => format!(
                r#"{{"lc":1,"type":"constructor","id":[{},"messages","HumanMessage"],"kwargs":{{"content":{text}{}}}}}"#,
                if python { r#""langchain","schema""# } else { r#""langchain_core""# },
                if python { r#","type":"human""# } else { "" }
            ),
            Self::LangchainDict => {
                format!(r#"{{"type":"human","data":{{"content":{text},"type":"human"}}}}"#)
            }
            Self::LangchainFlat => format!(r#"{{"content":{text},"type":"human"}}"#),
            Self::Pi => format!(
                r#"{{"role":"compactionSummary","summary":{},"tokensBefore":{},"timestamp":{},"keptMessages":{}}}"#,
                quote(summary.text),
                summary.plan.decision.tokens_before,
                summary.now,
                summary.kept_behind(),
            ),
        }
    }
}

impl Summary<'_> {
    /// How many messages stand behind the summary once it is there.
    pub(super) fn kept_behind(&self) -> usize {
        self.behind().count()
    }

    /// The messages behind the place of the summary that stay in the list.
    fn behind(&self) -> impl Iterator<Item = usize> {
        let count = self.plan.messages.len();
        let last = self.last_summarised();
        let is_gone = move |index: usize| {
            self.is_summarised(index) && !self.is_opaque(index) || self.would_return(index, last)
        };
        // The summary stands behind what the server compacted.
        let opaque = (0..count).rev().find(|index| self.is_opaque(*index)).map_or(0, |opaque| opaque + 1);
        let place = (opaque..count).find(|index| is_gone(*index)).unwrap_or(opaque);
        // What follows the last message that is sent is another conversation of the file.
        let sent = |index: &usize| {
            self.session.transcript.messages().get(*index).is_some_and(|message| message.active)
        };
        let count = (place..count).rev().find(sent).map_or(place, |last| last + 1);
        (place..count).filter(move |index| !is_gone(*index))
    }

    /// The words in front of a summary by which it is known again, where `more` messages stand behind it besides, of
    /// which `anchor` is the first text.
    pub(super) fn lead(&self, more: usize, anchor: &str) -> String {
        let planned = &self.plan.messages;
        let stands_for = planned.iter().filter(|message| message.fate == Fate::Summarised).count();
        marks::lead(stands_for, self.kept_behind() + more, anchor)
    }

    /// The summary behind words by which it is known again: what it stands for, and what follows it.
    pub(super) fn marked(&self) -> String {
        let planned = &self.plan.messages;
        let anchor = self.behind().find_map(|index| self.session.anchor_of(self.source, index));
        let stands_for = planned.iter().filter(|message| message.fate == Fate::Summarised).count();
        // Without anything that it could be known by, it is known by itself.
        let anchor = anchor.as_deref().unwrap_or(self.text);
        format!("{}{}", marks::lead(stands_for, self.kept_behind(), anchor), self.text)
    }

    /// Whether the plan puts message `index` into the summary, though nobody can: what the server compacted is
    /// encrypted. It has to stay.
    pub(super) fn is_opaque(&self, index: usize) -> bool {
        let is_summary = self.session.transcript.messages().get(index).is_some_and(|message| message.summary);
        let is_encrypted = |part: &Part| part.signed && part.length == Length::default();
        let parts = self.session.transcript.parts_of(index);
        is_summary && self.is_summarised(index) && !parts.is_empty() && parts.iter().all(is_encrypted)
    }

    pub(super) fn is_summarised(&self, index: usize) -> bool {
        self.plan.messages.get(index).is_some_and(|message| message.fate == Fate::Summarised)
    }

    /// What prunes the outputs of the session, in order of the source. A format may record one result in two messages:
    /// it is pruned in both.
    pub(super) fn prunes(&self) -> Vec<Edit> {
        let planned = self.session.planned_parts(self.plan);
        let is_pruned = |part: usize| planned.get(part).copied().flatten().is_some_and(PartPlan::is_pruned);
        let slots = self.session.slots.iter().filter(|(part, _)| is_pruned(*part));
        disjoint(slots.map(|(_, slot)| slot.edit(self.clearing)).collect())
    }

    /// What message `index` looks like once the plan is carried out: its bytes, without the outputs that `prunes` clear.
    ///
    /// # Errors
    ///
    /// `mismatch` when the source is another one.
    pub(super) fn written(&self, index: usize, prunes: &[Edit]) -> Result<String, Error> {
        let span = self.session.span(index);
        let first = prunes.partition_point(|edit| edit.range.start < span.start);
        let inside = prunes.iter().skip(first).take_while(|edit| edit.range.end <= span.end);
        let moved = inside.map(|edit| {
            let range = edit.range.start - span.start..edit.range.end - span.start;
            Edit::new(range, edit.replacement.as_str())
        });
        apply(self.source.get(span.clone()).unwrap_or_default(), &moved.collect::<Vec<_>>())
    }

    fn last_summarised(&self) -> Option<usize> {
        (0..self.plan.messages.len()).rev().find(|index| self.is_summarised(*index))
    }

    /// Whether a message in front of the `last` summarised one would be sent again without it: the server leaves it out
    /// because of a compaction block.
    fn would_return(&self, index: usize, last: Option<usize>) -> bool {
        let is_inactive = self.plan.messages.get(index).is_some_and(|message| message.fate == Fate::Inactive);
        is_inactive
            && self.session.ending == Ending::List(Style::Anthropic)
            && last.is_some_and(|last| index < last)
    }

    /// The places of the summarised messages that stand in the list, in order of the source.
    pub(super) fn removed(&self) -> Vec<Range<usize>> {
        let count = self.plan.messages.len();
        let last = self.last_summarised();
        let returns = |index: usize| self.would_return(index, last);
        let mut spans: Vec<_> = (0..count)
            .filter(|index| {
                (self.is_summarised(*index) && !self.is_opaque(*index) || returns(*index))
                    && self.session.listed.get(*index).copied().unwrap_or(false)
            })
            .map(|index| self.session.span(index))
            .collect();
        sort_by(&mut spans, &|one, other| one.start.cmp(&other.start));
        spans
    }

    /// Puts `message` in the place of the first summarised message and removes the others, each with the
    /// separator in front of it.
    pub(super) fn replace_messages(&self, message: &str) -> Vec<Edit> {
        let opaque = (0..self.plan.messages.len()).rev().find(|index| self.is_opaque(*index));
        if let Some(opaque) = opaque.map(|index| self.session.span(index)) {
            return self.replace_behind(&opaque, message);
        }
        let mut edits: Vec<Edit> = Vec::new();
        for (index, span) in self.removed().into_iter().enumerate() {
            if index == 0 {
                edits.push(Edit::new(span, message));
            } else {
                edits.push(Edit::new(self.separator_before(&span)..span.end, ""));
            }
        }
        join(edits)
    }

    /// The same behind `opaque`, which stays: the server looks at nothing in front of it.
    fn replace_behind(&self, opaque: &Range<usize>, message: &str) -> Vec<Edit> {
        let mut removed = self.removed();
        let place =
            removed.iter().position(|span| span.start >= opaque.end).map(|place| removed.remove(place));
        let mut edits = self.remove(&removed);
        edits.push(place.map_or_else(
            || {
                let after = self.source.get(opaque.end..).unwrap_or_default().trim_start();
                let separator = if after.starts_with([',', ']']) { "," } else { "\n" };
                Edit::new(opaque.end..opaque.end, format!("{separator}{message}"))
            },
            |place| Edit::new(place, message),
        ));
        join(edits)
    }

    /// Where the comma (or line break) in front of the element at `element` begins; of the first element of an
    /// array, the element itself.
    fn separator_before(&self, element: &Range<usize>) -> usize {
        let (start, end) = (element.start, element.end);
        let before = self.source.get(..start).unwrap_or_default();
        let trimmed = before.trim_end_matches([' ', '\t', '\r', '\n']);
        match trimmed.strip_suffix(',') {
            Some(element) => element.trim_end_matches([' ', '\t', '\r', '\n']).len(),
            None if trimmed.ends_with('[') => start,
            // On a line with something else, that keeps the line.
            None if !self.ends_its_line(end) => start,
            None => trimmed.len(),
        }
    }

    /// Whether nothing follows on the line of what ends at `end`.
    fn ends_its_line(&self, end: usize) -> bool {
        let rest = self.source.get(end..).unwrap_or_default().trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with('\n')
    }

    /// Where the next element begins, if the one that ends at `end` is followed by a comma.
    fn next_element(&self, end: usize) -> Option<usize> {
        let after = self.source.get(end..)?;
        let comma = after.find(|character: char| !character.is_ascii_whitespace())?;
        let rest = after.get(comma..)?.strip_prefix(',')?;
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        Some(end + comma + 1 + blank)
    }

    /// Removes elements of a list. A run of neighbours goes with the comma behind it; at the end of the list,
    /// with the one in front.
    pub(super) fn remove(&self, elements: &[Range<usize>]) -> Vec<Edit> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for element in elements {
            match runs.last_mut() {
                Some(run) if self.next_element(run.end) == Some(element.start) => run.end = element.end,
                _ => runs.push(element.clone()),
            }
        }
        let with_comma = |run: Range<usize>| match self.next_element(run.end) {
            Some(next) => run.start..next,
            None => self.separator_before(&run)..run.end,
        };
        runs.into_iter().map(|run| Edit::new(with_comma(run), "")).collect()
    }
}

/// Joins edits that touch into one, so that they are in order and do not overlap.
pub(super) fn join(mut edits: Vec<Edit>) -> Vec<Edit> {
    let place = |edit: &Edit| (edit.range.start, edit.range.end);
    sort_by(&mut edits, &|one, other| place(one).cmp(&place(other)));
    let mut joined: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match joined.last_mut() {
            Some(last) if edit.range.start <= last.range.end && !edit.range.is_empty() => {
                last.range.end = last.range.end.max(edit.range.end);
                last.replacement.push_str(&edit.replacement);
            }
            _ => joined.push(edit),
        }
    }
    joined
}

/// An id in the shape of a UUID that is not taken; the same session gives the same id. Numbers from `start` on are tried.
pub(super) fn fresh_uuid(start: usize, is_taken: impl Fn(&str) -> bool) -> String {
    let mut count = start as u64;
    loop {
        let id = format!("{:08x}-0000-4000-8000-{count:012x}", (count as u32).wrapping_mul(0x9E37_79B1));
        if !is_taken(&id) {
            return id;
        }
        count = count.wrapping_add(1);
    }
}

/// Milliseconds since 1970 as `2026-01-31T10:20:30.000Z` (the civil calendar, years 1970 to 9999).
pub(super) fn iso_moment(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, so that leap days end their year (Howard Hinnant, "chrono-compatible date algorithms").
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second, fraction) = (time / 3_600, time / 60 % 60, time % 60, milliseconds % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_the_civil_calendar() {
        for (milliseconds, written) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_767_225_599_999, "2025-12-31T23:59:59.999Z"),
            (1_795_301_999_500, "2026-11-21T22:59:59.500Z"),
        ] {
            assert_eq!(iso_moment(milliseconds), written);
        }
    }
}
