//! Light, dark, or the system's choice. `boot.js` sets the theme before the first paint; this module changes it.

use super::browser;

/// The storage key of the choice, which `boot.js` reads too.
pub(super) const STORAGE_KEY: &str = "ebbline.theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    pub(super) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The theme kept from an earlier visit.
    pub(super) fn stored() -> Self {
        let kept = browser::stored(STORAGE_KEY).unwrap_or_default();
        Self::ALL.into_iter().find(|theme| theme.name() == kept).unwrap_or(Self::System)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(super) fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}
