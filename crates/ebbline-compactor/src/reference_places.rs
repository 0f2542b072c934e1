//! Which output each reference in a view leads to. Where ids of calls repeat, the reference of one output would be that of another:
//! it is replaced by a variant.

use std::collections::{HashMap, HashSet};

use ebbline::binding::references::Reference;

/// The place of the output in the history, by the reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferencePlaces {
    places: HashMap<Reference, usize>,
    /// The last variant of each reference.
    variants: HashMap<Reference, u32>,
}

impl ReferencePlaces {
    /// The place of the output that the eight letters of a reference lead to.
    pub(crate) fn place_of(&self, letters: &str) -> Option<usize> {
        self.places.get(&Reference::of_letters(letters)?).copied()
    }

    /// Forgets the places from `length` on.
    pub(crate) fn cut(&mut self, length: usize) {
        self.places.retain(|_, place| *place < length);
    }

    /// A message in which outputs were cleared, with references of its own; `place` is its place in the history, which has
    /// `original` there.
    pub(crate) fn distinct(&mut self, message: &str, place: usize, original: &str) -> String {
        let own: HashSet<Reference> = Reference::ending_texts(original).map(|(_, own)| own).collect();
        let mut renamed: HashMap<Reference, Reference> = HashMap::new();
        let (mut written, mut from) = (String::with_capacity(message.len()), 0);
        for (range, reference) in Reference::ending_texts(message) {
            if own.contains(&reference) {
                continue;
            }
            let free = *renamed.entry(reference).or_insert_with(|| self.free(reference, place));
            self.places.insert(free, place);
            written.push_str(message.get(from..range.start).unwrap_or_default());
            written.push_str(&free.to_string());
            from = range.end;
        }
        written.push_str(message.get(from..).unwrap_or_default());
        written
    }

    fn free(&mut self, reference: Reference, place: usize) -> Reference {
        let places = &self.places;
        let is_free = |one: Reference| places.get(&one).is_none_or(|known| *known == place);
        if is_free(reference) {
            return reference;
        }
        let last = self.variants.entry(reference).or_default();
        *last += 1;
        while !is_free(reference.variant(*last)) {
            *last += 1;
        }
        reference.variant(*last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_that_repeat_are_told_apart() {
        let mut places = ReferencePlaces::default();
        let text = |reference: &str| format!(r#"{{"a":"- [ref {reference}]","b":"x [ref {reference}] y"}}"#);
        let first = places.distinct(&text("kpbmgken"), 3, "{}");
        assert_eq!(first, text("kpbmgken"));
        let second = places.distinct(&text("kpbmgken"), 5, "{}");
        assert!(second != first && second.contains("x [ref kpbmgken] y"));
        let letters = second.get(13..21).unwrap();
        assert_eq!((places.place_of("kpbmgken"), places.place_of(letters)), (Some(3), Some(5)));
        assert_eq!(places.distinct(&second, 5, "{}"), second, "it has its own reference");
        assert_eq!(
            places.distinct(&text("kpbmgken"), 6, &text("kpbmgken")),
            text("kpbmgken"),
            "it was there"
        );
        places.cut(5);
        assert_eq!(places.place_of(letters), None);
    }
}
