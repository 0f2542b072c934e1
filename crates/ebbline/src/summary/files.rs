//! The files that an agent read and modified: found in its tool calls, and passed on from summary to summary.

use std::collections::HashSet;

use serde::Serialize;

use super::escape::is_no_path;
use crate::json::{Document, Value, Writer};
use crate::order::sort_by;

/// The maximum length of a list; of more paths, the newest are listed and the others counted.
const MOST: usize = 200;
/// A longer text is not a path.
const LONGEST_PATH: usize = 1_000;
/// The beginning of the line that counts unlisted paths.
const MORE: &str = "… and ";

const READ_TAG: &str = "read-files";
const MODIFIED_TAG: &str = "modified-files";

/// What a tool does to the file that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    Reads,
    Modifies,
}

/// What a call does to one file, as far as another call may make it needless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads a file, or the part of it that the other arguments name; empty if it reads all of it.
    Read { path: String, part: String },
    /// It writes a whole file.
    Write { path: String },
}

/// Arguments that do not change what is read.
const REMARKS: &[&str] = &["description", "explanation", "reason", "command"];
/// Tools that write whole files, and the command of an editor that does.
const WRITING: &[&str] = &["write", "writefile", "writetofile", "createfile"];
const CREATES: &str = "create";

/// What a call does to the file that it names; `None` for other calls, and for those that change a part of a file or name several.
pub(crate) fn access_of(tool: &str, arguments: Value<'_>) -> Option<Access> {
    if let Some(text) = arguments.text() {
        let text = text.decode();
        let document = Document::parse(&text).ok().filter(|document| document.root().is_object())?;
        return access_of(tool, document.root());
    }
    let command = arguments.text_of("command").map(|command| command.decode());
    let touch = touch_of(tool, command.as_deref())?;
    let key = PATH_KEYS.iter().find(|key| arguments.present(key).is_some())?;
    let path = path(&arguments.text_of(key)?.decode())?;
    match touch {
        Touch::Reads => {
            let is_other = |name: crate::json::Text<'_>, value: Value<'_>| {
                !name.is(key) && !value.is_null() && !REMARKS.iter().any(|remark| name.is(remark))
            };
            let others = arguments.members().filter(|(name, value)| is_other(*name, *value));
            let mut others: Vec<String> =
                others.map(|(name, value)| format!("{}:{}", name.raw(), value.source())).collect();
            sort_by(&mut others, &|one, other| one.cmp(other));
            Some(Access::Read { path, part: others.join(",") })
        }
        Touch::Modifies => {
            let creates = command.as_deref() == Some(CREATES);
            (creates || WRITING.contains(&plain_name(tool).as_str())).then_some(Access::Write { path })
        }
    }
}

/// Names of tools in lower case, without separators and prefixes (`mcp__fs__read_file` is `readfile`).
const READING: &[&str] =
    &["read", "readfile", "readmanyfiles", "view", "viewfile", "openfile", "notebookread"];
const MODIFYING: &[&str] = &[
    "write", "writefile", "writetofile", "createfile", "updatefile", "edit", "editfile", "multiedit",
    "replace", "replaceinfile", "searchreplace", "strreplace", "strreplaceeditor", "strreplacebasededittool",
    "insert", "insertedit", "notebookedit", "deletefile", "patch", "applypatch", "applydiff",
];

/// The arguments in which tools name a file.
const PATH_KEYS: &[&str] = &[
    "path", "file_path", "filePath", "filepath", "filename", "file", "target_file", "absolute_path",
    "notebook_path", "paths", "files",
];

/// The beginnings of lines that name a file in a patch.
const PATCH_LINES: &[&str] =
    &["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ", "+++ b/"];

/// The files that were read and the files that were modified, each in the order of the last access.
///
/// # Example
///
/// ```
/// use ebbline::summary::FileLists;
/// let mut files = FileLists::default();
/// files.add_from_summary("## Goal\n…\n\n<read-files>\nsrc/cart.ts\nsrc/money.ts\n</read-files>");
/// files.add_from_summary("<modified-files>\nsrc/money.ts\n</modified-files>");
/// assert_eq!(files.to_text(), "<read-files>\nsrc/cart.ts\n</read-files>\n\n<modified-files>\nsrc/money.ts\n</modified-files>");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileLists {
    /// Files that were read.
    pub read: Vec<String>,
    /// Files that were written, edited, patched or deleted.
    pub modified: Vec<String>,
    /// How many read files earlier summaries counted without listing them.
    pub unlisted_read: usize,
    /// How many modified files earlier summaries counted without listing them.
    pub unlisted_modified: usize,
}

impl FileLists {
    /// Reads the lists from JSON as they are written; `None` if it is something else.
    pub(super) fn read(value: Value<'_>) -> Option<Self> {
        let paths = |key: &str| -> Option<Vec<String>> {
            let list = value.get(key).filter(|list| list.is_array())?;
            list.elements().map(|path| Some(path.text()?.decode().into_owned())).collect()
        };
        let count = |key: &str| value.get(key).map_or(Some(0), |count| count.source().parse().ok());
        Some(Self {
            read: paths("read")?,
            modified: paths("modified")?,
            unlisted_read: count("unlistedRead")?,
            unlisted_modified: count("unlistedModified")?,
        })
    }

    /// Writes the lists as JSON.
    pub(super) fn write(&self, out: &mut Writer) {
        for (lead, paths) in [("{\"read\":[", &self.read), ("],\"modified\":[", &self.modified)] {
            out.raw(lead);
            for (index, path) in paths.iter().enumerate() {
                out.raw(if index == 0 { "" } else { "," }).string(path);
            }
        }
        out.raw("],\"unlistedRead\":").number(self.unlisted_read as u64);
        out.raw(",\"unlistedModified\":").number(self.unlisted_modified as u64).raw("}");
    }

    /// Adds the lists from the end of an earlier summary.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::FileLists;
    /// let mut files = FileLists::default();
    /// files.add_from_summary("## Goal\nA shop.\n\n<modified-files>\nsrc/cart.ts\n</modified-files>");
    /// assert_eq!(files.to_text(), "<modified-files>\nsrc/cart.ts\n</modified-files>");
    /// ```
    pub fn add_from_summary(&mut self, summary: &str) {
        let (_, blocks) = split_blocks(summary);
        for (tag, lines) in blocks {
            let (list, unlisted) = if tag == READ_TAG {
                (&mut self.read, &mut self.unlisted_read)
            } else {
                (&mut self.modified, &mut self.unlisted_modified)
            };
            for line in lines.lines().map(str::trim) {
                match line.strip_prefix(MORE).and_then(|rest| rest.strip_suffix(" more")) {
                    Some(count) => *unlisted += count.parse().unwrap_or(0),
                    None => list.extend(path(line)),
                }
            }
        }
    }

    /// Adds the files that a call names whose arguments stand in a string.
    pub(crate) fn add_from_text(&mut self, tool: &str, arguments: &str) {
        match Document::parse(arguments) {
            Ok(document) if document.root().is_object() => self.add_from_call(tool, document.root()),
            _ => self.modified.extend(paths_of_patch(arguments)),
        }
    }

    /// Adds the files that a call names. `arguments` are an object or, for a patch, a text.
    pub(crate) fn add_from_call(&mut self, tool: &str, arguments: Value<'_>) {
        if let Some(text) = arguments.text() {
            return self.add_from_text(tool, &text.decode());
        }
        let strings = || arguments.members().filter_map(|(_, value)| value.text());
        let patch = strings().find(|text| text.raw().contains("*** Begin Patch"));
        if let Some(patch) = patch {
            self.modified.extend(paths_of_patch(&patch.decode()));
            return;
        }
        let command = arguments.text_of("command").map(|command| command.decode());
        let Some(touch) = touch_of(tool, command.as_deref()) else { return };
        let list = match touch {
            Touch::Reads => &mut self.read,
            Touch::Modifies => &mut self.modified,
        };
        for key in PATH_KEYS {
            let Some(value) = arguments.present(key) else { continue };
            let inner =
                value.elements().filter_map(|element| element.text().or_else(|| element.text_of("path")));
            let found: Vec<_> = value.text().into_iter().chain(inner).collect();
            list.extend(found.into_iter().filter_map(|text| path(&text.decode())));
        }
    }

    /// Whether both lists are empty.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::summary::FileLists::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read.is_empty()
            && self.modified.is_empty()
            && self.unlisted_read == 0
            && self.unlisted_modified == 0
    }

    /// The lists as written at the end of a summary: sorted, without duplicates, a modified file not among the read
    /// ones; an empty list is left out.
    ///
    /// They have pi's form, so that pi's reader and ebbline's can read them again.
    ///
    /// # Example
    ///
    /// ```
    /// let mut files = ebbline::summary::FileLists::default();
    /// files.add_from_summary("The cart.\n\n<read-files>\nb.ts\na.ts\n</read-files>");
    /// assert_eq!(files.to_text(), "<read-files>\na.ts\nb.ts\n</read-files>");
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        let modified: HashSet<&str> = self.modified.iter().map(String::as_str).collect();
        let read = self.read.iter().map(String::as_str).filter(|path| !modified.contains(path));
        let blocks = [
            block(READ_TAG, read, self.unlisted_read),
            block(MODIFIED_TAG, self.modified.iter().map(String::as_str), self.unlisted_modified),
        ];
        blocks.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }
}

/// Removes the lists from a summary, wherever they are.
pub(crate) fn without_lists(summary: &str) -> String {
    split_blocks(summary).0.trim().to_owned()
}

/// The text outside the lists, and each list's tag and lines.
fn split_blocks(summary: &str) -> (String, Vec<(&'static str, &str)>) {
    let mut outside = String::with_capacity(summary.len());
    let mut blocks = Vec::new();
    let mut rest = summary;
    while let Some((tag, start, end, after)) = next_block(rest) {
        outside.push_str(rest.get(..start).unwrap_or_default().trim_end());
        outside.push('\n');
        blocks.push((tag, rest.get(start + tag.len() + 2..end).unwrap_or_default()));
        rest = rest.get(after..).unwrap_or_default();
    }
    outside.push_str(rest);
    (outside, blocks)
}

/// The first list: its tag, its start, the end of its lines, and its end.
fn next_block(text: &str) -> Option<(&'static str, usize, usize, usize)> {
    [READ_TAG, MODIFIED_TAG]
        .into_iter()
        .filter_map(|tag| {
            let start = text.find(&format!("<{tag}>"))?;
            let closing = format!("</{tag}>");
            let end = start + text.get(start..)?.find(&closing)?;
            Some((tag, start, end, end + closing.len()))
        })
        .min_by_key(|(_, start, ..)| *start)
}

/// A list between its tags; `paths` are in the order of their last access.
fn block<'p>(tag: &str, paths: impl DoubleEndedIterator<Item = &'p str>, unlisted: usize) -> Option<String> {
    let mut seen = HashSet::new();
    let newest_first: Vec<&str> = paths.rev().filter(|path| seen.insert(*path)).collect();
    let more = unlisted + newest_first.len().saturating_sub(MOST);
    let mut listed: Vec<&str> = newest_first.into_iter().take(MOST).collect();
    sort_by(&mut listed, &|one, other| one.cmp(other));
    let more = (more > 0).then(|| format!("{MORE}{more} more"));
    let lines: Vec<&str> = listed.into_iter().chain(more.as_deref()).collect();
    (!lines.is_empty()).then(|| format!("<{tag}>\n{}\n</{tag}>", lines.join("\n")))
}

/// What `tool` does to a file; for an editor that can also show files, its command decides.
fn touch_of(tool: &str, command: Option<&str>) -> Option<Touch> {
    let name = plain_name(tool);
    if READING.contains(&name.as_str()) {
        Some(Touch::Reads)
    } else if MODIFYING.contains(&name.as_str()) {
        Some(if command == Some("view") { Touch::Reads } else { Touch::Modifies })
    } else {
        None
    }
}

/// The name of a tool in lower case, without separators and prefixes.
fn plain_name(tool: &str) -> String {
    let last = tool.rsplit("__").next().unwrap_or(tool);
    let last = last.rsplit(['.', '/', ':']).next().unwrap_or(last);
    last.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

fn paths_of_patch(patch: &str) -> Vec<String> {
    let named = |line: &str| PATCH_LINES.iter().find_map(|lead| line.strip_prefix(lead)).and_then(path);
    patch.lines().filter_map(|line| named(line.trim_end())).collect()
}

/// A text as a path, if it can be a line of a list.
fn path(text: &str) -> Option<String> {
    let text = text.trim();
    let fits =
        !text.is_empty() && text.len() <= LONGEST_PATH && !text.contains(['<', '>']) && !is_no_path(text);
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_call(tool: &str, arguments: &str) -> (Vec<String>, Vec<String>) {
        let document = Document::parse(arguments).unwrap();
        let mut files = FileLists::default();
        files.add_from_call(tool, document.root());
        (files.read, files.modified)
    }

    #[test]
    fn calls_of_common_agents_name_their_files() {
        let cases: [(&str, &str, &[&str], &[&str]); 15] = [
            ("read", r#"{"path":"a.rs","offset":1}"#, &["a.rs"], &[]),
            ("Read", r#"{"file_path":"/w/a.rs"}"#, &["/w/a.rs"], &[]),
            ("read_file", r#"{"filepath":"a.rs"}"#, &["a.rs"], &[]),
            ("read", r#""{\"filePath\":\"a.rs\"}""#, &["a.rs"], &[]),
            ("mcp__fs__read_many_files", r#"{"paths":["a","b",1]}"#, &["a", "b"], &[]),
            ("Write", r#"{"content":"x","file_path":"a.rs"}"#, &[], &["a.rs"]),
            ("str_replace_based_edit_tool", r#"{"command":"view","path":"a"}"#, &["a"], &[]),
            ("str_replace_based_edit_tool", r#"{"command":"create","path":"a"}"#, &[], &["a"]),
            ("functions.edit_file", r#"{"target_file":"a"}"#, &[], &["a"]),
            (
                "apply_patch",
                r#""*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n""#,
                &[],
                &["a.rs", "b.rs"],
            ),
            ("shell", r#"{"script":"x <<E\n*** Begin Patch\n*** Add File: c d\nE"}"#, &[], &["c d"]),
            ("patch", r#""--- a/x.rs\n+++ b/x.rs\n""#, &[], &["x.rs"]),
            ("bash", r#"{"command":"cat a.rs","path":"x"}"#, &[], &[]),
            ("write", r#"{"path":"a\nb"}"#, &[], &[]),
            ("write", "null", &[], &[]),
        ];
        for (tool, arguments, read, modified) in cases {
            let expected = (
                read.iter().map(ToString::to_string).collect::<Vec<_>>(),
                modified.iter().map(ToString::to_string).collect::<Vec<_>>(),
            );
            assert_eq!(of_call(tool, arguments), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn what_a_call_does_to_a_file_tells_reads_of_parts_from_reads_of_all() {
        let read = |path: &str, part: &str| Access::Read { path: path.to_owned(), part: part.to_owned() };
        let write = |path: &str| Access::Write { path: path.to_owned() };
        for (tool, arguments, expected) in [
            ("read", r#"{"path":"a.rs"}"#, Some(read("a.rs", ""))),
            (
                "Read",
                r#"{"limit":9,"file_path":"a.rs","offset":1,"x":null}"#,
                Some(read("a.rs", "limit:9,offset:1")),
            ),
            ("read_file", r#""{\"filePath\":\"a.rs\"}""#, Some(read("a.rs", ""))),
            (
                "str_replace_based_edit_tool",
                r#"{"command":"view","path":"a","view_range":[1, 2]}"#,
                Some(read("a", "view_range:[1, 2]")),
            ),
            (
                "str_replace_based_edit_tool",
                r#"{"command":"create","path":"a","file_text":"x"}"#,
                Some(write("a")),
            ),
            ("str_replace_based_edit_tool", r#"{"command":"str_replace","path":"a"}"#, None),
            ("mcp__fs__write_file", r#"{"path":"a","content":"x"}"#, Some(write("a"))),
            ("edit", r#"{"path":"a","oldText":"x"}"#, None),
            ("read_many_files", r#"{"paths":["a","b"]}"#, None),
            ("bash", r#"{"command":"cat a"}"#, None),
        ] {
            let document = Document::parse(arguments).unwrap();
            assert_eq!(access_of(tool, document.root()), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn lists_are_carried_on_and_never_grow_without_end() {
        let mut files = FileLists::default();
        files.modified.extend((0..MOST + 5).map(|index| format!("f{index:03}")));
        files.read.extend(["f204".to_owned(), "only-read".to_owned(), "only-read".to_owned()]);
        let text = files.to_text();
        assert!(text.starts_with("<read-files>\nonly-read\n</read-files>\n\n<modified-files>\nf005\nf006\n"));
        assert!(text.ends_with("f204\n… and 5 more\n</modified-files>"), "{text}");
        let mut next = FileLists::default();
        next.add_from_summary(&text);
        assert_eq!((next.modified.len(), next.unlisted_modified), (MOST, 5));
        assert_eq!(next.to_text(), text);
    }

    #[test]
    fn a_summary_can_be_had_without_its_lists() {
        let summary = "## Goal\nx\n\n<modified-files>\na\n</modified-files>\n\nafter <read-files> open";
        assert_eq!(without_lists(summary), "## Goal\nx\n\n\nafter <read-files> open");
        assert_eq!(without_lists("<read-files>\na\n</read-files>"), "");
    }
}
