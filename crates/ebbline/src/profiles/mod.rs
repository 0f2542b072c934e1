//! Policies pinned to a system and version.
//!
//! A profile's name says which system's numbers it holds, and from when: `opencode@2026-01`. Behavior of a
//! system that is not a number, for example that it keeps its session as a tree, is in the crate
//! `ebbline-compat`.

mod claude_code;
mod codex;
mod decides;
mod ebbline;
mod gemini_cli;
mod opencode;
mod pi;
mod profile;
mod tunacode;

use crate::error::{Error, ErrorCode};
use crate::nearest::unknown;
use crate::policy::Policy;

pub use decides::{Decides, Steps};
pub use profile::Profile;

/// The profile used when none is named.
pub const DEFAULT: &str = ebbline::V3.name;

/// All profiles, the default first.
pub const ALL: &[Profile] = &[
    ebbline::V3,
    ebbline::V2,
    ebbline::V1,
    pi::V0_58,
    pi::V0_84,
    pi::V1_5,
    opencode::V2025_12,
    opencode::V2026_01,
    opencode::V2026_06,
    opencode::CORE_2026_06,
    opencode::CORE_LATER,
    tunacode::V2026_01,
    tunacode::V2026_01_LOCAL,
    tunacode::V2026_02,
    tunacode::V0_2,
    claude_code::V2_1,
    codex::V0_171,
    gemini_cli::V0_61,
    opencode::BRUTUS,
];

/// The names of all profiles, the default first.
///
/// # Example
///
/// ```
/// use ebbline::profiles;
/// assert_eq!(profiles::names().next(), Some(profiles::DEFAULT));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|profile| profile.name)
}

/// The policy of the profile `name`.
///
/// # Errors
///
/// `unknown_profile`; the message lists the names there are.
///
/// # Example
///
/// ```
/// let policy = ebbline::profiles::get("tunacode@2026-01")?;
/// assert_eq!((policy.prune.protect, policy.prune.minimum), (40_000, 20_000));
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn get(name: &str) -> Result<Policy, Error> {
    find(name).map(Profile::policy).ok_or_else(|| {
        let known: Vec<_> = names().collect();
        Error::new(ErrorCode::UnknownProfile, unknown("profile", name, &known))
    })
}

/// The profile `name`, for those who have no use for an error.
///
/// # Example
///
/// ```
/// use ebbline::profiles::find;
/// assert!(find("pi@1.5").is_some() && find("pi@99").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Profile> {
    ALL.iter().find(|profile| profile.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_policies_carry_them() {
        for (index, profile) in ALL.iter().enumerate() {
            assert!(names().skip(index + 1).all(|other| other != profile.name), "{}", profile.name);
            let policy = get(profile.name).unwrap();
            assert_eq!(policy.profile, profile.name);
            policy.check().unwrap();
        }
        assert_eq!(names().next(), Some(DEFAULT));
    }

    #[test]
    fn an_unknown_name_is_answered_with_those_there_are() {
        let error = get("opencode").unwrap_err();
        assert_eq!(error.code(), "unknown_profile");
        let near = get("opencode@2026-6").unwrap_err();
        assert!(near.message().starts_with(
            r#"there is no profile "opencode@2026-6"; did you mean "opencode@2026-06"? There are ebbline@3, ebbline@2, ebbline@1, pi@0.58"#
        ));
        insta::assert_snapshot!(
            error.message(),
            @r#"there is no profile "opencode"; there are ebbline@3, ebbline@2, ebbline@1, pi@0.58, pi@0.84, pi@1.5, opencode@2025-12, opencode@2026-01, opencode@2026-06, opencode-v2@2026-06, opencode-v2@later, tunacode@2026-01, tunacode@2026-01/local, tunacode@2026-02, tunacode@0.2, claude-code@2.1, codex@0.171, gemini-cli@0.61, brutus@2026-01"#
        );
    }
}
