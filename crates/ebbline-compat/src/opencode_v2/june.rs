//! Compaction of 2026-06: before a request that would be too large, and after one that was.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, stringify};

use super::compaction::{Checkpoint, Compaction, CompactionRequest};
use super::prompt::{june_prompt, june_tokens};
use super::reply::Reply;
use super::select::select;
use super::serialize::{is, message_of};
use super::version::{Limits, Settings, greatest, number, tokens_of};

/// The maximum number of tokens of a summary.
const SUMMARY_TOKENS: f64 = 4_096.0;

/// The request that is about to be sent.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Pending<'d> {
    /// The request; `None` for an empty one.
    pub request: Option<Value<'d>>,
    /// The model's limits.
    pub limits: Limits,
}

impl Pending<'_> {
    /// The output limit: the request's or else the model's.
    fn output(&self) -> f64 {
        let asked = self.request.and_then(|request| request.get("generation")?.get("maxTokens"));
        number(asked).or(self.limits.output).unwrap_or(0.0)
    }

    /// The tokens of `JSON.stringify({ system, messages, tools })`.
    fn tokens(&self) -> f64 {
        let mut json = Utf16::from("{");
        for key in ["system", "messages", "tools"] {
            let Some(value) = self.request.and_then(|request| request.get(key)) else { continue };
            json.push_str(if json.len() > 1 { "," } else { "" });
            json.push_str(&format!("\"{key}\":"));
            json.push(&stringify(value));
        }
        json.push_str("}");
        tokens_of(&json)
    }
}

/// Whether the request must be compacted before it is sent: it has more than `context - max(output, buffer)` tokens.
#[must_use]
pub fn is_needed(pending: &Pending<'_>, settings: Settings) -> bool {
    let Some(context) = pending.limits.window().filter(|_| settings.auto) else { return false };
    // Comparisons with NaN are false, so a NaN limit counts as exceeded.
    let fits = pending.tokens() <= context - greatest(pending.output(), settings.buffer);
    !fits
}

/// Compacts: a summary of the head in one request, and the rest as text. It gives up silently if there is nothing to
/// summarize or the request itself would be too large; an empty summary and an error are failures without an event.
///
/// # Errors
///
/// As [`serialize`](super::serialize()).
///
/// # Example
///
/// ```
/// use ebbline_compat::opencode_v2::{Reply, Settings, Version, june};
/// let json = r#"[{"type": "user", "text": "older"}, {"type": "user", "text": "newer"}]"#;
/// let document = ebbline::json::Document::parse(json)?;
/// let entries: Vec<_> = document.root().elements().collect();
/// let settings = Settings { keep: 3.0, ..Version::V2026_06.settings() };
/// let mut pending = june::Pending::default();
/// pending.limits.context = Some(100_000.0);
/// let mut reply = Reply::default();
/// reply.text = "## Goal".into();
/// let compaction = june::compact(&entries, &pending, settings, Some(&reply))?;
/// assert_eq!(compaction.checkpoint.unwrap().recent.to_text(), "[User]: newer");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn compact(
    entries: &[Value<'_>],
    pending: &Pending<'_>,
    settings: Settings,
    reply: Option<&Reply>,
) -> Result<Compaction, Error> {
    let nothing = Compaction::default();
    let Some(context) = pending.limits.window() else { return Ok(nothing) };
    let Some(selection) = select(entries, settings.keep)? else { return Ok(nothing) };
    // The first checkpoint, not the newest, because a history begins with the valid one.
    let previous = entries.iter().map(|entry| message_of(*entry)).find(|message| is(*message, "compaction"));
    if selection.head.is_empty() && previous.is_none() {
        return Ok(nothing);
    }
    let of_previous = |key: &str| previous.and_then(|message| message.text_of(key)).map(Utf16::from);
    let summary = of_previous("summary");
    let history: Vec<Utf16> = [of_previous("recent").unwrap_or_default(), selection.head]
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect();
    let output = pending.output();
    let output = if output == 0.0 || output.is_nan() { SUMMARY_TOKENS } else { output.min(SUMMARY_TOKENS) };
    if june_tokens(summary.as_ref(), &history) > context - output {
        return Ok(nothing);
    }
    let prompt = june_prompt(summary.as_ref(), &history);
    let mut compaction = Compaction {
        events: vec!["session.next.compaction.started"],
        request: Some(CompactionRequest::new(0, [prompt], Some(output as u64))),
        waiting: reply.is_none(),
        ..nothing
    };
    let Some(reply) = reply else { return Ok(compaction) };
    if reply.error.is_none() && !reply.text.trim().is_empty() {
        compaction.compacted = true;
        compaction.events.push("session.next.compaction.ended");
        compaction.checkpoint = Some(Checkpoint::new("auto", reply.text.clone(), selection.recent));
    }
    Ok(compaction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencode_v2::Version;
    use ebbline::json::Document;

    fn settings(keep: f64) -> Settings {
        Settings { keep, ..Version::V2026_06.settings() }
    }

    fn pending(context: f64) -> Pending<'static> {
        Pending { request: None, limits: Limits { context: Some(context), ..Limits::default() } }
    }

    fn run(entries: &str, keep: f64, context: f64, reply: Option<&str>) -> Compaction {
        let document = Document::parse(entries).unwrap();
        let entries: Vec<_> = document.root().elements().collect();
        let reply = reply.map(|text| Reply { text: Utf16::from(text), ..Reply::default() });
        compact(&entries, &pending(context), settings(keep), reply.as_ref()).unwrap()
    }

    #[test]
    fn a_checkpoint_needs_something_to_summarize_and_a_summary() {
        let message = r#"[{"type":"user","text":"hello world"}]"#;
        let checkpoint =
            r#"[{"type":"compaction","summary":"s","recent":"r"},{"type":"user","text":"hello"}]"#;
        let cases = [
            (message, 8_000.0, 100_000.0, Some("s"), false, 0),
            (message, 1.0, 100_000.0, Some("s"), true, 2),
            (message, 1.0, 100_000.0, Some(" \n"), false, 1),
            (message, 1.0, 4_200.0, Some("s"), false, 0),
            (message, 1.0, 0.0, Some("s"), false, 0),
            (checkpoint, 8_000.0, 100_000.0, Some("s"), true, 2),
            (checkpoint, 8_000.0, 100_000.0, None, false, 1),
        ];
        for (entries, keep, context, reply, compacted, events) in cases {
            let compaction = run(entries, keep, context, reply);
            assert_eq!(
                (compaction.compacted, compaction.events.len()),
                (compacted, events),
                "{entries} {keep}"
            );
            assert_eq!(compaction.waiting, reply.is_none());
        }
    }

    #[test]
    fn a_request_is_needed_beyond_the_larger_of_output_and_buffer() {
        let request = format!(r#"{{"messages":["{}"],"generation":{{"maxTokens":100}}}}"#, "m".repeat(3_983));
        let document = Document::parse(&request).unwrap();
        let pending = |context: f64| Pending { request: Some(document.root()), ..pending(context) };
        let settings = |buffer: f64, auto: bool| Settings { auto, buffer, ..settings(0.0) };
        // {"messages":["…"]} has 4,000 units, which are 1,000 tokens.
        for (context, buffer, auto, needed) in [
            (1_100.0, 50.0, true, false),
            (1_099.0, 50.0, true, true),
            (1_099.0, 50.0, false, false),
            (1_500.0, 501.0, true, true),
            (-1.0, 50.0, true, false),
        ] {
            assert_eq!(is_needed(&pending(context), settings(buffer, auto)), needed, "{context} {buffer}");
        }
    }
}
