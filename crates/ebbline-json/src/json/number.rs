//! Numbers as JavaScript and Python write them.

/// The shortest digits of a finite, positive `number` and the position of its decimal point:
/// `0.d1d2d3… × 10^point`.
fn digits(number: f64) -> (String, i32) {
    // Not `{:e}`: the standard library's tables and long division are 4 % of a module.
    let mut buffer = zmij::Buffer::new();
    let written = buffer.format_finite(number);
    let (mantissa, exponent) = written.split_once('e').unwrap_or((written, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let zeros = (all.len() - digits.len()) as i32;
    let point = whole.len() as i32 - zeros + exponent.parse::<i32>().unwrap_or(0);
    (digits.trim_end_matches('0').to_owned(), point)
}

/// `number` as JavaScript's `String(number)` and `JSON.stringify` write it (ECMA-262, `Number::toString`).
///
/// # Example
///
/// ```
/// use ebbline::json::format_js;
/// assert_eq!((format_js(29.0), format_js(1e21)), ("29".to_owned(), "1e+21".to_owned()));
/// ```
#[must_use]
pub fn format_js(number: f64) -> String {
    if !number.is_finite() {
        return "null".to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let (digits, point) = digits(number.abs());
    let sign = if number < 0.0 { "-" } else { "" };
    let body = if (-5..=21).contains(&point) {
        positional(&digits, point)
    } else {
        scientific(&digits, point - 1, false)
    };
    format!("{sign}{body}")
}

/// `number` as Python's `repr(float)` writes it (CPython, `float_repr_style == "short"`).
///
/// # Example
///
/// ```
/// use ebbline::json::format_python;
/// assert_eq!((format_python(29.0), format_python(1e16)), ("29.0".to_owned(), "1e+16".to_owned()));
/// ```
#[must_use]
pub fn format_python(number: f64) -> String {
    if !number.is_finite() {
        return if number > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, point) = digits(number.abs());
    let body = if (-3..=16).contains(&point) {
        let body = positional(&digits, point);
        if body.contains('.') { body } else { body + ".0" }
    } else {
        scientific(&digits, point - 1, true)
    };
    format!("{sign}{body}")
}

fn positional(digits: &str, point: i32) -> String {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else if point >= count {
        format!("{digits}{}", zeros(point - count))
    } else {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        format!("{whole}.{fraction}")
    }
}

fn scientific(digits: &str, exponent: i32, two_digits: bool) -> String {
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    let dot = if rest.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    let exponent = exponent.unsigned_abs();
    if two_digits {
        format!("{first}{dot}{rest}e{sign}{exponent:02}")
    } else {
        format!("{first}{dot}{rest}e{sign}{exponent}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_those_of_javascript_and_python() {
        let cases = [
            (0.0, "0", "0.0"),
            (-0.0, "0", "-0.0"),
            (1.0, "1", "1.0"),
            (29.0, "29", "29.0"),
            (-1.5, "-1.5", "-1.5"),
            (0.1, "0.1", "0.1"),
            (1e21, "1e+21", "1e+21"),
            (1e20, "100000000000000000000", "1e+20"),
            (1e16, "10000000000000000", "1e+16"),
            (123_456_789_012_345_680.0, "123456789012345680", "1.2345678901234568e+17"),
            (0.0001, "0.0001", "0.0001"),
            (0.000_01, "0.00001", "1e-05"),
            (0.000_001, "0.000001", "1e-06"),
            (1e-7, "1e-7", "1e-07"),
            (5e-324, "5e-324", "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308", "1.7976931348623157e+308"),
            (1_200.0, "1200", "1200.0"),
            (0.012, "0.012", "0.012"),
        ];
        for (number, js, python) in cases {
            assert_eq!(format_js(number), js);
            assert_eq!(format_python(number), python);
        }
    }

    #[test]
    fn digits_lead_back_to_the_number_and_none_is_too_many() {
        let mut state = 88_172_645_463_325_252_u64;
        for round in 0..200_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let number = match round % 3 {
                0 => f64::from_bits(state >> 1),
                1 => (state >> 20) as f64 / 1e4,
                _ => (state >> 40) as f64,
            };
            if number.is_finite() && number > 0.0 {
                let (digits, point) = digits(number);
                assert_eq!(format!("0.{digits}e{point}").parse(), Ok(number));
                let mantissa = format!("{number:e}");
                let shortest = mantissa.split('e').next().unwrap_or_default();
                assert_eq!(digits.len(), shortest.bytes().filter(u8::is_ascii_digit).count(), "{number:e}");
            }
        }
    }

    #[test]
    fn of_two_that_are_equally_near_the_even_one_is_written() {
        // The standard library writes ..63; Node and Python write this.
        assert_eq!(format_js(274_663_700_912_250.63), "274663700912250.62");
        assert_eq!(format_python(274_663_700_912_250.63), "274663700912250.62");
    }
}
