//! Questions to TunaCode as JSON, and its answers.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::call::{Call, Reply};
use super::controller::{Controller, ControllerSettings};
use super::inject::{SummaryMessage, summary_message};
use super::load::loaded;
use super::overflow::ask_overflow;
use super::prune::{PruneVersion, prune};
use super::record::CompactionRecord;
use super::serialize::serialize;
use crate::question::Question;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    match question.name {
        "compact" => compact(question),
        "inject" => inject(question),
        "record" => {
            let record = CompactionRecord::read(question.data)?;
            Question::answer(&Stored { record })
        }
        "serialize" => Question::answer(&serialize(&loaded(question.data)?)?),
        "prune" => {
            let name = question.version().unwrap_or_else(|| "2026-01".to_owned());
            let version = PruneVersion::named(&name)
                .ok_or_else(|| Error::invalid_settings(format!("TunaCode {name:?} is not known")))?;
            Question::answer(&prune(question.data, version, is_set(question.options, "localMode", false))?)
        }
        "isContextOverflow" => ask_overflow(question),
        _ => Err(question.unknown("TunaCode")),
    }
}

#[derive(Serialize)]
struct Stored {
    record: Option<CompactionRecord>,
}

#[derive(Serialize)]
struct Injection {
    injected: usize,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<SummaryMessage>,
}

fn inject(question: Question<'_>) -> Result<String, Error> {
    let messages = loaded(question.data)?;
    let record = record(question.options)?;
    let first = summary_message(&messages, record.as_ref());
    let injected = usize::from(first.is_some());
    Question::answer(&Injection { injected, count: messages.len() + injected, first })
}

fn compact(question: Question<'_>) -> Result<String, Error> {
    let options = question.options;
    let live = is_set(options, "sessionMessages", true);
    let calls: Vec<Call> = options.elements_of("calls").map(call).collect();
    let replies = options.elements_of("replies").map(reply).collect::<Result<Vec<_>, _>>()?;
    let settings = settings(options.get("settings"))?;
    let mut controller = Controller::new(question.data, record(options)?, settings, live)?;
    Question::answer(&controller.run(&calls, &replies)?)
}

fn record(options: Value<'_>) -> Result<Option<CompactionRecord>, Error> {
    options.get("compaction").map_or(Ok(None), CompactionRecord::read)
}

fn settings(settings: Option<Value<'_>>) -> Result<ControllerSettings, Error> {
    let defaults = ControllerSettings::default();
    let Some(settings) = settings else { return Ok(defaults) };
    let number = |key: &str, default: f64| match settings.present(key) {
        Some(value) => {
            Question::number(value).ok_or_else(|| Error::invalid_settings(format!("{key} must be a number")))
        }
        None => Ok(default),
    };
    Ok(ControllerSettings {
        keep_recent_tokens: number("keepRecentTokens", defaults.keep_recent_tokens)?,
        reserve_tokens: number("reserveTokens", defaults.reserve_tokens)?,
        auto_compact: is_set(settings, "autoCompact", defaults.auto_compact),
    })
}

fn call(call: Value<'_>) -> Call {
    Call {
        reset: is_set(call, "reset", false),
        max_tokens: call.get("maxTokens").and_then(Question::number),
        force: is_set(call, "force", false),
        allow_threshold: is_set(call, "allowThreshold", true),
        apply: is_set(call, "apply", true),
    }
}

fn reply(reply: Value<'_>) -> Result<Reply, Error> {
    if let Some(text) = reply.text() {
        return Ok(Reply::Text(Utf16::from(text)));
    }
    let text = |key: &str| reply.text_of(key).map(Utf16::from);
    text("error")
        .map(Reply::Failed)
        .or_else(|| text("unsupportedProvider").map(Reply::UnsupportedProvider))
        .or_else(|| text("missingApiKey").map(Reply::MissingApiKey))
        .ok_or_else(|| {
            Error::invalid_settings(
                "a reply is a text or an object with error, unsupportedProvider or missingApiKey",
            )
        })
}

fn is_set(object: Value<'_>, key: &str, default: bool) -> bool {
    object.present(key).map_or(default, Value::is_truthy)
}

#[cfg(test)]
mod tests {
    use crate::ask;

    #[test]
    fn questions_are_answered_in_json() {
        let message = r#"[{"role":"user","content":[{"text":"hello world!"}]}]"#;
        let cases = [
            ("serialize", message, "{}", r#""[User]: hello world!""#),
            ("record", "null", "{}", r#"{"record":null}"#),
            ("inject", message, r#"{"compaction":null}"#, r#"{"injected":0,"count":1}"#),
            (
                "compact",
                message,
                r#"{"calls":[{"maxTokens":1,"force":true}],"replies":[{"missingApiKey":"KEY"}]}"#,
                r#"{"outcomes":[{"status":"skipped","reason":"missing_api_key","detail":"KEY","keptMessages":1,"#,
            ),
            ("prune", "[]", r#"{"version":"2026-02"}"#, r#"{"userTurns":0,"cleared":[],"#),
        ];
        for (name, data, options, answer) in cases {
            let ours = ask("tunacode", name, data, options).unwrap();
            assert!(ours.starts_with(answer), "{name}: {ours}");
        }
    }

    #[test]
    fn what_tunacode_refuses_is_refused() {
        for (name, data, options, code) in [
            ("serialize", r#"[{"role":"user","content":null}]"#, "{}", "invalid_message"),
            ("compact", "[]", r#"{"settings":{"reserveTokens":-1}}"#, "invalid_settings"),
            ("compact", "[]", r#"{"replies":[1]}"#, "invalid_settings"),
            ("prune", "[]", r#"{"version":"2027"}"#, "invalid_settings"),
            ("prune", "[]", r#"{"version":"2026-02","localMode":true}"#, "invalid_settings"),
            ("prophesy", "[]", "{}", "invalid_settings"),
        ] {
            assert_eq!(ask("tunacode", name, data, options).unwrap_err().code(), code, "{name} {options}");
        }
    }
}
