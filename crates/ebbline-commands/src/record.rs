//! The record of a compaction: what is needed to go back. Both command lines read what either of them wrote.

use data_encoding::{BASE64, HEXLOWER};
use ebbline::edit::Edit;
use ebbline::json::{Document, Value, format_js};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;
use crate::io::Io;
use crate::name::Name;

const KIND: &str = "compaction";
const VERSION: u64 = 1;

/// The greatest whole number that JavaScript has exactly.
const MOST: f64 = 9_007_199_254_740_991.0;

/// Length and checksum of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Sum {
    pub(crate) bytes: usize,
    sha256: String,
}

impl Sum {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len(), sha256: HEXLOWER.encode(&Sha256::digest(bytes)) }
    }

    /// Whether it is that of these bytes.
    pub(crate) fn is_of(&self, bytes: &[u8]) -> bool {
        self.bytes == bytes.len() && *self == Self::of(bytes)
    }

    fn read(value: Option<Value<'_>>) -> Option<Self> {
        let value = value?;
        let sha256 = value.text_of("sha256")?.decode().into_owned();
        Some(Self { bytes: count(value.get("bytes"))?, sha256 })
    }
}

/// What stood in the place of what a compaction wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Content {
    /// Text stays text, so that a person can read the record.
    Text(String),
    Base64(String),
}

/// One place at which a compaction changed a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    /// The first byte in the file after the compaction.
    pub(crate) at: usize,
    /// How many bytes were written there.
    pub(crate) length: usize,
    #[serde(flatten)]
    content: Content,
}

impl Change {
    /// The bytes that stood there before.
    pub(crate) fn before(&self) -> Vec<u8> {
        match &self.content {
            Content::Text(text) => text.clone().into_bytes(),
            Content::Base64(base64) => BASE64.decode(base64.as_bytes()).unwrap_or_default(),
        }
    }

    fn read(value: Value<'_>) -> Option<Self> {
        let text = |name: &str| value.text_of(name).map(|text| text.decode().into_owned());
        let content = text("text").map(Content::Text).or_else(|| text("base64").map(Content::Base64))?;
        Some(Self { at: count(value.get("at"))?, length: count(value.get("length"))?, content })
    }
}

/// What is recorded beside the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    pub(crate) profile: String,
    pub(crate) pruned: usize,
    pub(crate) summarized: usize,
    pub(crate) tokens_before: u64,
    pub(crate) tokens_after: u64,
}

/// A record.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
    ebbline: &'static str,
    version: u64,
    #[serde(flatten)]
    about: About,
    /// The file before the compaction.
    pub(crate) before: Sum,
    /// The file after it.
    pub(crate) after: Sum,
    /// The part of the file after it that stays when messages are added.
    pub(crate) kept: Sum,
    /// What was changed, in the order of the file.
    pub(crate) edits: Vec<Change>,
}

impl Record {
    /// The record of the edits that made `after` of `before`.
    pub(crate) fn of(before: &[u8], after: &[u8], edits: &[Edit], about: About) -> Self {
        let mut grown = 0_i64;
        let changes: Vec<Change> = edits
            .iter()
            .map(|edit| {
                let at = (edit.range.start as i64 + grown) as usize;
                let length = edit.replacement.len();
                grown += length as i64 - edit.range.len() as i64;
                let bytes = before.get(edit.range.clone()).unwrap_or_default();
                let content = match std::str::from_utf8(bytes) {
                    Ok(text) => Content::Text(text.to_owned()),
                    Err(_) => Content::Base64(BASE64.encode(bytes)),
                };
                Change { at, length, content }
            })
            .collect();
        let last = changes.last().map_or(0, |change| change.at + change.length);
        let kept = after.get(..end_of_messages(after).max(last)).unwrap_or(after);
        let [before, after, kept] = [before, after, kept].map(Sum::of);
        Self { ebbline: KIND, version: VERSION, about, before, after, kept, edits: changes }
    }

    /// Reads a record from a file.
    pub(crate) async fn read(name: &Name, io: &Io) -> Result<Self, Failure> {
        Self::of_text(&io.read_text(name).await?, name)
    }

    fn of_text(text: &str, name: &Name) -> Result<Self, Failure> {
        let document = Document::parse(text).ok();
        let root = document.as_ref().map(Document::root);
        let is_ours = root.and_then(|root| root.text_of("ebbline")).is_some_and(|kind| kind.is(KIND));
        let version = root.and_then(|root| root.get("version")).and_then(Value::number);
        if let Some(newer) = version.filter(|version| is_ours && *version > VERSION as f64) {
            return Err(Failure::File(format!(
                "{} is a record of version {}, which this version of ebbline does not know",
                name.said(),
                format_js(newer)
            )));
        }
        let is_known = is_ours && version.is_some_and(|version| version.total_cmp(&(VERSION as f64)).is_eq());
        root.filter(|_| is_known).and_then(Self::of_value).ok_or_else(|| {
            Failure::File(format!(
                "{} is no record of a compaction: compact --record and summarize --record write one",
                name.said()
            ))
        })
    }

    fn of_value(value: Value<'_>) -> Option<Self> {
        let sum = |name: &str| Sum::read(value.get(name));
        let edits = value.get("edits").filter(|edits| edits.is_array())?;
        Some(Self {
            ebbline: KIND,
            version: VERSION,
            about: About::default(),
            before: sum("before")?,
            after: sum("after")?,
            kept: sum("kept")?,
            edits: edits.elements().map(Change::read).collect::<Option<_>>()?,
        })
    }
}

/// Where the closing brackets begin that messages are added in front of.
fn end_of_messages(bytes: &[u8]) -> usize {
    let is_closing = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b']' | b'}');
    bytes.len() - bytes.iter().rev().take_while(|byte| is_closing(byte)).count()
}

fn count(value: Option<Value<'_>>) -> Option<usize> {
    let number = value?.number()?;
    (number.fract() == 0.0 && (0.0..=MOST).contains(&number)).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &[u8] = b"[{\"a\":\"long\"},{\"b\":\"\xff\"}]\n";

    fn record() -> (Vec<u8>, Record) {
        let edits = [Edit::new(6..12, "\"\""), Edit::new(19..22, "\"bytes\"")];
        let after = b"[{\"a\":\"\"},{\"b\":\"bytes\"}]\n".to_vec();
        let record = Record::of(BEFORE, &after, &edits, About::default());
        (after, record)
    }

    #[test]
    fn what_stood_there_is_text_or_bytes() {
        let (after, record) = record();
        let [first, second] = &*record.edits else { panic!("{record:?}") };
        assert_eq!((first.at, first.length, first.before()), (6, 2, b"\"long\"".to_vec()));
        assert_eq!((second.at, second.length, second.before()), (15, 7, b"\"\xff\"".to_vec()));
        assert_eq!(record.kept, Sum::of(&after[..22]));
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let (_, record) = record();
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.starts_with(r#"{"ebbline":"compaction","version":1,"profile":"","pruned":0,"summarized":0,"tokensBefore":0,"tokensAfter":0,"before":{"bytes":25,"sha256":""#), "{json}");
        assert!(
            json.ends_with(
                r#""edits":[{"at":6,"length":2,"text":"\"long\""},{"at":15,"length":7,"base64":"Iv8i"}]}"#
            ),
            "{json}"
        );
        let document = Document::parse(&json).unwrap();
        let read = Record::of_value(document.root()).unwrap();
        assert_eq!((read.edits, read.kept), (record.edits, record.kept));
    }

    #[test]
    fn what_is_no_record_is_refused() {
        for json in ["null", "{}", r#"{"before":1}"#, r#"{"edits":{}}"#] {
            assert!(Record::of_value(Document::parse(json).unwrap().root()).is_none(), "{json}");
        }
    }
}
