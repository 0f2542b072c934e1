//! Why something is done.

/// Why something is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The context is full.
    #[default]
    Full,
    /// The caller's own trigger holds.
    Triggered,
    /// The provider refused the context as too large.
    Overflow,
    /// Somebody asked for it.
    Asked,
}

impl Cause {
    const ALL: [Self; 4] = [Self::Full, Self::Triggered, Self::Overflow, Self::Asked];

    /// Its word.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Triggered => "triggered",
            Self::Overflow => "overflow",
            Self::Asked => "asked",
        }
    }

    /// The cause with this word.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == word)
    }
}
