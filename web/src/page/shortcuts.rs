//! The shortcuts, and whether single letters are among them.

use super::browser;

/// The name under which the switch is kept.
const STORAGE_KEY: &str = "ebbline.keys";

/// The keys and what they do, for the help.
pub(super) const KEYS: [(&str, &str); 19] = [
    ("← →  Shift ← →", "request, turn of the session's life"),
    ("[  ]", "previous, next compaction"),
    ("Space", "play to the next compaction, pause"),
    ("j  k", "next, previous message"),
    ("J  K", "next, previous message of the user"),
    ("Enter", "in the list: to the inspector"),
    ("1  2  3", "before, after, raw"),
    ("/", "find in all text"),
    ("O", "open a file"),
    ("C", "compare two policies"),
    ("E", "export"),
    ("L", "the lesson"),
    ("S", "share: a link with the settings and the place"),
    ("T", "theme"),
    ("?", "this help"),
    ("Esc", "close"),
    ("← →", "on a boundary: move it by 1 % of the window"),
    ("Page ↑ ↓, Home, End", "on a boundary: by 5 %, to nothing, to everything"),
    ("Alt + arrow, Backspace", "on a boundary: to the next message, to the profile's value"),
];

/// Whether single letters are shortcuts.
pub(super) fn letters_are_on() -> bool {
    browser::stored(STORAGE_KEY).as_deref() != Some("off")
}

/// Switches single letters on or off.
pub(super) fn switch_letters(on: bool) {
    browser::store(STORAGE_KEY, if on { "on" } else { "off" });
}
