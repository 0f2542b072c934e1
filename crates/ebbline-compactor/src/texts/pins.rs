//! What the caller pinned: parts that stay word for word, whatever happens to the messages around them.

use std::collections::HashMap;
use std::ops::Range;

use ebbline::json::{Document, Value};
use ebbline::transcript::{Part, PartKind};
use ebbline::{Error, SessionText};

use super::glob::Glob;
use super::joined::place_of;
use crate::error::invalid;
use crate::options::members;

/// The most rules: the messages that rules mean are bits of a word.
const MOST: usize = 64;
const MEMBERS: [&str; 4] = ["tool", "contains", "path", "message"];

/// Rules, of which one has to fit a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins(Vec<Rule>);

/// What a part must be: all of it.
#[derive(Clone, Debug)]
struct Rule {
    tool: Option<Glob>,
    contains: Option<String>,
    path: Option<Glob>,
    /// Whether only messages are meant that the caller names.
    is_of_messages: bool,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
struct Facts<'f> {
    name: Option<&'f str>,
    text: &'f str,
    paths: &'f [String],
    /// The rules that mean the message, a bit for each.
    meant: u64,
}

impl Pins {
    /// Reads them from options.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        given.present("pins").map_or_else(|| Ok(Self::default()), Self::of)
    }

    /// Reads a list of rules.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn of(list: Value<'_>) -> Result<Self, Error> {
        if !list.is_array() {
            return Err(invalid("the option pins must be a list"));
        }
        let rules = list.elements().map(rule).collect::<Result<Vec<_>, _>>()?;
        if rules.len() > MOST {
            return Err(invalid(format!("the option pins may have {MOST} rules, and has {}", rules.len())));
        }
        Ok(Self(rules))
    }

    /// Whether nothing is pinned.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the rule with this number goes by the messages that the caller names.
    pub(crate) fn is_of_messages(&self, rule: usize) -> bool {
        self.0.get(rule).is_some_and(|rule| rule.is_of_messages)
    }

    /// The pinned parts of a session that is an array; `spans` are those of its elements, and `meant` has for each of them the
    /// rules that mean it.
    pub(crate) fn parts(
        &self,
        session: &SessionText<'_>,
        spans: &[Range<usize>],
        meant: &[u64],
    ) -> Vec<usize> {
        if self.is_empty() {
            return Vec::new();
        }
        let transcript = session.transcript();
        let tool_of = |part: &Part| part.tool.and_then(|tool| transcript.tool_name(tool));
        let mut calls: HashMap<u32, (Option<&str>, Vec<String>)> = HashMap::new();
        let mut found = Vec::new();
        for message in 0..transcript.messages().len() {
            let meant = meant.get(place_of(session, spans, message)).copied().unwrap_or(0);
            for (at, part) in transcript.part_range(message).zip(transcript.parts_of(message)) {
                let text = session.text_of(at);
                let of = |name, paths| Facts { name, text: &text, paths, meant };
                let fits = match part.kind {
                    PartKind::ToolCall => {
                        if let Some(call) = part.call {
                            calls.insert(call, (tool_of(part), paths_in(&text)));
                        }
                        // A tool is pinned by its outputs.
                        self.fit(of(tool_of(part), &[]), |rule| rule.tool.is_none())
                    }
                    PartKind::ToolResult => {
                        let call = part.call.and_then(|call| calls.get(&call));
                        let name = tool_of(part).or_else(|| call.and_then(|(name, _)| *name));
                        self.fit(of(name, call.map_or(&[], |(_, paths)| paths)), |_| true)
                    }
                    PartKind::Image | PartKind::File => false,
                    _ => self.fit(of(None, &[]), |_| true),
                };
                if fits {
                    found.push(at);
                }
            }
        }
        found
    }

    fn fit(&self, facts: Facts<'_>, is_meant: impl Fn(&Rule) -> bool) -> bool {
        let mut rules = self.0.iter().enumerate();
        rules.any(|(number, rule)| {
            is_meant(rule)
                && rule.tool.as_ref().is_none_or(|tool| facts.name.is_some_and(|name| tool.fits(name)))
                && rule.contains.as_ref().is_none_or(|words| facts.text.contains(words))
                && rule.path.as_ref().is_none_or(|glob| facts.paths.iter().any(|path| glob.fits(path)))
                && (!rule.is_of_messages || facts.meant & (1 << number) != 0)
        })
    }
}

fn rule(given: Value<'_>) -> Result<Rule, Error> {
    let words =
        "an object with one or more of tool, contains, path and message: a glob, a text, a glob, true";
    let refused = || invalid(format!("a pin must be {words}"));
    let is_known = |name: &str| MEMBERS.contains(&name);
    let mut count = 0;
    for (name, _) in given.members() {
        if !is_known(&name.decode()) {
            return Err(refused());
        }
        count += 1;
    }
    let contains = members::text(given, "contains").map_err(|_| refused())?;
    if !given.is_object() || count == 0 || contains.as_deref() == Some("") {
        return Err(refused());
    }
    let glob =
        |name| members::text(given, name).map(|text| text.as_deref().map(Glob::new)).map_err(|_| refused());
    let is_of_messages = members::flag(given, "message").map_err(|_| refused())?.unwrap_or(false);
    Ok(Rule { tool: glob("tool")?, contains, path: glob("path")?, is_of_messages })
}

/// The texts among a call's arguments that may be paths.
fn paths_in(arguments: &str) -> Vec<String> {
    let Ok(document) = Document::parse(arguments) else { return Vec::new() };
    let mut paths = Vec::new();
    for (_, value) in document.root().members() {
        paths.extend(value.text().map(|text| text.decode().into_owned()));
        paths
            .extend(value.elements().filter_map(|value| value.text()).map(|text| text.decode().into_owned()));
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::super::joined::joined;
    use super::*;

    const MESSAGES: [&str; 5] = [
        r#"{"role":"user","content":"Mend it. The key is 4711."}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{\"path\":\"docs/api/key.md\"}"}}]}"#,
        r#"{"role":"tool","tool_call_id":"a","content":"Use the key."}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"run_tests","arguments":"{\"files\":[\"a.py\"]}"}}]}"#,
        r#"{"role":"tool","tool_call_id":"b","content":"ok"}"#,
    ];

    fn pinned(pins: &str, meant: &[u64]) -> Result<Vec<usize>, Error> {
        let options = format!(r#"{{"pins":{pins}}}"#);
        let document = Document::parse(&options)?;
        let pins = Pins::read(document.root())?;
        let (text, spans) = joined(MESSAGES.iter().copied());
        Ok(pins.parts(&SessionText::read(text)?, &spans, meant))
    }

    #[test]
    fn a_rule_fits_if_all_of_its_members_do() {
        for (pins, meant, parts) in [
            (r#"[{"tool":"read"}]"#, &[][..], &[2][..]),
            (r#"[{"tool":"run_*"}]"#, &[], &[4]),
            (r#"[{"contains":"key"}]"#, &[], &[0, 1, 2]),
            (r#"[{"contains":"key","tool":"*"}]"#, &[], &[2]),
            (r#"[{"path":"docs/**"}]"#, &[], &[2]),
            (r#"[{"path":"*.py"}]"#, &[], &[4]),
            (r#"[{"message":true}]"#, &[1, 0, 1, 0, 0], &[0, 2]),
            (r#"[{"message":true,"tool":"run*"}, {"contains":"4711"}]"#, &[1, 1, 1, 0, 1], &[0, 4]),
            (r#"[{"message":true}]"#, &[], &[]),
            ("[]", &[], &[]),
        ] {
            assert_eq!(pinned(pins, meant).unwrap(), parts, "{pins}");
        }
    }

    #[test]
    fn a_faulty_pin_is_refused() {
        for pins in
            ["{}", r#"["read"]"#, "[{}]", r#"[{"tool":1}]"#, r#"[{"contains":""}]"#, r#"[{"tol":"read"}]"#]
        {
            let error = pinned(pins, &[]).unwrap_err();
            assert_eq!(error.code(), "invalid_option", "{pins}");
        }
    }
}
