//! Sessions in many files: OpenHands writes a file for each event, OpenCode until 1.2 one for each session, message and part.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ebbline::json::Document;
use ebbline_commands::Refusal;

use crate::refusal::unread;

/// The events of a conversation of OpenHands in their order; `None` if a folder is none of events.
///
/// Version 0 names them `7.json`, the SDK `event-00007-<id>.json`.
pub(super) fn events(folder: &Path) -> Option<Vec<PathBuf>> {
    if folder.file_name()? != "events" {
        return None;
    }
    let mut events: Vec<(u64, PathBuf)> =
        files(folder).ok()?.into_iter().filter_map(|path| Some((number(&path)?, path))).collect();
    events.sort();
    (!events.is_empty()).then(|| events.into_iter().map(|(_, path)| path).collect())
}

/// The number of an event by the name of its file.
fn number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?.strip_suffix(".json")?;
    let digits = match name.strip_prefix("event-") {
        Some(rest) => rest.split('-').next()?,
        None => name,
    };
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// The events as lines.
pub(super) fn lines(events: &[PathBuf]) -> Result<Vec<u8>, Refusal> {
    let mut out = Vec::new();
    for path in events {
        let bytes = read(path)?;
        // Line breaks stand in no string of JSON.
        out.extend(bytes.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
        out.push(b'\n');
    }
    Ok(out)
}

/// Where OpenCode keeps the messages of a session, by the name of the session's own file:
/// `storage/session/<project>/<session>.json`. `None` if it is none.
pub(super) fn messages_of(session: &Path) -> Option<PathBuf> {
    let kind = session.parent()?.parent()?;
    if session.extension()? != "json" || kind.file_name()? != "session" {
        return None;
    }
    let messages = kind.parent()?.join("message").join(session.file_stem()?);
    messages.is_dir().then_some(messages)
}

/// The files of a session of OpenCode: its own, and each message with its parts.
pub(super) struct Tree {
    session: PathBuf,
    messages: Vec<(PathBuf, Vec<PathBuf>)>,
}

impl Tree {
    /// The files of the session whose messages are in a folder.
    pub(super) fn of(session: &Path, messages: &Path) -> Result<Self, Refusal> {
        let all = messages.parent().and_then(Path::parent).unwrap_or(messages).join("part");
        let mut found = Vec::new();
        for message in files(messages).map_err(|error| unread(messages, &error))? {
            let own = message.file_stem().map(|id| all.join(id)).filter(|own| own.is_dir());
            let parts = own.map_or_else(|| Ok(Vec::new()), |own| files(&own));
            found.push((message, parts.map_err(|error| unread(&all, &error))?));
        }
        Ok(Self { session: session.to_owned(), messages: found })
    }

    /// Every file.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.session)
            .chain(self.messages.iter().flat_map(|(message, parts)| std::iter::once(message).chain(parts)))
    }

    /// The session as `opencode export` writes it.
    pub(super) fn export(&self) -> Result<Vec<u8>, Refusal> {
        let mut out = b"{\"info\":".to_vec();
        out.extend(read(&self.session)?);
        out.extend_from_slice(b",\"messages\":[");
        for (at, (message, parts)) in self.messages.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",\n{\"info\":" } else { b"\n{\"info\":" });
            out.extend(read(message)?);
            out.extend_from_slice(b",\"parts\":[");
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                out.extend(read(part)?);
            }
            out.extend_from_slice(b"]}");
        }
        out.extend_from_slice(b"]}\n");
        Ok(out)
    }
}

/// The first of some files that is no JSON, if it is they that cannot be read.
pub(super) fn blamed<'p>(files: impl Iterator<Item = &'p PathBuf>) -> Option<Refusal> {
    for path in files {
        let is_whole =
            |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(|text| Document::parse(text).is_ok());
        match read(path) {
            Ok(bytes) if is_whole(&bytes) => {}
            Ok(_) => return Some(Refusal::Damaged(format!("{} is damaged: it is no JSON", path.display()))),
            Err(failure) => return Some(failure),
        }
    }
    None
}

/// How many bytes files have together.
pub(super) fn size<'p>(files: impl Iterator<Item = &'p PathBuf>) -> u64 {
    files.map(|path| fs::metadata(path).map_or(0, |found| found.len())).sum()
}

/// The files of JSON in a folder, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    fs::read(path).map_err(|error| unread(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("ebbline-pieces-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn events_are_lines_in_the_order_of_their_numbers() {
        let top = folder("events");
        let names = ["2.json", "10.json", "event-00001-9c.json", "event-1x-a.json", "notes.json", "3.txt"];
        fs::create_dir_all(top.join("events")).unwrap();
        for name in names {
            fs::write(top.join("events").join(name), format!("{{\n\"name\": \"{name}\"}}")).unwrap();
        }
        assert!(events(&top).is_none());
        let found = events(&top.join("events")).unwrap();
        let text = String::from_utf8(lines(&found).unwrap()).unwrap();
        let expected =
            ["event-00001-9c.json", "2.json", "10.json"].map(|name| format!("{{ \"name\": \"{name}\"}}\n"));
        assert_eq!(text, expected.concat());
        assert_eq!(size(found.iter()), text.len() as u64 - 3);
        assert!(blamed(found.iter()).is_none());
        fs::write(top.join("events/2.json"), "{").unwrap();
        assert!(blamed(found.iter()).unwrap().reason().ends_with("2.json is damaged: it is no JSON"));
        fs::remove_dir_all(top).unwrap();
    }

    #[test]
    fn a_session_of_opencode_is_put_together_from_its_files() {
        let top = folder("tree").join("storage");
        let files = [
            ("session/p/ses_1.json", r#"{"id":"ses_1","title":"t"}"#),
            ("session/p/ses_2.json", r#"{"id":"ses_2"}"#),
            ("message/ses_1/msg_1.json", r#"{"id":"msg_1","sessionID":"ses_1","role":"user"}"#),
            ("message/ses_1/msg_2.json", r#"{"id":"msg_2","sessionID":"ses_1","role":"assistant"}"#),
            ("part/msg_1/prt_1.json", r#"{"id":"prt_1","type":"text","text":"hello"}"#),
            ("part/msg_1/prt_2.json", r#"{"id":"prt_2","type":"text","text":"there"}"#),
        ];
        for (name, content) in files {
            fs::create_dir_all(top.join(name).parent().unwrap()).unwrap();
            fs::write(top.join(name), content).unwrap();
        }
        let session = top.join("session/p/ses_1.json");
        assert!(messages_of(&top.join("session/p/ses_2.json")).is_none());
        assert!(messages_of(&top.join("message/ses_1/msg_1.json")).is_none());
        let tree = Tree::of(&session, &messages_of(&session).unwrap()).unwrap();
        assert_eq!(tree.files().count(), 5);
        let json = String::from_utf8(tree.export().unwrap()).unwrap();
        let read = ebbline::SessionText::read(&json).unwrap();
        assert_eq!((read.format().name(), read.counts().messages), ("opencode", 2));
        let document = Document::parse(&json).unwrap();
        let texts: Vec<_> = document
            .root()
            .elements_of("messages")
            .flat_map(|message| message.elements_of("parts").collect::<Vec<_>>())
            .filter_map(|part| Some(part.text_of("text")?.decode().into_owned()))
            .collect();
        assert_eq!(texts, ["hello", "there"]);
        fs::remove_dir_all(top.parent().unwrap()).unwrap();
    }
}
