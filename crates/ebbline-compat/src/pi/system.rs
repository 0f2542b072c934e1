//! The prompt that results from several `system` messages (pi 1.5).

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, members, stringify};

use super::coerce::{self, raises};
use super::message::{Content, Form, Message, Role};

/// The total weight of the `system` messages among `messages`, in UTF-16 units: their texts joined by blank lines,
/// and the sections and tools that no later message removed. `None` if there is no such message.
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception: content that it cannot iterate.
pub(super) fn current_system_message(messages: &[Message<'_>]) -> Result<Option<f64>, Error> {
    let mut texts: Vec<Utf16> = Vec::new();
    let mut sections: Vec<(Utf16, Value<'_>)> = Vec::new();
    let mut tools: Vec<(Utf16, Value<'_>)> = Vec::new();
    let mut is_dated = false;
    for message in messages.iter().filter(|message| message.role == Role::System) {
        is_dated |= message.value.get("timestamp").is_some();
        texts.extend(Some(text_of(message.content)?).filter(|text| !text.is_empty()));
        for (name, section) in message.value.present("sections").into_iter().flat_map(members) {
            let name = Utf16::from(name);
            if section.is_null() {
                sections.retain(|(known, _)| *known != name);
            } else {
                put(&mut sections, name, section);
            }
        }
        for tool in message.value.elements_of("toolsRemoved") {
            let name = coerce::string(tool.get("name"));
            tools.retain(|(known, _)| *known != name);
        }
        for tool in message.value.elements_of("toolsAdded") {
            put(&mut tools, coerce::string(tool.get("name")), tool);
        }
    }
    if !is_dated && tools.is_empty() {
        return Ok(None);
    }
    let mut units = Utf16::join(&texts, "\n\n").len() as f64;
    for (_, section) in sections.iter().filter(|(_, section)| section.is_truthy()) {
        units += coerce::length(Some(*section), "section")?;
    }
    if !tools.is_empty() {
        // A JSON list: brackets, and commas between the tools.
        units += 1.0 + tools.iter().map(|(_, tool)| stringify(*tool).len() as f64 + 1.0).sum::<f64>();
    }
    Ok(Some(units))
}

/// JavaScript's `Map.set`: a known name keeps its place.
fn put<'d>(map: &mut Vec<(Utf16, Value<'d>)>, name: Utf16, value: Value<'d>) {
    match map.iter_mut().find(|(known, _)| *known == name) {
        Some((_, slot)) => *slot = value,
        None => map.push((name, value)),
    }
}

fn text_of(content: Content<'_>) -> Result<Utf16, Error> {
    match content.form() {
        Form::Text(text) => Ok(text.map(Utf16::from).unwrap_or_default()),
        Form::Blocks(blocks) => {
            let mut texts = Vec::new();
            for block in blocks {
                if block.is("text")? {
                    texts.push(block.get("text"));
                }
            }
            Ok(coerce::joined(texts.into_iter(), "\n"))
        }
        Form::Nothing => Err(raises("content is not a list")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn sections_and_tools_that_were_taken_away_weigh_nothing() {
        let cases = [
            (r#"[{"role":"user","content":"x"}]"#, None),
            (r#"[{"role":"system","content":"abc"}]"#, None),
            (r#"[{"role":"system","content":"abc","timestamp":1}]"#, Some(3.0)),
            (
                r#"[{"role":"system","content":"abc","timestamp":1,"sections":{"a":"12345","b":"1"}},
                    {"role":"system","content":[{"type":"text","text":"de"}],"sections":{"a":null}}]"#,
                Some(8.0),
            ),
            (
                r#"[{"role":"system","content":"","toolsAdded":[{"name":"a"},{"name":"b"}]},
                    {"role":"system","content":"","toolsRemoved":[{"name":"a"}]}]"#,
                Some(14.0),
            ),
        ];
        for (list, units) in cases {
            let document = Document::parse(list).unwrap();
            let messages = Message::list(document.root()).unwrap();
            assert_eq!(current_system_message(&messages).unwrap(), units, "{list}");
        }
        let document = Document::parse(r#"[{"role":"system","timestamp":1}]"#).unwrap();
        assert!(current_system_message(&Message::list(document.root()).unwrap()).is_err());
    }
}
