//! Questions to pi and its answers as JSON: what the npm package offers as `compat.pi`.

use std::borrow::Cow;

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, stringify};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    Context, ContextEstimate, Entry, EntryName, FileLists, Leaf, Message, Preparation, Settings, Tokens,
    Version, coerce, estimate_context, estimate_tokens, find_cut_point, prepare, serialize, should_compact,
};
use crate::question::Question;

/// Answers `estimate`, `context`, `cutPoint`, `prepare` and `serialize`.
///
/// # Errors
///
/// `invalid_settings` for an unknown question, version or option, and if pi itself raises an exception.
pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    let version = version(question)?;
    match question.name {
        "estimate" => estimate(question, version),
        "context" => context(question, version),
        "cutPoint" => cut_point(question, version),
        "prepare" => preparation(question, version),
        "check" => super::check::ask_check(question, version),
        "overflow" => super::overflow::ask_overflow(question, version),
        "compact" => super::summary::ask_compact(question, version),
        "branch" => super::branch::ask_branch(question, version),
        "branchSummary" => super::branch_summary::ask_branch_summary(question, version),
        "serialize" => Question::answer(&serialize(&Message::list(question.data)?, version)?),
        _ => Err(question.unknown("pi")),
    }
}

/// The requested version; the newest if none is named.
pub(super) fn version(question: Question<'_>) -> Result<Version, Error> {
    question.version().map_or(Ok(Version::default()), |name| name.parse())
}

/// A value as stored.
fn stored(value: Value<'_>) -> Option<Box<RawValue>> {
    raw(&stringify(value))
}

fn raw(json: &Utf16) -> Option<Box<RawValue>> {
    RawValue::from_string(json.to_text()).ok()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EstimateAnswer {
    per_message: Vec<Tokens>,
    context: ContextEstimate,
    #[serde(skip_serializing_if = "Option::is_none")]
    should_compact: Option<Vec<bool>>,
}

fn estimate(question: Question<'_>, version: Version) -> Result<String, Error> {
    let messages = Message::list(question.data)?;
    let per_message = messages
        .iter()
        .map(|message| estimate_tokens(message, version).map(Tokens))
        .collect::<Result<_, _>>()?;
    let context = estimate_context(&messages, version)?;
    let check = |check: Value<'_>| {
        let settings = check.get("settings").map_or_else(Settings::default, Settings::read);
        should_compact(context.tokens.0, coerce::number(check.get("contextWindow")), &settings)
    };
    let checks = question.options.get("checks").map(|checks| checks.elements().map(check).collect());
    Question::answer(&EstimateAnswer { per_message, context, should_compact: checks })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ContextAnswer<'d> {
    messages: Vec<ContextMessage<'d>>,
    thinking_level: Box<RawValue>,
    model: Option<ModelAnswer>,
    /// `None` if pi raises an exception while it estimates.
    context_tokens: Option<ContextEstimate>,
}

#[derive(Serialize)]
struct ContextMessage<'d> {
    id: EntryName<'d>,
    role: Cow<'d, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModelAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_id: Option<Box<RawValue>>,
}

fn context<'d>(question: Question<'d>, version: Version) -> Result<String, Error> {
    let entries = Entry::list(question.data)?;
    let leaf_id = question.options.get("leafId");
    let name = leaf_id.and_then(Value::text).map(|id| id.decode());
    let leaf = match (leaf_id, &name) {
        (Some(leaf_id), _) if leaf_id.is_null() => Leaf::BeforeFirst,
        (_, Some(name)) => Leaf::Id(name),
        _ => Leaf::Last,
    };
    let context = Context::build(&entries, leaf, version)?;
    let shown = |message: &Message<'_>, entry: &Entry<'d>| ContextMessage {
        id: entry.name(),
        role: Cow::Owned(message.role_name().into_owned()),
        content: message.content.change(message.value.get("content")).as_ref().and_then(raw),
    };
    let messages = context
        .entries
        .iter()
        .flat_map(|entry| entry.messages.iter().map(|message| shown(message, entry.entry)))
        .collect();
    let thinking_level = context.thinking_level.map_or_else(|| Utf16::from("\"off\""), stringify);
    Question::answer(&ContextAnswer {
        messages,
        thinking_level: raw(&thinking_level).unwrap_or_default(),
        model: context.model.map(|model| ModelAnswer {
            provider: model.provider.and_then(stored),
            model_id: model.model.and_then(stored),
        }),
        context_tokens: context.estimate(&context.path, version).ok(),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CutPointAnswer<'d> {
    first_kept_entry_index: usize,
    first_kept_entry_id: Option<Cow<'d, str>>,
    turn_start_index: i64,
    is_split_turn: bool,
}

fn cut_point(question: Question<'_>, version: Version) -> Result<String, Error> {
    let entries = Entry::list(question.data)?;
    let index = |key: &str, otherwise: usize| match question.options.get(key) {
        None => Ok(otherwise),
        Some(value) => Question::number(value)
            .filter(|index| index.fract() == 0.0 && *index >= 0.0)
            .map(|index| index as usize)
            .ok_or_else(|| Error::invalid_settings(format!("{key} is not an index"))),
    };
    let range = index("startIndex", 0)?..index("endIndex", entries.len())?;
    let keep = question
        .options
        .get("keepRecentTokens")
        .map_or(Settings::default().keep_recent_tokens, |keep| coerce::number(Some(keep)));
    let cut = find_cut_point(&entries, range, keep, version)?;
    Question::answer(&CutPointAnswer {
        first_kept_entry_index: cut.first_kept,
        first_kept_entry_id: entries.get(cut.first_kept).and_then(|entry| entry.id.to_text()),
        turn_start_index: cut.turn_start.map_or(-1, |turn_start| turn_start as i64),
        is_split_turn: cut.is_split_turn(),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreparationAnswer<'p> {
    first_kept_entry_id: &'p str,
    messages_to_summarize: Vec<EntryName<'p>>,
    turn_prefix_messages: Vec<EntryName<'p>>,
    is_split_turn: bool,
    tokens_before: Tokens,
    previous_summary: Option<Box<RawValue>>,
    #[serde(flatten)]
    files: FileLists,
    /// `None` if pi raises an exception while it serializes.
    history_text: Option<Utf16>,
    turn_prefix_text: Option<Utf16>,
}

fn preparation(question: Question<'_>, version: Version) -> Result<String, Error> {
    let entries = Entry::list(question.data)?;
    let settings = question.options.get("settings").map_or_else(Settings::default, Settings::read);
    let preparation = prepare(&entries, settings.keep_recent_tokens, version)?;
    Question::answer(&preparation.as_ref().map(|preparation| answer_of(preparation, &entries)))
}

fn answer_of<'p>(preparation: &'p Preparation<'_>, entries: &'p [Entry<'_>]) -> PreparationAnswer<'p> {
    let ids = |messages: &[Message<'_>]| {
        messages.iter().filter_map(|message| entries.get(message.at)).map(Entry::name).collect()
    };
    PreparationAnswer {
        first_kept_entry_id: &preparation.first_kept_entry_id,
        messages_to_summarize: ids(&preparation.messages_to_summarize),
        turn_prefix_messages: ids(&preparation.turn_prefix_messages),
        is_split_turn: preparation.is_split_turn,
        tokens_before: preparation.tokens_before,
        previous_summary: preparation.previous_summary.and_then(stored),
        files: preparation.files.lists(),
        history_text: preparation.history_text().ok(),
        turn_prefix_text: preparation.turn_prefix_text().ok(),
    }
}

#[cfg(test)]
mod tests {
    use crate::ask;

    const ENTRIES: &str = r#"[
        {"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"12345678"}},
        {"type":"thinking_level_change","id":"b","parentId":"a","thinkingLevel":"high"},
        {"type":"message","id":"c","parentId":"b","message":{"role":"assistant","content":null,"provider":"p","model":"m"}},
        {"type":"message","parentId":"c","message":{"role":"user","content":"12345678"}}
    ]"#;

    #[test]
    fn questions_are_answered_in_json() {
        let cases = [
            (
                "estimate",
                r#"[{"role":"user","content":"hello"}]"#,
                r#"{"version":"0.84","checks":[{"contextWindow":10,"settings":{"enabled":true,"reserveTokens":9}}]}"#,
                r#"{"perMessage":[2],"context":{"tokens":2,"usageTokens":0,"trailingTokens":2,"lastUsageIndex":null},"shouldCompact":[true]}"#,
            ),
            (
                "context",
                ENTRIES,
                r#"{"leafId":"c"}"#,
                r#"{"messages":[{"id":"a","role":"user"},{"id":"c","role":"assistant","content":[]}],"thinkingLevel":"high","model":{"provider":"p","modelId":"m"},"contextTokens":{"tokens":2,"usageTokens":0,"trailingTokens":2,"lastUsageIndex":null}}"#,
            ),
            (
                "context",
                ENTRIES,
                r#"{"leafId":null}"#,
                r#"{"messages":[],"thinkingLevel":"off","model":null,"contextTokens":{"tokens":0,"usageTokens":0,"trailingTokens":0,"lastUsageIndex":null}}"#,
            ),
            (
                "cutPoint",
                ENTRIES,
                r#"{"keepRecentTokens":1}"#,
                r#"{"firstKeptEntryIndex":3,"firstKeptEntryId":null,"turnStartIndex":-1,"isSplitTurn":false}"#,
            ),
            ("prepare", ENTRIES, r#"{"settings":{"keepRecentTokens":1}}"#, "null"),
            (
                "prepare",
                r#"[{"type":"message","id":"a","message":{"role":"user","content":"q"}},
                    {"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"r"}}]"#,
                r#"{"settings":{"keepRecentTokens":1}}"#,
                r#"{"firstKeptEntryId":"b","messagesToSummarize":["a"],"turnPrefixMessages":[],"isSplitTurn":false,"tokensBefore":2,"previousSummary":null,"readFiles":[],"modifiedFiles":[],"historyText":"[User]: q","turnPrefixText":""}"#,
            ),
            ("serialize", r#"[{"role":"user","content":"\ud83d"}]"#, "{}", r#""[User]: \ud83d""#),
        ];
        for (name, data, options, answer) in cases {
            assert_eq!(ask("pi", name, data, options).unwrap(), answer, "{name} {options}");
        }
    }

    #[test]
    fn what_cannot_be_answered_is_refused() {
        for (name, data, options) in [
            ("guess", "[]", "{}"),
            ("estimate", "[]", r#"{"version":"0.59"}"#),
            ("estimate", "{}", "{}"),
            ("estimate", "[null]", "{}"),
            ("context", r#"[{"type":"message"}]"#, "{}"),
            ("cutPoint", "[]", r#"{"endIndex":1}"#),
            ("cutPoint", "[]", r#"{"startIndex":0.5}"#),
            ("serialize", r#"[{"role":"user"}]"#, "{}"),
        ] {
            assert!(ask("pi", name, data, options).is_err(), "{name} {data} {options}");
        }
    }
}
