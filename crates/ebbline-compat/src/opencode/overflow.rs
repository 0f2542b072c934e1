//! When the context is full: the room for input, and the threshold test.

use ebbline::json::Value;

use super::message::{flag, number_of, to_number};
use super::version::Version;

/// The output limit of every answer, unless the environment sets another.
const OUTPUT_MAX: f64 = 32_000.0;

/// How many tokens are kept free below an input limit.
const RESERVE: f64 = 20_000.0;

/// A model's limits in tokens. A missing limit is NaN, as in the system's own arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Input and output together; 0 if the window is unknown.
    pub context: f64,
    /// Input alone; 0 or NaN if there is no such limit.
    pub input: f64,
    /// One answer.
    pub output: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { context: f64::NAN, input: f64::NAN, output: f64::NAN }
    }
}

impl Limits {
    /// The limits in a model's `limit`.
    #[must_use]
    pub fn of_model(model: Option<Value<'_>>) -> Self {
        let limit = model.and_then(|model| model.get("limit"));
        let of = |key| limit.map_or(f64::NAN, |limit| number_of(limit, key));
        Self { context: of("context"), input: of("input"), output: of("output") }
    }

    fn has_input(self) -> bool {
        self.input != 0.0 && !self.input.is_nan()
    }
}

/// The configuration's compaction settings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// Whether a full context is compacted automatically.
    pub auto: bool,
    /// Whether old outputs are pruned; `None` for the version's default.
    pub prune: Option<bool>,
    /// Tokens kept free below an input limit.
    pub reserved: Option<f64>,
    /// How many of the newest turns may be kept word for word.
    pub tail_turns: Option<f64>,
    /// How many tokens these turns may have.
    pub preserve_recent_tokens: Option<f64>,
}

impl Default for Config {
    fn default() -> Self {
        Self { auto: true, prune: None, reserved: None, tail_turns: None, preserve_recent_tokens: None }
    }
}

impl Config {
    /// The settings in a configuration's `compaction`.
    #[must_use]
    pub fn of(config: Option<Value<'_>>) -> Self {
        let Some(compaction) = config.and_then(|config| config.present("compaction")) else {
            return Self::default();
        };
        let number = |key| compaction.present(key).map(to_number);
        let is_false = |key| compaction.get(key).is_some_and(|value| value.source() == "false");
        Self {
            auto: !is_false("auto"),
            prune: if is_false("prune") {
                Some(false)
            } else {
                Some(true).filter(|_| flag(compaction, "prune"))
            },
            reserved: number("reserved"),
            tail_turns: number("tail_turns"),
            preserve_recent_tokens: number("preserve_recent_tokens"),
        }
    }
}

/// The tokens that the newest answer reported; missing ones are NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// The provider's own sum, when it gives one.
    pub total: f64,
    /// Input that did not come from the cache.
    pub input: f64,
    /// The answer.
    pub output: f64,
    /// Input read from the cache.
    pub cache_read: f64,
    /// Input written to the cache.
    pub cache_write: f64,
}

impl Usage {
    /// The usage in an assistant's `tokens`.
    #[must_use]
    pub fn of(tokens: Value<'_>) -> Self {
        let cache = |key| tokens.get("cache").map_or(f64::NAN, |cache| number_of(cache, key));
        Self {
            total: number_of(tokens, "total"),
            input: number_of(tokens, "input"),
            output: number_of(tokens, "output"),
            cache_read: cache("read"),
            cache_write: cache("write"),
        }
    }

    fn count(self, version: Version) -> f64 {
        let with_reads = self.input + self.output + self.cache_read;
        match version.keeps_reserve() {
            false => with_reads,
            true if self.total != 0.0 && !self.total.is_nan() => self.total,
            true => with_reads + self.cache_write,
        }
    }
}

/// How many tokens the input may have; NaN if a required limit is missing.
///
/// `output_max` is the limit of an answer; 32,000 if it is `None`. Until January 2026, 0 counts as not set; in June
/// it is used. The system's own check while an answer is streamed never sets it.
///
/// A reserve has no effect without an input limit, and a window no larger than the output leaves no room: with such
/// limits every answer is followed by a compaction. Both are the system's own behavior.
///
/// Source: `SessionCompaction.isOverflow` of each version's commit; `usable` in June 2026.
#[must_use]
pub fn usable(limits: Limits, config: Config, output_max: Option<f64>, version: Version) -> f64 {
    let output = longest_answer(limits.output, output_max, version);
    if !version.keeps_reserve() {
        let whole = limits.context - output;
        return if version.knows_input_limit() && limits.has_input() { limits.input } else { whole };
    }
    if limits.context == 0.0 {
        return 0.0;
    }
    let reserved = config.reserved.unwrap_or_else(|| smaller(RESERVE, output));
    let room = if limits.has_input() { limits.input - reserved } else { limits.context - output };
    larger(0.0, room)
}

/// Whether a context with this usage must be compacted now.
///
/// # Example
///
/// ```
/// use ebbline_compat::opencode::{Config, Limits, Usage, Version, is_overflow};
/// let mut limits = Limits::default();
/// (limits.context, limits.input, limits.output) = (200_000.0, 0.0, 32_000.0);
/// let usage = Usage { total: 0.0, input: 168_000.0, output: 0.0, cache_read: 0.0, cache_write: 0.0 };
/// assert!(is_overflow(usage, limits, Config::default(), None, Version::V2026_06));
/// assert!(!is_overflow(usage, limits, Config::default(), None, Version::V2026_01));
/// ```
#[must_use]
pub fn is_overflow(
    usage: Usage,
    limits: Limits,
    config: Config,
    output_max: Option<f64>,
    version: Version,
) -> bool {
    if !config.auto || limits.context == 0.0 {
        return false;
    }
    let (count, usable) = (usage.count(version), usable(limits, config, output_max, version));
    if version.keeps_reserve() { count >= usable } else { count > usable }
}

fn longest_answer(output: f64, output_max: Option<f64>, version: Version) -> f64 {
    let is_set = |max: &f64| version.keeps_reserve() || (*max != 0.0 && !max.is_nan());
    let max = output_max.filter(is_set).unwrap_or(OUTPUT_MAX);
    let least = smaller(output, max);
    if least == 0.0 || least.is_nan() { max } else { least }
}

/// JavaScript's `Math.min`; unlike Rust's, it returns NaN if an argument is NaN.
pub(super) fn smaller(one: f64, other: f64) -> f64 {
    if one.is_nan() || other.is_nan() { f64::NAN } else { one.min(other) }
}

/// JavaScript's `Math.max`.
pub(super) fn larger(one: f64, other: f64) -> f64 {
    if one.is_nan() || other.is_nan() { f64::NAN } else { one.max(other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Version::{V2025_12, V2026_01, V2026_06};

    fn limits(context: f64, input: f64, output: f64) -> Limits {
        Limits { context, input, output }
    }

    fn room(limits: Limits, output_max: Option<f64>) -> [f64; 3] {
        Version::ALL.map(|version| usable(limits, Config::default(), output_max, version))
    }

    #[test]
    fn the_room_depends_on_limits_and_version() {
        let none = f64::NAN;
        let cases = [
            (limits(128_000.0, none, 8_000.0), None, [120_000.0, 120_000.0, 120_000.0]),
            (limits(128_000.0, 100_000.0, 8_000.0), None, [120_000.0, 100_000.0, 92_000.0]),
            (limits(128_000.0, 100_000.0, 64_000.0), None, [96_000.0, 100_000.0, 80_000.0]),
            (limits(8_000.0, none, 16_000.0), None, [-8_000.0, -8_000.0, 0.0]),
            (limits(100_000.0, none, none), None, [68_000.0, 68_000.0, 68_000.0]),
            (limits(100_000.0, none, 9_000.0), Some(0.0), [91_000.0, 91_000.0, 100_000.0]),
            (limits(100_000.0, none, 9_000.0), Some(-5.0), [100_005.0, 100_005.0, 100_005.0]),
        ];
        for (limits, output_max, expected) in cases {
            let equal = room(limits, output_max)
                .iter()
                .zip(expected)
                .all(|(ours, wanted)| (ours - wanted).abs() < 0.5);
            assert!(equal, "{limits:?}: {:?}", room(limits, output_max));
        }
        assert!(room(limits(none, none, none), None).iter().all(|room| room.is_nan()));
    }

    #[test]
    fn the_threshold_counts_and_compares_by_version() {
        let usage = Usage { total: f64::NAN, input: 60.0, output: 20.0, cache_read: 10.0, cache_write: 10.0 };
        let at = |context: f64, usage, version| {
            is_overflow(usage, limits(context, 0.0, 10.0), Config::default(), None, version)
        };
        assert_eq!(
            [V2025_12, V2026_01, V2026_06].map(|version| at(100.0, usage, version)),
            [false, false, true]
        );
        assert!(at(99.0, usage, V2026_01));
        let reported = Usage { total: 89.0, ..usage };
        assert!(!at(100.0, reported, V2026_06), "the provider's own sum counts");
        let off = Config { auto: false, ..Config::default() };
        assert!(!is_overflow(usage, limits(1.0, 0.0, 1.0), off, None, V2026_06));
        assert!(!at(0.0, usage, V2026_06), "a window that is not known is never full");
    }
}
