//! The sets of rules for classifying a failure.

use crate::error::{Error, ErrorCode};
use crate::json::quote;

/// The system and version whose rules recognize an overflow, or the union of all.
///
/// # Example
///
/// ```
/// use ebbline::overflow::Rules;
/// assert_eq!(Rules::named("pi@0.84.2")?, Rules::Pi084);
/// assert_eq!(Rules::default(), Rules::Union);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rules {
    /// Every system's patterns and the engine's own, without their known false positives.
    #[default]
    Union,
    /// pi 0.58 (March 2026): no exclusions; a status without a body is an overflow from any provider.
    Pi058,
    /// pi 0.84 (August 2026): with exclusions.
    Pi084,
    /// pi 1.5 (November 2026): a 400 without a body is an overflow only from Cerebras; every leading 413 is an
    /// overflow.
    Pi15,
    /// OpenCode of 2026-06-25: no exclusions; every status 413 is an overflow.
    Opencode202606,
    /// A later OpenCode: with exclusions; requests with too many bytes are distinguished.
    OpencodeLater,
    /// The controller of TunaCode 0.2: two texts.
    Tunacode02,
    /// Systems that do not examine errors: OpenCode until 2026-01, TunaCode before its controller, BRUTUS.
    Nothing,
}

/// The names that select rules. A patch version or a variant after the name changes nothing.
const NAMED: &[(&str, Rules)] = &[
    ("ebbline@1", Rules::Union),
    ("ebbline@2", Rules::Union),
    ("ebbline@3", Rules::Union),
    ("pi@0.58", Rules::Pi058),
    ("pi@0.84", Rules::Pi084),
    ("pi@1.5", Rules::Pi15),
    ("opencode@2025-12", Rules::Nothing),
    ("opencode@2026-01", Rules::Nothing),
    ("opencode@2026-06", Rules::Opencode202606),
    ("opencode@later", Rules::OpencodeLater),
    ("opencode-v2@2026-06", Rules::Opencode202606),
    ("opencode-v2@later", Rules::OpencodeLater),
    ("tunacode@2025-12", Rules::Nothing),
    ("tunacode@2026-01", Rules::Nothing),
    ("tunacode@2026-02", Rules::Nothing),
    ("tunacode@0.2", Rules::Tunacode02),
    ("claude-code@2.1", Rules::Union),
    ("codex@0.171", Rules::Union),
    ("gemini-cli@0.61", Rules::Union),
    ("brutus@2026-01", Rules::Nothing),
];

impl Rules {
    /// The rules of the profile `name`: `pi@1.5`, `opencode@2026-06`, `ebbline@1`.
    ///
    /// # Errors
    ///
    /// `unknown_profile`; the message lists the valid names.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::overflow::Rules;
    /// assert!(Rules::named("opencode@2026-06").is_ok());
    /// assert_eq!(Rules::named("opencod").unwrap_err().code(), "unknown_profile");
    /// ```
    pub fn named(name: &str) -> Result<Self, Error> {
        let is_meant = |known: &str| {
            name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        };
        NAMED.iter().find(|(known, _)| is_meant(known)).map(|(_, rules)| *rules).ok_or_else(|| {
            let known: Vec<_> = NAMED.iter().map(|(known, _)| *known).collect();
            let known = known.join(", ");
            Error::new(
                ErrorCode::UnknownProfile,
                format!("no rules are called {}; there are {known}", quote(name)),
            )
        })
    }

    /// The rules of a policy that is called `name`: those of its profile, whether or not knobs were changed. A policy with a
    /// name of its own has the union of all rules.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::overflow::Rules;
    /// assert_eq!(Rules::of_policy("pi@1.5*"), Rules::Pi15);
    /// assert_eq!(Rules::of_policy("our agent"), Rules::Union);
    /// ```
    #[must_use]
    pub fn of_policy(name: &str) -> Self {
        Self::named(name.trim_end_matches('*')).unwrap_or_default()
    }

    /// Whether a status or an error code alone can show a rate limit.
    pub(super) fn reads_busy_signs(self) -> bool {
        self == Self::Union
    }

    /// The meaning of status 413 by itself.
    pub(super) fn of_status_413(self) -> Option<super::FailureKind> {
        match self {
            Self::Union | Self::OpencodeLater => Some(super::FailureKind::PayloadTooLarge),
            Self::Opencode202606 => Some(super::FailureKind::ContextOverflow),
            _ => None,
        }
    }

    /// Whether a 400 or 413 without a body means an overflow when Cerebras sends it.
    pub(super) fn knows_cerebras(self) -> bool {
        matches!(self, Self::Union | Self::Pi15)
    }

    /// Whether usage beyond the window shows an overflow.
    pub(super) fn reads_usage(self) -> bool {
        matches!(self, Self::Union | Self::Pi058 | Self::Pi084 | Self::Pi15)
    }

    /// Whether an answer that was cut off before its first token, after a full window, shows an overflow.
    pub(super) fn reads_length_stops(self) -> bool {
        matches!(self, Self::Union | Self::Pi084 | Self::Pi15)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_and_patch_versions_select_rules() {
        let cases = [
            ("pi@0.58.3", Rules::Pi058),
            ("pi@1.5", Rules::Pi15),
            ("tunacode@2026-01/local", Rules::Nothing),
            ("tunacode@0.2.3", Rules::Tunacode02),
            ("ebbline@1", Rules::Union),
        ];
        for (name, rules) in cases {
            assert_eq!(Rules::named(name).unwrap(), rules, "{name}");
        }
        for name in ["pi@1.50", "pi", "", "claude@1"] {
            assert_eq!(Rules::named(name).unwrap_err().code(), "unknown_profile", "{name}");
        }
    }

    #[test]
    fn every_profile_of_the_engine_has_rules() {
        for name in crate::profiles::names() {
            Rules::named(name).unwrap();
        }
    }
}
