//! The length of images' and files' data.

use crate::json::Value;
use crate::length::Length;

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
}
