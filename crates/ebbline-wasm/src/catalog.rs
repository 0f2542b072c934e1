//! What there is to choose from: profiles. The names of formats and rules are constants in JavaScript.

use ebbline::json::Writer;
use wasm_bindgen::prelude::*;

/// Every profile as JSON, the default first: `[{name, about, policy}]`.
#[wasm_bindgen]
pub fn profiles() -> String {
    let mut out = Writer::default();
    for (index, profile) in ebbline::profiles::ALL.iter().enumerate() {
        out.raw(if index == 0 { "[" } else { "," }).raw("{\"name\":").string(profile.name);
        out.raw(",\"about\":").string(profile.about);
        out.raw(",\"policy\":").raw(&profile.policy().to_json()).raw("}");
    }
    out.raw("]");
    out.finish()
}

/// The name of the profile used when none is named.
#[wasm_bindgen(js_name = defaultProfile)]
pub fn default_profile() -> String {
    ebbline::profiles::DEFAULT.to_owned()
}

/// The known name that is nearest to `word`, as [`ebbline::binding::nearest`] finds it.
#[wasm_bindgen]
pub fn nearest(word: &str, known: Vec<String>) -> Option<String> {
    ebbline::binding::nearest(word, known.iter().map(String::as_str)).map(str::to_owned)
}
