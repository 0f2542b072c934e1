//! Where a session opens: at the most telling moment of its life, so that there is always something to see.
//!
//! A session that never fills the policy's window is shown with a smaller one, which it would have filled: a usual size
//! if there is one, else a share of the session.

use ebbline::replay::{History, Moment, Replay, ReplayOptions};
use ebbline::{PlanOptions, Policy};
use serde::{Deserialize, Serialize};

use crate::content::Content;
use crate::knob::Knob;
use crate::life::{Event, Life};
use ebbline::numbers::{counted, grouped};

/// The usual sizes of context windows, in tokens.
const USUAL: [u64; 7] = [1_000_000, 400_000, 200_000, 128_000, 64_000, 32_000, 16_000];
/// Windows as shares of the largest context, in percent.
const SHARES: [u64; 7] = [105, 95, 80, 65, 50, 35, 25];

/// Where a session opens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The request before which it opens; `None` for the session as its file holds it.
    pub request: Option<u32>,
    /// The context window with which it is shown instead of the policy's, in tokens.
    pub window: Option<u64>,
    /// Why there, as sentences.
    pub words: String,
    /// What is said of the whole life: how often is compacted, what the file does not hold, and a description of the picture.
    pub told: [String; 3],
}

/// A policy's life of a session, with what its moments need.
#[derive(Debug)]
pub struct KeptLife {
    /// The policy that writes the history.
    pub policy: Policy,
    /// The life in columns.
    pub life: Life,
    replay: Replay<'static>,
    /// The newest moment that was asked for.
    moment: Option<(u32, Moment)>,
}

impl KeptLife {
    /// Replays the life of `content` under `policy`.
    pub fn new(content: &impl Content, history: &History<'static>, policy: &Policy) -> Self {
        Self::with(content, history, policy, beside(content, policy))
    }

    fn with(content: &impl Content, history: &History<'static>, policy: &Policy, beside: u64) -> Self {
        let options = ReplayOptions::new().overhead(beside);
        let replay = Replay::with_moments(history.clone(), policy, &options, &content.moments());
        let life = Life::of(&replay, &content.recorded(&policy.estimator));
        Self { policy: policy.clone(), life, replay, moment: None }
    }

    /// Remembers the context before `request`.
    pub fn prepare(&mut self, request: u32) {
        if self.moment.as_ref().is_none_or(|(of, _)| *of != request) {
            self.moment = self.replay.moment(request as usize).map(|moment| (request, moment));
        }
    }

    /// The context that was prepared, the history, and how many messages of it were there.
    pub fn prepared(&self) -> Option<(&Moment, &History<'static>, usize)> {
        let (request, moment) = self.moment.as_ref()?;
        let sent = self.replay.requests().get(*request as usize)?.at;
        Some((moment, self.replay.history(), sent as usize))
    }

    fn has_something_to_see(&self) -> bool {
        self.life.telling().is_some()
    }
}

/// The tokens that are sent beside the messages, as far as reported usage shows. More than half of what the window
/// holds is not believed: such usage is of a context that is not in the file.
pub(crate) fn beside(content: &impl Content, policy: &Policy) -> u64 {
    let mut idle = policy.clone();
    (idle.prune.enabled, idle.retain.enabled) = (false, false);
    let decision = ebbline::decide(content.transcript(), &idle, PlanOptions::new());
    let beside = decision.trigger.tokens.saturating_sub(decision.tokens_before);
    if beside > decision.trigger.threshold / 2 { 0 } else { beside }
}

/// Replays the life under `policy` and chooses the moment at which it opens. With `fit`, a session that never fills the
/// window may be shown with a smaller one.
pub fn open(
    content: &impl Content,
    history: &History<'static>,
    policy: &Policy,
    fit: bool,
) -> (KeptLife, Opening) {
    let kept = KeptLife::new(content, history, policy);
    if kept.has_something_to_see() {
        let words = telling_words(&kept.life);
        let request = kept.life.telling();
        return (kept, Opening { request, words, ..Opening::default() });
    }
    let peak = kept.life.peak();
    let window = policy.model.context.map(|window| window.get());
    let beside = kept.life.beside;
    let fitted = if fit {
        // Where a short session is little beside its system prompt and tools, only the session itself can give way.
        fitting(content, history, policy, (peak, beside))
            .or_else(|| fitting(content, history, policy, (peak.saturating_sub(beside), 0)))
    } else {
        None
    };
    if let Some((fitted, to)) = fitted {
        let never = match window {
            Some(window) => format!("never fills a window of {}", grouped(window)),
            None => "has no known window".to_owned(),
        };
        let left_out = match beside.saturating_sub(fitted.life.beside) {
            0 => String::new(),
            left_out => format!(
                " About {} that are sent beside its messages are left out.",
                counted(left_out, "token")
            ),
        };
        let words = format!(
            "This session {never}: its largest context is {}. The window of {} is only here to show what would happen; configurations \
             are exported for your own.{left_out}",
            counted(peak, "token"),
            grouped(to)
        );
        let request = fitted.life.telling();
        return (fitted, Opening { request, window: Some(to), words, ..Opening::default() });
    }
    let words = nothing_words(policy, peak);
    (kept, Opening { words, ..Opening::default() })
}

/// Replays the life under `policy` with the context window that shows a sample best.
pub fn open_with_window(
    content: &impl Content,
    history: &History<'static>,
    policy: &Policy,
    window: u64,
) -> (KeptLife, Opening) {
    let mut smaller = policy.clone();
    Knob::Context.set(&mut smaller, window);
    let kept = KeptLife::new(content, history, &smaller);
    let words = format!(
        "A window of {} shows best what this sample is about. {}",
        grouped(window),
        telling_words(&kept.life)
    );
    let request = kept.life.telling();
    (kept, Opening { request, window: Some(window), words, ..Opening::default() })
}

/// Why nothing is ever taken out of a session whose largest context has `peak` tokens.
fn nothing_words(policy: &Policy, peak: u64) -> String {
    let resolved = policy.resolved();
    let Some(window) = resolved.model.context else {
        return "Under this policy nothing is taken out of this session: no window is known.".to_owned();
    };
    let why =
        if resolved.retain.enabled && resolved.retain.keep >= peak && policy.share("retain.keep").is_none() {
            format!(
                " The policy keeps the newest {} whatever the window.",
                counted(resolved.retain.keep, "token")
            )
        } else if !resolved.retain.enabled
            && resolved.prune.protect >= peak
            && policy.share("prune.protect").is_none()
        {
            let protect = counted(resolved.prune.protect, "token");
            format!(" The policy protects the newest {protect} of tool output whatever the window.")
        } else {
            String::new()
        };
    format!(
        "Under this policy nothing is taken out of this session: its largest context is {} of {} tokens.{why}",
        grouped(peak),
        grouped(window.get())
    )
}

/// The life with the largest smaller window that is filled.
fn fitting(
    content: &impl Content,
    history: &History<'static>,
    policy: &Policy,
    (peak, beside): (u64, u64),
) -> Option<(KeptLife, u64)> {
    let window = policy.model.context.map_or(u64::MAX, |window| window.get());
    let shares = SHARES.iter().map(|share| rounded(peak.saturating_mul(*share) / 100));
    let mut tried = None;
    for to in USUAL
        .into_iter()
        .filter(|usual| *usual > peak / 2)
        .chain(shares)
        .filter(|to| (1..window).contains(to))
    {
        let mut smaller = policy.clone();
        Knob::Context.set(&mut smaller, to);
        let resolved = smaller.resolved();
        let threshold = resolved.trigger.threshold(resolved.model, resolved.retain.keep);
        if threshold == 0 || threshold >= peak {
            continue;
        }
        let kept = KeptLife::with(content, history, &smaller, beside);
        if kept.life.fills() {
            return Some((kept, to));
        }
        if kept.has_something_to_see() && tried.is_none() {
            tried = Some((kept, to));
        }
    }
    tried
}

/// Two leading digits, so that nobody looks for a meaning in the others.
fn rounded(tokens: u64) -> u64 {
    let unit = 10_u64.pow(tokens.checked_ilog10().unwrap_or(0).saturating_sub(1));
    tokens / unit * unit
}

fn telling_words(life: &Life) -> String {
    let Some(request) = life.telling() else { return String::new() };
    let place = format!("request {} of {}", grouped(u64::from(request) + 1), grouped(life.len() as u64));
    let fires = |event: &Event| life.threshold.is_some_and(|threshold| event.sizes.0 > threshold);
    if life.event_at(request).is_some_and(fires) {
        format!("Opened where the context would first have been full: {place}.")
    } else {
        format!("Opened where this policy first takes something out: {place}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_opens_where_its_context_is_first_full() {
        let (session, _) = crate::sample::opened();
        for (profile, context, words) in [
            ("ebbline@2", 200_000, "Opened where the context would first have been full"),
            ("ebbline@1", 200_000, "Opened where this policy first takes something out"),
            ("ebbline@2", 400_000, "The window of 200,000 is only here to show what would happen"),
            ("pi@1.5", 200_000, "The window of 128,000 is only here"),
            ("pi@1.5", 64_000, "would first have been full"),
        ] {
            let mut policy = ebbline::profiles::get(profile).unwrap();
            Knob::Context.set(&mut policy, context);
            let (life, opening) = session.open_life(&policy, true);
            assert!(opening.words.contains(words), "{profile} {context}: {}", opening.words);
            let request = opening.request.unwrap();
            assert_eq!(Some(request), life.telling());
            let event = life.event_at(request).unwrap();
            assert!(event.sizes.1 < event.sizes.0);
        }
    }

    #[test]
    fn a_short_session_opens_with_a_window_that_it_fills() {
        let talk = |count: usize| {
            let messages: Vec<String> = (0..count)
                .map(|at| {
                    let role = if at % 2 == 0 { "user" } else { "assistant" };
                    format!(
                        r#"{{"role":"{role}","content":"{}"}}"#,
                        "some words of a conversation ".repeat(9)
                    )
                })
                .collect();
            format!("[{}]", messages.join(","))
        };
        for count in [6, 12, 40, 300] {
            let (session, _) = crate::open_session::OpenSession::open(
                talk(count).into_bytes(),
                "short.json",
                &ebbline::ReadOptions::default(),
            )
            .unwrap();
            let policy = ebbline::profiles::ALL[0].policy();
            let (life, opening) = session.open_life(&policy, true);
            assert!(opening.window.is_some() && opening.request.is_some(), "{count}: {opening:?}");
            assert_eq!(life.window, opening.window);
            let (life, unfitted) = session.open_life(&policy, false);
            assert_eq!((unfitted.request, unfitted.window, life.window), (None, None, Some(200_000)));
        }
    }

    #[test]
    fn windows_have_two_digits() {
        assert_eq!([0, 7, 42, 1_234, 98_765].map(rounded), [0, 7, 42, 1_200, 98_000]);
    }
}
