//! Where 2026-06 divides a history into the part that is summarized and the part that is kept as text.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use super::serialize::{is, message_of, serialize};
use super::version::{Version, tokens_of};

/// A divided history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// The part that is summarized.
    pub head: Utf16,
    /// The part that is kept.
    pub recent: Utf16,
}

/// Divides the messages of `entries` so that about `keep` tokens are kept; `None` if there is nothing to divide.
///
/// The message that does not fit is divided inside its text: the last four units for each remaining token are kept.
/// As in the original, the head contains the whole message and then again the part before the cut.
///
/// # Errors
///
/// As [`serialize`].
pub fn select(entries: &[Value<'_>], keep: f64) -> Result<Option<Selection>, Error> {
    let mut texts = Vec::with_capacity(entries.len());
    for entry in entries {
        let message = message_of(*entry);
        if !is(message, "compaction") {
            texts.push(serialize(message, Version::V2026_06)?);
        }
    }
    texts.retain(|text| !text.is_empty());
    if texts.is_empty() {
        return Ok(None);
    }
    let mut total = 0.0;
    let mut split = texts.len();
    let mut cut = None;
    for (index, text) in texts.iter().enumerate().rev() {
        let next = total + tokens_of(text);
        if next > keep {
            cut = divide(text, (keep - total).max(0.0) * 4.0);
            break;
        }
        total = next;
        split = index;
    }
    let (before, after) = cut.unwrap_or_default();
    let (head, recent) = texts.split_at(split);
    let joined = |texts: Vec<Utf16>| {
        let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        Utf16::join(&texts, "\n\n")
    };
    Ok(Some(Selection {
        head: joined(head.iter().cloned().chain([before]).collect()),
        recent: joined([after].into_iter().chain(recent.iter().cloned()).collect()),
    }))
}

/// `slice(0, -units)` and `slice(-units)`; `None` for no units.
fn divide(text: &Utf16, units: f64) -> Option<(Utf16, Utf16)> {
    if units <= 0.0 {
        return None;
    }
    let whole = units.trunc() as usize;
    // Less than one unit is `-0`, and a slice from `-0` is the whole text.
    let at = if whole == 0 { 0 } else { text.len().saturating_sub(whole) };
    Some((text.slice(0, at), text.slice(at, text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    /// User messages of these numbers of tokens, including their labels.
    fn selected(sizes: &[usize], keep: f64) -> Option<(String, String)> {
        let messages: Vec<String> = sizes
            .iter()
            .zip('a'..)
            .map(|(tokens, letter)| {
                let text = letter.to_string().repeat(4 * tokens - 8);
                format!(r#"{{"seq":1,"message":{{"type":"user","text":"{text}"}}}}"#)
            })
            .collect();
        let document = format!("[{}]", messages.join(","));
        let document = Document::parse(&document).unwrap();
        let entries: Vec<_> = document.root().elements().collect();
        select(&entries, keep).unwrap().map(|found| (found.head.to_text(), found.recent.to_text()))
    }

    #[test]
    fn a_message_is_divided_and_its_beginning_stands_twice() {
        let cases = [
            (3.0, "[User]: aaaa", "[User]: bbbb"),
            (4.0, "[User]: aaaa\n\n[User]: ", "aaaa\n\n[User]: bbbb"),
            (3.25, "[User]: aaaa\n\n[User]: aaa", "a\n\n[User]: bbbb"),
            (3.1, "[User]: aaaa", "[User]: aaaa\n\n[User]: bbbb"),
            (6.0, "", "[User]: aaaa\n\n[User]: bbbb"),
            (0.0, "[User]: aaaa\n\n[User]: bbbb", ""),
            (-7.0, "[User]: aaaa\n\n[User]: bbbb", ""),
            (f64::NAN, "", "[User]: aaaa\n\n[User]: bbbb"),
        ];
        for (keep, head, recent) in cases {
            let (ours, stays) = selected(&[3, 3], keep).unwrap();
            assert_eq!((ours.as_str(), stays.as_str()), (head, recent), "keep {keep}");
        }
        assert_eq!(selected(&[], 8_000.0), None);
    }
}
