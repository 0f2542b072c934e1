//! Errors in plain words, with the place and what stands there.

use ebbline::{Error, ErrorCode};

use crate::number::grouped;

/// What went wrong, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// The engine's code, for example `not_json`.
    pub code: String,
    /// A sentence.
    pub sentence: String,
    /// `line 1,204 · byte 3,311,020`; empty when there is no place.
    pub place: String,
    /// The text around the place, with `⟨here⟩` in front of the byte; empty when there is none.
    pub snippet: String,
}

/// How many bytes of text are shown before and after the place.
const AROUND: usize = 48;

impl Trouble {
    /// A trouble of the page's own.
    #[must_use]
    pub fn of_page(code: &str, sentence: impl Into<String>) -> Self {
        Self { code: code.to_owned(), sentence: sentence.into(), ..Self::default() }
    }

    /// `problem`, which cost no more of `source` than its line.
    #[must_use]
    pub fn of_line(problem: &Error, source: &[u8]) -> Self {
        let trouble = Self::new(problem, source);
        if problem.kind() == ErrorCode::NotUtf8 {
            return Self { sentence: capitalised(problem.message()), ..trouble };
        }
        trouble
    }

    /// `error`, raised while reading `source`.
    #[must_use]
    pub fn new(error: &Error, source: &[u8]) -> Self {
        // A file that is something else altogether is wrong everywhere, not at its first byte.
        let everywhere =
            matches!(error.kind(), ErrorCode::Empty | ErrorCode::NoMessages | ErrorCode::UnsupportedFormat);
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

fn sentence(error: &Error, source: &[u8]) -> String {
    let said = error.message();
    let more = match error.kind() {
        ErrorCode::Empty => return "There is nothing in it: no text at all.".to_owned(),
        ErrorCode::NotUtf8 if source.starts_with(&[0x1f, 0x8b]) => {
            return "This is a gzip archive. Unpack it first, then open the file inside.".to_owned();
        }
        ErrorCode::NotUtf8 if source.starts_with(&[0xff, 0xfe]) || source.starts_with(&[0xfe, 0xff]) => {
            return "This text is UTF-16. Save it as UTF-8, then open it again.".to_owned();
        }
        ErrorCode::NotUtf8 => {
            return "This is not a text file: it holds bytes that are not UTF-8.".to_owned();
        }
        ErrorCode::NotJson => "This is not JSON",
        ErrorCode::TornLine => "The JSON stops in the middle of a value",
        ErrorCode::TooDeep => "The JSON is nested too deeply to be a session",
        ErrorCode::TooLarge => "This is too large to be read",
        ErrorCode::NoMessages => {
            return match said.strip_prefix("JSON, but no session: ") {
                Some(seen) => format!("This is JSON, but there are no messages in it: {seen}."),
                None => capitalised(said),
            };
        }
        ErrorCode::UnsupportedFormat => "This format cannot be read yet",
        ErrorCode::InvalidMessage => "A message breaks a rule of its format",
        _ => return capitalised(said),
    };
    format!("{more}: {said}.")
}

fn capitalised(text: &str) -> String {
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
            .filter(|character| *character != '\u{fffd}')
            .map(|character| if character.is_control() { ' ' } else { character })
            .collect()
    };
    format!("{}⟨here⟩{}", clean(before), clean(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::text::Text;
    use ebbline::{ReadOptions, Session};

    fn trouble(source: &[u8]) -> String {
        let error = Text::from_bytes(source).and_then(Session::read).unwrap_err();
        let Trouble { code, sentence, place, snippet } = Trouble::new(&error, source);
        format!("{code} | {sentence} | {place} | {snippet}")
    }

    #[test]
    fn a_line_that_is_no_text_is_no_file_that_is_none() {
        let bytes = b"{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\"content\":\"\xff\"}\n{\"role\":\"user\",\"content\":\"b\"}\n";
        let (_, opened) =
            crate::desk::Desk::open(bytes.to_vec(), "bytes.jsonl", &ReadOptions::default()).unwrap();
        let [trouble] = opened.about.troubles.as_slice() else { panic!("{:?}", opened.about.troubles) };
        assert_eq!(trouble.sentence, "The line holds bytes that are not UTF-8.");
        assert_eq!(trouble.place, "line 2 · byte 56");
    }

    #[test]
    fn every_bad_file_gets_its_own_sentence() {
        insta::assert_snapshot!(
            [
                trouble(b""),
                trouble(b"hello there"),
                trouble(b"{\"role\": \"user\", \"content\": tru}"),
                trouble(b"[{\"role\": \"user\", \"content\": \"x\"}"),
                trouble(b"{\"name\": \"shop\", \"version\": 1}"),
                trouble(b"{\"type\": \"message_start\"}\n{\"type\": \"content_block_delta\"}"),
                trouble(b"\x1f\x8b\x08\x00"),
                trouble(b"\xff\xfe[\0"),
                trouble(b"\x89PNG\r\n"),
            ]
            .join("\n")
        );
    }
}
