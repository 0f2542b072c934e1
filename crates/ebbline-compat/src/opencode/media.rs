//! Files in messages and in tools' results.

use ebbline::json::{Text, Value};
use ebbline::notation::javascript::Utf16;

use super::message::{interpolated, is};
use super::object::{Json, Object};

/// Text files and directories are sent as text parts beside them.
pub(super) fn is_read_as_text(file: Value<'_>) -> bool {
    is(file, "mime", "text/plain") || is(file, "mime", "application/x-directory")
}

/// Whether a file is an image or a PDF.
pub(super) fn is_media(file: Value<'_>) -> bool {
    let mime = file.text_of("mime").map(Text::decode).unwrap_or_default();
    mime.starts_with("image/") || mime == "application/pdf"
}

/// The text that replaces a file that is not sent: `[Attached image/png: shot.png]`.
pub(super) fn attachment_note(file: Value<'_>) -> Utf16 {
    let mut note = Utf16::from("[Attached ");
    note.push(&interpolated(file, "mime"));
    note.push_str(": ");
    note.push(
        &file.present("filename").map_or_else(|| Utf16::from("file"), |_| interpolated(file, "filename")),
    );
    note.push_str("]");
    note
}

/// A file beside the texts of a message.
pub(super) fn file_content(file: Value<'_>) -> Json {
    Object::typed("file")
        .value("mediaType", file.get("mime"))
        .value("filename", file.get("filename"))
        .value("data", file.get("url"))
        .end()
}

/// A file inside a result; only data inside the URL itself can be sent.
pub(super) fn media_content(file: Value<'_>) -> Option<Json> {
    let url = Utf16::from(file.text_of("url").filter(|url| url.starts_with("data:"))?);
    let comma = url.units().iter().position(|unit| *unit == u16::from(b','))?;
    let media = Object::typed("media").value("mediaType", file.get("mime"));
    Some(media.text("data", &url.slice(comma + 1, url.len())).end())
}
