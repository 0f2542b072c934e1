//! The compaction record of a session file, validated as strictly as by TunaCode 0.2.3.

use ebbline::Error;
use ebbline::json::{Kind, Value};
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

/// What TunaCode stores about the latest compaction, in the order of writing.
///
/// `compacted_message_count` only counts the latest run, however often the session was compacted.
///
/// # Example
///
/// ```
/// use ebbline_compat::tunacode::CompactionRecord;
/// use ebbline::json::Document;
/// let json = r###"{"summary": "## Goal", "compacted_message_count": 47, "tokens_before": 150000,
///   "tokens_after": 25000, "compaction_count": 1, "last_compacted_at": ""}"###;
/// let document = Document::parse(json)?;
/// let record = CompactionRecord::read(document.root())?.unwrap();
/// assert_eq!((record.compaction_count, record.previous_summary), (1, None));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompactionRecord {
    /// The summary.
    pub summary: Utf16,
    /// How many messages the latest compaction summarized.
    pub compacted_message_count: u128,
    /// The estimated tokens of the whole conversation before.
    pub tokens_before: u128,
    /// The estimated tokens of the kept messages and the summary.
    pub tokens_after: u128,
    /// How often the session was compacted; at least 1.
    pub compaction_count: u128,
    /// The summary before this one.
    pub previous_summary: Option<Utf16>,
    /// The time in ISO 8601; any text is accepted.
    pub last_compacted_at: Utf16,
}

impl CompactionRecord {
    /// Reads a session's member `compaction`; `None` for `null`. Unknown members are dropped.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if TunaCode raises an exception: for a value that is not an object, for texts that are
    /// missing or not texts, for counts that are missing, not integers (`true` and `1.0` are not) or negative, and
    /// for a `compaction_count` of 0.
    pub fn read(value: Value<'_>) -> Result<Option<Self>, Error> {
        if value.is_null() {
            return Ok(None);
        }
        if !value.is_object() {
            return Err(Error::invalid_settings("compaction must be an object or null"));
        }
        let record = Self {
            summary: text(value, "summary")?,
            compacted_message_count: count(value, "compacted_message_count", 0)?,
            tokens_before: count(value, "tokens_before", 0)?,
            tokens_after: count(value, "tokens_after", 0)?,
            compaction_count: count(value, "compaction_count", 1)?,
            previous_summary: match value.present("previous_summary") {
                Some(_) => Some(text(value, "previous_summary")?),
                None => None,
            },
            last_compacted_at: text(value, "last_compacted_at")?,
        };
        Ok(Some(record))
    }
}

fn text(record: Value<'_>, key: &str) -> Result<Utf16, Error> {
    record
        .text_of(key)
        .map(Utf16::from)
        .ok_or_else(|| Error::invalid_settings(format!("compaction.{key} must be a text")))
}

fn count(record: Value<'_>, key: &str, least: u128) -> Result<u128, Error> {
    let no_integer = || Error::invalid_settings(format!("compaction.{key} must be an integer"));
    let number = record.get(key).filter(|value| value.kind() == Kind::Number).ok_or_else(no_integer)?;
    let source = number.source();
    if source.contains(['.', 'e', 'E']) {
        return Err(no_integer());
    }
    // A minus sign makes a number negative unless all digits are 0.
    let digits = source.strip_prefix('-').unwrap_or(source);
    let is_negative = digits != source && digits != "0";
    let count = digits
        .parse::<u128>()
        .map_err(|_| Error::invalid_settings(format!("compaction.{key} is too large")))?;
    if is_negative || count < least {
        return Err(Error::invalid_settings(format!("compaction.{key} must be at least {least}")));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    /// A valid record with one member replaced.
    fn read(key: &str, value: &str) -> Result<Option<CompactionRecord>, Error> {
        let members = [
            ("summary", r#""s""#),
            ("compacted_message_count", "3"),
            ("tokens_before", "9"),
            ("tokens_after", "4"),
            ("compaction_count", "1"),
            ("previous_summary", "null"),
            ("last_compacted_at", r#""t""#),
        ];
        let members: Vec<String> = members
            .iter()
            .map(|(name, valid)| format!("{name:?}:{}", if *name == key { value } else { valid }))
            .collect();
        CompactionRecord::read(Document::parse(&format!("{{{}}}", members.join(","))).unwrap().root())
    }

    #[test]
    fn what_is_valid_comes_out_as_it_went_in() {
        for (key, value) in [
            ("summary", r#""""#),
            ("compacted_message_count", "0"),
            ("tokens_before", "12345678901234567890123"),
            ("previous_summary", r#""older""#),
            ("previous_summary", r#""\ud83d""#),
        ] {
            let written = serde_json::to_string(&read(key, value).unwrap()).unwrap();
            assert!(written.contains(&format!("{key:?}:{value}")), "{written}");
        }
        let zero = read("tokens_after", "-0").unwrap().unwrap();
        assert_eq!(zero.tokens_after, 0);
    }

    #[test]
    fn what_tunacode_refuses_is_refused() {
        for (key, value) in [
            ("summary", "null"),
            ("compacted_message_count", "true"),
            ("tokens_before", "1.0"),
            ("tokens_before", "1e3"),
            ("tokens_after", "-1"),
            ("compaction_count", "0"),
            ("compaction_count", r#""1""#),
            ("previous_summary", "5"),
            ("last_compacted_at", "null"),
        ] {
            assert!(read(key, value).is_err(), "{key} = {value}");
        }
        let value = |json: &str| CompactionRecord::read(Document::parse(json).unwrap().root());
        assert_eq!(value("null").unwrap(), None);
        assert!(value("[]").is_err());
        assert!(value("{}").is_err());
    }
}
