//! The facts about a model that matter here.

use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use super::message::interpolated;
use super::overflow::Limits;

/// The facts about a model that decide how messages are written for it and how much of them is kept.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// Who provides it: `anthropic`.
    pub provider_id: Utf16,
    /// The provider's id of the model.
    pub id: Utf16,
    /// The package for the provider: `@ai-sdk/anthropic`.
    pub npm: String,
    /// The model's name at the provider.
    pub api_id: String,
    /// Its limits.
    pub limits: Limits,
}

impl Model {
    /// The model in `{providerID, id, api: {npm, id}, limit}`.
    #[must_use]
    pub fn of(model: Option<Value<'_>>) -> Self {
        let Some(model) = model else { return Self::default() };
        let api = |key| {
            let name = model.get("api").and_then(|api| api.text_of(key));
            name.map(|name| name.decode().into_owned()).unwrap_or_default()
        };
        Self {
            provider_id: interpolated(model, "providerID"),
            id: interpolated(model, "id"),
            npm: api("npm"),
            api_id: api("id"),
            limits: Limits::of_model(Some(model)),
        }
    }

    /// Provider and model as one name. Signatures of an answer by another model are dropped.
    pub(super) fn full_name(&self) -> Utf16 {
        joined(&self.provider_id, &self.id)
    }

    /// Whether a tool's result may contain a file of this kind; otherwise the file follows in a separate message.
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

/// The name of the model that gave an answer.
pub(super) fn full_name_of_answer(info: Value<'_>) -> Utf16 {
    joined(&interpolated(info, "providerID"), &interpolated(info, "modelID"))
}

fn joined(provider: &Utf16, model: &Utf16) -> Utf16 {
    Utf16::join(&[provider.clone(), model.clone()], "/")
}
