//! The answers of a probe: a line of JSON each, which `DuckDB` reads, and by which the probe goes on.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;
use crate::io::Io;
use crate::json::line;
use crate::name::Name;

/// So many letters of a checksum tell two sessions apart.
const LETTERS: usize = 16;

/// An answer, with all that it depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "columns of a table, not states")]
pub(crate) struct ProbeRow {
    pub(crate) file: String,
    /// A checksum of the session.
    pub(crate) session: String,
    pub(crate) seed: u64,
    pub(crate) model: Option<String>,
    pub(crate) policy: String,
    /// The knobs that were turned, which with the name and the window say which policy it is.
    pub(crate) settings: String,
    pub(crate) window: Option<u64>,
    /// Whether the model could have an output back.
    pub(crate) recall: bool,
    /// The number of the question, counted from 1.
    pub(crate) question: usize,
    /// The request of the session, and the message and part that used the fact.
    pub(crate) request: u32,
    pub(crate) message: u32,
    pub(crate) part: u32,
    /// What the fact is: identifier, value or content.
    pub(crate) kind: String,
    pub(crate) fact: String,
    /// The message of the newest output that held it.
    pub(crate) output_message: u32,
    /// How that output had left the context: pruned or summarized; `None` if the context still had it.
    pub(crate) left: Option<String>,
    /// Whether the context that was sent says the fact.
    pub(crate) in_context: bool,
    /// The estimated tokens of the context.
    pub(crate) context_tokens: u64,
    /// The requests that were made for the answer, and what they sent in estimated tokens.
    pub(crate) requests: u64,
    pub(crate) sent_tokens: u64,
    /// The same as the server counted them, if it did.
    pub(crate) counted_tokens: Option<u64>,
    /// What the model had back, and whether there is such an output.
    pub(crate) recalled: Option<String>,
    pub(crate) recall_found: Option<bool>,
    pub(crate) asked: String,
    pub(crate) answer: String,
    pub(crate) unknown: bool,
    pub(crate) correct: bool,
}

impl ProbeRow {
    /// Whether it is the answer to the same question under the same policy.
    fn is_of(&self, other: &Self) -> bool {
        let policy = |row: &Self| (row.policy.clone(), row.settings.clone(), row.window, row.model.clone());
        (policy(self), self.recall) == (policy(other), other.recall)
            && (self.part, self.fact.as_str()) == (other.part, other.fact.as_str())
            && self.context_tokens == other.context_tokens
    }
}

/// The answers that there are.
#[derive(Debug, Default)]
pub(crate) struct ProbeRows {
    text: String,
    rows: Vec<ProbeRow>,
}

impl ProbeRows {
    /// Those of a file, if it exists.
    pub(crate) async fn read(out: Option<&str>, session: &str, seed: u64, io: &Io) -> Result<Self, Failure> {
        let Some(out) = out else { return Ok(Self::default()) };
        let name = Name::from(out);
        if io.state(&name).await.is_none() {
            return Ok(Self::default());
        }
        let text = io.read_text(&name).await?;
        Self::of_text(text, session, seed).map_err(|why| Failure::File(format!("{out} {why}")))
    }

    fn of_text(mut text: String, session: &str, seed: u64) -> Result<Self, String> {
        let mut rows = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let row: ProbeRow = serde_json::from_str(line).map_err(|_| {
                format!("holds no answer of probe in line {}: name another file with -o", at + 1)
            })?;
            if row.session != session {
                return Err("holds answers about another session: name another file with -o".to_owned());
            }
            if row.seed != seed {
                let other = row.seed;
                return Err(format!(
                    "holds answers to the questions of --seed {other}, not {seed}: name another file with -o, or give --seed {other}"
                ));
            }
            rows.push(row);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Ok(Self { text, rows })
    }

    /// The answer to the same question, if there is one.
    pub(crate) fn find(&self, row: &ProbeRow) -> Option<&ProbeRow> {
        self.rows.iter().find(|known| known.is_of(row))
    }

    /// Adds an answer; the line that it is.
    pub(crate) fn add(&mut self, row: ProbeRow) -> String {
        let line = line(&row);
        self.text.push_str(&line);
        self.rows.push(row);
        line
    }

    /// The whole file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.text.clone().into_bytes()
    }
}

/// A checksum of a session.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    let whole = HEXLOWER.encode(&Sha256::digest(bytes));
    whole.get(..LETTERS).unwrap_or(&whole).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(part: u32, recall: bool) -> ProbeRow {
        ProbeRow {
            session: "s".to_owned(),
            seed: 1,
            part,
            recall,
            fact: "48213".to_owned(),
            ..ProbeRow::default()
        }
    }

    #[test]
    fn an_answer_is_found_again_by_what_was_asked() {
        let mut rows = ProbeRows::default();
        let line = rows.add(ProbeRow { answer: "48213".to_owned(), correct: true, ..row(3, false) });
        let read = ProbeRows::of_text(line.trim_end().to_owned(), "s", 1).unwrap();
        assert_eq!((read.rows.clone(), read.bytes()), (rows.rows, line.into_bytes()));
        assert!(read.find(&row(3, false)).is_some_and(|row| row.correct));
        assert_eq!(read.find(&row(3, true)), None);
        assert_eq!(read.find(&row(4, false)), None);
        let other = ProbeRow { settings: "x".to_owned(), ..row(3, false) };
        assert_eq!(read.find(&other), None);
    }

    #[test]
    fn answers_about_something_else_are_refused() {
        let mut rows = ProbeRows::default();
        let line = rows.add(row(3, false));
        for (text, session, seed, why) in [
            (line.clone(), "t", 1, "holds answers about another session"),
            (line, "s", 2, "holds answers to the questions of --seed 1, not 2"),
            ("{}\n".to_owned(), "s", 1, "holds no answer of probe in line 1"),
            ("\nhello".to_owned(), "s", 1, "holds no answer of probe in line 2"),
        ] {
            let said = ProbeRows::of_text(text, session, seed).unwrap_err();
            assert!(said.starts_with(why), "{said}");
        }
    }
}
