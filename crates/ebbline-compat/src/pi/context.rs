//! The context of a session tree: what is sent to the model for a leaf (pi's `buildSessionContext`).

use std::collections::{HashMap, HashSet};

use ebbline::Error;
use ebbline::json::Value;

use super::coerce::raises;
use super::entry::{Entry, EntryKind, Id};
use super::estimate::{ContextEstimate, estimate_context, estimate_without_usage};
use super::message::{Content, Message, Role};
use super::version::Version;

/// The entry at the end of a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leaf<'l> {
    /// The last entry of the file.
    #[default]
    Last,
    /// Before the first entry: nothing is sent.
    BeforeFirst,
    /// The entry with this id; the last entry if there is no such entry.
    Id(&'l str),
}

/// An entry of the context and its messages.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ContextEntry<'e, 'd> {
    /// The entry.
    pub entry: &'e Entry<'d>,
    /// Its messages after edits; empty if it adds nothing or is hidden.
    pub messages: Vec<Message<'d>>,
}

/// The model that answered last or was chosen since.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ModelChoice<'d> {
    /// The provider, as stored.
    pub provider: Option<Value<'d>>,
    /// The model, as stored.
    pub model: Option<Value<'d>>,
}

/// What is sent from a leaf.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Context<'e, 'd> {
    /// The entries from the root to the leaf.
    pub path: Vec<&'e Entry<'d>>,
    /// The entries of the context in the order in which they are sent: the newest compaction, then what it kept, then
    /// later entries.
    pub entries: Vec<ContextEntry<'e, 'd>>,
    /// The last thinking level set on the path; `None` if none was set.
    pub thinking_level: Option<Value<'d>>,
    /// The model of the path; `None` when the path names none.
    pub model: Option<ModelChoice<'d>>,
}

impl<'e, 'd> Context<'e, 'd> {
    /// Builds the context of `leaf` (pi's `buildSessionContext`; in pi 1.5, `buildSessionProjection`).
    ///
    /// # Errors
    ///
    /// `invalid_settings` if pi has no answer: a message entry without a message, a cycle of parents.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_compat::pi::{Context, Entry, Leaf, Version};
    /// use ebbline::json::Document;
    ///
    /// let text = r#"[
    ///   {"type": "message", "id": "a", "message": {"role": "user", "content": "hello"}},
    ///   {"type": "message", "id": "b", "parentId": "a", "message": {"role": "user", "content": "on a branch"}},
    ///   {"type": "message", "id": "c", "parentId": "a", "message": {"role": "user", "content": "on another"}}
    /// ]"#;
    /// let document = Document::parse(text)?;
    /// let entries = Entry::list(document.root())?;
    /// let context = Context::build(&entries, Leaf::Id("b"), Version::V1_5)?;
    /// assert_eq!(context.messages().len(), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn build(entries: &'e [Entry<'d>], leaf: Leaf<'_>, version: Version) -> Result<Self, Error> {
        let path = path(entries, leaf)?;
        let (mut thinking_level, mut model) = (None, None);
        for entry in &path {
            let member = |key: &str| entry.value.get(key);
            match entry.kind {
                EntryKind::ThinkingLevelChange => thinking_level = member("thinkingLevel"),
                EntryKind::ModelChange => {
                    model = Some(ModelChoice { provider: member("provider"), model: member("modelId") });
                }
                _ => {
                    if let Some(answer) = entry.message()?.filter(|message| message.role == Role::Assistant) {
                        let (provider, name) = (answer.value.get("provider"), answer.value.get("model"));
                        model = Some(ModelChoice { provider, model: name });
                    }
                }
            }
        }
        let selected = selected(&path, version)?;
        let entries = projected(&selected, version)?;
        Ok(Self { path, entries, thinking_level, model })
    }

    /// The messages in the order in which they are sent.
    #[must_use]
    pub fn messages(&self) -> Vec<Message<'d>> {
        self.entries.iter().flat_map(|entry| entry.messages.iter().copied()).collect()
    }

    /// The estimate of the context. pi 1.5 only uses a usage if its answer is in `branch` after the newest compaction
    /// and edit (`estimateProjectedContextTokens`).
    ///
    /// # Errors
    ///
    /// As [`super::estimate_tokens`].
    pub fn estimate(&self, branch: &[&Entry<'d>], version: Version) -> Result<ContextEstimate, Error> {
        let messages = self.messages();
        let estimate = estimate_context(&messages, version)?;
        if !version.anchor_must_be_newer_than_compaction() {
            return Ok(estimate);
        }
        let anchor = estimate.last_usage_index.and_then(|index| self.entry_of_message(index));
        let anchor = anchor.filter(|entry| entry.id.is_given());
        let anchored_at = anchor.and_then(|anchor| branch.iter().position(|entry| entry.id == anchor.id));
        let newest_change = branch
            .iter()
            .rposition(|entry| matches!(entry.kind, EntryKind::ContextEdit | EntryKind::Compaction));
        // No position comes before every position.
        if anchored_at > newest_change {
            return Ok(estimate);
        }
        estimate_without_usage(&messages, version)
    }

    fn entry_of_message(&self, index: usize) -> Option<&'e Entry<'d>> {
        let mut sources =
            self.entries.iter().flat_map(|entry| std::iter::repeat_n(entry.entry, entry.messages.len()));
        sources.nth(index)
    }
}

/// The entries from the root to the leaf.
fn path<'e, 'd>(entries: &'e [Entry<'d>], leaf: Leaf<'_>) -> Result<Vec<&'e Entry<'d>>, Error> {
    let by_id: HashMap<&Id<'d>, &'e Entry<'d>> = entries.iter().map(|entry| (&entry.id, entry)).collect();
    let leaf = match leaf {
        Leaf::BeforeFirst => return Ok(Vec::new()),
        Leaf::Id(id) if !id.is_empty() => by_id.get(&Id::Text(id.into())).copied(),
        Leaf::Id(_) | Leaf::Last => None,
    };
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut next = leaf.or(entries.last());
    while let Some(entry) = next {
        if !seen.insert(entry.at) {
            return Err(raises(&format!("the parents of entry {} form a circle", entry.name())));
        }
        path.push(entry);
        next = if entry.parent.is_given() { by_id.get(&entry.parent).copied() } else { None };
    }
    path.reverse();
    Ok(path)
}

/// The entries of a path that the newest compaction leaves in the context, with the compaction first.
fn selected<'e, 'd>(path: &[&'e Entry<'d>], version: Version) -> Result<Vec<&'e Entry<'d>>, Error> {
    let Some(compaction) = path.iter().copied().rfind(|entry| entry.is_compaction()) else {
        return Ok(path.to_vec());
    };
    // pi looks the compaction up by its id, which another entry may have too.
    let is_it =
        |entry: &&Entry<'_>| entry.id == compaction.id && (version > Version::V0_58 || entry.is_compaction());
    let at = path.iter().position(is_it).unwrap_or(0);
    let first_kept = Id::of(compaction.value.get("firstKeptEntryId"));
    let mut selected = vec![compaction];
    let (before, after) = path.split_at(at);
    for entry in before.iter().skip_while(|entry| entry.id != first_kept) {
        let is_prompt = entry.message()?.is_some_and(|message| message.role == Role::System);
        if !(is_prompt && version.knows_system_messages()) {
            selected.push(entry);
        }
    }
    selected.extend(after.iter().skip(1));
    Ok(selected)
}

/// The messages of each entry of the context.
fn projected<'e, 'd>(
    selected: &[&'e Entry<'d>],
    version: Version,
) -> Result<Vec<ContextEntry<'e, 'd>>, Error> {
    let edits: HashMap<Id<'d>, Option<Value<'d>>> = selected
        .iter()
        .filter(|entry| entry.kind == EntryKind::ContextEdit && version.applies_edits())
        .map(|edit| (Id::of(edit.value.get("targetId")), edit.value.get("replacement")))
        .collect();
    let project = |(index, entry): (usize, &&'e Entry<'d>)| {
        let messages = if entry.is_compaction() && index > 0 && !version.repeats_inner_compactions() {
            Vec::new()
        } else {
            let messages = entry.messages(version)?;
            match edits.get(&entry.id) {
                None => messages,
                Some(replacement) => edited(messages, *replacement)?,
            }
        };
        Ok(ContextEntry { entry, messages })
    };
    selected.iter().enumerate().map(project).collect()
}

/// Applies an edit's content to messages; null hides them.
pub(super) fn edited<'d>(
    messages: Vec<Message<'d>>,
    replacement: Option<Value<'d>>,
) -> Result<Vec<Message<'d>>, Error> {
    if replacement.is_some_and(Value::is_null) {
        return Ok(Vec::new());
    }
    let edit = |message: Message<'d>| {
        let takes_blocks = match message.role {
            Role::Assistant | Role::ToolResult => true,
            Role::User | Role::Custom => false,
            _ => return Ok(message),
        };
        let given = replacement.ok_or_else(|| raises("an edit has no replacement"))?.get("content");
        let content = match given.filter(|given| takes_blocks && given.is_string()) {
            Some(text) => Content::TextBlock(text),
            None => Content::Replaced(given),
        };
        Ok(Message { content, ..message })
    };
    messages.into_iter().map(edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const VERSIONS: [Version; 3] = [Version::V0_58, Version::V0_84, Version::V1_5];

    /// Entries from words: `u1` a user message, `a2` an answer, `r3` a tool result, `p4` a prompt, `c5:u1` a
    /// compaction that keeps from `u1`, `x6:u1` an edit that hides `u1`, `e7:u1` an edit that replaces it, `m8` a
    /// change of the model; the parent of each is the one before it.
    fn entries(words: &str) -> String {
        let mut parent = "null".to_owned();
        let mut lines = Vec::new();
        for word in words.split(' ') {
            let (name, target) = word.split_once(':').unwrap_or((word, ""));
            let message = |role: &str| {
                format!(
                    r#""type":"message","message":{{"role":"{role}","content":"{name}","provider":"p","model":"m","usage":{{"totalTokens":50}}}}"#
                )
            };
            let body = match &name[..1] {
                "u" => message("user"),
                "a" => message("assistant"),
                "r" => message("toolResult"),
                "p" => message("system"),
                "c" => format!(r#""type":"compaction","summary":"{name}","firstKeptEntryId":"{target}""#),
                "x" => format!(r#""type":"context_edit","targetId":"{target}","replacement":null"#),
                "e" => format!(
                    r#""type":"context_edit","targetId":"{target}","replacement":{{"content":"new"}}"#
                ),
                _ => r#""type":"model_change","provider":"q","modelId":"n""#.to_owned(),
            };
            lines.push(format!(r#"{{"id":"{name}","parentId":{parent},{body}}}"#));
            parent = format!("\"{name}\"");
        }
        format!("[{}]", lines.join(","))
    }

    fn sent(words: &str, leaf: Leaf<'_>, version: Version) -> String {
        let text = entries(words);
        let document = Document::parse(&text).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let context = Context::build(&entries, leaf, version).unwrap();
        let shown: Vec<_> = context
            .entries
            .iter()
            .flat_map(|entry| entry.messages.iter().filter_map(|_| entry.entry.id.to_text()))
            .collect();
        shown.join(" ")
    }

    #[test]
    fn the_newest_compaction_comes_first_then_what_it_kept() {
        let cases = [
            ("u1 a2 m3 u4", ["u1 a2 u4"; 3]),
            ("u1 a2 u3 c4:u3 a5", ["c4 u3 a5"; 3]),
            ("u1 a2 c3:gone u4", ["c3 u4"; 3]),
            ("u1 c2:u1 a3 r4 c5:u1 u6", ["c5 u1 a3 r4 u6", "c5 u1 c2 a3 r4 u6", "c5 u1 a3 r4 u6"]),
            ("p1 u2 c3:p1 p4", ["c3 p1 u2 p4", "c3 p1 u2 p4", "c3 u2 p4"]),
            ("u1 a2 x3:u1 u4", ["u1 a2 u4", "u1 a2 u4", "a2 u4"]),
        ];
        for (words, expected) in cases {
            for (version, expected) in VERSIONS.into_iter().zip(expected) {
                assert_eq!(sent(words, Leaf::Last, version), expected, "{words} in {version:?}");
            }
        }
    }

    #[test]
    fn a_leaf_is_an_entry_or_the_last_one_or_none() {
        for (leaf, expected) in [
            (Leaf::Last, "u1 a2 u3"),
            (Leaf::BeforeFirst, ""),
            (Leaf::Id("a2"), "u1 a2"),
            (Leaf::Id("gone"), "u1 a2 u3"),
            (Leaf::Id(""), "u1 a2 u3"),
        ] {
            assert_eq!(sent("u1 a2 u3", leaf, Version::V1_5), expected, "{leaf:?}");
        }
    }

    #[test]
    fn an_edit_gives_answers_blocks_and_people_what_it_holds() {
        let text = entries("u1 a2 e3:u1 e4:a2");
        let document = Document::parse(&text).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let context = Context::build(&entries, Leaf::Last, Version::V1_5).unwrap();
        let changes: Vec<_> = context
            .messages()
            .iter()
            .map(|message| message.content.change(message.value.get("content")).unwrap().to_text())
            .collect();
        assert_eq!(changes, ["\"new\"", r#"[{"type":"text","text":"new"}]"#]);
    }

    #[test]
    fn a_usage_from_before_a_compaction_or_edit_is_not_trusted() {
        let anchors = |words: &str| {
            let text = entries(words);
            let document = Document::parse(&text).unwrap();
            let entries = Entry::list(document.root()).unwrap();
            VERSIONS.map(|version| {
                let context = Context::build(&entries, Leaf::Last, version).unwrap();
                context.estimate(&context.path, version).unwrap().last_usage_index
            })
        };
        assert_eq!(anchors("u1 a2 u3"), [Some(1); 3]);
        assert_eq!(anchors("u1 a2 c3:u1 u4"), [Some(2), Some(2), None]);
        assert_eq!(anchors("u1 a2 e3:u1"), [Some(1), Some(1), None]);
        assert_eq!(anchors("u1 a2 e3:u1 a4"), [Some(2); 3]);
    }

    #[test]
    fn parents_in_a_circle_are_refused() {
        let text = r#"[{"id":"a","parentId":"b"},{"id":"b","parentId":"a"}]"#;
        let document = Document::parse(text).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        assert!(Context::build(&entries, Leaf::Last, Version::V1_5).is_err());
    }
}
