//! Policies with random values of every knob.

use ebbline::length::Unit;
use ebbline::policy::{
    Comparison, CountCalls, Cut, Fill, Limit, Measure, Model, Rounding, Scope, Share, Snap,
};
use ebbline::{Policy, profiles};
use proptest::prelude::*;
use proptest::sample::select;

/// A profile with figures for sessions of a few thousand tokens and, in half of the cases, random values of other
/// knobs. Tools named in `tools` may be protected.
pub(crate) fn policy(tools: &'static [&'static str]) -> impl Strategy<Value = Policy> {
    let names: Vec<&str> = profiles::names().collect();
    select(names).prop_flat_map(move |name| of_profile(name, tools))
}

/// The same for one profile: every knob gets several values.
pub(crate) fn of_profile(
    name: &'static str,
    tools: &'static [&'static str],
) -> impl Strategy<Value = Policy> {
    let figures =
        (0..6_000_u64, 0..2_000_u64, 0..6_000_u64, 600..14_000_u64, 0..3_000_u64, 0..4_u64, 0..2_500_u64);
    (figures, any::<bool>(), switches(), choices(tools), limits(), shares()).prop_map(
        move |(figures, is_turned, switches, choices, limits, shares)| {
            let mut policy = profiles::get(name).unwrap();
            let (protect, minimum, keep, context, output, turns, allowance) = figures;
            // The test sets the figures, so shares of the window must not replace them.
            policy.shares.clear();
            (policy.prune.protect, policy.prune.minimum, policy.retain.keep) = (protect, minimum, keep);
            policy.model = Model::new(context).output(output.min(context / 2));
            policy.retain.summary_allowance = allowance;
            policy.trigger.reserve = policy.trigger.reserve.clamp(-500, 500);
            if is_turned {
                (policy.prune.protected_turns, policy.prune.minimum_turns) = (turns, turns / 2);
                policy.retain.turns = turns;
                policy.prune.cold_after = turns / 2;
                policy.prune.keep_outputs = if protect % 3 == 0 { turns } else { 0 };
                policy.model = policy.model.cache_lives(if output % 3 == 0 { turns } else { 0 });
                policy.prune.breaks_at_most = if turns == 3 { 1 + keep % 7 } else { 0 };
                policy.retain.user_words = if turns % 2 == 0 { 0 } else { keep / 8 };
                turn_switches(&mut policy, switches);
                turn_choices(&mut policy, choices);
                turn_limits(&mut policy, limits);
                for (path, percent) in shares {
                    policy.set_share(path, Share::percent(percent)).unwrap();
                }
                let overlay = format!(r#"{{"models":{{"a/model":{{"retain":{{"keep":{keep}}}}}}}}}"#);
                policy.overlay(&overlay).unwrap();
                policy.profile = format!("{name}*");
            }
            policy
        },
    )
}

type Passes = (Option<u32>, Option<u32>, bool, bool);
type Limits = (u64, i64, CountCalls, Passes, [u64; 6]);

fn limits() -> impl Strategy<Value = Limits> {
    let calls = vec![CountCalls::Nothing, CountCalls::Arguments, CountCalls::NameAndArguments];
    let (input, context) = (300..14_000_u64, 0..12_000_u64);
    (
        prop_oneof![1 => Just(0), 2 => input],
        -500..3_000_i64,
        select(calls),
        (prop::option::of(1..4_u32), prop::option::of(0..4_u32), any::<bool>(), any::<bool>()),
        [
            prop_oneof![2 => Just(0), 1 => 1..300_u64],
            prop_oneof![2 => Just(0), 1 => 1..200_u64],
            prop_oneof![2 => Just(0), 1 => context],
            prop_oneof![1 => Just(0), 1 => 0..8_000_u64],
            prop_oneof![1 => Just(0), 1 => 0..4_000_u64],
            prop_oneof![1 => Just(0), 3 => 0..4_000_u64],
        ],
    )
}

fn turn_limits(policy: &mut Policy, (input, reserve, calls, passes, figures): Limits) {
    policy.model = policy.model.input(input);
    (policy.trigger.reserve, policy.estimator.calls) = (reserve, calls);
    let prune = &mut policy.prune;
    (prune.thinking, prune.images, prune.repeated, prune.superseded) = passes;
    let [arguments, excerpt, rest @ ..] = figures;
    (prune.arguments, prune.excerpt, prune.names) = (arguments, excerpt, excerpt);
    policy.retain.names = arguments;
    [prune.minimum_context, prune.down_to, policy.trigger.floor_below, prune.preview] = rest;
}

/// Knobs that are shares of the window, usually none, and their percentages.
fn shares() -> impl Strategy<Value = Vec<(&'static str, u8)>> {
    let paths: Vec<_> = Policy::knobs().filter(|knob| knob.may_be_share).map(|knob| knob.path).collect();
    let some = (proptest::sample::subsequence(paths.clone(), 0..=paths.len()), 0..60_u8);
    let some = some.prop_map(|(paths, percent)| {
        paths.into_iter().enumerate().map(|(at, path)| (path, percent / (at as u8 + 1))).collect()
    });
    prop_oneof![3 => Just(Vec::new()), 1 => some]
}

fn switches() -> impl Strategy<Value = [bool; 16]> {
    any::<[bool; 16]>()
}

fn turn_switches(policy: &mut Policy, on: [bool; 16]) {
    let Policy { estimator, prune, retain, trigger, .. } = policy;
    let knobs = [
        &mut prune.enabled,
        &mut prune.count_synthetic_turns,
        &mut prune.errors,
        &mut prune.short_outputs,
        &mut prune.stop_at_summary,
        &mut prune.stop_at_pruned,
        &mut prune.reference,
        &mut prune.only_when_full,
        &mut retain.enabled,
        &mut retain.summarize_all_that_fits,
        &mut retain.forced_keeps_nothing,
        &mut trigger.enabled,
        &mut trigger.reserve_within_output,
        &mut trigger.less_keep,
        &mut estimator.native_notation,
        &mut estimator.calibrate,
    ];
    for (knob, on) in knobs.into_iter().zip(on) {
        *knob = on;
    }
}

type Choices = (
    (Unit, u32, Rounding, Scope, u32, Option<u32>),
    (Comparison, Vec<String>, String),
    (Fill, Snap, Cut, Option<Share>, u64),
    (Measure, Limit, Comparison, u64, u64),
);

fn choices(tools: &'static [&'static str]) -> impl Strategy<Value = Choices> {
    let comparison = || select(vec![Comparison::Above, Comparison::AtLeast]);
    let names = proptest::sample::subsequence(tools.to_vec(), 0..=tools.len());
    (
        (
            select(vec![Unit::Utf16, Unit::CodePoints, Unit::Bytes, Unit::Classes, Unit::ClassesOfJson]),
            1..70_u32,
            select(vec![Rounding::Floor, Rounding::Nearest, Rounding::Ceil]),
            select(vec![Scope::Part, Scope::Message]),
            0..3_u32,
            prop::option::of(0..9_000_u32),
        ),
        (
            comparison(),
            names.prop_map(|names| names.into_iter().map(str::to_owned).collect()),
            select(vec![
                "[Old tool result content cleared]".to_owned(),
                "[gone]".to_owned(),
                String::new(),
                "[{tool} {argument}: {size} characters]".to_owned(),
                "This output was longer than what there was room for, and had to give way.".to_owned(),
            ]),
        ),
        (
            select(vec![Fill::AtLeast, Fill::AtMost]),
            select(vec![Snap::Older, Snap::Newer, Snap::NewerOrLast, Snap::Nearest]),
            select(vec![
                Cut::Anywhere,
                Cut::BeforeMessage,
                Cut::BeforeTurn,
                Cut::AfterEndedMessage,
                Cut::AtEnd,
            ]),
            select(vec![None, Share::parse("25%")]),
            0..1_000_u64,
        ),
        (
            select(vec![Measure::Anchored, Measure::Reported, Measure::Estimate]),
            select(vec![
                Limit::LessReserve,
                Limit::LessOutput,
                Limit::InputElseLessOutput,
                Limit::InputLessReserveElseLessOutput,
                Limit::LessLarger,
                Limit::SmallerOfBoth,
            ]),
            comparison(),
            0..3_000_u64,
            0..3_000_u64,
        ),
    )
}

fn turn_choices(policy: &mut Policy, (estimator, prune, retain, trigger): Choices) {
    let (unit, per_token, rounding, rounded, separator, image) = estimator;
    (policy.estimator.unit, policy.estimator.rounding) = (unit, rounding);
    (policy.estimator.per_token, policy.estimator.rounded) = (per_token, rounded);
    (policy.estimator.separator, policy.estimator.image) = (separator, image);
    (policy.prune.minimum_is, policy.prune.protected_tools) = (prune.0, prune.1);
    policy.prune.placeholder = prune.2;
    (policy.retain.fill, policy.retain.snap, policy.retain.cut) = (retain.0, retain.1, retain.2);
    (policy.retain.keep_share, policy.retain.keep_floor) = (retain.3, retain.4);
    (policy.trigger.measure, policy.trigger.limit, policy.trigger.fires) = (trigger.0, trigger.1, trigger.2);
    (policy.trigger.output_cap, policy.trigger.floor) = (trigger.3, trigger.4);
}
