//! Holdings: which identifiers stand in some texts of a session and in no others.

use std::collections::HashMap;

use crate::identifiers::{Class, Identifier, each, each_of_arguments};
use crate::order::sort_by;
use crate::transcript::PartKind;

/// An identifier that only what leaves the context contains.
///
/// # Example
///
/// ```
/// use ebbline::loss::{Class, Holdings};
/// use ebbline::transcript::PartKind;
/// let mut holdings = Holdings::default();
/// holdings.leaves(3, PartKind::Text, "The sum is rounded in src/pricing/total.ts, see src/cart.ts.");
/// holdings.stays(PartKind::Text, "src/cart.ts is fine.");
/// let held = holdings.only_there();
/// assert_eq!((held[0].class, held[0].text.as_str()), (Class::File, "src/pricing/total.ts"));
/// assert_eq!(held[0].messages, [3]);
/// assert!(held.iter().all(|held| held.text != "src/cart.ts"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// What it is.
    pub class: Class,
    /// The identifier, as it was written first.
    pub text: String,
    /// The messages that contain it, in the order in which they were given.
    pub messages: Vec<usize>,
    /// Whether it alone shows where it is from. A short number or a name in code may stand in two places by chance.
    pub is_strong: bool,
}

/// Collects the identifiers of what leaves and of what stays, in any order.
#[derive(Clone, Debug, Default)]
pub struct Holdings {
    held: Vec<Held>,
    /// For each identifier its place in `held`, or nothing if what stays contains it.
    places: HashMap<u64, Option<usize>>,
}

impl Holdings {
    /// Adds a text of message `message` that leaves the context. `kind` says whether it is a call's arguments.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::PartKind;
    /// let mut holdings = ebbline::loss::Holdings::default();
    /// holdings.leaves(0, PartKind::ToolCall, r#"{"command":"cargo test -p shop"}"#);
    /// assert_eq!(holdings.only_there()[0].text, "cargo test -p shop");
    /// ```
    pub fn leaves(&mut self, message: usize, kind: PartKind, text: &str) {
        let Self { held, places } = self;
        each_of(kind, text, &mut |identifier| {
            let place = places.entry(identifier.key).or_insert_with(|| {
                held.push(Held {
                    class: identifier.class,
                    text: identifier.text.to_owned(),
                    messages: Vec::new(),
                    is_strong: identifier.is_strong,
                });
                Some(held.len() - 1)
            });
            if let Some(found) = place.and_then(|place| held.get_mut(place))
                && found.messages.last() != Some(&message)
            {
                found.messages.push(message);
            }
        });
    }

    /// Adds a text that stays.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::PartKind;
    /// let mut holdings = ebbline::loss::Holdings::default();
    /// holdings.stays(PartKind::Text, "See E4211.");
    /// holdings.leaves(0, PartKind::Text, "It ends with E4211.");
    /// assert!(holdings.only_there().is_empty());
    /// ```
    pub fn stays(&mut self, kind: PartKind, text: &str) {
        let places = &mut self.places;
        each_of(kind, text, &mut |identifier| {
            places.insert(identifier.key, None);
        });
    }

    /// What only the texts contain that leave: those in the most messages first.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::loss::Holdings::default().only_there().is_empty());
    /// ```
    #[must_use]
    pub fn only_there(&self) -> Vec<Held> {
        let places = self.places.values().copied().flatten();
        let mut places: Vec<usize> = places.collect();
        sort_by(&mut places, &|one, other| one.cmp(other));
        let mut only: Vec<Held> =
            places.into_iter().filter_map(|place| self.held.get(place)).cloned().collect();
        sort_by(&mut only, &|one, other| other.messages.len().cmp(&one.messages.len()));
        only
    }
}

fn each_of(kind: PartKind, text: &str, take: &mut dyn FnMut(Identifier<'_>)) {
    match kind {
        PartKind::ToolCall => each_of_arguments(text, take),
        _ => each(text, take),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_is_not_only_there_whatever_was_read_first() {
        let text = "Read src/a/one.rs and src/a/two.rs: E1234 at line 48123.";
        for first in [true, false] {
            let mut holdings = Holdings::default();
            if first {
                holdings.stays(PartKind::Text, "src/a/two.rs");
            }
            holdings.leaves(0, PartKind::Text, text);
            holdings.leaves(4, PartKind::ToolResult, "src/a/one.rs");
            if !first {
                holdings.stays(PartKind::Text, "src/a/two.rs");
            }
            let held = holdings.only_there();
            assert_eq!((held[0].text.as_str(), held[0].messages.as_slice()), ("src/a/one.rs", &[0, 4][..]));
            assert!(held.iter().all(|held| held.text != "src/a/two.rs"));
            assert!(held.iter().any(|held| held.class == Class::Number && held.text == "48123"), "{held:?}");
        }
    }
}
