//! Violations of a session read from text, with the place of each.

use super::{Rules, Violation, validate};
use crate::error::Place;
use crate::session::Session;

impl Session {
    /// Says where the session breaks the rules of its format; `source` is the text that it was read from.
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

    /// The same under other rules.
    #[must_use]
    pub fn validate_under(&self, source: &str, rules: &Rules) -> Vec<Violation> {
        let mut violations = validate(self.transcript(), rules);
        if violations.is_empty() {
            return violations;
        }
        let breaks: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
        for violation in &mut violations {
            let byte = self.span(violation.message).start;
            violation.place = Some(Place { line: 1 + breaks.partition_point(|at| *at < byte), byte });
        }
        violations
    }
}
