//! When a summary counts as empty, because nothing in it is visible.

/// Whether a text shows nothing: it is empty, or contains only white space of any script, control characters, and
/// characters without width, such as a byte order mark.
///
/// Such a summary never replaces history: [`SessionText::edits`](crate::SessionText::edits),
/// [`finish`](crate::summary::finish) and JavaScript use this test.
///
/// # Example
///
/// ```
/// assert!(ebbline::summary::is_blank("\u{85}\u{feff}\u{200b} \n"));
/// assert!(!ebbline::summary::is_blank("\u{feff}x"));
/// ```
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_unseen)
}

/// Whether a character shows nothing.
pub(crate) fn is_unseen(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character,
            // The soft hyphen, and marks and joiners that only control how other characters are shown.
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    // tests/blank-summaries.json is the table for this function and for the one in JavaScript.
    #[test]
    fn white_space_of_any_script_and_characters_without_width_are_unseen() {
        for text in ["", "\n", "\u{85}", "\u{3000}", "\u{200b}", "\u{feff}", "\u{2060}", "\0"] {
            assert!(is_blank(text), "{text:?}");
        }
        assert!(!is_blank("\u{200b}."));
    }
}
