//! The window that a provider names when it refuses a context.

/// Smaller numbers in the text of an error are no sizes of contexts.
const LEAST: u64 = 1_000;

/// The window into which a context did not fit, by the numbers in the text of the error; `None` if they do not show which it is.
pub(crate) fn window_in(text: &str) -> Option<u64> {
    let is_of_number = |character: char| character.is_ascii_digit() || matches!(character, ',' | '_');
    let numbers: Vec<u64> = text
        .split(|character| !is_of_number(character))
        .map(|word| word.trim_matches([',', '_']).replace([',', '_'], ""))
        .filter_map(|digits| digits.parse().ok())
        .filter(|number| *number >= LEAST)
        .collect();
    match *numbers {
        [one, other] if one != other => Some(one.min(other)),
        // Anthropic adds the tokens kept for the answer: "188240 + 21333 > 200000".
        [input, output, window] if input.saturating_add(output) > window && input < window => Some(window),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_of_two_sizes_is_the_window() {
        for (text, window) in [
            ("This model's maximum context length is 8,192 tokens. You requested 9_000 tokens.", Some(8_192)),
            ("prompt is too long: 205000 tokens > 200000 maximum", Some(200_000)),
            ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", Some(200_000)),
            ("100000 + 20000 > 90000", None),
            ("error 400: at most 4096", None),
            ("12000 and 12000", None),
            ("1, 2, 3", None),
        ] {
            assert_eq!(window_in(text), window, "{text}");
        }
    }
}
