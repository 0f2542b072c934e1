//! Messages that were cut or pruned, with what no model sees as the current message has it: ids, metadata and cache marks. A
//! provider takes few marks, and those that were removed must not live on in a copy.

use ebbline::binding::seen::{is_seen, is_seen_id};
use ebbline::json::{Document, Value, quote};

/// Members that belong to how a message was changed, or to the class that holds it.
const STAYS: [&str; 12] = [
    "artifact", "data", "details", "info", "kwargs", "lc_kwargs", "lc_namespace", "lc_serializable", "state",
    "status", "time", "usage",
];
/// Cache marks and notes of providers on a part, and its id.
const MARKS: [&str; 7] = [
    "cacheControl", "cache_control", "cachePoint", "providerOptions", "providerMetadata", "providerData",
    "id",
];

/// The copy, as JSON; `None` if nothing differs.
pub(crate) fn with_current_metadata(copy: &str, current: &str) -> Option<String> {
    let (copy, current) = (Document::parse(copy).ok()?, Document::parse(current).ok()?);
    let (copy, current) = (copy.root(), current.root());
    let takes = |name: &str| !STAYS.contains(&name) && !is_seen(copy, name);
    let made = object(copy, Some(current), &takes);
    (made != object(copy, Some(copy), &takes)).then_some(made)
}

/// An object with the members that `takes` names as another one has them, and the same inside its lists.
fn object(own: Value<'_>, other: Option<Value<'_>>, takes: &dyn Fn(&str) -> bool) -> String {
    let mut written: Vec<String> = Vec::new();
    let mut write = |name: &str, value: &str| written.push(format!("{}:{value}", quote(name)));
    for (name, value) in own.members() {
        let name = name.decode();
        if takes(&name) {
            if let Some(value) = other.and_then(|other| other.get(&name)) {
                write(&name, value.source());
            }
        } else if (name == "content" || name == "parts") && value.is_array() {
            write(&name, &list(value, other.and_then(|other| other.get(&name))));
        } else {
            write(&name, value.source());
        }
    }
    for (name, value) in other.iter().flat_map(|other| other.members()) {
        let name = name.decode();
        if takes(&name) && own.get(&name).is_none() {
            write(&name, value.source());
        }
    }
    format!("{{{}}}", written.join(","))
}

fn list(own: Value<'_>, other: Option<Value<'_>>) -> String {
    let parts: Vec<Value<'_>> = own.elements().filter(|part| !is_mark(*part)).collect();
    let marked: Vec<Value<'_>> =
        other.filter(|other| other.is_array()).map(|other| other.elements().collect()).unwrap_or_default();
    let places: Vec<usize> =
        (0..marked.len()).filter(|at| marked.get(*at).is_some_and(|part| !is_mark(*part))).collect();
    let is_alike = places.len() == parts.len();
    let mut next = 0;
    let mut written = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        let kind = kind_of(part);
        let is_pair = |place: &usize| marked.get(*place).is_some_and(|other| kind_of(*other) == kind);
        let found = if is_alike {
            places.get(at).copied()
        } else {
            places.iter().copied().find(|place| *place >= next && is_pair(place))
        };
        let pair = found.and_then(|place| marked.get(place).copied());
        written.push(of_part(part, pair));
        let Some(place) = found else { continue };
        next = place + 1;
        // Bedrock's marks are parts by themselves.
        let marks = marked.iter().skip(next).take_while(|part| is_mark(**part));
        written.extend(marks.map(|mark| mark.source().to_owned()));
    }
    format!("[{}]", written.join(","))
}

fn of_part(part: Value<'_>, pair: Option<Value<'_>>) -> String {
    if !part.is_object() {
        return part.source().to_owned();
    }
    let is_alone = pair.is_none();
    object(part, pair, &|name| match name {
        "id" => !is_alone && !is_seen_id(part),
        "cacheControl" | "cache_control" => true,
        _ => !is_alone && MARKS.contains(&name),
    })
}

fn is_mark(part: Value<'_>) -> bool {
    part.is_object() && part.get("cachePoint").is_some()
}

/// What tells a part from its neighbors.
fn kind_of(part: Value<'_>) -> (String, String) {
    let word = |value: Option<Value<'_>>| value.map_or_else(String::new, |value| value.source().to_owned());
    let inside = |name: &str| part.present(name).and_then(|inside| inside.present("toolUseId"));
    let answered = part.present("tool_use_id").or_else(|| part.present("toolCallId"));
    let call = answered.or_else(|| inside("toolResult")).or_else(|| inside("toolUse"));
    let id = part.get("id").filter(|_| is_seen_id(part));
    (word(part.get("type")), word(call.or(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_ids_are_those_of_the_current_message() {
        for (copy, current, expected) in [
            (
                r#"{"role":"user","id":"1","content":[{"type":"tool_result","tool_use_id":"t","content":"-","cache_control":{}}]}"#,
                r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"all of it"}]}"#,
                Some(r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"-"}]}"#),
            ),
            (
                r#"{"role":"user","content":[{"type":"text","text":"-"}]}"#,
                r#"{"role":"user","content":[{"type":"text","text":"all"},{"cachePoint":{}}]}"#,
                Some(r#"{"role":"user","content":[{"type":"text","text":"-"},{"cachePoint":{}}]}"#),
            ),
            (
                r#"{"role":"user","content":[{"type":"text","text":"-","cache_control":{}}]}"#,
                r#"{"role":"user","content":"all"}"#,
                Some(r#"{"role":"user","content":[{"type":"text","text":"-"}]}"#),
            ),
            (r#"{"role":"tool","content":"-"}"#, r#"{"role":"tool","content":"all"}"#, None),
        ] {
            assert_eq!(with_current_metadata(copy, current).as_deref(), expected, "{copy}");
        }
    }
}
