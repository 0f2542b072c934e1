//! The reproduced versions of `OpenCode`, and how they differ.

use ebbline::Error;

/// A version of `OpenCode`'s released 1.x line, named after the month of the reproduced commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Version {
    /// 48dc520f, 2025-12-04.
    V2025_12,
    /// 8d720f94, 2026-01-15.
    V2026_01,
    /// e6c45134, 2026-06-25.
    #[default]
    V2026_06,
}

impl Version {
    /// All versions, the oldest first.
    pub const ALL: [Self; 3] = [Self::V2025_12, Self::V2026_01, Self::V2026_06];

    /// The version's name: `2026-06`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V2025_12 => "2025-12",
            Self::V2026_01 => "2026-01",
            Self::V2026_06 => "2026-06",
        }
    }

    /// The version with this name; the newest if there is no name.
    ///
    /// # Errors
    ///
    /// `invalid_settings`; the message lists the known names.
    pub fn named(name: Option<&str>) -> Result<Self, Error> {
        let Some(name) = name else { return Ok(Self::default()) };
        Self::ALL.into_iter().find(|version| version.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            Error::invalid_settings(format!("OpenCode {name:?} is not known; there are {known}"))
        })
    }

    /// Whether a separate limit of the input is used (since 2026-01-15).
    pub(super) fn knows_input_limit(self) -> bool {
        self >= Self::V2026_01
    }

    /// Whether a reserve is kept free, cache writes count, and reaching the limit is enough (since 2026-02-10).
    pub(super) fn keeps_reserve(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether a compaction keeps the newest turns word for word, updates an anchored summary with a template, and
    /// handles an overflowing request separately.
    pub(super) fn keeps_tail(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether an answer with tool calls is always followed by another request; before, only if its finish reason is
    /// `tool-calls` or `unknown`.
    pub(super) fn looks_for_calls(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether a request that was refused as too large leads to a compaction. Before, it is an ordinary error.
    pub(super) fn knows_overflow_errors(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether the check during streaming ignores the environment's output limit.
    pub(super) fn streams_under_own_limit(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether outputs are pruned unless this is switched off; later only if it is switched on (2026-04-19).
    pub(super) fn prunes_unasked(self) -> bool {
        self < Self::V2026_06
    }

    /// Tools whose outputs are never pruned (since 2025-12-22).
    pub(super) fn protected_tools(self) -> &'static [&'static str] {
        if self >= Self::V2026_01 { &["skill"] } else { &[] }
    }

    /// Whether each user message gets its own title, and totals only count files that a patch names.
    pub(super) fn titles_messages(self) -> bool {
        self < Self::V2026_06
    }

    /// Whether each user message gets a body beside its title.
    pub(super) fn writes_bodies(self) -> bool {
        self == Self::V2025_12
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_by_name() {
        for version in Version::ALL {
            assert_eq!(Version::named(Some(version.name())).unwrap(), version);
        }
        assert_eq!(Version::named(None).unwrap(), Version::V2026_06);
        assert_eq!(Version::named(Some("1.0")).unwrap_err().code(), "invalid_settings");
    }
}
