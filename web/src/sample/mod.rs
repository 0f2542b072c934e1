//! The sample session: an agent looks for a rounding bug in a small web shop. It was written for this page and is
//! nobody's recording. Messages and findings are a script; long tool outputs are generated from it and are always the
//! same.
//!
//! Only the worker's program contains the text. The page's own program shows the first picture of it, which
//! [`first`] holds.

mod code;
pub mod first;
mod outputs;
mod script;

use script::{Call, SYSTEM, Step, TURNS};

/// The sample's file name.
pub const NAME: &str = "bug-hunt.json";

/// The session as a list of `OpenAI` Chat messages.
#[must_use]
pub fn text() -> String {
    let mut text = Messages("[\n".to_owned());
    text.add(&format!(r#"{{"role":"system","content":{}}}"#, quoted(SYSTEM)));
    let mut made = 0_u64;
    for turn in TURNS {
        text.add(&format!(r#"{{"role":"user","content":{}}}"#, quoted(turn.user)));
        for step in turn.steps {
            text.step(step, made);
            made += step.calls.len() as u64;
        }
        text.add(&format!(r#"{{"role":"assistant","content":{}}}"#, quoted(turn.answer)));
    }
    text.0 + "\n]\n"
}

/// The sample as the worker opens it.
#[cfg(test)]
pub(crate) fn opened() -> (crate::open_session::OpenSession<crate::file::File>, crate::open_session::Overview)
{
    crate::open_session::OpenSession::open(text().into_bytes(), NAME, &ebbline::ReadOptions::default())
        .unwrap()
}

/// The text so far.
struct Messages(String);

impl Messages {
    /// A message with calls, and a message with the result of each; `made` is the number of earlier calls.
    fn step(&mut self, step: &Step, made: u64) {
        let calls = || (made + 1..).zip(step.calls).map(|(number, call)| (number, id(number), call));
        let written: Vec<String> = calls()
            .map(|(_, id, call)| {
                let (tool, arguments) = (call.tool, quoted(&arguments(call)));
                format!(
                    r#"{{"id":"{id}","type":"function","function":{{"name":"{tool}","arguments":{arguments}}}}}"#
                )
            })
            .collect();
        let said = if step.say.is_empty() { "null".to_owned() } else { quoted(step.say) };
        let written = written.join(",");
        self.add(&format!(r#"{{"role":"assistant","content":{said},"tool_calls":[{written}]}}"#));
        for (number, id, call) in calls() {
            let output = quoted(&outputs::of(call.output, number));
            self.add(&format!(r#"{{"role":"tool","tool_call_id":"{id}","content":{output}}}"#));
        }
    }

    fn add(&mut self, json: &str) {
        if self.0.len() > 2 {
            self.0.push_str(",\n");
        }
        self.0.push_str(json);
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
    use ebbline::{Session, Verdict};

    use super::*;

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
    fn quoted_text_is_json() {
        let text = "a \"b\" \\ \n\t\u{1} ü日😀";
        let quoted = quoted(text);
        assert_eq!(quoted, "\"a \\\"b\\\" \\\\ \\n\\t\\u0001 ü日😀\"");
        assert_eq!(Document::parse(&quoted).unwrap().root().text().unwrap().decode(), text);
    }
}
