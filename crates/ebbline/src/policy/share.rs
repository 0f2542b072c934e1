//! Amounts set to a share of the context window.

use crate::json::quote;
use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Policy;
use crate::error::{Error, ErrorCode};

/// A share of the context window, in hundredths of a percent; written `"12.5%"`.
///
/// # Example
///
/// ```
/// let mut policy = ebbline::profiles::get("pi@1.5")?;
/// policy.set("retain.keep", "12.5%")?;
/// policy.model.context = std::num::NonZeroU64::new(128_000);
/// assert_eq!(policy.resolved().retain.keep, 16_000);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u32);

impl Share {
    const WHOLE: u32 = 10_000;

    /// Parses `25%` or `12.5%`. `None` for any other text, for more than 100 % and for more than two decimals.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Share;
    /// assert_eq!(Share::parse("25%"), Some(Share::percent(25)));
    /// assert_eq!(Share::parse("125%"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, decimals) =
            text.strip_suffix('%')?.split_once('.').unwrap_or((text.strip_suffix('%')?, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 3 || decimals.len() > 2 || !digits(whole) || !digits(decimals) {
            return None;
        }
        let hundredths = whole.parse::<u32>().ok()? * 100 + format!("{decimals:0<2}").parse::<u32>().ok()?;
        (hundredths <= Self::WHOLE).then_some(Self(hundredths))
    }

    /// A share of `percent` per cent, at most 100.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Share;
    /// assert_eq!(Share::percent(10).to_string(), "10%");
    /// ```
    #[must_use]
    pub const fn percent(percent: u8) -> Self {
        let percent = if percent > 100 { 100 } else { percent };
        Self(percent as u32 * (Self::WHOLE / 100))
    }

    /// The share of `window` tokens, rounded down.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Share;
    /// assert_eq!(Share::percent(10).of(128_000), 12_800);
    /// ```
    #[must_use]
    pub fn of(self, window: u64) -> u64 {
        // In two steps, neither of which exceeds 64 bits: a share is never more than the whole.
        let (whole, share) = (u64::from(Self::WHOLE), u64::from(self.0));
        let rest = window % whole * share / whole;
        (window / whole).saturating_mul(share).saturating_add(rest)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{whole}%"),
            (whole, decimals) if decimals % 10 == 0 => write!(f, "{whole}.{}%", decimals / 10),
            (whole, decimals) => write!(f, "{whole}.{decimals:02}%"),
        }
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("{} is no share such as \"25%\"", quote(&text))))
    }
}

/// The knobs that are set to a share, by path and sorted.
///
/// A share replaces the figure that its knob held when the share was set. If the figure changes later, the figure
/// counts again: code that writes `policy.retain.keep = 5_000` need not know about shares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares(Vec<(String, Beside)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Beside {
    share: Share,
    /// The figure of the knob when the share was set; `None` until the policy is known.
    figure: Option<i128>,
}

impl Shares {
    /// Whether no knob is set to a share.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::profiles::get("pi@1.5")?.shares.is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all shares: the figures count again.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.set("retain.keep", "10%")?;
    /// policy.shares.clear();
    /// assert_eq!(policy.resolved().retain.keep, 20_000);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the share of the knob `path`.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.set("retain.keep", "10%")?;
    /// policy.shares.remove("retain.keep");
    /// assert!(policy.shares.is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn remove(&mut self, path: &str) {
        self.0.retain(|(known, _)| known != path);
    }

    fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(path, _)| path.as_str())
    }

    /// Each path with its share.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Share)> {
        self.0.iter().map(|(path, beside)| (path.as_str(), beside.share))
    }

    fn insert(&mut self, path: &str, beside: Beside) {
        match self.0.iter().position(|(known, _)| known.as_str() >= path) {
            Some(at) if self.0.get(at).is_some_and(|(known, _)| known == path) => {
                if let Some((_, known)) = self.0.get_mut(at) {
                    *known = beside;
                }
            }
            Some(at) => self.0.insert(at, (path.to_owned(), beside)),
            None => self.0.push((path.to_owned(), beside)),
        }
    }
}

impl Serialize for Shares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Shares {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut shares = Self::default();
        for (path, share) in std::collections::BTreeMap::<String, Share>::deserialize(deserializer)? {
            shares.insert(&path, Beside { share, figure: None });
        }
        Ok(shares)
    }
}

impl Policy {
    /// The share that the knob `path` is set to; `None` when its figure counts.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Share;
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.set("retain.keep", "10%")?;
    /// assert_eq!(policy.share("retain.keep"), Some(Share::percent(10)));
    /// policy.retain.keep = 5_000;
    /// assert_eq!(policy.share("retain.keep"), None, "the figure was set behind it");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn share(&self, path: &str) -> Option<Share> {
        let (_, beside) = self.shares.0.iter().find(|(known, _)| known == path)?;
        beside.figure.is_none_or(|figure| Some(figure) == self.figure(path)).then_some(beside.share)
    }

    /// Sets the knob `path` to a share of the window.
    ///
    /// # Errors
    ///
    /// `invalid_policy` when the knob cannot be a share of the window.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Share;
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.set_share("retain.keep", Share::percent(10))?;
    /// assert_eq!(policy.resolved().retain.keep, 20_000);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn set_share(&mut self, path: &str, share: Share) -> Result<(), Error> {
        check_path(path)?;
        if self.share(path) != Some(share) && !self.profile.ends_with('*') {
            self.profile.push('*');
        }
        let figure = self.figure(path);
        self.shares.insert(path, Beside { share, figure });
        Ok(())
    }

    /// Completes shares that were read from JSON with the figures of their knobs. Removes a share whose knob has
    /// been given another figure since.
    pub(crate) fn settle_shares(&mut self) {
        let mut settled = std::mem::take(&mut self.shares.0);
        settled.retain_mut(|(path, beside)| {
            let figure = self.figure(path);
            *beside.figure.get_or_insert(figure.unwrap_or(0)) == figure.unwrap_or(0)
        });
        self.shares.0 = settled;
    }

    /// The policy with every share converted to tokens of its context window. Decisions are made with this
    /// policy.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.set("retain.keep", "50%")?;
    /// policy.model.context = std::num::NonZeroU64::new(64_000);
    /// assert_eq!(policy.resolved().retain.keep, 32_000);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn resolved(&self) -> Cow<'_, Self> {
        // When the window is not known, no share can be computed: the figures count.
        let Some(window) = self.model.context.filter(|_| !self.shares.is_empty()) else {
            return Cow::Borrowed(self);
        };
        let mut resolved = self.clone();
        for path in self.shares.paths() {
            let Some(share) = self.share(path) else { continue };
            let tokens = share.of(window.get());
            resolved.put_figure(path, tokens.into());
        }
        Cow::Owned(resolved)
    }

    /// The policy for the model `name` (`provider/model`): this policy with the overlay of that name in
    /// [`Policy::models`] applied, and with what is known of the provider's cache.
    ///
    /// # Errors
    ///
    /// `invalid_policy` when that overlay is not valid.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.overlay(r#"{"models": {"acme/small": {"model": {"context": 32000}}}}"#)?;
    /// assert_eq!(policy.for_model("acme/small")?.model.context, std::num::NonZeroU64::new(32_000));
    /// assert_eq!(policy.for_model("acme/large")?, policy);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn for_model(&self, name: &str) -> Result<Self, Error> {
        let mut policy = self.clone();
        if let Some(overlay) = self.models.get(name) {
            policy.overlay(overlay)?;
        }
        policy.model = policy.model.with_cache_of(name);
        Ok(policy)
    }

    pub(super) fn check_shares(&self) -> Result<(), Error> {
        self.shares.paths().try_for_each(check_path)
    }
}

fn check_path(path: &str) -> Result<(), Error> {
    if Policy::knob(path).is_some_and(|knob| knob.may_be_share) {
        return Ok(());
    }
    let known: Vec<_> = Policy::knobs().filter(|knob| knob.may_be_share).map(|knob| knob.path).collect();
    let known = known.join(", ");
    Err(Error::new(
        ErrorCode::InvalidPolicy,
        format!("{} cannot be a share of the window; {known} can", quote(path)),
    ))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::profiles;

    #[test]
    fn shares_are_read_and_written() {
        for (text, hundredths) in
            [("25%", 2_500), ("0%", 0), ("100%", 10_000), ("12.5%", 1_250), ("0.05%", 5)]
        {
            assert_eq!(Share::parse(text), Some(Share(hundredths)), "{text}");
            assert_eq!(Share(hundredths).to_string(), text);
        }
        for text in ["25", "%", "-1%", "101%", "1.234%", "a%", "1e2%", "100.01%", " 5%"] {
            assert_eq!(Share::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_share_follows_the_window_and_a_figure_replaces_it() {
        let mut policy = profiles::get("tunacode@0.2").unwrap();
        policy.set("retain.keep", "10%").unwrap();
        assert_eq!(policy.profile, "tunacode@0.2*");
        assert_eq!(policy.resolved().retain.keep, 20_000);
        policy.set("model.context", "50000").unwrap();
        assert_eq!(policy.resolved().retain.keep, 5_000);
        assert_eq!(Policy::from_json(&policy.to_json()).unwrap(), policy);
        policy.set("retain.keep", "7").unwrap();
        assert_eq!(policy.resolved().retain.keep, 7);
        for (path, fault) in [("model.context", "cannot be a share"), ("retain.snap", "cannot be a share")] {
            assert!(policy.set(path, "10%").unwrap_err().message().contains(fault));
        }
        assert!(Policy::from_json(&policy.to_json().replacen('{', r#"{"shares":{"a.b":"1%"},"#, 1)).is_err());
    }

    #[test]
    fn a_figure_written_directly_counts() {
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.model.context = NonZeroU64::new(100_000);
        assert_eq!(policy.resolved().retain.keep, 10_000);
        policy.retain.keep = 7;
        assert_eq!((policy.resolved().retain.keep, policy.share("retain.keep")), (7, None));
        policy.set("prune.errors", "true").unwrap();
        assert_eq!(policy.resolved().retain.keep, 7, "turning another knob brings no share back");
        assert_eq!(policy.resolved().prune.protect, 20_000);
        let read = Policy::from_json(&policy.to_json()).unwrap();
        assert_eq!(read.resolved(), policy.resolved());
    }

    #[test]
    fn a_model_may_have_thresholds_of_its_own() {
        let mut policy = profiles::get("pi@1.5").unwrap();
        policy
            .overlay(
                r#"{"models": {"local/tiny": {"retain": {"keep": 4000}, "trigger": {"reserve": "25%"}}}}"#,
            )
            .unwrap();
        let tiny = policy.for_model("local/tiny").unwrap();
        assert_eq!(tiny.retain.keep, 4_000);
        assert_eq!(tiny.resolved().trigger.reserve, 50_000);
        assert_eq!(policy.for_model("another/model").unwrap(), policy);
        let error = policy.overlay(r#"{"models": {"local/tiny": {"retain": {"kept": 1}}}}"#).unwrap_err();
        assert!(error.message().contains("retain.kept"), "{}", error.message());
    }
}
