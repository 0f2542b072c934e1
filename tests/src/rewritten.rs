//! A written session is read again: in the same format, without additional problems, no less valid, and with the size
//! that the plan forecast.

use std::collections::HashSet;

use ebbline::plan::MessagePlan;
use ebbline::policy::Measure;
use ebbline::transcript::Role;
use ebbline::validate::{Rules, Violation, compare};
use ebbline::{EditOptions, Fate, Plan, PlanOptions, Policy, ReadOptions, SessionText, Transcript, profiles};

/// The summary in these tests.
const SUMMARY: &str = "## Goal\nThe tests are to pass on every machine, and the timetable is to show when the last \
ferry leaves.\n\n## Progress\nWhat happened so far: the tests were mended, one after the other, and nobody complained.";

/// Every profile, unchanged and with its figures reduced until it prunes, summarizes, or does both.
fn policies() -> Vec<Policy> {
    let mut all = Vec::new();
    for profile in profiles::ALL {
        all.push(profile.policy());
        for (prune, keep) in
            [(true, None), (false, Some(0)), (false, Some(400)), (true, Some(60)), (true, Some(2_000))]
        {
            let mut policy = profile.policy();
            policy.shares.clear();
            policy.prune.enabled = prune;
            policy.retain.enabled = keep.is_some();
            (policy.prune.protect, policy.prune.minimum) = (0, 0);
            (policy.prune.protected_turns, policy.prune.minimum_turns) = (0, 0);
            policy.retain.keep = keep.unwrap_or_default();
            policy.trigger.measure = Measure::Estimate;
            all.push(policy);
        }
    }
    all
}

/// The faults of what `session`, read from `text`, becomes under every profile; each fault once, with its first case.
pub fn faults(session: &SessionText, text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut written_before = HashSet::new();
    for policy in policies() {
        for force in [false, true] {
            let plan = session.plan_with(&policy, PlanOptions::new().force(force));
            for summary in [None, Some(SUMMARY)] {
                let summary = summary.filter(|_| plan.decision.retain.applied);
                let case = Case { session, policy: &policy, plan: &plan, summary };
                let Some(written) = case.written() else { continue };
                let is_known = !written_before.insert((written.clone(), policy.profile.clone()));
                if is_known || written == text {
                    continue;
                }
                for (kind, what) in case.faults(&written) {
                    if seen.insert((kind, what.clone())) {
                        let with = if summary.is_some() { "with a summary" } else { "without one" };
                        let name = &policy.profile;
                        let (prune, keep) = (policy.prune.enabled, policy.retain.keep);
                        found.push(format!(
                            "{kind}: {what} ({name}, prune {prune}, keep {keep}, force {force}, {with})"
                        ));
                    }
                }
            }
        }
    }
    found
}

/// A plan to carry out.
struct Case<'c> {
    session: &'c SessionText<'c>,
    policy: &'c Policy,
    plan: &'c Plan,
    summary: Option<&'c str>,
}

impl Case<'_> {
    /// The text with the plan carried out; `None` if the format has no place for a summary.
    fn written(&self) -> Option<String> {
        let mut options = EditOptions::new().now(1_795_300_000_000);
        options.summary = self.summary.map(str::to_owned);
        match self.session.compact(self.plan, &options) {
            Ok(written) => Some(written),
            Err(error) if error.code() == "no_place_for_summary" => None,
            Err(error) => Some(format!("{error}")),
        }
    }

    /// The faults of `written`: the kind of fault, and what was found.
    fn faults(&self, written: &str) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        let format = self.session.format();
        match SessionText::read(written) {
            // All messages may be summarized into a record beside the messages.
            Err(error) if error.code() == "no_messages" && self.is_emptied() => {}
            Err(error) => found.push(("not recognized", error.to_string())),
            Ok(again) if again.format() != format => {
                found.push(("another format", format!("{format} became {}", again.format())));
            }
            Ok(_) => {}
        }
        let as_before = ReadOptions::new().format(format);
        let again = match SessionText::read_with(written, &as_before) {
            Ok(again) => again,
            Err(error) => {
                found.push(("not read", error.to_string()));
                return found;
            }
        };
        if again.problems().len() > self.session.problems().len() {
            found.push(("a problem more", format!("{:?}", again.problems().last())));
        }
        let rules = Rules::of(format);
        let added = compare(self.session.transcript(), again.transcript(), &rules);
        found.extend(
            added.into_iter().map(|Violation { rule, text, .. }| ("less valid", format!("{rule}: {text}"))),
        );
        if self.summary.is_some() || !self.plan.decision.retain.applied {
            found.extend(self.other_size(&again).map(|what| ("another size", what)));
        }
        found
    }

    fn is_emptied(&self) -> bool {
        self.summary.is_some() && self.plan.messages.iter().all(|message| message.fate != Fate::Kept)
    }

    /// Faults in the sizes of what was written, read again as `again`: every kept message must have the tokens that
    /// the plan forecast, and all other messages must be together and be the summary.
    fn other_size(&self, again: &SessionText) -> Option<String> {
        let next = again.plan(self.policy);
        let is_sent = |planned: &&MessagePlan| {
            !matches!(planned.fate, Fate::Inactive | Fate::Summarized) && planned.tokens_after > 0
        };
        // A plan sees no text: of an output that is cut, or that its placeholder describes, it knows how much may stay at most.
        let describes = self.policy.prune.placeholder.contains('{');
        let is_cut = |kept: &MessagePlan| {
            kept.parts.iter().any(|part| part.preview.is_some() || describes && part.is_pruned())
        };
        let stays = self.plan.messages.iter().filter(is_sent);
        let stays: Vec<_> = stays.map(|kept| (kept.role, kept.tokens_after, is_cut(kept))).collect();
        let sent: Vec<_> = sent(&next, again.transcript());
        let more = sent.len().saturating_sub(stays.len());
        let is_same = |stays: &[(Role, u64, bool)], sent: &[(Role, u64, bool)]| {
            let is_one =
                |((role, most, is_cut), (sent, tokens, _)): (&(Role, u64, bool), &(Role, u64, bool))| {
                    role == sent && (tokens == most || *is_cut && tokens < most)
                };
            stays.len() == sent.len() && stays.iter().zip(sent).all(is_one)
        };
        let fits = |at: &usize| {
            let (before, rest) = sent.split_at_checked(*at).unwrap_or((&sent, &[]));
            let (new, after) = rest.split_at_checked(more).unwrap_or((rest, &[]));
            let (stays_before, stays_after) = stays.split_at(*at);
            let tells = more == 0 || new.iter().any(|(.., summary)| *summary);
            tells && is_same(stays_before, before) && is_same(stays_after, after)
        };
        let Some(at) = (0..=stays.len()).find(fits) else {
            return Some(format!("{stays:?} were to stay, and {sent:?} are sent"));
        };
        let new = sent.get(at..at + more).unwrap_or_default();
        let summary: u64 = new.iter().map(|(_, tokens, _)| tokens).sum();
        let forecast = self.plan.decision.tokens_after - self.plan.decision.summary_allowance + summary;
        let measured = next.decision.tokens_before;
        if measured != forecast && !(measured < forecast && self.plan.messages.iter().any(is_cut)) {
            return Some(format!("{} tokens, {forecast} were forecast", next.decision.tokens_before));
        }
        ((more > 0) != self.summary.is_some() || more > 2).then(|| format!("{new:?} are new"))
    }
}

/// The messages that are sent: role, tokens, and whether it is a summary.
fn sent(plan: &Plan, transcript: &Transcript) -> Vec<(Role, u64, bool)> {
    let messages = plan.messages.iter().zip(transcript.messages());
    // Messages without cost do not matter: state changes, empty answers.
    let active = messages.filter(|(planned, message)| message.active && planned.tokens_before > 0);
    active.map(|(planned, message)| (planned.role, planned.tokens_before, message.summary)).collect()
}
