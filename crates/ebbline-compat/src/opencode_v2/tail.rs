//! Where the later version begins the recent history: at a user message, with whole messages.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use super::serialize::{is, serialize};
use super::version::{Version, tokens_of};

/// The recent history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The first message that is kept as text; all messages before it are summarized.
    pub start: usize,
    /// The kept messages as text.
    pub recent: Utf16,
}

/// Finds the tail of about `keep` tokens; `None` if there is nothing to compact.
///
/// The newest message is kept, however large; older ones while they fit; then the tail is extended to the user
/// message that it belongs to. If it would keep everything, only the newest exchange is kept; if that is everything,
/// nothing is, unless an earlier checkpoint's tail remains to be summarized.
///
/// # Errors
///
/// As [`serialize`].
pub fn tail(messages: &[Value<'_>], keep: f64) -> Result<Option<Tail>, Error> {
    let mut texts = Vec::with_capacity(messages.len());
    for message in messages {
        texts.push(serialize(*message, Version::Later)?);
    }
    let shown: Vec<usize> =
        (0..texts.len()).filter(|at| texts.get(*at).is_some_and(|t| !t.is_empty())).collect();
    let Some(start) = start(messages, &texts, &shown, keep) else { return Ok(None) };
    let recent: Vec<Utf16> = texts.into_iter().skip(start).filter(|text| !text.is_empty()).collect();
    Ok(Some(Tail { start, recent: Utf16::join(&recent, "\n\n") }))
}

fn start(messages: &[Value<'_>], texts: &[Utf16], shown: &[usize], keep: f64) -> Option<usize> {
    let oldest = *shown.first()?;
    let mut total = 0.0;
    let mut start = shown.len();
    for (position, at) in shown.iter().enumerate().rev() {
        let next = total + texts.get(*at).map_or(0.0, tokens_of);
        if start < shown.len() && next > keep {
            break;
        }
        total = next;
        start = position;
    }
    let is_user = |at: &usize| messages.get(*at).is_some_and(|message| is(*message, "user"));
    let users = |positions: &[usize]| positions.iter().rposition(is_user).filter(|position| *position > 0);
    // Back to the user message, so that calls and results stay together; otherwise only the newest exchange.
    let found = users(shown.get(..=start).unwrap_or_default()).or_else(|| users(shown));
    if let Some(position) = found {
        return shown.get(position).copied();
    }
    let checkpoint = messages.iter().rev().find(|message| is_completed_checkpoint(**message));
    let has_tail =
        checkpoint.is_some_and(|checkpoint| checkpoint.get("recent").is_some_and(Value::is_truthy));
    Some(if has_tail { oldest } else { messages.len() })
}

/// Whether a message is a completed checkpoint; one without a status counts as completed.
pub(super) fn is_completed_checkpoint(message: Value<'_>) -> bool {
    is(message, "compaction") && message.text_of("status").is_none_or(|status| status.is("completed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    /// Messages from a word: `u`ser and `a`nswer of 5 tokens each, `c`heckpoint with a tail, `e`mpty one, `s`ystem.
    fn found(word: &str, keep: f64) -> Option<(usize, usize)> {
        let messages: Vec<&str> = word
            .chars()
            .map(|letter| match letter {
                'u' => r#"{"type":"user","text":"123456789012"}"#,
                'a' => r#"{"type":"assistant","content":[{"type":"text","text":"1234567"}]}"#,
                'c' => r#"{"type":"compaction","status":"completed","summary":"s","recent":"r"}"#,
                'e' => r#"{"type":"compaction","status":"completed","summary":"s","recent":""}"#,
                _ => r#"{"type":"system","text":"x"}"#,
            })
            .collect();
        let document = format!("[{}]", messages.join(","));
        let document = Document::parse(&document).unwrap();
        let messages: Vec<_> = document.root().elements().collect();
        tail(&messages, keep).unwrap().map(|tail| (tail.start, tail.recent.len()))
    }

    #[test]
    fn the_tail_begins_with_a_users_message() {
        for (word, keep, start) in [
            ("uauaua", 10.0, Some(4)),
            ("uauaua", 14.0, Some(4)),
            ("uauaua", 15.0, Some(2)),
            ("uauaua", 0.0, Some(4)),
            ("uauaua", 30.0, Some(4)),
            ("uaaaaa", 10.0, Some(6)),
            ("ua", 100.0, Some(2)),
            ("cua", 100.0, Some(1)),
            ("eua", 100.0, Some(3)),
            ("cuaua", 100.0, Some(3)),
            ("sus", 1.0, Some(3)),
            ("auau", 5.0, Some(3)),
            ("sc", 100.0, None),
            ("", 100.0, None),
        ] {
            assert_eq!(found(word, keep).map(|(start, _)| start), start, "{word} keep {keep}");
        }
        assert_eq!(found("uaua", 10.0), Some((2, 20 + 2 + 20)));
    }
}
