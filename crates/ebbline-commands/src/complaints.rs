//! What was wrong with files: said one by one, or counted by code with the first of each.

use std::collections::{BTreeMap, HashSet};

use crate::amount::{amount, counted};
use crate::columns::{Side, aligned};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Notes;
use crate::printable::printable;

/// Something that is wrong with a file.
#[derive(Clone, Debug)]
pub(crate) struct Complaint {
    /// How the run ends.
    pub(crate) exit: Exit,
    /// The code of the error.
    pub(crate) code: String,
    /// A sentence.
    pub(crate) sentence: String,
}

impl From<Failure> for Complaint {
    fn from(failure: Failure) -> Self {
        Self { exit: failure.exit(), code: failure.code().to_owned(), sentence: failure.message() }
    }
}

/// Errors with the same code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorCount {
    /// How many there are.
    pub(crate) count: usize,
    /// The sentence of the first.
    pub(crate) first: String,
}

/// What was complained of.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    /// The worst end of all.
    pub(crate) worst: Exit,
    /// By their codes.
    pub(crate) by_code: BTreeMap<String, ErrorCount>,
    said: HashSet<String>,
    is_counted: bool,
}

impl Complaints {
    /// No complaint yet; whether they are counted instead of said.
    pub(crate) fn new(is_counted: bool) -> Self {
        Self { is_counted, ..Self::default() }
    }

    /// Adds one.
    pub(crate) fn add(&mut self, Complaint { exit, code, sentence }: Complaint, notes: &mut Notes) {
        self.worst = self.worst.worse(exit);
        let counted =
            self.by_code.entry(code).or_insert_with(|| ErrorCount { count: 0, first: sentence.clone() });
        counted.count += 1;
        if self.is_counted {
            return;
        }
        // A mistake on the command line is the same for every file.
        if exit != Exit::Usage || !self.said.contains(&sentence) {
            notes.write(&format!("ebbline: {}\n", printable(&sentence)));
        }
        self.said.insert(sentence);
    }

    /// Says what was counted.
    pub(crate) fn say(&self, notes: &mut Notes) {
        if !self.is_counted || self.by_code.is_empty() {
            return;
        }
        let errors = self.by_code.values().map(|counted| counted.count).sum::<usize>();
        let rows: Vec<Vec<String>> = self
            .by_code
            .iter()
            .map(|(code, ErrorCount { count, first })| vec![code.clone(), amount(*count), printable(first)])
            .collect();
        let titles = [("error", Side::Left), ("files", Side::Right), ("the first of them", Side::Left)];
        let lines = aligned(&titles, &rows).join("\n");
        notes.write(&format!("ebbline: {}\n{lines}\n", counted(errors, "error")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::Kept;

    fn complaint(sentence: &str) -> Complaint {
        Complaint { exit: Exit::Input, code: "torn".to_owned(), sentence: sentence.to_owned() }
    }

    #[test]
    fn errors_are_counted_with_the_first_of_each() {
        let kept = Kept::default();
        let mut notes = kept.notes(false);
        let mut complaints = Complaints::new(true);
        complaints.add(complaint("a: it is torn"), &mut notes);
        complaints.add(complaint("b: it is torn"), &mut notes);
        assert_eq!(kept.text(), "");
        complaints.say(&mut notes);
        assert_eq!(
            kept.text(),
            "ebbline: 2 errors\nerror  files  the first of them\ntorn       2  a: it is torn\n"
        );
        assert_eq!(complaints.worst, Exit::Input);
    }

    #[test]
    fn errors_are_said_one_by_one_unless_they_are_the_same_for_all_files() {
        let kept = Kept::default();
        let mut notes = kept.notes(false);
        let mut complaints = Complaints::default();
        for exit in [Exit::Usage, Exit::Usage, Exit::Input, Exit::Input] {
            complaints.add(Complaint { exit, ..complaint(exit.code().to_string().as_str()) }, &mut notes);
        }
        complaints.say(&mut notes);
        assert_eq!(kept.text(), "ebbline: 2\nebbline: 1\nebbline: 1\n");
        assert_eq!(complaints.worst, Exit::Usage);
    }
}
