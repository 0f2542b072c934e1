//! Texts of sessions and names of files, without what could steer a terminal.

/// The characters of Unicode's category Cf, which are not seen and order others, as ranges.
const FORMATS: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e0001}'),
    ('\u{e0020}', '\u{e007f}'),
];

/// The text without control characters.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|character| if is_control(character) { '\u{fffd}' } else { character }).collect()
}

/// A text of several lines that is safe to print.
pub(crate) fn printable_lines(text: &str) -> String {
    let is_kept = |character: char| matches!(character, '\n' | '\t') || !is_control(character);
    text.chars().map(|character| if is_kept(character) { character } else { '\u{fffd}' }).collect()
}

fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}')
        || FORMATS.iter().any(|(first, last)| (*first..=*last).contains(&character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_a_mark() {
        assert_eq!(printable("a\u{1b}[2J\u{202e}\n\u{2028}é😀"), "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}é😀");
        assert_eq!(printable_lines("a\n\tb\r\u{feff}"), "a\n\tb\u{fffd}\u{fffd}");
    }
}
