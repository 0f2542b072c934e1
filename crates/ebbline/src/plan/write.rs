//! A plan as JSON, written by hand: it is the longest answer there is, and most of the time of planning a text.

use super::{Decision, Fate, MessagePlan, PartPlan, Plan, Reason, Source, Verdict, VerdictReason};
use crate::json::Writer;
use crate::transcript::{PartKind, Role};

/// What a message and a part take at most, mostly.
const MESSAGE: usize = 150;
const PART: usize = 140;

/// `plan` as `serde` would write it.
pub(super) fn to_json(plan: &Plan) -> String {
    let mut writer = Writer::default();
    let parts: usize = plan.messages.iter().map(|message| message.parts.len()).sum();
    writer.reserve(1_000 + plan.messages.len() * MESSAGE + parts * PART);
    head(plan, &mut writer);
    writer.raw(",\"messages\":[");
    for (index, message) in plan.messages.iter().enumerate() {
        writer.raw(if index == 0 { "{" } else { ",{" });
        write_message(message, &mut writer);
    }
    writer.raw("]}");
    writer.finish()
}

fn head(plan: &Plan, writer: &mut Writer) {
    writer.raw("{\"schema\":").word(plan.schema).raw(",\"profile\":").string(&plan.profile);
    write_decision(&plan.decision, writer);
}

fn write_decision(decision: &Decision, writer: &mut Writer) {
    let Decision { trigger, prune, retain, .. } = decision;
    writer.raw(",\"verdict\":").word(verdict(decision.verdict));
    writer.raw(",\"reason\":").word(because(decision.reason));
    writer.raw(",\"tokensBefore\":").number(decision.tokens_before);
    writer.raw(",\"tokensAfter\":").number(decision.tokens_after).raw(",\"fits\":").flag(decision.fits);
    writer.raw(",\"summaryAllowance\":").number(decision.summary_allowance);

    writer.raw(",\"trigger\":{\"context\":").number(trigger.context);
    writer.raw(",\"threshold\":").number(trigger.threshold).raw(",\"tokens\":").number(trigger.tokens);
    writer.raw(",\"source\":").word(source(trigger.source)).raw(",\"fires\":").flag(trigger.fires);

    writer
        .raw("},\"prune\":{\"applied\":")
        .flag(prune.applied)
        .raw(",\"reason\":")
        .word(because(prune.reason));
    match prune.boundary {
        None => writer.raw(",\"boundary\":null"),
        Some(place) => {
            let (message, part) = (place.message as u64, place.part as u64);
            writer.raw(",\"boundary\":{\"message\":").number(message).raw(",\"part\":").number(part).raw("}")
        }
    };
    writer.raw(",\"counted\":").number(prune.counted).raw(",\"candidates\":").number(prune.candidates);
    writer.raw(",\"outputs\":").number(prune.outputs as u64).raw(",\"reclaimed\":").number(prune.reclaimed);

    writer.raw("},\"retain\":{\"applied\":").flag(retain.applied);
    writer.raw(",\"reason\":").word(because(retain.reason)).raw(",\"proposed\":").maybe(retain.proposed);
    writer.raw(",\"boundary\":").maybe(retain.boundary).raw(",\"splitTurn\":").maybe(retain.split_turn);
    writer.raw(",\"kept\":").number(retain.kept).raw(",\"summarised\":").number(retain.summarised);
    writer.raw(",\"messages\":").number(retain.messages as u64).raw("}");
}

fn write_message(message: &MessagePlan, writer: &mut Writer) {
    writer.raw("\"role\":").word(role(message.role));
    write_fate(message.fate, message.reason, message.pruned_first, writer);
    writer.number(message.tokens_before).raw(",\"tokensAfter\":").number(message.tokens_after);
    writer.raw(",\"parts\":[");
    for (index, part) in message.parts.iter().enumerate() {
        let PartPlan { kind, fate, reason, pruned_first, tokens_before, tokens_after, newer_outputs: _ } =
            *part;
        writer.raw(if index == 0 { "{\"kind\":" } else { ",{\"kind\":" }).word(what(kind));
        write_fate(fate, reason, pruned_first, writer);
        writer.number(tokens_before).raw(",\"tokensAfter\":").number(tokens_after).raw("}");
    }
    writer.raw("]}");
}

/// Fate, reason and the rest up to the first figure: what messages and parts have in common.
fn write_fate(fate: Fate, reason: Reason, pruned_first: bool, writer: &mut Writer) {
    writer.raw(",\"fate\":").word(becomes(fate)).raw(",\"reason\":").word(why(reason));
    writer.raw(if pruned_first {
        ",\"prunedFirst\":true,\"tokensBefore\":"
    } else {
        ",\"prunedFirst\":false,\"tokensBefore\":"
    });
}

/// The words of the plan's own form, as `serde` derives them; a test holds both to each other.
macro_rules! words {
    ($($function:ident($type:ident): $($variant:ident $word:literal),+;)+) => {
        $(fn $function(value: $type) -> &'static str {
            match value { $($type::$variant => $word),+ }
        })+

        #[cfg(test)]
        fn all_words() -> Vec<(String, &'static str)> {
            let written = |value: &dyn erased::Written| value.written();
            vec![$($((written(&$type::$variant), $function($type::$variant))),+),+]
        }
    };
}

words! {
    becomes(Fate):
        Kept "kept", Pruned "pruned", Summarised "summarised", AlreadyPruned "already_pruned", Inactive "inactive";
    why(Reason):
        NotToolOutput "not_tool_output", ProtectedByBudget "protected_by_budget", NewestTurns "newest_turns",
        ProtectedTool "protected_tool", ErrorOutput "error_output", SealedOutput "sealed_output",
        ShortOutput "short_output", BeforeSummary "before_summary", BeforePruned "before_pruned",
        TooFewTurns "too_few_turns", BelowMinimum "below_minimum", PruneDisabled "prune_disabled",
        CrossedBoundary "crossed_boundary", BeyondBoundary "beyond_boundary", AlreadyPruned "already_pruned",
        BeforeWindow "before_window", InWindow "in_window", SystemMessage "system_message", Inactive "inactive",
        AlwaysSent "always_sent";
    verdict(Verdict):
        Noop "noop", Defer "defer", Refuse "refuse", Prune "prune", Summarise "summarise",
        PruneThenSummarise "prune_then_summarise";
    because(VerdictReason):
        Empty "empty", Disabled "disabled", TooFewTurns "too_few_turns", NothingToPrune "nothing_to_prune",
        BelowMinimum "below_minimum", OutputsBeyondProtection "outputs_beyond_protection",
        BelowThreshold "below_threshold", OverThreshold "over_threshold", Forced "forced",
        HistoryBelowKeep "history_below_keep", NoValidBoundary "no_valid_boundary",
        NothingGained "nothing_gained", NothingNew "nothing_new";
    source(Source): Estimate "estimate", Reported "reported", Known "known", Nothing "nothing";
    what(PartKind):
        Text "text", Thinking "thinking", ToolCall "tool_call", ToolResult "tool_result", Image "image", File "file",
        Summary "summary", Other "other";
    role(Role): System "system", User "user", Assistant "assistant", Tool "tool", Other "other";
}

#[cfg(test)]
mod erased {
    pub(super) trait Written {
        fn written(&self) -> String;
    }

    impl<T: serde::Serialize> Written for T {
        fn written(&self) -> String {
            serde_json::to_string(self).unwrap()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlanOptions, ReadOptions, Session, profiles};

    #[test]
    fn words_are_those_of_serde() {
        for (written, word) in all_words() {
            assert_eq!(written, format!("\"{word}\""));
        }
    }

    #[test]
    fn a_plan_is_written_as_serde_writes_it() {
        let output = "x".repeat(9_000);
        let turn = format!(
            r#"{{"role":"user","content":"go \"on\""}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"ID","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"ID","content":"{output}"}}"#
        );
        let turns: Vec<String> =
            (0..30).map(|turn_of| turn.replace("ID", &format!("call{turn_of}"))).collect();
        let text = format!("[{}]", turns.join(","));
        let session = Session::read(&text, &ReadOptions::default()).unwrap();
        for name in profiles::names() {
            for force in [false, true] {
                let mut policy = profiles::get(name).unwrap();
                policy.profile.push_str(" \"\u{1}é");
                policy.set("model.context", "20000").unwrap();
                let plan = session.plan(&policy, PlanOptions { force, known_tokens: 0 });
                assert_eq!(to_json(&plan), serde_json::to_string(&plan).unwrap(), "{name}");
            }
        }
    }
}
