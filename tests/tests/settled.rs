//! After a plan is carried out, planning again does nothing, earlier usage no longer counts, and no plan makes a
//! session larger.
//!
//! `PROPTEST_CASES` sets the number of cases; run a million by hand.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod knobs;

use ebbline::plan::{Source, VerdictReason};
use ebbline::policy::{Model, Snap};
use ebbline::transcript::{PartKind, Role};
use ebbline::{
    EditOptions, Fate, Format, Plan, PlanOptions, Policy, ReadOptions, Reason, SessionText, Verdict, profiles,
};
use ebbline_tests::conversation::{Output, Step, TOOLS, format_of, spell, spellings};
use proptest::prelude::*;
use proptest::sample::select;

fn cases() -> ProptestConfig {
    ProptestConfig {
        cases: ebbline_tests::cases(3_000),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let size = prop_oneof![1 => 0..60_usize, 3 => 0..400_usize, 2 => 400..6_000_usize];
    let output = (prop::option::weighted(0.97, size), prop::bool::weighted(0.1), 0..TOOLS.len())
        .prop_map(|(size, failed, tool)| Output { size, failed, tool });
    let step = prop_oneof![
        2 => (0..600_usize).prop_map(Step::Person),
        2 => (0..800_usize).prop_map(Step::Answer),
        3 => prop::collection::vec(output.clone(), 1..4).prop_map(Step::Calls),
        1 => prop::collection::vec(output, 1..3).prop_map(Step::Thought),
    ];
    prop::collection::vec(step, 1..30).prop_map(|steps| [vec![Step::Person(12)], steps].concat())
}

fn spelling() -> impl Strategy<Value = &'static str> {
    select(spellings().collect::<Vec<_>>())
}

fn read(spelling: &str, text: &str, policy: &Policy) -> SessionText<'static> {
    let options = ReadOptions::new()
        .format(Format::from_name(format_of(spelling)).unwrap())
        .placeholder(policy.prune.placeholder.clone());
    SessionText::read_with(text.to_owned(), &options).unwrap()
}

type WriteUsage = fn(u64) -> String;

/// Where a format stores the usage of an answer: after which words of the message, and how it is written.
fn usage_member(spelling: &str) -> Option<(&'static str, WriteUsage)> {
    let top = "{";
    Some(match spelling {
        "anthropic_messages" => {
            (top, |tokens| format!(r#""usage":{{"input_tokens":{tokens},"output_tokens":0}},"#))
        }
        "pi" => (r#""message":{"#, |tokens| format!(r#""usage":{{"totalTokens":{tokens}}},"#)),
        "tinyagent" | "tunacode" | "pydantic_ai" => {
            (top, |tokens| format!(r#""usage":{{"total_tokens":{tokens}}},"#))
        }
        "langchain/dump" => {
            (r#""kwargs":{"#, |tokens| format!(r#""usage_metadata":{{"total_tokens":{tokens}}},"#))
        }
        "langchain/dict" => {
            (r#""data":{"#, |tokens| format!(r#""usage_metadata":{{"total_tokens":{tokens}}},"#))
        }
        "langchain/flat" => (top, |tokens| format!(r#""usage_metadata":{{"total_tokens":{tokens}}},"#)),
        "vercel_ui" => (top, |tokens| format!(r#""metadata":{{"usage":{{"totalTokens":{tokens}}}}},"#)),
        "cline" => (top, |tokens| format!(r#""metrics":{{"inputTokens":{tokens}}},"#)),
        "gemini_cli/json" | "gemini_cli/lines" => {
            (top, |tokens| format!(r#""tokens":{{"total":{tokens}}},"#))
        }
        "opencode" => (r#""info":{"#, |tokens| format!(r#""tokens":{{"total":{tokens}}},"#)),
        "claude_code" => {
            (r#""message":{"#, |tokens| format!(r#""usage":{{"input_tokens":{tokens},"output_tokens":0}},"#))
        }
        "atif" => (top, |tokens| format!(r#""metrics":{{"prompt_tokens":{tokens}}},"#)),
        _ => return None,
    })
}

/// The text with the usage that a provider would have reported with each answer: `per_mille` of the estimate, plus
/// `overhead`.
fn with_usage(spelling: &str, text: &str, per_mille: u64, overhead: u64) -> String {
    let Some((behind, written)) = usage_member(spelling) else { return text.to_owned() };
    let policy = profiles::get("ebbline@1").unwrap();
    let session = read(spelling, text, &policy);
    let transcript = session.transcript();
    let mut so_far = 0;
    let mut inserted: Vec<(usize, String)> = Vec::new();
    for (index, message) in transcript.messages().iter().enumerate() {
        let costs = policy.estimator.parts(transcript, index);
        let results: u64 = transcript
            .parts_of(index)
            .iter()
            .zip(&costs)
            .filter(|(part, _)| part.kind == PartKind::ToolResult)
            .map(|(_, cost)| cost)
            .sum();
        so_far += costs.iter().sum::<u64>();
        if message.role != Role::Assistant {
            continue;
        }
        let span = session.span(index);
        let compact: String =
            text[span.clone()].chars().filter(|character| !character.is_whitespace()).collect();
        // Pretty-printed texts have a space after the colon.
        let spaced = behind.replace(':', ": ");
        let found = text[span.clone()].find(behind).map(|at| at + behind.len());
        let found = found.or_else(|| text[span.clone()].find(&spaced).map(|at| at + spaced.len()));
        if let Some(at) = found.filter(|_| !compact.contains(r#""usage""#)) {
            inserted.push((span.start + at, written(overhead + (so_far - results) * per_mille / 1_000)));
        }
    }
    inserted.sort();
    let mut result = text.to_owned();
    for (at, member) in inserted.into_iter().rev() {
        result.insert_str(at, &member);
    }
    result
}

/// The session with its plan carried out, including a summary; `None` if the format has no place for one.
fn carried_out(session: &SessionText, plan: &Plan, summary: &str) -> Option<String> {
    let options = EditOptions::new().summary(summary).now(2_000_000_000_000);
    match session.compact(plan, &options) {
        Err(error) if error.code() == "no_place_for_summary" => None,
        written => Some(written.unwrap()),
    }
}

/// A summary of about the size of the plan's allowance, less the user's words that stand behind it. It is found by
/// bisection, because measuring it again for each word took more time than everything else here.
fn summary_of(session: &SessionText, spelling: &str, plan: &Plan, policy: &Policy) -> String {
    let words = if policy.resolved().retain.user_words == 0 {
        0
    } else {
        carried_out(session, plan, "So far.")
            .map_or(0, |written| summary_cost(&read(spelling, &written, policy), policy))
    };
    let repeated = |times: usize| format!("What happened so far: {}", "and so on ".repeat(times));
    let fits = |times: &usize| {
        let length = ebbline::length::Length::of(&repeated(times.saturating_sub(1)));
        policy.estimator.tokens_of_text(length) + words + 40 < plan.decision.summary_allowance
    };
    let (mut enough, mut too_many) = (0, 2_000);
    while too_many - enough > 1 {
        let middle = usize::midpoint(enough, too_many);
        if fits(&middle) {
            enough = middle;
        } else {
            too_many = middle;
        }
    }
    repeated(enough)
}

/// The tokens by which the newest summary of `again` exceeds the plan's allowance.
fn summary_cost(again: &SessionText, policy: &Policy) -> u64 {
    let transcript = again.transcript();
    let messages = transcript.messages();
    let is_summary =
        |index: usize| messages.get(index).is_some_and(|message| message.summary && message.active);
    // OpenCode puts a marker before its summary, which answers it.
    let asks_for_one =
        |index: usize| messages[index].turn == ebbline::transcript::Turn::Synthetic && is_summary(index + 1);
    (0..messages.len())
        .filter(|index| is_summary(*index) || messages[*index].active && asks_for_one(*index))
        .map(|index| policy.resolved().estimator.message(transcript, index))
        .sum()
}

/// Whether passes change what no mark shows.
fn hides_changes(plan: &Plan) -> bool {
    let hidden = [Reason::OldThinking, Reason::LongArguments, Reason::OldImage, Reason::Superseded];
    plan.messages.iter().flat_map(|message| &message.parts).any(|part| hidden.contains(&part.reason))
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_a_plan_made_is_settled_after_one_round(
        steps in steps(), spelling in spelling(), policy in knobs::policy(&TOOLS), force in any::<bool>(),
        overhead in prop_oneof![1 => Just(0_u64), 1 => 0..3_000_u64], per_mille in 800..1_400_u64,
    ) {
        let text = with_usage(spelling, &spell(spelling, &steps), per_mille, overhead);
        let session = read(spelling, &text, &policy);
        let plan = session.plan_with(&policy, PlanOptions::new().force(force));
        if !plan.changes_something() {
            return Ok(());
        }
        prop_assert!(plan.decision.tokens_after < plan.decision.tokens_before, "{spelling}: {:?}", plan.decision);
        if hides_changes(&plan) && session.transcript().messages().iter().any(|message| message.usage.is_some()) {
            // A usage covers what was sent, and nothing in a text shows that thinking, arguments or images were longer then.
            return Ok(());
        }
        let summary = summary_of(&session, spelling, &plan, &policy);
        let Some(written) = carried_out(&session, &plan, &summary) else { return Ok(()) };
        let again = read(spelling, &written, &policy);
        let next = again.plan(&policy);
        let (before, after) = (&plan.decision.trigger, &next.decision.trigger);
        let window = policy.model.context.map_or(u64::MAX, u64::from);
        let is_new = before.source == Source::Nothing || after.tokens > window;
        if after.source != Source::Estimate && is_new && after.tokens > before.tokens {
            // A report above the window is believed only of messages of which some were pruned: it may have been true of what
            // they were. And one below half of its messages is believed once they are pruned, because nothing in the text says
            // any more what they were. So the same report may count in the second plan, and not in the first: both are right by
            // what they can see.
            return Ok(());
        }
        let told = if plan.decision.retain.applied { summary_cost(&again, &policy) } else { 0 };
        let is_full = told > plan.decision.summary_allowance || !plan.decision.fits;
        if plan.decision.retain.applied && is_full && next.decision.prune.reason == VerdictReason::TooLarge {
            // A cut counts on a summary of everything older. A larger summary leaves less room for the outputs beside it, and
            // so does a retention window that keeps more and does not fit.
            return Ok(());
        }
        if plan.decision.retain.applied && plan.decision.prune.reason == VerdictReason::ContextSmall {
            // The size was measured by a usage. A summary makes it void, and the estimate may be larger.
            return Ok(());
        }
        if plan.decision.retain.applied && plan.decision.prune.reason == VerdictReason::NothingGained {
            // Placeholders of short outputs would have cost what the others free. A summary takes the short ones away.
            return Ok(());
        }
        prop_assert!(!next.decision.prune.applied, "{spelling}: prunes again: {:?}\n{:?}", plan.decision, next.decision);
        if plan.decision.retain.applied {
            // The given summary may be larger than the plan's allowance.
            let cost = summary_cost(&again, &policy);
            let fits = plan.decision.fits && cost <= plan.decision.summary_allowance;
            prop_assert!(
                next.decision.verdict == Verdict::Noop || next.decision.verdict == Verdict::Refuse && !fits,
                "{spelling} under {}: {:?}\n{:?}", policy.profile, plan.decision, next.decision
            );
        } else if plan.decision.verdict == Verdict::Prune && !force {
            prop_assert!(
                matches!(next.decision.verdict, Verdict::Noop) || !plan.decision.fits,
                "{spelling}: {:?}\n{:?}", plan.decision, next.decision
            );
        }
    }

    #[test]
    fn the_total_after_is_what_a_fresh_plan_measures(
        steps in steps(), spelling in spelling(), policy in knobs::policy(&TOOLS), force in any::<bool>(),
    ) {
        let text = spell(spelling, &steps);
        let session = read(spelling, &text, &policy);
        let plan = session.plan_with(&policy, PlanOptions::new().force(force));
        if !plan.changes_something() {
            return Ok(());
        }
        let Some(written) = carried_out(&session, &plan, "So far: nothing.") else { return Ok(()) };
        let again = read(spelling, &written, &policy);
        let next = again.plan(&policy);
        let allowance = if plan.decision.retain.applied { plan.decision.summary_allowance } else { 0 };
        let told = if plan.decision.retain.applied { summary_cost(&again, &policy) } else { 0 };
        let (measured, planned) = (next.decision.tokens_before, plan.decision.tokens_after - allowance + told);
        // A plan sees no text: of an output that is cut, it knows how much may stay at most.
        let is_cut = plan.messages.iter().flat_map(|message| &message.parts).any(|part| part.preview.is_some());
        // Nor does it know what a placeholder will say of it.
        let resolved = policy.resolved();
        let prune = &resolved.prune;
        let is_told = prune.excerpt > 0 || prune.names > 0 || prune.placeholder.contains('{');
        prop_assert!(
            measured == planned || (is_cut || is_told || hides_changes(&plan)) && measured < planned,
            "{spelling}: {measured} of {planned}"
        );
    }

    #[test]
    fn more_protection_never_prunes_more(
        steps in steps(), spelling in spelling(), other in knobs::policy(&TOOLS),
        more in (0..3_000_u64, 0..2_000_u64, 0..3_u64, 0..TOOLS.len()),
    ) {
        let ours = profiles::get("ebbline@1").unwrap();
        let mut policy = ours;
        policy.model = other.model;
        policy.shares.clear();
        (policy.prune.protect, policy.prune.minimum) = (other.prune.protect, other.prune.minimum);
        policy.prune.protected_turns = other.prune.protected_turns;
        policy.prune.protected_tools = other.prune.protected_tools;
        let session = read(spelling, &spell(spelling, &steps), &policy);
        let pruned = |policy: &Policy| {
            let plan = session.plan(policy);
            let parts = plan.messages.iter().flat_map(|message| &message.parts);
            parts.map(|part| part.is_pruned()).collect::<Vec<_>>()
        };
        let before = pruned(&policy);
        let (protect, minimum, turns, tool) = more;
        let mut turned = [policy.clone(), policy.clone(), policy.clone(), policy.clone()];
        turned[0].prune.protect += protect;
        turned[1].prune.minimum += minimum;
        turned[2].prune.protected_turns += turns;
        turned[3].prune.protected_tools.push(TOOLS[tool].to_owned());
        for (knob, policy) in ["protect", "minimum", "protectedTurns", "protectedTools"].iter().zip(&turned) {
            let after = pruned(policy);
            let is_less = after.iter().zip(&before).all(|(after, before)| !after || *before);
            prop_assert!(is_less, "{spelling}: {knob}");
        }
    }

    #[test]
    fn a_wider_window_never_summarizes_more(
        steps in steps(), spelling in spelling(), context in 600..14_000_u64, keep in 0..6_000_u64, more in 0..3_000_u64,
        allowance in 0..2_500_u64, force in any::<bool>(),
    ) {
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.shares.clear();
        (policy.model, policy.trigger.reserve) = (Model::new(context), 0);
        (policy.retain.keep, policy.retain.summary_allowance) = (keep, allowance);
        let session = read(spelling, &spell(spelling, &steps), &policy);
        let summarized = |policy: &Policy| {
            let plan = session.plan_with(policy, PlanOptions::new().force(force));
            plan.messages.iter().filter(|message| message.fate == Fate::Summarized).count()
        };
        let narrow = summarized(&policy);
        policy.retain.keep += more;
        prop_assert!(policy.retain.snap == Snap::Nearest && summarized(&policy) <= narrow, "{spelling}");
    }

    #[test]
    fn what_the_model_has_not_seen_is_neither_summarized_nor_cleared(
        steps in steps(), spelling in spelling(), context in 200..14_000_u64, force in any::<bool>(),
        last in prop::collection::vec((0..60_000_usize, 0..TOOLS.len()), 1..5),
        per_mille in 800..1_400_u64,
    ) {
        let output = |(size, tool): &(usize, usize)| Output { size: Some(*size), failed: size % 7 == 0, tool: *tool };
        let steps = [steps, vec![Step::Calls(last.iter().map(output).collect())]].concat();
        let text = with_usage(spelling, &spell(spelling, &steps), per_mille, 0);
        let mut policy = profiles::get("ebbline@2").unwrap();
        policy.model = Model::new(context);
        let session = read(spelling, &text, &policy);
        let (transcript, plan) = (session.transcript(), session.plan_with(&policy, PlanOptions::new().force(force)));
        let is_answer = |index: &usize| {
            let message = &transcript.messages()[*index];
            message.active && message.role == Role::Assistant && !message.continues && !message.summary
        };
        let answer = (0..transcript.messages().len()).rev().find(is_answer).unwrap();
        let mut unseen = 0;
        for index in answer..transcript.messages().len() {
            for (part, planned) in transcript.parts_of(index).iter().zip(&plan.messages[index].parts) {
                if !transcript.messages()[index].active || part.kind != PartKind::ToolResult {
                    continue;
                }
                unseen += 1;
                prop_assert!(planned.fate != Fate::Summarized && !planned.pruned_first, "{spelling}: {planned:?}");
                prop_assert_eq!(planned.fate == Fate::Pruned, planned.preview.is_some(), "{}: {:?}", spelling, planned);
                let calls = |at: &usize| {
                    let makes = |other: &ebbline::transcript::Part| other.kind == PartKind::ToolCall && other.call == part.call;
                    transcript.parts_of(*at).iter().any(makes)
                };
                let made = (0..=index).rev().find(calls).unwrap();
                prop_assert!(plan.messages[made].fate != Fate::Summarized, "{spelling}: a call of {index}");
            }
        }
        prop_assert_eq!(unseen, last.len(), "{}", spelling);
        let Some(written) = carried_out(&session, &plan, "So far: nothing.") else { return Ok(()) };
        let again = read(spelling, &written, &policy);
        let sent = |session: &SessionText| {
            let transcript = session.transcript();
            let active = (0..transcript.messages().len()).filter(|index| transcript.messages()[*index].active);
            active.flat_map(|index| transcript.parts_of(index)).filter(|part| part.kind == PartKind::ToolResult).count()
        };
        prop_assert!(sent(&again) >= unseen, "{spelling}");
        let next = again.plan(&policy);
        if plan.decision.fits && !plan.decision.retain.applied && !force {
            prop_assert_eq!(next.decision.verdict, Verdict::Noop, "{}: {:?}", spelling, next.decision);
        }
    }

    #[test]
    fn what_still_runs_stays(
        steps in steps(), spelling in spelling(), policy in knobs::policy(&TOOLS), force in any::<bool>(),
    ) {
        let open = Output { size: None, failed: false, tool: 0 };
        let steps = [steps, vec![Step::Calls(vec![open])]].concat();
        let text = spell(spelling, &steps);
        let session = read(spelling, &text, &policy);
        let transcript = session.transcript();
        let plan = session.plan_with(&policy, PlanOptions::new().force(force));
        let answered: std::collections::HashSet<_> = transcript
            .parts()
            .iter()
            .filter(|part| part.kind == PartKind::ToolResult)
            .map(|part| part.call)
            .collect();
        let last = (0..transcript.messages().len()).rev().find(|index| {
            let runs = |part: &ebbline::transcript::Part| part.kind == PartKind::ToolCall && !answered.contains(&part.call);
            transcript.messages()[*index].active && transcript.parts_of(*index).iter().any(runs)
        });
        if let Some(last) = last {
            prop_assert!(plan.messages[last].fate != Fate::Summarized, "{spelling} under {}", policy.profile);
        }
    }
}

/// Reports from before a prune may exceed the window of the model that goes on: they stay true of what was sent.
#[test]
fn a_prune_is_enough_where_reports_of_what_was_pruned_exceed_the_window() {
    let output = |size: usize, tool: usize| Output { size: Some(size), failed: false, tool };
    let bash = |sizes: &[usize]| sizes.iter().map(|size| output(*size, 0)).collect::<Vec<_>>();
    // The outputs of `skill` stay.
    let mixed = Step::Calls([vec![output(2_358, 2)], bash(&[18, 891])].concat());
    let (skill, outputs) = (Step::Calls(vec![output(3_056, 2)]), Step::Calls(bash(&[3_308, 1_131, 5_925])));
    let small = [Step::Calls(bash(&[19, 1])), Step::Thought(bash(&[897]))];
    let steps = [
        vec![Step::Person(12), Step::Person(299), Step::Answer(261), mixed, Step::Person(497), skill],
        vec![Step::Person(326), outputs, Step::Answer(747), Step::Person(452), Step::Answer(588)],
        small.to_vec(),
        vec![Step::Person(456), Step::Person(159), Step::Person(583), Step::Calls(bash(&[6_670]))],
    ];
    let text = with_usage("pi", &spell("pi", &steps.concat()), 829, 0);
    let mut policy = profiles::get("ebbline@2").unwrap();
    policy.model = Model::new(7_432);
    let session = read("pi", &text, &policy);
    let plan = session.plan(&policy);
    assert_eq!(plan.decision.verdict, Verdict::Prune, "{:?}", plan.decision);
    let written = carried_out(&session, &plan, "").unwrap();
    let next = read("pi", &written, &policy).plan(&policy);
    assert_eq!(next.decision.verdict, Verdict::Noop, "{:?}", next.decision);
}
