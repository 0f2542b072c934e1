//! Google ADK: a session with its events, or a list of events.
//!
//! Shapes by `sessions/session.py`, `events/event.py` and `flows/llm_flows/context/_compaction.py` of `PyPI` `google-adk` 2.13. Both
//! spellings of members occur. A compaction is an event: it hides the events between two times.

use super::entry::{Description, FormatEntry};
use super::gemini_contents::{self, Pairing, answer, parts_of, read_parts, spoken};
use super::marker::MarkerKind;
use super::placement::{OldMessages, SummaryPlacement, SummaryRecord};
use super::recorder::Recorder;
use super::signs::{Sign, count_of, has};
use super::shaped::{either, fault_where};
use super::source::Source;
use super::summary::{Summary, join};
use super::usage::{self, ReportedInput};
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value, format_python, quote};
use crate::transcript::{Message, PartKind, Role};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        reported_input: Some(ReportedInput::IncludesCache),
        ..Description::of("google_adk", "Google ADK")
    },
    // A content with parts is an object.
    fault_of: Some(|event| fault_where(event.get("content").is_some_and(|said| said.is_string() || said.is_array()))),
    is_read_whole: true,
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[
    Sign::document(63, |root| {
        root.elements_of("events")
            .any(is_event)
            .then(|| format!("a session of {} events with an author", count_of(root, "events")))
    }),
    Sign::row_of_list(63, is_event),
    Sign::list(63, "events with an author and an invocation", |list| list.any(is_event)),
];

fn is_event(event: Value<'_>) -> bool {
    has(event, &["author"])
        && either(event, ["invocation_id", "invocationId"]).is_some()
        && (has(event, &["content"]) || has(event, &["actions"]))
}

/// Times between which a compaction hides events, and the event that says so.
struct Hidden<'d> {
    start: f64,
    end: f64,
    content: Value<'d>,
    event: Value<'d>,
}

fn compaction_in(event: Value<'_>) -> Option<Hidden<'_>> {
    let compaction = event.present("actions")?.present("compaction")?;
    let time = |keys| either(compaction, keys).and_then(Value::number);
    Some(Hidden {
        start: time(["start_timestamp", "startTimestamp"])?,
        end: time(["end_timestamp", "endTimestamp"])?,
        content: either(compaction, ["compacted_content", "compactedContent"])?,
        event,
    })
}

fn events<'d>(source: &'d Source<'_>) -> Vec<Value<'d>> {
    let root = source.root().filter(|root| !source.is_lines && root.get("events").is_some());
    root.map_or_else(|| source.list(), |root| root.elements_of("events").collect())
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let events = events(source);
    let compactions: Vec<_> = events.iter().filter_map(|event| compaction_in(*event)).collect();
    let taken_back = taken_back(&events);
    let mut pairing = Pairing::default();
    for (index, event) in events.into_iter().enumerate() {
        let at = event.get("timestamp").and_then(Value::number).unwrap_or(f64::NAN);
        let is_back = taken_back.iter().any(|range| range.contains(&index));
        if let Some(own) = compactions.iter().find(|own| own.event.span() == event.span()) {
            // Of two that hide the same events, the later one counts.
            let covers = |other: &Hidden<'_>| {
                let (before, behind) = (own.event.span().start, other.event.span().start);
                let is_wider = other.start < own.start || own.end < other.end;
                behind != before
                    && other.start <= own.start
                    && own.end <= other.end
                    && (is_wider || behind > before)
            };
            let active = !is_back && !compactions.iter().any(covers);
            recorder.mark(MarkerKind::Compaction, "compaction", event.span());
            recorder.begin(Message { active, ..Message::earlier_summary() }, event.span());
            let parts = own.content.present("parts").map(parts_of).unwrap_or_default();
            read_parts(&parts, PartKind::Summary, &mut Pairing::default(), recorder);
            recorder.check_summary(parts.first().and_then(|part| part.text_of("text")));
            continue;
        }
        let is_hidden = compactions.iter().any(|hidden| hidden.start <= at && at <= hidden.end);
        let is_partial = event.get("partial").is_some_and(Value::is_truthy);
        read_event(event, !(is_hidden || is_back || is_partial), &mut pairing, recorder);
    }
    Ok(SummaryPlacement::Record(&RECORDED))
}

/// The events that a rewind took back, with the event of the rewind.
fn taken_back(events: &[Value<'_>]) -> Vec<std::ops::RangeInclusive<usize>> {
    let mut ranges = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let Some(to) = rewind_in(*event).map(Text::decode) else { continue };
        let is_of = |event: &Value<'_>| invocation_of(*event).and_then(Value::text).is_some_and(|id| id.is(&to));
        ranges.extend(events.iter().take(index).position(is_of).map(|first| first..=index));
    }
    ranges
}

fn invocation_of(event: Value<'_>) -> Option<Value<'_>> {
    either(event, ["invocation_id", "invocationId"])
}

fn rewind_in(event: Value<'_>) -> Option<Text<'_>> {
    either(event.present("actions")?, ["rewind_before_invocation_id", "rewindBeforeInvocationId"])?.text()
}

fn read_event<'d>(event: Value<'d>, is_sent: bool, pairing: &mut Pairing<'d>, recorder: &mut Recorder) {
    let content = event.present("content");
    let parts = content.and_then(|content| content.present("parts")).map(parts_of).unwrap_or_default();
    let is_users = event.text_of("author").is_some_and(|author| author.is("user"))
        || content.is_some_and(|content| content.text_of("role").is_some_and(|role| role.is("user")));
    let begun = if is_users {
        pairing.user_speaks();
        spoken(&parts)
    } else if parts.is_empty() {
        Message::new(Role::Other)
    } else {
        pairing.model_speaks();
        let reported = either(event, ["usage_metadata", "usageMetadata"]);
        Message { usage: usage::total(reported, &usage::ADK), ..answer(&parts) }
    };
    recorder.begin(Message { active: is_sent && !parts.is_empty(), ..begun }, event.span());
    read_parts(&parts, gemini_contents::words_in(begun), pairing, recorder);
}

static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Stay };

/// An event behind the last one that it hides, as ADK's own compaction appends it.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    let removed = summary.removed();
    let events = events(&source);
    let time = |event: &Value<'_>| event.get("timestamp").and_then(Value::number);
    let is_removed = |event: &Value<'_>| removed.contains(&event.span());
    let hidden: Vec<_> = events.iter().filter(|event| is_removed(event)).collect();
    let begins = |event: &&Value<'_>| compaction_in(**event).map(|own| own.start).or_else(|| time(event));
    let start = hidden.iter().copied().filter_map(|event| begins(&event)).fold(f64::INFINITY, f64::min);
    let end = hidden.iter().filter_map(|event| time(event)).fold(f64::NEG_INFINITY, f64::max);
    let stays = |event: &&Value<'_>| !is_removed(event) && compaction_in(**event).is_none();
    let is_between = |event: &Value<'_>| time(event).is_some_and(|at| start <= at && at <= end);
    let is_kept_sent = |event: &Value<'_>| {
        summary.session.spans.iter().position(|span| *span == event.span()).is_some_and(|index| {
            summary.session.transcript.messages().get(index).is_some_and(|message| message.active)
        })
    };
    let last = hidden.last().filter(|_| start.is_finite() && end.is_finite());
    let mut kept = events.iter().filter(stays);
    let Some(last) = last.filter(|_| !kept.any(|event| is_between(event) && is_kept_sent(event))) else {
        return Err(Error::new(
            ErrorCode::NoPlaceForSummary,
            "Google ADK hides events by their times, and these events have none that differ from those of the events that stay",
        ));
    };
    let is_camel = last.get("invocationId").is_some();
    let name = |snake: &'static str, camel: &'static str| if is_camel { camel } else { snake };
    let id = invocation_of(**last).map_or(r#""""#, Value::source);
    let written = format!(
        concat!(
            r#"{{"{}":{},"author":"user","actions":{{"compaction":{{"{}":{},"{}":{},"{}":"#,
            r#"{{"role":"model","parts":[{{"text":{}}}]}}}}}},"id":"compaction-{}","timestamp":{}}}"#
        ),
        name("invocation_id", "invocationId"),
        id,
        name("start_timestamp", "startTimestamp"),
        format_python(start),
        name("end_timestamp", "endTimestamp"),
        format_python(end),
        name("compacted_content", "compactedContent"),
        quote(&summary.marked()),
        events.len(),
        format_python(end),
    );
    let at = last.span().end;
    Ok(join(vec![Edit::new(at..at, format!("{}{written}", summary.separator()))]))
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read, summarized};
    use crate::transcript::Role;

    fn event(at: usize, author: &str, role: &str, parts: &str) -> String {
        format!(
            r#"{{"id":"e{at}","invocation_id":"i{at}","author":"{author}","timestamp":{at}.5,"content":{{"role":"{role}","parts":[{parts}]}},"actions":{{}}}}"#
        )
    }

    fn session(events: &[String]) -> String {
        format!(r#"{{"id":"s","app_name":"a","user_id":"u","state":{{}},"events":[{}]}}"#, events.join(","))
    }

    #[test]
    fn events_are_contents() {
        let text = session(&[
            event(1, "user", "user", r#"{"text":"Fix it."}"#),
            event(2, "agent", "model", r#"{"function_call":{"id":"c","name":"f","args":{}}}"#),
            event(3, "agent", "user", &format!(r#"{{"function_response":{{"id":"c","name":"f","response":{{"output":"{}"}}}}}}"#, "x".repeat(400))),
            event(4, "agent", "model", r#"{"text":"Done."}"#),
        ]);
        let found = read(&text);
        assert_eq!(found.format().name(), "google_adk");
        let roles: Vec<_> = found.transcript().messages().iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
        let written = pruned(&text, true);
        assert!(written.contains(r#""response":{"output":"[Old tool result content cleared]"}"#), "{written}");
    }

    #[test]
    fn a_summary_is_an_event_that_hides_what_it_replaces() {
        let long = format!(r#"{{"text":"{}"}}"#, "word ".repeat(80));
        let turns = (0..4).flat_map(|turn| {
            [event(turn * 2 + 1, "user", "user", &long), event(turn * 2 + 2, "agent", "model", &long)]
        });
        let text = session(&turns.collect::<Vec<_>>());
        let written = summarized(&text, 200, "So far.");
        let found = read(&written);
        let messages = found.transcript().messages();
        let summary = messages.iter().position(|message| message.summary).unwrap();
        assert!(messages.iter().take(summary).all(|message| !message.active), "{written}");
        assert!(messages.iter().skip(summary).all(|message| message.active), "{written}");
        assert!(written.contains(r#""actions":{"compaction":{"start_timestamp":1.5,"end_timestamp":"#), "{written}");
    }

    #[test]
    fn what_is_rewound_or_partial_is_not_sent() {
        let rewind = r#"{"id":"r","invocation_id":"i9","author":"user","timestamp":9,"actions":{"rewind_before_invocation_id":"i2"}}"#;
        let text = session(&[
            event(1, "user", "user", r#"{"text":"a"}"#),
            event(2, "user", "user", r#"{"text":"b"}"#),
            event(3, "agent", "model", r#"{"text":"c"}"#),
            rewind.to_owned(),
            event(4, "agent", "model", r#"{"text":"d"}"#).replace(r#""actions""#, r#""partial":true,"actions""#),
            event(5, "user", "user", r#"{"text":"e"}"#),
        ]);
        let active: Vec<_> = read(&text).transcript().messages().iter().map(|message| message.active).collect();
        assert_eq!(active, [true, false, false, false, false, true]);
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = r#"{"events":[7,null,{},{"author":7,"content":7},{"author":"a","invocation_id":"i","content":{"parts":7}},{"author":"a","actions":{"compaction":7}}]}"#;
        assert_eq!(read(odd).counts().messages, 6);
        pruned(odd, true);
    }
}
