//! The widths of texts as JavaScript has them: in UTF-16 units, where a table is laid out, and in characters, where it is cut.

/// The number of units.
pub(crate) fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The text with spaces behind it.
pub(crate) fn pad_end(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(length(text))))
}

/// The text with spaces in front of it.
pub(crate) fn pad_start(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(length(text))))
}

/// The text, cut or padded to so many characters.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let characters = text.chars().count();
    if characters <= width {
        return format!("{text}{}", " ".repeat(width - characters));
    }
    if width == 0 {
        return String::new();
    }
    let cut: String = text.chars().take(width - 1).collect();
    format!("{cut}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_padded_and_cut() {
        assert_eq!((pad_end("a😀", 4), pad_start("ab", 4)), ("a😀 ".to_owned(), "  ab".to_owned()));
        assert_eq!(
            (fit("abc", 5), fit("abcdef", 4), fit("abc", 0)),
            ("abc  ".into(), "abc…".into(), String::new())
        );
        assert_eq!(pad_end("long", 2), "long");
    }
}
