//! What tells a model what a summary is.

use ebbline::json::{Value, Writer};
use ebbline::{Error, Format};

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

/// An introduction; without words, there is none.
#[derive(Clone, Debug)]
pub(crate) struct Introduction(String);

impl Introduction {
    /// Reads it from options.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        let [(_, default), ..] = KNOWN;
        Ok(Self(options::text(given, "introduction")?.unwrap_or_else(|| default.to_owned())))
    }

    /// A summary behind its introduction. Where the format has a field for summaries, the agent introduces them itself.
    pub(crate) fn before(&self, summary: String, format: Format) -> String {
        let has_field = matches!(format, Format::Pi | Format::Opencode);
        let is_silent = [self.0.as_str(), &summary].into_iter().any(ebbline::summary::is_blank);
        if has_field || is_silent { summary } else { format!("{}\n\n{summary}", self.0) }
    }

    /// What summaries in a history may be introduced with, also by another agent.
    pub(crate) fn all(&self) -> Vec<String> {
        let own = (!ebbline::summary::is_blank(&self.0)).then(|| self.0.clone());
        own.into_iter().chain(KNOWN.iter().map(|(_, words)| (*words).to_owned())).collect()
    }
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
    fn what_says_nothing_is_not_introduced() {
        let introduction = Introduction("Before:".to_owned());
        assert_eq!(introduction.before("S".to_owned(), Format::OpenaiChat), "Before:\n\nS");
        assert_eq!(introduction.before("S".to_owned(), Format::Pi), "S");
        assert_eq!(introduction.before(" ".to_owned(), Format::OpenaiChat), " ");
        assert_eq!(Introduction(String::new()).before("S".to_owned(), Format::OpenaiChat), "S");
    }
}
