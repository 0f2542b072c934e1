//! What agents recorded of their own compactions, and what these lost: in the fixtures, and in real sessions.

use std::fs;
use std::path::{Path, PathBuf};

use ebbline::SessionText;
use ebbline::loss::{self, Departure, Left, LossInput, LossReport};
use ebbline::text::Text;
use ebbline::transcript::PartKind;
use ebbline_tests::shared;
use ebbline_tests::with;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("formats").join(name)
}

fn read(path: &Path) -> Option<SessionText<'static>> {
    SessionText::read(Text::from_bytes(fs::read(path).ok()?).ok()?).ok().map(SessionText::into_owned)
}

fn recorded(session: &SessionText<'_>) -> LossReport {
    let summaries = loss::recorded_summaries(session);
    loss::measure(
        session,
        &loss::recorded(session),
        &with(LossInput::default(), |input| input.summaries = &summaries),
    )
}

#[test]
fn every_agent_records_what_left_in_its_own_way() {
    for (name, pruned, summarized, summaries, at) in [
        ("claude_code/claude-code-compacted.jsonl", 1, 4, 1, &[11, 16][..]),
        ("claude_code/claude-code-qwen.jsonl", 0, 5, 1, &[6]),
        ("codex/codex-compacted.jsonl", 0, 7, 1, &[14]),
        ("opencode/opencode-compacted.json", 0, 11, 1, &[8]),
        ("opencode/opencode.json", 1, 0, 0, &[7]),
        ("pi/pi-v1.jsonl", 0, 3, 1, &[5]),
        ("pi/pi-v3.jsonl", 0, 5, 1, &[9]),
        // A list holds what is sent now: the summary, and nothing of what it stands for.
        ("pi/pi-messages.json", 0, 0, 1, &[]),
        ("openai_chat/openai-chat.json", 0, 0, 0, &[]),
    ] {
        let session = read(&fixture(name)).unwrap_or_else(|| panic!("{name}"));
        let departures = loss::recorded(&session);
        let count = |how| departures.iter().filter(|departure| departure.how == how).count();
        assert_eq!((count(Left::Pruned), count(Left::Summarized)), (pruned, summarized), "{name}");
        assert_eq!(loss::recorded_summaries(&session).len(), summaries, "{name}");
        let mut moments: Vec<usize> = departures.iter().map(|departure| departure.at).collect();
        moments.sort_unstable();
        moments.dedup();
        assert_eq!(moments, at, "{name}");
        let report = recorded(&session);
        assert_eq!((report.compactions, report.departed_parts), (at.len(), departures.len()), "{name}");
        assert_eq!(report.without_text, 0, "{name}");
    }
}

/// Every output, and every message of the user, at every second message: more than any policy would take.
fn everything(session: &SessionText<'_>) -> Vec<Departure> {
    let transcript = session.transcript();
    let mut departures = Vec::new();
    for index in (2..transcript.messages().len()).step_by(2) {
        for message in [index - 2, index - 1] {
            for (part, is) in transcript.part_range(message).zip(transcript.parts_of(message)) {
                let how = if is.kind == PartKind::ToolResult { Left::Pruned } else { Left::Summarized };
                departures.push(Departure::new(index, part, how));
            }
        }
    }
    departures
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn real_sessions_are_audited() {
    let mut folders = vec![shared("sessions")];
    let (mut read_files, mut compacted) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Some(session) = read(&path) else { continue };
            read_files += 1;
            let report = recorded(&session);
            compacted += usize::from(report.compactions > 0);
            for report in [report, loss::measure(&session, &everything(&session), &LossInput::default())] {
                let name = path.display();
                assert!(report.references.re_referenced <= report.references.with_unique, "{name}");
                assert!(report.references.with_unique <= report.departed_outputs, "{name}");
                assert!(report.re_reads.exact <= report.re_reads.outputs, "{name}");
                assert!(report.decisions.never_return <= report.decisions.departed, "{name}");
                assert!(
                    report.words.goal_kept.max(report.words.last_kept) <= report.words.compactions,
                    "{name}"
                );
                let orders = report.orders;
                assert!(
                    orders.repeated + orders.paraphrased + orders.lost.unwrap_or(0) <= orders.given,
                    "{name}"
                );
                let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
                assert_eq!(json["compactions"], report.compactions, "{name}");
            }
            let none = loss::measure(&session, &[], &LossInput::default());
            assert_eq!((none.compactions, none.departed_parts, none.worst.len()), (0, 0, 0));
        }
    }
    assert!(read_files > 30 && compacted >= 3, "{compacted} of {read_files} files record a compaction");
}
