//! Numbers as people read them.

/// An integer with a comma between groups of three: `158,204`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A token count in little space: `950`, `8.6k`, `200k`, `1.05M`.
#[must_use]
pub fn short(number: u64) -> String {
    let tidy = |value: f64, decimals: usize, unit: &str| {
        let text = format!("{value:.decimals$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        format!("{text}{unit}")
    };
    match number {
        0..1_000 => number.to_string(),
        1_000..99_950 => tidy(number as f64 / 1e3, 1, "k"),
        99_950..999_500 => tidy(number as f64 / 1e3, 0, "k"),
        _ => tidy(number as f64 / 1e6, 2, "M"),
    }
}

/// A size in bytes: `612 KB`, `4.8 MB`.
#[must_use]
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.0} KB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// A count with its noun, in the singular for one: `1 message`, `24 messages`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// `part` of `whole` in percent, without decimals, except below one percent.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 };
    if share > 0.0 && share < 1.0 { format!("{share:.1} %") } else { format!("{share:.0} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        let texts: Vec<_> = [0, 999, 1_000, 158_204, 1_000_000].map(grouped).into();
        assert_eq!(texts, ["0", "999", "1,000", "158,204", "1,000,000"]);
    }

    #[test]
    fn short_forms_keep_what_matters() {
        let texts: Vec<_> =
            [0, 950, 1_000, 8_640, 40_000, 99_949, 99_950, 200_000, 999_500, 1_048_576, 2_000_000].map(short).into();
        assert_eq!(
            texts,
            ["0", "950", "1k", "8.6k", "40k", "99.9k", "100k", "200k", "1M", "1.05M", "2M"]
        );
    }

    #[test]
    fn one_is_singular_and_nothing_of_nothing_is_no_percent() {
        assert_eq!((counted(1, "message"), counted(2_400, "message")), ("1 message".into(), "2,400 messages".into()));
        assert_eq!((percent(0, 0), percent(1, 400), percent(1, 2)), ("0 %".into(), "0.2 %".into(), "50 %".into()));
    }
}
