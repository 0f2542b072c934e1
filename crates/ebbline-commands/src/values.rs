//! The options of a command line as figures, lists and moments.

use crate::failure::Failure;
use crate::moment;

/// The greatest whole number that JavaScript has exactly: what the engine takes.
const MOST: u64 = (1 << 53) - 1;
/// The longest time that a command may take, in seconds.
const LONGEST: u64 = 2_147_483;

/// The options that were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values(Vec<(&'static str, Option<String>)>);

impl Values {
    /// Options with their values, in the order in which they were given.
    pub(crate) fn new(given: Vec<(&'static str, Option<String>)>) -> Self {
        Self(given)
    }

    /// The options without those of some names.
    pub(crate) fn without(&self, names: &[&str]) -> Self {
        Self(self.0.iter().filter(|(given, _)| !names.contains(given)).cloned().collect())
    }

    /// All that was given, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, Option<&str>)> {
        self.0.iter().map(|(name, value)| (*name, value.as_deref()))
    }

    /// Whether an option was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(given, _)| *given == name)
    }

    /// The value of an option: the last one that was given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.texts(name).last()
    }

    /// All values of an option.
    pub(crate) fn texts<'v>(&'v self, name: &str) -> impl Iterator<Item = &'v str> {
        self.0.iter().filter(move |(given, _)| *given == name).filter_map(|(_, value)| value.as_deref())
    }

    /// Whether a knob is turned that is the window.
    pub(crate) fn sets_window(&self) -> bool {
        self.texts("set").any(|setting| setting.starts_with("model.context="))
    }

    /// A number of tokens.
    pub(crate) fn tokens(&self, name: &str) -> Result<Option<u64>, Failure> {
        self.amount(name, "a number of tokens")
    }

    /// A whole number; `what` it is, in words.
    pub(crate) fn amount(&self, name: &str, what: &str) -> Result<Option<u64>, Failure> {
        self.text(name).map(|given| amount_of(name, given, what)).transpose()
    }

    /// The moment that is written beside what is compacted, in milliseconds since 1970.
    pub(crate) fn now(&self) -> Result<Option<u64>, Failure> {
        let Some(given) = self.text("now") else { return Ok(None) };
        moment::read(given).map(Some).ok_or_else(|| {
            Failure::Usage(format!(
                "--now must be milliseconds since 1970, or a moment with its zone such as 2026-01-31T12:00:00Z, not {given}"
            ))
        })
    }

    /// How many seconds a command may take; `None` if that is left open.
    pub(crate) fn seconds(&self) -> Result<Option<u64>, Failure> {
        let seconds = self.amount("timeout", "a number of seconds")?;
        if seconds.is_none_or(|seconds| (1..=LONGEST).contains(&seconds)) {
            return Ok(seconds);
        }
        let given = self.text("timeout").unwrap_or_default();
        Err(Failure::Usage(format!("--timeout must be from 1 to {LONGEST} seconds, not {given}")))
    }

    /// How many threads work at once; `None` if that is left open.
    pub(crate) fn jobs(&self) -> Result<Option<u64>, Failure> {
        let jobs = self.amount("jobs", "a number of threads")?;
        if jobs == Some(0) { Err(Failure::Usage("--jobs must be 1 or more".to_owned())) } else { Ok(jobs) }
    }

    /// How many bytes of memory files may need together; `None` if that is left open.
    pub(crate) fn memory(&self) -> Result<Option<u64>, Failure> {
        let Some(given) = self.text("max-memory") else { return Ok(None) };
        bytes_of(given).map(Some).ok_or_else(|| {
            Failure::Usage(format!("--max-memory must be a size such as 500MB, 2GB or 1GiB, not {given}"))
        })
    }
}

/// A size such as `1.5GB`.
fn bytes_of(given: &str) -> Option<u64> {
    let at = given.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(given.len());
    let (number, unit) = given.split_at_checked(at)?;
    let unit: f64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1_024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        "tib" => 1_099_511_627_776.0,
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    (number > 0.0 && number.is_finite()).then_some((number * unit) as u64)
}

/// A whole number such as `100_000`.
pub(crate) fn amount_of(name: &str, given: &str, what: &str) -> Result<u64, Failure> {
    let is_number = given.starts_with(|first: char| first.is_ascii_digit())
        && given.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '_' | ','));
    if !is_number {
        return Err(Failure::Usage(format!("--{name} must be {what}, not {given}")));
    }
    let digits: String = given.chars().filter(char::is_ascii_digit).collect();
    match digits.trim_start_matches('0') {
        "" => Ok(0),
        digits => {
            digits.parse().ok().filter(|number| *number <= MOST).ok_or_else(|| {
                Failure::Usage(format!("--{name} must be {what} of at most {MOST}, not {given}"))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &'static str, value: &str) -> Values {
        Values::new(vec![(name, Some(value.to_owned()))])
    }

    #[test]
    fn numbers_may_be_grouped() {
        for (text, number) in [("0", 0), ("100_000", 100_000), ("1,000", 1_000), ("007", 7)] {
            assert_eq!(given("context", text).tokens("context").unwrap(), Some(number));
        }
        for (text, sentence) in [
            ("large", "--context must be a number of tokens, not large"),
            ("-1", "--context must be a number of tokens, not -1"),
            ("", "--context must be a number of tokens, not "),
            (
                "9007199254740992",
                "--context must be a number of tokens of at most 9007199254740991, not 9007199254740992",
            ),
        ] {
            assert_eq!(given("context", text).tokens("context").unwrap_err().message(), sentence);
        }
    }

    #[test]
    fn sizes_have_units() {
        let of = |text: &str| given("max-memory", text).memory().map_err(|failure| failure.message());
        for (text, bytes) in
            [("500MB", 500_000_000), ("1.5 gb", 1_500_000_000), ("1GiB", 1 << 30), ("64", 64)]
        {
            assert_eq!(of(text), Ok(Some(bytes)), "{text}");
        }
        for text in ["", "0", "-1GB", "lots", "1XB", "infGB"] {
            assert!(of(text).unwrap_err().ends_with(&format!("not {text}")), "{text}");
        }
    }

    #[test]
    fn of_several_values_the_last_counts_unless_all_do() {
        let values = Values::new(vec![("set", Some("a".into())), ("set", Some("b".into())), ("json", None)]);
        assert_eq!((values.text("set"), values.texts("set").count()), (Some("b"), 2));
        assert!(values.has("json") && !values.has("check"));
    }

    #[test]
    fn times_and_threads_have_bounds() {
        assert!(given("timeout", "0").seconds().is_err() && given("timeout", "2147484").seconds().is_err());
        assert_eq!(given("timeout", "5").seconds().unwrap(), Some(5));
        assert_eq!(given("jobs", "0").jobs().unwrap_err().message(), "--jobs must be 1 or more");
        assert!(given("now", "yesterday").now().is_err());
    }
}
