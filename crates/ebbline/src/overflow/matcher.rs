//! Regular expressions with JavaScript's meaning, which are cheap to test on texts that cannot match.

use super::expression::Expression;

/// An expression that runs only on texts that contain its required characters. Searching for these is a hundred
/// times faster.
#[derive(Debug)]
pub(super) struct Matcher {
    /// In lower case.
    required: String,
    /// `None` when the pattern consists of these characters only.
    expression: Option<Expression>,
    is_literal: bool,
}

impl Matcher {
    /// The matcher for an expression in JavaScript's syntax with the flag `i`.
    pub(super) fn new(source: &'static str) -> Self {
        let required = required(source);
        let is_literal = required.len() == source.len();
        let expression = if is_literal { None } else { Expression::new(source) };
        Self { required, expression, is_literal }
    }

    /// Whether the expression could be parsed.
    #[cfg(test)]
    pub(super) fn is_valid(&self) -> bool {
        self.is_literal || self.expression.is_some()
    }

    /// Whether `text` matches; `lower` is the same text in lower case.
    pub(super) fn finds(&self, text: &str, lower: &str) -> bool {
        lower.contains(&self.required)
            && (self.is_literal
                || self.expression.as_ref().is_some_and(|expression| expression.is_found_in(text)))
    }
}

/// The longest run of characters, in lower case, that every match of an expression has; empty where the
/// alternatives share none.
fn required(source: &str) -> String {
    let mut runs = vec![String::new()];
    let mut depth = 0_usize;
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        let literal = match character {
            '\\' => characters.next().filter(|escaped| !escaped.is_ascii_alphanumeric()),
            '|' if depth == 0 => return String::new(),
            '[' => characters.find(|inside| *inside == ']').and(None),
            '(' | ')' => {
                depth = if character == '(' { depth + 1 } else { depth.saturating_sub(1) };
                None
            }
            '?' | '*' | '{' => {
                if let Some(run) = runs.last_mut() {
                    run.pop();
                }
                if character == '{' { characters.find(|inside| *inside == '}').and(None) } else { None }
            }
            '^' | '$' | '.' | '+' | '|' => None,
            other => Some(other),
        };
        match (literal.filter(|_| depth == 0), runs.last_mut()) {
            (Some(literal), Some(run)) => run.push(literal.to_ascii_lowercase()),
            _ => runs.push(String::new()),
        }
    }
    runs.into_iter().max_by_key(String::len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_match_cannot_do_without_is_found_in_its_expression() {
        let cases = [
            ("Prompt is too long", "prompt is too long"),
            (r"prompt (?:is )?too long", "too long"),
            (r"exceeds? (?:the )?max\b", "exceed"),
            (r"^4(?:00|13)\s*\(no body\)", "(no body)"),
            (r"rate[ _-]?limit", "limit"),
            (r"\btokens?\b[^.\n]{0,60}over", "token"),
            (r"one|two", ""),
            (r"^(?:a b|c d)", ""),
        ];
        for (source, expected) in cases {
            assert_eq!(required(source), expected, "{source}");
        }
    }

    #[test]
    fn expressions_mean_what_they_mean_in_javascript() {
        let found =
            |source: &'static str, text: &str| Matcher::new(source).finds(text, &text.to_ascii_lowercase());
        assert!(found("count.*exceeds", "count \u{85} EXCEEDS"));
        for terminator in ["\n", "\r", "\u{2028}", "\u{2029}"] {
            assert!(!found("count.*exceeds", &format!("count{terminator}exceeds")));
        }
        assert!(found(r"^413\s", "413\u{a0}") && found(r"^400\s*\(", "400\u{3000}("));
        assert!(!found(r"^413\s", "413\u{85}"));
        assert!(!found("prompt is", "\u{ff50}rompt is"), "only ASCII letters have a case here");
        assert!(!found("kimi", "\u{212a}imi"));
    }
}
