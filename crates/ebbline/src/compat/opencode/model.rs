//! What of a model decides how messages are written for it.

use super::super::javascript::Utf16;
use super::message::interpolated;
use crate::json::Value;

/// What of a model decides how messages are written for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// `providerID/id`: an answer of another model loses its signatures.
    pub name: Utf16,
    /// The package that talks to the provider: `@ai-sdk/anthropic`.
    pub npm: String,
    /// The model's name at the provider.
    pub api_id: String,
}

impl Model {
    /// The model in `{providerID, id, api: {npm, id}}`.
    #[must_use]
    pub fn of(model: Option<Value<'_>>) -> Self {
        let Some(model) = model else { return Self::default() };
        let api = |key| {
            let name = model.get("api").and_then(|api| api.text_of(key));
            name.map(|name| name.decode().into_owned()).unwrap_or_default()
        };
        Self { name: full_name(model, "providerID", "id"), npm: api("npm"), api_id: api("id") }
    }

    /// Whether a tool's result may hold a file of this kind; otherwise it follows in a message of its own.
    pub(super) fn takes_in_result(&self, mime: &str) -> bool {
        match self.npm.as_str() {
            "@ai-sdk/anthropic"
            | "@ai-sdk/openai"
            | "@ai-sdk/amazon-bedrock/mantle"
            | "@ai-sdk/google-vertex/anthropic" => true,
            "@ai-sdk/amazon-bedrock" | "@ai-sdk/xai" => mime.starts_with("image/"),
            "@ai-sdk/google" => {
                let id = self.api_id.to_lowercase();
                id.contains("gemini-3") && !id.contains("gemini-2")
            }
            _ => false,
        }
    }
}

/// Provider and model in one: `anthropic/claude`.
pub(super) fn full_name(value: Value<'_>, provider: &str, model: &str) -> Utf16 {
    Utf16::join(&[interpolated(value, provider), interpolated(value, model)], "/")
}
