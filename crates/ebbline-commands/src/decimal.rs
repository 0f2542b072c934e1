//! Figures with fractions as JavaScript writes them: their digits are those of the exact value, and halves are rounded up.

use ebbline::json::format_js;

/// So many digits behind the point, or behind the first digit, hold every number that is drawn or said exactly.
const EXACT: usize = 1_080;

/// With so many digits behind the point: what `toFixed` gives.
pub(crate) fn fixed(number: f64, digits: usize) -> String {
    if !number.is_finite() || number.abs() >= 1e21 {
        return format_js(number);
    }
    let exact = format!("{:.EXACT$}", number.abs());
    let rounded = cut(&exact, digits);
    if number < 0.0 { format!("-{rounded}") } else { rounded }
}

/// With so many digits at all: the number that `toPrecision` gives.
pub(crate) fn precise(number: f64, digits: usize) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return number;
    }
    let exact = format!("{:.EXACT$e}", number.abs());
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let rounded = format!("{}e{exponent}", cut(mantissa, digits.saturating_sub(1)));
    rounded.parse::<f64>().unwrap_or(number.abs()).copysign(number)
}

/// Decimal digits with a point, cut to so many behind it. The next digit says whether the last one grows.
fn cut(exact: &str, digits: usize) -> String {
    let (whole, fraction) = exact.split_once('.').unwrap_or((exact, ""));
    let mut kept: Vec<u8> = whole.bytes().chain(fraction.bytes().take(digits)).collect();
    if fraction.as_bytes().get(digits).is_some_and(|next| *next >= b'5') {
        grow(&mut kept);
    }
    let text: String = kept.into_iter().map(char::from).collect();
    let fraction = digits.min(fraction.len());
    match text.split_at_checked(text.len() - fraction) {
        Some((whole, fraction)) if !fraction.is_empty() => format!("{whole}.{fraction}"),
        _ => text,
    }
}

/// The next greater number of the same digits.
fn grow(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_up_and_what_only_looks_like_a_half_is_not() {
        for (number, digits, said) in [
            (0.25, 1, "0.3"),
            (0.35, 1, "0.3"),
            (1.005, 2, "1.00"),
            (99.95, 1, "100.0"),
            (0.0, 1, "0.0"),
            (12.0, 2, "12.00"),
            (2.5, 0, "3"),
            (-1.25, 1, "-1.3"),
            (1e21, 1, "1e+21"),
        ] {
            assert_eq!(fixed(number, digits), said, "{number}");
        }
    }

    #[test]
    fn so_many_digits_are_kept() {
        for (number, digits, expected) in
            [(0.1 + 0.2, 12, 0.3), (12.5, 2, 13.0), (0.012_34, 2, 0.012), (99.6, 2, 100.0), (0.0, 2, 0.0)]
        {
            assert_eq!(precise(number, digits).to_bits(), f64::to_bits(expected), "{number}");
        }
    }
}
