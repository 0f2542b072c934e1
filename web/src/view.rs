//! The context that is planned: the session as its file holds it, or what is sent at one moment of its life.

use ebbline::plan::{PruneReport, RetainReport};
use ebbline::replay::{History, Moment, Source};
use ebbline::{PlanOptions, Policy, Transcript};
use serde::{Deserialize, Serialize};

use crate::kind::Shown;

/// Stands for a summary that the replayed policy made earlier; it is no message of the session.
pub const EARLIER_SUMMARY: u32 = u32::MAX - 2;

/// A moment in a session's life: the request that is about to be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct At {
    /// The policy that wrote the history up to it.
    #[serde(with = "crate::wire::policy")]
    pub history: Policy,
    /// The number of the request, from 0.
    pub request: u32,
}

/// A transcript, and which messages of the session its messages are.
#[derive(Clone, Debug)]
pub struct View<'v> {
    transcript: &'v Transcript,
    moment: Option<OfMoment<'v>>,
    /// What is sent beside the messages, where the transcript does not say it.
    pub overhead: Option<u64>,
}

/// `transcript` with the usage that providers would report if tokens were counted as `policy` estimates them and `beside` were
/// sent beside the messages. The usage of a moment is a replay's own estimate, made as the policy estimates that wrote the
/// history; measured by another estimate, the difference between the two would look like tokens beside the messages.
pub fn with_usage_of(transcript: &Transcript, policy: &Policy, beside: u64) -> Transcript {
    let mut idle = policy.clone();
    (idle.prune.enabled, idle.retain.enabled) = (false, false);
    let sizes = ebbline::plan(transcript, &idle, PlanOptions::new()).messages;
    let mut counted = transcript.clone();
    counted.truncate(0);
    let mut usage = beside;
    for (index, (message, planned)) in transcript.messages().iter().zip(&sizes).enumerate() {
        if message.active {
            usage = usage.saturating_add(planned.tokens_before);
        }
        counted.begin(*message);
        if message.usage.is_some() {
            counted.report_usage(u32::try_from(usage).ok());
        }
        for part in transcript.parts_of(index) {
            counted.push(*part);
        }
    }
    counted
}

#[derive(Clone, Debug)]
struct OfMoment<'v> {
    sources: &'v [Source],
    parts: &'v [u32],
    /// For each message of the session, how it is shown if it is not in the view.
    others: Vec<u8>,
}

impl<'v> View<'v> {
    /// The session as its file holds it.
    pub fn whole(transcript: &'v Transcript) -> Self {
        Self { transcript, moment: None, overhead: None }
    }

    /// What is sent at `moment`, when `sent` messages of the history are there.
    pub fn at(moment: &'v Moment, history: &History<'_>, sent: usize) -> Self {
        let mut others = vec![Shown::NotSent as u8; history.log().messages().len()];
        for (place, message) in history.messages().iter().enumerate() {
            if let Some(other) = others.get_mut(*message as usize) {
                *other = if place < sent { Shown::Gone } else { Shown::Later } as u8;
            }
        }
        let moment_of = OfMoment { sources: moment.sources(), parts: moment.parts(), others };
        Self { transcript: moment.transcript(), moment: Some(moment_of), overhead: moment.overhead() }
    }

    /// The same view over another transcript of its messages.
    pub fn over<'o>(self, transcript: &'o Transcript) -> View<'o>
    where
        'v: 'o,
    {
        View { transcript, ..self }
    }

    /// The messages that are planned.
    pub fn transcript(&self) -> &'v Transcript {
        self.transcript
    }

    /// How it is planned.
    pub fn options(&self, force: bool) -> PlanOptions {
        PlanOptions::new().force(force).overhead(self.overhead)
    }

    /// Whether this is a moment of the life.
    pub fn is_moment(&self) -> bool {
        self.moment.is_some()
    }

    /// How the messages of the session are shown that are not in the view; empty if all are.
    pub fn others(&self) -> &[u8] {
        self.moment.as_ref().map_or(&[], |moment| &moment.others)
    }

    /// The message of the session at `at` in the view, or [`EARLIER_SUMMARY`].
    pub fn message(&self, at: usize) -> u32 {
        match &self.moment {
            None => at as u32,
            Some(moment) => match moment.sources.get(at) {
                Some(Source::Log(message)) => *message,
                _ => EARLIER_SUMMARY,
            },
        }
    }

    /// Where message `message` of the session is in the view.
    pub fn place_of(&self, message: u32) -> Option<usize> {
        match &self.moment {
            None => (self.transcript.messages().len() > message as usize).then_some(message as usize),
            Some(moment) => moment.sources.iter().position(|source| *source == Source::Log(message)),
        }
    }

    /// The part of the session that part `at` of the view is.
    pub fn part(&self, at: usize) -> usize {
        self.moment
            .as_ref()
            .map_or(at, |moment| moment.parts.get(at).map_or(usize::MAX, |part| *part as usize))
    }

    /// The first message of the session at or behind place `at` of the view; the one behind the last message if there is
    /// none.
    fn from(&self, at: usize) -> usize {
        if self.moment.is_none() {
            return at;
        }
        let messages = self.transcript.messages().len();
        let behind = (at..messages).map(|at| self.message(at)).find(|message| *message != EARLIER_SUMMARY);
        behind.map_or_else(
            || messages.checked_sub(1).map_or(0, |last| self.message(last) as usize + 1),
            |message| message as usize,
        )
    }

    /// The report with places of the session instead of the view.
    pub fn prune(&self, mut report: PruneReport) -> PruneReport {
        if let Some(boundary) = &mut report.boundary {
            boundary.message = self.from(boundary.message);
        }
        report
    }

    /// The report with places of the session instead of the view.
    pub fn retain(&self, mut report: RetainReport) -> RetainReport {
        for at in [&mut report.proposed, &mut report.boundary, &mut report.split_turn] {
            *at = at.map(|at| self.from(at));
        }
        report
    }
}
