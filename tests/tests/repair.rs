//! Repairs of sessions that were damaged at random, in every format: what is left is named, a second repair changes
//! nothing, and what is not at fault keeps its bytes.
//!
//! `PROPTEST_CASES` says how many damages each fixture suffers.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::ops::Range;

use ebbline::json::{Document, Value};
use ebbline::repair::{Repaired, repair};
use ebbline::validate::Rule;
use ebbline::{ReadOptions, SessionText};
use ebbline_tests::enlarged::fixtures;

const CASES: u32 = 120;

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

/// Damages a message, or what is in it.
fn damaged(text: &str, numbers: &mut Numbers) -> Option<String> {
    let session = SessionText::read(text).ok()?;
    let messages = session.transcript().messages().len();
    let span = session.span(numbers.below(messages));
    let other = session.span(numbers.below(messages));
    match numbers.below(7) {
        0 => without(text, &span),
        1 => repeated(text, &span),
        2 => swapped(text, &span, &other),
        3 | 4 => with_list(text, &span, numbers, |text, elements, numbers| {
            without(text, elements.get(numbers.below(elements.len()))?)
        }),
        5 => with_list(text, &span, numbers, |text, elements, numbers| {
            let (one, other) = (numbers.below(elements.len()), numbers.below(elements.len()));
            swapped(text, elements.get(one)?, elements.get(other)?)
        }),
        _ => emptied(text, &span, numbers),
    }
}

/// The text without a value and its comma, or its line.
fn without(text: &str, span: &Range<usize>) -> Option<String> {
    let (before, after) = (text[..span.start].trim_end(), text[span.end..].trim_start());
    if before.ends_with(',') && after.starts_with([',', ']']) {
        return Some(format!("{}{}", &before[..before.len() - 1], &text[span.end..]));
    }
    if before.ends_with('[') && after.starts_with([',', ']']) {
        let rest = after.strip_prefix(',').unwrap_or(after);
        return Some(format!("{}{rest}", &text[..span.start]));
    }
    let is_line = before.is_empty() || text[..span.start].trim_end_matches([' ', '\t']).ends_with('\n');
    is_line.then(|| format!("{}{}", &text[..span.start], text[span.end..].trim_start()))
}

fn repeated(text: &str, span: &Range<usize>) -> Option<String> {
    let after = text[span.end..].trim_start();
    let between = match after.chars().next() {
        Some(',' | ']') => ",",
        None | Some('{') => "\n",
        Some(_) => return None,
    };
    Some(format!("{}{between}{}{}", &text[..span.end], &text[span.clone()], &text[span.end..]))
}

fn swapped(text: &str, one: &Range<usize>, other: &Range<usize>) -> Option<String> {
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    (first.end <= second.start).then(|| {
        let between = &text[first.end..second.start];
        let (before, after) = (&text[..first.start], &text[second.end..]);
        [before, &text[second.clone()], between, &text[first.clone()], after].concat()
    })
}

/// The lists in a message, and its texts.
fn inside(value: Value<'_>, lists: &mut Vec<Vec<Range<usize>>>, texts: &mut Vec<Range<usize>>) {
    if value.is_string() {
        texts.push(value.span());
    }
    let elements: Vec<_> = value.elements().map(Value::span).collect();
    if !elements.is_empty() {
        lists.push(elements);
    }
    value.elements().for_each(|element| inside(element, lists, texts));
    value.members().for_each(|(_, member)| inside(member, lists, texts));
}

fn with_list(
    text: &str,
    span: &Range<usize>,
    numbers: &mut Numbers,
    damage: impl Fn(&str, &[Range<usize>], &mut Numbers) -> Option<String>,
) -> Option<String> {
    let (mut lists, mut texts) = (Vec::new(), Vec::new());
    let document = Document::parse_range(text, span.clone()).ok()?;
    inside(document.root(), &mut lists, &mut texts);
    let list = lists.get(numbers.below(lists.len()))?;
    damage(text, list, numbers)
}

fn emptied(text: &str, span: &Range<usize>, numbers: &mut Numbers) -> Option<String> {
    let (mut lists, mut texts) = (Vec::new(), Vec::new());
    let document = Document::parse_range(text, span.clone()).ok()?;
    inside(document.root(), &mut lists, &mut texts);
    let chosen = texts.get(numbers.below(texts.len()))?;
    Some(format!("{}\"\"{}", &text[..chosen.start], &text[chosen.end..]))
}

fn repaired(text: &str) -> Repaired {
    repair(text, &ReadOptions::new()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Damages a text a few times; it stays a session.
fn worsened(text: &str, numbers: &mut Numbers) -> String {
    let mut bad = text.to_owned();
    for _ in 0..=numbers.below(4) {
        let worse = damaged(&bad, numbers).filter(|worse| SessionText::read(worse.as_str()).is_ok());
        bad = worse.unwrap_or(bad);
    }
    bad
}

/// How many messages of `after` are not byte for byte in `before`.
fn changed(before: &str, after: &SessionText<'_>) -> usize {
    let messages = 0..after.transcript().messages().len();
    let text = |message| &after.text().as_str()[after.span(message)];
    messages.filter(|message| !before.contains(text(*message))).count()
}

/// Asserts what is true of every repair, and returns the repair.
fn check(bad: &str, place: &str) -> Repaired {
    let faults = SessionText::read(bad).unwrap().validate();
    let repaired = repaired(bad);
    let after = String::from_utf8(repaired.bytes.clone()).unwrap();
    let session = SessionText::read(after.as_str()).unwrap();
    assert_eq!(session.validate(), repaired.left, "{place}: what is left is named");
    assert_eq!(repaired.done.is_empty(), after == bad, "{place}: what is done is said");
    if faults.is_empty() {
        assert_eq!(after, bad, "{place}: without faults nothing changes");
    }
    let again = self::repaired(&after);
    assert_eq!(
        (again.done, again.bytes),
        (Vec::new(), repaired.bytes.clone()),
        "{place}: once is enough\n{bad}"
    );
    // A result that is added to a message which follows, and a message in a tree whose predecessor went, change too.
    assert!(changed(bad, &session) <= 2 * repaired.done.len(), "{place}: {:?}\n{bad}", repaired.done);
    for mended in &repaired.done {
        assert_eq!(mended.line, 1 + bad[..mended.byte].matches('\n').count(), "{place}");
    }
    repaired
}

/// Rules of which nothing is left where the layout of the format is known.
const MENDED: &[Rule] = &[
    Rule::DuplicateResult,
    Rule::EmptyCalls,
    Rule::EmptyResult,
    Rule::ResultNotFirst,
    Rule::UnsignedThinking,
];
/// Formats of which nothing is repaired: call and result are one record, a result need not name a call, or the format has no layout.
const AS_THEY_ARE: &[&str] = &[
    "opencode", "openhands", "atif", "vercel_ui", "mastra", "kimi_cli", "google_adk", "sharegpt", "tau2",
    "agent_framework", "semantic_kernel", "autogen", "droid", "amp", "cursor", "vscode_chat", "kiro_cli",
];

#[test]
fn what_is_damaged_at_random_is_mended_or_named() {
    let cases = ebbline_tests::cases(CASES);
    let (mut mended, mut left) = (BTreeMap::new(), BTreeMap::new());
    for (path, text) in fixtures() {
        let mut numbers = Numbers(path.file_name().map_or(0, |name| name.len()) as u64);
        for case in 0..cases {
            let bad = worsened(&text, &mut numbers);
            let name = SessionText::read(bad.as_str()).unwrap().format().name();
            let repaired = check(&bad, &format!("{} {case}", path.display()));
            if AS_THEY_ARE.contains(&name) {
                assert_eq!(repaired.done, [], "{name}");
                continue;
            }
            // With an unknown role, what is mended may leave no session that is recognized; then all of it is named.
            let is_known = !repaired.left.iter().any(|fault| fault.rule == Rule::UnknownRole);
            for fault in &repaired.left {
                let is_left = !MENDED.contains(&fault.rule) || !is_known;
                assert!(is_left, "{name}: {fault:?}\n{bad}");
                *left.entry(fault.rule.name()).or_insert(0) += 1;
            }
            for fault in &repaired.done {
                *mended.entry(fault.rule.name()).or_insert(0) += 1;
            }
        }
    }
    for rule in ["result_without_call", "call_without_result"] {
        let (mended, left) = (mended[rule], left.get(rule).copied().unwrap_or(0));
        assert!(mended >= 10 * left, "{rule}: {mended} mended, {left} left");
    }
    let moved = mended["split_batch"] + mended["result_before_call"];
    assert!(moved > 100, "{moved} results were moved");
}

#[test]
fn fixtures_without_faults_stay_as_they_are() {
    for (path, text) in fixtures() {
        check(&text, &path.display().to_string());
    }
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn real_sessions_are_mended_or_named() {
    let mut folders = vec![ebbline_tests::shared("sessions")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if text.len() < 4_000_000 && SessionText::read(text.as_str()).is_ok() {
                check(&text, &path.display().to_string());
                count += 1;
            }
        }
    }
    assert!(count > 0);
}
