//! Images, documents, audio and video: how long their data is, and what they cost.
//!
//! No provider bills the characters of base64. What a file costs goes by its kind: a document by its pages, audio and video by
//! their seconds. None of that is decoded here: pages and seconds are told from the number of bytes, by the rules of
//! `docs/estimator.md`. The cost stands in the two units of classes; the others are those of systems that count characters, and
//! stay the length of the data. `npm/src/media.ts` does the same for live messages.

use crate::json::{Text, Value};
use crate::length::Length;
use crate::length::classes::TOKEN;
use crate::transcript::PartKind;

/// What a provider counts for a page of a document, and for a second of audio and video.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tariff {
    page: u64,
    audio: u64,
    video: u64,
}

/// Where a format does not say which provider gets the messages: the largest of what they publish.
pub(super) const ANY: Tariff = Tariff { page: 3_000, audio: 32, video: 300 };
pub(super) const OPENAI: Tariff = Tariff { page: 2_000, audio: 10, video: 300 };
pub(super) const GEMINI: Tariff = Tariff { page: 258, audio: 32, video: 300 };

/// How many bytes are a page, and a second of sound as WAV, of other sound and of video.
const PAGE: u64 = 100_000;
const WAVE: u64 = 32_000;
const SOUND: u64 = 16_000;
const VIDEO: u64 = 250_000;
/// More pages than this are not told from bytes alone: large documents consist of pictures.
const MOST_PAGES: u64 = 50;
/// What is assumed of a file that is only named, by its URL or id.
const NAMED_PAGES: u64 = 3;
const NAMED_SECONDS: u64 = 60;
/// A file is larger than this; what is smaller costs what its text costs.
const SMALLEST: u64 = 1_000;
/// Names of files are shorter than this, and base64 shows in so many characters.
const LONGEST_NAME: usize = 2_048;
const SHOWN: usize = 64;

/// The members that say what a file is, and the members with more such members.
const SAYING: &[&str] =
    &["mime_type", "mimeType", "media_type", "mediaType", "contentType", "mime", "format"];
const HOLDING: &[&str] = &["source", "file", "input_audio", "audio", "media"];

const AUDIO: &[&str] = &["wav", "mp3", "flac", "opus", "ogg", "aac", "m4a", "pcm", "pcm16"];
const FILMS: &[&str] = &["mp4", "mov", "mkv", "webm", "mpeg", "mpg", "flv", "wmv", "three_gp"];
const TEXTS: &[&str] = &["txt", "csv", "md", "html", "application/json", "application/xml"];

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Document,
    Wave,
    Sound,
    Video,
    Text,
}

impl Sort {
    /// The sort that a media type or the name of a format says.
    fn of(word: &str) -> Self {
        let word = word.to_ascii_lowercase();
        let is_one_of = |list: &[&str]| list.contains(&word.as_str());
        if word.starts_with("audio") || is_one_of(AUDIO) {
            return if word.ends_with("wav") || word.contains("pcm") { Self::Wave } else { Self::Sound };
        }
        if word.starts_with("video") || is_one_of(FILMS) {
            return Self::Video;
        }
        if word.starts_with("text/") || is_one_of(TEXTS) { Self::Text } else { Self::Document }
    }
}

/// What is in a file.
enum Data {
    /// So many bytes.
    Bytes(u64),
    /// It is only named.
    Named,
    /// It is sent as the text that it is.
    Text,
}

/// The length of an enclosure: with the cost of a file where it is one. `about` is the block whose `data` it is.
pub(super) fn priced(
    kind: PartKind,
    length: Length,
    data: Option<Value<'_>>,
    about: Value<'_>,
    tariff: Tariff,
) -> Length {
    let tokens = data.filter(|_| kind == PartKind::File).and_then(|data| tokens(data, about, tariff));
    let Some(tokens) = tokens else { return length };
    let classed = u32::try_from(tokens * u64::from(TOKEN)).unwrap_or(u32::MAX);
    Length { classed, classed_json: classed, ..length }
}

/// The tokens of a file; `None` where it costs what its text costs.
fn tokens(data: Value<'_>, about: Value<'_>, tariff: Tariff) -> Option<u64> {
    let text = data.text().map(Text::decode);
    let (sort, data) = match text.as_deref() {
        Some(text) => {
            let (said, data) = opened(text);
            (said.map_or_else(|| sort_of(about), Sort::of), data)
        }
        None => (sort_of(about), Data::Bytes(u64::from(data_length(data).utf16) / 4 * 3)),
    };
    match (data, sort) {
        (Data::Text, _) => None,
        (Data::Named, Sort::Wave | Sort::Sound) => Some(NAMED_SECONDS * tariff.audio),
        (Data::Named, Sort::Video) => Some(NAMED_SECONDS * tariff.video),
        (Data::Named, _) => Some(NAMED_PAGES * tariff.page),
        (Data::Bytes(bytes), _) if bytes < SMALLEST => None,
        (Data::Bytes(bytes), Sort::Wave) => Some(bytes.div_ceil(WAVE) * tariff.audio),
        (Data::Bytes(bytes), Sort::Sound) => Some(bytes.div_ceil(SOUND) * tariff.audio),
        (Data::Bytes(bytes), Sort::Video) => Some(bytes.div_ceil(VIDEO) * tariff.video),
        (Data::Bytes(bytes), Sort::Text) => Some(bytes.div_ceil(4)),
        (Data::Bytes(bytes), Sort::Document) => Some(bytes.div_ceil(PAGE).min(MOST_PAGES) * tariff.page),
    }
}

/// What a text with data is, and the media type if it says one.
fn opened(text: &str) -> (Option<&str>, Data) {
    let bytes = |encoded: &str| {
        let units = if encoded.is_ascii() { encoded.len() } else { encoded.encode_utf16().count() };
        Data::Bytes(units as u64 * 3 / 4)
    };
    if let Some((head, encoded)) = text.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
        let said = head.split(';').next().filter(|said| !said.is_empty());
        return (said, if head.ends_with(";base64") { bytes(encoded) } else { Data::Text });
    }
    let is_encoded =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    let is_word = text.len() <= LONGEST_NAME && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_word && (text.starts_with("file") || text.contains(['.', ':'])) {
        return (None, Data::Named);
    }
    let shows = text.len() >= SHOWN && text.bytes().take(SHOWN).all(is_encoded);
    (None, if shows { bytes(text) } else { Data::Text })
}

/// What a block says that its file is.
fn sort_of(about: Value<'_>) -> Sort {
    let inner = HOLDING.iter().filter_map(|key| about.get(key));
    let said = std::iter::once(about)
        .chain(inner)
        .find_map(|holder| SAYING.iter().find_map(|key| holder.text_of(key)).filter(|said| !said.is_empty()));
    if let Some(said) = said {
        return Sort::of(&said.decode());
    }
    let named =
        ["type", "kind"].iter().find_map(|key| about.text_of(key)).map(Text::decode).unwrap_or_default();
    match named.as_ref() {
        name if name.contains("audio") => Sort::Sound,
        name if name.contains("video") => Sort::Video,
        _ => Sort::Document,
    }
}

/// The length of an image's or file's data as sent: for a text (base64, a URL, a data URL) its own length; for bytes,
/// the length of their base64. As JSON, bytes in memory become `{"0":137,"1":80}` and a Node buffer becomes
/// `{"type":"Buffer","data":[137,80]}`, which is many times as long.
pub(super) fn data_length(data: Value<'_>) -> Length {
    if let Some(text) = data.text() {
        return text.length();
    }
    let buffer = data.get("data").filter(|_| data.text_of("type").is_some_and(|kind| kind.is("Buffer")));
    let list = buffer.unwrap_or(data);
    let bytes = if list.is_array() { list.elements().count() } else { list.members().count() };
    Length::ascii(bytes.div_ceil(3) * 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn bytes_are_as_long_as_their_base64() {
        let cases = [
            (r#""iVBO""#, 4),
            (r#"{"0":137,"1":80,"2":78,"3":71}"#, 8),
            (r#"{"type":"Buffer","data":[137,80,78]}"#, 4),
            (r#"{"type":"Buffer","data":"x"}"#, 0),
            ("[1,2]", 4),
            ("{}", 0),
            ("7", 0),
            ("null", 0),
        ];
        for (source, expected) in cases {
            let document = Document::parse(source).unwrap();
            assert_eq!(data_length(document.root()).utf16, expected, "{source}");
        }
    }

    /// What a file of so many characters of base64 costs, by what its block says.
    fn cost(data: &str, about: &str, tariff: Tariff) -> Option<u64> {
        let (data, about) = (format!("\"{data}\""), Document::parse(about).unwrap());
        let data = Document::parse(&data).unwrap();
        tokens(data.root(), about.root(), tariff)
    }

    #[test]
    fn a_file_costs_its_pages_or_seconds() {
        let of = |kilobytes: usize| "A".repeat(kilobytes * 4_000 / 3);
        for (data, about, tariff, tokens) in [
            (of(250), r#"{"source":{"media_type":"application/pdf"}}"#, ANY, Some(9_000)),
            (of(250), r#"{"mimeType":"application/pdf"}"#, GEMINI, Some(774)),
            (of(90_000), r#"{"format":"pdf"}"#, OPENAI, Some(100_000)),
            (of(160), r#"{"type":"input_audio","input_audio":{"format":"mp3"}}"#, OPENAI, Some(100)),
            (of(320), r#"{"mime_type":"audio/wav"}"#, GEMINI, Some(320)),
            (of(500), r#"{"mime_type":"video/mp4"}"#, GEMINI, Some(600)),
            (of(500), r#"{"type":"video"}"#, ANY, Some(600)),
            (of(40), r#"{"mediaType":"text/csv"}"#, ANY, Some(10_000)),
            (format!("data:audio/mpeg;base64,{}", of(16)), r#"{"type":"file"}"#, ANY, Some(32)),
            ("https://example.org/a.pdf".to_owned(), "{}", ANY, Some(9_000)),
            ("file_011CNha8iCJcU1wXNR6q4V8w".to_owned(), "{}", OPENAI, Some(6_000)),
            ("s3://bucket/film".to_owned(), r#"{"format":"mov"}"#, ANY, Some(18_000)),
            ("AAAA".to_owned(), r#"{"media_type":"application/pdf"}"#, ANY, None),
            ("A text with words in it. ".repeat(90), r#"{"media_type":"text/plain"}"#, ANY, None),
        ] {
            assert_eq!(cost(&data, about, tariff), tokens, "{about}, {} characters", data.len());
        }
    }
}
