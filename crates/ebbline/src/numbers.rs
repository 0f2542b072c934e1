//! Numbers as people read them: in sentences of the engine, of the page and of the command line.

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

/// A short token count: `950`, `8.6k`, `200k`, `1.05M`.
#[must_use]
pub fn short(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..99_950 => fraction(number, 1_000, 1) + "k",
        99_950..999_500 => fraction(number, 1_000, 0) + "k",
        _ => fraction(number, 1_000_000, 2) + "M",
    }
}

/// `number` in units of `unit` with at most `decimals` decimals, without trailing zeros.
#[must_use]
pub fn fraction(number: u64, unit: u64, decimals: u32) -> String {
    let scale = 10_u64.pow(decimals);
    // Whole and rest apart: their product with the scale may be wider than 64 bits, and a wider division is a kilobyte.
    let rest = (number % unit).saturating_mul(scale).saturating_add(unit / 2) / unit;
    let scaled = (number / unit).saturating_mul(scale).saturating_add(rest);
    let (whole, rest) = (scaled / scale, scaled % scale);
    if rest == 0 {
        return whole.to_string();
    }
    let rest = format!("{rest:0width$}", width = decimals as usize);
    format!("{whole}.{}", rest.trim_end_matches('0'))
}

/// A size in bytes: `612 KB`, `4.8 MB`.
#[must_use]
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..999_500 => fraction(count, 1_000, 0) + " KB",
        _ => fraction(count, 1_000_000, 1) + " MB",
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
    if part > 0 && u128::from(part) * 100 < u128::from(whole) {
        return fraction(part.saturating_mul(100), whole, 1) + " %";
    }
    fraction(part.saturating_mul(100), whole.max(1), 0) + " %"
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
            [0, 950, 1_000, 8_640, 40_000, 99_949, 99_950, 200_000, 999_500, 1_048_576, 2_000_000]
                .map(short)
                .into();
        assert_eq!(texts, ["0", "950", "1k", "8.6k", "40k", "99.9k", "100k", "200k", "1M", "1.05M", "2M"]);
    }

    #[test]
    fn one_is_singular_and_nothing_of_nothing_is_no_percent() {
        assert_eq!(
            (counted(1, "message"), counted(2_400, "message")),
            ("1 message".into(), "2,400 messages".into())
        );
        assert_eq!(
            (percent(0, 0), percent(1, 400), percent(1, 2)),
            ("0 %".into(), "0.3 %".into(), "50 %".into())
        );
    }
}
