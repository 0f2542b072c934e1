//! Errors in plain words, with their place in the file and the text around it.

use ebbline::{Error, ErrorCode};
use serde::{Deserialize, Serialize};

use ebbline::numbers::grouped;

/// Stands in a snippet in front of the place of the error. The text around it never has this character.
pub const HERE: char = '\u{fffd}';

/// An error, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserError {
    /// The engine's code, for example `not_json`.
    pub code: String,
    /// What is wrong, as a sentence.
    pub sentence: String,
    /// `line 1,204 · byte 3,311,020`; empty if the error has no place.
    pub place: String,
    /// The text around the place, with [`HERE`] in front of the byte; empty if the error has no place.
    pub snippet: String,
}

/// How many bytes of text are shown before and after the place.
const AROUND: usize = 48;

impl UserError {
    /// An error that the page itself reports.
    pub fn from_page(code: &str, sentence: impl Into<String>) -> Self {
        Self { code: code.to_owned(), sentence: sentence.into(), ..Self::default() }
    }

    /// Whether it may help to read the file as another format: not if it is no text, and not if the worker failed.
    pub fn may_be_read_as(&self) -> bool {
        !["worker", "folder", "not_utf8", "empty", "too_large"].contains(&self.code.as_str())
    }

    /// `error`, because of which the engine skipped one line of `source`.
    pub fn from_line(error: &Error, source: &[u8]) -> Self {
        let problem = Self::new(error, source);
        if error.kind() == ErrorCode::NotUtf8 {
            return Self { sentence: capitalized(error.message()), ..problem };
        }
        problem
    }

    /// `error`, raised while reading `source`.
    pub fn new(error: &Error, source: &[u8]) -> Self {
        // A file that is no session at all is wrong everywhere, not at its first byte.
        let everywhere =
            matches!(error.kind(), ErrorCode::Empty | ErrorCode::NoMessages | ErrorCode::UnsupportedFormat)
                || (error.kind() == ErrorCode::NotUtf8 && not_text(source).is_some());
        let place = error
            .place()
            .filter(|place| !everywhere && (place.byte > 1 || error.kind() != ErrorCode::NotUtf8));
        Self {
            code: error.code().to_owned(),
            sentence: sentence(error, source),
            place: place.map_or_else(String::new, |place| {
                format!("line {} · byte {}", grouped(place.line as u64), grouped(place.byte as u64))
            }),
            snippet: place.map_or_else(String::new, |place| snippet(source, place.byte)),
        }
    }
}

/// What a file is that is known by its first bytes and is no text.
fn not_text(source: &[u8]) -> Option<&'static str> {
    let begins = |signatures: &[&[u8]]| signatures.iter().any(|signature| source.starts_with(signature));
    if begins(&[b"\x1f\x8b"]) {
        Some("This is a gzip archive. Unpack it first, then open the file inside.")
    } else if begins(&[b"PK\x03\x04", b"\x28\xb5\x2f\xfd"]) {
        Some("This is an archive (zip or zstd). Unpack it first, then open the file inside.")
    } else if begins(&[b"\xff\xfe", b"\xfe\xff"]) {
        Some("This text is UTF-16. Save it as UTF-8, then open it again.")
    } else if begins(&[b"\x89PNG", b"\xff\xd8\xff", b"GIF8"]) {
        Some("This is a picture, not a text file that holds a session.")
    } else {
        None
    }
}

fn sentence(error: &Error, source: &[u8]) -> String {
    let said = error.message();
    let more = match error.kind() {
        ErrorCode::Empty => return "There is nothing in it: no text at all.".to_owned(),
        ErrorCode::NotUtf8 => {
            let known = not_text(source);
            return known.unwrap_or("This is not a text file: it holds bytes that are not UTF-8.").to_owned();
        }
        ErrorCode::NotJson => "This is not JSON",
        ErrorCode::TornLine => "The JSON stops in the middle of a value",
        ErrorCode::TooDeep => "The JSON is nested too deeply to be a session",
        ErrorCode::TooLarge => "This is too large to be read",
        ErrorCode::NoMessages => {
            return match said.strip_prefix("JSON, but no session: ") {
                Some(seen) => format!("This is JSON, but there are no messages in it: {seen}."),
                None => capitalized(said),
            };
        }
        ErrorCode::UnsupportedFormat => "This format cannot be read yet",
        ErrorCode::InvalidMessage => "A message breaks a rule of its format",
        _ => return capitalized(said),
    };
    format!("{more}: {said}.")
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_ascii_uppercase(), characters.as_str()))
}

fn snippet(source: &[u8], byte: usize) -> String {
    let byte = byte.min(source.len());
    let before = source.get(byte.saturating_sub(AROUND)..byte).unwrap_or_default();
    let after = source.get(byte..(byte + AROUND).min(source.len())).unwrap_or_default();
    let clean = |bytes: &[u8]| -> String {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.chars()
            .filter(|character| *character != HERE)
            .map(|character| if character.is_control() { ' ' } else { character })
            .collect()
    };
    format!("{}{HERE}{}", clean(before), clean(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::text::Text;
    use ebbline::{ReadOptions, SessionText};

    fn problem(source: &[u8]) -> String {
        let error = Text::from_bytes(source).and_then(SessionText::read).unwrap_err();
        let UserError { code, sentence, place, snippet } = UserError::new(&error, source);
        format!("{code} | {sentence} | {place} | {snippet}")
    }

    #[test]
    fn an_unreadable_line_does_not_make_the_file_unreadable() {
        let bytes = b"{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\"content\":\"\xff\"}\n{\"role\":\"user\",\"content\":\"b\"}\n";
        let (_, opened) =
            crate::open_session::OpenSession::open(bytes.to_vec(), "bytes.jsonl", &ReadOptions::default())
                .unwrap();
        let [problem] = opened.about.problems.as_slice() else { panic!("{:?}", opened.about.problems) };
        assert_eq!(problem.sentence, "The line holds bytes that are not UTF-8.");
        assert_eq!(problem.place, "line 2 · byte 56");
    }

    #[test]
    fn every_bad_file_gets_its_own_sentence() {
        insta::assert_snapshot!(
            [
                problem(b""),
                problem(b"hello there"),
                problem(b"{\"role\": \"user\", \"content\": tru}"),
                problem(b"[{\"role\": \"user\", \"content\": \"x\"}"),
                problem(b"{\"name\": \"shop\", \"version\": 1}"),
                problem(b"{\"type\": \"message_start\"}\n{\"type\": \"content_block_delta\"}"),
                problem(b"\x1f\x8b\x08\x00"),
                problem(b"\xff\xfe[\0"),
                problem(b"\x89PNG\r\n"),
                problem(b"PK\x03\x04\xff"),
                problem(b"\xfe\xed\xfa\xce"),
            ]
            .join("\n")
        );
    }

    #[test]
    fn another_format_is_offered_for_texts_only() {
        let of = |bytes: &[u8]| {
            let error = Text::from_bytes(bytes).and_then(SessionText::read).unwrap_err();
            UserError::new(&error, bytes)
        };
        for bytes in [&b"\x89PNG\r\n\x1a\n\xff\x00"[..], b"\x1f\x8b\x08\xff", b""] {
            assert!(!of(bytes).may_be_read_as(), "{:?}", of(bytes));
        }
        for bytes in [&b"plain words"[..], b"{\"messages\": 1}"] {
            assert!(of(bytes).may_be_read_as(), "{:?}", of(bytes));
        }
        for (code, expected) in [("folder", false), ("worker", false), ("not_json", true)] {
            assert_eq!(UserError::from_page(code, "").may_be_read_as(), expected);
        }
    }
}
