//! What a recorded session sent itself, with the compactions that its own agent carried out.

use super::restored::restored;
use crate::loss::{Departure, Left, Life, Lived, life};
use crate::policy::Estimator;
use crate::session_text::SessionText;
use crate::transcript::{Role, Transcript};

/// One request as the agent that recorded the session sent it.
///
/// # Example
///
/// ```
/// use ebbline::policy::Estimator;
/// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
/// let session = ebbline::SessionText::read(text)?;
/// let sent = ebbline::replay::recorded(&session, &Estimator::default());
/// assert_eq!((sent.len(), sent[0].message, sent[0].tokens), (1, 1, 2));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recorded {
    /// The message of the log that answers it.
    pub message: u32,
    /// The estimated tokens of the messages that it sent.
    pub tokens: u64,
    /// How many of these tokens stood unchanged at the beginning of the request before, too.
    pub unchanged: u64,
}

/// The requests that the session's own agent sent, oldest first, with the compactions and prunes that it recorded.
///
/// Requests of sub-agents and of other branches are left out, and so are those for summaries.
///
/// # Example
///
/// ```
/// use ebbline::policy::Estimator;
/// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
/// assert!(ebbline::replay::recorded(&session, &Estimator::default()).is_empty());
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn recorded(session: &SessionText<'_>, estimator: &Estimator) -> Vec<Recorded> {
    let Life { order, lived, departures } = life(session);
    let (log, now) = (restored(session), session.transcript());
    let mut context = Context {
        whole: Sizes::of(&log, estimator),
        now: Sizes::of(now, estimator),
        leaves: vec![None; now.parts().len()],
        ..Context::default()
    };
    let mut leaves_at = vec![false; now.messages().len() + 1];
    for departure in departures {
        if let (Some(leaves), Some(at)) =
            (context.leaves.get_mut(departure.part), leaves_at.get_mut(departure.at))
        {
            (*leaves, *at) = (Some(departure), true);
        }
    }
    let mut requests = Vec::new();
    let (mut sent, mut summaries) = (0, Vec::new());
    for index in order {
        let Some(message) = now.messages().get(index) else { continue };
        match lived.get(index) {
            Some(Lived::Summary) => {
                summaries.push(index);
                continue;
            }
            Some(Lived::Sent { .. }) => {}
            _ => continue,
        }
        if leaves_at.get(index) == Some(&true) {
            context.carry_out(index, std::mem::take(&mut summaries), now);
        }
        if message.role == Role::Assistant && !message.continues && !message.summary {
            let tokens = context.tokens;
            let unchanged = context.unchanged.take().map_or(sent, |unchanged| unchanged.min(sent));
            requests.push(Recorded { message: index as u32, tokens, unchanged: unchanged.min(tokens) });
            sent = tokens;
        }
        let tokens = context.whole.of_message(index, now);
        context.messages.push((index, tokens));
        context.tokens += tokens;
    }
    requests
}

/// The tokens of every part of a transcript.
#[derive(Default)]
struct Sizes(Vec<u64>);

impl Sizes {
    fn of(transcript: &Transcript, estimator: &Estimator) -> Self {
        let mut sizes = vec![0; transcript.parts().len()];
        // The parts of messages that a compaction moved stay where they were read.
        for index in 0..transcript.messages().len() {
            let slots = sizes.get_mut(transcript.part_range(index)).into_iter().flatten();
            for (slot, tokens) in slots.zip(estimator.parts(transcript, index)) {
                *slot = tokens;
            }
        }
        Self(sizes)
    }

    fn of_message(&self, index: usize, log: &Transcript) -> u64 {
        self.0.get(log.part_range(index)).unwrap_or_default().iter().sum()
    }

    fn of_part(&self, part: usize) -> u64 {
        self.0.get(part).copied().unwrap_or(0)
    }
}

/// What is sent at one moment.
#[derive(Default)]
struct Context {
    /// The tokens of parts before they were pruned, and as the file has them.
    whole: Sizes,
    now: Sizes,
    /// For each part of the log, when and how it leaves.
    leaves: Vec<Option<Departure>>,
    /// The messages in the order in which they are sent, with their tokens.
    messages: Vec<(usize, u64)>,
    /// Their tokens together.
    tokens: u64,
    /// The tokens that no compaction since the newest request changed; `None` if there was none.
    unchanged: Option<u64>,
}

impl Context {
    /// How a part leaves before message `at`.
    fn how(&self, part: usize, at: usize) -> Option<Left> {
        self.leaves
            .get(part)
            .copied()
            .flatten()
            .filter(|departure| departure.at == at)
            .map(|departure| departure.how)
    }

    /// Takes out what left before message `at`, and puts the summaries in the place of the first message that they
    /// replaced.
    fn carry_out(&mut self, at: usize, summaries: Vec<usize>, log: &Transcript) {
        let mut before = 0;
        let mut first = None;
        let mut kept = Vec::with_capacity(self.messages.len());
        let mut place = None;
        for (index, tokens) in std::mem::take(&mut self.messages) {
            let parts = log.part_range(index);
            let is_gone = parts.clone().any(|part| self.how(part, at) == Some(Left::Summarized));
            let pruned = parts.clone().find(|part| self.how(*part, at) == Some(Left::Pruned));
            if first.is_none() && (is_gone || pruned.is_some()) {
                let same = pruned.filter(|_| !is_gone).map_or(0..0, |pruned| parts.start..pruned);
                first = Some(before + same.map(|part| self.whole.of_part(part)).sum::<u64>());
            }
            before += tokens;
            if is_gone {
                place = place.or(Some(kept.len()));
                continue;
            }
            let freed = parts.filter(|part| self.how(*part, at).is_some());
            let freed: u64 =
                freed.map(|part| self.whole.of_part(part).saturating_sub(self.now.of_part(part))).sum();
            kept.push((index, tokens.saturating_sub(freed)));
        }
        let summaries = summaries.into_iter().map(|index| (index, self.now.of_message(index, log)));
        let place = place.unwrap_or(kept.len());
        kept.splice(place..place, summaries);
        self.tokens = kept.iter().map(|(_, tokens)| tokens).sum();
        self.messages = kept;
        self.unchanged = match (self.unchanged, first) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(text: &str) -> Vec<(u32, u64, u64)> {
        let session = SessionText::read(text).unwrap();
        let estimator = crate::profiles::get("pi@1.5").unwrap().estimator;
        let sent = recorded(&session, &estimator);
        sent.iter().map(|request| (request.message, request.tokens, request.unchanged)).collect()
    }

    #[test]
    fn a_request_repeats_the_one_before_until_the_agent_compacts() {
        let said = |role: &str, tokens: usize| {
            let text = "x".repeat(tokens * 4);
            format!(
                r#"{{"type":"message","message":{{"role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
            )
        };
        let compaction = format!(
            r#"{{"type":"compaction","summary":"{}","firstKeptEntryIndex":3,"tokensBefore":9}}"#,
            "s".repeat(400)
        );
        let text = [
            r#"{"type":"session","version":1,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/a"}"#
                .to_owned(),
            said("user", 1_000),
            said("assistant", 200),
            said("user", 30),
            said("assistant", 4),
            compaction,
            said("user", 50),
            said("assistant", 6),
        ];
        let requests = requests(&text.join("\n"));
        assert_eq!(requests.len(), 3);
        assert_eq!((requests[0].1, requests[0].2), (1_000, 0));
        assert_eq!((requests[1].1, requests[1].2), (1_230, 1_000));
        // What the summary replaced stood in front of everything that was kept.
        assert_eq!(requests[2].2, 0);
        let summary = requests[2].1 - 30 - 4 - 50;
        assert!((100..400).contains(&summary), "{summary}");
    }

    #[test]
    fn a_prune_changes_what_is_behind_it() {
        let user = |id: u32, text: &str| {
            format!(
                r#"{{"info":{{"id":"msg_{id}","role":"user","time":{{"created":{id}}}}},"parts":[{{"id":"prt_{id}","type":"text","text":"{text}"}}]}}"#
            )
        };
        let answer = |id: u32, compacted: &str| {
            format!(
                r#"{{"info":{{"id":"msg_{id}","role":"assistant","time":{{"created":{id}}}}},"parts":[{{"id":"prt_{id}","type":"tool","callID":"c{id}","tool":"read",
                "state":{{"status":"completed","input":{{}},"output":"{}","time":{{"start":{id},"end":{id}{compacted}}}}}}}]}}"#,
                "x".repeat(4_000)
            )
        };
        let messages =
            [user(1, "go"), answer(2, r#","compacted":35"#), answer(3, ""), user(40, "on"), answer(50, "")];
        let text = format!(r#"{{"info":{{"id":"ses_1"}},"messages":[{}]}}"#, messages.join(","));
        let requests = requests(&text);
        assert_eq!(requests.len(), 3);
        assert!(requests[1].2 == requests[0].1 && requests[1].1 > 1_000);
        assert!(requests[2].1 > 1_000 && requests[2].1 < 1_100, "the first output is gone: {requests:?}");
        assert!(requests[2].2 < 20, "nothing behind it is the same: {requests:?}");
    }
}
