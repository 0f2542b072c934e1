//! Names of files and folders as bytes: a name need not be text. `-` is standard input.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// What separates the parts of a path.
const SEPARATOR: u8 = std::path::MAIN_SEPARATOR as u8;

/// The name of a file or a folder, or `-` for standard input.
///
/// # Example
///
/// ```
/// use ebbline_commands::Name;
/// let name = Name::from("a/b.jsonl");
/// assert_eq!((name.text().as_ref(), name.is_stdin()), ("a/b.jsonl", false));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Name(Vec<u8>);

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(name.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for Name {
    fn from(name: Vec<u8>) -> Self {
        Self(name)
    }
}

impl Name {
    /// Its bytes, as the system has them.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline_commands::Name::from("a").bytes(), b"a");
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is standard input.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline_commands::Name::from("-").is_stdin());
    /// ```
    #[must_use]
    pub fn is_stdin(&self) -> bool {
        self.0 == b"-"
    }

    /// As it was given, for programs. What is no Unicode in it is replaced.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline_commands::Name::from(b"a\xff".to_vec()).text(), "a\u{fffd}");
    /// ```
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// As a text, if it is one.
    pub(crate) fn into_text(self) -> Option<String> {
        String::from_utf8(self.0).ok()
    }

    /// The same as a string of its own.
    pub(crate) fn given(&self) -> String {
        self.text().into_owned()
    }

    /// As messages have it.
    pub(crate) fn said(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.given() }
    }

    /// The name of something in this folder; an absolute name stays as it is.
    pub(crate) fn join(&self, name: &Self) -> Self {
        if is_absolute(&name.0) || self.0.is_empty() {
            return name.clone();
        }
        let mut joined = self.0.clone();
        if !joined.last().is_some_and(|last| is_separator(*last)) {
            joined.push(SEPARATOR);
        }
        joined.extend_from_slice(&name.0);
        Self(joined)
    }

    /// The name of something in this folder, in its shortest form: as JavaScript's `join` writes it.
    pub(crate) fn joined(&self, name: &Self) -> Self {
        let is_rooted = is_absolute(&self.0);
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in self.parts().chain(name.parts()) {
            let goes_back = part == b".." && parts.last().map_or(is_rooted, |last| *last != b"..");
            if goes_back {
                parts.pop();
            } else {
                parts.push(part);
            }
        }
        let root: &[u8] = if is_rooted { &[SEPARATOR] } else { &[] };
        Self([root, &parts.join(&SEPARATOR)].concat())
    }

    /// The last part of it; `None` if there is none, or if it goes back.
    pub(crate) fn last(&self) -> Option<Self> {
        let last = self.parts().last().filter(|last| *last != b"..")?;
        Some(Self(last.to_vec()))
    }

    /// The last part of it without its ending.
    pub(crate) fn stem(&self) -> Option<Self> {
        let Self(last) = self.last()?;
        let end = last.iter().rposition(|byte| *byte == b'.').filter(|at| *at > 0).unwrap_or(last.len());
        Some(Self(last.get(..end).unwrap_or_default().to_vec()))
    }

    /// Whether its ending is this one.
    pub(crate) fn has_ending(&self, ending: &str) -> bool {
        let Some(Self(last)) = self.last() else { return false };
        let at = last.iter().rposition(|byte| *byte == b'.').filter(|at| *at > 0);
        at.and_then(|at| last.get(at + 1..)).is_some_and(|found| found == ending.as_bytes())
    }

    /// Whether the folder that it is in has a name.
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        let parts: Vec<&[u8]> = self.parts().collect();
        parts.iter().rev().nth(1).is_some_and(|found| *found == folder.as_bytes())
    }

    /// Whether it is this folder, or something below it.
    pub(crate) fn is_below(&self, folder: &Self) -> bool {
        let mut parts = self.parts();
        is_absolute(&self.0) == is_absolute(&folder.0)
            && folder.parts().all(|part| parts.next() == Some(part))
    }

    /// What is left of it behind the parts of a folder; `None` if it is not below it.
    pub(crate) fn behind(&self, folder: &Self) -> Option<Self> {
        let rest: Vec<&[u8]> = self.parts().skip(folder.parts().count()).collect();
        self.is_below(folder).then(|| Self(rest.join(&SEPARATOR)))
    }

    fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| is_separator(*byte)).filter(|part| !part.is_empty() && *part != b".")
    }
}

fn is_absolute(name: &[u8]) -> bool {
    name.first().is_some_and(|first| is_separator(*first)) || (cfg!(windows) && name.get(1) == Some(&b':'))
}

fn is_separator(byte: u8) -> bool {
    std::path::is_separator(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_said_as_it_was_given() {
        assert_eq!(Name::from("a.json").said(), "a.json");
        assert_eq!((Name::from("-").said(), Name::from("-").given()), ("standard input".into(), "-".into()));
    }

    #[test]
    fn a_path_is_written_in_its_shortest_form() {
        let joined = |folder: &str| Name::from(folder).joined(&Name::from("x")).given();
        for (folder, path) in [
            (".", "x"),
            ("./a", "a/x"),
            ("a//b/", "a/b/x"),
            ("a/../b", "b/x"),
            ("/../a", "/a/x"),
            ("../a", "../a/x"),
            ("../../a", "../../a/x"),
        ] {
            assert_eq!(joined(folder), path, "{folder}");
        }
    }

    #[test]
    fn parts_of_a_name_are_found() {
        let name = Name::from("/a/chats/b.c.json");
        assert_eq!((name.last(), name.stem()), (Some("b.c.json".into()), Some("b.c".into())));
        assert!(
            name.has_ending("json") && !name.has_ending("c.json") && !Name::from(".json").has_ending("json")
        );
        assert!(name.is_in("chats") && !name.is_in("a"));
        assert!(
            name.is_below(&"/a".into()) && !name.is_below(&"/a/ch".into()) && !name.is_below(&"a".into())
        );
        assert_eq!(Name::from("a/b/c").behind(&"a".into()), Some("b/c".into()));
        assert_eq!(Name::from("a").join(&"b".into()), "a/b".into());
        assert_eq!(Name::from("a/").join(&"/b".into()), "/b".into());
        assert_eq!(Name::from("a/..").last(), None);
    }
}
