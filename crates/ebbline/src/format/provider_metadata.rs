//! The provider's metadata that the AI SDK stores with each part: `providerOptions`, `providerMetadata`, in OpenCode
//! `metadata`.

use crate::json::{Text, Value};

/// Members, below the provider's name, that the provider requires back with a part.
const OPAQUE: [&str; 4] = ["signature", "redactedData", "reasoningEncryptedContent", "thoughtSignature"];

/// The signature or encrypted content among a part's metadata.
pub(super) fn signature_of(metadata: Option<Value<'_>>) -> Option<Text<'_>> {
    let providers = metadata.into_iter().flat_map(Value::members);
    providers
        .flat_map(|(_, provider)| OPAQUE.into_iter().filter_map(move |key| provider.text_of(key)))
        .find(|text| !text.is_empty())
}

/// The id of a piece of reasoning that the provider stores itself: it must be sent back with this id, in its place.
pub(super) fn item_of(metadata: Option<Value<'_>>) -> Option<Text<'_>> {
    let providers = metadata.into_iter().flat_map(Value::members);
    providers.filter_map(|(_, provider)| provider.text_of("itemId")).find(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn a_signature_is_found_under_any_provider() {
        let cases = [
            (r#"{"anthropic":{"signature":"s"}}"#, Some("s"), None),
            (r#"{"anthropic":{"signature":""},"google":{"thoughtSignature":"t"}}"#, Some("t"), None),
            (r#"{"openai":{"itemId":"rs_1","reasoningEncryptedContent":null}}"#, None, Some("rs_1")),
            (r#"{"bedrock":{"redactedData":"r"}}"#, Some("r"), None),
            (r#"{"anthropic":"signature"}"#, None, None),
            ("[]", None, None),
        ];
        for (source, signature, item) in cases {
            let document = Document::parse(source).unwrap();
            let text = |found: Option<Text<'_>>| found.map(|text| text.decode().into_owned());
            assert_eq!(text(signature_of(Some(document.root()))).as_deref(), signature, "{source}");
            assert_eq!(text(item_of(Some(document.root()))).as_deref(), item, "{source}");
        }
    }
}
