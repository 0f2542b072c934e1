//! What a peer sends: one line for each request whose context is not the one before with what came since.

use serde::Deserialize;

/// One line of a peer's replay.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The library, its version, and how it is called.
    pub peer: String,
    /// The context window, in tokens.
    pub window: u64,
    /// The name of the life.
    pub session: String,
    /// The request, counted from 0. The first one always has a line.
    pub request: usize,
    /// What the request sends, in order.
    pub context: Vec<Item>,
    /// The characters of the calls that made summaries before it: what was sent, and what came back.
    #[serde(default)]
    pub asked: (u64, u64),
}

/// A piece of a context.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged, deny_unknown_fields)]
pub enum Item {
    /// Parts of the log as they were, the first and the last.
    Whole([usize; 2]),
    /// What stands in the place of a part.
    Replaced {
        /// The part of the log.
        part: usize,
        /// What stands there.
        text: String,
    },
    /// What the library wrote itself.
    Added {
        /// Who is made to say it.
        role: String,
        /// What is said.
        text: String,
    },
}

impl Row {
    /// The rows of a text; an error names its line.
    pub fn read(text: &str) -> Result<Vec<Self>, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let row = |(at, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| format!("line {} is no row: {error}", at + 1))
        };
        lines.map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_nobody_understands_is_named() {
        let row = r#"{"peer":"p","window":9,"session":"s","request":0,"context":[[0,3],{"part":4,"text":""},{"role":"user","text":"x"}]}"#;
        let rows = Row::read(row).unwrap();
        assert_eq!(rows[0].context[0], Item::Whole([0, 3]));
        for (wrong, expected) in [
            (row.replace("window", "size"), "unknown field `size`"),
            (row.replace("[0,3]", "[0]"), "did not match any variant"),
            (row.replace("\"request\":0,", ""), "missing field `request`"),
        ] {
            let error = Row::read(&format!("{row}\n\n{wrong}")).unwrap_err();
            assert!(error.starts_with("line 3 is no row: ") && error.contains(expected), "{error}");
        }
    }
}
