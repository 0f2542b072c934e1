//! A session's text, whose bytes may partly be invalid UTF-8.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::json::Document;

/// Replaces a byte that is not valid UTF-8. JSON does not allow it, so a line that contains it is not read.
const STAND_IN: char = '\u{1}';
/// How many invalid bytes a text may have; it may have one more for every this many bytes.
const FEW: usize = 16;
const ONE_OF: usize = 8;

/// A session's text, borrowed or owned. It is as long as its bytes: a control character replaces each byte that is not
/// valid UTF-8, and every output contains the original byte again.
///
/// A clone shares the text and copies nothing.
///
/// # Example
///
/// ```
/// use ebbline::text::Text;
/// let text = Text::from_bytes(b"{\"a\": 1}\n{\"b\": \"\xff\"}\n")?;
/// assert_eq!(text.as_str(), "{\"a\": 1}\n{\"b\": \"\u{1}\"}\n");
/// assert_eq!(text.edited(&[])?, b"{\"a\": 1}\n{\"b\": \"\xff\"}\n");
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Text<'s>(Content<'s>);

#[derive(Clone, Debug)]
enum Content<'s> {
    Borrowed(&'s str),
    Owned(Arc<Owned>),
}

#[derive(Debug)]
struct Owned {
    content: String,
    /// The invalid bytes with their positions.
    strange: Vec<(u32, u8)>,
    /// The error for the first invalid byte.
    fault: Option<Error>,
}

impl<'s> From<&'s str> for Text<'s> {
    fn from(text: &'s str) -> Self {
        Self(Content::Borrowed(text))
    }
}

impl<'s> From<&'s String> for Text<'s> {
    fn from(text: &'s String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<String> for Text<'static> {
    fn from(content: String) -> Self {
        Self::owned(content, Vec::new(), None)
    }
}

impl<'s> From<Cow<'s, str>> for Text<'s> {
    fn from(text: Cow<'s, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::from(text),
            Cow::Owned(text) => Text::from(text),
        }
    }
}

impl Text<'static> {
    fn owned(content: String, strange: Vec<(u32, u8)>, fault: Option<Error>) -> Self {
        Self(Content::Owned(Arc::new(Owned { content, strange, fault })))
    }

    /// The text of bytes of which some are no UTF-8.
    fn mended(mut bytes: Vec<u8>) -> Result<Self, Error> {
        let fault = utf8(&bytes).err();
        let most = FEW + bytes.len() / ONE_OF;
        let mut strange = Vec::new();
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            at += chunk.valid().len();
            for byte in chunk.invalid() {
                strange.push((u32::try_from(at).unwrap_or(u32::MAX), *byte));
                at += 1;
            }
            if strange.len() > most {
                return Err(fault.unwrap_or_else(not_utf8));
            }
        }
        let put = |bytes: &mut Vec<u8>, stand_in: u8| {
            for (at, _) in &strange {
                if let Some(byte) = bytes.get_mut(*at as usize) {
                    *byte = stand_in;
                }
            }
        };
        // If the text would be one document with these bytes replaced, no line of it can be skipped.
        put(&mut bytes, b'?');
        let text = String::from_utf8(bytes).map_err(|_| not_utf8())?;
        if Document::parse(&text).is_ok() {
            return Err(fault.unwrap_or_else(not_utf8));
        }
        let mut bytes = text.into_bytes();
        put(&mut bytes, STAND_IN as u8);
        let text = String::from_utf8(bytes).map_err(|_| not_utf8())?;
        Ok(Self::owned(text, strange, fault))
    }
}

/// The bytes as text, if they are UTF-8. A check in registers of the machine takes an eighth of the time.
#[cfg(not(target_arch = "wasm32"))]
fn checked(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

#[cfg(target_arch = "wasm32")]
fn checked(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

impl<'s> Text<'s> {
    /// The text of bytes, borrowed (`&[u8]`) or owned (`Vec<u8>`). Borrowed bytes are copied only when some of them
    /// are no UTF-8.
    ///
    /// # Errors
    ///
    /// `not_utf8` with the place of the first byte that is no UTF-8, when there are so many of them that this is no
    /// text, or when the text is a single document.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::text::Text;
    /// assert_eq!(Text::from_bytes(b"[]")?.as_str(), "[]");
    /// assert_eq!(Text::from_bytes(vec![0xff; 40]).unwrap_err().code(), "not_utf8");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn from_bytes(bytes: impl Into<Cow<'s, [u8]>>) -> Result<Self, Error> {
        match bytes.into() {
            Cow::Borrowed(bytes) => match checked(bytes) {
                Some(text) => Ok(Self::from(text)),
                None => Text::mended(bytes.to_vec()),
            },
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Text::from(text)),
                Err(error) => Text::mended(error.into_bytes()),
            },
        }
    }

    /// The text, with a control character in place of each invalid byte.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::text::Text::from("[]").as_str(), "[]");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Content::Borrowed(text) => text,
            Content::Owned(owned) => &owned.content,
        }
    }

    /// The same text, owned. A borrowed text is copied, an owned one is not.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::text::Text;
    /// let text: Text<'static> = Text::from(String::from("[]").as_str()).into_owned();
    /// assert_eq!(text.as_str(), "[]");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Text<'static> {
        match self.0 {
            Content::Borrowed(text) => Text::from(text.to_owned()),
            Content::Owned(owned) => Text(Content::Owned(owned)),
        }
    }

    /// The error for the first invalid byte; `None` if all bytes are valid.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::text::Text;
    /// let text = Text::from_bytes(b"{\"a\": 1}\n\xff\n")?;
    /// assert_eq!(text.fault().and_then(|fault| fault.place()).map(|place| place.line), Some(2));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn fault(&self) -> Option<&Error> {
        match &self.0 {
            Content::Borrowed(_) => None,
            Content::Owned(owned) => owned.fault.as_ref(),
        }
    }

    /// The bytes with the ranges of `edits` replaced; they must be in order and must not overlap.
    ///
    /// # Errors
    ///
    /// `mismatch`, as [`crate::edit::apply`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{edit::Edit, text::Text};
    /// let text = Text::from_bytes(b"{\"a\": 1}\n\xff\n")?;
    /// assert_eq!(text.edited(&[Edit::new(6..7, "22")])?, b"{\"a\": 22}\n\xff\n");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn edited(&self, edits: &[Edit]) -> Result<Vec<u8>, Error> {
        let edited = crate::edit::apply(self.as_str(), edits)?.into_bytes();
        if self.strange().is_empty() {
            return Ok(edited);
        }
        // The edits are valid. Copy the text between them again, with its original bytes.
        let mut result = Vec::with_capacity(edited.len());
        let mut copied = 0;
        for edit in edits {
            self.copy(copied..edit.range.start, &mut result);
            result.extend(edit.replacement.as_bytes());
            copied = edit.range.end;
        }
        self.copy(copied..self.as_str().len(), &mut result);
        Ok(result)
    }

    /// Appends the original bytes of `range`.
    fn copy(&self, range: Range<usize>, result: &mut Vec<u8>) {
        let begin = result.len();
        result.extend(self.as_str().as_bytes().get(range.clone()).unwrap_or_default());
        let strange = self.strange();
        let first = strange.partition_point(|(at, _)| (*at as usize) < range.start);
        let inside = strange.iter().skip(first).take_while(|(at, _)| (*at as usize) < range.end);
        for (at, byte) in inside {
            if let Some(place) = result.get_mut(begin + (*at as usize) - range.start) {
                *place = *byte;
            }
        }
    }

    /// The bytes that are no UTF-8, by their place.
    fn strange(&self) -> &[(u32, u8)] {
        match &self.0 {
            Content::Borrowed(_) => &[],
            Content::Owned(owned) => &owned.strange,
        }
    }

    /// Whether the byte at `at` is invalid UTF-8.
    pub(crate) fn is_strange(&self, at: usize) -> bool {
        self.strange().binary_search_by_key(&at, |(at, _)| *at as usize).is_ok()
    }
}

/// Two texts are equal if the bytes that they were made of are.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str() && self.strange() == other.strange()
    }
}

impl Eq for Text<'_> {}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
        self.strange().hash(state);
    }
}

fn not_utf8() -> Error {
    Error::new(ErrorCode::NotUtf8, "the text is not UTF-8")
}

/// The first bytes of files that may contain a session but are not text, and what to do with them first. Codex
/// compresses its older rollouts; other agents store sessions in a database.
const PACKED: &[(&[u8], &str)] = &[
    (b"\x28\xb5\x2f\xfd", "a file compressed by zstd; decompress it first: zstd -d"),
    (b"\x1f\x8b", "a file compressed by gzip; decompress it first: gzip -d"),
    (
        b"PK\x03\x04",
        "a zip archive; unpack it first: unzip (an .eval log of Inspect AI: inspect log convert --to json --output-dir FOLDER)",
    ),
    (b"SQLite format 3\0", "a SQLite database; the session must be exported from it first"),
];

/// Converts UTF-8 bytes to text.
///
/// # Errors
///
/// `not_utf8` with the place of the first byte that is not UTF-8.
///
/// # Example
///
/// ```
/// use ebbline::text::utf8;
/// assert_eq!(utf8(b"[]")?, "[]");
/// assert!(utf8(b"\x1f\x8b\x08").unwrap_err().message().ends_with("gzip -d"));
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn utf8(source: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(source).map_err(|error| {
        let byte = error.valid_up_to();
        let readable =
            source.get(..byte).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        let why = PACKED.iter().find(|(magic, _)| source.starts_with(magic)).map(|(_, what)| what);
        let message = why.map_or_else(
            || "the text is not UTF-8".to_owned(),
            |what| format!("the text is not UTF-8: this is {what}"),
        );
        Error::new(ErrorCode::NotUtf8, message).located(readable, byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PlanOptions;
    use crate::profiles;
    use crate::session_text::{EditOptions, SessionText};

    fn read(bytes: &[u8]) -> Result<SessionText<'_>, Error> {
        SessionText::read(Text::from_bytes(bytes)?)
    }

    fn refusal(bytes: &[u8]) -> (&'static str, Option<(usize, usize)>) {
        let error = read(bytes).unwrap_err();
        (error.code(), error.place().map(|place| (place.line, place.byte)))
    }

    /// A session with two prunable outputs and the line `bad` between its turns.
    fn session(bad: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for turn in 0..2 {
            if turn == 1 {
                bytes.extend(bad);
            }
            let output = "cargo test says ok. ".repeat(40);
            let turn = [
                "{\"role\":\"user\",\"content\":\"go\"}".to_owned(),
                format!(
                    "{{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{{\"id\":\"c{turn}\",\"type\":\"function\",\"function\":{{\"name\":\"sh\",\"arguments\":\"{{}}\"}}}}]}}"
                ),
                format!("{{\"role\":\"tool\",\"tool_call_id\":\"c{turn}\",\"content\":\"{output}\"}}"),
                "{\"role\":\"assistant\",\"content\":\"done\"}".to_owned(),
            ];
            bytes.extend(turn.join("\n").as_bytes());
            bytes.push(b'\n');
        }
        bytes
    }

    const BAD: &[u8] = b"{\"role\":\"user\",\"content\":\"caf\xe9 \xff\xfe\"}\n";

    #[test]
    fn a_byte_that_is_no_utf8_costs_its_line_and_not_the_file() {
        let bytes = session(BAD);
        let read = read(&bytes).unwrap();
        assert_eq!(read.counts().messages, 8);
        let [problem] = read.problems() else { panic!("{:?}", read.problems()) };
        let place = problem.place().unwrap();
        assert_eq!((problem.code(), place.line, bytes[place.byte]), ("not_utf8", 5, 0xe9));
        let owned = SessionText::read(Text::from_bytes(bytes.clone()).unwrap()).unwrap();
        assert_eq!(owned.counts(), read.counts());
    }

    #[test]
    fn the_line_stays_in_every_output_byte_for_byte() {
        let bytes = session(BAD);
        let read = read(&bytes).unwrap();
        let mut policy = profiles::get("tunacode@2026-01").unwrap();
        for knob in ["protect", "minimum", "minimumTurns"] {
            policy.set(&format!("prune.{knob}"), "0").unwrap();
        }
        policy.set("retain.enabled", "true").unwrap();
        policy.set("retain.keep", "10").unwrap();
        for (force, summary) in [(false, None), (true, Some("what was done".to_owned()))] {
            let plan = read.plan_with(&policy, PlanOptions::new().force(force));
            assert!(plan.decision.prune.applied && plan.decision.retain.applied == force);
            let options = EditOptions { summary, ..EditOptions::default() };
            let result = read.compact_bytes(&plan, &options).unwrap();
            assert_eq!(read.compact(&plan, &options).unwrap_err().code(), "not_utf8");
            assert_ne!(result, bytes);
            assert!(result.windows(BAD.len()).any(|window| window == BAD), "force {force}");
            // The same file without the bad line gives the same result without it.
            let clean = session(b"");
            let of_clean = self::read(&clean).unwrap();
            let plan = of_clean.plan_with(&policy, PlanOptions::new().force(force));
            let expected = of_clean.compact_bytes(&plan, &options).unwrap();
            let at = result.windows(BAD.len()).position(|window| window == BAD).unwrap();
            assert_eq!([&result[..at], &result[at + BAD.len()..]].concat(), expected, "force {force}");
        }
    }

    #[test]
    fn a_single_document_with_such_a_byte_is_refused_with_its_place() {
        for (bytes, place) in [
            (&b"[{\"role\":\"user\",\n\"content\":\"\xff\"}]"[..], (2, 28)),
            (b"[\n{\"role\":\"user\",\"content\":\"a\"},\n{\"role\":\"user\",\"content\":\"\xff\"},\n{\"role\":\"user\",\"content\":\"b\"}\n]\n", (3, 59)),
            (b"{\"messages\":[\n{\"role\":\"user\",\"content\":\"\xff\"},\n{\"role\":\"user\",\"content\":\"b\"}\n]}\n", (2, 40)),
            (b"[{\"role\":\"user\",\"content\":\"a\"}]\xff", (1, 31)),
            (b"\x89PNG\r\n", (1, 0)),
        ] {
            assert_eq!(refusal(bytes), ("not_utf8", Some(place)), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn what_is_no_text_at_all_is_refused_as_before() {
        for bytes in
            [&b"\x1f\x8b\x08\x00"[..], b"\xff\xfe[\0{\0", b"SQLite format 3\0\xff", b"PK\x03\x04\xff"]
        {
            let as_before = utf8(bytes).unwrap_err();
            assert_eq!(read(bytes).unwrap_err(), as_before);
        }
        let noise: Vec<u8> =
            (0..4_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80).collect();
        assert_eq!(Text::from_bytes(noise).unwrap_err().code(), "not_utf8");
    }

    #[test]
    fn edits_apply_to_the_bytes_around_strange_ones() {
        let text = Text::from_bytes(b"a\xffb\xfec\xfd".to_vec()).unwrap();
        for (edits, expected) in [
            (vec![], &b"a\xffb\xfec\xfd"[..]),
            (vec![Edit::new(0..1, "long é")], b"long \xc3\xa9\xffb\xfec\xfd"),
            (vec![Edit::new(1..4, "")], b"ac\xfd"),
            (vec![Edit::new(2..2, "--"), Edit::new(4..6, "!")], b"a\xff--b\xfe!"),
        ] {
            assert_eq!(text.edited(&edits).unwrap(), expected);
        }
        assert_eq!(
            text.edited(&[Edit::new(std::ops::Range { start: 3, end: 1 }, "")]).unwrap_err().code(),
            "mismatch"
        );
    }
}
