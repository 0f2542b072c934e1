//! Questions to the event-based core as JSON, and its answers.

use ebbline::Error;
use ebbline::json::Value;

use super::june::{self, Pending};
use super::reply::Reply;
use super::serialize::message_of;
use super::version::{Limits, Settings, Version};
use super::{later, usage};
use crate::question::Question;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    let options = question.options;
    let name = question.version().unwrap_or_else(|| "2026-06".to_owned());
    let version = Version::named(&name).ok_or_else(|| {
        Error::invalid_settings(format!("OpenCode's event-based core {name:?} is not known"))
    })?;
    let settings = Settings::read(options.get("config"), version);
    let limits = Limits::read(options.get("limits"));
    let pending = Pending { request: options.present("request"), limits };
    let entries: Vec<Value<'_>> = question.data.elements().collect();
    let messages: Vec<Value<'_>> = entries.iter().map(|entry| message_of(*entry)).collect();
    let required = || match version {
        Version::V2026_06 => june::is_needed(&pending, settings),
        Version::Later => {
            let of = |key: &str| pending.request.and_then(|request| request.present(key));
            usage::is_required(&messages, limits, settings, of("system"), of("tools"))
        }
    };
    match question.name {
        "required" => Question::answer(&required()),
        "compact" => {
            if is_conditional(options)? && !required() {
                return Question::answer(&super::Compaction::default());
            }
            let replies = replies(options);
            let compaction = match version {
                Version::V2026_06 => june::compact(&entries, &pending, settings, replies.first())?,
                Version::Later => later::compact(&messages, settings.keep, reason(options), &replies)?,
            };
            Question::answer(&compaction)
        }
        _ => Err(question.unknown("OpenCode's event-based core")),
    }
}

/// Whether compaction depends on how full the context is: mode `ifNeeded`, not `afterOverflow` or `manual`.
fn is_conditional(options: Value<'_>) -> Result<bool, Error> {
    match options.text_of("mode").map(|mode| mode.decode().into_owned()).as_deref() {
        None | Some("afterOverflow" | "manual") => Ok(false),
        Some("ifNeeded") => Ok(true),
        Some(other) => Err(Error::invalid_settings(format!(
            "mode is {other:?}; there are ifNeeded, afterOverflow and manual"
        ))),
    }
}

fn reason(options: Value<'_>) -> &'static str {
    if options.text_of("mode").is_some_and(|mode| mode.is("manual")) { "manual" } else { "auto" }
}

/// `replies`, or a single `reply`.
fn replies(options: Value<'_>) -> Vec<Reply> {
    match options.present("reply") {
        Some(reply) => vec![Reply::read(reply)],
        None => options.elements_of("replies").map(Reply::read).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::ask;

    #[test]
    fn questions_are_answered_in_json() {
        let entries =
            r#"[{"seq":1,"message":{"type":"user","text":"hello"}},{"type":"user","text":"world"}]"#;
        let limits = r#""limits":{"context":100000}"#;
        let june =
            r#""config":[{"type":"document","info":{"compaction":{"keep":{"tokens":0}}}}],"reply":"done""#;
        let cases = [
            ("compact", format!("{{{limits},{june}}}"), r#"{"compacted":true,"events":["session.next."#),
            (
                "compact",
                format!("{{{limits},{june},\"mode\":\"ifNeeded\"}}"),
                r#"{"compacted":false,"events":[],"#,
            ),
            (
                "compact",
                r###"{"version":"later","replies":["no","## Objective"],"mode":"manual"}"###.to_owned(),
                r#"{"compacted":true,"events":["session.compaction.started","session.compaction.delta","#,
            ),
            ("required", format!("{{\"version\":\"later\",{limits}}}"), "false"),
            ("required", r#"{"limits":{"context":1}}"#.to_owned(), "true"),
        ];
        for (name, options, answer) in cases {
            let ours = ask("opencodeV2", name, entries, &options).unwrap();
            assert!(ours.starts_with(answer), "{options}: {ours}");
        }
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        for (name, options) in
            [("prune", "{}"), ("compact", r#"{"version":"2025"}"#), ("compact", r#"{"mode":"now"}"#)]
        {
            assert_eq!(ask("opencodeV2", name, "[]", options).unwrap_err().code(), "invalid_settings");
        }
    }
}
