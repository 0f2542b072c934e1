//! A compaction as Copilot CLI records one that ran in the background: it begins somewhere in the log, and the
//! messages written meanwhile are kept.

use std::collections::HashSet;

use super::event::is;
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::format::moment::iso_moment;
use crate::format::placement::{OldMessages, SummaryRecord};
use crate::format::source::Source;
use crate::format::summary::Summary;
use crate::format::uuid::fresh_uuid;
use crate::json::{Text, Value, quote};
use crate::plan::Fate;
use crate::transcript::Role;

/// A compaction that begins at the first kept message and completes after the last event.
pub(super) static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Stay };

/// Inserts the start before the first kept message, and appends the completion, which contains the summary.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    if !source.is_lines {
        return Err(Error::new(
            ErrorCode::NoPlaceForSummary,
            "a single event has no log that a summary could go into",
        ));
    }
    let events: Vec<Value<'_>> = source.values().collect();
    let mut ids: HashSet<String> =
        events.iter().filter_map(|event| Some(event.text_of("id")?.decode().into_owned())).collect();
    let at_end = summary.source.len();
    let at = first_kept(summary).unwrap_or(at_end);
    // If two compactions are in progress, the agent only remembers the start of the newer one.
    let begins_anew = ["session.compaction_start", "session.compaction_complete", "session.context_cleared"];
    let is_later =
        |event: &Value<'_>| event.span().start > at && begins_anew.iter().any(|kind| is(*event, kind));
    if events.iter().any(is_later) {
        let why = "another compaction ends among the kept messages";
        return Err(Error::new(ErrorCode::NoPlaceForSummary, why));
    }
    let before = events.iter().rev().find(|event| event.span().start < at);
    let start = event(
        "session.compaction_start",
        &format!(r#"{{"conversationTokens":{}}}"#, summary.plan.decision.tokens_before),
        &mut ids,
        before,
        None,
    );
    let removed = summary.plan.messages.iter().filter(|message| message.fate == Fate::Summarized).count();
    let data = format!(
        concat!(
            r#"{{"success":true,"preCompactionTokens":{},"preCompactionMessagesLength":{},"#,
            r#""messagesRemoved":{},"summaryContent":{}}}"#
        ),
        summary.plan.decision.tokens_before,
        summary.plan.messages.iter().filter(|message| message.fate != Fate::Inactive).count(),
        removed,
        quote(summary.text),
    );
    let now = (summary.now > 0).then(|| iso_moment(summary.now));
    let complete = event("session.compaction_complete", &data, &mut ids, events.last(), now);
    let behind = |text: &str| {
        if summary.source.ends_with('\n') { format!("{text}\n") } else { format!("\n{text}") }
    };
    if at == at_end {
        let both = format!("{start}\n{complete}");
        return Ok(vec![Edit::new(at..at, behind(&both))]);
    }
    Ok(vec![Edit::new(at..at, format!("{start}\n")), Edit::new(at_end..at_end, behind(&complete))])
}

/// The start of the first message that is not summarized. System prompts are always sent.
fn first_kept(summary: &Summary<'_>) -> Option<usize> {
    let messages = summary.session.transcript.messages().iter().zip(&summary.plan.messages).enumerate();
    let kept = messages.filter(|(_, (message, planned))| {
        let goes_on = !matches!(planned.fate, Fate::Summarized | Fate::Inactive);
        goes_on && message.role != Role::System && !message.summary
    });
    kept.map(|(index, _)| summary.session.span(index).start).min()
}

/// One line. Its default time is that of the event before it.
fn event(
    kind: &str,
    data: &str,
    ids: &mut HashSet<String>,
    before: Option<&Value<'_>>,
    now: Option<String>,
) -> String {
    let text = |key: &str| before.and_then(|before| before.text_of(key)).map(Text::decode);
    let parent = text("id").map_or_else(|| "null".to_owned(), |id| quote(&id));
    let moment =
        now.or_else(|| text("timestamp").map(|text| text.into_owned())).unwrap_or_else(|| iso_moment(0));
    let id = fresh_uuid(ids.len(), |id| ids.contains(id));
    let line = format!(
        r#"{{"type":{},"data":{data},"id":{},"timestamp":{},"parentId":{parent}}}"#,
        quote(kind),
        quote(&id),
        quote(&moment)
    );
    ids.insert(id);
    line
}
