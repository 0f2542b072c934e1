//! Damage to sessions of every format: unreadable parts are reported with their place and stay in the file, the rest
//! is read.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::num::NonZeroU64;
use std::path::Path;

use ebbline::edit::Edit;
use ebbline::json::Document;
use ebbline::{EditOptions, PlanOptions, Policy, SessionText, profiles};
use ebbline_tests::enlarged::fixtures;

/// The report of an unreadable line: code, line, byte.
type Problem = (&'static str, usize, usize);

/// A damaged text, and what must be reported about it.
struct Damaged {
    text: String,
    problems: Vec<Problem>,
    /// Whether all messages can still be read.
    is_whole: bool,
    /// What every output must contain.
    kept: String,
}

impl Damaged {
    fn harmless(text: String) -> Self {
        Self { text, problems: Vec::new(), is_whole: true, kept: String::new() }
    }

    /// Inserts `bad` at `at`; it is reported `behind` bytes after that.
    fn insert(text: &str, at: usize, bad: &str, code: &'static str, behind: usize) -> Self {
        let damaged = [&text[..at], bad, &text[at..]].concat();
        let byte = at + behind;
        let line = 1 + damaged[..byte].matches('\n').count();
        Self {
            text: damaged,
            problems: vec![(code, line, byte)],
            is_whole: true,
            kept: bad.trim_end().to_owned(),
        }
    }
}

type Damage = fn(&str) -> Option<Damaged>;

/// The start of line `number`, counted from 1.
fn line(text: &str, number: usize) -> usize {
    text.match_indices('\n').nth(number - 2).map_or(text.len(), |(at, _)| at + 1)
}

/// The start of a line in the middle.
fn middle(text: &str) -> usize {
    line(text, 1 + text.lines().count().div_ceil(2))
}

/// Inserts members into the first object of the text, or of its second line.
fn with_members(text: &str, members: &str) -> Option<Damaged> {
    let from = if is_log(text) { line(text, 2) } else { 0 };
    let inside = from + text[from..].find('{')? + 1;
    Some(Damaged::harmless([&text[..inside], members, ",", &text[inside..]].concat()))
}

fn is_log(text: &str) -> bool {
    Document::parse(text).is_err()
}

/// Damage to any file.
const ANYWHERE: &[(&str, Damage)] = &[
    ("byte order mark", |text| Some(Damaged::harmless(format!("\u{feff}{text}")))),
    ("CRLF", |text| Some(Damaged::harmless(text.replace('\n', "\r\n")))),
    ("no final newline", |text| Some(Damaged::harmless(text.trim_end().to_owned()))),
    ("blank end", |text| Some(Damaged::harmless(format!("{}\n \t\r\n\n", text.trim_end())))),
    ("repeated keys", |text| with_members(text, r#""zz":1,"zz":{"a":[]},"zz":null"#)),
    ("numbers", |text| with_members(text, r#""zz":[29.0,0.0,-0,1e999,-1E-400,12345678901234567890123]"#)),
    ("lone surrogates", |text| with_members(text, r#""zz":"\ud83d","\ude00":["\ud83d\ud83d\ude00"]"#)),
    ("separators", |text| with_members(text, "\"zz\u{2028}\":\"\u{2028}\u{2029}\u{85}\\u0000\"")),
    ("a text of 300,000 characters", |text| {
        with_members(text, &format!("\"zz\":\"{}\"", "x".repeat(300_000)))
    }),
    ("deep nesting", |text| with_members(text, &format!("\"zz\":{}{}", "[".repeat(900), "]".repeat(900)))),
];

/// Damage to files of lines.
const LINES: &[(&str, Damage)] = &[
    ("torn last line", |text| {
        let text = text.trim_end();
        // With two lines only one would be left, which is a document and not a log.
        let last = text.rfind('\n').filter(|_| text.lines().count() > 2)? + 1;
        let mut cut = last + (text.len() - last) * 2 / 3;
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let line = text.lines().count();
        let problems = vec![("torn_line", line, cut)];
        let kept = text[last..cut].to_owned();
        Some(Damaged { text: text[..cut].to_owned(), problems, is_whole: false, kept })
    }),
    ("two objects on a line", |text| {
        let (at, _) = text.match_indices('\n').nth(1)?;
        Some(Damaged::harmless([&text[..at], &text[at + 1..]].concat()))
    }),
    ("all objects on a line", |text| Some(Damaged::harmless(text.replace('\n', "")))),
    ("blank lines", |text| Some(Damaged::harmless(text.replace('\n', "\n\n \t\r\n")))),
    ("byte order mark in the middle", |text| {
        let at = middle(text);
        Some(Damaged::harmless([&text[..at], "\u{feff}", &text[at..]].concat()))
    }),
    ("a line of words", |text| Some(Damaged::insert(text, middle(text), "not json at all\n", "not_json", 0))),
    ("a first line of words", |text| {
        Some(Damaged::insert(text, 0, "[info] session started\n", "not_json", 1))
    }),
    ("a number", |text| Some(Damaged::insert(text, middle(text), "3\n", "invalid_message", 0))),
    ("a list", |text| Some(Damaged::insert(text, middle(text), "[{\"a\":1}]\n", "invalid_message", 0))),
    ("a torn line in the middle", |text| {
        Some(Damaged::insert(text, middle(text), "{\"type\":\"mess\n", "torn_line", 13))
    }),
    ("a raw control character", |text| {
        Some(Damaged::insert(text, middle(text), "{\"a\":\"\u{1b}[2J\"}\n", "not_json", 6))
    }),
    ("zeros at the end", |text| {
        let at = text.len();
        Some(Damaged::insert(text, at, &"\0".repeat(300), "not_json", 0))
    }),
    ("zeros behind the last line", |text| {
        let text = text.trim_end();
        Some(Damaged::insert(text, text.len(), &"\0".repeat(300), "not_json", 0))
    }),
];

/// Damage to files with one document.
const DOCUMENT: &[(&str, Damage)] = &[
    ("zeros at the end", |text| Some(Damaged::insert(text, text.len(), &"\0".repeat(300), "not_json", 0))),
    ("the end of a longer file", |text| {
        let text = text.trim_end();
        Some(Damaged::insert(text, text.len(), "\n\"}]}\n  ]\n}\n", "not_json", 1))
    }),
];

fn read(text: &str, what: &str) -> SessionText<'static> {
    SessionText::read(text.to_owned()).unwrap_or_else(|error| panic!("{what}: {error}"))
}

/// Policies that prune every output, or summarize nearly everything.
fn policies() -> [Policy; 4] {
    let policy = |name, prune, retain| {
        let mut policy = profiles::get(name).unwrap();
        (policy.prune.enabled, policy.retain.enabled) = (prune, retain);
        (policy.prune.protect, policy.prune.minimum) = (0, 0);
        (policy.prune.protected_turns, policy.prune.minimum_turns) = (0, 0);
        (policy.retain.keep, policy.model.context, policy.trigger.reserve) = (100, NonZeroU64::new(1), 0);
        policy
    };
    let default = profiles::DEFAULT;
    // The placeholders of the third describe what stood there, so that a plan does not know their length.
    [
        policy(default, false, false),
        policy(default, true, false),
        policy("ebbline@3", true, false),
        policy(default, false, true),
    ]
}

/// Checks one damaged text.
fn check(name: &str, damaged: &Damaged, healthy: &SessionText) {
    let session = read(&damaged.text, name);
    assert_eq!(session.format(), healthy.format(), "{name}");
    let problems: Vec<_> = session
        .problems()
        .iter()
        .map(|problem| problem.place().map(|place| (problem.code(), place.line, place.byte)).unwrap())
        .collect();
    assert_eq!(problems, damaged.problems, "{name}");
    if damaged.is_whole {
        assert_eq!(session.counts(), healthy.counts(), "{name}");
    }
    let [idle, pruning, describing, summarizing] = policies();
    let options = EditOptions::new().now(1_795_300_000_000);
    let plan = session.plan(&idle);
    assert_eq!(session.compact(&plan, &options).unwrap(), damaged.text, "{name}");

    for policy in [&pruning, &describing] {
        let plan = session.plan(policy);
        let pruned = session.compact(&plan, &options).unwrap();
        let again = read(&pruned, name);
        assert!(pruned.contains(&damaged.kept), "{name}: what is bad is lost");
        assert_eq!(again.problems().len(), damaged.problems.len(), "{name}, pruned");
        let next = again.plan(policy).decision;
        let (measured, planned) = (next.tokens_before, plan.decision.tokens_after);
        let is_planned = measured == planned || policy == &describing && measured < planned;
        assert!(is_planned && !next.prune.applied, "{name}, pruned: {measured}, planned {planned}");
    }

    let plan = session.plan_with(&summarizing, PlanOptions::new().force(true));
    let options = options.summary("## Goal\nMend it.");
    match session.compact(&plan, &options) {
        Ok(summarized) => {
            assert!(summarized.contains(&damaged.kept), "{name}: what is bad is lost with a summary");
            let again = read(&summarized, name);
            assert_eq!(again.problems().len(), damaged.problems.len(), "{name}, summarized");
        }
        Err(error) => assert_eq!(error.code(), "no_place_for_summary", "{name}"),
    }
}

#[test]
fn what_follows_an_object_on_its_line_stays_when_its_neighbors_are_summarized() {
    let call = r#"{"type":"function_call","call_id":"a","name":"read","arguments":"{}"}"#;
    let output = "done ".repeat(2_000);
    let result = format!(r#"{{"type":"function_call_output","call_id":"a","output":"{output}"}}"#);
    let asked = r#"{"type":"message","role":"user","content":"go on"}"#;
    for rest in [":,", "],", "x,"] {
        let text = format!("{asked}{rest}\n{call}\n{result}\n{asked}\n");
        let session = SessionText::read(&text).unwrap();
        assert_eq!(session.problems().len(), 1);
        let [_, _, _, mut summarizing] = policies();
        summarizing.retain.keep = 1;
        let plan = session.plan_with(&summarizing, PlanOptions::new().force(true));
        let options = EditOptions::new().summary("So far: nothing.");
        assert!(plan.decision.retain.messages > 1);
        let written = session.compact(&plan, &options).unwrap();
        assert!(written.contains(rest), "{written}");
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn damaged_sessions_load_and_keep_what_is_bad() {
    for (path, text) in fixtures() {
        let healthy = read(&text, &name_of(&path));
        let own = if is_log(&text) { LINES } else { DOCUMENT };
        for (damage, make) in ANYWHERE.iter().chain(own) {
            if let Some(damaged) = make(&text) {
                check(&format!("{}, {damage}", name_of(&path)), &damaged, &healthy);
            }
        }
    }
}

#[test]
fn a_torn_document_is_refused_with_its_place() {
    for (path, text) in fixtures().into_iter().filter(|(_, text)| !is_log(text)) {
        let text = text.trim_end();
        for part in [3, 5, 9] {
            let mut cut = text.len() * part / 10;
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let torn = &text[..cut];
            let error = SessionText::read(torn).expect_err(&name_of(&path));
            let place = error.place().unwrap();
            let line = 1 + torn.matches('\n').count();
            assert_eq!(
                (error.code(), place.line, place.byte),
                ("torn_line", line, cut),
                "{}",
                name_of(&path)
            );
        }
    }
}

#[test]
fn of_repeated_keys_the_one_that_counts_is_edited() {
    let [_, pruning, ..] = policies();
    let options = EditOptions::new().now(1_795_300_000_000);
    let mut checked = 0;
    for (path, text) in fixtures() {
        let session = read(&text, &name_of(&path));
        let edits = session.edits(&session.plan(&pruning), &options).unwrap();
        let replaced = edits.iter().find(|edit| text[edit.range.clone()].starts_with('"'));
        let Some(edit) = replaced else { continue };
        // The key before the value, and before that a decoy with the same name.
        let Some(key) = text[..edit.range.start].trim_end().strip_suffix(':').map(str::trim_end) else {
            continue;
        };
        let from = key[..key.len() - 1].rfind('"').unwrap();
        let decoy = format!("{}:\"decoy\",", &key[from..]);
        let repeated = [&text[..from], &decoy, &text[from..]].concat();
        let session = read(&repeated, &name_of(&path));
        let plan = session.plan(&pruning);
        let edited = session.edits(&plan, &options).unwrap();
        let shifted = edit.range.start + decoy.len()..edit.range.end + decoy.len();
        assert!(edited.iter().any(|edit| edit.range == shifted), "{}", name_of(&path));
        let is_decoy = |edit: &Edit| (from..from + decoy.len()).contains(&edit.range.start);
        assert!(!edited.iter().any(is_decoy), "{}", name_of(&path));
        checked += 1;
    }
    assert!(checked > 5, "{checked}");
}
