//! Leaving a branch of the session tree: which entries are left, and which of them are summarized.

use std::collections::{HashMap, HashSet};

use ebbline::Error;
use ebbline::json::Value;
use serde::Serialize;

use super::coerce::{self, raises};
use super::context::edited;
use super::entry::{Entry, EntryKind, EntryName, Id};
use super::estimate::{Tokens, estimate_tokens};
use super::files::{FileLists, FileOperations};
use super::message::{Message, Role};
use super::version::Version;
use crate::question::Question;

/// A summary that does not fit is included nevertheless if less than this share of the budget is used.
const ROOM_FOR_A_SUMMARY: f64 = 0.9;

/// The entries that are left when a session moves from one entry to another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeftBranch<'e, 'd> {
    /// The entries below the common ancestor, oldest first.
    pub entries: Vec<&'e Entry<'d>>,
    /// The deepest entry on both paths.
    pub common_ancestor: Option<&'e Entry<'d>>,
}

impl<'e, 'd> LeftBranch<'e, 'd> {
    /// Collects the entries from `old_leaf` back to the common ancestor with `target`: pi's
    /// `collectEntriesForBranchSummary`. An unknown id has an empty path; without a target, the newest entry is used.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if the parents form a cycle, which pi follows endlessly.
    pub fn collect(entries: &'e [Entry<'d>], old_leaf: &Id<'_>, target: &Id<'_>) -> Result<Self, Error> {
        let mut left = Self { entries: Vec::new(), common_ancestor: None };
        if !old_leaf.is_given() {
            return Ok(left);
        }
        let old_path = path(entries, old_leaf)?;
        let target_path = path(entries, target)?;
        let old_ids: HashSet<&Id<'d>> = old_path.iter().map(|entry| &entry.id).collect();
        left.common_ancestor = target_path.into_iter().find(|entry| old_ids.contains(&entry.id));
        let ancestor = left.common_ancestor.map(|entry| &entry.id);
        left.entries = old_path.into_iter().take_while(|entry| Some(&entry.id) != ancestor).collect();
        left.entries.reverse();
        Ok(left)
    }
}

/// The entries from `leaf` back to the root.
fn path<'e, 'd>(entries: &'e [Entry<'d>], leaf: &Id<'_>) -> Result<Vec<&'e Entry<'d>>, Error> {
    let by_id: HashMap<&Id<'_>, &'e Entry<'d>> = entries.iter().map(|entry| (&entry.id, entry)).collect();
    let is_nothing = matches!(leaf, Id::Missing | Id::Other("null"));
    let mut next = if is_nothing { entries.last() } else { by_id.get(leaf).copied() };
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    while let Some(entry) = next {
        if !seen.insert(entry.at) {
            return Err(raises(&format!("the parents of entry {} form a circle", entry.name())));
        }
        path.push(entry);
        next = if entry.parent.is_given() { by_id.get(&entry.parent).copied() } else { None };
    }
    Ok(path)
}

/// The messages of a branch that fit a budget.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BranchMessages<'d> {
    /// The newest messages, oldest first, without tool results; [`Message::at`] names their entries.
    pub messages: Vec<Message<'d>>,
    /// Their estimated tokens.
    pub total_tokens: f64,
    /// The files named by these messages, by the first message that did not fit, and by every earlier branch summary.
    pub files: FileOperations,
}

impl<'d> BranchMessages<'d> {
    /// Takes messages from the newest to the oldest until the budget is used up: pi's `prepareBranchEntries`. A
    /// budget of 0 or less means no limit.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if pi raises an exception: a message that is missing or cannot be measured.
    pub fn select(entries: &[&Entry<'d>], budget: f64, version: Version) -> Result<Self, Error> {
        let mut selected = Self::default();
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::BranchSummary) {
            selected.files.add_recorded(entry.value);
        }
        let edits: HashMap<Id<'d>, Value<'d>> = entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::ContextEdit && version.applies_edits())
            .map(|edit| (Id::of(edit.value.get("targetId")), edit.value))
            .collect();
        for entry in entries.iter().rev() {
            let Some(message) = message_of(entry, edits.get(&entry.id).copied(), version)? else { continue };
            selected.files.add_message(&message, version)?;
            let tokens = estimate_tokens(&message, version)?;
            let fits = budget.is_nan() || budget <= 0.0 || selected.total_tokens + tokens <= budget;
            let is_summary = matches!(entry.kind, EntryKind::Compaction | EntryKind::BranchSummary);
            if fits || (is_summary && selected.total_tokens < budget * ROOM_FOR_A_SUMMARY) {
                selected.messages.push(message);
                selected.total_tokens += tokens;
            }
            if !fits {
                break;
            }
        }
        selected.messages.reverse();
        Ok(selected)
    }
}

/// The message of an entry in the summary of a branch; a tool's result adds nothing to its call.
fn message_of<'d>(
    entry: &Entry<'d>,
    edit: Option<Value<'d>>,
    version: Version,
) -> Result<Option<Message<'d>>, Error> {
    let message = match entry.kind {
        EntryKind::Message => entry.message()?.filter(|message| message.role != Role::ToolResult),
        EntryKind::CustomMessage => Some(Message::made(Role::Custom, entry.value, entry.at)),
        EntryKind::BranchSummary => {
            return Ok(Some(Message::made(Role::BranchSummary, entry.value, entry.at)));
        }
        EntryKind::Compaction => {
            return Ok(Some(Message::made(Role::CompactionSummary, entry.value, entry.at)));
        }
        _ => None,
    };
    match (message, edit) {
        (Some(_), Some(edit)) => {
            Ok(edited(entry.messages(version)?, edit.get("replacement"))?.into_iter().next())
        }
        (message, _) => Ok(message),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BranchAnswer<'e> {
    collected: Vec<EntryName<'e>>,
    common_ancestor_id: Option<EntryName<'e>>,
    messages: Vec<EntryName<'e>>,
    total_tokens: Tokens,
    #[serde(flatten)]
    files: FileLists,
}

pub(super) fn ask_branch(question: Question<'_>, version: Version) -> Result<String, Error> {
    let entries = Entry::list(question.data)?;
    let options = question.options;
    let left =
        LeftBranch::collect(&entries, &Id::of(options.get("oldLeafId")), &Id::of(options.get("targetId")))?;
    let budget = options.get("tokenBudget").map_or(0.0, |budget| coerce::number(Some(budget)));
    let selected = BranchMessages::select(&left.entries, budget, version)?;
    let sources = selected.messages.iter().filter_map(|message| entries.get(message.at));
    Question::answer(&BranchAnswer {
        collected: left.entries.iter().map(|entry| entry.name()).collect(),
        common_ancestor_id: left.common_ancestor.map(Entry::name),
        messages: sources.map(Entry::name).collect(),
        total_tokens: Tokens(selected.total_tokens),
        files: selected.files.lists(),
    })
}

#[cfg(test)]
mod tests {
    use crate::ask;

    /// a - b - c(tool) - d, and e as a sibling of c.
    const ENTRIES: &str = r#"[
      {"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"12345678"}},
      {"type":"branch_summary","id":"b","parentId":"a","summary":"1234567890123456","details":{"readFiles":["r"]}},
      {"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","content":[]}},
      {"type":"message","id":"d","parentId":"c","message":{"role":"user","content":"1234567890123456"}},
      {"type":"context_edit","id":"x","parentId":"d","targetId":"d","replacement":null},
      {"type":"message","id":"e","parentId":"b","message":{"role":"user","content":"1234"}}]"#;

    fn asked(options: &str) -> String {
        ask("pi", "branch", ENTRIES, options).unwrap()
    }

    #[test]
    fn entries_are_collected_up_to_the_common_ancestor() {
        let cases = [
            (r#"{"oldLeafId":"d","targetId":"e"}"#, r#"{"collected":["c","d"],"commonAncestorId":"b","#),
            (r#"{"oldLeafId":"d","targetId":"a"}"#, r#"{"collected":["b","c","d"],"commonAncestorId":"a","#),
            (
                r#"{"oldLeafId":"d","targetId":"?"}"#,
                r#"{"collected":["a","b","c","d"],"commonAncestorId":null,"#,
            ),
            (r#"{"oldLeafId":"?","targetId":"a"}"#, r#"{"collected":[],"commonAncestorId":null,"#),
            (r#"{"oldLeafId":null,"targetId":"a"}"#, r#"{"collected":[],"commonAncestorId":null,"#),
            (r#"{"oldLeafId":"d"}"#, r#"{"collected":["c","d"],"commonAncestorId":"b","#),
        ];
        for (options, expected) in cases {
            assert!(asked(options).starts_with(expected), "{options}: {}", asked(options));
        }
        let circle = r#"[{"type":"label","id":"a","parentId":"b"},{"type":"label","id":"b","parentId":"a"}]"#;
        assert!(ask("pi", "branch", circle, r#"{"oldLeafId":"a","targetId":"b"}"#).is_err());
    }

    #[test]
    fn a_budget_ends_the_walk_but_makes_room_for_a_summary() {
        let cases = [
            (0, r#""messages":["a","b","d"],"totalTokens":10,"readFiles":["r"]"#),
            (10, r#""messages":["a","b","d"],"totalTokens":10"#),
            (9, r#""messages":["b","d"],"totalTokens":8"#),
            (5, r#""messages":["b","d"],"totalTokens":8"#),
            (4, r#""messages":["d"],"totalTokens":4,"readFiles":["r"]"#),
            (-1, r#""messages":["a","b","d"],"totalTokens":10"#),
        ];
        for (budget, expected) in cases {
            let options = format!(r#"{{"oldLeafId":"d","targetId":"?","tokenBudget":{budget}}}"#);
            assert!(asked(&options).contains(expected), "{budget}: {}", asked(&options));
        }
    }

    #[test]
    fn only_the_newest_version_applies_edits() {
        let leave = |version| asked(&format!(r#"{{"version":"{version}","oldLeafId":"x","targetId":"e"}}"#));
        assert!(leave("0.84").contains(r#""messages":["d"]"#));
        assert!(leave("1.5").contains(r#""messages":[]"#));
    }
}
