//! Where results are written, and where everything else is.

use std::io::{self, IsTerminal as _, Write};

use crate::failure::{Failure, why};

/// Whether a name means standard output.
pub(crate) fn is_standard_output(name: &str) -> bool {
    matches!(name, "-" | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1")
}

/// The stream of results.
pub(crate) struct Output {
    stream: Box<dyn Write>,
    /// Whether a person looks at it.
    pub(crate) is_terminal: bool,
    /// The width of the terminal.
    pub(crate) columns: Option<usize>,
    /// Whether the reader has closed the pipe, as in `ebbline plan … | head`: it has seen enough, which is no error.
    pub(crate) is_closed: bool,
}

impl Output {
    /// Standard output.
    pub(crate) fn standard() -> Self {
        let stream = io::stdout();
        let is_terminal = stream.is_terminal();
        let columns = if is_terminal { width_of_terminal() } else { None };
        Self { stream: Box::new(stream), is_terminal, columns, is_closed: false }
    }

    /// Writes every byte.
    pub(crate) fn write(&mut self, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        if self.is_closed {
            return Ok(());
        }
        let written = self.stream.write_all(content.as_ref()).and_then(|()| self.stream.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            Err(error) => Err(Failure::Output(format!("cannot write standard output: {}", why(&error)))),
            Ok(()) => Ok(()),
        }
    }
}

/// The stream of what is no result. If nobody hears it, the command itself may still succeed.
pub(crate) struct Notes {
    stream: Box<dyn Write>,
    /// Whether a person looks at it.
    pub(crate) is_terminal: bool,
    /// Whether a line about long work is to be cleared before anything else is written.
    is_line_shown: bool,
}

/// Clears the line and goes to its beginning.
const CLEAR: &str = "\r\u{1b}[K";

impl Notes {
    /// Standard error.
    pub(crate) fn standard() -> Self {
        let stream = io::stderr();
        let is_terminal = stream.is_terminal();
        Self { stream: Box::new(stream), is_terminal, is_line_shown: false }
    }

    /// Writes a text.
    pub(crate) fn write(&mut self, text: &str) {
        self.clear();
        self.put(text);
    }

    /// On a terminal, shows a line that says how far long work is, in the place of the line before.
    pub(crate) fn show(&mut self, line: &str) {
        if self.is_terminal {
            self.put(&format!("{CLEAR}{line}"));
            self.is_line_shown = true;
        }
    }

    /// Removes the line about long work.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.is_line_shown) {
            self.put(CLEAR);
        }
    }

    fn put(&mut self, text: &str) {
        let _ = self.stream.write_all(text.as_bytes()).and_then(|()| self.stream.flush());
    }
}

#[cfg(unix)]
fn width_of_terminal() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

#[cfg(not(unix))]
fn width_of_terminal() -> Option<usize> {
    None
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Remembers what is written to it.
    #[derive(Clone, Default)]
    pub(crate) struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Kept {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }

        pub(crate) fn notes(&self, is_terminal: bool) -> Notes {
            Notes { stream: Box::new(self.clone()), is_terminal, is_line_shown: false }
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Refusing(io::ErrorKind);

    impl Write for Refusing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn refusing(kind: io::ErrorKind) -> Output {
        Output { stream: Box::new(Refusing(kind)), is_terminal: false, columns: None, is_closed: false }
    }

    #[test]
    fn a_reader_that_has_seen_enough_is_no_error() {
        let mut out = refusing(io::ErrorKind::BrokenPipe);
        assert!(out.write("a").is_ok() && out.is_closed && out.write("b").is_ok());
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let failure = refusing(io::ErrorKind::StorageFull).write("a").unwrap_err();
        assert_eq!(failure.message(), "cannot write standard output: no space is left");
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
