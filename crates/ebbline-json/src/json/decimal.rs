//! Decimal numbers as the nearest double.
//!
//! The standard library's conversion carries 10 kB of powers of five, which do not compress, into every module. Numbers in
//! sessions are short, and those are exact in one multiplication or division. The others are compared in whole numbers.

use std::cmp::Ordering;

/// Powers of ten that a double holds exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// Digits behind these change nothing but whether a number is above a middle, for which one of them is enough: no middle
/// of two doubles has more than 767.
const DIGITS: usize = 768;
/// Below the first and above the second power of ten there are only zero and infinity.
const LEAST: i64 = -400;
const MOST: i64 = 400;

/// The nearest double of a decimal number, the even one of two; `None` if the text is none. There may be a sign in front, and
/// an exponent behind; `inf` and `nan` are no numbers here.
///
/// # Example
///
/// ```
/// use ebbline::json::decimal;
/// assert_eq!((decimal("-2.50e1"), decimal("2,5")), (Some(-25.0), None));
/// ```
#[must_use]
pub fn decimal(text: &str) -> Option<f64> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, whole(exponent)?),
        None => (unsigned, 0),
    };
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = || before.bytes().chain(behind.bytes());
    if digits().next().is_none() || !digits().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent = exponent.saturating_sub(behind.len() as i64);
    let zeros = digits().take_while(|digit| *digit == b'0').count();
    let magnitude = nearest(digits().skip(zeros), digits().count() - zeros, exponent);
    Some(if negative { -magnitude } else { magnitude })
}

/// A whole number with an optional sign; one that is too large for its type is the largest.
fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size =
        digits.bytes().fold(0_i64, |sum, digit| sum.saturating_mul(10).saturating_add((digit & 15).into()));
    Some(if text.starts_with('-') { -size } else { size })
}

/// The nearest double of `count` digits times ten to the `exponent`. The first digit is no zero.
fn nearest(digits: impl Iterator<Item = u8> + Clone, count: usize, exponent: i64) -> f64 {
    let first = digits.clone().take(19).fold(0_u64, |sum, digit| sum * 10 + u64::from(digit & 15));
    if count == 0 {
        return 0.0;
    }
    let exact = |power: i64| usize::try_from(power).ok().and_then(|power| EXACT.get(power).copied());
    if count <= 19 && first <= 1 << 53 {
        // One rounding, because both sides are exact.
        if let Some(power) = exact(exponent) {
            return first as f64 * power;
        }
        if let Some(power) = exponent.checked_neg().and_then(exact) {
            return first as f64 / power;
        }
    }
    // The exponent of the first digit.
    let leading = exponent.saturating_add(count as i64);
    if leading <= LEAST {
        return 0.0;
    }
    if leading >= MOST {
        return f64::INFINITY;
    }
    let kept = count.min(DIGITS);
    let mut value = Whole::default();
    for digit in digits.clone().take(kept) {
        value.times(10, u32::from(digit & 15));
    }
    let mut exponent = exponent + (count - kept) as i64;
    if digits.skip(kept).any(|digit| digit != b'0') {
        value.times(10, 1);
        exponent -= 1;
    }
    closest(&value, exponent, guess(first, leading - count.min(19) as i64))
}

/// A double a few steps away at most.
fn guess(digits: u64, mut exponent: i64) -> f64 {
    let mut number = digits as f64;
    while exponent != 0 {
        let step = exponent.clamp(-22, 22);
        let power = EXACT.get(step.unsigned_abs() as usize).copied().unwrap_or(1.0);
        number = if step < 0 { number / power } else { number * power };
        exponent -= step;
    }
    number.min(f64::MAX)
}

/// The double nearest to `value` times ten to the `exponent`, found from one beside it.
fn closest(value: &Whole, exponent: i64, guess: f64) -> f64 {
    let mut bits = guess.to_bits();
    // From below to the first double whose middle with the next is not below the number.
    while bits > 0 && is_above(value, exponent, bits - 1) != Some(true) {
        bits -= 1;
    }
    while bits < f64::INFINITY.to_bits() && is_above(value, exponent, bits) == Some(true) {
        bits += 1;
    }
    // In the middle the even one of the two.
    if bits % 2 == 1 && bits < f64::INFINITY.to_bits() && is_above(value, exponent, bits).is_none() {
        bits += 1;
    }
    f64::from_bits(bits)
}

/// Whether a number is above the middle between a double and the next one; `None` in the middle.
fn is_above(value: &Whole, exponent: i64, bits: u64) -> Option<bool> {
    let (fraction, power) = (bits & ((1 << 52) - 1), (bits >> 52) as i64);
    let mantissa = if power == 0 { fraction } else { fraction | 1 << 52 };
    // Twice the mantissa and one, for which the unit is half as large.
    let unit = power.max(1) - 1076;
    let mut middle = Whole::default();
    middle.times(0, (mantissa >> 31) as u32);
    middle.times(1 << 31, (mantissa as u32) & 0x7fff_ffff);
    middle.times(2, 1);
    let mut value = value.clone();
    let (tens, twos) = (exponent.unsigned_abs(), unit.unsigned_abs());
    (if exponent < 0 { &mut middle } else { &mut value }).times_power(10, tens);
    (if unit < 0 { &mut value } else { &mut middle }).times_power(2, twos);
    match value.compare(&middle) {
        Ordering::Equal => None,
        order => Some(order == Ordering::Greater),
    }
}

/// A whole number of any size: its digits to the base 2³², the lowest first, without zeros behind.
#[derive(Clone, Debug, Default)]
struct Whole(Vec<u32>);

impl Whole {
    /// Multiplies by a number and adds another.
    fn times(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for digit in &mut self.0 {
            carry += u64::from(*digit) * u64::from(factor);
            *digit = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_power(&mut self, base: u32, mut power: u64) {
        // Nine at a time: the ninth power of ten, the largest base here, is below 2³².
        while power > 0 {
            let step = power.min(9) as u32;
            self.times(base.pow(step), 0);
            power -= u64::from(step);
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library's answer.
    fn expected(text: &str) -> Option<u64> {
        text.parse().ok().map(f64::to_bits)
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let long = format!("0.{}1", "0".repeat(2_000));
        let middle = format!("9007199254740993{}", "0".repeat(900));
        let above = format!("9007199254740993.{}1", "0".repeat(900));
        for text in [
            "0",
            "-0",
            "1",
            "-1.5",
            "2.50",
            "0.1",
            "1e21",
            "1E-7",
            "123456789012345678901234567890",
            "1e22",
            "1e23",
            "9007199254740993",
            "9007199254740992.999",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "4.9e-324",
            "1e-400",
            "1e400",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "8.41e21",
            "0.000000000000000000000000000000012345",
            "6.02214076e23",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "0e99999999999999999999",
            "00012.500",
            "+7",
            ".5",
            "5.",
            "18446744073709551616",
            &long,
            &middle,
            &above,
        ] {
            assert_eq!(decimal(text).map(f64::to_bits), expected(text), "{text}");
        }
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1.2.3", "1,5", "0x1", " 1", "1 ", "inf", "NaN", "-infinity",
            "1_000", "é",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn doubles_come_back_from_their_digits_and_from_the_middles_beside_them() {
        // A generator of Marsaglia's: every pattern of bits, and so every size.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..4_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let number = f64::from_bits(state >> 1);
            if !number.is_finite() {
                continue;
            }
            for text in [
                format!("{number:e}"),
                format!("{number:.16e}"),
                format!("{number:.25e}"),
                format!("{}.{}e{}", state % 1_000_000, state % 977, state as i64 % 330),
                format!("{}", state as f64 / 1e6),
            ] {
                assert_eq!(decimal(&text).map(f64::to_bits), expected(&text), "{text}");
            }
        }
    }
}
