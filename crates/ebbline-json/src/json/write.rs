use super::quote;

/// Writes JSON piece by piece, for answers that are too long for a general serializer.
///
/// # Example
///
/// ```
/// let mut writer = ebbline_json::json::Writer::default();
/// writer.raw("{\"name\":").string("a \"b\"").raw(",\"tokens\":").number(1_200).raw("}");
/// assert_eq!(writer.finish(), r#"{"name":"a \"b\"","tokens":1200}"#);
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    out: String,
}

impl Writer {
    /// Reserves room for `bytes` more bytes.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.reserve(100);
    /// assert_eq!(writer.finish(), "");
    /// ```
    pub fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    /// Writes `json` unchanged.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.raw("[1]");
    /// assert_eq!(writer.finish(), "[1]");
    /// ```
    pub fn raw(&mut self, json: &str) -> &mut Self {
        self.out.push_str(json);
        self
    }

    /// Writes `word` in quotes; it must not need escapes.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.word("kept");
    /// assert_eq!(writer.finish(), "\"kept\"");
    /// ```
    pub fn word(&mut self, word: &str) -> &mut Self {
        self.out.push('"');
        self.out.push_str(word);
        self.out.push('"');
        self
    }

    /// Writes `text` in quotes, with escapes.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.string("a \"b\"");
    /// assert_eq!(writer.finish(), r#""a \"b\"""#);
    /// ```
    pub fn string(&mut self, text: &str) -> &mut Self {
        self.out.push_str(&quote(text));
        self
    }

    /// Writes an integer.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.number(1_200);
    /// assert_eq!(writer.finish(), "1200");
    /// ```
    pub fn number(&mut self, mut number: u64) -> &mut Self {
        let mut digits = [b'0'; 20];
        let mut used = 0;
        for place in digits.iter_mut().rev() {
            *place += (number % 10) as u8;
            used += 1;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        for digit in digits.iter().skip(digits.len() - used) {
            self.out.push(char::from(*digit));
        }
        self
    }

    /// Writes an integer or `null`.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.raw("[").maybe(Some(3)).raw(",").maybe(None).raw("]");
    /// assert_eq!(writer.finish(), "[3,null]");
    /// ```
    pub fn maybe(&mut self, number: Option<usize>) -> &mut Self {
        match number {
            Some(number) => self.number(number as u64),
            None => self.raw("null"),
        }
    }

    /// Writes `true` or `false`.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.flag(true);
    /// assert_eq!(writer.finish(), "true");
    /// ```
    pub fn flag(&mut self, flag: bool) -> &mut Self {
        self.raw(if flag { "true" } else { "false" })
    }

    /// The written text.
    ///
    /// # Example
    ///
    /// ```
    /// let mut writer = ebbline::json::Writer::default();
    /// writer.raw("{}");
    /// assert_eq!(writer.finish(), "{}");
    /// ```
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 7, 10, 99, 100, 12_345, u64::from(u32::MAX), u64::MAX] {
            let mut writer = Writer::default();
            writer.number(number);
            assert_eq!(writer.finish(), number.to_string());
        }
    }
}
