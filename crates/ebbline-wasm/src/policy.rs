//! A policy under construction: a profile, what is laid over it, and the knobs that are turned.

use ebbline_wasm_shared::EbblineError;
use wasm_bindgen::prelude::*;

/// A policy.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Policy {
    pub(crate) inner: ebbline::Policy,
}

#[wasm_bindgen]
impl Policy {
    /// The policy of a profile.
    #[wasm_bindgen(constructor)]
    pub fn new(profile: &str) -> Result<Policy, EbblineError> {
        Ok(Self { inner: ebbline::profiles::get(profile)? })
    }

    /// Takes over what a partial policy in JSON names.
    pub fn overlay(&mut self, json: &str) -> Result<(), EbblineError> {
        Ok(self.inner.overlay(json)?)
    }

    /// Takes over what the policy holds for the model `name`.
    #[wasm_bindgen(js_name = forModel)]
    pub fn for_model(&mut self, name: &str) -> Result<(), EbblineError> {
        self.inner = self.inner.for_model(name)?;
        Ok(())
    }

    /// Turns one knob.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), EbblineError> {
        Ok(self.inner.set(path, value)?)
    }

    /// Whether what remains of a pruned output differs from output to output.
    #[wasm_bindgen(getter)]
    pub fn describes(&self) -> bool {
        ebbline::binding::describes(&self.inner)
    }

    /// The policy as JSON.
    #[wasm_bindgen(js_name = toJson)]
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The text that replaces a pruned output.
    #[wasm_bindgen(getter)]
    pub fn placeholder(&self) -> String {
        self.inner.prune.bare_placeholder().to_owned()
    }

    /// Whether a summary carries the user's own words.
    #[wasm_bindgen(getter = carriesWords)]
    pub fn carries_words(&self) -> bool {
        self.inner.resolved().retain.user_words > 0
    }

    /// Whether a reference to the call follows the placeholder.
    #[wasm_bindgen(getter)]
    pub fn reference(&self) -> bool {
        self.inner.prune.reference
    }

    /// Whether text has to be measured in code points.
    #[wasm_bindgen(getter, js_name = countsCodePoints)]
    pub fn counts_code_points(&self) -> bool {
        self.inner.estimator.unit == ebbline::length::Unit::CodePoints
    }

    /// Whether text has to be measured in bytes.
    #[wasm_bindgen(getter, js_name = countsBytes)]
    pub fn counts_bytes(&self) -> bool {
        self.inner.estimator.unit == ebbline::length::Unit::Bytes
    }

    /// Whether parts are measured in the notation of the format's own system.
    #[wasm_bindgen(getter, js_name = countsNotation)]
    pub fn counts_notation(&self) -> bool {
        self.inner.estimator.native_notation
    }

    /// Whether text has to be measured by the kinds of its characters.
    #[wasm_bindgen(getter, js_name = countsClasses)]
    pub fn counts_classes(&self) -> bool {
        self.inner.estimator.unit == ebbline::length::Unit::Classes
    }

    /// The same, and values as the JSON that is sent.
    #[wasm_bindgen(getter, js_name = countsClassesOfJson)]
    pub fn counts_classes_of_json(&self) -> bool {
        self.inner.estimator.unit == ebbline::length::Unit::ClassesOfJson
    }
}
