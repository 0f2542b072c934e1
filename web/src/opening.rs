//! Where a session opens: at the most telling moment of its life, or at its end if it never fills the policy's window. A
//! smaller window, which it would have filled, is only offered then: a usual size if there is one, else a share of the session.

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
    /// A smaller window that it would have filled, if it does not fill the policy's.
    pub smaller: Option<u64>,
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
/// window is shown with a smaller one, if there is one.
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
    let fitted = fitting(content, history, policy, &kept.life);
    let never = never_words(policy, kept.life.peak());
    match fitted {
        Some((fitted, to)) if fit => {
            let words = format!(
                "{never} The window of {} only shows what would happen; configurations are exported for your own.",
                grouped(to)
            );
            let request = fitted.life.telling();
            (fitted, Opening { request, window: Some(to), words, ..Opening::default() })
        }
        fitted => {
            let request = (kept.life.len() as u32).checked_sub(1);
            let smaller = fitted.map(|(_, to)| to);
            let words = match (request, smaller) {
                (Some(_), None) => {
                    format!("{never} This is its last request. A smaller window would show nothing more.")
                }
                (Some(_), _) => format!("{never} This is its last request."),
                _ => never,
            };
            (kept, Opening { request, smaller, words, ..Opening::default() })
        }
    }
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
fn never_words(policy: &Policy, peak: u64) -> String {
    let resolved = policy.resolved();
    let Some(window) = resolved.model.context else {
        return "Nothing is taken out of this session: no window is known.".to_owned();
    };
    let is_own = |path: &str| policy.share(path).is_none();
    let (retain, prune) = (&resolved.retain, &resolved.prune);
    let why = if window.get() > peak {
        String::new()
    } else if retain.enabled && retain.keep >= peak && is_own("retain.keep") {
        format!(" The policy keeps the newest {} whatever the window.", counted(retain.keep, "token"))
    } else if !retain.enabled && prune.protect >= peak && is_own("prune.protect") {
        let protect = counted(prune.protect, "token");
        format!(" The policy protects the newest {protect} of tool output whatever the window.")
    } else {
        " Under this policy nothing is taken out of it.".to_owned()
    };
    let fills = if window.get() > peak { "never fills" } else { "is larger than" };
    format!(
        "This session {fills} a window of {}: its largest context is {}.{why}",
        grouped(window.get()),
        counted(peak, "token")
    )
}

/// The turns, or the requests of a session with fewer, that a smaller window has to hold.
const HELD: usize = 3;
/// No smaller window is offered to a session whose largest context is smaller, in tokens: it would show nothing.
const TINY: u64 = 1_000;

/// The tokens that a window must hold to be believable: what is sent beside the messages, and three turns.
fn needed(life: &Life) -> u64 {
    let turns = |at: &usize| life.turns.get(*at).copied().unwrap_or(0) as usize;
    let last = life.len().saturating_sub(1);
    let after = if turns(&last) > HELD {
        (0..=last).find(|at| turns(at) > HELD).unwrap_or(last)
    } else {
        HELD.min(last)
    };
    life.found.get(after).copied().map_or(0, u64::from).max(life.beside)
}

/// The life with the largest smaller window that is filled.
fn fitting(
    content: &impl Content,
    history: &History<'static>,
    policy: &Policy,
    own: &Life,
) -> Option<(KeptLife, u64)> {
    let (peak, beside, needed) = (own.peak(), own.beside, needed(own));
    if peak < TINY {
        return None;
    }
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
        if threshold < needed || threshold >= peak {
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
            ("ebbline@2", 400_000, "The window of 200,000 only shows what would happen"),
            ("pi@1.5", 200_000, "The window of 128,000 only shows"),
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
        for count in [40, 120, 300] {
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
            assert_eq!((unfitted.window, life.window), (None, Some(200_000)));
            assert_eq!((unfitted.request, unfitted.smaller), (Some(life.len() as u32 - 1), opening.window));
            assert!(opening.window.unwrap() > needed(&life), "{count}: three turns have room");
        }
        let (session, _) = crate::open_session::OpenSession::open(
            talk(6).into_bytes(),
            "tiny.json",
            &ebbline::ReadOptions::default(),
        )
        .unwrap();
        let (_, opening) = session.open_life(&ebbline::profiles::ALL[0].policy(), true);
        assert_eq!((opening.window, opening.smaller), (None, None));
        assert!(opening.words.contains("A smaller window would show nothing more"), "{}", opening.words);
    }

    #[test]
    fn windows_have_two_digits() {
        assert_eq!([0, 7, 42, 1_234, 98_765].map(rounded), [0, 7, 42, 1_200, 98_000]);
    }
}
