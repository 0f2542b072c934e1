//! One place at which a list breaks a rule.

use serde::Serialize;

use crate::error::Place;
use crate::rules::Rule;

/// One place at which a message list breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Violation {
    /// The message, as an index of the transcript.
    pub message: usize,
    /// The part, as an index in its message; `None` when the violation concerns the whole message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<usize>,
    /// The rule that is broken.
    pub rule: Rule,
    /// What is wrong, as a sentence.
    pub text: String,
    /// Where the message stands, if the list was read from text.
    #[serde(flatten)]
    pub place: Option<Place>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_beside_the_rest() {
        let violation = Violation {
            message: 3,
            part: None,
            rule: Rule::FirstRole,
            text: "why".to_owned(),
            place: Some(Place { line: 2, byte: 40 }),
        };
        let json = serde_json::to_string(&violation).unwrap();
        assert_eq!(json, r#"{"message":3,"rule":"first_role","text":"why","line":2,"byte":40}"#);
        let json = serde_json::to_string(&Violation { place: None, ..violation }).unwrap();
        assert_eq!(json, r#"{"message":3,"rule":"first_role","text":"why"}"#);
    }
}
