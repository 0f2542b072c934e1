//! Sentences in which the assistant states a decision.

use crate::identifiers::{Class, each};
use crate::orders::{Sentence, say_any, sentences, without_quotations, words};

/// Phrases that state a decision.
const DECIDES: &[&str] = &[
    "i'll use", "i will use", "i'll go with", "going with", "let's use", "let's go with", "decided",
    "we will", "we'll use", "instead of", "i chose", "i'll keep", "the plan is", "rather than",
    "the decision",
];

/// A decision, and the identifiers that it names.
#[derive(Clone, Debug)]
pub(super) struct Decision<'t> {
    pub(super) sentence: Sentence<'t>,
    pub(super) keys: Vec<u64>,
}

/// The decisions in a text of the assistant that name an identifier; others cannot be followed.
pub(super) fn decisions(text: &str) -> Vec<Decision<'_>> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        let said = words(&without_quotations(sentence.text));
        if sentence.text.ends_with('?') || !say_any(&said, DECIDES) {
            continue;
        }
        let mut keys = Vec::new();
        each(sentence.text, &mut |identifier| {
            if !matches!(identifier.class, Class::Number) {
                keys.push(identifier.key);
            }
        });
        if !keys.is_empty() {
            found.push(Decision { sentence, keys });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_name_what_they_are_about() {
        for (text, expected) in [
            ("I'll use the parseMoney helper instead of floats.", 1),
            ("We will keep src/cart.ts as it is. Then I read src/money.ts.", 1),
            ("I decided to be careful.", 0),
            ("Should we use parseMoney instead of floats?", 0),
            ("```\nlet x = parseMoney instead of y\n```", 0),
        ] {
            assert_eq!(decisions(text).len(), expected, "{text}");
        }
    }
}
