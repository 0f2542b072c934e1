//! The sessions beside the project, if they exist, and what is known about them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use ebbline::format::MarkerKind;
use ebbline::json::{Document, Value};
use ebbline::transcript::PartKind;
use ebbline::{PlanOptions, SessionText, profiles};
use ebbline_tests::enlarged::fixtures;
use ebbline_tests::{sessions, shared};

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn sessions_are_read_written_and_planned() {
    let folder = shared("sessions");
    let manifest = sessions::manifest(&folder).unwrap();
    for path in sessions::files(&folder) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let report = sessions::check(&folder, &path, manifest.get(&name));
        assert!(report.failures.is_empty(), "{name}: {:#?}", report.failures);
    }
}

#[test]
fn fixtures_are_read_written_and_planned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats");
    for (path, _) in fixtures() {
        let report = sessions::check(&folder, &path, None);
        assert!(report.failures.is_empty() && report.note.is_empty(), "{}", report.to_json());
    }
}

/// Calls `check` for each session named in a file of known answers.
fn known(answers: &str, format: &str, check: impl Fn(&SessionText, &str, Value<'_>)) {
    let (golden, folder) = (shared("golden/real"), shared("sessions"));
    let text = std::fs::read_to_string(golden.join(answers)).unwrap();
    let document = Document::parse(&text).unwrap();
    assert!(document.root().members().next().is_some(), "{answers} holds no answers");
    for (name, answer) in document.root().members() {
        let path = [format, "tunacode", "tinyagent", "pydantic_ai"]
            .iter()
            .map(|folder| Path::new(folder).join(name.decode().as_ref()))
            .find(|path| folder.join(path).is_file());
        let path = path.unwrap_or_else(|| panic!("{answers} names {}, which is not there", name.decode()));
        let source = std::fs::read_to_string(folder.join(path)).unwrap();
        check(&SessionText::read(&source).unwrap(), &source, answer);
    }
}

fn whole(value: Value<'_>, key: &str) -> u64 {
    value.get(key).and_then(Value::number).unwrap() as u64
}

#[test]
#[cfg_attr(
    not(all(has_known_answers, has_real_sessions)),
    ignore = "there is no ../shared/golden/real or sessions"
)]
fn pi_sends_the_messages_that_its_own_code_sends() {
    known("pi_buildSessionContext.json", "pi", |session, _, answer| {
        let active: Vec<usize> = (0..session.transcript().messages().len())
            .filter(|at| session.transcript().messages()[*at].active)
            .collect();
        assert_eq!(
            session.entries().len() as u64,
            whole(answer, "entries") + 1,
            "the header is an entry here"
        );
        assert_eq!(active.len() as u64, whole(answer, "contextMessages"));
        let results = active.iter().flat_map(|at| session.transcript().parts_of(*at));
        assert_eq!(
            results.filter(|part| part.kind == PartKind::ToolResult).count() as u64,
            whole(answer, "toolResultIds")
        );
        let first = session.transcript().messages()[active[0]];
        assert_eq!(first.summary, answer.get("roles").unwrap().get("compactionSummary").is_some());
    });
}

#[test]
#[cfg_attr(
    not(all(has_known_answers, has_real_sessions)),
    ignore = "there is no ../shared/golden/real or sessions"
)]
fn claude_code_compacted_and_pruned_where_its_files_say_so() {
    known("claude_code_boundaries.json", "claude_code", |session, source, answers| {
        let of_kind = |kinds: &[MarkerKind]| {
            let markers = session.markers().iter().filter(|marker| kinds.contains(&marker.kind));
            markers.cloned().collect::<Vec<_>>()
        };
        let markers = of_kind(&[MarkerKind::Compaction, MarkerKind::Prune]);
        assert_eq!(markers.len(), answers.elements().count());
        let last_compaction = of_kind(&[MarkerKind::Compaction]).pop();
        for (marker, answer) in markers.iter().zip(answers.elements()) {
            let is_prune = answer.text_of("kind").unwrap().is("micro");
            assert_eq!(marker.kind == MarkerKind::Prune, is_prune);
            assert_eq!(source[..marker.bytes.start].lines().count() as u64, whole(answer, "entry"));
            assert_eq!(marker.tokens_before.map(u64::from), Some(whole(answer, "preTokens")));
            let before = (0..session.transcript().messages().len())
                .filter(|index| session.span(*index).end <= marker.bytes.start);
            let results = before
                .clone()
                .flat_map(|index| session.transcript().parts_of(index))
                .filter(|part| part.kind == PartKind::ToolResult);
            assert_eq!(results.count() as u64, whole(answer, "results_before"));
            if is_prune {
                assert_eq!(marker.tokens_saved.map(u64::from), Some(whole(answer, "tokensSaved")));
                assert_eq!(marker.outputs.map(|outputs| outputs as u64), Some(whole(answer, "compacted")));
            } else if last_compaction.as_ref() == Some(marker) && whole(answer, "preserved") == 0 {
                assert!(before.clone().all(|index| !session.transcript().messages()[index].active));
            }
        }
    });
}

#[test]
#[cfg_attr(
    not(all(has_known_answers, has_real_sessions)),
    ignore = "there is no ../shared/golden/real or sessions"
)]
fn tunacode_prunes_what_its_own_code_pruned() {
    known("tunacode_0.1.41_prune.json", "tunacode", |session, _, answer| {
        for (_, settings) in answer.members() {
            let mut policy = profiles::get("tunacode@2026-01").unwrap();
            policy.set("prune.protect", &whole(settings, "protect").to_string()).unwrap();
            policy.set("prune.minimum", &whole(settings, "minimum").to_string()).unwrap();
            let plan = session.plan(&policy);
            let pruned = if plan.decision.prune.applied { plan.decision.prune.outputs as u64 } else { 0 };
            assert_eq!(
                (pruned, plan.decision.prune.reclaimed),
                (whole(settings, "pruned"), whole(settings, "reclaimed"))
            );
        }
    });
}

#[test]
#[cfg_attr(
    not(all(has_known_answers, has_real_sessions)),
    ignore = "there is no ../shared/golden/real or sessions"
)]
fn tunacode_keeps_the_window_that_its_own_code_keeps() {
    known("tunacode_0.2.2_retention_boundary.json", "tunacode", |session, _, answer| {
        let plan = |keep: &str, force: bool| {
            let mut policy = profiles::get("tunacode@0.2").unwrap();
            policy.set("retain.keep", keep).unwrap();
            session.plan_with(&policy, PlanOptions::new().force(force))
        };
        for (keep, boundary) in answer.get("boundaries").unwrap().members() {
            let proposed = plan(&keep.decode(), false).decision.retain.proposed.unwrap_or(0) as u64;
            assert_eq!(proposed, boundary.number().unwrap() as u64, "keep {}", keep.decode());
        }
        assert_eq!(
            plan("20000", true).decision.retain.proposed.unwrap_or(0) as u64,
            whole(answer, "force_boundary")
        );
        assert_eq!(plan("0", false).decision.tokens_before, whole(answer, "total_tokens"));
    });
}
