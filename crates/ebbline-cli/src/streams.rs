//! Standard output and standard error.

use std::io::{self, IsTerminal as _, Write as _};

use ebbline_commands::{Environment, Refusal, Terminal};

use crate::refusal::of_system;

/// What commands have to know of the streams.
pub(crate) fn terminal() -> Terminal {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let out_is_terminal = io::stdout().is_terminal();
    Terminal {
        is_native: true,
        out_is_terminal,
        columns: if out_is_terminal { width_of_terminal() } else { None },
        notes_are_terminal: io::stderr().is_terminal(),
        environment: Environment {
            no_color: variable("NO_COLOR"),
            term: variable("TERM"),
            columns: variable("COLUMNS"),
        },
    }
}

/// Writes every byte; whether somebody still reads it.
pub(crate) fn out(bytes: &[u8]) -> Result<bool, Refusal> {
    let mut stream = io::stdout().lock();
    match stream.write_all(bytes).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(of_system(&error)),
        Ok(()) => Ok(true),
    }
}

/// Writes a text to standard error. If nobody hears it, the command itself may still succeed.
pub(crate) fn note(text: &str) {
    let mut stream = io::stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
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
