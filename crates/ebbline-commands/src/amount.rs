//! Figures in words.

/// `1,234,567`
pub(crate) fn amount(number: impl TryInto<u64>) -> String {
    // As JavaScript has it: what it cannot represent is the nearest number that it can.
    let digits = (number.try_into().unwrap_or(u64::MAX) as f64).to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 output`, `3 outputs`
pub(crate) fn counted(number: impl TryInto<u64> + Copy, noun: &str) -> String {
    let is_one = number.try_into().is_ok_and(|number: u64| number == 1);
    format!("{} {noun}{}", amount(number), if is_one { "" } else { "s" })
}

/// The nearest whole number, the greater one of two: what JavaScript's `Math.round` gives.
pub(crate) fn rounded(number: f64) -> i64 {
    let below = number.floor();
    if number - below >= 0.5 { below as i64 + 1 } else { below as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, said) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
            ((1_u64 << 53) + 1, "9,007,199,254,740,992"),
        ] {
            assert_eq!(amount(number), said);
        }
    }

    #[test]
    fn halves_are_rounded_up() {
        for (number, whole) in [(0.5, 1), (-0.5, 0), (-0.6, -1), (0.499_999_999_999_999_94, 0), (2.4, 2)] {
            assert_eq!(rounded(number), whole, "{number}");
        }
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1_usize, "output"), "1 output");
        assert_eq!(counted(0_usize, "output"), "0 outputs");
    }
}
