//! A compaction written as Claude Code records it: a boundary, and a summary whose parent is the boundary.
//!
//! The boundary names the kept lines in both ways that the agent uses: newer versions put the listed lines behind the
//! summary, in the order of the list; older versions follow the chain from a tail to a head. Nothing else changes,
//! because lines refer to each other by their ids. Compared with what Claude Code 2.1.100 and 2.1.330 send when they
//! resume such a file.

use std::borrow::Cow;

use super::log::{Line, Log, list};
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::format::gemini_contents::{ACKNOWLEDGED, snapshot};
use crate::format::moment::iso_moment;
use crate::format::placement::{OldMessages, SummaryRecord};
use crate::format::source::Source;
use crate::format::summary::Summary;
use crate::json::{Document, Text, quote};
use crate::length::Length;
use crate::plan::Fate;

/// The members that every line of a conversation repeats.
const REPEATED: &[&str] =
    &["isSidechain", "agentId", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug"];

/// What the agent says in front of a summary: by these words readers of its files know a compaction.
pub(in crate::format) const CONTINUED: &str = "This session is being continued from a previous conversation that ran out of context. \
    The summary below covers the earlier portion of the conversation.\n\n";

/// A boundary and a summary after the last line.
pub(super) static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Stay };

/// Qwen Code's record of the whole context, after the last line.
pub(super) static COMPRESSED: SummaryRecord = SummaryRecord { write: compress, old: OldMessages::AreRewritten };

/// Appends the boundary and the summary.
///
/// # Errors
///
/// `no_place_for_summary` if the log has no line, or if a kept line has no id: the boundary could not name it, and
/// the agent would lose it.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    let log = Log::of(&source);
    let last = last_of(&log)?;
    let kept = kept(summary, &log);
    let uuids: Option<Vec<&str>> = kept.iter().map(|line| line.uuid.as_deref()).collect();
    let uuids = uuids.ok_or_else(|| missing("a kept message has no uuid that the boundary could name"))?;
    let (boundary_moment, summary_moment) = moments(&log, &kept, summary.now);
    let boundary_uuid = fresh_uuid(&log, summary, 0);
    let summary_uuid = fresh_uuid(&log, summary, 1);
    let repeated = repeated(last);
    let boundary = format!(
        concat!(
            r#"{{"parentUuid":null,"logicalParentUuid":{},{}"type":"system","subtype":"compact_boundary","#,
            r#""content":"Conversation compacted","isMeta":false,"timestamp":{},"uuid":{},"level":"info","#,
            r#""compactMetadata":{{"trigger":"manual","preTokens":{}{}}}}}"#
        ),
        quote(last.uuid.as_deref().unwrap_or_default()),
        repeated,
        quote(&boundary_moment),
        quote(&boundary_uuid),
        summary.plan.decision.tokens_before,
        preserved(&summary_uuid, &uuids),
    );
    let summarized = format!(
        concat!(
            r#"{{"parentUuid":{},{}"type":"user","message":{{"role":"user","content":{}}},"#,
            r#""isVisibleInTranscriptOnly":true,"isCompactSummary":true,"uuid":{},"timestamp":{}}}"#
        ),
        quote(&boundary_uuid),
        repeated,
        quote(&format!("{CONTINUED}{}", summary.text)),
        quote(&summary_uuid),
        quote(&summary_moment),
    );
    Ok(vec![append(&source, [&boundary, &summarized])])
}

/// Appends a record of the context that is left, as Qwen Code's own compression does; the kept contents are copied.
///
/// # Errors
///
/// `no_place_for_summary` if the log has no line.
fn compress(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    let log = Log::of(&source);
    let last = last_of(&log)?;
    let said =
        |role: &str, text: &str| format!(r#"{{"role":"{role}","parts":[{{"text":{}}}]}}"#, quote(text));
    let told = snapshot(summary.text);
    let mut history = vec![said("user", &told), said("model", ACKNOWLEDGED)];
    for (index, message) in summary.plan.messages.iter().enumerate() {
        if matches!(message.fate, Fate::Inactive | Fate::Summarized) {
            continue;
        }
        // A line, or a content that an earlier compression left.
        let written = summary.written(index)?;
        let document = Document::parse(&written)?;
        let content = document.root().get("message").unwrap_or_else(|| document.root());
        history.extend(content.get("parts").map(|_| content.source().to_owned()));
    }
    let decision = &summary.plan.decision;
    // A plan only assumes how long the summary will be.
    let tokens = |text: &str| summary.plan.policy().estimator.tokens_of_text(Length::of(text));
    let kept = decision.tokens_after.saturating_sub(decision.summary_allowance);
    let record = format!(
        concat!(
            r#"{{"uuid":{},"parentUuid":{},{}"timestamp":{},"type":"system","subtype":"chat_compression","#,
            r#""systemPayload":{{"info":{{"originalTokenCount":{},"newTokenCount":{},"compressionStatus":1}},"#,
            r#""compressedHistory":[{}]}}}}"#
        ),
        quote(&fresh_uuid(&log, summary, 0)),
        quote(last.uuid.as_deref().unwrap_or_default()),
        repeated(last),
        quote(&moments(&log, &[], summary.now).0),
        decision.tokens_before,
        kept + tokens(&told) + tokens(ACKNOWLEDGED),
        history.join(","),
    );
    Ok(vec![append(&source, [&record])])
}

/// The line that a record follows.
fn last_of<'l, 'd>(log: &'l Log<'d>) -> Result<&'l Line<'d>, Error> {
    let last = log.iter().rfind(|(_, line)| line.uuid.is_some() && !line.is_sidechain).map(|(_, line)| line);
    last.ok_or_else(|| missing("the session has no line that the summary could follow"))
}

/// What a record repeats of the line that it follows.
fn repeated(last: &Line<'_>) -> String {
    let member = |key: &&str| Some(format!("{}:{},", quote(key), last.value.get(key)?.source()));
    REPEATED.iter().filter_map(member).collect()
}

fn missing(what: &str) -> Error {
    Error::new(ErrorCode::NoPlaceForSummary, what)
}

/// The lines that stay in the context, in the order in which they are sent.
fn kept<'l, 'd>(summary: &Summary<'_>, log: &'l Log<'d>) -> Vec<&'l Line<'d>> {
    let messages = summary.plan.messages.iter().enumerate();
    messages
        .filter(|(_, message)| !matches!(message.fate, Fate::Inactive | Fate::Summarized))
        .filter_map(|(index, _)| {
            let start = summary.session.span(index).start;
            let at = log.lines.binary_search_by_key(&start, |line| line.value.span().start).ok()?;
            log.get(at)
        })
        .collect()
}

/// How the boundary names the kept lines.
fn preserved(anchor: &str, uuids: &[&str]) -> String {
    let (Some(head), Some(tail)) = (uuids.first(), uuids.last()) else { return String::new() };
    let anchor = quote(anchor);
    let list = uuids.iter().map(|uuid| quote(uuid)).collect::<Vec<_>>().join(",");
    format!(
        concat!(
            r#","preservedSegment":{{"headUuid":{},"anchorUuid":{},"tailUuid":{}}},"#,
            r#""preservedMessages":{{"anchorUuid":{},"uuids":[{}],"allUuids":[{}]}}"#
        ),
        quote(head),
        anchor,
        quote(tail),
        anchor,
        list,
        list,
    )
}

/// The times of the boundary and of the summary: the newest of the conversation's lines, not that of a sub-agent.
///
/// Older versions continue from the first line with the latest time. That must be the last kept line or one that follows it,
/// from which they find the others; if no line is kept, it must be the summary.
fn moments(log: &Log<'_>, kept: &[&Line<'_>], now: u64) -> (String, String) {
    let stamp = |line: &Line<'_>| line.value.text_of("timestamp").map(Text::decode).map(Cow::into_owned);
    if !kept.is_empty() {
        let is_of_it = |line: &&Line<'_>| line.is_part_of_chain() && !line.is_sidechain;
        if let Some(newest) = log.lines.iter().filter(is_of_it).filter_map(stamp).max() {
            return (newest.clone(), newest);
        }
    }
    let newest = log.lines.iter().filter_map(|line| milliseconds(&stamp(line)?)).max();
    let moment = newest.map_or(now, |newest| now.max(newest + 1));
    (iso_moment(moment), iso_moment(moment + 1))
}

/// Milliseconds since 1970 of a moment such as `2026-01-31T10:20:30.000Z`, the inverse of [`iso_moment`].
fn milliseconds(moment: &str) -> Option<u64> {
    let (date, time) = moment.strip_suffix('Z')?.split_once('T')?;
    let number = |part: &str| part.parse().ok().filter(|number| *number < 10_000);
    let numbers = |text: &str, separator| text.split(separator).map(number).collect();
    let date: Option<Vec<u64>> = numbers(date, '-');
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let time: Option<Vec<u64>> = numbers(time, ':');
    let (&[year, month @ 1..=12, day @ 1..=31], &[hour, minute, second]) =
        (date?.as_slice(), time?.as_slice())
    else {
        return None;
    };
    // If the year begins in March, the leap day is its last day.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    let seconds = days.checked_sub(719_468)? * 86_400 + hour * 3_600 + minute * 60 + second;
    let fraction: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some(seconds * 1_000 + fraction)
}

/// An unused id in the form of RFC 4122, always the same for the same session and summary.
fn fresh_uuid(log: &Log<'_>, summary: &Summary<'_>, which: u64) -> String {
    let last = log.lines.iter().rev().find_map(|line| line.uuid.as_deref()).unwrap_or_default();
    // Of one width on every platform, or the same session would get other ids natively than in WebAssembly.
    let size = (summary.source.len() as u32).to_le_bytes();
    let seed = [last.as_bytes(), summary.text.as_bytes(), &size].concat();
    (0..=log.lines.len() as u64)
        .map(|step| {
            let half = |salt: u64| fnv(&seed, salt.wrapping_add(which << 1).wrapping_add(step << 2));
            let (high, low) = (half(0), half(1));
            // Version 5 ("name-based"), variant 10.
            let (high, low) = (high & !0xF000 | 0x5000, low & !(0b11 << 62) | 0b10 << 62);
            format!(
                "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                high >> 32,
                high >> 16 & 0xFFFF,
                high & 0xFFFF,
                low >> 48,
                low & 0xFFFF_FFFF_FFFF
            )
        })
        .find(|uuid| log.find(uuid).is_none())
        .unwrap_or_default()
}

/// FNV-1a with 64 bits, started with a salt.
fn fnv(bytes: &[u8], salt: u64) -> u64 {
    let salted = salt.to_le_bytes();
    let all = salted.iter().chain(bytes);
    all.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

/// Appends lines after the last. A torn last line stays unchanged, on a line of its own; in the web's export they
/// become elements after the last.
fn append<const COUNT: usize>(source: &Source<'_>, lines: [&str; COUNT]) -> Edit {
    let Some(elements) = list(source) else {
        let end = source.text.len();
        let text = if source.text.ends_with('\n') || source.text.is_empty() {
            lines.map(|line| format!("{line}\n")).concat()
        } else {
            lines.map(|line| format!("\n{line}")).concat()
        };
        return Edit::new(end..end, text);
    };
    let spans: Vec<_> = elements.elements().map(|element| element.span()).collect();
    let end = spans.last().map_or(elements.span().start + 1, |last| last.end);
    let between = match spans.as_slice() {
        [.., before, last] => source.text.get(before.end..last.start).unwrap_or(","),
        _ => ",",
    };
    Edit::new(end..end, lines.map(|line| format!("{between}{line}")).concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Telling;
    use crate::profiles;
    use crate::session_text::SessionText;

    /// Three messages and their boundary, written with a summary of the first `gone` messages.
    fn written(text: &str, gone: usize) -> Result<String, Error> {
        let session = SessionText::read(text)?;
        let mut plan = session.plan(&profiles::get("pi@0.84")?);
        plan.messages.iter_mut().take(gone).for_each(|message| message.fate = Fate::Summarized);
        let now = 1_790_000_000_000;
        let edits = summarize(&Summary {
            session: &session.reading,
            source: text,
            plan: &plan,
            text: "So far.",
            changes: &[],
            now,
            telling: Telling::default(),
            is_answered: false,
        })?;
        crate::edit::apply(text, &edits)
    }

    const LINES: [&str; 3] = [
        r#"{"uuid":"a","parentUuid":null,"isSidechain":false,"sessionId":"s","cwd":"\/w","type":"user","message":{"content":"go"},"timestamp":"2026-10-05T09:00:00.000Z"}"#,
        r#"{"uuid":"b","parentUuid":"a","isSidechain":false,"sessionId":"s","cwd":"\/w","type":"assistant","message":{"id":"m","content":[]},"timestamp":"2026-10-05T09:00:07.000Z"}"#,
        r#"{"uuid":"c","parentUuid":"b","isSidechain":false,"sessionId":"s","cwd":"\/w","type":"user","message":{"content":"on"},"timestamp":"2026-10-05T09:00:09.000Z"}"#,
    ];

    #[test]
    fn the_boundary_names_what_is_kept_and_the_summary_hangs_on_it() {
        let text = LINES.join("\n") + "\n";
        let written = written(&text, 1).unwrap();
        assert!(written.starts_with(&text) && written.ends_with("}\n"));
        let added: Vec<Document<'_>> =
            written.lines().skip(3).map(|line| Document::parse(line).unwrap()).collect();
        let member = |line: usize, key: &str| added[line].root().get(key).map(|value| value.source());
        let record = added[0].root().get("compactMetadata").unwrap();
        let list = record.get("preservedMessages").unwrap();
        assert_eq!((member(0, "parentUuid"), member(0, "logicalParentUuid")), (Some("null"), Some("\"c\"")));
        assert_eq!((member(1, "parentUuid"), member(0, "cwd")), (member(0, "uuid"), Some(r#""\/w""#)));
        assert_eq!(list.get("uuids").unwrap().source(), r#"["b","c"]"#);
        assert_eq!(list.get("anchorUuid").map(|value| value.source()), member(1, "uuid"));
        assert_eq!(record.get("preservedSegment").unwrap().text_of("tailUuid").unwrap().raw(), "c");
        assert_eq!(
            member(1, "timestamp"),
            Some(r#""2026-10-05T09:00:09.000Z""#),
            "that of the last kept line"
        );
        let message = added[1].root().get("message").unwrap();
        let said = message.text_of("content").unwrap().decode().into_owned();
        assert_eq!(said, format!("{CONTINUED}So far."));
        let uuid = added[1].root().text_of("uuid").unwrap().decode().into_owned();
        assert_eq!((uuid.len(), uuid.as_bytes()[14]), (36, b'5'));
    }

    #[test]
    fn without_anything_kept_the_summary_is_the_newest_line() {
        let written = written(&LINES.join("\n"), 3).unwrap();
        assert!(!written.contains("preserved"));
        let moments: Vec<_> =
            written.lines().skip(3).filter_map(|line| line.split("timestamp").nth(1)).collect();
        assert!(moments[0].starts_with("\":\"2026-10-05T09:00:09.001Z"), "{moments:?}");
        assert!(moments[1].starts_with("\":\"2026-10-05T09:00:09.002Z"), "{moments:?}");
    }

    #[test]
    fn lines_are_added_where_the_last_one_ends() {
        let [a, b, c] = LINES;
        for (text, end) in [
            (format!("{a}\n{b}\n{c}"), "}"),
            (format!("{a}\n{b}\n{c}\n{{\"type\":\"us"), "}"),
            (format!("{a}{b}\r\n{c}\r\n"), "}\n"),
            (format!("{{\"loglines\":[\n  {a},\n  {b},\n  {c}\n],\"x\":1}}"), "}\n],\"x\":1}"),
        ] {
            let written = written(&text, 1).unwrap();
            assert!(written.ends_with(end), "{written}");
            let again = SessionText::read(&written).unwrap();
            let active: Vec<_> =
                again.transcript().messages().iter().filter(|message| message.active).collect();
            assert_eq!((active.len(), active[0].summary), (3, true), "{written}");
        }
    }

    #[test]
    fn what_has_no_name_cannot_be_kept() {
        let nameless = LINES[2].replace("uuid", "id");
        let error = written(&[LINES[0], LINES[1], &nameless].join("\n"), 1).unwrap_err();
        assert_eq!(error.code(), "no_place_for_summary");
    }

    #[test]
    fn moments_are_read_as_they_are_written() {
        for moment in [0, 951_782_400_000, 1_767_225_599_999, 1_795_301_999_500] {
            assert_eq!(milliseconds(&iso_moment(moment)), Some(moment));
        }
        assert_eq!(milliseconds("2026-01-31T10:20:30Z"), milliseconds("2026-01-31T10:20:30.000Z"));
        for wrong in ["", "yesterday", "2026-01-31", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "TZ"] {
            assert_eq!(milliseconds(wrong), None, "{wrong:?}");
        }
    }
}
