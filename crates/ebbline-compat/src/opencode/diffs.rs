//! The files that a message or a session changed: the snapshots to compare, and the totals of the result.

use std::collections::HashSet;

use ebbline::json::{Text, Value};
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::display::exchange;
use super::message::{StoredMessage, flag, is, number_of};
use super::object::Json;
use super::version::Version;

/// Two snapshots of the working tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Snapshots {
    /// Before the first step.
    pub from: Utf16,
    /// After the last one.
    pub to: Utf16,
}

/// The changes of a message or session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Changes {
    /// The snapshots to compare; `None` if none were recorded, in which case nothing was changed.
    pub snapshots: Option<Snapshots>,
    /// The file diffs that count, unchanged.
    pub diffs: Vec<Json>,
    /// Their sums.
    pub totals: Totals,
}

/// Lines and files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Totals {
    /// Lines added.
    pub additions: u64,
    /// Lines removed.
    pub deletions: u64,
    /// Files changed.
    pub files: u64,
}

/// The changes of the user message `of` and its answers, or of the whole session if it is `None`.
///
/// The engine reads no files: the caller compares the two snapshots and passes the result as `file_diffs`, objects
/// with `file`, `additions` and `deletions`. Until January 2026 a session's totals only count files that one of its
/// patch parts names; `worktree` is the prefix of their absolute paths.
///
/// Source: each version's commit.
#[must_use]
pub fn changes(
    messages: &[StoredMessage<'_>],
    of: Option<&Utf16>,
    file_diffs: &[Value<'_>],
    worktree: &str,
    version: Version,
) -> Changes {
    let messages = of.map_or_else(|| messages.to_vec(), |id| exchange(messages, id));
    let Some(snapshots) = snapshots(&messages) else { return Changes::default() };
    let patched = (of.is_none() && version.titles_messages()).then(|| patched_files(&messages, worktree));
    let counts = |diff: &&Value<'_>| {
        let file = diff.text_of("file").map(Text::decode).unwrap_or_default();
        patched.as_ref().is_none_or(|patched| patched.contains(file.as_ref()))
    };
    let mut changes = Changes { snapshots: Some(snapshots), ..Changes::default() };
    for diff in file_diffs.iter().filter(counts) {
        // A value that is not a number counts as 0 lines.
        let lines = |key| number_of(*diff, key) as u64;
        changes.totals.additions = changes.totals.additions.saturating_add(lines("additions"));
        changes.totals.deletions = changes.totals.deletions.saturating_add(lines("deletions"));
        changes.totals.files += 1;
        changes.diffs.push(Json::of(*diff));
    }
    changes
}

fn snapshots(messages: &[StoredMessage<'_>]) -> Option<Snapshots> {
    let recorded = |kind: &'static str| {
        messages.iter().flat_map(|message| message.parts()).filter(move |part| is(*part, "type", kind))
    };
    let snapshot =
        |part: Value<'_>| part.text_of("snapshot").filter(|_| flag(part, "snapshot")).map(Utf16::from);
    let from = recorded("step-start").find_map(snapshot)?;
    let to = recorded("step-finish").filter_map(snapshot).last()?;
    Some(Snapshots { from, to })
}

fn patched_files(messages: &[StoredMessage<'_>], worktree: &str) -> HashSet<String> {
    let patches =
        messages.iter().flat_map(|message| message.parts()).filter(|part| is(*part, "type", "patch"));
    let files =
        patches.flat_map(|patch| patch.elements_of("files")).filter_map(Value::text).map(Text::decode);
    let inside = |file: &str| {
        let below = file.strip_prefix(worktree.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'));
        below.unwrap_or(file).to_owned()
    };
    files.map(|file| inside(&file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const SESSION: &str = r#"[
        {"info":{"id":"u1","role":"user"},"parts":[]},
        {"info":{"role":"assistant","parentID":"u1"},"parts":[
            {"type":"step-start","snapshot":"a"},{"type":"patch","files":["/w/kept.rs"]},
            {"type":"step-finish","snapshot":"b"}]},
        {"info":{"id":"u2","role":"user"},"parts":[]},
        {"info":{"role":"assistant","parentID":"u2"},"parts":[
            {"type":"step-start","snapshot":"c"},{"type":"step-finish"},{"type":"step-finish","snapshot":"d"}]}]"#;

    const DIFFS: &str =
        r#"[{"file":"kept.rs","additions":3,"deletions":1},{"file":"other.rs","additions":5,"deletions":0}]"#;

    #[test]
    fn snapshots_are_the_first_and_the_last_and_totals_count_by_version() {
        let (session, diffs) = (Document::parse(SESSION).unwrap(), Document::parse(DIFFS).unwrap());
        let messages = StoredMessage::list(session.root()).unwrap();
        let diffs: Vec<Value<'_>> = diffs.root().elements().collect();
        let cases = [
            (None, Version::V2026_06, "a", "d", Totals { additions: 8, deletions: 1, files: 2 }),
            (None, Version::V2026_01, "a", "d", Totals { additions: 3, deletions: 1, files: 1 }),
            (Some("u2"), Version::V2025_12, "c", "d", Totals { additions: 8, deletions: 1, files: 2 }),
        ];
        for (of, version, from, to, totals) in cases {
            let of = of.map(Utf16::from);
            let changes = changes(&messages, of.as_ref(), &diffs, "/w", version);
            let snapshots = changes.snapshots.unwrap();
            assert_eq!((snapshots.from, snapshots.to), (Utf16::from(from), Utf16::from(to)), "{version:?}");
            assert_eq!(changes.totals, totals, "{version:?}");
        }
        let nothing = changes(&[], None, &diffs, "", Version::V2026_06);
        assert_eq!(nothing, Changes::default(), "nothing was recorded");
    }
}
