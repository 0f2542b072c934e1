//! What tells a model what a summary is.

use ebbline::binding::{self, Telling};
use ebbline::json::{Value, Writer, quote};
use ebbline::{Error, Format, ReadOptions, SessionText};

use super::members::{flag, known, text};
use crate::error::invalid;

const USER: &str = "user";

/// ebbline's own words, and those of agents: what a model may have been trained with. They are those of the npm package.
const KNOWN: [(&str, &str); 4] = [
    ("default", "A summary of the conversation so far. The work goes on from there."),
    (
        "claude_code",
        "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.",
    ),
    (
        "codex",
        "Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:",
    ),
    ("pi", "The conversation history before this point was compacted into the following summary:"),
];

/// An introduction; without words, there is none.
///
/// It stands behind the first line of a summary, and the engine knows it as no part of that: no request for the next summary
/// quotes it.
#[derive(Clone, Debug)]
pub(crate) struct Introduction {
    own: Option<String>,
    /// Whose words a summary is, if not the user's.
    role: Option<&'static str>,
    is_answered: bool,
}

/// The roles that a summary may have in some format.
const ROLES: [&str; 4] = ["user", "system", "developer", "assistant"];
/// The most UTF-16 units of an introduction.
const LONGEST: usize = 4_000;

impl Introduction {
    /// Reads it from options.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        let [(_, default), ..] = KNOWN;
        let (mut own, mut role, mut is_answered) = (None, None, false);
        if let Some(given) = given.present("introduction") {
            if let Some(text) = given.text() {
                own = Some(text.decode().into_owned());
            } else if given.is_object() {
                known(given, &[&["text", "role", "answer"]]).map_err(|_| refused())?;
                own = text(given, "text").map_err(|_| refused())?;
                is_answered = flag(given, "answer").map_err(|_| refused())?.unwrap_or(false);
                if let Some(word) = text(given, "role").map_err(|_| refused())? {
                    role = Some(ROLES.into_iter().find(|known| *known == word).ok_or_else(refused)?);
                }
            } else {
                return Err(refused());
            }
        }
        let own = Self::of(own.as_deref().unwrap_or(default))?.own;
        Ok(Self { own, role: role.filter(|role| *role != USER), is_answered })
    }

    /// One of these words; without any, there is none.
    ///
    /// # Errors
    ///
    /// `invalid_option` if they are too many.
    pub(crate) fn of(own: &str) -> Result<Self, Error> {
        if own.encode_utf16().count() > LONGEST {
            return Err(refused());
        }
        let own = (!ebbline::summary::is_blank(own)).then(|| own.to_owned());
        Ok(Self { own, role: None, is_answered: false })
    }

    /// How a summary is told in a session to which so many messages came since it was asked for.
    pub(crate) fn telling(&self, newer: usize) -> Telling<'_> {
        Telling { introduction: self.own.as_deref(), ..self.voice(newer) }
    }

    /// The same for a summary of a part, which only the model reads that summarizes the next one.
    pub(crate) fn of_part(&self) -> Telling<'_> {
        self.voice(0)
    }

    fn voice(&self, newer: usize) -> Telling<'_> {
        Telling { newer, role: self.role, is_answered: self.is_answered, introduction: None }
    }

    /// This one, and those of other agents and of other options: what introduces summaries that are there already.
    pub(crate) fn all_known(&self) -> Vec<String> {
        self.own.iter().cloned().chain(KNOWN.iter().map(|(_, words)| (*words).to_owned())).collect()
    }

    /// Refuses what a summary cannot have in a format, its role or an answer.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn check(&self, format: Format) -> Result<(), Error> {
        if self.role.is_none() && !self.is_answered {
            return Ok(());
        }
        // The reader of a format says what it has, even of no messages.
        let (roles, has_answer) =
            binding::voices(&SessionText::read_with("[]", &ReadOptions::new().format(format))?);
        let format = format.name();
        if self.is_answered && !has_answer {
            return Err(invalid(format!(
                "a summary in the format {format} cannot have an answer: leave `introduction.answer` out"
            )));
        }
        match self.role.filter(|role| !roles.contains(role)) {
            None => Ok(()),
            Some(role) => {
                let known: Vec<String> = roles.iter().map(|role| quote(role)).collect();
                let known = known.join(", ");
                Err(invalid(format!(
                    "a summary in the format {format} cannot have the role \"{role}\"; it may have {known}"
                )))
            }
        }
    }
}

fn refused() -> Error {
    invalid(
        "the option introduction must be a text of at most 4000 characters, or { text, role, answer } with such a text, a role among user, system, developer, assistant, and true or false",
    )
}

impl Default for Introduction {
    fn default() -> Self {
        let [(_, default), ..] = KNOWN;
        Self { own: Some(default.to_owned()), role: None, is_answered: false }
    }
}

/// The introductions that are known, ebbline's own and those of agents, by their names, as JSON.
#[must_use]
pub fn introductions() -> String {
    let mut out = Writer::default();
    for (at, (name, words)) in KNOWN.iter().enumerate() {
        out.raw(if at == 0 { "{" } else { "," }).string(name).raw(":").string(words);
    }
    out.raw("}");
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn the_words_are_those_of_the_npm_package() {
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../../npm/src/introductions.ts");
        let source = std::fs::read_to_string(place).unwrap();
        for (name, words) in KNOWN {
            assert!(source.contains(&format!("{name}:")) && source.contains(&format!("'{words}'")), "{name}");
        }
        let listed =
            source.split("Object.freeze({").nth(1).and_then(|rest| rest.split("});").next()).unwrap();
        assert_eq!(listed.matches("',\n").count(), KNOWN.len());
    }

    #[test]
    fn what_a_format_cannot_have_is_refused() {
        let read = |json: &str| Introduction::read(Document::parse(json).unwrap().root());
        let of = |json: &str| read(&format!(r#"{{"introduction":{json}}}"#));
        for (json, format, sentence) in [
            (r#"{"answer":true}"#, Format::OpenaiResponses, "openai_responses cannot have an answer"),
            (
                r#"{"role":"assistant"}"#,
                Format::OpenaiAgents,
                r#"the role "assistant"; it may have "user", "system""#,
            ),
            (r#"{"role":"system"}"#, Format::AnthropicMessages, r#"the role "system"; it may have "user""#),
        ] {
            let error = of(json).unwrap().check(format).unwrap_err();
            assert!(error.message().contains(sentence), "{}", error.message());
        }
        for json in [r#"{"role":"user"}"#, "null", "\"\"", "{}"] {
            of(json).unwrap().check(Format::Pi).unwrap();
        }
        assert!(of(r#"{"role":"developer","answer":true}"#).unwrap().check(Format::OpenaiChat).is_ok());
        let long = format!("\"{}\"", "x".repeat(LONGEST + 1));
        for json in ["3", r#"{"role":"tool"}"#, r#"{"text":7}"#, r#"{"roles":"user"}"#, &long] {
            assert!(of(json).unwrap_err().message().contains("a text of at most 4000 characters"), "{json}");
        }
    }
}
