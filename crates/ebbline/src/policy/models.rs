//! Partial policies for single models.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Partial policies by the name of a model (`provider/model`), sorted by name. [`Policy::overlay`](super::Policy::overlay)
/// adds them, and checks each.
///
/// # Example
///
/// ```
/// let mut policy = ebbline::profiles::get("ebbline@1")?;
/// policy.overlay(r#"{"models": {"local/tiny": {"retain": {"keep": 4000}}}}"#)?;
/// assert_eq!(policy.models.get("local/tiny"), Some(r#"{"retain":{"keep":4000}}"#));
/// assert_eq!(policy.for_model("local/tiny")?.retain.keep, 4_000);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Models(Vec<(String, String)>);

impl Models {
    /// Whether no model has a policy of its own.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::profiles::get("ebbline@1")?.models.is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The partial policy of the model `name`, as JSON.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.overlay(r#"{"models": {"local/tiny": {"retain": {"keep": 4000}}}}"#)?;
    /// assert_eq!(policy.models.get("local/large"), None);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, overlay)| overlay)
    }

    /// Each model with its partial policy, as JSON.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.overlay(r#"{"models": {"b": {}, "a": {}}}"#)?;
    /// assert_eq!(policy.models.iter().collect::<Vec<_>>(), [("a", "{}"), ("b", "{}")]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, overlay)| (name.as_str(), overlay.as_str()))
    }

    /// Replaces the partial policy of a model.
    pub(super) fn insert(&mut self, name: &str, overlay: String) {
        self.0.retain(|(known, _)| known != name);
        let at = self.0.iter().position(|(known, _)| known.as_str() > name).unwrap_or(self.0.len());
        self.0.insert(at, (name.to_owned(), overlay));
    }
}

impl Serialize for Models {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.iter().map(|(name, overlay)| (name, RawValue::from_string(overlay.to_owned()).ok())),
        )
    }
}

impl<'de> Deserialize<'de> for Models {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let models = std::collections::BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
        Ok(Self(models.into_iter().map(|(name, overlay)| (name, overlay.to_string())).collect()))
    }
}
