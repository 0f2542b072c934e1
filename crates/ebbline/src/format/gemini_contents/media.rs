//! Images and files.

use super::super::media::{GEMINI, priced};
use super::super::recorder::{Recorder, length_of_value};
use super::spelling::either;
use crate::json::Value;
use crate::transcript::PartKind;

pub(super) fn media_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "inlineData", "inline_data").or_else(|| either(part, "fileData", "file_data"))
}

pub(super) fn read_media(media: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    let mime = either(media, "mimeType", "mime_type").and_then(Value::text);
    let kind =
        if mime.is_some_and(|mime| mime.starts_with("image/")) { PartKind::Image } else { PartKind::File };
    let data = media.present("data").or_else(|| either(media, "fileUri", "file_uri"));
    let length = data.map(length_of_value).unwrap_or_default();
    recorder.media(kind, priced(kind, length, data, media, GEMINI), call);
}
