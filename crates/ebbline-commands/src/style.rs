//! Colors by their meaning.

use serde::Deserialize;

/// What says whether to color, beside the option and the stream; a variable that is not set is empty.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Environment {
    /// `NO_COLOR`.
    pub no_color: String,
    /// `TERM`.
    pub term: String,
    /// `COLUMNS`.
    pub columns: String,
}

impl Environment {
    /// The width that `COLUMNS` names; `None` if it names none.
    pub(crate) fn width(&self) -> Option<usize> {
        self.columns.trim().parse().ok().filter(|width| *width > 0)
    }
}

/// Whether to color what is written to a stream; `when` is the option `--color`.
pub(crate) fn is_colored(when: Option<&str>, is_terminal: bool, environment: &Environment) -> bool {
    match when {
        Some("always") => true,
        Some("never") => false,
        _ => environment.no_color.is_empty() && environment.term != "dumb" && is_terminal,
    }
}

/// Paints texts, or leaves them as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    colored: bool,
}

impl Style {
    /// A style with colors, or without.
    pub(crate) fn new(colored: bool) -> Self {
        Self { colored }
    }

    /// Whether it has colors.
    pub(crate) fn is_colored(self) -> bool {
        self.colored
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colored && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// A name or a total.
    pub(crate) fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What is read last.
    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// What is pruned.
    pub(crate) fn pruned(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// What is summarized.
    pub(crate) fn summarized(self, text: &str) -> String {
        self.paint("35", text)
    }

    /// A boundary.
    pub(crate) fn boundary(self, text: &str) -> String {
        self.paint("36", text)
    }

    /// That nothing is wrong.
    pub(crate) fn good(self, text: &str) -> String {
        self.paint("32", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_for_terminals_unless_they_are_asked_for() {
        let plain = Environment::default();
        assert!(is_colored(None, true, &plain) && !is_colored(None, false, &plain));
        assert!(is_colored(Some("always"), false, &plain) && !is_colored(Some("never"), true, &plain));
        let quiet = Environment { no_color: "1".to_owned(), ..Environment::default() };
        assert!(!is_colored(Some("auto"), true, &quiet) && is_colored(Some("always"), false, &quiet));
        let dumb = Environment { term: "dumb".to_owned(), ..Environment::default() };
        assert!(!is_colored(None, true, &dumb));
    }

    #[test]
    fn nothing_is_painted_of_an_empty_text() {
        assert_eq!(Style::new(true).dim(""), "");
        assert_eq!(Style::new(true).strong("a"), "\u{1b}[1ma\u{1b}[0m");
        assert_eq!(Style::new(false).strong("a"), "a");
    }
}
