//! The versions of `OpenCode` whose answers are reproduced, and what differs between them.

use ebbline::Error;

/// A version of `OpenCode`'s shipping 1.x line, named after the month of the commit that was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// The version of that name; the newest when none is named.
    ///
    /// # Errors
    ///
    /// `invalid_settings`; the message lists the names there are.
    pub fn named(name: Option<&str>) -> Result<Self, Error> {
        let Some(name) = name else { return Ok(Self::default()) };
        Self::ALL.into_iter().find(|version| version.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            Error::invalid_settings(format!("OpenCode {name:?} is not known; there are {known}"))
        })
    }

    /// Whether a limit on the input alone is looked at (since 2026-01-15).
    pub(super) fn knows_input_limit(self) -> bool {
        self >= Self::V2026_01
    }

    /// Whether a reserve is kept free, cache writes count, and reaching the room is enough (since 2026-02-10).
    pub(super) fn keeps_reserve(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether a compaction keeps the newest turns word for word, updates an anchored summary by template, and
    /// treats an overflowing request apart.
    pub(super) fn keeps_tail(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether an answer that calls tools is followed by another request whatever its finish says; before, only
    /// `tool-calls` and `unknown` are.
    pub(super) fn looks_for_calls(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether a request that was refused as too large leads to a compaction. Before, it is an error like any.
    pub(super) fn knows_overflow_errors(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether the check while an answer streams in leaves the environment's limit on the output aside.
    pub(super) fn streams_under_own_limit(self) -> bool {
        self >= Self::V2026_06
    }

    /// Whether outputs are pruned unless that is switched off; later only when it is switched on (2026-04-19).
    pub(super) fn prunes_unasked(self) -> bool {
        self < Self::V2026_06
    }

    /// Tools whose outputs are never pruned (since 2025-12-22).
    pub(super) fn protected_tools(self) -> &'static [&'static str] {
        if self >= Self::V2026_01 { &["skill"] } else { &[] }
    }

    /// Whether each user message gets a title of its own, and totals count only files that a patch names.
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
