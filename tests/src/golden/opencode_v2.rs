//! OpenCode's event-based core.

/// The adapter for `<version>-<function>`; `None` when it is not covered yet.
pub(super) fn adapter(_rest: &str) -> Option<super::Adapter> {
    None
}
