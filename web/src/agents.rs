//! The agents whose own rules are known, by the format in which they write: one line each.

use ebbline::profiles::{self, Profile};

use crate::export::ExportKind;

/// An agent.
#[derive(Clone, Copy, Debug)]
pub struct Agent {
    /// The title of its format.
    pub format: &'static str,
    /// Its newest profile; empty if there is none.
    pub profile: &'static str,
    /// Its configuration.
    pub export: ExportKind,
}

const fn agent(format: &'static str, profile: &'static str, export: ExportKind) -> Agent {
    Agent { format, profile, export }
}

const AGENTS: [Agent; 6] = [
    agent("pi", "pi@1.5", ExportKind::Pi),
    agent("OpenCode", "opencode@2026-06", ExportKind::OpenCode),
    agent("TunaCode", "tunacode@0.2", ExportKind::TunaCode),
    agent("Claude Code", "claude-code@2.1", ExportKind::Environment),
    agent("Codex", "codex@0.171", ExportKind::Session),
    agent("Gemini CLI", "gemini-cli@0.61", ExportKind::Session),
];

/// The system of a profile: `opencode` of `opencode-v2@later`.
fn system(profile: &str) -> &str {
    profile.split(['@', '-']).next().unwrap_or_default()
}

impl Agent {
    /// The agent that writes sessions of the format with this title.
    pub fn of_format(title: &str) -> Option<Self> {
        AGENTS.into_iter().find(|agent| agent.format == title)
    }

    /// The agent to which a profile belongs.
    pub fn of_profile(profile: &str) -> Option<Self> {
        AGENTS.into_iter().find(|agent| !agent.profile.is_empty() && system(agent.profile) == system(profile))
    }

    /// Its own rules, if they are known.
    pub fn rules(self) -> Option<&'static Profile> {
        profiles::find(self.profile)
    }
}

/// What is offered first: the configuration of the agent that wrote the session, or of the one whose profile is chosen, else the
/// session.
pub fn first_export(format: &str, profile: &str) -> ExportKind {
    let agent = Agent::of_format(format).or_else(|| Agent::of_profile(profile));
    agent.map_or(ExportKind::Session, |agent| agent.export)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_format_and_a_profile_that_exist() {
        for agent in AGENTS {
            assert!(ebbline::Format::ALL.iter().any(|format| format.title() == agent.format), "{agent:?}");
            assert_eq!(agent.rules().is_some(), !agent.profile.is_empty(), "{agent:?}");
        }
    }

    #[test]
    fn the_agent_of_the_session_comes_first_then_that_of_the_profile() {
        for (format, profile, first) in [
            (ebbline::Format::Pi, "tunacode@0.2", ExportKind::Pi),
            (ebbline::Format::Opencode, "ebbline@2", ExportKind::OpenCode),
            (ebbline::Format::Tunacode, "ebbline@2", ExportKind::TunaCode),
            (ebbline::Format::ClaudeCode, "ebbline@2", ExportKind::Environment),
            (ebbline::Format::OpenaiChat, "pi@1.5*", ExportKind::Pi),
            (ebbline::Format::OpenaiChat, "opencode-v2@later", ExportKind::OpenCode),
            (ebbline::Format::OpenaiChat, "ebbline@2", ExportKind::Session),
        ] {
            assert_eq!(first_export(format.title(), profile), first, "{format} {profile}");
        }
    }
}
