//! What a person says about a file before it is read, when detection is not to decide.

use ebbline::{Format, ReadOptions};

/// How a file is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadAs {
    /// The format it must be; `None` to find it out.
    pub format: Option<Format>,
}

impl ReadAs {
    /// What [`ReadAs::name`] was made from; anything else is left to detection.
    #[must_use]
    pub fn of(name: &str) -> Self {
        // Not `Format::from_name`, whose error names all readers: the page's program has none.
        Self { format: Format::ALL.iter().copied().find(|format| format.name() == name) }
    }

    /// The format's name, or nothing.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.format.map_or("", Format::name)
    }

    /// The options of the engine.
    #[must_use]
    pub fn options(self) -> ReadOptions {
        ReadOptions::new().format(self.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_that_can_be_chosen_is_read() {
        assert!(Format::ALL.iter().all(|format| format.is_supported()));
    }

    #[test]
    fn a_name_leads_back_to_its_format() {
        for format in Format::ALL.iter().copied().map(Some).chain([None]) {
            let read_as = ReadAs { format };
            assert_eq!(ReadAs::of(read_as.name()), read_as);
        }
        assert_eq!(ReadAs::of("no such format"), ReadAs::default());
    }
}
