//! What `ebbline@2` promises: a session of one request of the user and hundreds of calls stays inside its window without a
//! summary as long as outputs can give way; nothing is pruned before the window is full; and a forced compaction frees
//! something or says why it cannot.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::num::NonZeroU64;

use ebbline::length::Length;
use ebbline::plan::VerdictReason;
use ebbline::replay::{Replay, ReplayOptions, UsageFrom};
use ebbline::transcript::{Message, Output, Part, PartKind, Role};
use ebbline::{
    EditOptions, Format, PlanOptions, Policy, ReadOptions, SessionText, Transcript, Verdict, plan, profiles,
};
use ebbline_tests::with;
use serde_json::{Value, json};

const WINDOWS: [u64; 5] = [200_000, 64_000, 32_000, 16_000, 8_000];
const CALLS: u32 = 200;

fn policy(context: u64) -> Policy {
    let mut policy = profiles::get("ebbline@2").unwrap();
    policy.model.context = NonZeroU64::new(context);
    policy
}

/// So many tokens of output answer call number `call`: 1,500 on average, and at most an eighth of the window.
fn size_of(call: u32, context: u64) -> usize {
    (call as usize * 7_919 % 2_700 + 150).min(context as usize / 8)
}

/// One request of the user, and calls with their results.
fn log(calls: u32, context: u64) -> Transcript {
    let mut log = Transcript::default();
    let words = |tokens: usize| Length::of(&"word ".repeat(tokens));
    log.begin(Message::person());
    log.push(Part::new(PartKind::Text, words(100)));
    for call in 0..calls {
        log.begin(Message::new(Role::Assistant));
        log.push(with(Part::new(PartKind::ToolCall, words(12)), |part| part.call = Some(call)));
        log.begin(Message::new(Role::Tool));
        log.push(with(Part::new(PartKind::ToolResult, words(size_of(call, context))), |part| {
            part.call = Some(call);
        }));
    }
    log
}

/// The same as messages of OpenAI.
fn messages(calls: u32, context: u64) -> String {
    let mut messages = vec![json!({"role": "user", "content": "word ".repeat(100)})];
    for call in 0..calls {
        let id = format!("call_{call}");
        let function = json!({"name": "read", "arguments": "{\"path\":\"src/main.rs\"}"});
        messages.push(json!({"role": "assistant", "content": null,
            "tool_calls": [{"id": id, "type": "function", "function": function}]}));
        let output = "word ".repeat(size_of(call, context));
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": output}));
    }
    Value::from(messages).to_string()
}

fn read(text: &str) -> SessionText<'static> {
    SessionText::read_with(text.to_owned(), &ReadOptions::new().format(Format::OpenaiChat)).unwrap()
}

/// The tokens of the outputs that could still give way: an answer follows them, and no placeholder stands for them.
fn spare(transcript: &Transcript, policy: &Policy) -> u64 {
    let is_answer = |at: &usize| transcript.messages()[*at].role == Role::Assistant;
    let newest = (0..transcript.messages().len()).rev().find(is_answer).unwrap_or(0);
    let parts = transcript.part_range(newest).start;
    let outputs = transcript.parts()[..parts].iter();
    outputs
        .filter(|part| part.kind == PartKind::ToolResult && part.output == Output::Ordinary)
        .map(|part| policy.estimator.tokens_of_text(part.length))
        .sum()
}

#[test]
fn a_long_run_of_calls_stays_in_its_window_as_long_as_outputs_can_give_way() {
    for context in WINDOWS {
        for options in [
            ReplayOptions::new(),
            ReplayOptions::new().usage(UsageFrom::Nothing),
            ReplayOptions::new().overhead(context / 10),
        ] {
            let policy = policy(context);
            let log = log(CALLS, context);
            let replay = Replay::new(&log, &policy, &options);
            assert_eq!(replay.requests().len(), CALLS as usize + 1);
            for request in replay.requests() {
                assert!(request.tokens + options.overhead <= context, "{context} {request:?}");
                assert!(request.fits, "{context} {request:?}");
            }
            assert!(!replay.compactions().is_empty(), "{context}");
            let mut summaries = 0;
            for compaction in replay.compactions() {
                let prune = compaction.decision.prune;
                if compaction.decision.retain.applied {
                    summaries += 1;
                    let moment = replay.moment(compaction.request as usize).unwrap();
                    let resolved = policy.resolved();
                    let spare = spare(moment.transcript(), &resolved);
                    let left = if prune.applied { spare.saturating_sub(prune.candidates) } else { spare };
                    assert!(left < resolved.prune.minimum, "{context}: {left} could have given way");
                } else {
                    // Not a little at every request: at least the minimum at once.
                    assert!(prune.candidates >= policy.resolved().prune.minimum, "{context}");
                }
            }
            // In the smallest windows the calls and the placeholders alone fill the context at last.
            assert!(summaries == 0 || context <= 16_000, "{context}: {summaries} summaries");
            assert!(summaries <= 3, "{context}: {summaries} summaries");
        }
    }
}

#[test]
fn nothing_is_pruned_before_the_window_is_full() {
    for context in WINDOWS {
        let policy = policy(context);
        let threshold = policy.resolved().trigger.threshold(policy.model, 0);
        assert_eq!(threshold, context * 85 / 100);
        let whole = log(CALLS, context);
        for calls in 0..CALLS {
            let mut transcript = whole.clone();
            transcript.truncate(1 + 2 * calls as usize);
            let decision = plan(&transcript, &policy, PlanOptions::new()).decision;
            let is_full = decision.tokens_before > threshold;
            assert_eq!(decision.verdict == Verdict::Noop, !is_full, "{context} {calls}");
            if !is_full {
                assert_eq!(decision.prune.reason, VerdictReason::NotFull);
            }
        }
    }
}

#[test]
fn a_forced_compaction_frees_something_or_says_why_not() {
    let forced = PlanOptions::new().force(true);
    for context in WINDOWS {
        let mut policy = policy(context);
        for calls in [0, 1, 2, 5, 20, 60, CALLS] {
            let mut text = messages(calls, context);
            // Again and again, as after overflows, until nothing more can be done.
            let mut verdicts = Vec::new();
            let before = read(&text).plan(&policy).decision.tokens_before;
            loop {
                let session = read(&text);
                let plan = session.plan_with(&policy, forced);
                let decision = plan.decision;
                verdicts.push(decision.verdict);
                if !plan.changes_something() {
                    assert_eq!(decision.verdict, Verdict::Refuse, "{context} {calls}: {decision:?}");
                    break;
                }
                assert!(decision.tokens_after < decision.tokens_before, "{context} {calls}");
                let threshold = decision.trigger.threshold;
                assert_eq!(decision.fits, decision.tokens_after <= threshold, "{context} {calls}");
                let options = EditOptions::new().summary("So far: the calls were made.").now(1);
                text = session.compact(&plan, &options).unwrap();
                // What was carried out is settled: the next request changes nothing if it fits.
                let next = read(&text).plan(&policy).decision;
                assert!(!decision.fits || next.verdict == Verdict::Noop, "{context} {calls}: {next:?}");
            }
            assert!(verdicts.len() < 20, "{context} {calls}: {verdicts:?}");
            // With less than twice the minimum, a half of it is not worth pruning.
            if calls < CALLS && before >= 2 * policy.resolved().prune.minimum {
                assert_eq!(verdicts[0], Verdict::Prune, "{context} {calls}: outputs give way first");
            }
        }

        // Without anybody who could summarize, pruning alone keeps a run in its window, and says where it cannot.
        policy.retain.enabled = false;
        for force in [false, true] {
            let session = read(&messages(60, context));
            let decision = session.plan_with(&policy, PlanOptions::new().force(force)).decision;
            assert!(decision.fits, "{context} {force}: {decision:?}");
            assert!(decision.tokens_after <= context * 85 / 100);
            assert_eq!(decision.prune.applied, force || decision.tokens_before > context * 85 / 100);
        }
    }
}

#[test]
fn what_is_left_fits_or_is_said_not_to() {
    for context in WINDOWS {
        let policy = policy(context);
        // The newest output is larger than the whole window. The model has not seen it, so it stays, or is cut.
        let mut log = log(10, context);
        log.begin(Message::new(Role::Assistant));
        log.push(with(Part::new(PartKind::ToolCall, Length::ascii(40)), |part| part.call = Some(999)));
        log.begin(Message::new(Role::Tool));
        let length = Length::of(&"word ".repeat(context as usize));
        log.push(with(Part::new(PartKind::ToolResult, length), |part| part.call = Some(999)));
        let mut alone = policy.clone();
        alone.retain.enabled = false;
        for force in [false, true] {
            let cut = plan(&log, &alone, PlanOptions::new().force(force));
            let newest = cut.messages.last().unwrap();
            assert!(newest.parts[0].preview.is_some() && cut.decision.fits, "{context} {force}");
            assert!(cut.decision.tokens_after <= cut.decision.trigger.threshold);
        }
        alone.set("prune.preview", "0").unwrap();
        for force in [false, true] {
            let options = PlanOptions::new().force(force);
            let plan = plan(&log, &alone, options);
            let newest = plan.messages.last().unwrap();
            assert!(!newest.parts[0].is_pruned());
            assert!(!plan.decision.fits, "{context} {force}");
            assert!(plan.decision.tokens_after > context);
            let decision = ebbline::plan(&log, &policy, options).decision;
            assert_eq!(decision.fits, decision.tokens_after <= decision.trigger.threshold);
        }
    }
}

#[test]
fn a_known_output_limit_counts_whatever_its_size() {
    for (context, output, threshold) in [
        (200_000, 0, 170_000),
        (200_000, 8_000, 170_000),
        (200_000, 64_000, 136_000),
        (200_000, 128_000, 72_000),
        (64_000, 32_000, 32_000),
        (32_000, 32_000, 24_000),
        (32_000, 24_000, 8_000),
        (32_000, 24_001, 24_000),
    ] {
        let mut policy = policy(context);
        policy.model.output = NonZeroU64::new(output);
        let resolved = policy.resolved();
        let left = resolved.trigger.threshold(resolved.model, resolved.retain.keep);
        assert_eq!(left, threshold, "{context} {output}");
    }
}
