//! Moments in time: milliseconds since 1970, or an ISO 8601 date. A time without a zone would mean different moments in
//! different places, so it is none.

/// The latest moment that JavaScript can represent.
const LATEST: i64 = 8_640_000_000_000_000;

/// The milliseconds since 1970 that a text names; `None` if it names none.
pub(crate) fn read(given: &str) -> Option<u64> {
    let is_number = (1..=16).contains(&given.len()) && given.bytes().all(|digit| digit.is_ascii_digit());
    let milliseconds = if is_number { given.parse().ok()? } else { date(given)? };
    u64::try_from(milliseconds).ok().filter(|_| milliseconds <= LATEST)
}

/// The milliseconds of `2026-01-31`, or of `2026-01-31T12:00:00.000Z`, where seconds, their fraction and another zone are
/// possible.
fn date(given: &str) -> Option<i64> {
    let mut rest = given;
    let year = digits(&mut rest, 4)?;
    let month = part(&mut rest, '-')?;
    let day = part(&mut rest, '-')?;
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let midnight = days(year, month, day) * 86_400_000;
    if rest.is_empty() {
        return Some(midnight);
    }
    let hour = part(&mut rest, 'T')?;
    let minute = part(&mut rest, ':')?;
    let (mut second, mut fraction) = (0, 0);
    if rest.starts_with(':') {
        second = part(&mut rest, ':')?;
        if let Some(behind) = rest.strip_prefix('.') {
            let end = behind.find(|letter: char| !letter.is_ascii_digit())?;
            let (places, after) = behind.split_at_checked(end).filter(|(places, _)| !places.is_empty())?;
            // Milliseconds are as fine as it gets.
            fraction = format!("{places:0<3}").get(..3)?.parse().ok()?;
            rest = after;
        }
    }
    let is_midnight = hour == 24 && (minute, second, fraction) == (0, 0, 0);
    if hour > 23 && !is_midnight || minute > 59 || second > 59 {
        return None;
    }
    let since = ((hour * 60 + minute) * 60 + second) * 1_000 + fraction;
    Some(midnight + since - zone(rest)? * 60_000)
}

/// The minutes by which a zone is ahead.
fn zone(given: &str) -> Option<i64> {
    if given == "Z" {
        return Some(0);
    }
    let (sign, mut rest) = match given.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, given.strip_prefix('-')?),
    };
    let hours = digits(&mut rest, 2)?;
    let minutes = part(&mut rest, ':')?;
    (rest.is_empty() && hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// A separator and two digits.
fn part(rest: &mut &str, separator: char) -> Option<i64> {
    *rest = rest.strip_prefix(separator)?;
    digits(rest, 2)
}

fn digits(rest: &mut &str, count: usize) -> Option<i64> {
    let (number, after) = rest.split_at_checked(count)?;
    if !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    *rest = after;
    number.parse().ok()
}

/// The days from 1970 to a day. A day that its month does not have is counted on, as in JavaScript.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin with March, so that the day that comes every four years is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_what_javascript_makes_of_it() {
        for (given, milliseconds) in [
            ("0", Some(0)),
            ("1769857200000", Some(1_769_857_200_000)),
            ("8640000000000000", Some(8_640_000_000_000_000)),
            ("8640000000000001", None),
            ("2026-01-31T11:00:00Z", Some(1_769_857_200_000)),
            ("2026-01-31T12:00:00+01:00", Some(1_769_857_200_000)),
            ("2026-02-31T00:00:00Z", Some(1_772_496_000_000)),
            ("2026-02-31", Some(1_772_496_000_000)),
            ("2026-01-31T24:00Z", Some(1_769_904_000_000)),
            ("2026-01-31T23:59:59.123456Z", Some(1_769_903_999_123)),
            ("2026-01-31T23:59:59.1Z", Some(1_769_903_999_100)),
            ("2026-01-31T00:00+23:59", Some(1_769_731_260_000)),
            ("2025-02-29", Some(1_740_787_200_000)),
            ("9999-12-31T23:59:59.999Z", Some(253_402_300_799_999)),
            ("1970-01-01T00:00-00:00", Some(0)),
        ] {
            assert_eq!(read(given), milliseconds, "{given}");
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for given in [
            "", "yesterday", "-5", "1e3", "99999999999999999", "2026-13-01", "2026-01-32", "2026-00-10",
            "2026-01-00", "2026-01-31T12:00:00", "2026-01-31T24:00:01Z", "2026-01-31T23:60Z",
            "2026-01-31T23:59:60Z", "2026-01-31T23:59:59.Z", "2026-01-31T00:00+24:00",
            "1970-01-01T00:00+01:00", "0000-01-01", "2026-1-31",
        ] {
            assert_eq!(read(given), None, "{given}");
        }
    }
}
