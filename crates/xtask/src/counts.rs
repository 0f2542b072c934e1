//! Counts of passed, failed and skipped tests, parsed from the output of test programs.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::process::ExitCode;

/// A count of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// Tests that did not run.
    pub(crate) skipped: u64,
}

impl Counts {
    /// One test that passed or failed.
    pub(crate) fn one(passed: bool) -> Self {
        Self { passed: u64::from(passed), failed: u64::from(!passed), skipped: 0 }
    }

    /// The exit code of a program with these tests.
    pub(crate) fn exit(self) -> ExitCode {
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// The sum of all `test result:` lines of `cargo test`: one for each test program and one for the documentation.
    pub(crate) fn of_cargo(lines: &[String]) -> Self {
        lines
            .iter()
            .filter_map(|line| line.trim().strip_prefix("test result:"))
            .map(Self::of_cargo_line)
            .sum()
    }

    fn of_cargo_line(line: &str) -> Self {
        let mut counts = Self::default();
        // `ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s`
        let line = line.split_once(". ").map_or(line, |(_, rest)| rest);
        for part in line.split(';') {
            let mut words = part.split_whitespace();
            let (number, word) = (words.next().and_then(|word| word.parse::<u64>().ok()), words.next());
            match (number, word) {
                (Some(number), Some("passed")) => counts.passed += number,
                (Some(number), Some("failed")) => counts.failed += number,
                (Some(number), Some("ignored" | "skipped")) => counts.skipped += number,
                _ => {}
            }
        }
        counts
    }

    /// The last line of a program that prints its counts like this one: `19 passed, 0 failed, 1 skipped`.
    pub(crate) fn of_sum(lines: &[String]) -> Self {
        let is_sum = |line: &&String| line.ends_with(" skipped") && line.contains(" passed, ");
        lines
            .iter()
            .rev()
            .find(is_sum)
            .map_or_else(Self::default, |line| Self::of_cargo_line(&line.replace(',', ";")))
    }

    /// The summary that `node --test` prints at its end: `ℹ pass 12` or, in the TAP form, `# pass 12`.
    pub(crate) fn of_node(lines: &[String]) -> Self {
        let mut counts = Self::default();
        for line in lines {
            let Some(rest) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")) else { continue };
            let mut words = rest.split_whitespace();
            let (Some(word), Some(Ok(number)), None) =
                (words.next(), words.next().map(str::parse::<u64>), words.next())
            else {
                continue;
            };
            match word {
                "pass" => counts.passed += number,
                "fail" | "cancelled" => counts.failed += number,
                "skipped" | "todo" => counts.skipped += number,
                _ => {}
            }
        }
        counts
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(String::from).collect()
    }

    #[test]
    fn cargo_prints_one_line_for_each_test_program() {
        let output = lines(
            "running 3 tests\ntest a ... ok\n\
             test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s\n\
             test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(Counts::of_cargo(&output), Counts { passed: 14, failed: 1, skipped: 1 });
        assert_eq!(Counts::of_cargo(&lines("error[E0432]: unresolved import")), Counts::default());
    }

    #[test]
    fn node_prints_its_summary_in_either_form() {
        let expected = Counts { passed: 4, failed: 3, skipped: 3 };
        for mark in ["ℹ", "#"] {
            let text = "X tests 10\nX suites 1\nX pass 4\nX fail 2\nX cancelled 1\nX skipped 2\nX todo 1\nX duration_ms 12.5\n";
            assert_eq!(Counts::of_node(&lines(&text.replace('X', mark))), expected);
        }
        assert_eq!(Counts::of_node(&lines("# pass the salt 3\n  # pass 5")), Counts::default());
    }

    #[test]
    fn a_sum_is_read_as_it_is_said() {
        let counts = Counts { passed: 17, failed: 0, skipped: 2 };
        assert_eq!(Counts::of_sum(&lines(&format!("1 passed, but not all\n{counts}\nbye"))), counts);
        assert_eq!(Counts::of_sum(&lines("nothing")), Counts::default());
    }

    #[test]
    fn the_sum_is_said_in_one_line() {
        let sum: Counts = [Counts::one(true), Counts::one(false), Counts { skipped: 4, ..Counts::default() }]
            .into_iter()
            .sum();
        assert_eq!(sum.to_string(), "1 passed, 1 failed, 4 skipped");
    }
}
