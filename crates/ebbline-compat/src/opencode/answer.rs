//! Converts an assistant's stored message to the model messages of its steps.

use ebbline::format::opencode::failed_without_words;
use ebbline::json::{Kind, Text, Value, format_js};
use ebbline::notation::javascript::{Utf16, members};

use super::media::{file_content, is_media, media_content};
use super::message::{StoredMessage, flag, interpolated, is};
use super::model::{Model, full_name_of_answer};
use super::object::{Json, Object};
use super::sent::{Conversion, ModelMessages, text_content};

/// What OpenCode sends in place of a pruned output.
const PLACEHOLDER: &str = "[Old tool result content cleared]";

/// A failed answer contains nothing that can be sent, unless it was aborted halfway.
pub(super) fn is_left_out(message: StoredMessage<'_>) -> bool {
    failed_without_words(message.info(), message.parts())
}

/// An assistant's message being converted. Each step becomes a message, followed by its tools' results.
pub(super) struct Answer<'m, 'd> {
    model: &'m Model,
    conversion: Conversion,
    is_own: bool,
    has_signatures: bool,
    content: Vec<Json>,
    results: Vec<Json>,
    /// Files that the provider does not accept in a result.
    media: Vec<Value<'d>>,
}

impl<'m, 'd> Answer<'m, 'd> {
    pub(super) fn new(message: StoredMessage<'d>, model: &'m Model, conversion: Conversion) -> Self {
        let is_signed = |part: Value<'_>| {
            let anthropic = part.get("metadata").and_then(|metadata| metadata.get("anthropic"));
            is(part, "type", "reasoning") && anthropic.is_some_and(|own| own.present("signature").is_some())
        };
        Self {
            model,
            conversion,
            is_own: full_name_of_answer(message.info()) == model.full_name(),
            has_signatures: message.parts().any(is_signed),
            content: Vec::new(),
            results: Vec::new(),
            media: Vec::new(),
        }
    }

    pub(super) fn write(mut self, message: StoredMessage<'d>, sent: &mut ModelMessages) {
        for part in message.parts() {
            let kind = part.text_of("type").map(Text::decode).unwrap_or_default();
            match kind.as_ref() {
                "text" => self.text(part),
                "reasoning" => self.reasoning(part),
                "tool" => self.tool(part),
                "step-start" => self.end_step(sent),
                _ => {}
            }
        }
        self.end_step(sent);
        if !self.media.is_empty() {
            let mut content = vec![text_content(&Utf16::from("Attached media from tool result:"))];
            content.extend(self.media.iter().map(|file| file_content(*file)));
            sent.push("user", &mut content);
        }
    }

    fn end_step(&mut self, sent: &mut ModelMessages) {
        sent.push("assistant", &mut self.content);
        sent.push("tool", &mut self.results);
    }

    fn text(&mut self, part: Value<'_>) {
        let separates = self.has_signatures && part.text_of("text").is_some_and(Text::is_empty);
        let text = Object::typed("text");
        let text = if separates { text.word("text", " ") } else { text.value("text", part.get("text")) };
        self.content
            .push(text.value("providerOptions", part.present("metadata").filter(|_| self.is_own)).end());
    }

    fn reasoning(&mut self, part: Value<'_>) {
        if self.is_own {
            let thinking = Object::typed("reasoning").value("text", part.get("text"));
            self.content.push(thinking.value("providerOptions", part.get("metadata")).end());
        } else {
            let text = part.text_of("text").map(Utf16::from).unwrap_or_default();
            if !text.trim().is_empty() {
                self.content.push(text_content(&text));
            }
        }
    }

    /// A call with its result.
    fn tool(&mut self, part: Value<'d>) {
        let Some(state) = part.get("state") else { return };
        let status = state.text_of("status").map(Text::decode).unwrap_or_default();
        let metadata = part.get("metadata");
        let by_provider = metadata.is_some_and(|metadata| flag(metadata, "providerExecuted"));
        let (output, input) = match status.as_ref() {
            "completed" => (self.output(state), state.get("input")),
            "error" => match partial_output(state) {
                // A tool that was interrupted after some output counts as completed.
                Some(partial) => (text_output(&Utf16::from(partial)), state.get("input")),
                None => (error_output(state, by_provider), state.present("input")),
            },
            "pending" | "running" => {
                let note = Utf16::from("[Tool execution was interrupted]");
                (error_text(&note, by_provider), state.present("input"))
            }
            _ => return,
        };
        let options = metadata.filter(|_| self.is_own).and_then(provider_options);
        let named = |kind| {
            let id = Object::typed(kind).value("toolCallId", part.get("callID"));
            id.text("toolName", &interpolated(part, "tool"))
        };
        let with_options = |object: Object| match &options {
            Some(options) => object.json("providerOptions", options.as_str()).end(),
            None => object.end(),
        };
        let call = named("tool-call").value("input", input).flag("providerExecuted", by_provider);
        let result = with_options(named("tool-result").json("output", output.as_str()));
        self.content.push(with_options(call));
        // The result of a tool that the provider ran is part of the same message.
        if by_provider { self.content.push(result) } else { self.results.push(result) }
    }

    /// The output of a completed tool: a text, or content if it includes files.
    fn output(&mut self, state: Value<'d>) -> Json {
        let is_cleared = state.get("time").is_some_and(|time| flag(time, "compacted"));
        let text = if is_cleared {
            Ok(Utf16::from(PLACEHOLDER))
        } else if let Some(instead) = self.conversion.tool_output {
            Ok(Utf16::from(instead))
        } else {
            match state.text_of("output") {
                Some(output) => Ok(cut(Utf16::from(output), self.conversion.tool_output_max)),
                None => Err(state.get("output")),
            }
        };
        let attachments =
            state.elements_of("attachments").filter(|_| !is_cleared && !self.conversion.strip_media);
        let (mut inside, mut has_files) = (Vec::new(), false);
        for file in attachments {
            let mime = file.text_of("mime").map(Text::decode).unwrap_or_default();
            if is_media(file) && !self.model.takes_in_result(&mime) {
                self.media.push(file);
            } else {
                has_files = true;
                inside.extend(media_content(file));
            }
        }
        if !has_files {
            return match text {
                Ok(text) => text_output(&text),
                Err(other) => Object::typed("json").value("value", other).end(),
            };
        }
        let text = match text {
            Ok(text) => Some(text).filter(|text| !text.is_empty()).map(|text| text_content(&text)),
            Err(other) => other
                .filter(|value| value.is_truthy())
                .map(|value| Object::typed("text").value("text", Some(value)).end()),
        };
        let value: Vec<Json> = text.into_iter().chain(inside).collect();
        Object::typed("content").json("value", Json::list(&value).as_str()).end()
    }
}

/// The output of an interrupted tool so far.
fn partial_output(state: Value<'_>) -> Option<Text<'_>> {
    let metadata = state.get("metadata")?;
    metadata.get("interrupted").filter(|flag| flag.kind() == Kind::True)?;
    metadata.text_of("output")
}

fn text_output(text: &Utf16) -> Json {
    Object::typed("text").text("value", text).end()
}

fn error_output(state: Value<'_>, by_provider: bool) -> Json {
    match (state.get("error"), by_provider) {
        (Some(error), true) => Object::typed("error-json").value("value", Some(error)).end(),
        (None, true) => Object::typed("error-json").json("value", "null").end(),
        (Some(error), false) if !error.is_null() => error_text(&interpolated(state, "error"), false),
        (_, false) => error_text(&Utf16::from("unknown error"), false),
    }
}

fn error_text(text: &Utf16, by_provider: bool) -> Json {
    Object::typed(if by_provider { "error-json" } else { "error-text" }).text("value", text).end()
}

/// A part's provider metadata, without the mark that the provider ran the tool.
fn provider_options(metadata: Value<'_>) -> Option<Json> {
    let mut options = Object::new();
    let mut count = 0;
    for (key, value) in members(metadata) {
        if !key.is("providerExecuted") {
            options = options.entry(&Utf16::from(key), value);
            count += 1;
        }
    }
    (count > 0).then(|| options.end())
}

/// An output cut to `max` UTF-16 units, possibly in the middle of a surrogate pair, with a note of what is missing.
fn cut(output: Utf16, max: Option<f64>) -> Utf16 {
    let length = output.len() as f64;
    let Some(max) = max.filter(|max| *max != 0.0 && !max.is_nan() && length > *max) else { return output };
    // A negative position counts from the end.
    let end = if max < 0.0 { (length + max.trunc()).max(0.0) } else { max.trunc() };
    let mut kept = output.slice(0, end as usize);
    let omitted = format_js(length - max);
    kept.push_str(&format!("\n[Tool output truncated for compaction: omitted {omitted} chars]"));
    kept
}
#[cfg(test)]
mod tests {
    use super::super::model_messages::tests::{MODEL, sent};
    use super::*;

    fn answer(parts: &str) -> String {
        answer_of("", parts)
    }

    fn answer_of(info: &str, parts: &str) -> String {
        format!(
            r#"[{{"info":{{"role":"assistant","providerID":"p","modelID":"m"{info}}},"parts":[{parts}]}}]"#
        )
    }

    #[test]
    fn the_profile_writes_what_is_sent_for_a_pruned_output() {
        for version in super::super::version::Version::ALL {
            let profile = ebbline::profiles::get(&format!("opencode@{}", version.name())).unwrap();
            assert_eq!(profile.prune.placeholder, PLACEHOLDER);
        }
    }

    #[test]
    fn every_call_has_a_result_and_every_step_a_message() {
        let parts = r#"{"type":"tool","callID":"c","tool":"bash","state":{"status":"running","input":{"b":1.0,"1":2}}},
            {"type":"step-start"},{"type":"step-start"},{"type":"text","text":"done"}"#;
        assert_eq!(
            sent(&answer(parts), MODEL, Conversion::default()),
            r#"[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"bash","input":{"1":2,"b":1}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c","toolName":"bash","output":{"type":"error-text","value":"[Tool execution was interrupted]"}}]},{"role":"assistant","content":[{"type":"text","text":"done"}]}]"#
        );
    }

    #[test]
    fn outputs_of_a_tool_are_texts_errors_or_content() {
        let cases = [
            (r#""status":"completed","output":"o""#, r#"{"type":"text","value":"o"}"#),
            (
                r#""status":"completed","output":"o","time":{"compacted":1}"#,
                r#"{"type":"text","value":"[Old tool result content cleared]"}"#,
            ),
            (r#""status":"error","error":"bad""#, r#"{"type":"error-text","value":"bad"}"#),
            (r#""status":"error""#, r#"{"type":"error-text","value":"unknown error"}"#),
            (
                r#""status":"error","error":"bad","metadata":{"interrupted":true,"output":"so far"}"#,
                r#"{"type":"text","value":"so far"}"#,
            ),
            (
                r#""status":"completed","output":"","attachments":[{"mime":"image/png","url":"data:;base64,A,B"}]"#,
                r#"{"type":"content","value":[{"type":"media","mediaType":"image/png","data":"A,B"}]}"#,
            ),
        ];
        for (state, output) in cases {
            let tool = format!(r#"{{"type":"tool","callID":"c","tool":"t","state":{{{state}}}}}"#);
            let sent = sent(&answer(&tool), MODEL, Conversion::default());
            assert!(sent.contains(&format!(r#""output":{output}"#)), "{state}: {sent}");
        }
    }

    #[test]
    fn media_that_a_provider_takes_in_no_result_follows_it() {
        let parts = r#"{"type":"tool","callID":"c","tool":"t","state":{"status":"completed","output":"o",
            "attachments":[{"mime":"image/png","url":"data:,A","filename":"a"},{"mime":"application/pdf","url":"data:,B"}]}}"#;
        let inside = |npm: &str, id: &str| {
            let model = format!(r#"{{"providerID":"p","id":"m","api":{{"npm":"{npm}","id":"{id}"}}}}"#);
            let sent = sent(&answer(parts), &model, Conversion::default());
            assert_eq!(sent.contains("Attached media from tool result:"), sent.contains(r#""type":"file""#));
            sent.matches(r#""type":"media""#).count()
        };
        let cases = [
            ("@ai-sdk/openai", "m", 2),
            ("@ai-sdk/xai", "m", 1),
            ("@ai-sdk/google", "Gemini-3-pro", 2),
            ("@ai-sdk/google", "gemini-2.5", 0),
            ("@ai-sdk/mistral", "m", 0),
        ];
        for (npm, id, count) in cases {
            assert_eq!(inside(npm, id), count, "{npm} {id}");
        }
    }

    #[test]
    fn signatures_stay_with_their_own_model() {
        let parts = r#"{"type":"reasoning","text":"because","metadata":{"anthropic":{"signature":"s"}}},{"type":"text","text":""}"#;
        assert_eq!(
            sent(&answer(parts), MODEL, Conversion::default()),
            r#"[{"role":"assistant","content":[{"type":"reasoning","text":"because","providerOptions":{"anthropic":{"signature":"s"}}},{"type":"text","text":" "}]}]"#
        );
        let other = r#"{"providerID":"p","id":"other"}"#;
        assert_eq!(
            sent(&answer(parts), other, Conversion::default()),
            r#"[{"role":"assistant","content":[{"type":"text","text":"because"},{"type":"text","text":" "}]}]"#
        );
    }

    #[test]
    fn failed_answers_are_left_out_unless_aborted_with_something_in_them() {
        let text = r#"{"type":"text","text":"half"}"#;
        let cases = [
            (r#","error":{"name":"APIError"}"#, text, false),
            (r#","error":{"name":"MessageAbortedError"}"#, text, true),
            (r#","error":{"name":"MessageAbortedError"}"#, r#"{"type":"reasoning","text":"r"}"#, false),
            (r#","error":null"#, text, true),
        ];
        for (info, parts, stays) in cases {
            assert_eq!(sent(&answer_of(info, parts), MODEL, Conversion::default()) != "[]", stays, "{info}");
        }
    }

    #[test]
    fn outputs_are_cut_as_javascript_slices() {
        let cases = [
            (4.0, "abcd\n[Tool output truncated for compaction: omitted 2 chars]"),
            (4.5, "abcd\n[Tool output truncated for compaction: omitted 1.5 chars]"),
            (-1.0, "abcde\n[Tool output truncated for compaction: omitted 7 chars]"),
            (6.0, "abcdef"),
            (0.0, "abcdef"),
            (f64::NAN, "abcdef"),
        ];
        for (max, expected) in cases {
            assert_eq!(cut(Utf16::from("abcdef"), Some(max)).to_text(), expected, "{max}");
        }
    }
}
