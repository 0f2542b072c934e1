//! The decider agrees with the oracle where figures meet a limit exactly. All amounts are multiples of one step, and
//! sessions are made as agents make them, so that "at least" and "above" differ in many of them. Where figures are
//! arbitrary (`session.rs`), they hardly ever do.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use ebbline::length::{Length, Unit};
use ebbline::policy::{Comparison, CountCalls, Cut, Estimator, Fill, Measure, Model, Rounding, Scope, Snap};
use ebbline::transcript::{Message, Part, PartKind, Role, Turn};
use ebbline::{PlanOptions, Policy, Session, Transcript, profiles};
use ebbline_tests::cases;
use ebbline_tests::oracle;
use ebbline_tests::with;
use proptest::prelude::*;
use proptest::sample::select;

/// The smallest step between two usages that the calibration counts.
const STEP: u64 = 50;

/// What is added to a session at once.
#[derive(Clone, Copy, Debug)]
enum Event {
    Person,
    Synthetic,
    System,
    Summary {
        kept: u32,
    },
    Answer {
        ended: bool,
    },
    Calls {
        thinks: bool,
        count: usize,
        continues: bool,
    },
    /// Answers the oldest call that has no result yet: `r`esults with its id, and `i`mages.
    Result {
        parts: &'static str,
    },
}

/// Multiples of [`STEP`] below `end`.
fn amount(end: u64) -> impl Strategy<Value = u64> {
    (0..end).prop_map(|steps| steps * STEP)
}

fn event() -> impl Strategy<Value = Event> {
    let calls = (any::<bool>(), 1..3_usize, prop::bool::weighted(0.2));
    prop_oneof![
        4 => Just(Event::Person),
        1 => Just(Event::Synthetic),
        1 => Just(Event::System),
        1 => (0..4_u32).prop_map(|kept| Event::Summary { kept }),
        4 => any::<bool>().prop_map(|ended| Event::Answer { ended }),
        7 => calls.prop_map(|(thinks, count, continues)| Event::Calls { thinks, count, continues }),
        9 => select(vec!["r", "r", "r", "ri", "rir", "irr", "rri"]).prop_map(|parts| Event::Result { parts }),
    ]
}

/// An event, the tokens of each of its parts, and by how much the reported context grows with it, if it is reported.
type Happening = (Event, u64, Option<u64>);

fn happening() -> impl Strategy<Value = Happening> {
    (event(), amount(8), prop::option::weighted(0.8, amount(30)))
}

/// Few of them, or so many that the calibration leaves out the oldest usages.
fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let many = |count: std::ops::Range<usize>| prop::collection::vec(happening(), count);
    prop_oneof![30 => many(0..60), 1 => many(170..260)]
}

fn policy() -> impl Strategy<Value = Policy> {
    let names: Vec<&str> = profiles::names().collect();
    let prune = (any::<bool>(), amount(20), amount(10), 0..3_u64);
    let down_to = prop_oneof![1 => Just(0), 1 => amount(80)];
    let preview = prop_oneof![1 => Just(0), 2 => amount(40)];
    let prune = (prune, any::<bool>(), (down_to, preview), prop_oneof![1 => Just(0), 1 => amount(60)]);
    let calibrates = prop::bool::weighted(0.7);
    let comparison = || select(vec![Comparison::Above, Comparison::AtLeast]);
    let trigger = (prop_oneof![1 => Just(0), 4 => amount(100)], amount(4), comparison());
    let measure = prop_oneof![3 => Just(Measure::Anchored), 1 => Just(Measure::Estimate)];
    let cuts = vec![Cut::Anywhere, Cut::BeforeMessage, Cut::BeforeTurn, Cut::AfterEndedMessage];
    let snap = prop_oneof![
        3 => Just(Snap::Nearest),
        1 => select(vec![Snap::Older, Snap::Newer, Snap::NewerOrLast]),
    ];
    let fill = select(vec![Fill::AtLeast, Fill::AtMost]);
    let retain = (amount(20), amount(8), 0..4_u64, select(cuts), snap, fill);
    (select(names), prune, trigger, (measure, calibrates), retain).prop_map(
        |(
            name,
            ((prunes, protect, minimum, turns), only_when_full, (down_to, preview), floor_below),
            (context, reserve, fires),
            (measure, calibrates),
            retain,
        )| {
            let mut policy = profiles::get(name).unwrap();
            policy.shares.clear();
            policy.estimator = exact(calibrates);
            (policy.prune.enabled, policy.prune.protected_turns) = (prunes, turns);
            (policy.prune.protect, policy.prune.minimum) = (protect, minimum);
            policy.model = Model::new(context);
            (policy.trigger.reserve, policy.trigger.output_cap, policy.trigger.floor) =
                (reserve as i64, 0, floor_below / 2);
            (policy.prune.only_when_full, policy.prune.down_to) = (only_when_full, down_to);
            policy.prune.preview = preview;
            policy.trigger.floor_below = floor_below;
            (policy.trigger.fires, policy.trigger.measure) = (fires, measure);
            policy.retain.enabled = true;
            let (keep, allowance, turns, cut, snap, fill) = retain;
            (policy.retain.keep, policy.retain.summary_allowance, policy.retain.turns) =
                (keep, allowance, turns);
            (policy.retain.cut, policy.retain.snap, policy.retain.fill) = (cut, snap, fill);
            policy
        },
    )
}

/// A token for every character.
fn exact(calibrate: bool) -> Estimator {
    with(Estimator::default(), |estimator| {
        estimator.unit = Unit::Utf16;
        estimator.per_token = 1;
        estimator.rounding = Rounding::Floor;
        estimator.rounded = Scope::Part;
        estimator.separator = 0;
        estimator.calls = CountCalls::Arguments;
        estimator.image = None;
        estimator.calibrate = calibrate;
    })
}

/// The messages of a session, each with its parts.
fn session(happenings: &[Happening]) -> Vec<(Message, Vec<Part>)> {
    let (mut usage, mut calls, mut results) = (1_000, 0, 0);
    let mut messages = Vec::new();
    for (event, tokens, growth) in happenings {
        let part = |kind: PartKind| Part::new(kind, Length::ascii(*tokens as usize));
        let mut message = Message::new(Role::Assistant);
        let parts = match *event {
            Event::Person => {
                message = Message::person();
                vec![part(PartKind::Text)]
            }
            Event::Synthetic => {
                message = with(Message::new(Role::User), |message| message.turn = Turn::Synthetic);
                vec![part(PartKind::Text)]
            }
            Event::System => {
                message = Message::new(Role::System);
                vec![part(PartKind::Text)]
            }
            Event::Summary { kept } => {
                message = with(Message::earlier_summary(), |message| message.kept = Some(kept));
                vec![part(PartKind::Summary)]
            }
            Event::Answer { ended } => {
                message.ended = ended;
                vec![part(PartKind::Text)]
            }
            Event::Calls { thinks, count, continues } => {
                message.continues = continues;
                let thinking = thinks.then(|| with(part(PartKind::Thinking), |part| part.signed = true));
                let made = (calls..calls + count as u32)
                    .map(|call| with(part(PartKind::ToolCall), |part| part.call = Some(call)));
                calls += count as u32;
                thinking.into_iter().chain(made).collect()
            }
            Event::Result { parts } if results < calls => {
                message = Message::new(Role::Tool);
                results += 1;
                let kind = |letter| if letter == 'i' { PartKind::Image } else { PartKind::ToolResult };
                parts
                    .chars()
                    .map(|letter| with(part(kind(letter)), |part| part.call = Some(results - 1)))
                    .collect()
            }
            Event::Result { .. } => continue,
        };
        if let Some(growth) = growth.filter(|_| message.role == Role::Assistant) {
            usage += growth as u32;
            message.usage = Some(usage);
        }
        messages.push((message, parts));
    }
    messages
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1_500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_decider_gives_the_oracles_answer_at_the_limits(
        policy in policy(),
        happenings in happenings(),
        force in any::<bool>(),
    ) {
        let options = PlanOptions::new().force(force);
        let mut grown = Session::of(Transcript::default(), &policy);
        let mut transcript = Transcript::default();
        let messages = session(&happenings);
        for (at, (message, parts)) in messages.iter().enumerate() {
            grown.begin(*message);
            transcript.begin(*message);
            for part in parts {
                grown.push(*part);
                transcript.push(*part);
            }
            // The beginning of a long session is no other than a short one.
            if at + 60 >= messages.len() {
                let expected = oracle::plan(&transcript, &policy, options);
                prop_assert_eq!(grown.decide(options), expected.decision, "after message {}", at);
                prop_assert_eq!(&grown.plan(options), &expected);
            }
        }
    }
}
