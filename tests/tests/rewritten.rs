//! A written session is read as the same session: every fixture with every profile, forced and not; and the sessions
//! beside the project, if they exist.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;

use ebbline::SessionText;
use ebbline_tests::conversation::{Output, Step, TOOLS, spell, spellings};
use ebbline_tests::enlarged::fixtures;
use ebbline_tests::{rewritten, sessions, shared};
use proptest::prelude::*;

/// What is wrong with each session that can be read; `unread` takes the names of the others.
fn faults(files: impl Iterator<Item = (PathBuf, String)>, unread: &mut Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(session) = SessionText::read(&text) else {
            unread.push(name);
            continue;
        };
        found.extend(rewritten::faults(&session, &text).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    found
}

#[test]
fn a_written_fixture_reads_back_the_same() {
    let mut unread = Vec::new();
    let found = faults(fixtures().into_iter(), &mut unread);
    assert!(unread.is_empty(), "fixtures that cannot be read: {unread:?}");
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn a_written_real_session_reads_back_the_same() {
    let folder = shared("sessions");
    let files = sessions::files(&folder);
    let (count, mut unread) = (files.len(), Vec::new());
    let texts = files.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()));
    let found = faults(texts, &mut unread);
    // Some of the files are logs or other files; the manifest says which, and the test of sessions checks it.
    assert!(unread.len() < count / 2, "sessions that cannot be read: {unread:?}");
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let output = (0..900_usize, prop::bool::weighted(0.1), 0..TOOLS.len())
        .prop_map(|(size, failed, tool)| Output { size: Some(size + 1), failed, tool });
    let step = prop_oneof![
        2 => (1..300_usize).prop_map(Step::Person),
        2 => (1..500_usize).prop_map(Step::Answer),
        3 => prop::collection::vec(output.clone(), 1..4).prop_map(Step::Calls),
        1 => prop::collection::vec(output, 1..4).prop_map(Step::Thought),
    ];
    prop::collection::vec(step, 1..20).prop_map(|steps| [vec![Step::Person(12)], steps].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_conversation_reads_back_the_same_in_every_format(steps in steps()) {
        for spelling in spellings() {
            let text = spell(spelling, &steps);
            let session = SessionText::read(&text).unwrap();
            let found = rewritten::faults(&session, &text);
            prop_assert!(found.is_empty(), "{}: {}\n{}", spelling, found.join("\n"), text);
        }
    }
}
