//! Another system's settings as a policy.

use ebbline::settings::Surroundings;
use ebbline_wasm_shared::EbblineError;
use wasm_bindgen::prelude::*;

use crate::js::to_js;

/// The policy of `profile` as `settings` (JSON) turn it; `environment` holds names and values in turn.
#[wasm_bindgen(js_name = readSettings, unchecked_return_type = "Policy")]
pub fn read_settings(
    profile: &str,
    settings: &str,
    environment: Vec<String>,
    model: Option<String>,
) -> Result<JsValue, EbblineError> {
    let environment = environment
        .chunks_exact(2)
        .filter_map(|pair| Some((pair.first()?.as_str(), pair.get(1)?.as_str())))
        .collect();
    let mut surroundings = Surroundings::default();
    (surroundings.environment, surroundings.model) = (environment, model.as_deref());
    Ok(to_js(&ebbline::settings::policy(profile, settings, &surroundings)?))
}
