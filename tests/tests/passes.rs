//! What passes do to any session: they change nothing that must stay, the plan says what they do, and they do it once.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::num::NonZeroU64;

use ebbline::validate::{Rules, compare};
use ebbline::{
    EditOptions, Fate, Format, Plan, PlanOptions, Policy, ReadOptions, Reason, SessionText, profiles,
};
use ebbline_tests::cases;
use ebbline_tests::conversation::{Output, Step, TOOLS, format_of, spell, spellings};
use proptest::prelude::*;

/// Conversations in which outputs repeat and calls think.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let size = prop_oneof![3 => 1..40_usize, 2 => Just(900), 1 => 400..4_000_usize];
    let output = (size, prop::bool::weighted(0.1), 0..TOOLS.len()).prop_map(|(size, failed, tool)| Output {
        size: Some(size),
        failed,
        tool,
    });
    let step = prop_oneof![
        1 => (1..300_usize).prop_map(Step::Person),
        1 => (1..500_usize).prop_map(Step::Answer),
        3 => prop::collection::vec(output.clone(), 1..4).prop_map(Step::Calls),
        3 => prop::collection::vec(output, 1..4).prop_map(Step::Thought),
    ];
    prop::collection::vec(step, 4..40).prop_map(|steps| {
        let mut all = vec![Step::Person(12)];
        all.extend(steps);
        all
    })
}

fn policies() -> impl Strategy<Value = Policy> {
    (
        (
            1..6_000_u64,
            0..400_u64,
            100..3_000_u64,
            prop::sample::select(vec!["ebbline@2", "ebbline@1", "pi@1.5"]),
        ),
        any::<(bool, bool)>(),
        (prop::option::of(1..4_u32), prop::option::of(0..3_u32), prop_oneof![Just(0), 1..60_u64]),
        prop_oneof![2 => Just(0), 1 => 20..100_u64],
        any::<bool>(),
    )
        .prop_map(
            |(
                (context, minimum, protect, name),
                (repeated, superseded),
                (thinking, images, arguments),
                excerpt,
                told,
            )| {
                let mut policy = profiles::get(name).unwrap();
                policy.shares.clear();
                policy.model.context = NonZeroU64::new(context);
                (policy.trigger.reserve, policy.trigger.floor, policy.retain.keep) =
                    (context as i64 / 10, 0, protect / 2);
                let prune = &mut policy.prune;
                (prune.enabled, prune.minimum, prune.protect, prune.reference) =
                    (true, minimum, protect, true);
                (prune.only_when_full, prune.down_to) = (true, context / 2);
                (prune.repeated, prune.superseded) = (repeated, superseded);
                (prune.thinking, prune.images, prune.arguments, prune.excerpt) =
                    (thinking, images, arguments, excerpt);
                if told {
                    "[{tool} {argument}: {size} gone]".clone_into(&mut prune.placeholder);
                }
                policy
            },
        )
}

fn read(format: &str, text: &str) -> SessionText<'static> {
    let options = ReadOptions::new().format(Format::from_name(format_of(format)).unwrap());
    SessionText::read_with(text.to_owned(), &options).unwrap()
}

const OF_PASSES: [Reason; 5] =
    [Reason::Repeated, Reason::Superseded, Reason::OldThinking, Reason::LongArguments, Reason::OldImage];

fn given(plan: &Plan) -> usize {
    let parts = plan.messages.iter().flat_map(|message| &message.parts);
    parts.filter(|part| OF_PASSES.contains(&part.reason)).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn passes_leave_a_valid_session_no_larger_than_planned(steps in steps(), policy in policies(), force in any::<bool>()) {
        for format in spellings() {
            let text = spell(format, &steps);
            let session = read(format, &text);
            let mut policy = policy.clone();
            policy.retain.enabled = false;
            let plan = session.plan_with(&policy, PlanOptions::new().force(force));
            let before: u64 = plan.messages.iter().map(|message| message.tokens_before).sum();
            let after: u64 = plan.messages.iter().map(|message| message.tokens_after).sum();
            prop_assert_eq!((before, after), (plan.decision.tokens_before, plan.decision.tokens_after));
            let pruned = plan.messages.iter().flat_map(|message| &message.parts).any(|part| part.fate == Fate::Pruned);
            prop_assert_eq!(plan.decision.prune.applied, pruned);

            let written = session.compact(&plan, &EditOptions::default()).unwrap();
            let again = read(format, &written);
            let rules = Rules::of(session.format());
            let added = compare(session.transcript(), again.transcript(), &rules);
            prop_assert!(added.is_empty(), "{format}: {added:?}\n{written}");
            let second = again.plan_with(&policy, PlanOptions::new());
            prop_assert!(
                second.decision.tokens_before <= plan.decision.tokens_after,
                "{format}: {} of {}\n{text}\n{written}", second.decision.tokens_before, plan.decision.tokens_after
            );
            policy.model.context = None;
            let idle = again.plan(&policy);
            prop_assert_eq!(again.compact(&idle, &EditOptions::default()).unwrap(), written);
        }
    }

    #[test]
    fn nothing_gives_way_twice(steps in steps(), mut policy in policies()) {
        for format in spellings() {
            policy.retain.enabled = false;
            let session = read(format, &spell(format, &steps));
            let plan = session.plan_with(&policy, PlanOptions::new().force(true));
            if given(&plan) == 0 {
                continue;
            }
            let written = session.compact(&plan, &EditOptions::default()).unwrap();
            let again = read(format, &written);
            let second = again.plan_with(&policy, PlanOptions::new().force(true));
            prop_assert_eq!(given(&second), 0, "{}: {}", format, written);
        }
    }
}
