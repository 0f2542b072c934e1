//! Results for programs: a line of JSON for each file, as `JSON.stringify` writes it.

use serde::Serialize;

/// A value as a line.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut json = serde_json::to_string(value).unwrap_or_default();
    json.push('\n');
    json
}
