//! The knobs that have a slider: label, range, scale, and one line that explains each.

use ebbline::Policy;
use ebbline::policy::path;
use ebbline::profiles::Profile;

use ebbline::numbers::grouped;
use serde::{Deserialize, Serialize};

/// A numeric knob of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Knob {
    /// How many of the newest tokens of tool output are protected.
    Protect,
    /// How much pruning must reclaim.
    Minimum,
    /// How many of the newest tokens are kept word for word.
    Keep,
    /// How much is kept free for the answer.
    Reserve,
    /// The model's context window.
    Context,
    /// Newest turns whose outputs are never pruned.
    Turns,
    /// How small the context becomes by pruning, protected outputs included.
    DownTo,
    /// How many of the newest outputs are never pruned.
    KeepOutputs,
    /// How much of unanswered outputs stays that have no room.
    Preview,
    /// How many of the newest turns are kept word for word.
    KeepTurns,
    /// How much of the user's own words a summary repeats.
    UserWords,
}

impl Knob {
    /// All knobs.
    pub const ALL: [Self; 11] = [
        Self::Protect,
        Self::Minimum,
        Self::Keep,
        Self::Reserve,
        Self::Context,
        Self::Turns,
        Self::DownTo,
        Self::KeepOutputs,
        Self::Preview,
        Self::KeepTurns,
        Self::UserWords,
    ];

    /// The knob with this code; the window for an unknown one.
    pub fn from_code(code: u32) -> Self {
        Self::ALL.get(code as usize).copied().unwrap_or(Self::Context)
    }

    /// The label of the knob.
    pub fn label(self) -> &'static str {
        match self {
            Self::Protect => "Protect",
            Self::Minimum => "Minimum saving",
            Self::Keep => "Keep",
            Self::Reserve => "Reserve",
            Self::Context => "Context window",
            Self::Turns => "Protected turns",
            Self::DownTo => "Prune down to",
            Self::KeepOutputs => "Newest outputs",
            Self::Preview => "Head and tail",
            Self::KeepTurns => "Keep turns",
            Self::UserWords => "User's words",
        }
    }

    /// Whether it counts turns or outputs instead of tokens.
    pub fn is_count(self) -> bool {
        matches!(self, Self::Turns | Self::KeepOutputs | Self::KeepTurns)
    }

    /// What the knob does under `policy`, in one line.
    pub fn explanation(self, policy: &Policy) -> String {
        let prune = &policy.resolved().prune;
        let always = match self {
            Self::Protect => {
                "The newest tokens of tool output stay; the output that crosses this line is pruned, and so are all older ones."
            }
            Self::Minimum => {
                "Pruning breaks the provider's cache, so it waits until it reclaims at least this much."
            }
            Self::Reserve if prune.only_when_full => {
                "Left free for the answer. When the rest of the window is full, pruning fires, and summarizing if that is not enough."
            }
            Self::Keep => "The newest tokens that stay word for word; everything older becomes one summary.",
            Self::Reserve => {
                "Left free for the answer. Summarizing fires when the rest of the window is full."
            }
            Self::Context => "The limit for one request and its answer together.",
            Self::Turns => "Outputs of the newest turns are neither pruned nor counted.",
            Self::DownTo => {
                "When the context is full, outputs give way, oldest first, until it is this small; 0 leaves protected ones alone."
            }
            Self::KeepOutputs => "So many of the newest outputs are never pruned, whatever their size.",
            Self::Preview => {
                "An output that the model has not answered yet is never pruned. Where there is no room for it, so much of its head and tail stays."
            }
            Self::KeepTurns => "The newest turns that stay word for word, if they have room.",
            Self::UserWords => "So much of what the user said stays word for word beside a summary.",
        };
        let down_to = grouped(prune.down_to);
        match self {
            Self::Protect | Self::Turns if prune.down_to > 0 => {
                format!("{always} If that leaves more than {down_to}, newer ones follow, oldest first.")
            }
            _ => always.to_owned(),
        }
    }

    /// The name in element ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Protect => "protect",
            Self::Minimum => "minimum",
            Self::Keep => "keep",
            Self::Reserve => "reserve",
            Self::Context => "context",
            Self::Turns => "turns",
            Self::DownTo => "down-to",
            Self::KeepOutputs => "keep-outputs",
            Self::Preview => "preview",
            Self::KeepTurns => "keep-turns",
            Self::UserWords => "user-words",
        }
    }

    /// The path of the knob in the policy.
    pub fn path(self) -> &'static str {
        match self {
            Self::Protect => path::prune::protect,
            Self::Minimum => path::prune::minimum,
            Self::Keep => path::retain::keep,
            Self::Reserve => path::trigger::reserve,
            Self::Context => path::model::context,
            Self::Turns => path::prune::protected_turns,
            Self::DownTo => path::prune::down_to,
            Self::KeepOutputs => path::prune::keep_outputs,
            Self::Preview => path::prune::preview,
            Self::KeepTurns => path::retain::turns,
            Self::UserWords => path::retain::user_words,
        }
    }

    /// The value in `policy`, in tokens even if it is a share of the window.
    pub fn value(self, policy: &Policy) -> u64 {
        if let (Some(share), Some(window)) = (policy.share(self.path()), policy.model.context) {
            return share.of(window.get());
        }
        self.figure(policy)
    }

    /// Sets the knob. A value outside its range leaves the policy unchanged.
    pub fn set(self, policy: &mut Policy, value: u64) {
        let base = preset(policy);
        change(policy, |policy| {
            // A number that equals the profile's share is stored as that share again.
            let share = base.share(self.path());
            if let Some(share) = share.filter(|share| share.of(Self::Context.figure(policy)) == value) {
                self.put(policy, self.figure(&base));
                // The profile sets this share, so the knob allows one.
                let _ = policy.set_share(self.path(), share);
            } else {
                policy.shares.remove(self.path());
                self.put(policy, value);
            }
        });
    }

    fn put(self, policy: &mut Policy, value: u64) {
        policy.put_figure(self.path(), i128::from(value));
    }

    fn figure(self, policy: &Policy) -> u64 {
        let figure = policy.figure(self.path()).unwrap_or(0);
        u64::try_from(figure.max(0)).unwrap_or(u64::MAX)
    }

    /// The slider's maximum; the number box takes larger values.
    pub fn slider_max(self, policy: &Policy, session: u64) -> u64 {
        let window = Self::Context.figure(policy);
        match self {
            Self::Protect | Self::Keep | Self::DownTo => session.max(window),
            Self::Minimum | Self::Preview => session.max(window) / 2,
            Self::Reserve | Self::UserWords => window / 2,
            Self::Context => 2_000_000,
            Self::Turns | Self::KeepTurns => 10,
            Self::KeepOutputs => 50,
        }
        .max(self.value(policy))
        .max(1)
    }

    /// The slider's position for `value`, from 0 to 1,000.
    pub fn to_slider(self, value: u64, most: u64) -> f64 {
        let place = if self == Self::Context {
            doublings(value) / doublings(most)
        } else {
            value as f64 / most as f64
        };
        (place * STEPS).clamp(0.0, STEPS)
    }

    /// The value at a position of the slider, rounded to a convenient number.
    pub fn from_slider(self, place: f64, most: u64) -> u64 {
        let place = (place / STEPS).clamp(0.0, 1.0);
        let value =
            if self == Self::Context { doubled(place * doublings(most)) } else { most as f64 * place };
        let step = self.step(value as u64);
        ((value / step as f64).round() as u64 * step).min(most)
    }

    /// The step of the slider near `value`, and of the number box.
    pub fn step(self, value: u64) -> u64 {
        match self {
            _ if self.is_count() => 1,
            Self::Context if value >= 400_000 => 10_000,
            Self::Context if value >= 40_000 => 1_000,
            Self::Context => 500,
            _ if value >= 10_000 => 500,
            _ => 100,
        }
    }
}

/// How often the smallest window has to be doubled to reach `value`, interpolated linearly between doublings. It
/// replaces a logarithm, whose code WebAssembly would have to download.
fn doublings(value: u64) -> f64 {
    let times = value.max(MIN_CONTEXT) / MIN_CONTEXT;
    let whole = times.ilog2();
    f64::from(whole) + value.max(MIN_CONTEXT) as f64 / (MIN_CONTEXT << whole) as f64 - 1.0
}

/// The window after this many doublings.
fn doubled(doublings: f64) -> f64 {
    let whole = doublings.clamp(0.0, 40.0) as u32;
    (MIN_CONTEXT << whole) as f64 * (1.0 + doublings - f64::from(whole))
}

/// Changes a policy. Its name ends with `*` while it differs from its profile in anything but the model, which is not
/// part of a profile.
pub fn change(policy: &mut Policy, change: impl FnOnce(&mut Policy)) {
    let mut changed = policy.clone();
    change(&mut changed);
    settle(policy, changed);
}

/// Separate from [`change`], which is compiled once per closure.
#[inline(never)]
fn settle(policy: &mut Policy, mut changed: Policy) {
    if changed.check().is_err() {
        return;
    }
    let name = changed.profile.trim_end_matches('*').to_owned();
    if let Some(mut base) = ebbline::profiles::find(&name).map(Profile::policy) {
        changed.profile.clone_from(&name);
        base.model = changed.model;
        let is_base = base == changed;
        changed.profile = if is_base { name } else { name + "*" };
    }
    *policy = changed;
}

/// The policy of the profile that `policy` is based on.
pub fn preset(policy: &Policy) -> Policy {
    let profile = ebbline::profiles::find(policy.profile.trim_end_matches('*'));
    profile.map_or_else(|| policy.clone(), Profile::policy)
}

/// From when a profile is, as its description says in front of the colon: ` · June 2026, the newest`; empty if it does not.
pub fn when(about: &str) -> String {
    let said = about.split_once(':').map_or("", |(said, _)| said);
    said.split_once(", ").map_or_else(String::new, |(_, when)| format!(" · {when}"))
}

/// The smallest context window of the slider.
pub const MIN_CONTEXT: u64 = 8_000;
/// How many steps a slider has.
pub const STEPS: f64 = 1_000.0;

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::policy::knob::Kind;

    #[test]
    fn codes_are_inverted() {
        assert!(Knob::ALL.iter().enumerate().all(|(code, knob)| *knob as usize == code));
    }

    #[test]
    fn every_knob_turns_the_number_it_shows() {
        for knob in Knob::ALL {
            let mut policy = ebbline::profiles::ALL[0].policy();
            knob.set(&mut policy, 7_777);
            assert_eq!(knob.value(&policy), 7_777, "{knob:?}");
            // The window belongs to the model, not to the profile.
            assert_eq!(policy.profile.ends_with('*'), knob != Knob::Context, "{knob:?}");
            let back = knob.value(&preset(&policy));
            knob.set(&mut policy, back);
            assert_eq!(policy, ebbline::profiles::ALL[0].policy());
            knob.set(&mut policy, u64::MAX);
            assert!(!policy.profile.ends_with('*'), "what the engine refuses changes nothing");
        }
    }

    /// The numbers that the page does not turn: they are those of the chosen profile.
    const WITHOUT_SLIDER: &[&str] = &[
        path::estimator::per_token,
        path::estimator::separator,
        path::estimator::image,
        path::model::output,
        path::model::input,
        path::model::cache_lives,
        path::prune::minimum_context,
        path::prune::cold_after,
        path::prune::breaks_at_most,
        path::prune::thinking,
        path::prune::arguments,
        path::prune::images,
        path::prune::excerpt,
        path::prune::names,
        path::prune::minimum_turns,
        path::retain::keep_floor,
        path::retain::summary_allowance,
        path::retain::names,
        path::trigger::output_cap,
        path::trigger::floor,
        path::trigger::floor_below,
    ];

    #[test]
    fn every_number_of_a_policy_has_a_slider_or_is_listed_as_having_none() {
        let numbers: Vec<_> = Policy::knobs()
            .filter(|knob| matches!(knob.kind, Kind::Number { .. }))
            .map(|knob| knob.path)
            .collect();
        let sliders = Knob::ALL.map(Knob::path);
        for path in &numbers {
            let found = sliders.iter().chain(WITHOUT_SLIDER).filter(|known| *known == path).count();
            assert_eq!(found, 1, "{path} needs a slider, or a line among the numbers without one");
        }
        for path in sliders.iter().chain(WITHOUT_SLIDER) {
            assert!(numbers.contains(path), "{path} is no number of a policy");
        }
    }

    #[test]
    fn the_explanations_are_true_of_a_profile_that_waits_until_the_context_is_full() {
        let (first, second) =
            (ebbline::profiles::get("ebbline@1").unwrap(), ebbline::profiles::get("ebbline@2").unwrap());
        for (knob, of_second) in [
            (Knob::Protect, "If that leaves more than 80,000, newer ones follow, oldest first."),
            (Knob::Turns, "If that leaves more than 80,000, newer ones follow, oldest first."),
            (Knob::Reserve, "pruning fires, and summarizing if that is not enough."),
        ] {
            assert!(knob.explanation(&second).ends_with(of_second), "{knob:?}");
            assert!(!knob.explanation(&first).contains(of_second), "{knob:?}");
        }
    }

    #[test]
    fn profiles_of_one_system_are_told_apart_by_their_dates() {
        let of = |name: &str| {
            when(ebbline::profiles::ALL.iter().find(|profile| profile.name == name).unwrap().about)
        };
        assert_eq!(of("tunacode@0.2"), " · June 2026, the newest");
        assert_eq!(of("tunacode@2026-01/local"), " · January 2026, local mode");
        assert_eq!((of("ebbline@3").as_str(), of("ebbline@2").as_str()), ("", " · the second"));
        for profile in ebbline::profiles::ALL.iter().filter(|profile| profile.name.starts_with("tunacode")) {
            assert!(of(profile.name).contains("2026"), "{}", profile.name);
        }
    }

    #[test]
    fn sliders_and_values_lead_to_each_other() {
        let policy = ebbline::profiles::ALL[0].policy();
        for knob in Knob::ALL {
            let most = knob.slider_max(&policy, 158_000);
            for value in [knob.value(&policy), most, if knob == Knob::Context { MIN_CONTEXT } else { 0 }] {
                assert_eq!(
                    knob.from_slider(knob.to_slider(value, most), most).abs_diff(value) / knob.step(value),
                    0,
                    "{knob:?} {value}"
                );
            }
        }
        assert_eq!(Knob::Context.from_slider(500.0, 2_000_000), 127_000);
    }
}
