//! Where agents keep their sessions in a home folder.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of sessions, or a store of them.
struct Place {
    agent: &'static str,
    /// Below the home folder.
    folder: &'static str,
    what: What,
}

/// Which files of a folder may be sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Those whose names end so, directly below a folder of a name; empty if any may.
    Files { ending: &'static str, above: &'static str },
    /// None is one: a session has a file for each event or message.
    Pieces,
    /// Databases, by the beginning of their names.
    Databases(&'static str),
}

const fn place(agent: &'static str, folder: &'static str, ending: &'static str) -> Place {
    Place { agent, folder, what: What::Files { ending, above: "" } }
}

const fn chats(agent: &'static str, folder: &'static str, ending: &'static str) -> Place {
    Place { agent, folder, what: What::Files { ending, above: "chats" } }
}

const fn pieces(agent: &'static str, folder: &'static str) -> Place {
    Place { agent, folder, what: What::Pieces }
}

const fn databases(agent: &'static str, folder: &'static str, name: &'static str) -> Place {
    Place { agent, folder, what: What::Databases(name) }
}

const PLACES: &[Place] = &[
    place("Claude Code", ".claude/projects", ".jsonl"),
    place("Claude Code", ".config/claude/projects", ".jsonl"),
    place("Codex", ".codex/sessions", ".jsonl"),
    place("Codex", ".codex/sessions", ".jsonl.zst"),
    place("Codex", ".codex/archived_sessions", ".jsonl"),
    place("Codex", ".codex/archived_sessions", ".jsonl.zst"),
    place("pi", ".pi/agent/sessions", ".jsonl"),
    databases("OpenCode", ".local/share/opencode", "opencode"),
    pieces("OpenCode", ".local/share/opencode/storage"),
    databases("Kilo", ".local/share/kilo", "kilo"),
    pieces("Kilo", ".local/share/kilo/storage"),
    pieces("OpenHands", ".openhands/conversations"),
    pieces("OpenHands", ".openhands/sessions"),
    pieces("OpenHands", ".openhands/users"),
    pieces("OpenHands", ".openhands-state/sessions"),
    place("TunaCode", ".local/share/tunacode/sessions", ".json"),
    chats("Gemini CLI", ".gemini/tmp", ".json"),
    chats("Gemini CLI", ".gemini/tmp", ".jsonl"),
    chats("Qwen Code", ".qwen/tmp", ".jsonl"),
    chats("Qwen Code", ".qwen/projects", ".jsonl"),
    place("iFlow", ".iflow/projects", ".jsonl"),
    place("Copilot CLI", ".copilot/session-state", "events.jsonl"),
    place("Cline", ".cline", ".messages.json"),
    place("mini-swe-agent", ".config/mini-swe-agent", ".traj.json"),
    place("mini-swe-agent", "Library/Application Support/mini-swe-agent", ".traj.json"),
    place("mini-swe-agent", "AppData/Local/mini-swe-agent/mini-swe-agent", ".traj.json"),
];

/// Where editors keep what they store, by system, and the editors.
const STORAGES: &[&str] = &[".config", "Library/Application Support", "AppData/Roaming"];
const EDITORS: &[&str] = &["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
/// The same of editors that run on this machine for somebody elsewhere.
const SERVERS: &[&str] = &[".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"];

const EXTENSIONS: &[Place] = &[
    place("Cline", "saoudrizwan.claude-dev/tasks", "api_conversation_history.json"),
    place("Roo Code", "rooveterinaryinc.roo-cline/tasks", "api_conversation_history.json"),
    place("Kilo", "kilocode.kilo-code/tasks", "api_conversation_history.json"),
];

/// Variables of the environment that move a folder, and the part of the path that they replace. The first that fits counts.
const MOVED: &[(&str, &str)] = &[
    ("CLAUDE_CONFIG_DIR", ".claude"),
    ("CODEX_HOME", ".codex"),
    ("PI_CODING_AGENT_DIR", ".pi/agent"),
    ("COPILOT_HOME", ".copilot"),
    ("OPENHANDS_CONVERSATIONS_DIR", ".openhands/conversations"),
    ("OPENHANDS_PERSISTENCE_DIR", ".openhands"),
    ("MSWEA_GLOBAL_CONFIG_DIR", ".config/mini-swe-agent"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_CONFIG_HOME", ".config"),
    ("APPDATA", "AppData/Roaming"),
    ("LOCALAPPDATA", "AppData/Local"),
];

/// What puts the folder of an agent below another home folder.
const HOMES: &[(&str, &str)] = &[("GEMINI_CLI_HOME", ".gemini")];

/// What names the database of OpenCode, within its folder or anywhere.
const DATABASE: &str = "OPENCODE_DB";

/// A folder or a store that holds sessions of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The agent.
    pub(crate) agent: &'static str,
    /// The folder, or the file of the database.
    pub(crate) folder: PathBuf,
    what: What,
}

impl Found {
    /// Whether a file may be a session of the agent; whether it is kept in a store.
    pub(crate) fn has(&self, file: &Path, is_stored: bool) -> bool {
        let is_named = match self.what {
            What::Files { ending, above } => {
                !is_stored
                    && file.to_string_lossy().ends_with(ending)
                    && (above.is_empty() || file.parent().is_some_and(|parent| parent.ends_with(above)))
            }
            What::Pieces | What::Databases(_) => is_stored,
        };
        is_named && file.starts_with(&self.folder)
    }
}

/// What there is of sessions below a home folder. `variable` gives the environment of the person whose home it is.
pub(crate) fn found(home: &Path, variable: &dyn Fn(&str) -> Option<String>) -> Vec<Found> {
    let mut found = Vec::new();
    for place in PLACES {
        let folder = moved(home, place.folder, variable);
        match place.what {
            What::Databases(name) => {
                let of = |folder| Found { agent: place.agent, folder, what: place.what };
                found.extend(databases_in(&folder, name).into_iter().map(of));
            }
            _ if folder.is_dir() => found.push(Found { agent: place.agent, folder, what: place.what }),
            _ => {}
        }
    }
    let own = variable(DATABASE).map(|name| moved(home, ".local/share/opencode", variable).join(name));
    if let Some(folder) = own.filter(|path| path.is_file() && found.iter().all(|found| found.folder != *path))
    {
        found.push(Found { agent: "OpenCode", folder, what: What::Databases("") });
    }
    let of_systems = STORAGES.iter().flat_map(|storage| {
        let storage = moved(home, storage, variable);
        EDITORS.iter().map(move |editor| storage.join(editor))
    });
    for editor in of_systems.chain(SERVERS.iter().map(|server| home.join(server).join("data"))) {
        let storage = editor.join("User/globalStorage");
        found.extend(EXTENSIONS.iter().filter_map(|place| {
            let folder = storage.join(place.folder);
            folder.is_dir().then_some(Found { agent: place.agent, folder, what: place.what })
        }));
    }
    found
}

/// The databases in a folder whose names begin so.
fn databases_in(folder: &Path, name: &str) -> Vec<PathBuf> {
    let is_own = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let rest = stem.strip_prefix(name);
        path.extension().is_some_and(|ending| ending == "db")
            && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut databases: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_own).collect();
    databases.sort();
    databases
}

fn moved(home: &Path, folder: &str, variable: &dyn Fn(&str) -> Option<String>) -> PathBuf {
    let named = |name: &str| variable(name).filter(|to| !to.is_empty()).map(PathBuf::from);
    let other = HOMES.iter().find(|(_, part)| Path::new(folder).starts_with(part));
    if let Some(other) = other.and_then(|(name, _)| named(name)) {
        return other.join(folder);
    }
    let moved = MOVED.iter().find_map(|(name, part)| {
        let rest = Path::new(folder).strip_prefix(part).ok()?;
        let to = named(name)?;
        Some(if rest.as_os_str().is_empty() { to } else { to.join(rest) })
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
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let plain = Path::new(name.strip_suffix(".zst").unwrap_or(name));
    let ending = plain.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("json" | "jsonl" | "ndjson" | "traj"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_found_where_agents_keep_them() {
        let home = std::env::temp_dir().join(format!("ebbline-places-{}", std::process::id()));
        let folders = [
            ".claude/projects/a",
            ".gemini/tmp/x/chats",
            ".local/share/opencode/storage",
            "moved/sessions",
            "talks",
            ".config/Cursor/User/globalStorage/kilocode.kilo-code/tasks",
        ];
        for folder in folders {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        for file in ["opencode.db", "opencode-dev.db", "opencode.db-wal", "other.db"] {
            fs::write(home.join(".local/share/opencode").join(file), "").unwrap();
        }
        let below = |name: &str| Some(home.join(name).to_string_lossy().into_owned());
        let variable = |name: &str| match name {
            "CODEX_HOME" => below("moved"),
            "OPENHANDS_CONVERSATIONS_DIR" => below("talks"),
            "OPENCODE_DB" => Some("other.db".to_owned()),
            _ => None,
        };
        let there = found(&home, &variable);
        let shown: Vec<_> = there
            .iter()
            .map(|found| (found.agent, found.folder.strip_prefix(&home).unwrap().to_str().unwrap()))
            .collect();
        let expected = [
            ("Claude Code", ".claude/projects"),
            ("Codex", "moved/sessions"),
            ("Codex", "moved/sessions"),
            ("OpenCode", ".local/share/opencode/opencode-dev.db"),
            ("OpenCode", ".local/share/opencode/opencode.db"),
            ("OpenCode", ".local/share/opencode/storage"),
            ("OpenHands", "talks"),
            ("Gemini CLI", ".gemini/tmp"),
            ("Gemini CLI", ".gemini/tmp"),
            ("OpenCode", ".local/share/opencode/other.db"),
            ("Kilo", ".config/Cursor/User/globalStorage/kilocode.kilo-code/tasks"),
        ];
        assert_eq!(shown, expected);
        let has = |agent: usize, name: &str, is_stored| there[agent].has(&home.join(name), is_stored);
        assert!(has(0, ".claude/projects/a/b.jsonl", false));
        assert!(!has(0, ".claude/projects/a/b.json", false));
        assert!(has(2, "moved/sessions/a.jsonl.zst", false));
        assert!(has(4, ".local/share/opencode/opencode.db/ses_1", true));
        assert!(has(6, "talks/a/events", true) && !has(6, "talks/a/base_state.json", false));
        assert!(has(7, ".gemini/tmp/x/chats/s.json", false) && !has(7, ".gemini/tmp/x/logs.json", false));
        std::fs::remove_dir_all(&home).unwrap();
        assert!(found(&home, &|_| None).is_empty());
        assert!(super::agents().contains(&"Roo Code"));
        assert!(may_be_session(Path::new("a/b.jsonl")) && !may_be_session(Path::new("a/b.md")));
        assert!(may_be_session(Path::new("a/b.jsonl.zst")) && !may_be_session(Path::new("a/b.zst")));
    }
}
