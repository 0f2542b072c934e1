//! How much memory the work on a session needs, by what it contains.
//!
//! A file of long outputs needs its own size, one of messages of 30 bytes fifteen times as much: what costs memory beside the
//! bytes are values and messages, and each message has a few strings. So these are counted, which takes a pass over the file.

/// What memory depends on.
///
/// # Example
///
/// ```
/// let mut weight = ebbline_commands::Weight::default();
/// weight.add(b"[]");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    bytes: u64,
    /// Quotes that begin or end strings.
    quotes: u64,
    /// Marks in front of values, also those in texts.
    values: u64,
    /// Whether the last byte was a backslash.
    is_escaping: bool,
}

/// What a value takes when it is read.
const OF_VALUE: u64 = 9;
/// What a string takes as a part of a message: measured at up to 120.
const OF_STRING: u64 = 140;
/// What more is kept of each string for what a command makes of a session.
pub(crate) const OF_SWEEP: u64 = 60;
/// The same for rows of requests under each policy: measured at up to 154.
pub(crate) const OF_REQUESTS: u64 = 170;

impl Weight {
    /// Counts what comes next.
    ///
    /// # Example
    ///
    /// ```
    /// let mut weight = ebbline_commands::Weight::default();
    /// weight.add(b"{\"a\":");
    /// weight.add(b"1}");
    /// ```
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let mut before = if self.is_escaping { b'\\' } else { 0 };
        for byte in bytes {
            self.quotes += u64::from(*byte == b'"' && before != b'\\');
            self.values += u64::from(matches!(byte, b',' | b'[' | b'{'));
            before = *byte;
        }
        self.is_escaping = before == b'\\';
    }

    /// Adds bytes that are in memory, too.
    ///
    /// # Example
    ///
    /// ```
    /// let weight = ebbline_commands::Weight::default();
    /// assert_ne!(weight.beside(9), weight);
    /// ```
    #[must_use]
    pub fn beside(self, bytes: u64) -> Self {
        Self { bytes: self.bytes + bytes, ..self }
    }

    /// The memory in bytes, with so many more for each string.
    pub(crate) fn memory(self, of_string: u64) -> u64 {
        let strings = (self.quotes / 2).saturating_mul(OF_STRING + of_string);
        strings.saturating_add(self.values * OF_VALUE).saturating_add(self.bytes + self.bytes / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_values_are_counted_and_what_stands_in_texts_is_not_a_string() {
        let text = br#"{"a":[1,2,"b\"c\"{"],"d":{}}"#;
        let mut whole = Weight::default();
        whole.add(text);
        assert_eq!((whole.quotes / 2, whole.values), (3, 7));
        for cut in 0..text.len() {
            let mut parts = Weight::default();
            parts.add(&text[..cut]);
            parts.add(&text[cut..]);
            assert_eq!(parts, whole);
        }
        let memory = 3 * OF_STRING + 7 * OF_VALUE + 28 + 3;
        assert_eq!(whole.memory(0), memory);
        assert_eq!(whole.beside(8).memory(OF_SWEEP), memory + 9 + 3 * OF_SWEEP);
    }
}
