//! What a session breaks, one place a line.

use ebbline::repair::Mended;
use ebbline::validate::{Pending, Violation};

use crate::printable::printable;
use crate::style::Style;
use crate::utf16::{length, pad_end};

/// One place that something is wrong with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Its line.
    pub(crate) line: Option<usize>,
    /// Its message; what cannot be read has none.
    pub(crate) message: Option<usize>,
    /// What is wrong, as a sentence.
    pub(crate) text: String,
    /// The word for it.
    pub(crate) rule: &'static str,
}

impl From<&Violation> for Fault {
    fn from(violation: &Violation) -> Self {
        Self {
            line: violation.place.map(|place| place.line),
            message: Some(violation.message),
            text: violation.text.clone(),
            rule: violation.rule.as_str(),
        }
    }
}

impl From<&Pending> for Fault {
    fn from(call: &Pending) -> Self {
        Self {
            line: call.place.map(|place| place.line),
            message: Some(call.message),
            text: call.text.clone(),
            rule: "pending",
        }
    }
}

impl From<&Mended> for Fault {
    fn from(mended: &Mended) -> Self {
        Self {
            line: Some(mended.line),
            message: Some(mended.message),
            text: mended.text.clone(),
            rule: mended.rule.as_str(),
        }
    }
}

/// A line for each place.
pub(crate) fn rows(faults: &[Fault], style: Style) -> Vec<String> {
    let places: Vec<String> = faults.iter().map(place).collect();
    let width = places.iter().map(|place| length(place)).max().unwrap_or(0);
    let row = |(fault, place): (&Fault, &String)| {
        let rule = style.dim(&format!("({})", fault.rule));
        format!("  {}  {} {rule}", pad_end(place, width), printable(&fault.text))
    };
    faults.iter().zip(&places).map(row).collect()
}

fn place(fault: &Fault) -> String {
    let line = fault.line.map_or_else(|| "undefined".to_owned(), |line| line.to_string());
    match fault.message {
        Some(message) => format!("line {line}, message {message}:"),
        None => format!("line {line}:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_aligned() {
        let fault = |line, message| Fault { line: Some(line), message, text: "why\n".into(), rule: "r" };
        let lines = rows(&[fault(1, None), fault(12, Some(3))], Style::new(false));
        assert_eq!(
            lines,
            ["  line 1:              why\u{fffd} (r)", "  line 12, message 3:  why\u{fffd} (r)"]
        );
    }
}
