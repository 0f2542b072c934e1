//! pi: estimates, contexts, cuts, preparations and transcripts, requested as the npm package does.

use ebbline::json::{Document, Value};
use ebbline_compat::{self as compat, pi};
use sha2::{Digest, Sha256};

use super::super::{Case, equal, expand, pairs, throws};

/// The system's answers of a case, with expanded notation.
struct Expected(String);

impl Expected {
    fn of(case: &Case<'_>) -> Self {
        Self(expand(case.expected))
    }

    fn parse(&self) -> Result<Document<'_>, String> {
        Document::parse(&self.0).map_err(|error| error.to_string())
    }
}

/// The version in a file's name: `pi-1.5.2-cut`.
fn version<'c>(case: &Case<'c>) -> &'c str {
    case.file.split('-').nth(1).unwrap_or_default()
}

/// Asks a question; `Err` is the engine's error.
fn ask(name: &str, data: Value<'_>, version: &str, options: &[(&str, Value<'_>)]) -> Result<String, String> {
    let mut written = format!(r#"{{"version":"{version}""#);
    for (key, value) in options {
        written.push_str(&format!(r#","{key}":{}"#, value.source()));
    }
    written.push('}');
    compat::ask("pi", name, data.source(), &written).map_err(|error| error.to_string())
}

/// Compares an answer with the expected one; an error is correct if the system raised an exception.
fn answers(
    what: &str,
    answer: Result<String, String>,
    expected: Value<'_>,
    compare: impl FnOnce(Value<'_>) -> Result<(), String>,
) -> Result<(), String> {
    match (answer, throws(expected)) {
        (Err(_), true) => Ok(()),
        (Ok(_), true) => Err(format!("{what}: the system raised an exception, we did not")),
        (Err(error), false) => Err(format!("{what}: {error}")),
        (Ok(answer), false) => {
            let document = Document::parse(&answer).map_err(|error| error.to_string())?;
            compare(document.root()).map_err(|why| format!("{what}: {why}"))
        }
    }
}

fn member<'d>(value: Value<'d>, key: &str) -> Result<Value<'d>, String> {
    value.get(key).ok_or_else(|| format!("there is no {key}"))
}

/// Whether two values are equal, ignoring the order of members.
fn same(ours: Value<'_>, expected: Value<'_>) -> bool {
    if let (Some(ours), Some(expected)) = (ours.text(), expected.text()) {
        return ours.decode() == expected.decode();
    }
    if ours.is_array() && expected.is_array() {
        return ours.elements().count() == expected.elements().count()
            && ours.elements().zip(expected.elements()).all(|(ours, expected)| same(ours, expected));
    }
    if ours.is_object() && expected.is_object() {
        return ours.members().count() == expected.members().count()
            && ours
                .members()
                .all(|(key, ours)| expected.get(&key.decode()).is_some_and(|expected| same(ours, expected)));
    }
    match (ours.number(), expected.number()) {
        (Some(ours), Some(expected)) => ours.total_cmp(&expected).is_eq(),
        _ => ours.kind() == expected.kind(),
    }
}

fn same_member(ours: Value<'_>, expected: Value<'_>, key: &str) -> Result<(), String> {
    let (ours, expected) = (member(ours, key)?, member(expected, key)?);
    if same(ours, expected) {
        return Ok(());
    }
    Err(format!("{key}: ours {}, expected {}", ours.source(), expected.source()))
}

fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().fold(String::with_capacity(64), |hex, byte| hex + &format!("{byte:02x}"))
}

/// Compares a text with the expected one or its digest; `null` is correct if the system raised an exception.
pub(super) fn same_text(ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    let Some(text) = ours.text() else {
        return if throws(expected) { Ok(()) } else { Err(format!("{} is no text", ours.source())) };
    };
    if let Some(whole) = expected.text().or_else(|| expected.text_of("text")) {
        return equal("text", &text.decode(), &whole.decode());
    }
    let length = member(expected, "utf16Length")?.number();
    equal("length", &Some(f64::from(text.length().utf16)), &length)?;
    let digest = member(expected, "sha256")?.text().map(|digest| digest.decode().into_owned());
    equal("SHA-256", &Some(sha256(&text.decode())), &digest)
}

pub(super) fn estimate(case: &Case<'_>) -> Result<(), String> {
    let expected = Expected::of(case);
    let expected = expected.parse()?;
    let options: Vec<_> = case.input.get("checks").map(|checks| ("checks", checks)).into_iter().collect();
    let answer = ask("estimate", member(case.input, "messages")?, version(case), &options);
    answers("estimate", answer, expected.root(), |ours| {
        let keys = expected.root().members().map(|(key, _)| key.decode());
        keys.into_iter().try_for_each(|key| same_member(ours, expected.root(), &key))
    })
}

pub(super) fn serialize(case: &Case<'_>) -> Result<(), String> {
    let expected = Expected::of(case);
    let expected = expected.parse()?;
    let answer = ask("serialize", member(case.input, "messages")?, version(case), &[]);
    answers("text", answer, expected.root(), |ours| same_text(ours, expected.root()))
}

pub(super) fn context(case: &Case<'_>) -> Result<(), String> {
    let expected = Expected::of(case);
    let expected = expected.parse()?;
    let contexts = member(expected.root(), "contexts")?;
    for (leaf, expected) in pairs("contexts", member(case.input, "leaves")?, contexts)? {
        let options: Vec<_> = leaf.get("leafId").map(|leaf| ("leafId", leaf)).into_iter().collect();
        let answer = ask("context", member(case.input, "entries")?, version(case), &options);
        answers(leaf.source(), answer, expected, |ours| same_context(ours, expected))?;
    }
    Ok(())
}

fn same_context(ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    same_member(ours, expected, "thinkingLevel")?;
    same_member(ours, expected, "model")?;
    let tokens = member(expected, "contextTokens")?;
    if throws(tokens) {
        equal("contextTokens", &member(ours, "contextTokens")?.source(), &"null")?;
    } else {
        same_member(ours, expected, "contextTokens")?;
    }
    let rows: Vec<String> = ours.elements_of("messages").map(row).collect();
    let rows = format!("[{}]", rows.join(","));
    let document = Document::parse(&rows).map_err(|error| error.to_string())?;
    let expected = member(expected, "messages")?;
    if same(document.root(), expected) {
        return Ok(());
    }
    Err(format!("messages: ours {rows}, expected {}", expected.source()))
}

/// A message as the vectors list it: id, role, and content if it changed. They do not list that a `system` message
/// without content is read as an empty text.
fn row(message: Value<'_>) -> String {
    let source = |key: &str| message.get(key).map(|value| value.source().to_owned());
    let is_system = message.text_of("role").is_some_and(|role| role.is("system"));
    let cells = [message.get("id").map(entry_name), source("role"), source("content").filter(|_| !is_system)];
    format!("[{}]", cells.into_iter().flatten().collect::<Vec<_>>().join(","))
}

pub(super) fn cut(case: &Case<'_>) -> Result<(), String> {
    let expected = Expected::of(case);
    let expected = expected.parse()?;
    let cuts = member(expected.root(), "cuts")?;
    for (run, expected) in pairs("cuts", member(case.input, "runs")?, cuts)? {
        let options = ["startIndex", "endIndex", "keepRecentTokens"].map(|key| (key, run.get(key)));
        let options: Vec<_> =
            options.into_iter().filter_map(|(key, value)| value.map(|value| (key, value))).collect();
        let answer = ask("cutPoint", member(case.input, "entries")?, version(case), &options);
        answers(run.source(), answer, expected, |ours| same_cut(ours, expected))?;
    }
    Ok(())
}

fn same_cut(ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    ["firstKeptEntryIndex", "firstKeptEntryId", "turnStartIndex", "isSplitTurn"]
        .iter()
        .try_for_each(|key| same_member(ours, expected, key))
}

pub(super) fn prepare(case: &Case<'_>) -> Result<(), String> {
    let expected = Expected::of(case);
    let expected = expected.parse()?;
    let preparations = member(expected.root(), "preparations")?;
    for (settings, expected) in pairs("preparations", member(case.input, "settings")?, preparations)? {
        let entries = member(case.input, "entries")?;
        let answer = ask("prepare", entries, version(case), &[("settings", settings)]);
        answers(settings.source(), answer, expected, |ours| same_preparation(ours, expected))?;
    }
    Ok(())
}

fn same_preparation(ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    if ours.is_null() || expected.is_null() {
        return equal("preparation", &ours.source(), &expected.source());
    }
    for key in ["firstKeptEntryId", "isSplitTurn", "tokensBefore"] {
        same_member(ours, expected, key)?;
    }
    let summary = member(ours, "previousSummary")?;
    let is_present = member(expected, "previousSummaryPresent")?.is_truthy();
    equal("previous summary", &!summary.is_null(), &is_present)?;
    if let Some(expected) = expected.present("previousSummary") {
        same_text(summary, expected)?;
    }
    for key in ["messagesToSummarize", "turnPrefixMessages", "readFiles", "modifiedFiles"] {
        let names: Vec<String> = member(ours, key)?.elements().map(entry_name).collect();
        let names = format!("[{}]", names.join(","));
        let names = Document::parse(&names).map_err(|error| error.to_string())?;
        same_list(names.root(), member(expected, key)?).map_err(|why| format!("{key}: {why}"))?;
    }
    for key in ["historyText", "turnPrefixText"] {
        if let Some(expected) = expected.get(key) {
            same_text(member(ours, key)?, expected).map_err(|why| format!("{key}: {why}"))?;
        }
    }
    Ok(())
}

/// An entry as the vectors name it, as JSON: its id, or `#3` for the entry at position 3 without an id.
fn entry_name(name: Value<'_>) -> String {
    if name.is_string() { name.source().to_owned() } else { format!("\"#{}\"", name.source()) }
}

/// Compares a list of texts with the expected one or its digest: count, first, last and SHA-256.
fn same_list(ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    let items: Vec<_> =
        ours.elements().filter_map(Value::text).map(|item| item.decode().into_owned()).collect();
    equal("texts among the items", &items.len(), &ours.elements().count())?;
    digest_of(&items, expected).unwrap_or_else(|| {
        if same(ours, expected) {
            Ok(())
        } else {
            Err(format!("ours {}, expected {}", ours.source(), expected.source()))
        }
    })
}

fn digest_of(items: &[String], expected: Value<'_>) -> Option<Result<(), String>> {
    let digest = expected.text_of("sha256").or(expected.text_of("sha256OfIds"))?;
    let count = expected.get("count").and_then(Value::number);
    Some(
        equal("count", &Some(items.len() as f64), &count)
            .and_then(|()| equal("SHA-256", &sha256(&items.join("\n")), &digest.decode().into_owned())),
    )
}

/// Two long sessions, in every version.
pub(super) fn real_sessions(case: &Case<'_>) -> Result<(), String> {
    let entries = member(case.input, "entries")?;
    for (version, expected) in case.expected.members() {
        let version = version.decode();
        let known = |why: String| format!("{version}: {why}");
        real_context(entries, &version, member(expected, "context")?).map_err(known)?;
        for expected in expected.elements_of("cuts") {
            let keep = member(expected, "keepRecentTokens")?;
            let answer = ask("cutPoint", entries, &version, &[("keepRecentTokens", keep)]);
            answers(keep.source(), answer, expected, |ours| same_cut(ours, expected)).map_err(known)?;
        }
        for expected in expected.elements_of("preparations") {
            let keep = member(expected, "keepRecentTokens")?;
            let settings = format!(r#"{{"reserveTokens":16384,"keepRecentTokens":{}}}"#, keep.source());
            let settings = Document::parse(&settings).map_err(|error| error.to_string())?;
            let answer = ask("prepare", entries, &version, &[("settings", settings.root())]);
            let expected = member(expected, "result")?;
            answers(keep.source(), answer, expected, |ours| same_preparation(ours, expected))
                .map_err(known)?;
        }
    }
    Ok(())
}

fn real_context(entries: Value<'_>, version: &str, expected: Value<'_>) -> Result<(), String> {
    let fail = |error: ebbline::Error| error.to_string();
    let version: pi::Version = version.parse().map_err(fail)?;
    let entries = pi::Entry::list(entries).map_err(fail)?;
    let context = pi::Context::build(&entries, pi::Leaf::Last, version).map_err(fail)?;
    let estimate = context.estimate(&context.path, version).map_err(fail)?;
    let estimate = serde_json::to_string(&estimate).map_err(|error| error.to_string())?;
    let estimate = Document::parse(&estimate).map_err(fail)?;
    if !same(estimate.root(), member(expected, "estimate")?) {
        return Err(format!("estimate: ours {}", estimate.root().source()));
    }
    let messages = context.messages();
    let ids: Vec<String> = messages
        .iter()
        .filter_map(|message| entries.get(message.at))
        .map(|entry| match entry.name() {
            pi::EntryName::Id(id) => id.into_owned(),
            pi::EntryName::Position(at) => format!("#{at}"),
        })
        .collect();
    digest_of(&ids, member(expected, "messages")?).unwrap_or(Err("no digest of the messages".to_owned()))?;
    let mut tokens = Vec::new();
    for message in &messages {
        tokens.push(pi::estimate_tokens(message, version).map_err(fail)?);
    }
    let sum = member(expected, "sumOfEstimates")?.number();
    equal("sum of the estimates", &Some(tokens.iter().sum::<f64>()), &sum)?;
    let tokens: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let digest =
        member(expected, "sha256OfPerMessageEstimates")?.text().map(|digest| digest.decode().into_owned());
    equal("estimates", &Some(sha256(&tokens.join(","))), &digest)
}
