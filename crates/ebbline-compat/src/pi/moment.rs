//! Times in stored values, parsed as JavaScript's `Date` parses them.

use ebbline::json::{Kind, Value};

use super::coerce;

/// The latest time that a `Date` can represent, in milliseconds.
const FURTHEST: f64 = 8.64e15;
const MILLISECONDS_PER_DAY: f64 = 86_400_000.0;

/// `new Date(value).getTime()`: milliseconds since 1970, NaN for an invalid time.
///
/// Texts must have the format of `toISOString` or a shorter form of it. The engine knows no time zone, so a time
/// without one counts as UTC.
pub(super) fn milliseconds(value: Option<Value<'_>>) -> f64 {
    let Some(value) = value else { return f64::NAN };
    let moment = match value.kind() {
        Kind::Plain | Kind::Escaped => {
            value.text().and_then(|text| Reader(text.decode().as_bytes()).moment()).unwrap_or(f64::NAN)
        }
        _ => coerce::number(Some(value)).trunc(),
    };
    if moment.abs() <= FURTHEST { moment } else { f64::NAN }
}

/// The unread rest of a text.
struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    fn moment(mut self) -> Option<f64> {
        let year = match self.sign() {
            Some(sign) => sign * self.digits(6)?,
            None => self.digits(4)?,
        };
        let (mut month, mut day) = (1.0, 1.0);
        if self.take(b'-') {
            month = self.digits(2)?;
            if self.take(b'-') {
                day = self.digits(2)?;
            }
        }
        let is_date = (1.0..=12.0).contains(&month) && (1.0..=31.0).contains(&day);
        let time = if self.take(b'T') { self.time()? } else { 0.0 };
        let is_whole = self.0.is_empty();
        (is_date && is_whole)
            .then(|| (days_before_month(year, month) + day - 1.0) * MILLISECONDS_PER_DAY + time)
    }

    fn time(&mut self) -> Option<f64> {
        let minutes = self.clock()?;
        let mut milliseconds = 0.0;
        if self.take(b':') {
            let seconds = self.digits(2).filter(|seconds| *seconds < 60.0)?;
            milliseconds = (seconds * 1_000.0) + if self.take(b'.') { self.fraction()? } else { 0.0 };
        }
        let offset = if self.take(b'Z') {
            0.0
        } else if let Some(sign) = self.sign() {
            sign * self.clock()?
        } else {
            0.0
        };
        let is_time = minutes * 60_000.0 + milliseconds <= MILLISECONDS_PER_DAY;
        is_time.then_some((minutes - offset) * 60_000.0 + milliseconds)
    }

    /// Hours and minutes, in minutes.
    fn clock(&mut self) -> Option<f64> {
        let hours = self.digits(2).filter(|hours| *hours <= 24.0)?;
        let minutes = self.take(b':').then(|| self.digits(2))?.filter(|minutes| *minutes < 60.0)?;
        Some(hours * 60.0 + minutes)
    }

    /// Digits after the decimal point, of which three count.
    fn fraction(&mut self) -> Option<f64> {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        let places = [100.0, 10.0, 1.0];
        let milliseconds =
            digits.iter().zip(places).map(|(digit, place)| f64::from(digit - b'0') * place).sum();
        (length > 0).then_some(milliseconds)
    }

    fn digits(&mut self, count: usize) -> Option<f64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        digits.iter().try_fold(0.0, |number, digit| {
            digit.is_ascii_digit().then(|| number * 10.0 + f64::from(digit - b'0'))
        })
    }

    fn sign(&mut self) -> Option<f64> {
        if self.take(b'+') { Some(1.0) } else { self.take(b'-').then_some(-1.0) }
    }

    fn take(&mut self, byte: u8) -> bool {
        let rest = self.0.strip_prefix(&[byte]);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
}

/// Days from 1970 to the first of a month, in the Gregorian calendar. A year begins in March here, so that a leap day
/// is its last day.
fn days_before_month(year: f64, month: f64) -> f64 {
    let year = if month > 2.0 { year } else { year - 1.0 };
    let months_since_march = (month + 9.0) % 12.0;
    let leap_days = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
    let days_since_march = ((153.0 * months_since_march + 2.0) / 5.0).floor();
    year * 365.0 + leap_days + days_since_march - 719_468.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn moments_are_those_of_javascript() {
        let cases = [
            (r#""1970-01-01T00:00:00.000Z""#, 0.0),
            (r#""2026-11-22T03:49:24.123Z""#, 1_795_319_364_123.0),
            (r#""2024-02-29T23:59:59.9999Z""#, 1_709_251_199_999.0),
            (r#""2000-03-01""#, 951_868_800_000.0),
            (r#""1969-12""#, -2_678_400_000.0),
            (r#""2026-01-01T01:30+01:30""#, 1_767_225_600_000.0),
            (r#""-000001-01-01T00:00Z""#, -62_198_755_200_000.0),
            (r#""2026-01-01T24:00Z""#, 1_767_312_000_000.0),
            ("12.9", 12.0),
            ("null", 0.0),
        ];
        for (json, moment) in cases {
            let document = Document::parse(json).unwrap();
            let read = milliseconds(Some(document.root()));
            assert!(read.total_cmp(&moment).is_eq(), "{json}: {read}");
        }
        for json in [
            r#""""#, r#""soon""#, r#""2026-13-01""#, r#""2026-01-01T25:00Z""#, r#""2026-01-01T24:01Z""#,
            r#""2026-01-01T00:00:00.Z""#, r#""2026-01-01Z0""#, "9e15", "{}",
        ] {
            assert!(milliseconds(Some(Document::parse(json).unwrap().root())).is_nan(), "{json}");
        }
        assert!(milliseconds(None).is_nan());
    }
}
