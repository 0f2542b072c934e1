//! The sessions of this tab: what has been opened and what came with it, to be opened again from a menu.
//!
//! The list keeps files, not what is in them: a file is read when it is chosen.

use crate::read_as::ReadAs;
use ebbline::numbers::{bytes, counted};

/// How many sessions are kept.
pub const MOST: usize = 20;

/// A file that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source<F> {
    /// The file's name.
    pub name: String,
    /// Its size in bytes; `None` for a sample.
    pub size: Option<u64>,
    /// The web site whose page handed it over; empty for any other file.
    pub origin: String,
    /// How it is read.
    pub read_as: ReadAs,
    /// The file itself, or which sample it is.
    pub file: F,
}

impl<F> Source<F> {
    /// What the menu says beside the name.
    pub fn about(&self) -> String {
        let size = self.size.map_or_else(|| "sample".to_owned(), bytes);
        if self.origin.is_empty() { size } else { format!("{size}, {}", handed_over(&self.origin)) }
    }
}

/// Who handed a session over.
pub fn handed_over(origin: &str) -> String {
    format!("handed over by {origin}")
}

/// The sessions in the order in which they came, each with its number.
#[derive(Clone, Debug)]
pub struct Sessions<F> {
    kept: Vec<(u32, Source<F>)>,
    numbered: u32,
}

impl<F> Default for Sessions<F> {
    fn default() -> Self {
        Self { kept: Vec::new(), numbered: 0 }
    }
}

impl<F: Clone + PartialEq> Sessions<F> {
    /// Adds a file and returns its number. A file that is already there keeps its place. Of more than [`MOST`], the
    /// oldest that is not `open` leaves.
    pub fn add(&mut self, source: Source<F>, open: Option<u32>) -> u32 {
        if let Some((number, kept)) = self.kept.iter_mut().find(|(_, kept)| kept.file == source.file) {
            *kept = source;
            return *number;
        }
        self.numbered += 1;
        self.kept.push((self.numbered, source));
        if self.kept.len() > MOST
            && let Some(oldest) = self.kept.iter().position(|(number, _)| Some(*number) != open)
        {
            self.kept.remove(oldest);
        }
        self.numbered
    }

    /// Takes a file out, for example because it is no session.
    pub fn remove(&mut self, number: u32) {
        self.kept.retain(|(of, _)| *of != number);
    }

    /// The file with this number.
    pub fn find(&self, number: u32) -> Option<Source<F>> {
        self.kept.iter().find(|(of, _)| *of == number).map(|(_, source)| source.clone())
    }

    /// The sessions with their numbers, oldest first.
    pub fn all(&self) -> &[(u32, Source<F>)] {
        &self.kept
    }

    /// Which of how many sessions this is: `2 of 3`; empty if it is the only one.
    pub fn place(&self, number: u32) -> String {
        match self.kept.iter().position(|(of, _)| *of == number) {
            Some(at) if self.kept.len() > 1 => format!("{} of {}", at + 1, self.kept.len()),
            _ => String::new(),
        }
    }
}

/// How many files and folders came at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// The files.
    pub files: usize,
    /// The folders.
    pub folders: usize,
}

/// What is said about what came at once, when its first file `is_open` or was not opened; empty if there is nothing to
/// say.
pub fn arrived(Arrival { files, folders }: Arrival, first: &str, is_open: bool) -> String {
    let mut said = String::new();
    if files > 1 {
        said = counted(files as u64, "file") + " came at once";
        if is_open {
            said += &format!("; the page shows the first, {first}");
        }
        said += if files > MOST {
            ". The menu behind the session's name keeps 20 of them."
        } else {
            ". The others are in the menu behind the session's name."
        };
    }
    if files > 0 && folders > 0 {
        said += &format!(" {} left out: drop the files inside.", was(folders));
    }
    said.trim_start().to_owned()
}

fn was(folders: usize) -> String {
    format!("{} {}", counted(folders as u64, "folder"), if folders == 1 { "was" } else { "were" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(file: u32) -> Source<u32> {
        let (origin, read_as) = (String::new(), ReadAs::default());
        Source { name: format!("{file}.json"), size: Some(2_000), origin, read_as, file }
    }

    #[test]
    fn the_oldest_leaves_but_never_the_open_one() {
        let mut sessions = Sessions::default();
        let first = sessions.add(source(1), None);
        for file in 2..=30 {
            sessions.add(source(file), Some(first));
        }
        assert_eq!(sessions.all().len(), MOST);
        assert_eq!(sessions.find(first), Some(source(1)));
        let files: Vec<u32> = sessions.all().iter().map(|(_, source)| source.file).collect();
        assert_eq!(files, [1].into_iter().chain(12..=30).collect::<Vec<_>>());
        assert_eq!(sessions.place(first), "1 of 20");
    }

    #[test]
    fn the_same_file_keeps_its_place() {
        let mut sessions = Sessions::default();
        let first = sessions.add(source(1), None);
        assert_eq!(sessions.place(first), "");
        let second = sessions.add(source(2), Some(first));
        assert_eq!(sessions.add(source(1), Some(second)), first);
        assert_eq!(sessions.place(second), "2 of 2");
        sessions.remove(first);
        assert_eq!((sessions.find(first), sessions.all().len()), (None, 1));
    }

    #[test]
    fn a_session_says_where_it_is_from() {
        assert_eq!(source(1).about(), "2 KB");
        assert_eq!(Source { size: None, ..source(1) }.about(), "sample");
        let given = Source { origin: "https://tool.example".to_owned(), ..source(1) };
        assert_eq!(given.about(), "2 KB, handed over by https://tool.example");
    }

    #[test]
    fn what_came_at_once_is_said() {
        let said = |files, folders, is_open| arrived(Arrival { files, folders }, "a.json", is_open);
        assert_eq!((said(1, 0, true), said(0, 1, false)), (String::new(), String::new()));
        assert_eq!(
            said(2, 0, true),
            "2 files came at once; the page shows the first, a.json. The others are in the menu behind the session's name."
        );
        assert_eq!(
            said(2, 0, false),
            "2 files came at once. The others are in the menu behind the session's name."
        );
        assert!(said(25, 0, true).ends_with("keeps 20 of them."));
        assert_eq!(said(1, 2, true), "2 folders were left out: drop the files inside.");
    }
}
