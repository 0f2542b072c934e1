//! The decider agrees with the oracle for every session, policy and way in which the session grew: in every figure of
//! the decision, and in every fate, reason and token count of the explanation.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod knobs;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use ebbline::length::Length;
use ebbline::policy::{Cut, Fill, Measure, Model, Scope, Snap};
use ebbline::transcript::{Message, Output, Part, PartKind, Role, Turn};
use ebbline::{Plan, PlanOptions, Policy, Session, Transcript, plan, profiles};
use ebbline_tests::cases;
use ebbline_tests::oracle;
use ebbline_tests::with;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

const TOOLS: [&str; 3] = ["bash", "skill", "read"];
const KINDS: [PartKind; 9] = [
    PartKind::Text,
    PartKind::Thinking,
    PartKind::ToolCall,
    PartKind::ToolResult,
    PartKind::ToolResult,
    PartKind::Image,
    PartKind::File,
    PartKind::Summary,
    PartKind::Other,
];

fn part() -> impl Strategy<Value = Part> {
    let kind = select(&KINDS[..]);
    let output = prop_oneof![
        6 => Just(Output::Ordinary),
        1 => Just(Output::Error),
        1 => Just(Output::Pruned),
        1 => Just(Output::Sealed),
        1 => Just(Output::Placeholder),
        1 => Just(Output::FailedPlaceholder),
        1 => Just(Output::FixedError),
    ];
    let length = prop_oneof![0..20_u32, 0..3_000_u32, 2_000..12_000_u32];
    let call =
        prop_oneof![1 => Just(None), 6 => (0..8_u32).prop_map(Some), 1 => (2_000..2_004_u32).prop_map(Some)];
    let tool = prop_oneof![1 => Just(None), 3 => (0..3_u32).prop_map(Some)];
    let rest = (any::<bool>(), 0..4_u16, prop_oneof![3 => Just(None), 1 => (0..5_000_u32).prop_map(Some)]);
    (kind, output, length, call, tool, rest).prop_map(|(kind, output, length, call, tool, rest)| {
        let (signed, pieces, native) = rest;
        let output = if kind == PartKind::ToolResult { output } else { Output::Ordinary };
        let length = Length {
            utf16: length,
            code_points: length,
            bytes: length + 3,
            classed: length * 14,
            classed_json: length * 15,
        };
        let native = native.and_then(NonZeroU32::new);
        with(Part::new(kind, length), |part| {
            (part.output, part.pieces, part.native) = (output, pieces, native);
            (part.call, part.tool, part.signed) = (call, tool, signed);
        })
    })
}

fn message() -> impl Strategy<Value = (Message, Vec<Part>)> {
    let role = select(vec![
        Role::User,
        Role::Assistant,
        Role::Assistant,
        Role::Assistant,
        Role::Tool,
        Role::Tool,
        Role::System,
        Role::Other,
    ]);
    let turn = (0..8_u8).prop_map(|turn| match turn {
        0..=2 => Turn::Person,
        3 => Turn::Synthetic,
        4 => Turn::Context,
        _ => Turn::No,
    });
    let rarely = || prop::bool::weighted(0.06);
    let usage = prop_oneof![1 => Just(None), 1 => (0..60_000_u32).prop_map(Some)];
    (
        role,
        turn,
        any::<bool>(),
        rarely(),
        rarely(),
        rarely(),
        (rarely(), usage),
        prop::collection::vec(part(), 0..5),
    )
        .prop_map(|(role, turn, ended, summary, inactive, continues, (pinned, usage), parts)| {
            let message = with(Message::new(role), |message| {
                (message.turn, message.ended, message.summary) = (turn, ended, summary);
                (message.active, message.continues, message.pinned) = (!inactive, continues, pinned);
                message.has_prune_field = turn == Turn::No && ended;
                (message.kept, message.usage) = (usage.map(|usage| usage % 9), usage);
            });
            (message, parts)
        })
}

/// A profile in a window that the session fills, with some of its knobs changed.
fn policy() -> impl Strategy<Value = Policy> {
    let names: Vec<&str> = profiles::names().collect();
    let knobs = (0..16_u8, 0..6_000_u64, 0..4_000_u64, 0..4_u64, any::<u16>());
    (select(names), prop_oneof![Just(0), 2_000..60_000_u64], 0..2_000_u64, knobs).prop_map(
        |(name, context, output, (which, protect, minimum, turns, bits))| {
            let mut policy = profiles::get(name).unwrap();
            policy.model = Model::new(context).output(output);
            let bit = |at: u32| bits >> at & 1 == 1;
            if which & 1 == 1 {
                policy.shares.clear();
                (policy.prune.protect, policy.prune.minimum) = (protect, minimum);
                (policy.retain.keep, policy.retain.summary_allowance) = (minimum, protect / 8);
                policy.prune.cold_after = turns / 2;
                policy.prune.breaks_at_most = if bit(13) { 1 + turns } else { 0 };
                policy.retain.user_words = if bit(12) { protect / 16 } else { 0 };
                policy.trigger.reserve = 500;
                policy.trigger.floor = 0;
            }
            if which & 2 == 2 {
                (policy.prune.enabled, policy.retain.enabled) = (true, true);
                policy.prune.protected_turns = turns;
                policy.prune.minimum_turns = turns / 2;
                policy.prune.stop_at_summary = bit(0);
                policy.prune.stop_at_pruned = bit(1);
                policy.prune.errors = bit(2);
                policy.prune.short_outputs = bit(3);
                policy.prune.count_synthetic_turns = bit(5);
                policy.prune.only_when_full = bit(4);
                policy.prune.down_to = if bit(11) { protect + minimum } else { 0 };
                policy.prune.preview = if bit(12) { minimum / 2 } else { 0 };
            }
            if which & 4 == 4 {
                policy.estimator.rounded = if bit(6) { Scope::Message } else { Scope::Part };
                policy.estimator.separator = u32::from(bit(7));
                policy.estimator.calibrate = bit(8);
                policy.estimator.native_notation = bit(9);
                policy.trigger.measure =
                    [Measure::Anchored, Measure::Reported, Measure::Estimate][usize::from(bits >> 10) % 3];
            }
            if which & 8 == 8 {
                let at = usize::from(bits >> 6);
                policy.retain.cut =
                    [Cut::Anywhere, Cut::BeforeMessage, Cut::BeforeTurn, Cut::AfterEndedMessage, Cut::AtEnd]
                        [at % 5];
                policy.retain.snap = [Snap::Older, Snap::Newer, Snap::NewerOrLast, Snap::Nearest][at / 5 % 4];
                policy.retain.fill = [Fill::AtLeast, Fill::AtMost][at / 20 % 2];
                policy.retain.turns = turns;
                policy.retain.summarize_all_that_fits = bit(0);
                policy.retain.forced_keeps_nothing = bit(1);
            }
            policy
        },
    )
}

fn transcript(messages: &[(Message, Vec<Part>)]) -> Transcript {
    let mut transcript = empty();
    for (message, parts) in messages {
        transcript.begin(*message);
        for part in parts {
            transcript.push(*part);
        }
    }
    transcript
}

fn empty() -> Transcript {
    let mut transcript = Transcript::default();
    for tool in TOOLS {
        transcript.tool(tool);
    }
    transcript
}

fn known(most: u64) -> impl Strategy<Value = Option<u64>> {
    prop_oneof![3 => Just(None), 1 => (0..most).prop_map(Some)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(600), ..ProptestConfig::default() })]

    #[test]
    fn the_decider_gives_the_oracles_answer(
        policy in prop_oneof![policy(), knobs::policy(&TOOLS)],
        messages in prop::collection::vec(message(), 0..70),
        asked in prop::collection::vec((any::<bool>(), known(80_000), known(30_000), known(3)), 71),
        back in (0..40_usize, 0..40_usize),
    ) {
        let mut ledger = Session::of(empty(), &policy);
        let mut at = 0;
        let mut forgot = false;
        loop {
            let (force, known_tokens, overhead, idle) = asked[at];
            let options = PlanOptions::new().force(force).known_tokens(known_tokens).overhead(overhead).idle(idle);
            let transcript = transcript(&messages[..at]);
            let expected = oracle::plan(&transcript, &policy, options);
            prop_assert_eq!(ledger.decide(options), expected.decision, "after {} messages", at);
            prop_assert_eq!(ledger.pruned(), pruned_of(&expected));
            prop_assert_eq!(&ledger.plan(options), &expected, "after {} messages", at);
            if at == messages.len() {
                prop_assert_eq!(&plan(&transcript, &policy, options), &expected);
                break;
            }
            let (message, parts) = &messages[at];
            ledger.begin(*message);
            for part in parts {
                ledger.push(*part);
            }
            at += 1;
            if at == back.0 && !forgot {
                forgot = true;
                at = back.1.min(at);
                ledger.truncate(at);
            }
        }
    }
}

/// `policy` with the numbers of `other` that are only compared with sums.
fn renumbered(policy: &Policy, other: &Policy) -> Policy {
    let mut policy = policy.clone();
    (policy.model, policy.trigger, policy.retain) =
        (other.model, other.trigger.clone(), other.retain.clone());
    let (prune, of) = (&mut policy.prune, &other.prune);
    (prune.protect, prune.minimum, prune.minimum_context, prune.down_to, prune.preview) =
        (of.protect, of.minimum, of.minimum_context, of.down_to, of.preview);
    (prune.only_when_full, prune.breaks_at_most, prune.minimum_turns, prune.protected_turns) =
        (of.only_when_full, of.breaks_at_most, of.minimum_turns, of.protected_turns);
    policy
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(600) / 3, ..ProptestConfig::default() })]

    #[test]
    fn a_ledger_under_another_policy_decides_as_one_that_began_under_it(
        policy in prop_oneof![policy(), knobs::policy(&TOOLS)],
        other in prop_oneof![policy(), knobs::policy(&TOOLS)],
        messages in prop::collection::vec(message(), 0..50),
        (force, known_tokens, overhead) in (any::<bool>(), known(80_000), known(30_000)),
    ) {
        let transcript = transcript(&messages);
        let options = PlanOptions::new().force(force).known_tokens(known_tokens).overhead(overhead);
        let (mut unpruned, mut alone) = (policy.clone(), policy.clone());
        unpruned.prune.enabled = false;
        alone.retain.enabled = false;
        let mut ledger = Session::of(transcript.clone(), &policy);
        let renumbered = renumbered(&policy, &other);
        for policy in [&policy, &alone, &renumbered, &unpruned, &policy, &other, &unpruned, &renumbered] {
            ledger.set_policy(policy);
            let expected = plan(&transcript, policy, options);
            let mut messages = Vec::new();
            let decision = ledger.plan_each(options, |decision, index, message| {
                assert_eq!((*decision, index), (expected.decision, messages.len()));
                messages.push(message.clone());
            });
            prop_assert_eq!((decision, &messages), (expected.decision, &expected.messages));
            prop_assert_eq!(ebbline::decide(&transcript, policy, options), expected.decision);
            prop_assert_eq!(ledger.decide(options), expected.decision);
        }
    }
}

/// The first usage says that nothing is sent beside the messages, the second says that much is. Cutting only the newer
/// output leaves the first as the judge, so the context fits; cutting both leaves neither, and it does not.
#[test]
fn usages_that_contradict_each_other_leave_one_way_to_choose_the_cuts() {
    let output = |characters: u32| {
        let (classed, classed_json) = (characters * 14, characters * 15);
        let length = Length { classed, classed_json, ..Length::ascii(characters as usize) };
        Part::new(PartKind::ToolResult, length)
    };
    let said = |role: Role| with(Message::new(role), |message| message.turn = Turn::Person);
    let mut policy = profiles::get("ebbline@2").unwrap();
    policy.model = Model::new(16_629);
    policy.estimator.per_token = 64;
    let options = PlanOptions::new().force(true);
    for (older, newer) in [(854, 858), (858, 854), (870, 870), (3_000, 858)] {
        let mut session = empty();
        session.begin(said(Role::User));
        session.push(output(older));
        session.begin(with(said(Role::Tool), |message| message.usage = Some(0)));
        session.begin(said(Role::Tool));
        session.push(output(newer));
        session.begin(with(said(Role::Tool), |message| message.usage = Some(3_788)));
        assert_eq!(
            plan(&session, &policy, options),
            oracle::plan(&session, &policy, options),
            "{older}, {newer}"
        );
    }
}

/// The outputs that a plan prunes, as indices of message and part.
fn pruned_of(plan: &Plan) -> Vec<(usize, usize)> {
    let messages = plan.messages.iter().enumerate();
    let parts = messages.flat_map(|(index, message)| {
        message.parts.iter().enumerate().map(move |(at, part)| (index, at, part))
    });
    parts
        .filter(|(.., part)| part.is_pruned() && part.kind == PartKind::ToolResult)
        .map(|(index, at, _)| (index, at))
        .collect()
}

/// Every knob by its path. A list is one knob, and so are all shares and all models.
fn knobs_of(policy: &Policy) -> BTreeMap<String, String> {
    fn collect(path: &str, value: &Value, into: &mut BTreeMap<String, String>) {
        match value {
            Value::Object(members) if !matches!(path, "shares" | "models") => {
                for (name, member) in members {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    collect(&path, member, into);
                }
            }
            other => drop(into.insert(path.to_owned(), other.to_string())),
        }
    }
    let mut knobs = BTreeMap::new();
    let json = serde_json::to_value(policy).unwrap();
    collect("", &json, &mut knobs);
    // Left out if empty.
    for path in ["shares", "models"] {
        knobs.entry(path.to_owned()).or_default();
    }
    knobs
}

#[test]
fn every_knob_of_every_profile_is_turned() {
    for name in profiles::names() {
        let mut runner = TestRunner::deterministic();
        let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for _ in 0..200 {
            let policy = knobs::of_profile(name, &TOOLS).new_tree(&mut runner).unwrap().current();
            for (path, value) in knobs_of(&policy) {
                values.entry(path).or_default().insert(value);
            }
        }
        let fixed: Vec<&String> =
            values.iter().filter(|(_, values)| values.len() < 2).map(|(path, _)| path).collect();
        assert!(fixed.is_empty(), "{name}: nothing turns {fixed:?}");
        assert!(values.len() > 40, "{name}: {} knobs", values.len());
    }
}
