//! Violations in a session that was read from text, with the place of each.

use super::{Facts, Pending, Rules, Violation, pending, validate_knowing};
use crate::error::Place;
use crate::session::Session;

impl Session {
    /// The violations of the format's rules in this session. `source` is the text that the session was read from.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{ReadOptions, Session};
    /// let text = "[{\"role\":\"user\",\"content\":\"hi\"},\n {\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"x\"}]";
    /// let session = Session::read(text, &ReadOptions::default())?;
    /// let violations = session.validate(text);
    /// assert_eq!(violations[0].rule.name(), "result_without_call");
    /// assert_eq!(violations[0].place.map(|place| (place.line, place.byte)), Some((2, 34)));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn validate(&self, source: &str) -> Vec<Violation> {
        self.validate_under(source, &Rules::of(self.format()))
    }

    /// As [`Session::validate`], under other rules.
    #[must_use]
    pub fn validate_under(&self, source: &str, rules: &Rules) -> Vec<Violation> {
        let facts = Facts::of(self, source);
        let mut violations = validate_knowing(self.transcript(), rules, &facts);
        if violations.is_empty() {
            return violations;
        }
        let places = self.places_in(source);
        for violation in &mut violations {
            violation.place = Some(places(violation.message));
        }
        violations
    }

    /// The calls that still wait for their results. `source` is the text that the session was read from.
    #[must_use]
    pub fn pending(&self, source: &str) -> Vec<Pending> {
        let mut found = pending(self.transcript());
        if found.is_empty() {
            return found;
        }
        let places = self.places_in(source);
        for call in &mut found {
            call.place = Some(places(call.message));
        }
        found
    }

    /// Where each message begins.
    fn places_in(&self, source: &str) -> impl Fn(usize) -> Place {
        let breaks: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
        move |message| {
            let byte = self.span(message).start;
            Place { line: 1 + breaks.partition_point(|at| *at < byte), byte }
        }
    }
}
