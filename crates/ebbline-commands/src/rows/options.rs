//! What the command line says of rows.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::values::Values;

/// What a row is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// A session under a policy.
    Sessions,
    /// A request of a session under a policy.
    Requests,
}

impl RowKind {
    /// What options ask for; `None` if they ask for no rows. What is wrong with them, [`RowsOptions::of`] says.
    pub(crate) fn of(values: &Values) -> Option<Self> {
        RowsOptions::of(values).ok().flatten().map(|options| options.of)
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// A line of JSON a row.
    Lines,
    /// Parquet.
    Parquet,
}

/// Rows that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowsOptions {
    /// The file.
    pub(crate) name: String,
    /// By the ending of its name.
    pub(crate) form: Form,
    /// What a row is of.
    pub(crate) of: RowKind,
    /// Whether the file is continued.
    pub(crate) resume: bool,
}

impl RowsOptions {
    /// The rows that options ask for; `None` if they ask for none.
    pub(crate) fn of(values: &Values) -> Result<Option<Self>, Failure> {
        let usage = |sentence: String| Err(Failure::Usage(sentence));
        let Some(name) = values.text("rows") else {
            return match ["rows-of", "resume"].into_iter().find(|option| values.has(option)) {
                Some(option) => usage(format!("--{option} needs --rows FILE")),
                None => Ok(None),
            };
        };
        let form = match Path::new(name).extension().and_then(|ending| ending.to_str()) {
            Some("jsonl" | "ndjson") => Form::Lines,
            Some("parquet") => Form::Parquet,
            _ => {
                return usage(format!(
                    "--rows needs a FILE that ends in .jsonl, .ndjson or .parquet, not {name}"
                ));
            }
        };
        let of = match values.text("rows-of") {
            None | Some("sessions") => RowKind::Sessions,
            Some("requests") => RowKind::Requests,
            Some(other) => return usage(format!("--rows-of must be one of sessions, requests, not {other}")),
        };
        let resume = values.has("resume");
        if resume && form == Form::Parquet {
            return usage(
                "--resume needs rows in JSON Lines: a file of Parquet cannot be continued once its end is written"
                    .to_owned(),
            );
        }
        Ok(Some(Self { name: name.to_owned(), form, of, resume }))
    }

    /// Refuses rows of requests.
    pub(crate) fn only_sessions(options: Option<&Self>, command: &str) -> Result<(), Failure> {
        match options {
            Some(Self { of: RowKind::Requests, .. }) => {
                Err(Failure::Usage(format!("{command} has rows of sessions only, not of requests")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &[(&'static str, Option<&str>)]) -> Result<Option<RowsOptions>, String> {
        let given = given.iter().map(|(name, value)| (*name, value.map(str::to_owned))).collect();
        RowsOptions::of(&Values::new(given)).map_err(|failure| failure.message())
    }

    #[test]
    fn the_ending_says_the_form() {
        assert_eq!(of(&[]), Ok(None));
        let options = of(&[("rows", Some("a/b.parquet")), ("rows-of", Some("requests"))]).unwrap().unwrap();
        assert_eq!((options.form, options.of, options.resume), (Form::Parquet, RowKind::Requests, false));
        let options = of(&[("rows", Some("b.jsonl")), ("resume", None)]).unwrap().unwrap();
        assert_eq!((options.form, options.of, options.resume), (Form::Lines, RowKind::Sessions, true));
    }

    #[test]
    fn mistakes_are_said() {
        assert_eq!(of(&[("resume", None)]).unwrap_err(), "--resume needs --rows FILE");
        assert!(of(&[("rows", Some("a.csv"))]).unwrap_err().ends_with("not a.csv"));
        assert!(of(&[("rows", Some("a.jsonl")), ("rows-of", Some("x"))]).unwrap_err().ends_with("not x"));
        assert!(of(&[("rows", Some("a.parquet")), ("resume", None)]).unwrap_err().contains("JSON Lines"));
        let requests = of(&[("rows", Some("a.jsonl")), ("rows-of", Some("requests"))]).unwrap();
        assert!(RowsOptions::only_sessions(requests.as_ref(), "audit").is_err());
        assert!(RowsOptions::only_sessions(None, "audit").is_ok());
    }
}
