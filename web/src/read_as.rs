//! The format that the user chooses for a file instead of detection.

use ebbline::{Format, ReadOptions};

/// How to read a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadAs {
    /// The format to read it as; `None` to detect it.
    pub format: Option<Format>,
}

impl ReadAs {
    /// Parses [`ReadAs::name`]; any other name means detection.
    pub fn of(name: &str) -> Self {
        // Not `Format::from_name`, whose error refers to all readers: the page's program contains none.
        Self { format: Format::ALL.iter().copied().find(|format| format.name() == name) }
    }

    /// The format's name; empty for detection.
    pub fn name(self) -> &'static str {
        self.format.map_or("", Format::name)
    }

    /// The engine's options.
    pub fn options(self) -> ReadOptions {
        ReadOptions::new().format(self.format)
    }
}

/// The formats that are named where there is no room for all.
const NAMED: [Format; 6] =
    [Format::Pi, Format::Opencode, Format::Tunacode, Format::ClaudeCode, Format::Codex, Format::OpenaiChat];

/// The titles of all formats.
pub fn formats() -> String {
    Format::ALL.iter().map(|format| format.title()).collect::<Vec<_>>().join(", ")
}

/// The titles of some formats, and how many others there are.
pub fn some_formats() -> String {
    let named = NAMED.map(Format::title).join(", ");
    format!("{named} and {} other formats", Format::ALL.len() - NAMED.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_formats_are_named() {
        assert_eq!(formats().split(", ").count(), Format::ALL.len());
        assert_eq!(
            some_formats(),
            "pi, OpenCode, TunaCode, Claude Code, Codex, OpenAI Chat and 31 other formats"
        );
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
