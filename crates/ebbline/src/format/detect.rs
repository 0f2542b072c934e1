//! Detects the format of a text, with the evidence.

use super::Format;
use super::chat::FaultOf;
use super::container::Container;
use super::signs::{LOOKED_AT, List, Log, Shows, has};
use super::source::Source;
use super::table::signs;
use super::{recognized, refuse};
use crate::error::Error;
use crate::json::Value;
use crate::marks;
use crate::text::Text;

/// A format and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// The format.
    pub format: Format,
    /// The evidence in words: `28 messages, role tool with tool_call_id`.
    pub evidence: String,
    /// Whether no other format is possible. A list of plain texts is valid in several formats.
    pub certain: bool,
}

impl Detection {
    fn new(format: Format, evidence: impl Into<String>) -> Self {
        Self { format, evidence: evidence.into(), certain: true }
    }
}

/// Detects the format of `text`.
///
/// # Errors
///
/// Those of parsing JSON; `unsupported_format` if the format is known but cannot be read; `no_messages` if the text
/// is no session: the message says what it contains instead.
///
/// # Example
///
/// ```
/// let found = ebbline::format::detect(r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]"#)?;
/// assert_eq!(found.format, ebbline::Format::AnthropicMessages);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn detect(text: &str) -> Result<Detection, Error> {
    detect_source(Source::parse(text).map_err(|fault| refuse::no_json(text, fault))?)
}

/// Detects the format of a text that may contain invalid UTF-8.
///
/// # Errors
///
/// As [`detect`]; `not_utf8` as [`crate::SessionText::read`].
///
/// # Example
///
/// ```
/// use ebbline::format::detect_text;
/// use ebbline::text::Text;
/// let text = Text::from_bytes(br#"[{"role": "user", "content": "hello"}]"#)?;
/// assert_eq!(detect_text(&text)?.format.name(), "openai_chat");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn detect_text(text: &Text) -> Result<Detection, Error> {
    let Some(fault) = text.fault() else { return detect(text.as_str()) };
    let source = Source::parse(text.as_str()).ok().filter(|source| source.is_lines);
    source.map_or_else(|| Err(fault.clone()), detect_source)
}

fn detect_source(mut source: Source<'_>) -> Result<Detection, Error> {
    match Container::of(&source) {
        Some(container) => container.classify(&mut source, 0, None),
        None => classify_alone(&mut source, None),
    }
}

/// Whether a text found to be of another format cannot be read as `wanted`. Formats of one family contain each
/// other's messages, so they do not exclude each other, nor does the format after which the family is called.
pub(super) fn excludes(found: &Detection, wanted: Format) -> bool {
    let Some(family) = wanted.description().family else { return found.certain };
    found.certain && found.format.description().family != Some(family) && found.format.name() != family
}

/// A format that was found, and the messages that have to be of it.
struct Found<'d> {
    detection: Detection,
    messages: Vec<Value<'d>>,
}

impl From<Detection> for Found<'_> {
    fn from(detection: Detection) -> Self {
        Self { detection, messages: Vec::new() }
    }
}

/// Detects the format of a parsed source. What was `asked` for by name may be of another shape.
pub(super) fn classify(source: &Source<'_>, asked: Option<Format>) -> Result<Detection, Error> {
    if let Some(refusal) = recognized::refusal(source) {
        return Err(refusal);
    }
    let found = if source.is_lines { lines(source) } else { source.root().and_then(document) };
    let Found { detection, messages } = found.ok_or_else(|| refuse::no_session(source))?;
    let fault_of = detection.format.fault_of().filter(|_| asked.is_none());
    match fault_of.and_then(|fault_of| refuse::foreign(source, &messages, fault_of)) {
        Some(refusal) => Err(refusal),
        None => Ok(detection),
    }
}

/// The same for a source that may be a line alone: a log that has only begun, or whose messages a summary replaced.
pub(super) fn classify_alone(source: &mut Source<'_>, asked: Option<Format>) -> Result<Detection, Error> {
    let found = classify(source, asked);
    if found.is_ok() || !source.is_line_alone() {
        return found;
    }
    source.is_lines = true;
    let as_line = classify(source, asked);
    source.is_lines = as_line.is_ok();
    as_line.or(found)
}

/// Why a source that was read as `format` is not of it.
pub(super) fn foreign(source: &Source<'_>, format: Format) -> Option<Error> {
    let fault_of: FaultOf = format.fault_of()?;
    let messages = source.list();
    let has_role = |message: &Value<'_>| !source.is_lines || message.get("role").is_some();
    refuse::foreign(source, &messages.into_iter().filter(has_role).collect::<Vec<_>>(), fault_of)
}

/// Detects the format of one JSON document: an array is a list; an object contains a list or shows the format itself.
fn document(root: Value<'_>) -> Option<Found<'_>> {
    if root.is_array() {
        return list(root.elements(), "in an array");
    }
    if !root.is_object() {
        return None;
    }
    let shown = signs().find_map(|(format, shows)| match shows {
        Shows::Document(evidence) => evidence(root).map(|evidence| Detection::new(format, evidence).into()),
        Shows::ListIn { place, list: list_in } => {
            let found = list(list_in(root)?.elements(), place);
            found.filter(|found| found.detection.format == format)
        }
        _ => None,
    });
    shown.or_else(|| envelope(root))
}

/// Detects the format by the member `messages` of an object that shows no format itself.
fn envelope(root: Value<'_>) -> Option<Found<'_>> {
    let messages = root.get("messages").filter(|messages| messages.is_array())?;
    let found = list(messages.elements(), "in the member messages")?;
    if found.detection.certain {
        return Some(found);
    }
    let settled = signs().find_map(|(format, shows)| match shows {
        Shows::Envelope { words, test } if test(root) => Some(Detection::new(format, words)),
        _ => None,
    });
    Some(Found { detection: settled.unwrap_or(found.detection), ..found })
}

/// Detects the format of JSON Lines.
fn lines<'d>(source: &'d Source<'_>) -> Option<Found<'d>> {
    let lines: Vec<Value<'_>> = source.values().collect();
    let log = Log { first: *lines.first()?, lines };
    let shown = signs().find_map(|(format, shows)| match shows {
        Shows::Log(evidence) => evidence(&log).map(|evidence| Detection::new(format, evidence).into()),
        _ => None,
    });
    if shown.is_some() {
        return shown;
    }
    if log.head().any(is_row_of_list) || log.head().all(is_line_of_list) {
        return list(log.lines.iter().copied(), "on a line each");
    }
    // A log of messages may begin with a line about itself, and other entries may stand between the messages.
    let is_message = |line: Value<'_>| line.text_of("role").is_some() && has(line, &["content"]);
    let messages = log.lines.iter().copied().filter(|line| is_message(*line));
    // A summary may have replaced all the messages, so that it stands among other entries alone.
    let is_log = log.count(is_message) * 2 > log.total() || messages.clone().any(is_own_summary);
    let found = if is_log { list(messages, &format!("among {} lines", log.total())) } else { None }?;
    let with_role = log.lines.iter().copied().filter(|line| has(*line, &["role"]));
    Some(Found { messages: with_role.collect(), ..found })
}

/// Whether a message is a summary that was written here.
fn is_own_summary(message: Value<'_>) -> bool {
    let blocks = message.elements_of("content").filter_map(|block| block.text_of("text"));
    message.text_of("content").into_iter().chain(blocks).any(|text| text.starts_with(marks::BEGINS))
}

fn is_row_of_list(line: Value<'_>) -> bool {
    signs().any(|(_, shows)| matches!(shows, Shows::RowOfList(test) if test(line)))
}

fn is_line_of_list(line: Value<'_>) -> bool {
    signs().any(|(_, shows)| matches!(shows, Shows::LineOfList(test) if test(line)))
}

/// Detects the format of a list of messages; `place` describes where the list is.
fn list<'d>(messages: impl Iterator<Item = Value<'d>>, place: &str) -> Option<Found<'d>> {
    let all = messages.collect::<Vec<_>>();
    let first = if all.len() > LOOKED_AT { "the first " } else { "" };
    let list = List { messages: all.iter().copied().take(LOOKED_AT).collect() };
    if all.is_empty() {
        return None;
    }
    let detection = signs().find_map(|(format, shows)| match shows {
        Shows::List { words, is_certain, test } if test(&list) => {
            let count = list.messages.len();
            let noun = if count == 1 { "message" } else { "messages" };
            let evidence = format!("{first}{count} {noun} {place}: {words}");
            Some(Detection { format, evidence, certain: is_certain })
        }
        _ => None,
    })?;
    Some(Found { detection, messages: all })
}

impl Container {
    /// The format of the conversations: the chosen one's or, if that shows none for certain, that of the first
    /// conversation that does.
    ///
    /// # Errors
    ///
    /// `no_messages` if the chosen conversation contains no messages of any known format.
    pub(super) fn classify(
        &self,
        source: &mut Source<'_>,
        chosen: usize,
        asked: Option<Format>,
    ) -> Result<Detection, Error> {
        let others = (0..self.conversations.len()).filter(|number| *number != chosen);
        let mut found: Option<Detection> = None;
        for number in [chosen].into_iter().chain(others) {
            self.focus(source, number);
            let detection = match classify(source, asked) {
                // What is no session is not read as another conversation's format.
                Err(refusal) if number == chosen && !source.list().is_empty() => return Err(refusal),
                detection => detection.ok(),
            };
            let is_certain = detection.as_ref().is_some_and(|detection| detection.certain);
            if is_certain || found.is_none() {
                found = detection.or(found);
            }
            if is_certain {
                break;
            }
        }
        self.focus(source, chosen);
        let found = found.ok_or_else(|| refuse::no_session(source))?;
        let count = self.conversations.len();
        let noun = if count == 1 { "conversation" } else { "conversations" };
        let which = if chosen == 0 { "the first".to_owned() } else { format!("number {chosen} from 0") };
        let evidence = format!("{count} {noun}, {which} is read as the session: {}", found.evidence);
        Ok(Detection { evidence, ..found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart_by_their_signs() {
        let cases = [
            (r#"[{"role":"user","content":"hi"}]"#, "openai_chat"),
            (
                r#"{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"hi"}]}"#,
                "anthropic_messages",
            ),
            (r#"[{"role":"tool_result","content":[]}]"#, "tinyagent"),
            // A list whose summary replaced all calls.
            (
                r#"[{"role":"user","content":[{"type":"text","text":"a"}],"compaction_summary":true}]"#,
                "tinyagent",
            ),
            (
                r#"[{"role":"user","content":[{"type":"text","text":"a","citations":null}]}]"#,
                "anthropic_messages",
            ),
            (r#"[{"role":"toolResult","content":[]}]"#, "pi"),
            (r#"{"type":"session","id":"s","cwd":"/w"}"#, "pi"),
            (r#"[{"kind":"request","parts":[]}]"#, "pydantic_ai"),
            (r#"[{"kind":"request","parts":[]},{"thought":"t"}]"#, "tunacode"),
            (r#"[{"info":{},"parts":[]}]"#, "opencode"),
            (
                r#"[{"id":"ses_1"},{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text"}]"#,
                "opencode",
            ),
            (
                "{\"id\":\"msg_1\",\"session_id\":\"ses_1\",\"time_created\":1,\"data\":\"{}\"}\n{\"a\":1}",
                "opencode",
            ),
            (r#"{"part":[{"id":"prt_1","session_id":"ses_1","time_created":1,"data":"{}"}]}"#, "opencode"),
            (r#"[{"type":"message","data":{"id":"msg_1","sessionID":"ses_1"}}]"#, "opencode"),
            (r#"[{"id":"msg_1","type":"user","time":{},"text":"hi"}]"#, "opencode"),
            ("{\"parentUuid\":null,\"isSidechain\":false}\n{\"a\":1}", "claude_code"),
            ("{\"type\":\"mode\"}\n{\"parentUuid\":null,\"uuid\":\"u\",\"sessionId\":\"s\"}", "claude_code"),
            (r#"{"parentUuid":null,"isSidechain":false}"#, "claude_code"),
            (r#"{"loglines":[]}"#, "claude_code"),
            ("{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"tool\",\"content\":\"b\"}", "openai_chat"),
            (r#"[{"role":"user","parts":[{"text":"a"}]}]"#, "gemini_contents"),
            (r#"[{"id":0,"source":"user","action":"message","args":{}}]"#, "openhands"),
            (r#"{"id":0,"source":"user","action":"message","args":{}}"#, "openhands"),
            (r#"{"trajectory":[{"id":0,"source":"agent","cause":1,"observation":"run"}]}"#, "openhands"),
            (r#"[{"id":"a","source":"agent","kind":"SystemPromptEvent"}]"#, "openhands"),
            (r#"[{"step_id":1,"source":"agent","observation":{"results":[]}}]"#, "atif"),
            ("{\"source\":\"user\",\"kind\":\"MessageEvent\"}\n{\"kind\":\"Condensation\"}", "openhands"),
            (
                "{\"source\":\"user\",\"action\":\"message\"}\n{\"source\":\"agent\",\"observation\":\"run\"}",
                "openhands",
            ),
            (r#"{"instance_id":"i","history":[[{"action":"run"},{"observation":"run"}]]}"#, "openhands"),
            (r#"{"trajectory":[],"history":[],"info":{}}"#, "swe_agent"),
            (r#"{"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"user"}]}"#, "swe_agent"),
            (r#"{"info":{"config":{}},"messages":[{"role":"user","content":"a"}]}"#, "swe_agent"),
            (r#"{"schema_version":"ATIF-v1.6","steps":[]}"#, "atif"),
            (r#"{"version":1,"agent":"lead","sessionId":"s","messages":[]}"#, "cline"),
            (r#"{"version":1,"updated_at":"t","source_message_count":4,"messages":[]}"#, "cline"),
            (r#"{"eval":{},"samples":[]}"#, "inspect_ai"),
            (r#"{"object":"chat.completion","choices":[{"message":{"role":"assistant"}}]}"#, "openai_chat"),
            (
                "{\"session\":1}\n{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"tool\",\"content\":\"b\"}",
                "openai_chat",
            ),
            // Roo and older Cline: a list of Anthropic messages, with or without calls.
            (
                r#"[{"role":"user","content":[{"type":"text","text":"a"}],"ts":1},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"read_file","input":{}}],"ts":2}]"#,
                "anthropic_messages",
            ),
            (
                r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"iVBO"}}],"ts":1}]"#,
                "anthropic_messages",
            ),
            (r#"[{"parts":[{"functionCall":{}}]}]"#, "gemini_contents"),
            (r#"{"contents":[{"role":"user","parts":[]}],"tools":[]}"#, "gemini_contents"),
            (r#"{"history":[{"role":"user","parts":[]}],"authType":"oauth"}"#, "gemini_contents"),
            (r#"{"sessionId":"s","projectHash":"h","messages":[]}"#, "gemini_cli"),
            ("{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n{\"$set\":{}}", "gemini_cli"),
            ("{\"id\":\"a\",\"timestamp\":\"t\",\"type\":\"gemini\"}\n{\"$set\":{}}", "gemini_cli"),
        ];
        for (text, name) in cases {
            assert_eq!(detect(text).unwrap().format.name(), name, "{text}");
        }
    }

    #[test]
    fn what_a_library_stores_is_told_from_what_a_provider_gets() {
        let cases = [
            (
                r#"[{"role":"user","content":"x"},{"type":"function_call","callId":"c","name":"f","arguments":"{}"}]"#,
                "openai_agents",
            ),
            (
                r#"[{"type":"function_call_result","call_id":"c","output":{"type":"text","text":"x"}}]"#,
                "openai_agents",
            ),
            (r#"[{"role":"user","content":"x","providerData":{}}]"#, "openai_agents"),
            (r#"{"model":"m","input":[{"type":"computer_call","callId":"c"}]}"#, "openai_agents"),
            (
                "{\"role\":\"user\",\"content\":\"x\"}\n{\"type\":\"compaction\",\"providerData\":{}}",
                "openai_agents",
            ),
            (
                r#"[{"id":"m","role":"user","content":{"format":2,"parts":[{"type":"text","text":"x"}]}}]"#,
                "mastra",
            ),
            (r#"{"messages":[{"role":"user","content":{"format":2,"parts":[]}}],"total":1}"#, "mastra"),
            (
                "{\"role\":\"user\",\"content\":{\"format\":2,\"parts\":[]}}\n{\"role\":\"assistant\",\"content\":{\"format\":2,\"parts\":[]}}",
                "mastra",
            ),
            (
                r#"{"config":{},"checkpoint":{"channel_values":{"messages":[{"type":"human","content":"x"}]}}}"#,
                "langchain",
            ),
            (
                r#"[{"values":{"messages":[{"type":"human","content":"x"}]},"next":[],"metadata":{}},{"values":{},"next":[],"metadata":{}}]"#,
                "langchain",
            ),
        ];
        for (text, name) in cases {
            assert_eq!(detect(text).unwrap().format.name(), name, "{text}");
        }
    }
}
