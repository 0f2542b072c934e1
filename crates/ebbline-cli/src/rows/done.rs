//! What a file of rows already holds, so that long work goes on where it stopped.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use ebbline::json::Document;
use ebbline_commands::{Column, Refusal};

use crate::refusal::unread;

/// What is kept of a file of rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The files whose rows are complete.
    pub(crate) files: BTreeSet<String>,
    /// The length of those rows in bytes; what follows is written again.
    pub(crate) bytes: u64,
}

/// Reads rows of JSON Lines. The rows of the last file may be incomplete, and its last line torn: they are not kept.
pub(crate) fn kept(path: &Path, columns: &[Column]) -> Result<Kept, Refusal> {
    let said = |error: io::Error| unread(path, &error);
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
        opened => opened.map_err(said)?,
    };
    let mut lines = BufReader::new(file);
    let mut kept = Kept::default();
    let (mut at, mut number, mut last) = (0_u64, 0_usize, None);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line).map_err(said)?;
        if length == 0 || line.last() != Some(&b'\n') {
            return Ok(kept);
        }
        number += 1;
        let name = name_in(&line, columns).ok_or_else(|| {
            let place = format!("line {number} of {}", path.display());
            Refusal::Sentence(format!(
                "{place} is no row of this command: --resume continues the rows of the same command"
            ))
        })?;
        if last.as_ref() != Some(&name) {
            kept.files.extend(last.replace(name));
            kept.bytes = at;
        }
        at += length as u64;
    }
}

/// The name of the file that a row is of; `None` if it has other columns.
fn name_in(line: &[u8], columns: &[Column]) -> Option<String> {
    let document = Document::parse(std::str::from_utf8(line).ok()?).ok()?;
    let row = document.root();
    let names: Vec<_> = row.members().map(|(name, _)| name.decode().into_owned()).collect();
    let is_same = names.iter().eq(columns.iter().map(|column| column.name));
    let file = row.text_of("file")?.decode();
    is_same.then(|| file.into_owned())
}

#[cfg(test)]
mod tests {
    use ebbline_commands::ColumnKind as Kind;

    use super::*;

    const COLUMNS: [Column; 2] =
        [Column { name: "file", kind: Kind::Text }, Column { name: "n", kind: Kind::Integer }];

    fn of(text: &str) -> Result<Kept, String> {
        let path =
            std::env::temp_dir().join(format!("ebbline-done-{}-{}.jsonl", std::process::id(), text.len()));
        std::fs::write(&path, text).unwrap();
        let kept = kept(&path, &COLUMNS).map_err(|refusal| refusal.reason());
        std::fs::remove_file(path).unwrap();
        kept
    }

    #[test]
    fn the_last_file_is_done_again() {
        let two = "{\"file\":\"a\",\"n\":1}\n{\"file\":\"a\",\"n\":2}\n";
        let three = "{\"file\":\"b\",\"n\":1}\n";
        for torn in ["", "{\"file\":\"b\",\"n", "{\"file\":\"b\",\"n\":2}\n"] {
            let kept = of(&format!("{two}{three}{torn}")).unwrap();
            assert_eq!(
                (kept.files, kept.bytes),
                (BTreeSet::from(["a".to_owned()]), two.len() as u64),
                "{torn}"
            );
        }
        assert_eq!(of(two).unwrap(), Kept::default());
        assert_eq!(of("").unwrap(), Kept::default());
    }

    #[test]
    fn rows_of_something_else_are_not_continued() {
        for text in
            ["{\"file\":\"a\",\"m\":1}\n", "notes\n", "{\"n\":1,\"file\":\"a\"}\n", "{\"file\":\"a\"}\n"]
        {
            assert!(of(text).unwrap_err().starts_with("line 1 of "), "{text}");
        }
    }
}
