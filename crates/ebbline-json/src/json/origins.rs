//! JSON inside a JSON string: the positions of its bytes in the outer source.

use std::ops::Range;

/// The origins of the bytes of an unescaped string. Database rows store JSON as a string, so a position in the
/// unescaped text must be edited in the escaped one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<Run>);

/// Consecutive bytes of both texts, up to the next run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    unescaped: u32,
    source: u32,
}

impl Origins {
    /// Records that the text from `unescaped` on comes from the source from `source` on. A source is shorter than 4
    /// GiB.
    pub(super) fn begin(&mut self, unescaped: usize, source: usize) {
        self.0.push(Run { unescaped: unescaped as u32, source: source as u32 });
    }

    /// The range of the source from which `range` of the unescaped text comes.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"["a\u0062c"]"#)?;
    /// let (text, origins) = document.root().elements().next().and_then(|value| value.text()).unwrap().decode_placed();
    /// assert_eq!((text.as_str(), origins.of(&(1..2))), ("abc", 3..9));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(&self, range: &Range<usize>) -> Range<usize> {
        self.at(range.start)..self.at(range.end)
    }

    fn at(&self, unescaped: usize) -> usize {
        let next = self.0.partition_point(|run| run.unescaped as usize <= unescaped);
        let run = next.checked_sub(1).and_then(|last| self.0.get(last));
        run.map_or(unescaped, |run| run.source as usize + (unescaped - run.unescaped as usize))
    }
}

#[cfg(test)]
mod tests {
    use crate::json::Document;

    #[test]
    fn a_place_in_the_inner_json_is_found_in_the_outer_one() {
        let source = r#"{"data": "{\"caf\u00e9\":\"a\\n\ud83d\ude00\",\"n\": 7}"}"#;
        let outer = Document::parse(source).unwrap();
        let (text, origins) = outer.root().text_of("data").unwrap().decode_placed();
        let inner = Document::parse(&text).unwrap();
        let found = |key: &str| &source[origins.of(&inner.root().get(key).unwrap().span())];
        assert_eq!(found("café"), r#"\"a\\n\ud83d\ude00\""#);
        assert_eq!(found("n"), "7");
        assert_eq!(origins.of(&(0..text.len())), 10..source.len() - 2);
    }
}
