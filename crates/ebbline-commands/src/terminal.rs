//! What a command has to know of its host.

use serde::Deserialize;

use crate::style::Environment;

/// The streams of a program, what the environment says of them, and what kind of program it is.
///
/// # Example
///
/// ```
/// use ebbline_commands::Terminal;
/// let pipe = Terminal::default();
/// assert!(!pipe.out_is_terminal);
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Terminal {
    /// Whether it is the native program, which has commands and options that no other host has.
    pub is_native: bool,
    /// Whether a person looks at standard output.
    pub out_is_terminal: bool,
    /// The width of that terminal, if it is known.
    pub columns: Option<usize>,
    /// Whether a person looks at standard error.
    pub notes_are_terminal: bool,
    /// What variables of the environment say.
    pub environment: Environment,
}
