//! The texts of a transcript's parts, for messages that were never a text.

use super::original::Original;
use crate::error::{Error, ErrorCode};
use crate::format::{PieceForm, PieceKind, Pieces};
use crate::json::{Document, Value};
use crate::transcript::Transcript;

/// The bits of a piece's first word: whether it is a text, then its kind, then the number of its part.
const IS_TEXT: u32 = 1;
const KIND_SHIFT: u32 = 1;
const KINDS: u32 = 3;
const PART_SHIFT: u32 = 3;

/// The texts of the parts of a transcript that no session text stands behind: that of a live session of another language.
///
/// # Example
///
/// ```
/// use ebbline::summary::Texts;
/// let texts = Texts::of_json(r#"[["Fix the login test."], [], ["Go on."]]"#)?;
/// assert_eq!(texts.parts(), 3);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Texts<'t> {
    source: &'t str,
    pieces: Pieces,
    parts: usize,
}

impl<'t> Texts<'t> {
    /// Reads JSON: an array with one element for each part of the transcript, in order. An element is an array of the
    /// values that the part is made of: a text as a string, anything else (arguments, for example) as it is. A part without
    /// text has an empty array. The element is an object if the user ran a command: `{"ran": text}` for the command and
    /// `{"printed": text}` for its output; and `{"added": text}` if the application added the text to the user's words.
    ///
    /// # Errors
    ///
    /// Those of [`Document::parse`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::Texts;
    /// assert_eq!(Texts::of_json("[").unwrap_err().code(), "torn_line");
    /// ```
    pub fn of_json(json: &'t str) -> Result<Self, Error> {
        let document = Document::parse(json)?;
        let mut pieces = Pieces::default();
        let mut parts = 0;
        for (part, element) in document.root().elements().enumerate() {
            note(part, element, &mut pieces);
            parts += 1;
        }
        Ok(Self { source: json, pieces, parts })
    }

    /// Reads pieces that stand one behind the other in `source`. The first word is the number of parts; two words describe
    /// each piece: `part << 3 | kind << 1 | is_text`, and its length in bytes. A piece is a text as it is or, if it is none, a
    /// JSON value. Kinds: 0 for what a part is made of, 1 for a command that the user ran, 2 for what it printed,
    /// 3 for what the application added to the user's words.
    ///
    /// # Errors
    ///
    /// `mismatch` if the words do not describe `source`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::Texts;
    /// let texts = Texts::of_pieces("Fix it.{}", &[2, 1, 7, 1 << 3, 2])?;
    /// assert_eq!(texts.parts(), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn of_pieces(source: &'t str, words: &[u32]) -> Result<Self, Error> {
        let (parts, written) = words.split_first().ok_or_else(mismatch)?;
        let (written, rest) = written.as_chunks::<2>();
        let mut pieces = Pieces::default();
        pieces.reserve(written.len());
        let (mut at, mut newest) = (0, 0);
        for [word, length] in written {
            let part = word >> PART_SHIFT;
            let span = at..at + *length as usize;
            if part < newest || part >= *parts || source.get(span.clone()).is_none() {
                return Err(mismatch());
            }
            let form = if word & IS_TEXT == 0 { PieceForm::Value } else { PieceForm::Text };
            let kind = match word >> KIND_SHIFT & KINDS {
                1 => PieceKind::Command,
                2 => PieceKind::Printed,
                3 => PieceKind::Added,
                _ => PieceKind::Content,
            };
            (at, newest) = (span.end, part);
            pieces.note_piece(part as usize, &span, kind, form);
        }
        if !rest.is_empty() || at != source.len() {
            return Err(mismatch());
        }
        Ok(Self { source, pieces, parts: *parts as usize })
    }

    /// How many parts there are.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::summary::Texts::of_json("[[], []]")?.parts(), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// What the texts stand in, and where.
    pub(super) fn source(&self) -> (&'t str, &Pieces) {
        (self.source, &self.pieces)
    }

    /// The texts beside the transcript that they are of.
    pub(crate) fn original<'o>(&'o self, transcript: &'o Transcript) -> Result<Original<'o, 't>, Error> {
        if self.parts != transcript.parts().len() {
            return Err(mismatch());
        }
        Ok(Original { transcript, pieces: &self.pieces, source: self.source })
    }
}

pub(super) fn mismatch() -> Error {
    Error::new(ErrorCode::Mismatch, "plan, texts and messages do not belong together")
}

/// Notes where the texts of one part stand.
fn note(part: usize, element: Value<'_>, pieces: &mut Pieces) {
    for (key, kind) in
        [("ran", PieceKind::Command), ("printed", PieceKind::Printed), ("added", PieceKind::Added)]
    {
        if let Some(text) = element.get(key) {
            pieces.note_piece(part, &text.span(), kind, PieceForm::Value);
        }
    }
    for value in element.elements() {
        pieces.note(part, &value.span());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;
    use crate::transcript::{Message, Part, PartKind};

    fn transcript(parts: usize) -> Transcript {
        let mut transcript = Transcript::default();
        transcript.begin(Message::person());
        for _ in 0..parts {
            transcript.push(Part::new(PartKind::Text, Length::ascii(4)));
        }
        transcript
    }

    fn read(texts: &Texts<'_>, parts: usize) -> Vec<String> {
        let transcript = transcript(parts);
        let original = texts.original(&transcript).unwrap();
        (0..parts).map(|part| original.pieces.text_of(original.source, part).into_owned()).collect()
    }

    #[test]
    fn pieces_say_what_json_says() {
        let json = r#"[["say \"a\"", "ü"], [], [{"path":"a"}], {"ran":"ls"}, ["\ud800"], ["[1]"]]"#;
        let source = "say \"a\"ü{\"path\":\"a\"}ls\"\\ud800\"[1]";
        let words = [6, 1, 7, 1, 2, 2 << 3, 12, 3 << 3 | 1 << 1 | 1, 2, 4 << 3, 8, 5 << 3 | 1, 3];
        let (json, pieces) = (Texts::of_json(json).unwrap(), Texts::of_pieces(source, &words).unwrap());
        assert_eq!(read(&json, 6), read(&pieces, 6));
        assert_eq!(read(&pieces, 6), ["say \"a\"\nü", "", "{\"path\":\"a\"}", "ls", "\u{fffd}", "[1]"]);
        let kinds = |texts: &Texts<'_>| {
            (0..6)
                .map(|part| texts.pieces.of(part).iter().map(|piece| piece.kind).collect())
                .collect::<Vec<Vec<_>>>()
        };
        assert_eq!(kinds(&json), kinds(&pieces));
    }

    #[test]
    fn words_that_do_not_describe_the_source_are_refused() {
        let cases: [(&str, &[u32]); 9] = [
            ("", &[]),
            ("a", &[1]),
            ("a", &[1, 1, 2]),
            ("ab", &[1, 1, 1]),
            ("a", &[1, 1]),
            ("a", &[1, 1 << 3, 1]),
            ("ab", &[2, 1 << 3, 1, 0, 1]),
            ("ü", &[1, 1, 1, 1, 1]),
            ("a", &[1, 1, u32::MAX]),
        ];
        for (source, words) in cases {
            assert_eq!(Texts::of_pieces(source, words).unwrap_err().code(), "mismatch", "{source} {words:?}");
        }
        assert!(Texts::of_pieces("", &[3]).unwrap().original(&transcript(2)).is_err());
    }
}
