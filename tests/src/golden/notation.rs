//! The vectors' notation for long and invalid strings: `$repeat`, `$concat`, `$lone`.

use ebbline::json::Value;

/// `value` as JSON text with expanded notation; everything else keeps its spelling.
pub fn expand(value: Value<'_>) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: Value<'_>, into: &mut String) {
    if let Some(units) = notation(value) {
        quote(&units, into);
    } else if value.is_array() {
        into.push('[');
        for (index, element) in value.elements().enumerate() {
            if index > 0 {
                into.push(',');
            }
            write(element, into);
        }
        into.push(']');
    } else if value.is_object() {
        into.push('{');
        for (index, (key, member)) in value.members().enumerate() {
            if index > 0 {
                into.push(',');
            }
            into.push('"');
            into.push_str(key.raw());
            into.push_str("\":");
            write(member, into);
        }
        into.push('}');
    } else {
        into.push_str(value.source());
    }
}

/// The UTF-16 units of a string in this notation; `None` for anything else.
fn notation(value: Value<'_>) -> Option<Vec<u16>> {
    let (key, argument) = value.members().next()?;
    let mut arguments = argument.elements();
    match key.raw() {
        "$repeat" => {
            let (what, times) = (string(arguments.next()?)?, arguments.next()?.number()?);
            Some(what.repeat(times as usize))
        }
        "$concat" => arguments.map(string).collect::<Option<Vec<_>>>().map(|parts| parts.concat()),
        "$lone" => {
            let mut units = string(arguments.next()?)?;
            for pair in arguments.next()?.elements() {
                let mut pair = pair.elements();
                let (index, unit) = (pair.next()?.number()?, pair.next()?.number()?);
                // In a prompt the position is that of the original wording, so the replacement character stays there.
                if let Some(place) = units.get_mut(index as usize).filter(|place| **place == 0xFFFD) {
                    *place = unit as u16;
                }
            }
            Some(units)
        }
        _ => None,
    }
}

fn string(value: Value<'_>) -> Option<Vec<u16>> {
    value.text().map(|text| text.decode().encode_utf16().collect()).or_else(|| notation(value))
}

/// Writes units as a JSON string; unpaired surrogates as escapes.
fn quote(units: &[u16], into: &mut String) {
    into.push('"');
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok('"') => into.push_str("\\\""),
            Ok('\\') => into.push_str("\\\\"),
            Ok(control) if control < ' ' => into.push_str(&format!("\\u{:04x}", u32::from(control))),
            Ok(other) => into.push(other),
            Err(lone) => into.push_str(&format!("\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    into.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn notation_is_expanded_and_the_rest_is_copied() {
        let source =
            r#"{"a":{"$repeat":[{"$concat":["x","\n"]},2]},"b":[1.0,{"$lone":["a�b",[[1,55357]]]}],"c":{}}"#;
        let document = Document::parse(source).unwrap();
        assert_eq!(expand(document.root()), r#"{"a":"x\u000ax\u000a","b":[1.0,"a\ud83db"],"c":{}}"#);
    }
}
