//! What could not be read in a source.

use crate::error::{Error, ErrorCode, Place};
use crate::json::Kind;

/// What could not be read: only the first problems are listed, because the whole text may be unreadable.
#[derive(Default)]
pub(super) struct Problems {
    listed: Vec<Error>,
    pub(super) count: usize,
    /// The first problem that is not listed.
    next: Option<Error>,
}

impl Problems {
    /// How many problems are listed.
    const LISTED: usize = 1_000;

    pub(super) fn report(&mut self, problem: Error) {
        self.count += 1;
        if self.listed.len() < Self::LISTED {
            self.listed.push(problem);
        } else if self.next.is_none() {
            self.next = Some(problem);
        }
    }

    /// The listed problems, and one more that states how many are not listed.
    pub(super) fn into_list(mut self) -> Vec<Error> {
        if let Some(next) = self.next {
            let more = self.count - self.listed.len();
            let message = format!("{more} more could not be read; the first: {}", next.message());
            let place = next.place().unwrap_or(Place { line: 1, byte: 0 });
            self.listed.push(Error::at(next.kind(), place, message));
        }
        self.listed
    }
}

/// The problem of a line that contains a value other than an object.
pub(super) fn no_object(kind: Kind, place: Place) -> Error {
    let name = match kind {
        Kind::Null => "null",
        Kind::True | Kind::False => "a boolean",
        Kind::Number => "a number",
        Kind::Plain | Kind::Escaped => "a text",
        Kind::Array => "an array",
        Kind::Object => "an object",
    };
    Error::at(ErrorCode::InvalidMessage, place, format!("{name} where an object was expected"))
}
