//! Results that leave as JSON.

use serde::Serialize;

/// Any plain value as JSON.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
