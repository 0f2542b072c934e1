//! Where agents keep their sessions in a home folder.

use std::collections::BTreeMap;

use ebbline::Format;
use ebbline::format::{PlaceFiles, Store};

use crate::ask::{Kind, Listing};
use crate::io::Io;
use crate::name::Name;

/// Where editors keep what they store, by system, and the editors.
const STORAGES: &[&str] = &[".config", "Library/Application Support", "AppData/Roaming"];
const EDITORS: &[&str] = &["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
/// The same of editors that run on this machine for somebody elsewhere.
const SERVERS: &[&str] = &[".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"];

/// Variables of the environment that move the folders of systems, and the part of the path that they replace.
const MOVED: &[(&str, &str)] = &[
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_CONFIG_HOME", ".config"),
    ("APPDATA", "AppData/Roaming"),
    ("LOCALAPPDATA", "AppData/Local"),
];

fn stores() -> impl Iterator<Item = &'static Store> {
    Format::ALL.iter().map(|format| format.store())
}

/// The variables that move a folder, those of agents first.
fn moves() -> impl Iterator<Item = (&'static str, &'static str)> {
    stores().flat_map(|store| store.moved).chain(MOVED).copied()
}

/// A folder or a store that holds sessions of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AgentFolder {
    /// The agent.
    pub(crate) agent: &'static str,
    /// The folder, or the file of the database.
    pub(crate) folder: Name,
    files: PlaceFiles,
}

impl AgentFolder {
    /// Whether a file may be a session of the agent; whether it is kept in a store.
    pub(crate) fn has(&self, file: &Name, is_stored: bool) -> bool {
        let is_named = match self.files {
            PlaceFiles::Named { ending, above } => {
                !is_stored && file.text().ends_with(ending) && (above.is_empty() || file.is_in(above))
            }
            _ => is_stored,
        };
        is_named && file.is_below(&self.folder)
    }
}

/// The variables of the environment that say where agents keep their sessions, with their values.
pub(crate) async fn variables(io: &Io) -> Variables {
    let of_agents = stores().flat_map(|store| [store.home, store.database]).flatten();
    let names = moves().chain(of_agents).map(|(name, _)| name);
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
    for place in stores().flat_map(|store| store.places) {
        let (folder, each) =
            place.folder.strip_suffix("/*").map_or((place.folder, false), |folder| (folder, true));
        let folder = moved(home, folder, variables);
        let of = |folder| AgentFolder { agent: place.agent, folder, files: place.files };
        if let PlaceFiles::Databases(name) = place.files {
            let folders = if each { entries_of(&folder, io).await } else { vec![folder] };
            for folder in folders {
                found.extend(databases_in(&folder, name, io).await.into_iter().map(of));
            }
        } else if is_folder(&folder, io).await {
            found.push(of(folder));
        }
    }
    for (format, store) in Format::ALL.iter().zip(stores()) {
        let Some((name, folder)) = store.database else { continue };
        let Some(file) = variables.get(name) else { continue };
        let folder = moved(home, folder, variables).join(&Name::from(&**file));
        let is_new = found.iter().all(|found| found.folder != folder);
        if is_new && matches!(io.kind(&folder).await, Kind::File(_)) {
            let agent = store.places.first().map_or(format.title(), |place| place.agent);
            found.push(AgentFolder { agent, folder, files: PlaceFiles::Databases("") });
        }
    }
    for storage in storages(home, variables) {
        for place in stores().flat_map(|store| store.extensions) {
            let folder = storage.join(&Name::from(place.folder));
            if is_folder(&folder, io).await {
                found.push(AgentFolder { agent: place.agent, folder, files: place.files });
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

/// What is directly in a folder, by name; nothing if it is none.
async fn entries_of(folder: &Name, io: &Io) -> Vec<Name> {
    if !is_folder(folder, io).await {
        return Vec::new();
    }
    let Listing::Folder(entries) = io.list(folder).await else { return Vec::new() };
    let mut names: Vec<Name> = entries.into_iter().map(|entry| folder.join(&entry.name)).collect();
    names.sort();
    names
}

/// The databases in a folder whose names begin so, or are so.
async fn databases_in(folder: &Name, name: &str, io: &Io) -> Vec<Name> {
    let is_own = |file: &Name| {
        let stem = file.stem().unwrap_or_default();
        if let Some(whole) = name.strip_suffix(".db") {
            return file.has_ending("db") && stem.bytes() == whole.as_bytes();
        }
        let rest = stem.bytes().strip_prefix(name.as_bytes());
        file.has_ending("db") && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"-"))
    };
    entries_of(folder, io).await.into_iter().filter(is_own).collect()
}

fn moved(home: &Name, folder: &str, variables: &Variables) -> Name {
    let named = |name: &str| variables.get(name).filter(|to| !to.is_empty()).map(|to| Name::from(&**to));
    let folder = Name::from(folder);
    let mut homes = stores().filter_map(|store| store.home);
    let other = homes.find(|(_, part)| folder.is_below(&Name::from(*part)));
    if let Some(other) = other.and_then(|(name, _)| named(name)) {
        return other.join(&folder);
    }
    let moved = moves().find_map(|(name, part)| {
        let rest = folder.behind(&Name::from(part))?;
        let to = named(name)?;
        Some(if rest.bytes().is_empty() { to } else { to.join(&rest) })
    });
    moved.unwrap_or_else(|| home.join(&folder))
}

/// The agents whose sessions are looked for.
pub(crate) fn agents() -> Vec<&'static str> {
    let places = stores().flat_map(|store| store.places).chain(stores().flat_map(|store| store.extensions));
    let mut agents: Vec<&str> = places.map(|place| place.agent).collect();
    let mut said = std::collections::HashSet::new();
    agents.retain(|agent| said.insert(*agent));
    agents
}

/// Whether a file in a folder of anything may be a session: by its name.
pub(crate) fn may_be_session(file: &Name) -> bool {
    let plain = if file.has_ending("zst") { file.stem() } else { file.last() };
    let Some(plain) = plain else { return false };
    ["json", "jsonl", "ndjson", "traj", "eval"].into_iter().any(|ending| plain.has_ending(ending))
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
        let has = |files: PlaceFiles, name: &str, is_stored: bool| {
            AgentFolder { agent: "", folder: "/h/x".into(), files }.has(&Name::from(name), is_stored)
        };
        let lines = PlaceFiles::Named { ending: ".jsonl", above: "" };
        assert!(has(lines, "/h/x/a/b.jsonl", false) && !has(lines, "/h/x/a/b.json", false));
        assert!(!has(lines, "/h/y/b.jsonl", false));
        let chats = PlaceFiles::Named { ending: ".json", above: "chats" };
        assert!(has(chats, "/h/x/y/chats/s.json", false) && !has(chats, "/h/x/y/logs.json", false));
        assert!(
            has(PlaceFiles::Stores, "/h/x/a/events", true)
                && !has(PlaceFiles::Stores, "/h/x/a/state.json", false)
        );
        for (name, expected) in
            [("a/b.jsonl", true), ("a/b.md", false), ("a/b.jsonl.zst", true), ("a/b.zst", false)]
        {
            assert_eq!(may_be_session(&Name::from(name)), expected, "{name}");
        }
    }
}
