//! One place at which a list breaks a rule.

use crate::error::Place;
use crate::rules::Rule;

crate::form::reported! {
    /// One place at which a message list breaks a rule.
    [Eq]
    pub struct Violation {
        /// The message, by its index in the session; 0 for an empty list.
        pub message: usize,
        /// The part, by its index in the message; missing if the message as a whole breaks the rule.
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
