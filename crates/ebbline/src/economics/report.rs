//! A replay and its bill as one report, for programs in other languages.

use super::{Bill, Charge, Payback};
use crate::plan::{Decision, Position};
use crate::replay::{Known, Replay, Request, UsageFrom};

/// The name and version of the report's JSON form.
pub const SCHEMA: &str = "ebbline.replay/1";

crate::form::reported! {
    /// A replay and its bill.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Rates, ReplayReport, Terms};
    /// use ebbline::replay::Replay;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
    /// let replay = Replay::new(&session, &policy, &terms.options);
    /// let report = ReplayReport::of(&replay, &terms.bill(&replay));
    /// assert_eq!((report.profile, report.requests.len()), ("ebbline@1", 1));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    []
    pub struct ReplayReport<'r> {
        /// The name and version of this form.
        pub schema: &'static str = SCHEMA,
        /// The name of the policy.
        pub profile: &'r str,
        /// The model's context window, in tokens; `None` if it is not known.
        pub window: Option<u64>,
        /// The size from which the policy considers the context full; `None` if the window is not known.
        pub threshold: Option<u64>,
        /// How many messages the life of the session has.
        pub messages: u32,
        /// How much of its life is known.
        pub known: Known,
        /// How many outputs were already pruned when the session was recorded.
        pub already_pruned: u32,
        /// The tokens that every request sends beside the messages.
        pub overhead: u64,
        /// Where reported usage came from.
        pub usage: UsageFrom,
        /// Every request, oldest first. The last one is the next request of the session, and has no charge.
        pub requests: Vec<RequestReport>,
        /// Every compaction, oldest first.
        pub compactions: Vec<CompactionReport<'r>>,
        /// What all answered requests are charged for.
        pub total: Charge,
        /// The cost of all answered requests, in fresh input tokens.
        pub cost: f64,
    }
}

crate::form::reported! {
    /// One request of a report.
    [Copy]
    pub struct RequestReport = "ReplayRequest" {
        /// The message of the log that answers it; `None` for the next request.
        pub message: Option<u32>,
        /// The request.
        #[serde(flatten)]
        pub request: Request,
        /// What it is charged for; `None` for the next request.
        pub charge: Option<Charge>,
    }
}

crate::form::reported! {
    /// One compaction of a report.
    []
    pub struct CompactionReport<'r> = "ReplayCompaction" {
        /// The request before which it was carried out.
        pub request: u32,
        /// The pruned outputs, with the images inside them, by message and part of the log.
        pub pruned: Vec<Position>,
        /// The messages of the log that the summary replaced.
        pub summarized: &'r [u32],
        /// The tokens of the summary; 0 if none was made.
        pub summary: u64,
        /// The tokens of what it was made from.
        pub summary_input: u64,
        /// When it has earned what it cost; `None` if no answered request follows.
        pub payback: Option<Payback>,
        /// The decision that was carried out.
        #[serde(flatten)]
        pub decision: Decision,
    }
}

impl<'r> ReplayReport<'r> {
    /// The report of a replay and its bill.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Rates, ReplayReport, SCHEMA, Terms};
    /// use ebbline::replay::Replay;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
    /// let replay = Replay::new(&session, &policy, &terms.options);
    /// assert_eq!(ReplayReport::of(&replay, &terms.bill(&replay)).schema, SCHEMA);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(replay: &'r Replay<'_>, bill: &Bill) -> Self {
        let messages = replay.history().messages();
        let requests = replay.requests().iter().enumerate().map(|(number, request)| RequestReport {
            message: messages.get(request.at as usize).copied(),
            request: *request,
            charge: bill.charges().get(number).copied(),
        });
        let prunes = replay.compactions().iter().any(|compaction| !compaction.pruned.is_empty());
        let places = if prunes { replay.places() } else { Vec::new() };
        let place_of = |part: &u32| places.get(*part as usize).copied();
        let compactions =
            replay.compactions().iter().enumerate().map(|(number, compaction)| CompactionReport {
                request: compaction.request,
                pruned: compaction.pruned.iter().filter_map(place_of).collect(),
                summarized: &compaction.summarized,
                summary: compaction.summary,
                summary_input: compaction.summary_input,
                payback: bill.paybacks().get(number).copied(),
                decision: compaction.decision,
            });
        Self {
            schema: SCHEMA,
            profile: &replay.policy().profile,
            window: replay.window(),
            threshold: replay.threshold(),
            messages: messages.len() as u32,
            known: replay.history().known(),
            already_pruned: replay.history().already_pruned(),
            overhead: replay.options().overhead,
            usage: replay.options().usage,
            requests: requests.collect(),
            compactions: compactions.collect(),
            total: bill.total(),
            cost: bill.cost(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_pruned_output_is_right_behind_a_recorded_compaction() {
        let said = |role: &str, text: &str| {
            format!(
                r#"{{"type":"message","message":{{"role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
            )
        };
        let called = |id: &str| {
            format!(
                r#"{{"type":"message","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"{id}","name":"read","arguments":{{}}}}]}}}}"#
            )
        };
        let result = |id: &str| {
            format!(
                r#"{{"type":"message","message":{{"role":"toolResult","toolCallId":"{id}","toolName":"read","content":[{{"type":"text","text":"{}"}}]}}}}"#,
                "x".repeat(8_000)
            )
        };
        let text = |front: usize| {
            let header =
                r#"{"type":"session","version":1,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/a"}"#;
            let compaction = format!(
                r#"{{"type":"compaction","summary":"S","firstKeptEntryIndex":{},"tokensBefore":9}}"#,
                front + 1
            );
            let kept =
                [called("a"), result("a"), compaction, called("b"), result("b"), said("assistant", "done")];
            let front = (0..front).map(|_| said("user", "go"));
            [header.to_owned()].into_iter().chain(front).chain(kept).collect::<Vec<_>>().join("\n")
        };
        let mut policy = crate::profiles::get("pi@1.5").unwrap();
        policy.retain.enabled = false;
        policy.prune.enabled = true;
        (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 0, 0);
        let terms =
            crate::economics::Terms::new(crate::economics::Rates { cached: 0.1, written: 1.0, output: 4.0 });
        for front in 1..9 {
            let session = crate::SessionText::read(text(front)).unwrap();
            let replay = Replay::new(&session, &policy, &terms.options);
            let report = ReplayReport::of(&replay, &terms.bill(&replay));
            let pruned: Vec<Position> =
                report.compactions.iter().flat_map(|compaction| compaction.pruned.iter().copied()).collect();
            assert_eq!(pruned.len(), 2);
            for place in pruned {
                let part = session.transcript().parts_of(place.message).get(place.part);
                let kind = part.map(|part| part.kind);
                assert_eq!(kind, Some(crate::transcript::PartKind::ToolResult), "{front}: {place:?}");
            }
        }
    }
}
