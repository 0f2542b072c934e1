//! What is true of every session, format and policy.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;

use ebbline::policy::Snap;
use ebbline::text::Text;
use ebbline::transcript::{PartKind, Role};
use ebbline::validate::{Rules, compare, validate};
use ebbline::{
    EditOptions, Fate, Format, Plan, PlanOptions, Policy, ReadOptions, SessionText, Transcript, profiles,
};
use ebbline_compat as compat;
use ebbline_tests::cases;
use ebbline_tests::conversation::{Output, Step, TOOLS, format_of, spell, spellings};
use proptest::prelude::*;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let size = prop_oneof![3 => 0..400_usize, 1 => 400..9_000_usize];
    let output = (prop::option::weighted(0.95, size), prop::bool::weighted(0.1), 0..TOOLS.len())
        .prop_map(|(size, failed, tool)| Output { size, failed, tool });
    let step = prop_oneof![
        2 => (0..300_usize).prop_map(Step::Person),
        2 => (0..500_usize).prop_map(Step::Answer),
        3 => prop::collection::vec(output.clone(), 1..4).prop_map(Step::Calls),
        2 => prop::collection::vec(output, 1..4).prop_map(Step::Thought),
    ];
    prop::collection::vec(step, 1..40).prop_map(|steps| {
        let mut all = vec![Step::Person(12)];
        all.extend(steps);
        all
    })
}

/// Conversations that every provider accepts: no text is empty, and every call is answered.
fn whole_steps() -> impl Strategy<Value = Vec<Step>> {
    steps().prop_map(|steps| {
        let whole = |outputs: Vec<Output>| {
            outputs
                .into_iter()
                .map(|output| Output { size: Some(output.size.unwrap_or(3).max(1)), ..output })
                .collect()
        };
        let make = |step| match step {
            Step::Person(size) => Step::Person(size + 1),
            Step::Answer(size) => Step::Answer(size + 1),
            Step::Calls(outputs) => Step::Calls(whole(outputs)),
            Step::Thought(outputs) => Step::Thought(whole(outputs)),
        };
        steps.into_iter().map(make).collect()
    })
}

/// Every profile, with its figures reduced to the size of a test.
fn small_profiles(protect: u64, minimum: u64, keep: u64) -> impl Iterator<Item = Policy> {
    profiles::ALL.iter().map(move |profile| {
        let mut policy = profile.policy();
        (policy.prune.protect, policy.prune.minimum, policy.retain.keep) = (protect, minimum, keep);
        policy
    })
}

/// The signatures in a text, in order.
fn signatures(text: &str) -> Vec<&str> {
    text.split("\"sig_").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Whether the remaining signatures are in their original order. A file that only grows may repeat them.
fn keeps_signatures(written: &str, text: &str) -> bool {
    let said = written.strip_prefix(text.trim_end()).unwrap_or(written);
    is_subsequence(&signatures(said), &signatures(text))
}

/// The session with its plan carried out; `None` if the format has no place for a summary.
fn summarized(session: &SessionText, plan: &Plan, summary: &str) -> Option<String> {
    let mut options = EditOptions::new().now(1);
    options.summary = Some(summary.to_owned()).filter(|summary| !summary.is_empty());
    match session.compact(plan, &options) {
        Err(error) if error.code() == "no_place_for_summary" => None,
        written => Some(written.unwrap()),
    }
}

fn is_subsequence(part: &[&str], whole: &[&str]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|wanted| rest.any(|found| found == wanted))
}

fn policies() -> impl Strategy<Value = Policy> {
    let names: Vec<&str> = profiles::names().collect();
    (
        prop::sample::select(names),
        0..6_000_u64,
        0..2_000_u64,
        0..6_000_u64,
        1..12_000_u64,
        any::<(bool, bool)>(),
    )
        .prop_map(|(name, protect, minimum, keep, context, (prune, retain))| {
            let mut policy = profiles::get(name).unwrap();
            // The test sets the figures, so shares of the window must not replace them.
            policy.shares.clear();
            (policy.prune.protect, policy.prune.minimum, policy.retain.keep) = (protect, minimum, keep);
            (policy.model.context, policy.trigger.reserve) = (NonZeroU64::new(context), 0);
            (policy.prune.enabled, policy.retain.enabled) = (prune, retain);
            policy
        })
}

/// The entries of a pi session file, and their messages, as lists in JSON.
fn entries_of(file: &str) -> (String, String) {
    let lines = file.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let entries: Vec<_> = lines.filter(|line| line["type"] != "session").collect();
    let messages: Vec<_> = entries.iter().map(|entry| entry["message"].clone()).collect();
    (serde_json::json!(entries).to_string(), serde_json::json!(messages).to_string())
}

fn read(format: &str, text: &str) -> SessionText<'static> {
    let options = ReadOptions::new().format(Format::from_name(format_of(format)).unwrap());
    SessionText::read_with(text.to_owned(), &options).unwrap()
}

fn fates(plan: &Plan, fate: Fate) -> usize {
    plan.messages.iter().flat_map(|message| &message.parts).filter(|part| part.fate == fate).count()
}

/// Results without their call and calls without their result, by the call's index.
fn orphans(transcript: &Transcript, kept: impl Fn(usize) -> bool) -> (usize, usize) {
    let mut calls: HashMap<u32, (usize, usize)> = HashMap::new();
    for message in (0..transcript.messages().len()).filter(|message| kept(*message)) {
        for part in transcript.parts_of(message) {
            let Some(call) = part.call else { continue };
            let pair = calls.entry(call).or_default();
            match part.kind {
                PartKind::ToolCall => pair.0 += 1,
                PartKind::ToolResult => pair.1 += 1,
                _ => {}
            }
        }
    }
    let lone =
        |(made, answered): &(usize, usize)| (answered.saturating_sub(*made), made.saturating_sub(*answered));
    calls.values().map(lone).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_message_is_in_exactly_one_fate_and_totals_add_up(steps in steps(), policy in policies()) {
        for format in spellings() {
            let session = read(format, &spell(format, &steps));
            let plan = session.plan(&policy);
            prop_assert_eq!(plan.messages.len(), session.transcript().messages().len());
            let before: u64 = plan.messages.iter().map(|message| message.tokens_before).sum();
            let after: u64 = plan.messages.iter().map(|message| message.tokens_after).sum();
            prop_assert_eq!((before, after + plan.decision.summary_allowance), (plan.decision.tokens_before, plan.decision.tokens_after));
            for message in &plan.messages {
                let parts: u64 = message.parts.iter().map(|part| part.tokens_before).sum();
                prop_assert_eq!(parts, message.tokens_before);
                let summarized = message.fate == Fate::Summarized;
                prop_assert!(message.parts.iter().all(|part| (part.fate == Fate::Summarized) == summarized));
                prop_assert!(!summarized || message.role != Role::System);
            }
            prop_assert_eq!(plan.decision.prune.applied, plan.messages.iter().flat_map(|m| &m.parts)
                .any(|part| part.fate == Fate::Pruned || part.pruned_first));
        }
    }

    #[test]
    fn an_empty_plan_gives_the_same_bytes_and_planning_twice_changes_nothing(steps in steps(), policy in policies()) {
        for format in spellings() {
            let text = spell(format, &steps);
            let session = read(format, &text);
            let plan = session.plan(&policy);
            let written = session.compact(&plan, &EditOptions::default()).unwrap();
            if !plan.decision.prune.applied {
                prop_assert_eq!(&written, &text);
            }
            let again = read(format, &written);
            let second = again.plan(&policy);
            prop_assert!(!second.decision.prune.applied, "{format}: {:?}", second.decision.prune);
            prop_assert_eq!(again.compact(&second, &EditOptions::default()).unwrap(), written);
        }
    }

    #[test]
    fn a_pruned_text_costs_what_the_plan_forecast(steps in steps(), mut policy in policies()) {
        policy.retain.enabled = false;
        for format in spellings() {
            let text = spell(format, &steps);
            let session = read(format, &text);
            let plan = session.plan(&policy);
            let written = session.compact(&plan, &EditOptions::default()).unwrap();
            let again = read(format, &written).plan(&policy);
            let (measured, planned) = (again.decision.tokens_before, plan.decision.tokens_after);
            // A plan sees no text: of an output that is cut, or that its placeholder describes, it knows how much may stay at most.
            let is_cut =
                plan.messages.iter().flat_map(|message| &message.parts).any(|part| part.preview.is_some());
            let is_told = policy.prune.placeholder.contains('{');
            prop_assert!(measured == planned || (is_cut || is_told) && measured < planned, "{format}: {measured} of {planned}");
        }
    }

    #[test]
    fn the_profiles_of_pi_count_and_cut_as_pi_answers(steps in steps(), keep in 0..6_000_u64) {
        let text = spell("pi", &steps);
        let session = read("pi", &text);
        let (entries, messages) = entries_of(&text);
        for (profile, version) in [("pi@0.58", "0.58"), ("pi@0.84", "0.84"), ("pi@1.5", "1.5")] {
            let mut policy = profiles::get(profile).unwrap();
            policy.retain.keep = keep;
            let plan = session.plan_with(&policy, PlanOptions::new().force(true));
            let ask = |name: &str, data: &str, options: String| -> serde_json::Value {
                serde_json::from_str(&compat::ask("pi", name, data, &options).unwrap()).unwrap()
            };
            let estimate = ask("estimate", &messages, format!(r#"{{"version":"{version}"}}"#));
            let costs: Vec<u64> = plan.messages.iter().map(|message| message.tokens_before).collect();
            prop_assert_eq!(serde_json::json!(costs), estimate["perMessage"].clone());

            let options = format!(
                r#"{{"version":"{version}","startIndex":0,"endIndex":{},"keepRecentTokens":{keep}}}"#,
                costs.len()
            );
            let cut = ask("cutPoint", &entries, options);
            // If pi keeps everything, it reports the first entry as the first kept one; a plan reports no boundary.
            let proposed = plan.decision.retain.proposed.unwrap_or(0);
            prop_assert_eq!(Some(proposed as u64), cut["firstKeptEntryIndex"].as_u64(), "{}", profile);
        }
    }

    #[test]
    fn more_protection_never_prunes_more_and_a_wider_window_never_summarizes_more(
        steps in steps(), policy in policies(), more in 0..4_000_u64,
    ) {
        for format in spellings() {
            let session = read(format, &spell(format, &steps));
            let mut policy = policy.clone();
            policy.retain.enabled = false;
            let less = session.plan(&policy);
            policy.prune.protect += more;
            let protected = session.plan(&policy);
            prop_assert!(
                fates(&protected, Fate::Pruned) <= fates(&less, Fate::Pruned),
                "{format}, {more} more: {:?}, then {:?}", less.decision, protected.decision
            );
            policy.retain.enabled = true;
            // OpenCode summarizes everything if a wider window would keep everything; this is its own rule.
            policy.retain.summarize_all_that_fits = false;
            let force = PlanOptions::new().force(true);
            let narrow = fates(&session.plan_with(&policy, force), Fate::Summarized);
            policy.retain.keep += more;
            // If no place is new enough, pi until 0.85 summarizes nothing; this is its own rule.
            let gave_up = policy.retain.snap == Snap::Newer && narrow == 0;
            let wide = fates(&session.plan_with(&policy, force), Fate::Summarized);
            prop_assert!(gave_up || wide <= narrow, "{format} under {}", policy.profile);
        }
    }

    #[test]
    fn no_plan_makes_an_orphan(steps in steps(), policy in policies(), force in any::<bool>()) {
        for format in spellings() {
            let text = spell(format, &steps);
            let session = read(format, &text);
            let options = PlanOptions::new().force(force);
            let plan = session.plan_with(&policy, options);
            let before = orphans(session.transcript(), |_| true);
            let after = orphans(session.transcript(), |at| plan.messages[at].fate != Fate::Summarized);
            prop_assert!(after.0 <= before.0 && after.1 <= before.1, "{format}: {before:?} {after:?}");
            let written = summarized(&session, &plan, "so far");
            if let Some(written) = written.filter(|_| plan.decision.retain.applied) {
                let again = read(format, &written);
                let kept = orphans(again.transcript(), |at| again.transcript().messages()[at].active);
                prop_assert!(kept.0 <= before.0 && kept.1 <= before.1, "{format}: {before:?} {kept:?}");
                let summaries = (0..again.transcript().messages().len())
                    .filter(|at| again.transcript().messages()[*at].active)
                    .filter(|at| again.transcript().parts_of(*at).iter().any(|part| part.length.utf16 >= 6));
                prop_assert!(summaries.count() > 0);
            }
        }
    }

    #[test]
    fn a_valid_request_is_still_valid_after_compaction(
        steps in whole_steps(), protect in 0..3_000_u64, minimum in 0..500_u64, keep in 0..6_000_u64,
        placeholder in prop::option::of("[a-z]{0,3}"), force in any::<bool>(),
    ) {
        for format in spellings() {
            let text = spell(format, &steps);
            let session = read(format, &text);
            prop_assert_eq!(session.validate(), vec![], "{} is to begin with", format);
            // Many profiles write the same text, and what is asked of it depends on the text alone.
            let mut checked = HashSet::new();
            for mut policy in small_profiles(protect, minimum, keep) {
                if let Some(placeholder) = &placeholder {
                    policy.prune.placeholder.clone_from(placeholder);
                }
                let plan = session.plan_with(&policy, PlanOptions::new().force(force));
                for summary in [None, Some("So far: nothing.".to_owned())] {
                    let is_idle = if summary.is_some() { !plan.decision.retain.applied } else { !plan.decision.prune.applied };
                    let written = summarized(&session, &plan, summary.as_deref().unwrap_or_default());
                    let Some(written) = written.filter(|_| !is_idle) else { continue };
                    if checked.contains(&written) {
                        continue;
                    }
                    let again = read(format, &written);
                    let name = &policy.profile;
                    prop_assert_eq!(again.validate(), vec![], "{}, {}", format, name);
                    let added = compare(session.transcript(), again.transcript(), &Rules::of(session.format()));
                    prop_assert_eq!(added, vec![], "{}, {}", format, name);
                    prop_assert!(keeps_signatures(&written, &text));
                    checked.insert(written);
                }
            }
        }
    }

    #[test]
    fn no_compaction_breaks_a_rule_that_was_not_broken_before_nor_does_a_second(
        steps in steps(), policy in policies(), force in any::<bool>(),
    ) {
        for format in spellings() {
            let mut text = spell(format, &steps);
            for force in [force, true] {
                let session = read(format, &text);
                let plan = session.plan_with(&policy, PlanOptions::new().force(force));
                let summary = if plan.decision.retain.applied { "So far: nothing." } else { "" };
                let written = summarized(&session, &plan, summary)
                    .unwrap_or_else(|| summarized(&session, &plan, "").unwrap_or_default());
                let again = read(format, &written);
                let rules = Rules::of(session.format());
                prop_assert_eq!(compare(session.transcript(), again.transcript(), &rules), vec![], "{}", format);
                prop_assert!(keeps_signatures(&written, &text));
                let violations = [&session, &again].map(|session| validate(session.transcript(), &rules).len());
                prop_assert!(violations[1] <= violations[0]);
                text = written;
            }
        }
    }

    #[test]
    fn no_text_makes_the_engine_panic(text in "[\\[\\]{}\":,0-9a-z\\\\ \n]{0,200}", policy in policies()) {
        if let Ok(session) = SessionText::read(&text) {
            let plan = session.plan(&policy);
            prop_assert!(session.compact(&plan, &EditOptions::default()).is_ok());
        }
    }

    #[test]
    fn damaged_sessions_are_read_as_far_as_they_go(steps in steps(), cut in 0.0..1.0_f64, byte in any::<u8>()) {
        for format in spellings() {
            let text = spell(format, &steps);
            let at = (0..=(text.len() as f64 * cut) as usize).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let torn = &text[..at];
            let mut flipped = text.clone().into_bytes();
            flipped[at.min(text.len() - 1)] = byte;
            for source in [torn.as_bytes(), flipped.as_slice()] {
                match Text::from_bytes(source).and_then(SessionText::read) {
                    Ok(session) => {
                        // A line that is not UTF-8 is skipped, and the others are planned.
                        let policy = profiles::get("tunacode@2026-01/local").unwrap();
                        let plan = session.plan(&policy);
                        prop_assert!(session.compact_bytes(&plan, &EditOptions::default()).is_ok());
                    }
                    Err(error) => prop_assert!(error.place().is_some(), "{error}"),
                }
            }
        }
    }
}
