//! The knobs that are sliders: name, range, scale, and one line that says what each does.

use ebbline::Policy;
use ebbline::profiles::Profile;

/// A number that the policy turns on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Knob {
    /// The newest tool-output tokens that are protected.
    Protect,
    /// What pruning has to reclaim.
    Minimum,
    /// The newest tokens that stay word for word.
    Keep,
    /// What is kept free for the answer.
    Reserve,
    /// The model's context window.
    Context,
    /// Newest turns whose outputs are never pruned.
    Turns,
}

impl Knob {
    /// All knobs.
    pub const ALL: [Self; 6] =
        [Self::Protect, Self::Minimum, Self::Keep, Self::Reserve, Self::Context, Self::Turns];

    /// The knob's name on its label.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Protect => "Protect",
            Self::Minimum => "Minimum saving",
            Self::Keep => "Keep",
            Self::Reserve => "Reserve",
            Self::Context => "Context window",
            Self::Turns => "Protected turns",
        }
    }

    /// What it does, in one line.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Protect => {
                "The newest tokens of tool output stay; the output that crosses this line goes, with all older ones."
            }
            Self::Minimum => {
                "Pruning breaks the provider's cache, so it waits until at least this much can go."
            }
            Self::Keep => "The newest tokens that stay word for word; everything older becomes one summary.",
            Self::Reserve => {
                "Left free for the answer. Summarising fires when the rest of the window is full."
            }
            Self::Context => "All that one request and its answer may fill.",
            Self::Turns => "Outputs of the newest turns are neither pruned nor counted.",
        }
    }

    /// A name for element ids.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Protect => "protect",
            Self::Minimum => "minimum",
            Self::Keep => "keep",
            Self::Reserve => "reserve",
            Self::Context => "context",
            Self::Turns => "turns",
        }
    }

    /// The path of the knob in the policy.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Protect => "prune.protect",
            Self::Minimum => "prune.minimum",
            Self::Keep => "retain.keep",
            Self::Reserve => "trigger.reserve",
            Self::Context => "model.context",
            Self::Turns => "prune.protectedTurns",
        }
    }

    /// The value in `policy`, in tokens even where it is given as a share of the window.
    #[must_use]
    pub fn value(self, policy: &Policy) -> u64 {
        if let Some(share) = policy.share(self.path()).filter(|_| policy.model.context > 0) {
            return share.of(policy.model.context);
        }
        self.figure(policy)
    }

    /// Turns the knob. A value beyond what the engine takes leaves the policy as it is.
    pub fn turn(self, policy: &mut Policy, value: u64) {
        let base = preset(policy);
        change(policy, |policy| {
            // Turned to what the profile's share comes to, the knob is the share again.
            let share = base.share(self.path());
            if let Some(share) = share.filter(|share| share.of(policy.model.context) == value) {
                self.put(policy, self.figure(&base));
                // The profile has it there, so it may be there.
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

    /// The largest value that the slider reaches; number boxes take more.
    #[must_use]
    pub fn most(self, policy: &Policy, session: u64) -> u64 {
        match self {
            Self::Protect | Self::Keep => session.max(policy.model.context),
            Self::Minimum => session.max(policy.model.context) / 2,
            Self::Reserve => policy.model.context / 2,
            Self::Context => 2_000_000,
            Self::Turns => 10,
        }
        .max(self.value(policy))
        .max(1)
    }

    /// Where `value` stands on the slider, from 0 to 1,000.
    #[must_use]
    pub fn to_slider(self, value: u64, most: u64) -> f64 {
        let place = if self == Self::Context {
            doublings(value) / doublings(most)
        } else {
            value as f64 / most as f64
        };
        (place * STEPS).clamp(0.0, STEPS)
    }

    /// The value at a place of the slider, rounded to what a person would choose.
    #[must_use]
    pub fn from_slider(self, place: f64, most: u64) -> u64 {
        let place = (place / STEPS).clamp(0.0, 1.0);
        let value =
            if self == Self::Context { doubled(place * doublings(most)) } else { most as f64 * place };
        let step = self.step(value as u64);
        ((value / step as f64).round() as u64 * step).min(most)
    }

    /// The step near `value` on the slider, and of the number box.
    #[must_use]
    pub fn step(self, value: u64) -> u64 {
        match self {
            Self::Turns => 1,
            Self::Context if value >= 400_000 => 10_000,
            Self::Context if value >= 40_000 => 1_000,
            Self::Context => 500,
            Self::Protect | Self::Keep | Self::Reserve | Self::Minimum => {
                if value >= 10_000 {
                    500
                } else {
                    100
                }
            }
        }
    }
}

/// How often the smallest window doubles up to `value`; between two doublings the way is straight. On a slider that is
/// as good as a logarithm, of which a program in WebAssembly would have to bring the code.
fn doublings(value: u64) -> f64 {
    let times = value.max(LEAST_CONTEXT) / LEAST_CONTEXT;
    let whole = times.ilog2();
    f64::from(whole) + value.max(LEAST_CONTEXT) as f64 / (LEAST_CONTEXT << whole) as f64 - 1.0
}

/// The window after so many doublings.
fn doubled(doublings: f64) -> f64 {
    let whole = doublings.clamp(0.0, 40.0) as u32;
    (LEAST_CONTEXT << whole) as f64 * (1.0 + doublings - f64::from(whole))
}

/// Changes a policy. Its name bears a `*` as long as it differs from the profile it came from, the model aside: the
/// window belongs to the model, not to the profile.
pub fn change(policy: &mut Policy, change: impl FnOnce(&mut Policy)) {
    let mut changed = policy.clone();
    change(&mut changed);
    settle(policy, changed);
}

/// Not part of [`change`], which is in the program once for each way of changing.
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

/// The policy of the profile that `policy` came from.
#[must_use]
pub fn preset(policy: &Policy) -> Policy {
    let profile = ebbline::profiles::find(policy.profile.trim_end_matches('*'));
    profile.map_or_else(|| policy.clone(), Profile::policy)
}

/// The smallest context window of the slider.
pub const LEAST_CONTEXT: u64 = 8_000;
/// How many steps a slider has.
pub const STEPS: f64 = 1_000.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knob_turns_the_number_it_shows() {
        for knob in Knob::ALL {
            let mut policy = ebbline::profiles::ALL[0].policy();
            knob.turn(&mut policy, 7_777);
            assert_eq!(knob.value(&policy), 7_777, "{knob:?}");
            // The window belongs to the model, not to the profile.
            assert_eq!(policy.profile.ends_with('*'), knob != Knob::Context, "{knob:?}");
            let back = knob.value(&preset(&policy));
            knob.turn(&mut policy, back);
            assert_eq!(policy, ebbline::profiles::ALL[0].policy());
            knob.turn(&mut policy, u64::MAX);
            assert!(!policy.profile.ends_with('*'), "what the engine refuses changes nothing");
        }
    }

    #[test]
    fn every_slider_is_a_knob_of_the_engine_and_holds_a_number() {
        let policy = ebbline::profiles::ALL[0].policy();
        for knob in Knob::ALL {
            assert!(policy.figure(knob.path()).is_some(), "{knob:?}");
        }
    }

    #[test]
    fn sliders_and_values_lead_to_each_other() {
        let policy = ebbline::profiles::ALL[0].policy();
        for knob in Knob::ALL {
            let most = knob.most(&policy, 158_000);
            for value in [knob.value(&policy), most, if knob == Knob::Context { LEAST_CONTEXT } else { 0 }] {
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
