//! What is wrong with a member of an object, if it is there.

use crate::json::Value;

/// Members that must be texts, missing or null.
pub(super) fn texts(object: Value<'_>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| member(object, key, |value| value.is_string(), "a text"))
}

/// A member that may be missing or null.
pub(super) fn member(
    object: Value<'_>,
    key: &str,
    fits: impl Fn(Value<'_>) -> bool,
    what: &str,
) -> Option<String> {
    object.present(key).filter(|value| !fits(*value)).map(|_| format!("{key} must be {what}"))
}

/// A member that may be missing, but not null.
pub(super) fn required(
    object: Value<'_>,
    key: &str,
    fits: impl Fn(Value<'_>) -> bool,
    what: &str,
) -> Option<String> {
    object.get(key).filter(|value| !fits(*value)).map(|_| format!("{key} must be {what}"))
}
