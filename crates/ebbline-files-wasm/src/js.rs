//! Small results and options that cross as values of JavaScript, without JSON between.

use js_sys::{Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};

/// A result as the value that `JSON.parse` makes of its JSON.
pub(crate) fn to_js(value: &impl Serialize) -> JsValue {
    let exact = value.serialize(&Serializer::json_compatible());
    // An amount that no number of JavaScript holds is refused. As in JSON, it is rounded.
    let large = Serializer::json_compatible().serialize_large_number_types_as_bigints(true);
    exact.or_else(|_| value.serialize(&large).map(rounded)).unwrap_or_default()
}

/// The same with numbers in the place of big integers.
fn rounded(value: JsValue) -> JsValue {
    let value = match u64::try_from(value) {
        Ok(large) => return JsValue::from_f64(large as f64),
        Err(value) => value,
    };
    if let Some(object) = value.dyn_ref::<Object>() {
        for key in Object::keys(object).iter() {
            let member = Reflect::get(object, &key).map(rounded);
            // What was made a moment ago can be read and written.
            let _ = member.and_then(|member| Reflect::set(object, &key, &member));
        }
    }
    value
}

/// Options that the package has checked.
pub(crate) fn from_js<T: DeserializeOwned + Default>(options: JsValue) -> T {
    serde_wasm_bindgen::from_value(options).unwrap_or_default()
}
