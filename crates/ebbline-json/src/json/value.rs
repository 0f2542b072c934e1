//! Reading a parsed document.

use std::ops::Range;

use super::nodes::Node;
use super::{Document, Kind, Text, decimal};

/// One value of a [`Document`]; cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Value<'d> {
    document: &'d Document<'d>,
    index: u32,
    node: Node,
}

impl Document<'_> {
    /// The value that [`Document::parse_next`] gave this index.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let mut document = Document::of_lines("[1]");
    /// let (index, _) = document.parse_next(0..3, 1)?;
    /// assert!(document.value(index).is_array());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn value(&self, index: u32) -> Value<'_> {
        Value::new(self, index)
    }

    /// The outermost value.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"[1]"#)?;
    /// assert!(document.root().is_array());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value::new(self, 0)
    }
}

impl<'d> Value<'d> {
    pub(super) fn new(document: &'d Document<'d>, index: u32) -> Self {
        Self { document, index, node: document.nodes.get(index) }
    }

    /// What the value is.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::{Document, Kind};
    /// assert_eq!(Document::parse("null")?.root().kind(), Kind::Null);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn kind(self) -> Kind {
        self.node.kind()
    }

    /// The bytes of the value in the source; for a string, including its quotes.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#" "a""#)?;
    /// assert_eq!(document.root().span(), 1..4);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn span(self) -> Range<usize> {
        let start = self.node.start as usize;
        let length = self.node.extent() as usize;
        match self.kind() {
            Kind::Plain | Kind::Escaped => start.saturating_sub(1)..start + length + 1,
            Kind::Array | Kind::Object if length == 0 => start..self.end_of_empty(),
            Kind::Array | Kind::Object => start..self.document.nodes.end_of(self.index) as usize,
            _ => start..start + length,
        }
    }

    /// The end of an array or object without elements.
    fn end_of_empty(self) -> usize {
        let inside = self.node.start as usize + 1;
        let rest = self.document.source.get(inside..).unwrap_or_default();
        inside + rest.find([']', '}']).map_or(0, |blank| blank + 1)
    }

    /// The value as written in the source.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"[1.50]"#)?;
    /// assert_eq!(document.root().elements().next().unwrap().source(), "1.50");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn source(self) -> &'d str {
        self.document.source.get(self.span()).unwrap_or_default()
    }

    /// The whole text that the document was parsed from.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"[1]"#)?;
    /// assert_eq!(document.root().elements().next().unwrap().whole_source(), "[1]");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn whole_source(self) -> &'d str {
        self.document.source
    }

    /// The value's place in its document, for [`Document::value`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"[1]"#)?;
    /// assert_eq!(document.value(document.root().place()).source(), "[1]");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn place(self) -> u32 {
        self.index
    }

    /// Whether the value is an object.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"{}"#)?;
    /// assert!(document.root().is_object());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_object(self) -> bool {
        self.node.kind() == Kind::Object
    }

    /// Whether the value is an array.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"[]"#)?;
    /// assert!(document.root().is_array());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_array(self) -> bool {
        self.node.kind() == Kind::Array
    }

    /// Whether the value is a string.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""a""#)?;
    /// assert!(document.root().is_string());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_string(self) -> bool {
        matches!(self.node.kind(), Kind::Plain | Kind::Escaped)
    }

    /// Whether the value is `null`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"null"#)?;
    /// assert!(document.root().is_null());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node.kind() == Kind::Null
    }

    /// Whether the value is truthy in JavaScript and Python.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""""#)?;
    /// assert!(!document.root().is_truthy());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_truthy(self) -> bool {
        match self.node.kind() {
            Kind::Null | Kind::False => false,
            Kind::True | Kind::Array | Kind::Object => true,
            Kind::Number => self.number().is_some_and(|number| number != 0.0 && !number.is_nan()),
            Kind::Plain | Kind::Escaped => self.node.extent() > 0,
        }
    }

    /// The member `key` of an object. The last of repeated keys counts, as in JavaScript and Python.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"{"a": 1, "a": 2}"#)?;
    /// assert_eq!(document.root().get("a").unwrap().source(), "2");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'d>> {
        let mut members = self.members().0;
        let mut found = None;
        while let Some(name) = members.next() {
            let value = members.next();
            // Comparing lengths first rejects most keys; this is the most frequent operation of reading.
            let is_named = match name.kind() {
                Kind::Plain if name.node.extent() as usize != key.len() => false,
                _ => name.text().is_some_and(|name| name.is(key)),
            };
            if is_named {
                found = value;
            }
        }
        found
    }

    /// The member `key` if it exists and is not `null`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"{"a": null}"#)?;
    /// assert!(document.root().get("a").is_some() && document.root().present("a").is_none());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn present(self, key: &str) -> Option<Value<'d>> {
        self.get(key).filter(|value| !value.is_null())
    }

    /// The text of the member `key`, if it is a string.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"{"a": "b"}"#)?;
    /// assert!(document.root().text_of("a").is_some_and(|text| text.is("b")));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn text_of(self, key: &str) -> Option<Text<'d>> {
        self.get(key).and_then(Value::text)
    }

    /// The elements of the member `key`; empty if it is missing or not an array.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"{"a": [1, 2]}"#)?;
    /// assert_eq!((document.root().elements_of("a").count(), document.root().elements_of("b").count()), (2, 0));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn elements_of(self, key: &str) -> Elements<'d> {
        self.get(key).map_or_else(|| self.none(), Value::elements)
    }

    /// The text of a string.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""so!""#)?;
    /// assert_eq!(document.root().text().unwrap().decode(), "so!");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn text(self) -> Option<Text<'d>> {
        if !self.is_string() {
            return None;
        }
        let start = self.node.start as usize;
        let raw = self.document.source.get(start..start + self.node.extent() as usize)?;
        Some(Text::new(raw, self.kind() == Kind::Escaped, self.node.start))
    }

    /// The nearest double of a number; `None` for other values.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"2.50"#)?;
    /// assert_eq!(document.root().number(), Some(2.5));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn number(self) -> Option<f64> {
        (self.node.kind() == Kind::Number).then(|| decimal(self.source())).flatten()
    }

    /// The elements of an array; empty for other values.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"[1, 2]"#)?;
    /// assert_eq!(document.root().elements().count(), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn elements(self) -> Elements<'d> {
        if self.is_array() { Elements(self.inside()) } else { self.none() }
    }

    /// The members of an object in source order, including repeated keys; empty for other values.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"{"a": 1, "a": 2}"#)?;
    /// assert_eq!(document.root().members().count(), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn members(self) -> Members<'d> {
        let inside =
            if self.is_object() { self.inside() } else { Inside { document: self.document, at: 0, end: 0 } };
        Members(inside)
    }

    /// The indices of the keys of an object, for [`Value::key_at`].
    pub(super) fn member_indices(self) -> impl Iterator<Item = u32> {
        let mut members = self.members().0;
        std::iter::from_fn(move || {
            let key = members.next()?.index;
            members.next().map(|_| key)
        })
    }

    /// The key with this index.
    pub(super) fn key_at(self, index: u32) -> Option<Text<'d>> {
        Value::new(self.document, index).text()
    }

    fn inside(self) -> Inside<'d> {
        // The node after the first contains the end of the container.
        Inside { document: self.document, at: self.index + 2, end: self.node.extent() }
    }

    fn none(self) -> Elements<'d> {
        Elements(Inside { document: self.document, at: 0, end: 0 })
    }
}

#[derive(Clone, Debug)]
struct Inside<'d> {
    document: &'d Document<'d>,
    at: u32,
    end: u32,
}

impl<'d> Inside<'d> {
    fn next(&mut self) -> Option<Value<'d>> {
        if self.at >= self.end {
            return None;
        }
        let value = Value::new(self.document, self.at);
        // A container's extent is the index of what follows it, unless it is empty.
        let next = if value.is_array() || value.is_object() { value.node.extent() } else { 0 };
        self.at = next.max(self.at + 1);
        Some(value)
    }
}

/// Iterates the elements of an array.
#[derive(Clone, Debug)]
pub struct Elements<'d>(Inside<'d>);

impl<'d> Iterator for Elements<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        self.0.next()
    }
}

/// Iterates the members of an object.
#[derive(Clone, Debug)]
pub struct Members<'d>(Inside<'d>);

impl<'d> Iterator for Members<'d> {
    type Item = (Text<'d>, Value<'d>);

    fn next(&mut self) -> Option<(Text<'d>, Value<'d>)> {
        let key = self.0.next()?.text()?;
        Some((key, self.0.next()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn navigation_finds_members_elements_and_spans() {
        let source = r#" {"a": [1, {"b": "x\"y"}, []], "a\u0062": null, "n": -0.5e3} "#;
        let document = Document::parse(source).unwrap();
        let root = document.root();
        assert_eq!(root.members().count(), 3);
        let list: Vec<_> = root.elements_of("a").collect();
        assert_eq!(list.len(), 3);
        assert_eq!(list[1].get("b").unwrap().source(), r#""x\"y""#);
        assert_eq!(list[1].text_of("b").unwrap().decode(), "x\"y");
        assert_eq!(list[2].elements().count(), 0);
        assert!(root.get("ab").unwrap().is_null(), "keys are compared unescaped");
        assert!(root.present("ab").is_none());
        assert_eq!(root.get("n").unwrap().number(), Some(-500.0));
        assert_eq!(&source[root.span()], source.trim());
    }

    #[test]
    fn the_last_of_repeated_keys_counts() {
        let document = Document::parse(r#"{"k": 1, "k": 2}"#).unwrap();
        assert_eq!(document.root().get("k").unwrap().number(), Some(2.0));
    }

    #[test]
    fn a_number_of_two_billion_digits_would_only_be_a_span() {
        let digits = "9".repeat(400_000);
        let document = Document::parse(&digits).unwrap();
        assert_eq!(document.root().source().len(), 400_000);
        assert_eq!(document.root().number(), Some(f64::INFINITY));
    }
}
