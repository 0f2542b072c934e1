//! What one iteration of the session loop does about compaction.

use ebbline::Error;
use ebbline::json::{Text, Value};
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::context::{filter_compacted, latest, open_tasks};
use super::message::{StoredMessage, flag, is, to_number};
use super::object::Json;
use super::overflow::{Config, Limits, Usage, is_overflow};
use super::version::Version;
use crate::question::Question;

/// The next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// Carry out a requested compaction: [`super::process`].
    Process,
    /// Carry out a requested subtask.
    Subtask,
    /// Request a compaction: write a marker and restart the loop.
    Create,
    /// Continue: call the model or, after its answer, restart the loop.
    Continue,
    /// End the loop, because the answer is complete.
    Done,
    /// End the loop with an error for the user: the request is too large, and compaction is switched off.
    Fail,
}

/// A decision of the session loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// The part that requests it; for `Process` and `Subtask`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Json>,
    /// Whether the compaction is automatic; for `Process` and `Create`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto: Option<bool>,
    /// Whether a request exceeded the window and is repeated after the summary; for `Process` and `Create` in June
    /// 2026.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overflow: Option<bool>,
    /// The user message that a compaction answers: the newest one, which is its marker.
    #[serde(rename = "parentID", skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<Utf16>,
}

impl Step {
    fn new(action: Action) -> Self {
        Self { action, task: None, auto: None, overflow: None, parent_id: None }
    }

    fn create(overflow: bool, version: Version) -> Self {
        let overflow = version.keeps_tail().then_some(overflow);
        Self { auto: Some(true), overflow, ..Self::new(Action::Create) }
    }
}

/// The settings of the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Setting {
    /// The limits of the model of the newest user message.
    pub limits: Limits,
    /// The configuration.
    pub config: Config,
    /// The output limit of an answer; 32,000 if it is `None`.
    pub output_max: Option<f64>,
    /// The version.
    pub version: Version,
}

/// The loop's decision before it calls the model, from all stored messages of a session.
///
/// It depends on the newest user message, answer and finished answer that are sent: a complete answer ends the loop,
/// open tasks come first, and a finished answer that filled the window leads to a compaction unless it is a summary.
///
/// # Errors
///
/// `invalid_settings` if no user message is sent: the system raises an exception.
///
/// # Example
///
/// ```
/// use ebbline_compat::opencode::{Action, Setting, StoredMessage, next_step};
/// use ebbline::json::Document;
/// let text = r#"[{"info": {"id": "1", "role": "user"}, "parts": []},
///     {"info": {"id": "2", "role": "assistant", "finish": "tool-calls", "tokens": {"total": 90000}}},
///     {"info": {"id": "3", "role": "user"}, "parts": []}]"#;
/// let document = Document::parse(text)?;
/// let mut setting = Setting::default();
/// let limits = &mut setting.limits;
/// (limits.context, limits.input, limits.output) = (100_000.0, 0.0, 20_000.0);
/// let step = next_step(&StoredMessage::list(document.root())?, setting)?;
/// assert_eq!(step.action, Action::Create);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn next_step(messages: &[StoredMessage<'_>], setting: Setting) -> Result<Step, Error> {
    let version = setting.version;
    let sent: Vec<StoredMessage<'_>> = filter_compacted(messages, version)
        .into_iter()
        .filter_map(|index| messages.get(index).copied())
        .collect();
    let newest = latest(&sent, version);
    if !sent.iter().any(|message| message.is_user()) {
        return Err(Error::invalid_settings("OpenCode raises an exception: there is no user message"));
    }
    let named = |id: &Option<Utf16>, wanted: fn(StoredMessage<'_>) -> bool| {
        sent.iter().rfind(|message| message.id() == *id && wanted(**message)).copied()
    };
    let assistant = named(&newest.assistant, |message| message.is_assistant());
    let is_answered = newest.user.is_some() && newest.user < newest.assistant;
    if is_answered && assistant.is_some_and(|answer| is_whole(answer, version)) {
        return Ok(Step::new(Action::Done));
    }
    if let Some(task) = open_tasks(&sent, newest.finished.as_ref(), version).pop() {
        return Ok(carried_out(task, newest.user, version));
    }
    let finished = named(&newest.finished, |message| message.is_finished());
    let is_full = finished.filter(|answer| !answer.is_summary()).is_some_and(|answer| {
        let Setting { limits, config, output_max, .. } = setting;
        let tokens = answer.info().get("tokens");
        tokens.is_some_and(|tokens| is_overflow(Usage::of(tokens), limits, config, output_max, version))
    });
    Ok(if is_full { Step::create(false, version) } else { Step::new(Action::Continue) })
}

fn carried_out(task: Value<'_>, user: Option<Utf16>, version: Version) -> Step {
    let part = Some(Json::of(task));
    if is(task, "type", "subtask") {
        return Step { task: part, ..Step::new(Action::Subtask) };
    }
    Step {
        task: part,
        auto: Some(flag(task, "auto")),
        overflow: version.keeps_tail().then(|| flag(task, "overflow")),
        parent_id: user,
        ..Step::new(Action::Process)
    }
}

/// Whether an answer needs no further request.
fn is_whole(answer: StoredMessage<'_>, version: Version) -> bool {
    let goes_on: &[&str] =
        if version.looks_for_calls() { &["tool-calls"] } else { &["tool-calls", "unknown"] };
    let finish = answer.info().text_of("finish").map(Text::decode);
    let calls = version.looks_for_calls() && answer.parts().any(is_call);
    answer.is_finished() && !calls && !finish.is_some_and(|finish| goes_on.contains(&finish.as_ref()))
}

/// Whether a part is a call whose result the model has not seen. The provider's own calls and interrupted calls are
/// not.
fn is_call(part: Value<'_>) -> bool {
    let says = |value: Option<Value<'_>>, key| {
        value.and_then(|value| value.get("metadata")).is_some_and(|metadata| flag(metadata, key))
    };
    let state = part.get("state");
    let is_interrupted =
        state.is_some_and(|state| is(state, "status", "error")) && says(state, "interrupted");
    is(part, "type", "tool") && !says(Some(part), "providerExecuted") && !is_interrupted
}

/// The loop's decision after the model's answer, given its stored `info`; `blocked` says whether the user refused a
/// tool.
///
/// The usage is checked when a step of the answer finishes, which ends the answer there. Since June 2026 (not in
/// December and January) a request that was refused as too large is compacted and repeated, unless that is switched
/// off.
#[must_use]
pub fn after_answer(answer: Value<'_>, blocked: bool, setting: Setting) -> Step {
    let Setting { limits, config, output_max, version } = setting;
    let is_summary = flag(answer, "summary");
    let error = answer.get("error").filter(|error| error.is_truthy());
    let is_refused = version.knows_overflow_errors()
        && error.is_some_and(|error| is(error, "name", "ContextOverflowError"));
    if is_refused && !config.auto && !is_summary {
        return Step::new(Action::Fail);
    }
    let output_max = output_max.filter(|_| !version.streams_under_own_limit());
    // A failed request has finished no step.
    let usage = answer.get("tokens").map(Usage::of).filter(|_| !is_summary && flag(answer, "finish"));
    let is_full = usage.is_some_and(|usage| is_overflow(usage, limits, config, output_max, version));
    if is_refused || is_full {
        return Step::create(!flag(answer, "finish"), version);
    }
    Step::new(if blocked || error.is_some() { Action::Done } else { Action::Continue })
}

/// Answers `step`: for the messages or, with `answer`, for the model's newest answer.
pub(super) fn ask_step(question: Question<'_>, version: Version) -> Result<String, Error> {
    let options = question.options;
    let setting = Setting {
        limits: Limits::of_model(options.get("model")),
        config: Config::of(options.get("config")),
        output_max: options.present("outputTokenMax").map(to_number),
        version,
    };
    let messages = StoredMessage::list(question.data)?;
    Question::answer(&match options.present("answer") {
        Some(answer) => {
            after_answer(answer.present("info").unwrap_or(answer), flag(options, "blocked"), setting)
        }
        None => next_step(&messages, setting)?,
    })
}

#[cfg(test)]
mod tests {
    use crate::ask;

    const FULL: &str = r#"{"input":90,"output":0,"cache":{"read":0,"write":0}}"#;
    const VERSIONS: [&str; 3] = ["2025-12", "2026-01", "2026-06"];

    fn step(messages: &str, version: &str, more: &str) -> String {
        let options =
            format!(r#"{{"version":"{version}","model":{{"limit":{{"context":100,"output":20}}}}{more}}}"#);
        ask("opencode", "step", messages, &options).unwrap()
    }

    fn user(id: &str, part: &str) -> String {
        format!(r#"{{"info":{{"id":"{id}","role":"user"}},"parts":[{part}]}}"#)
    }

    fn answer(id: &str, finish: &str, more: &str, part: &str) -> String {
        format!(
            r#"{{"info":{{"id":"{id}","role":"assistant","finish":"{finish}","tokens":{FULL}{more}}},"parts":[{part}]}}"#
        )
    }

    fn session(messages: &[String]) -> String {
        format!("[{}]", messages.join(","))
    }

    #[test]
    fn an_answer_that_is_whole_ends_the_loop() {
        let call = |more: &str| format!(r#"{{"type":"tool"{more}}}"#);
        let done = r#"{"action":"done"}"#;
        let full = r#"{"action":"create","auto":true}"#;
        let full_in_june = r#"{"action":"create","auto":true,"overflow":false}"#;
        let cases = [
            ("stop", String::new(), [done; 3]),
            ("tool-calls", String::new(), [full, full, full_in_june]),
            ("unknown", String::new(), [full, full, done]),
            ("stop", call(""), [done, done, full_in_june]),
            ("stop", call(r#","metadata":{"providerExecuted":true}"#), [done; 3]),
            ("stop", call(r#","state":{"status":"error","metadata":{"interrupted":true}}"#), [done; 3]),
            (
                "stop",
                call(r#","state":{"status":"completed","metadata":{"interrupted":true}}"#),
                [done, done, full_in_june],
            ),
        ];
        for (finish, part, expected) in cases {
            let messages = session(&[user("1", ""), answer("2", finish, "", &part)]);
            let steps = VERSIONS.map(|version| step(&messages, version, ""));
            assert_eq!(steps, expected, "{finish} {part}");
        }
    }

    #[test]
    fn open_tasks_go_first_the_last_one_of_all() {
        let (marker, subtask) =
            (r#"{"type":"compaction","auto":true,"overflow":true}"#, r#"{"type":"subtask"}"#);
        let messages = session(&[answer("1", "stop", "", ""), user("2", subtask), user("3", marker)]);
        assert_eq!(step(&messages, "2026-01", ""), r#"{"action":"subtask","task":{"type":"subtask"}}"#);
        assert_eq!(
            step(&messages, "2026-06", ""),
            format!(r#"{{"action":"process","task":{marker},"auto":true,"overflow":true,"parentID":"3"}}"#)
        );
        let manual = session(&[user("1", r#"{"type":"compaction","auto":false}"#)]);
        for version in ["2025-12", "2026-01"] {
            let expected = r#"{"action":"process","task":{"type":"compaction","auto":false},"auto":false,"parentID":"1"}"#;
            assert_eq!(step(&manual, version, ""), expected);
        }
    }

    #[test]
    fn a_full_context_is_compacted_unless_its_last_answer_is_a_summary() {
        let next = r#"{"action":"continue"}"#;
        let june = r#"{"action":"create","auto":true,"overflow":false}"#;
        let cases = [
            ("", "", june),
            ("", r#","config":{"compaction":{"auto":false}}"#, next),
            ("", r#","outputTokenMax":5"#, next),
            (r#","summary":true"#, "", next),
            (r#","tokens":{"total":79}"#, "", next),
        ];
        for (info, options, expected) in cases {
            let finished = match info.strip_prefix(r#","tokens":"#) {
                Some(tokens) => answer("1", "stop", "", "").replace(FULL, tokens),
                None => answer("1", "stop", info, ""),
            };
            let messages = session(&[user("0", ""), finished, user("2", "")]);
            assert_eq!(step(&messages, "2026-06", options), expected, "{info} {options}");
        }
    }

    #[test]
    fn the_newest_is_found_by_id_where_a_tail_stands_behind_its_summary() {
        let marker = user("4", r#"{"type":"compaction","auto":true,"tail_start_id":"2"}"#);
        let summary = answer("5", "stop", r#","summary":true,"parentID":"4""#, "");
        let kept = [user("2", ""), answer("3", "tool-calls", "", "")];
        let [first, last] = kept;
        let messages = session(&[user("1", ""), first, last, marker, summary, user("6", "")]);
        assert_eq!(
            step(&messages, "2026-06", ""),
            r#"{"action":"continue"}"#,
            "the summary is newer than the tail"
        );
    }

    #[test]
    fn what_follows_an_answer_depends_on_its_size_and_its_error() {
        let (next, done, fail) = (r#"{"action":"continue"}"#, r#"{"action":"done"}"#, r#"{"action":"fail"}"#);
        let full = r#"{"action":"create","auto":true}"#;
        let full_in_june = r#"{"action":"create","auto":true,"overflow":false}"#;
        let refused_in_june = r#"{"action":"create","auto":true,"overflow":true}"#;
        let off = r#","config":{"compaction":{"auto":false}}"#;
        let refused = r#""error":{"name":"ContextOverflowError"}"#;
        let used = format!(r#""finish":"tool-calls","tokens":{FULL}"#);
        let cases = [
            (used.clone(), "", [full, full, full_in_june]),
            (used.clone(), off, [next; 3]),
            (used.clone(), r#","outputTokenMax":5"#, [next, next, full_in_june]),
            (format!(r#"{used},"summary":true"#), "", [next; 3]),
            (refused.to_owned(), "", [done, done, refused_in_june]),
            (refused.to_owned(), off, [done, done, fail]),
            (format!(r#"{refused},"summary":true"#), off, [done, done, refused_in_june]),
            (r#""error":{"name":"APIError"}"#.to_owned(), "", [done; 3]),
            (format!(r#""error":{{}},"tokens":{FULL}"#), "", [done; 3]),
            (r#""finish":"stop""#.to_owned(), r#","blocked":true"#, [done; 3]),
        ];
        for (info, options, expected) in cases {
            let options = format!(r#","answer":{{"info":{{{info}}}}}{options}"#);
            let steps = VERSIONS.map(|version| step("[]", version, &options));
            assert_eq!(steps, expected, "{options}");
        }
    }

    #[test]
    fn a_session_without_a_user_is_refused() {
        for messages in ["[]".to_owned(), session(&[answer("1", "stop", "", "")])] {
            let error = ask("opencode", "step", &messages, "{}").unwrap_err();
            assert_eq!(error.code(), "invalid_settings", "{messages}");
        }
    }
}
