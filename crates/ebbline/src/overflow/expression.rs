//! The part of JavaScript's regular expressions that the patterns of this module use: groups, alternatives, classes
//! without ranges, repetitions, `^`, `$` and `\b`, and whether a text contains a match.
//!
//! A library for all of their syntax is three times as large, as WebAssembly half a percent of everything that is loaded.
//! An expression becomes a list of steps, and all ways through it are followed at once, so the time grows with the text
//! and never with its square.

/// What one step of an expression asks of a text.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A character of this set, in the pattern's own spelling: `a`, `\d`, `.` or `[^.\n]`.
    One(&'static str),
    Begin,
    End,
    Boundary,
    /// Goes on at both places, counted from this one.
    Fork(isize, isize),
}

/// An expression, ready to be searched for.
#[derive(Debug)]
pub(super) struct Expression {
    steps: Vec<Step>,
}

impl Expression {
    /// The expression for a pattern in JavaScript's syntax with the flag `i`; `None` if it uses what is not known here.
    pub(super) fn new(pattern: &'static str) -> Option<Self> {
        let mut parser = Parser { rest: pattern };
        let steps = parser.alternatives()?;
        parser.rest.is_empty().then_some(Self { steps })
    }

    /// Whether a text contains a match.
    pub(super) fn is_found_in(&self, text: &str) -> bool {
        let mut walk =
            Walk { steps: &self.steps, reached: vec![0; self.steps.len()], time: 0, next: Vec::new() };
        let mut before = None;
        let mut characters = text.chars();
        loop {
            let after = characters.clone().next();
            let places = std::mem::take(&mut walk.next);
            walk.time += 1;
            // A match may begin anywhere, and those that began earlier go on.
            for place in places.into_iter().chain([0]) {
                if walk.reaches(place, before, after) {
                    return true;
                }
            }
            let Some(character) = characters.next() else { return false };
            walk.next.retain_mut(|place| {
                let fits = matches!(self.steps.get(*place), Some(Step::One(set)) if contains(set, character));
                *place += 1;
                fits
            });
            before = Some(character);
        }
    }
}

/// The ways through an expression that are open at one place of a text.
struct Walk<'a> {
    steps: &'a [Step],
    /// When each step was reached last, so that none is followed twice at one place.
    reached: Vec<usize>,
    time: usize,
    /// The steps that ask for the next character.
    next: Vec<usize>,
}

impl Walk<'_> {
    /// Follows a step as far as no character is needed; whether that is the end of the expression.
    fn reaches(&mut self, from: usize, before: Option<char>, after: Option<char>) -> bool {
        let mut open = vec![from];
        while let Some(place) = open.pop() {
            let Some(step) = self.steps.get(place) else { return true };
            let Some(reached) = self.reached.get_mut(place) else { continue };
            if std::mem::replace(reached, self.time) == self.time {
                continue;
            }
            let holds = match step {
                Step::One(_) => {
                    self.next.push(place);
                    false
                }
                Step::Begin => before.is_none(),
                Step::End => after.is_none(),
                Step::Boundary => before.is_some_and(is_word) != after.is_some_and(is_word),
                Step::Fork(one, other) => {
                    open.extend([*one, *other].map(|step| place.saturating_add_signed(step)));
                    false
                }
            };
            if holds {
                open.push(place + 1);
            }
        }
        false
    }
}

/// Whether a set contains a character.
fn contains(set: &str, character: char) -> bool {
    if set == "." {
        return !matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    }
    let inside = set.strip_prefix('[').and_then(|set| set.strip_suffix(']')).unwrap_or(set);
    let named = inside.strip_prefix('^').filter(|_| inside.len() < set.len());
    let mut members = named.unwrap_or(inside).chars();
    while let Some(member) = members.next() {
        let escaped = if member == '\\' { members.next() } else { None };
        let is_member = match escaped {
            Some('d') => character.is_ascii_digit(),
            Some('w') => is_word(character),
            Some('s') => is_space(character),
            Some('n') => character == '\n',
            _ => escaped.unwrap_or(member).eq_ignore_ascii_case(&character),
        };
        if is_member {
            return named.is_none();
        }
    }
    named.is_some()
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// White space of ECMA-262, which has U+FEFF and not U+0085.
fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

/// Reads a pattern from its beginning.
struct Parser {
    rest: &'static str,
}

impl Parser {
    /// Takes as many bytes.
    fn take(&mut self, bytes: usize) -> Option<&'static str> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    fn takes(&mut self, expected: &str) -> bool {
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn alternatives(&mut self) -> Option<Vec<Step>> {
        let mut steps = self.sequence()?;
        while self.takes("|") {
            let other = self.sequence()?;
            let length = steps.len() as isize;
            steps.insert(0, Step::Fork(1, length + 2));
            let end = other.len() as isize + 1;
            steps.push(Step::Fork(end, end));
            steps.extend(other);
        }
        Some(steps)
    }

    fn sequence(&mut self) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let piece = self.piece()?;
            let (least, most) = self.repetition()?;
            for _ in 0..least {
                steps.extend_from_slice(&piece);
            }
            let length = piece.len() as isize;
            for _ in least..most.unwrap_or(least) {
                steps.push(Step::Fork(1, length + 1));
                steps.extend_from_slice(&piece);
            }
            if most.is_none() {
                steps.push(Step::Fork(1, length + 2));
                steps.extend_from_slice(&piece);
                steps.push(Step::Fork(-length - 1, -length - 1));
            }
        }
        Some(steps)
    }

    /// What a repetition would repeat.
    fn piece(&mut self) -> Option<Vec<Step>> {
        if self.takes("(?:") {
            let inside = self.alternatives()?;
            return self.takes(")").then_some(inside);
        }
        let step = match self.rest.chars().next()? {
            '^' | '$' => {
                if self.take(1)? == "^" {
                    Step::Begin
                } else {
                    Step::End
                }
            }
            '[' => {
                let set = self.take(self.rest.find(']')? + 1)?;
                // A range would be taken for its three characters.
                let ranges = set.get(2..set.len() - 2).is_some_and(|inside| inside.contains('-'));
                if ranges { None } else { Some(Step::One(set)) }?
            }
            '\\' => {
                let set = self.take(1 + self.rest.chars().nth(1)?.len_utf8())?;
                match set.as_bytes().last()? {
                    b'b' => Step::Boundary,
                    b'd' | b'w' | b's' | b'n' => Step::One(set),
                    other if other.is_ascii_alphanumeric() => return None,
                    _ => Step::One(set),
                }
            }
            '(' | '?' | '*' | '+' | '{' => return None,
            other => Step::One(self.take(other.len_utf8())?),
        };
        Some(vec![step])
    }

    /// How often the piece before must and may stand; without a limit, if there is none.
    fn repetition(&mut self) -> Option<(usize, Option<usize>)> {
        for (sign, least, most) in [("?", 0, Some(1)), ("*", 0, None), ("+", 1, None)] {
            if self.takes(sign) {
                return Some((least, most));
            }
        }
        if !self.takes("{") {
            return Some((1, Some(1)));
        }
        let (least, most) = self.take(self.rest.find('}')?)?.split_once(',')?;
        self.take(1)?;
        Some((least.parse().ok()?, Some(most.parse().ok()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &'static str, text: &str) -> bool {
        Expression::new(pattern).unwrap().is_found_in(text)
    }

    #[test]
    fn a_pattern_is_found_where_javascript_finds_it() {
        let cases: [(&str, &str, bool); 22] = [
            ("a", "", false),
            ("", "", true),
            ("b", "ABC", true),
            ("^b", "abc", false),
            ("c$", "abc\n", false),
            ("^(?:ab|c)$", "ab", true),
            ("^(?:ab|c|de)$", "de", true),
            ("^(?:ab|c)$", "abc", false),
            ("a(?:b|)c", "xac", true),
            ("^a{2,3}$", "aa", true),
            ("^a{2,3}$", "aaaa", false),
            ("^(?:ab){0,2}c$", "ababc", true),
            ("^a+b*$", "aaa", true),
            (r"\bper\b", "tokens per min", true),
            (r"\bper\b", "pers_per", false),
            (r"[^.\n]", ".\n.", false),
            (r"[\w -]+!", "a b-c!", true),
            (r"\(\d+\)", "(12)", true),
            ("a.b", "a\u{2028}b", false),
            ("a.b", "a\u{1f600}b", true),
            (r"x\sy", "x\u{feff}y", true),
            (r"x\sy", "x\u{85}y", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(found(pattern, text), expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn what_is_not_known_is_no_expression() {
        for pattern in ["(a)", "a(?:b", "a)", "[a-z]", "a{2}", "*a", r"\p", "(?!a)", "[a", "a{1,x}"] {
            assert!(Expression::new(pattern).is_none(), "{pattern}");
        }
    }

    #[test]
    fn a_long_text_takes_no_longer_than_its_length() {
        let text = "input length ".repeat(20_000);
        assert!(!found(r"input length.*exceeds.*context length", &text));
        assert!(found(
            r"input length.*exceeds.*context length",
            &format!("{text}exceeds the context length")
        ));
    }
}
