//! What a command works with: its arguments, its host, its streams.

use crate::args::Arguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::io::Io;
use crate::name::Name;
use crate::output::{Notes, Output};
use crate::printable::printable;
use crate::style::{Environment, Style, is_colored};
use crate::terminal::Terminal;

/// What a command is given beside the name of its file.
#[derive(Debug)]
pub(crate) struct Run {
    /// The host.
    pub(crate) io: Io,
    /// Whether the host is the native program.
    pub(crate) is_native: bool,
    /// The command line.
    pub(crate) given: Arguments,
    /// Where results go.
    pub(crate) out: Output,
    /// Where everything else goes.
    pub(crate) notes: Notes,
    /// What the environment says about both.
    pub(crate) environment: Environment,
}

impl Run {
    /// A run without arguments.
    pub(crate) fn new(io: Io, terminal: Terminal) -> Self {
        let Terminal { is_native, out_is_terminal, columns, notes_are_terminal, environment } = terminal;
        Self {
            given: Arguments::default(),
            out: Output::new(io.clone(), out_is_terminal, columns),
            notes: Notes::new(io.clone(), notes_are_terminal),
            environment,
            is_native,
            io,
        }
    }

    /// Whether programs read the results.
    pub(crate) fn is_json(&self) -> bool {
        self.given.values.has("json")
    }

    /// The style of results.
    pub(crate) fn style(&self) -> Style {
        Style::new(is_colored(self.given.values.text("color"), self.out.is_terminal, &self.environment))
    }

    /// The style of notes.
    pub(crate) fn style_of_notes(&self) -> Style {
        Style::new(is_colored(self.given.values.text("color"), self.notes.is_terminal, &self.environment))
    }

    /// The width of the terminal, or the one that `COLUMNS` names; `None` if neither is known.
    pub(crate) fn width(&self) -> Option<usize> {
        self.out.columns.or_else(|| self.environment.width())
    }

    /// Says in one line what is wrong, and returns the exit code.
    pub(crate) fn complain(&mut self, failure: &Failure, name: Option<&Name>) -> Exit {
        let place = name.filter(|_| !failure.is_complete()).map(|name| format!("{}: ", name.said()));
        let sentence = printable(&format!("{}{}", place.unwrap_or_default(), failure.message()));
        self.notes.write(&format!("ebbline: {sentence}\n"));
        if matches!(failure, Failure::Usage(_)) {
            self.notes.write("Try `ebbline --help`.\n");
        }
        failure.exit()
    }
}
