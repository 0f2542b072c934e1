//! What an answer says: the fact, that it is not known, or which output the model wants back.

use super::fact::{Fact, FactKind};
use crate::placeholder::names::says;

/// The word by which a model asks for an output.
pub const RECALL: &str = "RECALL";
/// The answer of a model that does not know.
pub(super) const UNKNOWN: &str = "UNKNOWN";
/// So many characters of an answer are read beside the length of the fact: whoever repeats the whole conversation knows nothing.
const READ: usize = 500;

/// Whether an answer has the fact. It has to stand there as a whole; white space at the ends of lines does not count.
#[must_use]
pub fn says_fact(answer: &str, fact: &Fact) -> bool {
    let most = fact.text.chars().count() + READ;
    let read: String = answer.trim().chars().take(most).collect();
    has(&read, fact)
}

/// Whether a text has the fact.
pub(super) fn has(text: &str, fact: &Fact) -> bool {
    is_in(text, fact.kind, &fact.text)
}

/// The same for what may become a fact.
pub(super) fn is_in(text: &str, kind: FactKind, fact: &str) -> bool {
    if kind != FactKind::Content {
        return says(text, fact);
    }
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined(text).contains(&joined(fact))
}

/// Whether an answer says that the model does not know.
#[must_use]
pub fn says_unknown(answer: &str) -> bool {
    let words = answer.trim().trim_matches(|sign: char| !sign.is_alphanumeric());
    words.eq_ignore_ascii_case(UNKNOWN)
}

/// The reference or the id that an answer wants the output of.
#[must_use]
pub fn recalled(answer: &str) -> Option<String> {
    let line =
        answer.lines().map(|line| line.trim().trim_matches(['`', '*', '"'])).find(|line| !line.is_empty())?;
    let behind =
        line.strip_prefix(RECALL)?.trim_start_matches(|sign: char| sign == ':' || sign.is_whitespace());
    let behind = behind.trim_start_matches("[ref ").trim_start_matches("ref ");
    let is_inside = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '|' | '.');
    let id: String = behind.chars().take_while(|sign| is_inside(*sign)).collect();
    let id = id.trim_end_matches('.');
    (!id.is_empty()).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(kind: FactKind, text: &str) -> Fact {
        Fact {
            request: 0,
            message: 0,
            part: 0,
            kind,
            text: text.to_owned(),
            output: 0,
            output_message: 0,
            left: Vec::new(),
            excerpt: String::new(),
            source: String::new(),
        }
    }

    #[test]
    fn an_answer_has_a_fact_as_a_whole() {
        let line = "let total = round(sum + tax);";
        for (kind, text, answer, expected) in [
            (FactKind::Value, "48213", "It is 48213.", true),
            (FactKind::Value, "48213", "482130", false),
            (FactKind::Identifier, "src/a.rs", "`src/a.rs`", true),
            (FactKind::Identifier, "src/a.rs", "src/b.rs", false),
            (FactKind::Content, line, "```\nlet total =\n  round(sum + tax);\n```", true),
            (FactKind::Content, line, "let total = round(sum);", false),
            (FactKind::Value, "48213", &format!("{}48213", "no ".repeat(400)), false),
        ] {
            assert_eq!(says_fact(answer, &fact(kind, text)), expected, "{answer}");
        }
    }

    #[test]
    fn a_model_says_that_it_does_not_know_or_what_it_wants_back() {
        for (answer, expected) in
            [("UNKNOWN", true), (" **Unknown**.\n", true), ("unknown port", false), ("", false)]
        {
            assert_eq!(says_unknown(answer), expected, "{answer}");
        }
        for (answer, expected) in [
            ("RECALL kpbmgken", Some("kpbmgken")),
            ("\n`RECALL [ref kpbmgken]`", Some("kpbmgken")),
            ("RECALL: call_12.", Some("call_12")),
            ("RECALL", None),
            ("I would RECALL kpbmgken", None),
        ] {
            assert_eq!(recalled(answer).as_deref(), expected, "{answer}");
        }
    }
}
