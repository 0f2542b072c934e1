//! A replay does what a caller would do that plans before every request and carries each plan out; every message is in
//! exactly one fate at every request; and what a cache can hold is what two requests have in common.
//!
//! `PROPTEST_CASES` sets the number of cases.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use ebbline::length::Length;
use ebbline::policy::{Measure, Model, Scope};
use ebbline::replay::{Replay, ReplayOptions, Source, UsageFrom};
use ebbline::transcript::{Message, Output, Part, PartKind, Role, Turn};
use ebbline::{Fate, Plan, PlanOptions, Policy, Transcript, plan, profiles};
use ebbline_tests::oracle;
use ebbline_tests::with;
use proptest::prelude::*;
use proptest::sample::select;

fn cases() -> ProptestConfig {
    ProptestConfig {
        cases: ebbline_tests::cases(600),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// What happens next in a session.
#[derive(Clone, Debug)]
enum Next {
    Person(u32),
    Answer(u32, Option<u32>),
    Call { outputs: Vec<(u32, bool, bool)>, usage: Option<u32> },
    Note(u32),
}

fn next() -> impl Strategy<Value = Next> {
    let size = || prop_oneof![0..60_u32, 100..9_000_u32];
    let usage = || prop_oneof![1 => Just(None), 1 => (0..40_000_u32).prop_map(Some)];
    let outputs =
        prop::collection::vec((size(), prop::bool::weighted(0.1), prop::bool::weighted(0.15)), 1..4);
    prop_oneof![
        2 => (1..900_u32).prop_map(Next::Person),
        1 => (size(), usage()).prop_map(|(size, usage)| Next::Answer(size, usage)),
        6 => (outputs, usage()).prop_map(|(outputs, usage)| Next::Call { outputs, usage }),
        1 => (1..200_u32).prop_map(Next::Note),
    ]
}

fn log_of(life: &[Next], has_field: bool) -> Transcript {
    let mut log = Transcript::default();
    let tools = [log.tool("bash"), log.tool("skill")];
    let length = |size: u32| Length {
        utf16: size,
        code_points: size,
        bytes: size + 2,
        classed: size * 15,
        classed_json: size * 16,
    };
    let mut call = 0;
    for step in life {
        match step {
            Next::Person(size) => {
                log.begin(Message::person());
                log.push(Part::new(PartKind::Text, length(*size)));
            }
            Next::Answer(size, usage) => {
                log.begin(with(Message::new(Role::Assistant), |message| {
                    message.usage = *usage;
                    message.ended = true;
                }));
                log.push(Part::new(PartKind::Text, length(*size)));
            }
            Next::Note(size) => {
                log.begin(with(Message::new(Role::User), |message| {
                    message.turn = Turn::Synthetic;
                    message.pinned = *size % 4 == 0;
                }));
                log.push(Part::new(PartKind::Text, length(*size)));
            }
            Next::Call { outputs, usage } => {
                log.begin(with(Message::new(Role::Assistant), |message| message.usage = *usage));
                for at in 0..outputs.len() as u32 {
                    let tool = Some(tools[usize::from((call + at) % 5 == 0)]);
                    log.push(with(Part::new(PartKind::ToolCall, length(30 + at)), |part| {
                        part.call = Some(call + at);
                        part.tool = tool;
                    }));
                }
                for (size, failed, image) in outputs {
                    log.begin(with(Message::new(Role::Tool), |message| message.has_prune_field = has_field));
                    let output = if *failed { Output::Error } else { Output::Ordinary };
                    let tool = Some(tools[usize::from(call % 5 == 0)]);
                    let result = with(Part::new(PartKind::ToolResult, length(*size)), |part| {
                        part.output = output;
                        part.call = Some(call);
                        part.tool = tool;
                    });
                    log.push(result);
                    if *image {
                        log.push(with(Part::new(PartKind::Image, length(2_000)), |part| {
                            part.call = Some(call);
                        }));
                    }
                    call += 1;
                }
            }
        }
    }
    log
}

fn policy() -> impl Strategy<Value = Policy> {
    let names: Vec<&str> = profiles::names().collect();
    let knobs = (0..4_000_u64, 0..3_000_u64, 0..3_u64, any::<u8>(), 300..2_500_u64);
    (select(names), 4_000..40_000_u64, prop::bool::weighted(0.6), knobs).prop_map(
        |(name, context, changed, (protect, minimum, turns, bits, keep))| {
            let mut policy = profiles::get(name).unwrap();
            policy.model = Model::new(context).output(1_000);
            if changed {
                policy.shares.clear();
                (policy.prune.enabled, policy.retain.enabled) = (bits & 1 == 1, bits & 2 == 2);
                (policy.prune.protect, policy.prune.minimum) = (protect, minimum);
                policy.prune.protected_turns = turns;
                (policy.prune.reference, policy.prune.errors) = (bits & 4 == 4, bits & 8 == 8);
                (policy.retain.keep, policy.retain.summary_allowance) = (keep, 200);
                (policy.trigger.reserve, policy.trigger.floor) = (1_000, 0);
                if bits & 16 == 16 {
                    policy.estimator.rounded = Scope::Message;
                }
                policy.trigger.measure =
                    [Measure::Anchored, Measure::Reported, Measure::Estimate][usize::from(bits >> 5) % 3];
            }
            policy
        },
    )
}

/// A message of a context, with its source, and its parts with theirs.
type Sent = (Source, Message, Vec<(u32, Part)>);

/// A context as a caller would keep it: each message with its source, and its parts with theirs.
#[derive(Clone, Default)]
struct Kept {
    messages: Vec<Sent>,
}

impl Kept {
    fn transcript(&self, log: &Transcript) -> Transcript {
        let mut transcript = Transcript::default();
        for tool in (0..).map_while(|tool| log.tool_name(tool)) {
            transcript.tool(tool);
        }
        for (_, message, parts) in &self.messages {
            transcript.begin(*message);
            for (_, part) in parts {
                transcript.push(*part);
            }
        }
        transcript
    }

    /// Carries out what a plan says of each message and part.
    fn carry_out(&mut self, log: &Transcript, plan: &Plan, policy: &Policy, number: u32) {
        let transcript = self.transcript(log);
        let before = std::mem::take(&mut self.messages);
        let gone = |at: usize| plan.messages[at].fate == Fate::Summarized;
        let first = (0..before.len()).find(|at| gone(*at));
        let left = before.iter().enumerate().filter(|(at, _)| Some(*at) >= first && !gone(*at)).count();
        for (at, (source, message, parts)) in before.into_iter().enumerate() {
            if Some(at) == first {
                let tokens = plan.decision.summary_allowance as u32 * policy.estimator.per_token;
                let length = Length {
                    utf16: tokens,
                    code_points: tokens,
                    bytes: tokens,
                    classed: tokens,
                    classed_json: tokens,
                };
                let summary = with(Message::earlier_summary(), |message| message.kept = Some(left as u32));
                let part = Part::new(PartKind::Summary, length);
                self.messages.push((Source::Summary(number), summary, vec![(u32::MAX, part)]));
            }
            if gone(at) {
                continue;
            }
            let usage = message.usage.filter(|_| first.is_none_or(|first| at < first));
            let parts = parts.into_iter().enumerate().filter_map(|(place, (index, part))| {
                if plan.messages[at].parts[place].fate != Fate::Pruned {
                    return Some((index, part));
                }
                if let Some(preview) = plan.messages[at].parts[place].preview {
                    return Some((index, oracle::cuts::cut_part(&part, preview)));
                }
                let tokens = policy.estimator.parts(&transcript, at).get(place).copied().unwrap_or_default();
                let length = oracle::placeholder(&policy.prune, &policy.estimator, &message, tokens);
                let output = match (message.has_prune_field || policy.prune.reference, part.output) {
                    (true, _) => Output::Pruned,
                    (false, Output::Error) => Output::FailedPlaceholder,
                    (false, _) => Output::Placeholder,
                };
                let cleared = with(part, |part| {
                    part.output = output;
                    part.length = length;
                });
                (part.kind == PartKind::ToolResult).then_some((index, cleared))
            });
            self.messages.push((source, with(message, |message| message.usage = usage), parts.collect()));
        }
    }

    /// What stands at the beginning of both: places of parts, and whether each was sent whole.
    fn shared(&self, earlier: &Self) -> usize {
        let parts = |kept: &Self| -> Vec<(Source, u32, Length)> {
            let of = |(source, _, parts): &Sent| {
                parts.iter().map(|(index, part)| (*source, *index, part.length)).collect::<Vec<_>>()
            };
            kept.messages.iter().flat_map(of).collect()
        };
        let (now, before) = (parts(self), parts(earlier));
        now.iter().zip(&before).take_while(|(now, before)| now == before).count()
    }
}

/// The tokens of the first `count` parts.
fn tokens_of(transcript: &Transcript, policy: &Policy, count: usize) -> u64 {
    let mut cut = Transcript::default();
    for tool in (0..).map_while(|tool| transcript.tool_name(tool)) {
        cut.tool(tool);
    }
    let mut left = count;
    for (index, message) in transcript.messages().iter().enumerate() {
        if left == 0 {
            break;
        }
        cut.begin(*message);
        for part in transcript.parts_of(index).iter().take(left) {
            cut.push(*part);
        }
        left = left.saturating_sub(transcript.parts_of(index).len());
    }
    plan(&cut, policy, PlanOptions::new()).decision.tokens_before
}

fn check(log: &Transcript, policy: &Policy, options: ReplayOptions) -> Result<(), TestCaseError> {
    let replay = Replay::new(log, policy, &options);
    let (mut kept, mut earlier) = (Kept::default(), Kept::default());
    let mut compactions = replay.compactions().iter();
    let mut sent = 0;
    let mut number = 0;
    for (at, message) in log.messages().iter().chain([&Message::new(Role::Assistant)]).enumerate() {
        if message.role == Role::Assistant {
            let request = replay.requests()[number];
            prop_assert_eq!(request.at as usize, at);
            let transcript = kept.transcript(log);
            let moment = replay.moment(number).unwrap();
            prop_assert_eq!(moment.transcript().messages(), transcript.messages(), "request {}", number);
            prop_assert_eq!(moment.transcript().parts(), transcript.parts());
            let sources: Vec<Source> = kept.messages.iter().map(|(source, ..)| *source).collect();
            prop_assert_eq!(moment.sources(), sources.clone());

            // Every message that was there before the request is in exactly one fate.
            let done =
                replay.compactions().iter().take_while(|compaction| (compaction.request as usize) < number);
            let gone: Vec<u32> = done.flat_map(|compaction| compaction.summarized.iter().copied()).collect();
            let live = sources.iter().filter_map(|source| match source {
                Source::Log(message) => Some(*message),
                _ => None,
            });
            let all: Vec<u32> = gone.into_iter().chain(live).collect();
            prop_assert_eq!(all.len(), at);
            prop_assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), at);

            let planned = plan(&transcript, policy, PlanOptions::new().overhead(moment.overhead()));
            prop_assert_eq!(planned.decision.changes_something(), request.compaction.is_some());
            if planned.decision.changes_something() {
                let compaction = compactions.next().unwrap();
                prop_assert_eq!(compaction.decision, planned.decision);
                kept.carry_out(log, &planned, policy, request.compaction.unwrap());
            }
            let transcript = kept.transcript(log);
            let tokens = tokens_of(&transcript, policy, usize::MAX);
            prop_assert_eq!(request.tokens, tokens);
            let shared = tokens_of(&transcript, policy, kept.shared(&earlier));
            prop_assert_eq!(request.unchanged, shared, "request {}", number);
            (earlier, sent) = (kept.clone(), tokens);
            number += 1;
        }
        if at < log.messages().len() {
            let range = log.part_range(at);
            let parts: Vec<(u32, Part)> =
                range.clone().map(|part| (part as u32, log.parts()[part])).collect();
            let written = if message.role == Role::Assistant {
                parts.iter().map(|(_, part)| alone(log, policy, part)).sum()
            } else {
                0
            };
            let usage = match options.usage {
                UsageFrom::Recorded => message.usage,
                UsageFrom::Estimate if message.role == Role::Assistant => {
                    Some((sent + written + options.overhead) as u32)
                }
                _ => None,
            };
            kept.messages.push((
                Source::Log(at as u32),
                with(*message, |message| message.usage = usage),
                parts,
            ));
        }
    }
    prop_assert_eq!(number, replay.requests().len());
    prop_assert!(compactions.next().is_none());
    Ok(())
}

/// The tokens of a part by itself.
fn alone(log: &Transcript, policy: &Policy, part: &Part) -> u64 {
    let mut single = Transcript::default();
    for tool in (0..).map_while(|tool| log.tool_name(tool)) {
        single.tool(tool);
    }
    single.begin(Message::new(Role::Assistant));
    single.push(*part);
    plan(&single, policy, PlanOptions::new()).decision.tokens_before
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_replay_does_what_planning_before_every_request_does(
        life in prop::collection::vec(next(), 1..40),
        policy in policy(),
        usage in select(UsageFrom::ALL),
        overhead in prop_oneof![Just(0_u64), 0..3_000_u64],
        has_field in any::<bool>(),
    ) {
        let log = log_of(&life, has_field);
        check(&log, &policy, ReplayOptions::new().usage(usage).overhead(overhead))?;
    }

    #[test]
    fn on_a_pinned_history_more_protection_never_prunes_more(
        life in prop::collection::vec(next(), 10..60),
        policy in policy(),
        protect in 0..4_000_u64,
        more in 1..4_000_u64,
    ) {
        let log = log_of(&life, false);
        let replay = Replay::new(&log, &policy, &ReplayOptions::new());
        let mut other = profiles::get("ebbline@1").unwrap();
        other.shares.clear();
        (other.prune.minimum, other.prune.protected_turns) = (0, 0);
        for request in 0..replay.requests().len() {
            let moment = replay.moment(request).unwrap();
            let pruned = |protect: u64| {
                let mut policy = other.clone();
                policy.prune.protect = protect;
                plan(moment.transcript(), &policy, PlanOptions::new().overhead(moment.overhead())).decision.prune.outputs
            };
            prop_assert!(pruned(protect + more) <= pruned(protect));
        }
    }

    #[test]
    fn on_a_pinned_history_a_larger_minimum_never_prunes_more_and_a_wider_window_never_summarizes_more(
        life in prop::collection::vec(next(), 10..60),
        policy in policy(),
        (protect, minimum, keep, context) in (0..2_000_u64, 0..4_000_u64, 0..6_000_u64, 600..14_000_u64),
        more in 1..4_000_u64,
    ) {
        let log = log_of(&life, false);
        let replay = Replay::new(&log, &policy, &ReplayOptions::new());
        let mut other = profiles::get("ebbline@1").unwrap();
        other.shares.clear();
        (other.model, other.trigger.reserve) = (Model::new(context), 0);
        (other.prune.protect, other.prune.protected_turns) = (protect, 0);
        for request in 0..replay.requests().len() {
            let moment = replay.moment(request).unwrap();
            let decision = |minimum: u64, keep: u64| {
                let mut policy = other.clone();
                (policy.prune.minimum, policy.retain.keep) = (minimum, keep);
                plan(moment.transcript(), &policy, PlanOptions::new().overhead(moment.overhead())).decision
            };
            let pruned = |minimum: u64| decision(minimum, keep).prune.outputs;
            prop_assert!(pruned(minimum + more) <= pruned(minimum));
            let summarized = |keep: u64| {
                let retain = decision(minimum, keep).retain;
                if retain.applied { retain.messages } else { 0 }
            };
            prop_assert!(summarized(keep + more) <= summarized(keep));
        }
    }
}
