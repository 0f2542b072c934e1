//! What a command has to know of the streams that it writes to.

use crate::style::Environment;

/// The streams of a program, and what the environment says of them.
///
/// # Example
///
/// ```
/// use ebbline_commands::Terminal;
/// let pipe = Terminal::default();
/// assert!(!pipe.out_is_terminal);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Terminal {
    /// Whether a person looks at standard output.
    pub out_is_terminal: bool,
    /// The width of that terminal, if it is known.
    pub columns: Option<usize>,
    /// Whether a person looks at standard error.
    pub notes_are_terminal: bool,
    /// What variables of the environment say.
    pub environment: Environment,
}
