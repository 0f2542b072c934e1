//! Writes new JSON with the layout of the JSON around it.

use crate::json::{Document, Value};

/// The white space before `value`, back to the bracket or comma.
pub(super) fn space_before<'d>(source: &'d str, value: Value<'_>) -> &'d str {
    let before = source.get(..value.span().start).unwrap_or_default();
    let kept = before.trim_end_matches([' ', '\t', '\r', '\n']).len();
    before.get(kept..).unwrap_or_default()
}

/// Formats compact `json` like `neighbor`: on separate indented lines, or on one line.
pub(super) fn laid_out(json: &str, neighbor: Value<'_>) -> String {
    let source = neighbor.whole_source();
    let inside = source.get(neighbor.span().start + 1..).unwrap_or_default();
    let space: &str =
        inside.split_once(|character: char| !character.is_ascii_whitespace()).map_or("", |at| at.0);
    let Some((_, inner)) = space.rsplit_once('\n') else { return json.to_owned() };
    let outer = space_before(source, neighbor).rsplit_once('\n').map_or("", |(_, indent)| indent);
    let step = inner.strip_prefix(outer).filter(|step| !step.is_empty()).unwrap_or("  ");
    let line_break = if space.contains('\r') { "\r\n" } else { "\n" };
    let Ok(document) = Document::parse(json) else { return json.to_owned() };
    let mut layout = Layout { step, line_break, indent: outer.to_owned(), written: String::new() };
    layout.value(document.root());
    layout.written
}

/// JSON being written with one member or element per line.
struct Layout<'s> {
    step: &'s str,
    line_break: &'s str,
    indent: String,
    written: String,
}

impl Layout<'_> {
    fn value(&mut self, value: Value<'_>) {
        if value.members().next().is_some() {
            self.written.push('{');
            self.indent.push_str(self.step);
            for (index, (key, member)) in value.members().enumerate() {
                self.next_line(index > 0);
                self.written.push_str(&format!("\"{}\": ", key.raw()));
                self.value(member);
            }
            self.close('}');
        } else if value.elements().next().is_some() {
            self.written.push('[');
            self.indent.push_str(self.step);
            for (index, element) in value.elements().enumerate() {
                self.next_line(index > 0);
                self.value(element);
            }
            self.close(']');
        } else {
            self.written.push_str(value.source());
        }
    }

    fn close(&mut self, bracket: char) {
        self.indent.truncate(self.indent.len().saturating_sub(self.step.len()));
        self.next_line(false);
        self.written.push(bracket);
    }

    fn next_line(&mut self, is_further: bool) {
        if is_further {
            self.written.push(',');
        }
        self.written.push_str(self.line_break);
        self.written.push_str(&self.indent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_json_looks_like_its_neighbor() {
        let json = r#"{"id":"b","parts":[{"n":1},{}],"none":[]}"#;
        let cases = [
            (r#"[{"a":1}]"#, json.to_owned()),
            ("[\n  {\"a\": 1}\n]", json.to_owned()),
            (
                "[\n  {\n    \"a\": 1\n  }\n]",
                "{\n    \"id\": \"b\",\n    \"parts\": [\n      {\n        \"n\": 1\n      },\n      {}\n    ],\n    \"none\": []\n  }"
                    .to_owned(),
            ),
            ("[\r\n{\r\n\t\"a\":1\r\n}]", "{\r\n\t\"id\": \"b\",\r\n\t\"parts\": [\r\n\t\t{\r\n\t\t\t\"n\": 1\r\n\t\t},\r\n\t\t{}\r\n\t],\r\n\t\"none\": []\r\n}".to_owned()),
        ];
        for (around, expected) in cases {
            let document = Document::parse(around).unwrap();
            let neighbor = document.root().elements().next().unwrap();
            assert_eq!(laid_out(json, neighbor), expected, "{around}");
        }
    }
}
