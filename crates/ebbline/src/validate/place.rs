//! Violations in a session that was read from text, with the place of each.

use super::{Facts, Pending, Rules, Violation, pending, validate_knowing};
use crate::error::Place;
use crate::session_text::SessionText;

impl SessionText<'_> {
    /// The violations of the format's rules in this session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::SessionText;
    /// let text = "[{\"role\":\"user\",\"content\":\"hi\"},\n {\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"x\"}]";
    /// let session = SessionText::read(text)?;
    /// let violations = session.validate();
    /// assert_eq!(violations[0].rule.name(), "result_without_call");
    /// assert_eq!(violations[0].place.map(|place| (place.line, place.byte)), Some((2, 34)));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn validate(&self) -> Vec<Violation> {
        self.validate_under(&Rules::of(self.format()))
    }

    /// As [`SessionText::validate`], under other rules.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::validate::{Rule, Rules};
    /// let session = ebbline::SessionText::read(r#"[{"role": "tool", "tool_call_id": "c", "content": "x"}]"#)?;
    /// let rules = Rules::of(session.format()).except(&[Rule::ResultWithoutCall]);
    /// assert!(session.validate_under(&rules).len() < session.validate().len());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn validate_under(&self, rules: &Rules) -> Vec<Violation> {
        let facts = Facts::of(self);
        let mut violations = validate_knowing(self.transcript(), rules, &facts);
        if violations.is_empty() {
            return violations;
        }
        let places = self.places_in();
        for violation in &mut violations {
            violation.place = Some(places(violation.message));
        }
        violations
    }

    /// The calls that still wait for their results.
    ///
    /// # Example
    ///
    /// ```
    /// let text = r#"[{"role": "user", "content": "list the files"},
    ///  {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",
    ///   "function": {"name": "ls", "arguments": "{}"}}]}]"#;
    /// let session = ebbline::SessionText::read(text)?;
    /// assert_eq!(session.pending()[0].place.map(|place| place.line), Some(2));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn pending(&self) -> Vec<Pending> {
        let mut found = pending(self.transcript());
        if found.is_empty() {
            return found;
        }
        let places = self.places_in();
        for call in &mut found {
            call.place = Some(places(call.message));
        }
        found
    }

    /// Where each message begins.
    fn places_in(&self) -> impl Fn(usize) -> Place {
        let breaks: Vec<usize> = self.source().match_indices('\n').map(|(at, _)| at).collect();
        move |message| {
            let byte = self.span(message).start;
            Place { line: 1 + breaks.partition_point(|at| *at < byte), byte }
        }
    }
}
