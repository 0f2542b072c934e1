//! Damage to the values of a text: it stays JSON, but a reader finds unexpected values.

use std::fmt::Write as _;
use std::ops::Range;

use ebbline::json::{Document, Value, lines};

use super::choices::Choices;

/// Values of every type, including difficult ones: not integers, not doubles, not text, marks of pruning.
const VALUES: [&str; 26] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "29.0",
    "1e999",
    "-1",
    "1152921504606846976",
    "0.1",
    "\"\"",
    "\"x\"",
    "\" \"",
    "\"\\ud83d\"",
    "\"\\u0000\"",
    "\"\u{2028}\"",
    "\"29\"",
    "[]",
    "{}",
    "[null]",
    "[{}]",
    "{\"\":null}",
    "{\"type\":\"text\",\"text\":\"t\"}",
    "[{\"type\":\"text\",\"text\":\"t\"}]",
    "[\"a\",3]",
    "\"[Old tool result content cleared]\"",
];

/// Keys that readers use.
const KEYS: [&str; 22] = [
    "type", "role", "content", "id", "text", "parts", "messages", "usage", "timestamp", "name", "output",
    "input", "parentId", "parentUuid", "message", "payload", "state", "tool_calls", "tool_call_id", "kind",
    "data", "__proto__",
];

/// A value of the text and its surroundings.
#[derive(Clone, Debug)]
struct Site {
    /// The value.
    span: Range<usize>,
    /// For a member, its key in quotes.
    key: Option<Range<usize>>,
    /// Whether it is a text whose key says that it is an id.
    is_id: bool,
}

impl Site {
    /// The value with its key.
    fn whole(&self) -> Range<usize> {
        self.key.as_ref().map_or(self.span.start, |key| key.start)..self.span.end
    }
}

/// Changes one value of `text`; `other` is a text from which values are taken. False if there is no value to change.
pub fn damage(text: &mut String, other: &str, choices: &mut Choices<'_>) -> bool {
    let sites = sites(text, choices);
    let Some(site) = choices.pick(&sites).cloned() else { return false };
    let inner: Vec<&Site> = sites.iter().filter(|site| site.span.len() + 2 < text.len()).collect();
    match choices.below(14) {
        0..3 => {
            let value = value(text, other, &sites, choices);
            text.replace_range(site.span, &value);
        }
        3 => remove(text, site.whole()),
        4 => {
            // A repeated key, or an element repeated before or after.
            let mut copy = text.get(site.whole()).unwrap_or_default().to_owned();
            if let (Some(key), true) = (&site.key, choices.one_in(2)) {
                copy = format!(
                    "{}:{}",
                    text.get(key.clone()).unwrap_or_default(),
                    value(text, other, &sites, choices)
                );
            }
            if choices.one_in(2) {
                text.insert_str(site.span.end, &format!(",{copy}"));
            } else {
                text.insert_str(site.whole().start, &format!("{copy},"));
            }
        }
        5 => {
            if let Some(second) = choices.pick(&inner) {
                swap(text, &site.span, &second.span);
            }
        }
        6 => {
            let moved = text.get(site.whole()).unwrap_or_default().to_owned();
            let targets: Vec<usize> = sites
                .iter()
                .filter(|to| to.key.is_some() == site.key.is_some())
                .map(|to| to.whole().start)
                .collect();
            let to = choices.pick(&targets).copied().unwrap_or(0);
            if !(site.whole().start..=site.whole().end).contains(&to) {
                text.insert_str(to, &format!("{moved},"));
            }
        }
        7 => {
            if let Some(key) = site.key {
                let name = choices.pick(&KEYS).copied().unwrap_or("type");
                text.replace_range(key, &format!("\"{name}\""));
            }
        }
        8 => escape(text, site.key.unwrap_or(site.span)),
        9 => {
            let at = if choices.one_in(2) { site.span.start } else { site.span.end };
            text.insert_str(at, choices.choose(&["  ", "\n", "\t", "\r\n", "\n\n  "]));
        }
        10 | 11 => ids(text, &sites, choices),
        12 => {
            let inside = text.get(site.span.clone()).unwrap_or_default();
            let wrapped = match choices.below(3) {
                0 => format!("[{inside}]"),
                1 => format!("{{\"type\":{inside}}}"),
                _ => format!("[{inside},{inside}]"),
            };
            text.replace_range(site.span, &wrapped);
        }
        _ => {
            // Swap two neighbors.
            let at = choices.below(sites.len().saturating_sub(1));
            if let (Some(first), Some(second)) = (sites.get(at), sites.get(at + 1)) {
                swap(text, &first.whole(), &second.whole());
            }
        }
    }
    true
}

/// Any value: one of the list, a deep one, a long one, one of this text or of the other.
fn value(text: &str, other: &str, sites: &[Site], choices: &mut Choices<'_>) -> String {
    match choices.below(12) {
        0 => {
            let deepest = if choices.one_in(8) { 1_200 } else { 60 };
            let depth = 1 + choices.below(deepest);
            let (open, close) = if choices.one_in(2) { ("[", "]") } else { ("{\"a\":", "}") };
            format!("{}1{}", open.repeat(depth), close.repeat(depth))
        }
        1 => {
            let unit = choices.choose(&["x", "é", "\\n", "😀", "\\ud83d", "ab ", "\\\\"]);
            format!("\"{}\"", unit.repeat(1 + choices.below(3_000)))
        }
        2 | 3 => {
            choices.pick(sites).and_then(|site| text.get(site.span.clone())).unwrap_or("null").to_owned()
        }
        4 => {
            let theirs = self::sites(other, choices);
            choices.pick(&theirs).and_then(|site| other.get(site.span.clone())).unwrap_or("null").to_owned()
        }
        _ => choices.pick(&VALUES).copied().unwrap_or("null").to_owned(),
    }
}

/// Gives one value the id of another, or an invalid id.
fn ids(text: &mut String, sites: &[Site], choices: &mut Choices<'_>) {
    let ids: Vec<&Site> = sites.iter().filter(|site| site.is_id).collect();
    let (Some(one), Some(other)) = (choices.pick(&ids), choices.pick(&ids)) else { return };
    let id = match choices.below(5) {
        0 => "\"\"".to_owned(),
        1 => "null".to_owned(),
        2 => "\"\\ud83d\"".to_owned(),
        _ => text.get(other.span.clone()).unwrap_or("\"\"").to_owned(),
    };
    text.replace_range(one.span.clone(), &id);
}

/// The values of the text: of a document, or of one of its lines.
fn sites(text: &str, choices: &mut Choices<'_>) -> Vec<Site> {
    let mut found = Vec::new();
    if let Ok(document) = Document::parse(text) {
        collect(document.root(), None, 0, &mut found);
        return found;
    }
    let all: Vec<_> = lines(text).collect();
    // Two lines, so that ids and values move between them.
    for _ in 0..2 {
        let Some(line) = choices.pick(&all) else { continue };
        let Ok(document) = Document::parse(text.get(line.range.clone()).unwrap_or_default()) else {
            continue;
        };
        let before = found.len();
        collect(document.root(), None, line.range.start, &mut found);
        if found
            .get(..before)
            .is_some_and(|first| first.iter().any(|site| site.span.start >= line.range.start))
        {
            found.truncate(before);
        }
    }
    found
}

fn collect(value: Value<'_>, key: Option<Range<usize>>, offset: usize, found: &mut Vec<Site>) {
    let shift = |range: Range<usize>| range.start + offset..range.end + offset;
    let is_id = key.is_some() && value.is_string() && {
        let length = value.span().len();
        (3..80).contains(&length) && !value.source().contains(' ')
    };
    found.push(Site { span: shift(value.span()), key, is_id });
    for element in value.elements() {
        collect(element, None, offset, found);
    }
    for (key, member) in value.members() {
        collect(member, Some(shift(key.span())), offset, found);
    }
}

/// Removes a member or element, and the comma after or before it.
fn remove(text: &mut String, range: Range<usize>) {
    let after = text.get(range.end..).unwrap_or_default();
    let before = text.get(..range.start).unwrap_or_default();
    let blank = after.len() - after.trim_start().len();
    if after.trim_start().starts_with(',') {
        text.replace_range(range.start..=range.end + blank, "");
    } else if let Some(head) = before.trim_end().strip_suffix(',') {
        text.replace_range(head.len()..range.end, "");
    } else {
        text.replace_range(range, "");
    }
}

fn swap(text: &mut String, one: &Range<usize>, other: &Range<usize>) {
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    if first.end > second.start {
        return;
    }
    let later = text.get(second.clone()).unwrap_or_default().to_owned();
    let earlier = text.get(first.clone()).unwrap_or_default().to_owned();
    text.replace_range(second.clone(), &earlier);
    text.replace_range(first.clone(), &later);
}

/// Writes the first character of a string as an escape.
fn escape(text: &mut String, string: Range<usize>) {
    let inside = text.get(string.start + 1..string.end.saturating_sub(1)).unwrap_or_default();
    let Some(first) = inside.chars().next().filter(|first| !matches!(first, '\\' | '"')) else { return };
    if !text.get(string.clone()).is_some_and(|source| source.starts_with('"')) {
        return;
    }
    let mut units = String::new();
    for unit in first.encode_utf16(&mut [0; 2]) {
        let _ = write!(units, "\\u{unit:04x}");
    }
    text.replace_range(string.start + 1..string.start + 1 + first.len_utf8(), &units);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::super::CHOICES;
    use super::*;

    #[test]
    fn every_change_keeps_the_text_a_text_and_most_keep_it_json() {
        let text =
            r#"{"messages":[{"id":"a1","role":"user","content":"hé😀"},{"id":"b2","n":[1,{"x":null}]}]}"#;
        let mut runner = TestRunner::deterministic();
        let mut still_json = 0;
        for _ in 0..2_000 {
            let numbers = vec(any::<u32>(), CHOICES).new_tree(&mut runner).unwrap().current();
            let mut changed = text.to_owned();
            assert!(damage(&mut changed, text, &mut Choices::new(&numbers)));
            still_json += usize::from(Document::parse(&changed).is_ok());
        }
        assert!(still_json > 1_500, "{still_json}");
    }
}
