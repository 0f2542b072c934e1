//! The files that a conversation read and modified, which pi finds in its tool calls.

use std::collections::BTreeSet;

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::coerce::{self, raises};
use super::message::{Block, Form, Message, Role};
use super::version::Version;

/// The paths in tool calls, by operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileOperations {
    read: BTreeSet<Utf16>,
    modified: BTreeSet<Utf16>,
}

/// Two lists of paths, sorted by UTF-16 units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileLists {
    /// Files that were read and not modified.
    pub read_files: Vec<Utf16>,
    /// Files that were written or edited.
    pub modified_files: Vec<Utf16>,
}

impl FileOperations {
    /// Adds the files that an earlier summary recorded in its `details`, unless an extension wrote that summary.
    pub fn add_recorded(&mut self, summary: Value<'_>) {
        if summary.get("fromHook").is_some_and(Value::is_truthy) {
            return;
        }
        let Some(details) = summary.get("details") else { return };
        self.read.extend(details.elements_of("readFiles").map(|path| coerce::string(Some(path))));
        self.modified.extend(details.elements_of("modifiedFiles").map(|path| coerce::string(Some(path))));
    }

    /// Adds the calls of `read`, `write` and `edit` in a message; since pi 1.5, also the calls that a script made and
    /// its result records.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if pi raises an exception: recorded calls that are not a list, or null.
    pub fn add_message(&mut self, message: &Message<'_>, version: Version) -> Result<(), Error> {
        if message.role == Role::ToolResult && version.reads_nested_calls() {
            let nested = message.value.present("nestedCalls").and_then(|nested| nested.present("calls"));
            if nested.is_some_and(|calls| !calls.is_array() && !calls.is_string()) {
                return Err(raises("recorded calls are not a list"));
            }
            for call in nested.into_iter().flat_map(Value::elements) {
                if call.is_null() {
                    return Err(raises("a recorded call is null"));
                }
                self.add_call(call);
            }
        }
        if message.role == Role::Assistant
            && let Form::Blocks(blocks) = message.content.form()
        {
            for block in blocks {
                if let Block::Stored(call) = block
                    && call.text_of("type").is_some_and(|kind| kind.is("toolCall"))
                {
                    self.add_call(call);
                }
            }
        }
        Ok(())
    }

    fn add_call(&mut self, call: Value<'_>) {
        let path = call.get("arguments").and_then(|arguments| arguments.text_of("path"));
        let (Some(path), Some(name)) = (path.filter(|path| !path.is_empty()), call.text_of("name")) else {
            return;
        };
        if name.is("read") {
            self.read.insert(Utf16::from(path));
        } else if name.is("write") || name.is("edit") {
            self.modified.insert(Utf16::from(path));
        }
    }

    /// The lists; a modified file is not listed as read.
    #[must_use]
    pub fn lists(&self) -> FileLists {
        FileLists {
            read_files: self.read.difference(&self.modified).cloned().collect(),
            modified_files: self.modified.iter().cloned().collect(),
        }
    }
}

impl FileLists {
    /// The lists as they are appended to a summary; empty if there are no files.
    #[must_use]
    pub fn to_tags(&self) -> Utf16 {
        let mut tags = Utf16::default();
        for (name, files) in [("read-files", &self.read_files), ("modified-files", &self.modified_files)] {
            if !files.is_empty() {
                tags.push_str(&format!("\n\n<{name}>\n"));
                tags.push(&Utf16::join(files, "\n"));
                tags.push_str(&format!("\n</{name}>"));
            }
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    fn lists(messages: &str, version: Version) -> (String, String) {
        let document = Document::parse(messages).unwrap();
        let mut operations = FileOperations::default();
        for message in Message::list(document.root()).unwrap() {
            operations.add_message(&message, version).unwrap();
        }
        let lists = operations.lists();
        (Utf16::join(&lists.read_files, " ").to_text(), Utf16::join(&lists.modified_files, " ").to_text())
    }

    #[test]
    fn calls_are_told_apart_by_their_exact_names() {
        let messages = r#"[{"role":"assistant","content":[null, 5, "text",
            {"type":"toolCall","name":"read","arguments":{"path":"b"}},
            {"type":"toolCall","name":"read","arguments":{"path":"a"}},
            {"type":"toolCall","name":"Read","arguments":{"path":"no"}},
            {"type":"toolCall","name":"write","arguments":{"path":"a"}},
            {"type":"toolCall","name":"edit","arguments":{"path":"c"}},
            {"type":"toolCall","name":"edit","arguments":{"path":7}},
            {"type":"toolCall","name":"edit","arguments":null}]},
          {"role":"user","content":[{"type":"toolCall","name":"read","arguments":{"path":"no"}}]}]"#;
        assert_eq!(lists(messages, Version::V0_58), ("b".to_owned(), "a c".to_owned()));
    }

    #[test]
    fn paths_are_sorted_by_utf16_units() {
        let call =
            |path: &str| format!(r#"{{"type":"toolCall","name":"read","arguments":{{"path":"{path}"}}}}"#);
        let calls: Vec<String> = ["\u{ff5e}", "😀", "z"].into_iter().map(call).collect();
        let messages = format!(r#"[{{"role":"assistant","content":[{}]}}]"#, calls.join(","));
        assert_eq!(lists(&messages, Version::V1_5).0, "z 😀 \u{ff5e}");
    }

    #[test]
    fn only_the_newest_version_reads_recorded_calls() {
        let messages =
            r#"[{"role":"toolResult","nestedCalls":{"calls":[{"name":"edit","arguments":{"path":"x"}}]}}]"#;
        assert_eq!(lists(messages, Version::V0_84).1, "");
        assert_eq!(lists(messages, Version::V1_5).1, "x");
    }

    #[test]
    fn records_of_extensions_are_left_alone() {
        let mut operations = FileOperations::default();
        for record in [
            r#"{"details":{"readFiles":["r","m"],"modifiedFiles":["m"]}}"#,
            r#"{"fromHook":true,"details":{"readFiles":["no"]}}"#,
            r#"{"details":{"readFiles":"no"}}"#,
            "{}",
        ] {
            operations.add_recorded(Document::parse(record).unwrap().root());
        }
        let tags = operations.lists().to_tags().to_text();
        assert_eq!(tags, "\n\n<read-files>\nr\n</read-files>\n\n<modified-files>\nm\n</modified-files>");
        assert!(FileLists::default().to_tags().is_empty());
    }
}
