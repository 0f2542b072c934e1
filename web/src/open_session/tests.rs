//! Open sessions, and what is planned for them.

use std::num::NonZeroU64;

use ebbline::plan::VerdictReason;
use ebbline::transcript::{Message, Role};
use ebbline::{PlanOptions, ReadOptions, Reason};

use super::*;
use crate::content::ExportRequest;
use crate::file::File;
use crate::overview::Overview;

fn sample() -> (OpenSession<File>, Overview) {
    crate::sample::opened()
}

#[test]
fn every_segment_adds_up_to_the_totals() {
    let (session, _) = sample();
    let transcript = session.content().transcript();
    let is_answer = |message: &Message| message.role == Role::Assistant;
    let newest_answer = transcript.messages().iter().rposition(is_answer).unwrap();
    for (profile, context) in
        [("ebbline@1", 200_000), ("ebbline@1", 60_000), ("ebbline@2", 200_000), ("ebbline@2", 60_000)]
    {
        let mut policy = ebbline::profiles::get(profile).unwrap();
        policy.model.context = NonZeroU64::new(context);
        let planned = session.plan(&policy, false);
        let sum = |column: &[u32]| column.iter().map(|tokens| u64::from(*tokens)).sum::<u64>();
        assert_eq!(sum(&planned.segments.before), planned.figures.before);
        assert_eq!(sum(&planned.fates.before), planned.figures.before);
        assert_eq!(sum(&planned.segments.pruned), planned.figures.pruned);
        assert_eq!(sum(&planned.segments.after) + planned.figures.allowance, planned.figures.after);
        let counted: u64 = (0..planned.segments.len())
            .filter(|at| planned.segments.counted[*at] == 1)
            .map(|at| u64::from(planned.segments.before[at]))
            .sum();
        // Where protected outputs give way, the figure also has the answered outputs of the newest turns that stay.
        let plan = ebbline::plan(transcript, &policy, PlanOptions::new());
        let answered = plan.messages.iter().take(newest_answer).flat_map(|message| &message.parts);
        let newest = answered.filter(|part| part.reason == Reason::NewestTurns);
        let newest: u64 = newest.map(|part| part.tokens_before).sum();
        let gives_way = planned.figures.prune.reason == VerdictReason::RoomNeeded;
        let beside = if gives_way { newest } else { 0 };
        assert_eq!(counted + beside, planned.figures.prune.counted, "{profile} {context}");
    }
}

/// A session of `turns` turns whose answers report `usage`.
fn reported(turns: usize, usage: u64) -> OpenSession<File> {
    let turn = |at: usize| {
        let parent = at.checked_sub(1).map_or("null".to_owned(), |before| format!("\"a{before}\""));
        format!(
            r#"{{"type":"user","uuid":"u{at}","parentUuid":{parent},"sessionId":"s","message":{{"role":"user","content":"{}"}}}}
{{"type":"assistant","uuid":"a{at}","parentUuid":"u{at}","sessionId":"s","message":{{"id":"m{at}","role":"assistant","content":[{{"type":"text","text":"{}"}}],"usage":{{"input_tokens":{usage},"output_tokens":0}}}}}}
"#,
            "please look at this ".repeat(40),
            "it was looked at ".repeat(40),
        )
    };
    let text: String = (0..turns).map(turn).collect();
    OpenSession::open(text.into_bytes(), "reported.jsonl", &ReadOptions::default()).unwrap().0
}

#[test]
fn a_session_has_one_size_and_the_details_name_what_is_not_in_the_file() {
    let session = reported(3, 62_842);
    let default = ebbline::profiles::ALL[0].policy();
    let figures = session.plan(&default, false).figures;
    assert!(figures.before < 5_000);
    assert_eq!((figures.total_before(), figures.not_in_file()), (62_842, 62_842 - figures.before));
    assert_eq!(figures.trigger.tokens, figures.total_before(), "the verdict uses the same figure");
    let said = crate::verdict::plain(&crate::verdict::headline(&figures, &default));
    assert!(said.starts_with("Context 62,842 of 200,000 tokens"), "{said}");
    let details = crate::verdict::plain(&crate::verdict::details(&figures, &default));
    let not_in_file = ebbline::numbers::grouped(figures.not_in_file());
    let said = format!("the system prompt and tools about {not_in_file} by reported usage");
    assert!(details.contains(&said), "{details}");
    for profile in ebbline::profiles::ALL {
        let policy = profile.policy();
        let figures = session.plan(&policy, false).figures;
        let details = crate::verdict::plain(&crate::verdict::details(&figures, &policy));
        let is_other = figures.total_before() != 62_842;
        assert_eq!(
            details.contains(&format!("{} measures 62,842", ebbline::profiles::DEFAULT)),
            is_other,
            "{}: {details}",
            profile.name
        );
    }
}

#[test]
fn the_details_name_usage_below_the_estimate() {
    let session = reported(30, 1_000);
    let policy = ebbline::profiles::get("pi@1.5").unwrap();
    let figures = session.plan(&policy, false).figures;
    assert_eq!((figures.not_in_file(), figures.total_before()), (0, figures.before));
    let details = crate::verdict::plain(&crate::verdict::details(&figures, &policy));
    assert!(details.contains("Reported usage is 1,000"), "{details}");
}

#[test]
fn at_a_moment_no_estimate_is_called_reported() {
    let session = reported(300, 190_000);
    for profile in ["ebbline@2", "pi@1.5", "opencode@2026-06"] {
        let policy = ebbline::profiles::get(profile).unwrap();
        let (life, _) = session.open_life(&policy, false);
        for request in [0, life.len() as u32 / 2, life.len() as u32 - 1] {
            let at = At { history: policy.clone(), request };
            let planned = session.plan_at(&policy, false, Some(&at));
            let said = crate::verdict::plain(&planned.said.details);
            assert!(!said.contains("there are") || !said.contains("by reported usage;"), "{profile}: {said}");
            assert_ne!(planned.figures.trigger.source, Source::Reported, "{profile}");
        }
    }
}

#[test]
fn at_a_moment_another_estimate_is_no_tokens_beside_the_messages() {
    for (session, beside) in [(sample().0, 0), (reported(30, 40_000), 1)] {
        let history = ebbline::profiles::get("ebbline@2").unwrap();
        let (life, _) = session.open_life(&history, false);
        assert_eq!(life.beside > 0, beside > 0);
        for profile in ebbline::profiles::ALL {
            let policy = profile.policy();
            for request in [life.len() as u32 / 2, life.len() as u32 - 1] {
                let at = At { history: history.clone(), request };
                let planned = session.plan_at(&policy, false, Some(&at));
                let not_in_file = planned.figures.not_in_file();
                assert!(not_in_file <= life.beside, "{} {request}: {not_in_file}", profile.name);
                let said = crate::verdict::plain(&planned.said.details);
                assert_eq!(said.contains("the system prompt and tools"), not_in_file > 0, "{said}");
            }
        }
    }
}

#[test]
fn boundaries_have_the_positions_of_the_plan() {
    let (session, _) = sample();
    for (context, force) in [(200_000, false), (60_000, false), (200_000, true)] {
        let mut policy = ebbline::profiles::ALL[0].policy();
        policy.model.context = NonZeroU64::new(context);
        let planned = session.plan(&policy, force);
        let ruler = crate::strip::Ruler::new(&planned.segments, crate::strip::Weight::Everything);
        let (protect, keep) = planned.figures.places;
        let boundary = ruler.start_of(planned.figures.prune.boundary.unwrap().message + 1);
        assert_eq!(protect, boundary);
        assert_eq!(keep, ruler.start_of(planned.figures.retain.boundary.unwrap()));
    }
}

#[test]
fn an_export_read_again_leaves_nothing_to_do() {
    let (session, _) = sample();
    for context in [200_000, 60_000] {
        let mut policy = ebbline::profiles::ALL[0].policy();
        policy.model.context = NonZeroU64::new(context);
        let policy = &policy;
        let (wanted, force, free_bytes) = (ExportKind::Session, false, false);
        let request = ExportRequest { wanted, policy, force, summary: "", free_bytes };
        let exported = session.content().export(&request).unwrap();
        let (again, _) = OpenSession::open(exported.bytes, "again.json", &ReadOptions::default()).unwrap();
        assert_eq!(again.plan(policy, false).figures.verdict, ebbline::Verdict::Noop);
    }
}

#[test]
fn text_is_found_whatever_its_case() {
    let (session, _) = sample();
    assert!(!session.find("ROUNDING").is_empty());
    assert!(session.find("zzz-not-there").is_empty());
    assert!(session.find("  ").is_empty());
    assert!(session.find("tool_call_id").is_empty(), "keys are not text");
}
