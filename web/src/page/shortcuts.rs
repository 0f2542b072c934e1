//! Whether single letters are shortcuts.

use super::browser;

/// The name under which the switch is kept.
const STORAGE_KEY: &str = "ebbline.keys";

/// Whether single letters are shortcuts.
pub(super) fn letters_are_on() -> bool {
    browser::stored(STORAGE_KEY).as_deref() != Some("off")
}

/// Switches single letters on or off.
pub(super) fn switch_letters(on: bool) {
    browser::store(STORAGE_KEY, if on { "on" } else { "off" });
}
