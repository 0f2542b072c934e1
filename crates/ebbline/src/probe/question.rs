//! The words of a question: what the agent wrote, with the fact blanked.

use std::fmt::Write as _;

use super::fact::{Fact, FactKind};
use super::score::{RECALL, UNKNOWN};
use crate::json::Document;
use crate::transcript::{Part, PartKind};

/// What stands in the place of the fact.
const BLANK: &str = "____";
/// How many bytes of what the agent wrote stand before and behind the fact.
const BEFORE: usize = 300;
const BEHIND: usize = 200;
/// How many bytes of an earlier call are shown.
const SOURCE: usize = 300;
/// So many letters have to stand around a fact: otherwise nobody could know which one is meant.
const ENOUGH: usize = 12;
/// The shortest end of a path that would tell the path.
const END: usize = 5;

/// What is said after the output that a model asked for.
pub const AGAIN: &str = "That was the whole output. Now answer: which text stands at ____? Answer with that text alone, word for word.";
/// What is said if there is no such output.
pub const NO_OUTPUT: &str = "There is no such output. Now answer: which text stands at ____? Answer with that text alone, word for word.";

impl Fact {
    /// The question for the fact; `recall` says whether the model may ask for one output.
    #[must_use]
    pub fn question(&self, recall: bool) -> String {
        let (kind, characters, first) = self.shape();
        let what = match kind {
            FactKind::Content => "line",
            FactKind::Value => "number",
            FactKind::Identifier => "name",
        };
        let first = first.map(String::from).unwrap_or_default();
        let source = if self.source.is_empty() {
            "an earlier tool call.".to_owned()
        } else {
            format!("this earlier tool call:\n\n{}", self.source)
        };
        let mut question = format!(
            "Before you go on, one question about the work so far. This is from your next step, with one {what} replaced by {BLANK}:\n\n{}\n\nThe {what} at {BLANK} has {characters} characters, begins with \"{first}\", and stood in the output of {source}\n\nWhich text stands at {BLANK}? Answer with that text alone, word for word, and call no tool. If nothing in this conversation says it, answer {UNKNOWN}.",
            self.excerpt
        );
        if recall {
            let _ = write!(
                question,
                "\n\nYou have one tool for this: it returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh]. To use it, answer with nothing but {RECALL} and the eight letters of the reference, or the id of the tool call. You can use it once."
            );
        }
        question
    }
}

/// What the agent wrote: its words, or the name of a tool and the texts that it was called with.
pub(super) fn written(tool: &str, part: &Part, text: &str) -> String {
    if part.kind == PartKind::ToolCall {
        format!("Call of the tool {tool}\n{}", arguments(text))
    } else {
        text.to_owned()
    }
}

/// The arguments of a call as texts: a member a line.
pub(super) fn arguments(json: &str) -> String {
    let document = if json.starts_with('{') { Document::parse(json).ok() } else { None };
    let Some(document) = document else { return json.to_owned() };
    let mut lines = String::new();
    for (name, value) in document.root().members() {
        let separator =
            if value.text().is_some_and(|text| text.decode().contains('\n')) { "\n" } else { " " };
        let text = value.text().map_or_else(|| value.source().into(), |text| text.decode());
        let _ = writeln!(lines, "{}:{separator}{text}", name.decode());
    }
    lines
}

/// The surroundings of a fact in what the agent wrote, with the fact blanked wherever it stands; `None` if what is left says too
/// little, or still says the fact.
pub(super) fn excerpt(written: &str, fact: &str) -> Option<String> {
    let at = written.find(fact)?;
    let start = boundary(written, at.saturating_sub(BEFORE), at);
    let end = boundary(written, (at + fact.len() + BEHIND).min(written.len()), written.len());
    let shown = written.get(start..end)?;
    let blanked = blanked(shown, fact)?;
    let letters = blanked.replace(BLANK, "").chars().filter(|letter| letter.is_alphanumeric()).count();
    (letters >= ENOUGH).then(|| blanked.trim().to_owned())
}

/// A text with the fact blanked; `None` if what is left still says it.
fn blanked(text: &str, fact: &str) -> Option<String> {
    let mut blanked = text.replace(fact, BLANK);
    // The last name of a path tells the path.
    let last = fact.trim_end_matches('/').rsplit('/').next();
    if let Some(last) = last.filter(|last| last.len() >= END && *last != fact) {
        blanked = blanked.replace(last, "…");
    }
    let rest = blanked.replace(BLANK, "").to_lowercase();
    (!rest.contains(&fact.to_lowercase())).then_some(blanked)
}

/// A call as it was written, with the fact blanked; empty if it still says the fact.
pub(super) fn source(written: &str, fact: &str) -> String {
    let shown = blanked(written, fact).unwrap_or_default();
    let end = boundary(&shown, SOURCE.min(shown.len()), shown.len());
    shown.get(..end).unwrap_or_default().trim_end().to_owned()
}

/// The first place from `at` on, and at most `most`, at which a character begins.
fn boundary(text: &str, at: usize, most: usize) -> usize {
    (at..=most).find(|at| text.is_char_boundary(*at)).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fact_is_blanked_wherever_it_stands() {
        for (written, fact, expected) in [
            (
                "I open src/a/listen.rs because listen.rs binds the port.",
                "src/a/listen.rs",
                Some("I open ____ because … binds the port."),
            ),
            (
                "It is the port 48213, as 48213 says everywhere.",
                "48213",
                Some("It is the port ____, as ____ says everywhere."),
            ),
            // Nobody could know what is meant.
            ("See a: 48213.", "48213", None),
            // The rest still says it.
            ("I open Src/Main.rs and src/main.rs, which begin it.", "src/main.rs", None),
            ("Nothing of that kind stands here.", "48213", None),
        ] {
            assert_eq!(excerpt(written, fact).as_deref(), expected, "{written}");
        }
        let long = format!("{}48213{}", "é".repeat(400), "é".repeat(400));
        let shown = excerpt(&long, "48213").unwrap();
        assert!(shown.len() < 2 * (BEFORE + BEHIND) && shown.contains(BLANK), "{shown}");
    }

    #[test]
    fn arguments_are_shown_as_texts() {
        let json = r#"{"path":"a.rs","old":"one\ntwo","count":3}"#;
        assert_eq!(arguments(json), "path: a.rs\nold:\none\ntwo\ncount: 3\n");
        assert_eq!(arguments("ls -l"), "ls -l");
    }

    #[test]
    fn a_question_tells_of_recall_only_where_there_is_one() {
        let fact = Fact {
            request: 0,
            message: 0,
            part: 0,
            kind: FactKind::Value,
            text: "48213".to_owned(),
            output: 0,
            output_message: 0,
            left: Vec::new(),
            excerpt: "The port is ____.".to_owned(),
            source: source("Call of the tool bash\ncommand: grep 48213 ports", "48213"),
        };
        assert!(fact.question(true).starts_with(&fact.question(false)));
        assert!(!fact.question(false).contains(RECALL) && fact.question(true).contains(RECALL));
        assert!(!fact.question(true).contains("48213"));
        let told = "has 5 characters, begins with \"4\", and stood in the output of this earlier tool call:\n\nCall of the tool bash\ncommand: grep ____ ports\n";
        assert!(fact.question(false).contains(told), "{}", fact.question(false));
    }
}
