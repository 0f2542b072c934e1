//! The kinds of exports, and the groups in which the dialog shows them.

use serde::{Deserialize, Serialize};

/// A kind of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportKind {
    /// The compacted session in its own format.
    Session,
    /// The session's roles and sizes, with filler instead of its text.
    Shape,
    /// The policy as JSON.
    Policy,
    /// The policy as the `settings.json` of pi.
    Pi,
    /// The policy as the `opencode.jsonc` of `OpenCode`.
    OpenCode,
    /// The policy as the `tunacode.json` of `TunaCode`.
    TunaCode,
    /// The policy as settings of the plug-in of `OpenClaw`.
    OpenClaw,
    /// The policy as settings of the plug-in of Hermes.
    Hermes,
    /// The policy as environment variables.
    Environment,
    /// The policy as calls of the npm package.
    JavaScript,
    /// The policy as calls of the Python package.
    Python,
    /// The policy as calls of the Rust crate.
    Rust,
    /// The policy as a call of the command line.
    CommandLine,
    /// What changes, message by message, as JSON.
    Report,
    /// The plan as JSON.
    Plan,
    /// The verdict, what changes and the policy, as Markdown without any text of the session.
    Markdown,
    /// The life as a picture.
    Life,
    /// The context before and after as a picture.
    Context,
}

/// A kind with its id and its title.
pub type Choice = (ExportKind, &'static str, &'static str);

/// The groups: the title and the kinds.
pub const GROUPS: [(&str, &[Choice]); 4] = [
    (
        "Session",
        &[
            (ExportKind::Session, "session", "Compacted session"),
            (ExportKind::Shape, "shape", "Copy without text"),
        ],
    ),
    (
        "Policy for an agent",
        &[
            (ExportKind::Pi, "pi", "pi"),
            (ExportKind::OpenCode, "opencode", "OpenCode"),
            (ExportKind::TunaCode, "tunacode", "TunaCode"),
            (ExportKind::OpenClaw, "openclaw", "OpenClaw"),
            (ExportKind::Hermes, "hermes", "Hermes"),
            (ExportKind::Environment, "environment", "Claude Code"),
            (ExportKind::Policy, "policy", "JSON"),
        ],
    ),
    (
        "Code",
        &[
            (ExportKind::JavaScript, "javascript", "JavaScript"),
            (ExportKind::Python, "python", "Python"),
            (ExportKind::Rust, "rust", "Rust"),
            (ExportKind::CommandLine, "command", "Command line"),
        ],
    ),
    (
        "Report and pictures",
        &[
            (ExportKind::Report, "report", "What changes"),
            (ExportKind::Plan, "plan", "Plan"),
            (ExportKind::Markdown, "markdown", "Markdown"),
            (ExportKind::Life, "life", "Life as a picture"),
            (ExportKind::Context, "context", "Context as a picture"),
        ],
    ),
];

impl ExportKind {
    /// All kinds.
    pub const ALL: [Self; 18] = [
        Self::Session,
        Self::Shape,
        Self::Policy,
        Self::Pi,
        Self::OpenCode,
        Self::TunaCode,
        Self::OpenClaw,
        Self::Hermes,
        Self::Environment,
        Self::JavaScript,
        Self::Python,
        Self::Rust,
        Self::CommandLine,
        Self::Report,
        Self::Plan,
        Self::Markdown,
        Self::Life,
        Self::Context,
    ];

    /// Whether it is a picture.
    pub fn is_picture(self) -> bool {
        matches!(self, Self::Life | Self::Context)
    }

    /// Whether it is of the session as its file holds it, whatever moment is shown.
    pub fn is_of_file(self) -> bool {
        matches!(self, Self::Session | Self::Report | Self::Plan | Self::Markdown)
    }

    /// Whether it is the policy alone, for use elsewhere.
    pub fn is_policy(self) -> bool {
        matches!(
            self,
            Self::Policy
                | Self::Pi
                | Self::OpenCode
                | Self::TunaCode
                | Self::OpenClaw
                | Self::Hermes
                | Self::Environment
                | Self::JavaScript
                | Self::Python
                | Self::Rust
                | Self::CommandLine
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_in_one_group_and_has_its_own_id() {
        let listed: Vec<_> = GROUPS.iter().flat_map(|(_, kinds)| kinds.iter()).collect();
        for kind in ExportKind::ALL {
            assert_eq!(listed.iter().filter(|row| row.0 == kind).count(), 1, "{kind:?}");
        }
        for (index, row) in listed.iter().enumerate() {
            assert!(listed.iter().skip(index + 1).all(|other| other.1 != row.1 && other.2 != row.2));
        }
        assert_eq!(listed.len(), ExportKind::ALL.len());
    }
}
