//! Requests with ebbline's wording: everything but the wording must agree.

use ebbline::json::{Document, Value};

use super::expand;

/// Replaces a line of the original wording in the vectors.
const INSTRUCTION: &str = "(instruction)";

/// Compares a prompt with the expected one, in which `(instruction)` replaces each line of the original wording:
/// headings, tags and transcript must have the same order and places, and a prompt without such lines must be equal.
pub(super) fn follows(ours: &str, expected: &str) -> Result<(), String> {
    let mut pieces = expected.split(INSTRUCTION);
    let first = pieces.next().unwrap_or_default();
    let mut rest =
        ours.strip_prefix(first).ok_or_else(|| format!("begins {:?}, not {first:?}", start(ours)))?;
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return if rest.is_empty() { Ok(()) } else { Err(format!("goes on with {:?}", start(rest))) };
    };
    rest = rest.strip_suffix(last).ok_or_else(|| format!("does not end with {last:?}"))?;
    for piece in pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()) {
        let at = rest.find(piece).ok_or_else(|| format!("lacks {piece:?} before {:?}", start(rest)))?;
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    Ok(())
}

/// Compares a prompt with a text or the digest of one. A digest is of the original wording, so only the beginning and
/// end of a long prompt can be compared; without original wording, also its length and hash.
pub(super) fn prompt(ours: &str, expected: Value<'_>) -> Result<(), String> {
    let text = |key: &str| {
        let written = expand(expected.get(key)?);
        let document = Document::parse(&written).ok()?;
        document.root().text().map(|text| text.decode().into_owned())
    };
    if let Some(whole) = text("text").or_else(|| expected.text().map(|text| text.decode().into_owned())) {
        return follows(ours, &whole);
    }
    let (head, tail) = (text("head").unwrap_or_default(), text("tail").unwrap_or_default());
    // Where a digest is cut, half of a pair of surrogates may be left, which decodes to a character of its own.
    let begins = head.split(INSTRUCTION).next().unwrap_or_default().trim_end_matches('\u{FFFD}');
    let ends = tail.rsplit(INSTRUCTION).next().unwrap_or_default().trim_start_matches('\u{FFFD}');
    if !ours.starts_with(begins) {
        return Err(format!("begins {:?}, not {begins:?}", start(ours)));
    }
    if !ours.ends_with(ends) {
        return Err(format!("does not end with {ends:?}"));
    }
    Ok(())
}

fn start(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording_is_free_and_everything_else_is_not() {
        let expected = "<conversation>\nhi\n</conversation>\n\n(instruction)\n\n## Goal\n(instruction)";
        let ours = "<conversation>\nhi\n</conversation>\n\nSum up.\n\n## Goal\nWhat is wanted.";
        follows(ours, expected).unwrap();
        for wrong in
            [ours.replace("hi", "ho"), ours.replace("## Goal", "## Aim"), ours.replace("<conv", " <conv")]
        {
            follows(&wrong, expected).unwrap_err();
        }
        follows("plain", "plain").unwrap();
        follows("plain and more", "plain").unwrap_err();
        follows("x (end)", "(instruction)\n</previous>").unwrap_err();
    }

    #[test]
    fn half_of_a_pair_may_stand_where_a_digest_is_cut() {
        for digest in [
            r#"{"sha256":"s","head":"ab\ud83d","tail":"\ude00cd"}"#,
            r#"{"sha256":"s","head":{"$lone":["ab\ufffd",[[2,55357]]]},"tail":{"$lone":["\ufffdcd",[[0,56832]]]}}"#,
        ] {
            let digest = Document::parse(digest).unwrap();
            prompt("ab\u{1f600} and \u{1f600}cd", digest.root()).unwrap();
            prompt("a\u{1f600} and \u{1f600}cd", digest.root()).unwrap_err();
            prompt("ab\u{1f600} and \u{1f600}d", digest.root()).unwrap_err();
        }
    }
}
