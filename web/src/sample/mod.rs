//! The sample session: an agent looks for a rounding bug in a small web shop. It was written for this page and is
//! nobody's recording. Messages and findings are a script; long tool outputs are generated from it and are always the
//! same.
//!
//! The transcript is written together with the text, so that the first download needs no reader. A test compares it
//! with what the engine reads from the text.

mod code;
mod outputs;
mod script;

use std::borrow::Cow;
use std::ops::Range;

use ebbline::length::Length;
use ebbline::session::Counts;
use ebbline::transcript::{Message, Part, PartKind, Role};
use ebbline::{Format, Transcript};

use crate::content::{Content, ExportRequest};
use crate::error_text::UserError;
use crate::export::Exported;
use crate::open_session::{About, OpenSession, Overview, Rows, tools};
use script::{Call, SYSTEM, Step, TURNS};

/// The sample's file name.
pub const NAME: &str = "bug-hunt.json";
/// The evidence that the engine gives for the format.
const EVIDENCE: &str = "115 messages in an array: role tool, tool_calls";

/// The session as a list of `OpenAI` Chat messages.
#[must_use]
pub fn text() -> String {
    Sample::write().source
}

/// The sample with its transcript.
#[derive(Debug, Default)]
pub struct Sample {
    source: String,
    transcript: Transcript,
    spans: Vec<Range<usize>>,
    /// For each part its text and, for calls, the values of the arguments.
    texts: Vec<(String, String)>,
}

impl OpenSession<Sample> {
    /// Opens the sample, and says what the page knows of it.
    #[must_use]
    pub fn of_sample() -> (Self, Overview) {
        let sample = Sample::write();
        let transcript = &sample.transcript;
        let about = About {
            name: NAME.to_owned(),
            bytes: sample.source.len() as u64,
            format: Format::OpenaiChat.title().to_owned(),
            evidence: EVIDENCE.to_owned(),
            counts: Counts::of(transcript, |_| true),
            problems: Vec::new(),
            problem_count: 0,
            tools: tools(transcript),
            facts: Vec::new(),
        };
        let opened = Overview { about, rows: Rows::of(transcript) };
        (Self::new(sample), opened)
    }
}

impl Sample {
    fn write() -> Self {
        let mut sample = Self { source: "[\n".to_owned(), ..Self::default() };
        sample.begin(
            Message::new(Role::System),
            &format!(r#"{{"role":"system","content":{}}}"#, quoted(SYSTEM)),
        );
        sample.text(SYSTEM);
        let mut made = 0_u64;
        for turn in TURNS {
            sample.begin(Message::person(), &format!(r#"{{"role":"user","content":{}}}"#, quoted(turn.user)));
            sample.text(turn.user);
            for step in turn.steps {
                sample.step(step, made);
                made += step.calls.len() as u64;
            }
            let ended = Message { ended: true, ..Message::new(Role::Assistant) };
            sample.begin(ended, &format!(r#"{{"role":"assistant","content":{}}}"#, quoted(turn.answer)));
            sample.text(turn.answer);
        }
        sample.source.push_str("\n]\n");
        sample
    }

    /// A message with calls, and a message with the result of each; `made` is the number of earlier calls.
    fn step(&mut self, step: &Step, made: u64) {
        let calls = || (made + 1..).map(id).zip(step.calls);
        let written: Vec<String> = calls()
            .map(|(id, call)| {
                let (tool, arguments) = (call.tool, quoted(&arguments(call)));
                format!(
                    r#"{{"id":"{id}","type":"function","function":{{"name":"{tool}","arguments":{arguments}}}}}"#
                )
            })
            .collect();
        let said = if step.say.is_empty() { "null".to_owned() } else { quoted(step.say) };
        let written = written.join(",");
        self.begin(
            Message::new(Role::Assistant),
            &format!(r#"{{"role":"assistant","content":{said},"tool_calls":[{written}]}}"#),
        );
        if !step.say.is_empty() {
            self.text(step.say);
        }
        for (id, call) in calls() {
            let values: Vec<&str> = call.arguments.iter().map(|(_, value)| *value).collect();
            self.part(PartKind::ToolCall, Some((&id, call.tool)), (arguments(call), values.join(" ")));
        }
        for (number, (id, call)) in (made + 1..).zip(calls()) {
            let output = outputs::of(call.output, number);
            let quoted = quoted(&output);
            self.begin(
                Message::new(Role::Tool),
                &format!(r#"{{"role":"tool","tool_call_id":"{id}","content":{quoted}}}"#),
            );
            self.part(PartKind::ToolResult, Some((&id, call.tool)), (output, String::new()));
        }
    }

    fn begin(&mut self, message: Message, json: &str) {
        if !self.spans.is_empty() {
            self.source.push_str(",\n");
        }
        let start = self.source.len();
        self.source.push_str(json);
        self.spans.push(start..self.source.len());
        self.transcript.begin(message);
    }

    fn text(&mut self, text: &str) {
        self.part(PartKind::Text, None, (text.to_owned(), String::new()));
    }

    fn part(&mut self, kind: PartKind, of: Option<(&str, &str)>, texts: (String, String)) {
        let (call, tool) =
            of.map(|(id, tool)| (self.transcript.call(id), self.transcript.tool(tool))).unzip();
        self.transcript.push(Part { call, tool, ..Part::new(kind, Length::of(&texts.0)) });
        self.texts.push(texts);
    }
}

impl Content for Sample {
    fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn span(&self, message: usize) -> Range<usize> {
        self.spans.get(message).cloned().unwrap_or_default()
    }

    fn text_of(&self, part: usize) -> Cow<'_, str> {
        self.texts.get(part).map_or_else(Cow::default, |(text, _)| Cow::Borrowed(text.as_str()))
    }

    fn values_of(&self, part: usize) -> String {
        self.texts.get(part).map_or_else(String::new, |(_, values)| values.clone())
    }

    fn export(&self, _: &ExportRequest<'_>) -> Option<Result<Exported, UserError>> {
        None
    }
}

fn id(number: u64) -> String {
    format!("call_{:04x}{number:02}", number.wrapping_mul(40_503) & 0xffff)
}

fn arguments(call: &Call) -> String {
    let members: Vec<String> =
        call.arguments.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    format!("{{{}}}", members.join(","))
}

/// `text` as a JSON string.
#[inline(never)]
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 16);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            _ if character < ' ' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use ebbline::json::Document;
    use ebbline::{ReadOptions, Session, Verdict};

    use super::*;
    use crate::open_session::Request;

    #[test]
    fn the_sample_is_a_session_in_which_something_happens() {
        let text = text();
        assert_eq!(text, super::text(), "always the same");
        let session = Session::read(&text).unwrap();
        let counts = session.counts();
        assert_eq!(counts.results, 60);
        assert!((110..=130).contains(&counts.messages), "{}", counts.messages);
        assert_eq!((counts.calls_without_result, counts.results_without_call), (0, 0));

        let mut policy = ebbline::profiles::ALL[0].policy();
        let plan = session.plan(&policy);
        assert_eq!(plan.decision.verdict, Verdict::Prune);
        assert!((175_000..200_000).contains(&plan.decision.tokens_before), "{}", plan.decision.tokens_before);
        assert!((35_000..80_000).contains(&plan.decision.tokens_after), "{}", plan.decision.tokens_after);
        policy = ebbline::profiles::get("ebbline@1").unwrap();
        policy.model.context = NonZeroU64::new(32_000);
        assert_eq!(session.plan(&policy).decision.verdict, Verdict::PruneThenSummarise);
    }

    #[test]
    fn what_is_written_is_what_the_engine_reads() {
        let (written, of_sample) = OpenSession::of_sample();
        let (read, of_file) = OpenSession::open(text().into_bytes(), NAME, &ReadOptions::default()).unwrap();
        assert_eq!(of_sample, of_file);
        assert_eq!(written.content().transcript(), read.content().transcript());
        let messages = of_file.rows.kind.len() as u32;
        let mut asks = vec![Request::Previews((0..messages).collect()), Request::Find("voucher".to_owned())];
        for context in [200_000, 60_000] {
            let mut policy = Box::new(ebbline::profiles::ALL[0].policy());
            policy.model.context = NonZeroU64::new(context);
            asks.push(Request::Plan { policy: policy.clone(), force: false });
            asks.extend((0..messages).map(|message| {
                let (policy, whole) = (policy.clone(), message % 2 == 0);
                Request::Inspect { message, policy, force: false, whole, from: 0 }
            }));
        }
        for request in asks {
            let (written, read) = (written.answer(&request), read.answer(&request));
            assert!(written.is_some());
            assert_eq!(format!("{written:?}"), format!("{read:?}"), "{request:?}");
        }
    }

    #[test]
    fn quoted_text_is_json() {
        let text = "a \"b\" \\ \n\t\u{1} ü日😀";
        let quoted = quoted(text);
        assert_eq!(quoted, "\"a \\\"b\\\" \\\\ \\n\\t\\u0001 ü日😀\"");
        assert_eq!(Document::parse(&quoted).unwrap().root().text().unwrap().decode(), text);
    }
}
