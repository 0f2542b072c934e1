//! Where results are written, and where everything else is.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::io::Io;

/// Whether a name means standard output.
pub(crate) fn is_standard_output(name: &str) -> bool {
    matches!(name, "-" | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1")
}

/// The stream of results.
#[derive(Debug)]
pub(crate) struct Output {
    io: Io,
    /// Whether a person looks at it.
    pub(crate) is_terminal: bool,
    /// The width of the terminal.
    pub(crate) columns: Option<usize>,
    /// Whether the reader has closed the pipe, as in `ebbline plan … | head`: it has seen enough, which is no error.
    pub(crate) is_closed: bool,
}

impl Output {
    /// Standard output.
    pub(crate) fn new(io: Io, is_terminal: bool, columns: Option<usize>) -> Self {
        Self { io, is_terminal, columns, is_closed: false }
    }

    /// Writes every byte.
    pub(crate) async fn write(&mut self, content: impl Into<Vec<u8>>) -> Result<(), Failure> {
        if !self.is_closed {
            self.is_closed = !self.io.out(content.into()).await?;
        }
        Ok(())
    }
}

/// The stream of what is no result. If nobody hears it, the command itself may still succeed.
#[derive(Debug)]
pub(crate) struct Notes {
    io: Io,
    /// Whether a person looks at it.
    pub(crate) is_terminal: bool,
}

impl Notes {
    /// Standard error.
    pub(crate) fn new(io: Io, is_terminal: bool) -> Self {
        Self { io, is_terminal }
    }

    /// Writes a text.
    pub(crate) fn write(&mut self, text: &str) {
        self.clear();
        self.io.tell(Ask::Note(text.to_owned()));
    }

    /// On a terminal, shows a line that says how far long work is, in the place of the line before. It goes before anything
    /// else is written.
    pub(crate) fn show(&mut self, line: &str) {
        if self.is_terminal {
            self.io.show_line(line);
        }
    }

    /// Removes the line about long work.
    pub(crate) fn clear(&mut self) {
        self.io.clear_line();
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Remembers what is written to it.
    #[derive(Default)]
    pub(crate) struct Kept(Io);

    impl Kept {
        pub(crate) fn text(&self) -> String {
            let note = || match self.0.next() {
                Some((Ask::Note(text), _)) => Some(text),
                _ => None,
            };
            std::iter::from_fn(note).collect()
        }

        pub(crate) fn notes(&self, is_terminal: bool) -> Notes {
            Notes::new(self.0.clone(), is_terminal)
        }
    }

    #[test]
    fn a_line_on_a_terminal_goes_before_anything_else_is_written() {
        let kept = Kept::default();
        let mut notes = kept.notes(true);
        notes.show("half");
        notes.write("done\n");
        notes.clear();
        assert_eq!(kept.text(), "\r\u{1b}[Khalf\r\u{1b}[Kdone\n");
        let quiet = Kept::default();
        quiet.notes(false).show("half");
        assert_eq!(quiet.text(), "");
    }
}
