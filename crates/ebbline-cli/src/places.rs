//! Where agents keep their sessions in a home folder.

use std::path::{Path, PathBuf};

/// A folder of sessions.
struct Place {
    agent: &'static str,
    /// Below the home folder.
    folder: &'static str,
    /// How the names of sessions end.
    ending: &'static str,
    /// A folder that stands directly above sessions; empty if any may.
    above: &'static str,
}

const fn place(agent: &'static str, folder: &'static str, ending: &'static str) -> Place {
    Place { agent, folder, ending, above: "" }
}

const fn chats(agent: &'static str, folder: &'static str, ending: &'static str) -> Place {
    Place { above: "chats", ..place(agent, folder, ending) }
}

const PLACES: &[Place] = &[
    place("Claude Code", ".claude/projects", ".jsonl"),
    place("Claude Code", ".config/claude/projects", ".jsonl"),
    place("Codex", ".codex/sessions", ".jsonl"),
    place("Codex", ".codex/archived_sessions", ".jsonl"),
    place("pi", ".pi/agent/sessions", ".jsonl"),
    place("TunaCode", ".local/share/tunacode/sessions", ".json"),
    chats("Gemini CLI", ".gemini/tmp", ".json"),
    chats("Gemini CLI", ".gemini/tmp", ".jsonl"),
    chats("Qwen Code", ".qwen/tmp", ".jsonl"),
    chats("Qwen Code", ".qwen/projects", ".jsonl"),
    place("iFlow", ".iflow/projects", ".jsonl"),
    place("Copilot CLI", ".copilot/session-state", "events.jsonl"),
    place("Cline", ".cline", ".messages.json"),
];

/// Where editors keep what their extensions store.
const EDITORS: &[&str] = &[
    ".config/Code/User/globalStorage",
    ".vscode-server/data/User/globalStorage",
    "Library/Application Support/Code/User/globalStorage",
    "AppData/Roaming/Code/User/globalStorage",
];

const EXTENSIONS: &[Place] = &[
    place("Cline", "saoudrizwan.claude-dev/tasks", "api_conversation_history.json"),
    place("Roo Code", "rooveterinaryinc.roo-cline/tasks", "api_conversation_history.json"),
];

/// Databases of sessions, which are no files of sessions: who keeps one, where, and how a session comes out of it.
const DATABASES: &[(&str, &str, &str)] =
    &[("OpenCode", ".local/share/opencode", "opencode export ID > session.json")];

/// Variables of the environment that move a folder, and the part of the path that they replace.
const MOVED: &[(&str, &str)] =
    &[("CLAUDE_CONFIG_DIR", ".claude"), ("CODEX_HOME", ".codex"), ("XDG_DATA_HOME", ".local/share")];

/// A folder that holds sessions of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The agent.
    pub(crate) agent: &'static str,
    /// The folder.
    pub(crate) folder: PathBuf,
    ending: &'static str,
    above: &'static str,
}

impl Found {
    /// Whether a file may be a session of the agent.
    pub(crate) fn has(&self, file: &Path) -> bool {
        file.starts_with(&self.folder)
            && file.to_string_lossy().ends_with(self.ending)
            && (self.above.is_empty() || file.parent().is_some_and(|parent| parent.ends_with(self.above)))
    }
}

/// The folders of sessions below a home folder. `variable` gives the environment of the person whose home it is.
pub(crate) fn found(home: &Path, variable: &dyn Fn(&str) -> Option<String>) -> Vec<Found> {
    let of = |place: &Place, folder: PathBuf| Found {
        agent: place.agent,
        folder,
        ending: place.ending,
        above: place.above,
    };
    let mut found: Vec<Found> =
        PLACES.iter().map(|place| of(place, moved(home, place.folder, variable))).collect();
    for editor in EDITORS {
        found.extend(EXTENSIONS.iter().map(|place| of(place, home.join(editor).join(place.folder))));
    }
    found.retain(|found| found.folder.is_dir());
    found
}

/// What keeps sessions where they cannot be read, and what gives them.
pub(crate) fn databases(
    home: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let there = DATABASES.iter().filter(move |(_, folder, _)| moved(home, folder, variable).is_dir());
    there.map(|(agent, _, command)| (*agent, *command))
}

fn moved(home: &Path, folder: &str, variable: &dyn Fn(&str) -> Option<String>) -> PathBuf {
    let moved = MOVED.iter().find_map(|(name, part)| {
        let rest = Path::new(folder).strip_prefix(part).ok()?;
        let to = variable(name).filter(|to| !to.is_empty())?;
        Some(PathBuf::from(to).join(rest))
    });
    moved.unwrap_or_else(|| home.join(folder))
}

/// The agents whose sessions are looked for.
pub(crate) fn agents() -> Vec<&'static str> {
    let mut agents: Vec<&str> = PLACES.iter().chain(EXTENSIONS).map(|place| place.agent).collect();
    let mut said = std::collections::HashSet::new();
    agents.retain(|agent| said.insert(*agent));
    agents
}

/// Whether a file in a folder of anything may be a session: by its name.
pub(crate) fn may_be_session(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("json" | "jsonl" | "ndjson" | "traj"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_found_where_agents_keep_them() {
        let home = std::env::temp_dir().join(format!("ebbline-places-{}", std::process::id()));
        for folder in [".claude/projects/a", ".gemini/tmp/x/chats", ".local/share/opencode", "moved/sessions"]
        {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        let codex = home.join("moved").to_string_lossy().into_owned();
        let variable = |name: &str| (name == "CODEX_HOME").then(|| codex.clone());
        let there = found(&home, &variable);
        let agents: Vec<_> = there.iter().map(|found| found.agent).collect();
        assert_eq!(agents, ["Claude Code", "Codex", "Gemini CLI", "Gemini CLI"]);
        assert_eq!(there[1].folder, home.join("moved/sessions"));
        assert!(there[0].has(&home.join(".claude/projects/a/b.jsonl")));
        assert!(!there[0].has(&home.join(".claude/projects/a/b.json")));
        assert!(there[2].has(&home.join(".gemini/tmp/x/chats/s.json")));
        assert!(!there[2].has(&home.join(".gemini/tmp/x/logs.json")));
        assert_eq!(databases(&home, &variable).count(), 1);
        std::fs::remove_dir_all(&home).unwrap();
        assert!(found(&home, &|_| None).is_empty());
        assert!(super::agents().contains(&"Roo Code"));
        assert!(may_be_session(Path::new("a/b.jsonl")) && !may_be_session(Path::new("a/b.md")));
    }
}
