//! The exit codes, as documented in `ebbline --help`.

use serde::{Deserialize, Serialize};

/// How a run ends. Of several files' ends the greatest is that of the run: an error outranks work to do, which outranks
/// success.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exit {
    /// Done, or nothing to do.
    #[default]
    Ok,
    /// Something is to be done, and the caller asked whether it is.
    Work,
    /// A file cannot be read or written, is no session, or is not valid.
    Input,
    /// The command line is wrong.
    Usage,
    /// A fault of ebbline itself.
    Fault,
    /// Somebody ended the program while it waited.
    Interrupted,
}

impl Exit {
    /// The worse of two ends.
    pub(crate) fn worse(self, other: Self) -> Self {
        self.max(other)
    }

    /// The code of the process.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline_commands::Exit::Usage.code(), 2);
    /// ```
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Input => 1,
            Self::Usage => 2,
            Self::Work => 3,
            Self::Fault => 4,
            Self::Interrupted => 130,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_outranks_work_to_do_which_outranks_success() {
        assert_eq!(Exit::Ok.worse(Exit::Work), Exit::Work);
        assert_eq!(Exit::Work.worse(Exit::Input), Exit::Input);
        assert_eq!(Exit::Usage.worse(Exit::Input), Exit::Usage);
        assert_eq!(Exit::Interrupted.worse(Exit::Fault), Exit::Interrupted);
    }
}
