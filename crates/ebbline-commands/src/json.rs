//! Results for programs: a line of JSON for each file, as `JSON.stringify` writes it.

use ebbline::json::{Document, quote};
use ebbline::notation::javascript::stringify;
use serde::Serialize;

/// A value as a line.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut json = serde_json::to_string(value).unwrap_or_default();
    json.push('\n');
    json
}

/// A value of the engine as a line, with the name of its file in front: its fractions are written as in JavaScript.
pub(crate) fn line_of_file(name: &str, value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let members = json.strip_prefix('{').unwrap_or_default();
    let separator = if members.starts_with('}') { "" } else { "," };
    as_javascript(&format!("{{\"file\":{}{separator}{members}", quote(name)))
}

/// JSON as a line, as JavaScript writes it.
pub(crate) fn as_javascript(json: &str) -> String {
    let written = Document::parse(json).map(|document| stringify(document.root()).to_text());
    written.unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_written_as_in_javascript() {
        #[derive(Serialize)]
        struct Of {
            cost: f64,
            share: Option<f64>,
        }
        let line = line_of_file("a\"b", &Of { cost: 29.0, share: None });
        assert_eq!(line, "{\"file\":\"a\\\"b\",\"cost\":29,\"share\":null}\n");
    }
}
