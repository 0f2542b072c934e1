//! Where agents keep their sessions in a home folder.

use std::collections::BTreeMap;

use crate::ask::{Kind, Listing};
use crate::io::Io;
use crate::name::Name;

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
pub(crate) struct AgentFolder {
    /// The agent.
    pub(crate) agent: &'static str,
    /// The folder, or the file of the database.
    pub(crate) folder: Name,
    what: What,
}

impl AgentFolder {
    /// Whether a file may be a session of the agent; whether it is kept in a store.
    pub(crate) fn has(&self, file: &Name, is_stored: bool) -> bool {
        let is_named = match self.what {
            What::Files { ending, above } => {
                !is_stored && file.text().ends_with(ending) && (above.is_empty() || file.is_in(above))
            }
            What::Pieces | What::Databases(_) => is_stored,
        };
        is_named && file.is_below(&self.folder)
    }
}

/// The variables of the environment that say where agents keep their sessions, with their values.
pub(crate) async fn variables(io: &Io) -> Variables {
    let names = MOVED.iter().chain(HOMES).map(|(name, _)| *name).chain([DATABASE]);
    let mut variables = Variables::new();
    for name in names {
        if let Some(value) = io.variable(name).await {
            variables.insert(name, value);
        }
    }
    variables
}

/// Variables of the environment.
pub(crate) type Variables = BTreeMap<&'static str, String>;

/// What there is of sessions below a home folder, with the environment of the person whose home it is.
pub(crate) async fn found(home: &Name, variables: &Variables, io: &Io) -> Vec<AgentFolder> {
    let mut found = Vec::new();
    for Place { agent, folder, what } in PLACES {
        let folder = moved(home, folder, variables);
        if let What::Databases(name) = what {
            let of = |folder| AgentFolder { agent, folder, what: *what };
            found.extend(databases_in(&folder, name, io).await.into_iter().map(of));
        } else if is_folder(&folder, io).await {
            found.push(AgentFolder { agent, folder, what: *what });
        }
    }
    let own = variables.get(DATABASE);
    let own = own.map(|name| moved(home, ".local/share/opencode", variables).join(&Name::from(&**name)));
    if let Some(folder) = own
        && found.iter().all(|found| found.folder != folder)
        && matches!(io.kind(&folder).await, Kind::File(_))
    {
        found.push(AgentFolder { agent: "OpenCode", folder, what: What::Databases("") });
    }
    for storage in storages(home, variables) {
        for Place { agent, folder, what } in EXTENSIONS {
            let folder = storage.join(&Name::from(*folder));
            if is_folder(&folder, io).await {
                found.push(AgentFolder { agent, folder, what: *what });
            }
        }
    }
    found
}

/// Where editors keep what their extensions store.
fn storages(home: &Name, variables: &Variables) -> Vec<Name> {
    let of_systems = STORAGES.iter().flat_map(|storage| {
        let storage = moved(home, storage, variables);
        EDITORS.iter().map(move |editor| storage.join(&Name::from(*editor)))
    });
    let of_servers = SERVERS.iter().map(|server| home.join(&Name::from(*server)).join(&Name::from("data")));
    of_systems.chain(of_servers).map(|editor| editor.join(&Name::from("User/globalStorage"))).collect()
}

async fn is_folder(name: &Name, io: &Io) -> bool {
    io.kind(name).await == Kind::Folder
}

/// The databases in a folder whose names begin so.
async fn databases_in(folder: &Name, name: &str, io: &Io) -> Vec<Name> {
    if !is_folder(folder, io).await {
        return Vec::new();
    }
    let Listing::Folder(entries) = io.list(folder).await else { return Vec::new() };
    let is_own = |file: &Name| {
        let stem = file.stem().unwrap_or_default();
        let rest = stem.bytes().strip_prefix(name.as_bytes());
        file.has_ending("db") && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"-"))
    };
    let mut databases: Vec<Name> =
        entries.into_iter().map(|entry| folder.join(&entry.name)).filter(is_own).collect();
    databases.sort();
    databases
}

fn moved(home: &Name, folder: &str, variables: &Variables) -> Name {
    let named = |name: &str| variables.get(name).filter(|to| !to.is_empty()).map(|to| Name::from(&**to));
    let folder = Name::from(folder);
    let other = HOMES.iter().find(|(_, part)| folder.is_below(&Name::from(*part)));
    if let Some(other) = other.and_then(|(name, _)| named(name)) {
        return other.join(&folder);
    }
    let moved = MOVED.iter().find_map(|(name, part)| {
        let rest = folder.behind(&Name::from(*part))?;
        let to = named(name)?;
        Some(if rest.bytes().is_empty() { to } else { to.join(&rest) })
    });
    moved.unwrap_or_else(|| home.join(&folder))
}

/// The agents whose sessions are looked for.
pub(crate) fn agents() -> Vec<&'static str> {
    let mut agents: Vec<&str> = PLACES.iter().chain(EXTENSIONS).map(|place| place.agent).collect();
    let mut said = std::collections::HashSet::new();
    agents.retain(|agent| said.insert(*agent));
    agents
}

/// Whether a file in a folder of anything may be a session: by its name.
pub(crate) fn may_be_session(file: &Name) -> bool {
    let plain = if file.has_ending("zst") { file.stem() } else { file.last() };
    let Some(plain) = plain else { return false };
    ["json", "jsonl", "ndjson", "traj"].into_iter().any(|ending| plain.has_ending(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_move_folders() {
        let home = Name::from("/home/a");
        let of = |folder: &str, given: &[(&'static str, &str)]| {
            let variables = given.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            moved(&home, folder, &variables).given()
        };
        assert_eq!(of(".codex/sessions", &[]), "/home/a/.codex/sessions");
        assert_eq!(of(".codex/sessions", &[("CODEX_HOME", "/moved")]), "/moved/sessions");
        assert_eq!(of(".openhands/conversations", &[("OPENHANDS_CONVERSATIONS_DIR", "/talks")]), "/talks");
        assert_eq!(of(".gemini/tmp", &[("GEMINI_CLI_HOME", "/other")]), "/other/.gemini/tmp");
        assert_eq!(of(".codex/sessions", &[("CODEX_HOME", "")]), "/home/a/.codex/sessions");
        assert!(
            storages(&home, &Variables::new()).contains(&"/home/a/.config/Cursor/User/globalStorage".into())
        );
        assert!(super::agents().contains(&"Roo Code"));
    }

    #[test]
    fn sessions_are_known_by_their_names() {
        let has = |what: What, name: &str, is_stored: bool| {
            AgentFolder { agent: "", folder: "/h/x".into(), what }.has(&Name::from(name), is_stored)
        };
        let lines = What::Files { ending: ".jsonl", above: "" };
        assert!(has(lines, "/h/x/a/b.jsonl", false) && !has(lines, "/h/x/a/b.json", false));
        assert!(!has(lines, "/h/y/b.jsonl", false));
        let chats = What::Files { ending: ".json", above: "chats" };
        assert!(has(chats, "/h/x/y/chats/s.json", false) && !has(chats, "/h/x/y/logs.json", false));
        assert!(has(What::Pieces, "/h/x/a/events", true) && !has(What::Pieces, "/h/x/a/state.json", false));
        for (name, expected) in
            [("a/b.jsonl", true), ("a/b.md", false), ("a/b.jsonl.zst", true), ("a/b.zst", false)]
        {
            assert_eq!(may_be_session(&Name::from(name)), expected, "{name}");
        }
    }
}
