//! When the messages of a session were written.

use crate::json::{Document, Text, Value};
use crate::session_text::SessionText;

/// Where formats write it: members of the entry, and members of an object in it. Claude Code, Codex and Gemini CLI write
/// `timestamp` in ISO 8601; pi writes it in milliseconds beside the message as well as in it; OpenCode writes
/// `time.created`; LangChain, OpenAI and Pydantic AI exports write `created_at`.
const MEMBERS: [&str; 6] = ["timestamp", "time", "created_at", "createdAt", "created", "ts"];
const WITHIN: [&str; 4] = ["message", "info", "time", "metadata"];

/// How many objects deep: OpenCode's is in `info.time`.
const DEPTH: usize = 2;

/// Numbers below this are seconds since 1970, others are milliseconds: it is the year 5138 in seconds, and March 1973 in
/// milliseconds.
const MILLISECONDS: f64 = 100_000_000_000.0;

impl SessionText<'_> {
    /// When each message was written, in milliseconds since 1970; `None` where the session does not say.
    ///
    /// # Example
    ///
    /// ```
    /// let text = r#"[{"role": "user", "content": "hello", "timestamp": "1970-01-01T00:00:01.500Z"}]"#;
    /// assert_eq!(ebbline::SessionText::read(text)?.moments(), [Some(1_500)]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn moments(&self) -> Vec<Option<u64>> {
        let spans = (0..self.transcript().messages().len()).map(|index| self.span(index));
        spans.map(|span| self.source().get(span).and_then(moment_in)).collect()
    }

    /// The newest moment that the session records, in milliseconds since 1970; 0 if it records none. A log is asked line by
    /// line: not every line is a message.
    pub(crate) fn newest_moment(&self) -> u64 {
        let newest_of_messages = || self.moments().into_iter().flatten().max();
        let newest = if self.reading.is_lines {
            self.source().lines().filter_map(|line| moment_in(line.trim_start_matches('\u{feff}'))).max()
        } else {
            newest_of_messages()
        };
        newest.unwrap_or_default().max(self.reading.newest_moment)
    }
}

fn moment_in(source: &str) -> Option<u64> {
    let document = Document::parse(source).ok()?;
    moment_within(document.root(), DEPTH)
}

/// The moment that an object says by itself, or one of the objects in it.
fn moment_within(value: Value<'_>, depth: usize) -> Option<u64> {
    let inside = || WITHIN.iter().find_map(|key| moment_within(value.get(key)?, depth - 1));
    moment_of(value).or_else(|| if depth > 0 { inside() } else { None })
}

fn moment_of(value: Value<'_>) -> Option<u64> {
    MEMBERS.iter().find_map(|key| {
        let member = value.get(key)?;
        if let Some(text) = member.text() {
            return moment(&Text::decode(text));
        }
        let number = member.number().filter(|number| *number > 0.0 && *number < 1e15)?;
        Some(if number < MILLISECONDS { number * 1_000.0 } else { number } as u64)
    })
}

/// A moment in ISO 8601, in milliseconds since 1970: `2026-01-31T10:20:30.000Z`, with any number of decimals, `Z`, an
/// offset, or neither, which means UTC.
fn moment(text: &str) -> Option<u64> {
    let (date, rest) = (text.get(..10)?, text.get(11..)?);
    let (year, month, day) = (digits(date, 0, 4)?, digits(date, 5, 2)?, digits(date, 8, 2)?);
    let (hour, minute, second) = (digits(rest, 0, 2)?, digits(rest, 3, 2)?, digits(rest, 6, 2)?);
    if year < 1970
        || !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let decimals = rest.get(8..)?.strip_prefix('.').unwrap_or_default();
    let count = decimals.bytes().take_while(u8::is_ascii_digit).count();
    let milliseconds = decimals
        .get(..count)?
        .bytes()
        .chain(*b"000")
        .take(3)
        .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    let zone = rest.get(8 + if decimals.is_empty() { 0 } else { count + 1 }..)?;
    // Days since 1970 (Howard Hinnant, "chrono-compatible date algorithms").
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset(zone)?;
    u64::try_from(seconds * 1_000 + milliseconds).ok()
}

/// The seconds by which a zone is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    let (sign, rest) = match zone.as_bytes() {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', ..] => (1, zone.get(1..)?),
        [b'-', ..] => (-1, zone.get(1..)?),
        _ => return None,
    };
    let minutes = if rest.len() == 4 { digits(rest, 2, 2)? } else { digits(rest, 3, 2)? };
    Some(sign * (digits(rest, 0, 2)? * 3_600 + minutes * 60))
}

fn digits(text: &str, at: usize, count: usize) -> Option<i64> {
    let digits = text.get(at..at + count)?;
    if digits.bytes().all(|digit| digit.is_ascii_digit()) { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_sessions_write_them() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T00:00:00.000Z", Some(951_782_400_000)),
            ("2025-12-31T23:59:59.999Z", Some(1_767_225_599_999)),
            ("2026-11-21T22:59:59.5", Some(1_795_301_999_500)),
            ("2026-11-21 22:59:59.500123+00:00", Some(1_795_301_999_500)),
            ("2026-11-22T00:29:59.500+01:30", Some(1_795_301_999_500)),
            ("2026-11-21T20:59:59.500-0200", Some(1_795_301_999_500)),
            ("2026-13-21T20:59:59Z", None),
            ("2026-11-21", None),
            ("yesterday, at a quarter to nine", None),
            ("2026-11-21T20:59:59 CET", None),
            ("２０２６-11-21T20:59:59", None),
        ] {
            assert_eq!(moment(text), expected, "{text}");
        }
    }

    #[test]
    fn an_entry_says_it_by_itself_or_in_its_message() {
        for (entry, expected) in [
            (r#"{"timestamp":1700000000000,"message":{"timestamp":5}}"#, Some(1_700_000_000_000)),
            (
                r#"{"type":"message","message":{"role":"user","timestamp":1700000000}}"#,
                Some(1_700_000_000_000),
            ),
            (r#"{"info":{"time":{"created":1700000000000}}}"#, Some(1_700_000_000_000)),
            (r#"{"time":{"created":1700000000000}}"#, Some(1_700_000_000_000)),
            (r#"{"content":"at 10:20"}"#, None),
            (r#"{"timestamp":-1}"#, None),
        ] {
            assert_eq!(moment_in(entry), expected, "{entry}");
        }
    }
}
