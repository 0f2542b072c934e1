//! What tells a model what a summary is.

use ebbline::Error;
use ebbline::json::{Value, Writer, quote};

use crate::options;

/// ebbline's own words, and those of agents: what a model may have been trained with. They are those of the npm package.
const KNOWN: [(&str, &str); 4] = [
    (
        "default",
        "What follows is a summary of the conversation so far, written to make room. The work goes on from there.",
    ),
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

/// How the first line of a summary begins, by which it is known, and how it ends in JSON.
const LEAD: &str = "[Compaction summary: it stands for ";
const LEAD_ENDS: &str = "]\\n\\n";

/// An introduction; without words, there is none.
///
/// The engine knows nothing of it: it stands in what leaves, behind the first line of a summary, and is taken out of what comes
/// back. So no request for the next summary quotes it.
#[derive(Clone, Debug)]
pub(crate) struct Introduction {
    /// As it stands inside a string of JSON, with an empty line behind it.
    own: Option<String>,
}

impl Introduction {
    /// Reads it from options.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        let [(_, default), ..] = KNOWN;
        let own = options::text(given, "introduction")?.unwrap_or_else(|| default.to_owned());
        Ok(Self { own: (!ebbline::summary::is_blank(&own)).then(|| inside(&own)) })
    }

    /// Without words.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self { own: None }
    }

    /// A message that was made, as JSON, with the introduction of the summary in it. Where the format has a field for summaries,
    /// the agent introduces them itself.
    pub(crate) fn insert(&self, message: &str) -> String {
        match (&self.own, split(message)) {
            (Some(own), Some((before, behind))) => [before, own, behind].concat(),
            _ => message.to_owned(),
        }
    }

    /// The message without an introduction, if it has one: this one, one of another agent, or that of another option.
    pub(crate) fn strip(&self, message: &str) -> Option<String> {
        let (before, behind) = split(message)?;
        let known = self.own.clone().into_iter().chain(KNOWN.iter().map(|(_, words)| inside(words)));
        let rest = known.into_iter().find_map(|words| behind.strip_prefix(words.as_str()))?;
        Some([before, rest].concat())
    }
}

/// A text as it stands inside a string of JSON, with an empty line behind it.
fn inside(words: &str) -> String {
    let quoted = quote(&format!("{words}\n\n"));
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

/// A message at the end of the first line of a summary in it; `None` if there is no such line.
fn split(message: &str) -> Option<(&str, &str)> {
    let line = message.find(LEAD)?;
    let end = line + message.get(line..)?.find(LEAD_ENDS)? + LEAD_ENDS.len();
    message.split_at_checked(end)
}

/// Those that are known, as JSON.
pub(crate) fn known() -> String {
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

    #[test]
    fn the_words_are_those_of_the_npm_package() {
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../ebbline-wasm/js/src/introductions.js");
        let source = std::fs::read_to_string(place).unwrap();
        for (name, words) in KNOWN {
            assert!(source.contains(&format!("{name}:")) && source.contains(&format!("'{words}'")), "{name}");
        }
        let listed =
            source.split("Object.freeze({").nth(1).and_then(|rest| rest.split("});").next()).unwrap();
        assert_eq!(listed.matches("',\n").count(), KNOWN.len());
    }

    #[test]
    fn it_stands_behind_the_line_that_marks_a_summary() {
        let line = r"[Compaction summary: it stands for 3 earlier messages; the next 2 are kept word for word] [ref abcdefgh]\n\n";
        let bare = format!(r#"{{"role":"user","content":"{line}Done."}}"#);
        let own = Introduction { own: Some(inside("It \"was\":")) };
        let introduced = own.insert(&bare);
        assert_eq!(introduced, format!(r#"{{"role":"user","content":"{line}It \"was\":\n\nDone."}}"#));
        assert_eq!((own.strip(&introduced), own.strip(&bare)), (Some(bare.clone()), None));
        let by_default = Introduction::read(ebbline::json::Document::parse("{}").unwrap().root()).unwrap();
        assert_eq!(own.strip(&by_default.insert(&bare)), Some(bare.clone()), "that of another option");
        assert_eq!(Introduction::none().insert(&bare), bare);
        assert_eq!(own.insert("{\"summary\":\"Done.\"}"), "{\"summary\":\"Done.\"}", "it has a field");
    }
}
