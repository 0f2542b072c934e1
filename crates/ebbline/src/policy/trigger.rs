//! When the context counts as full.

use std::num::NonZeroU64;

use super::knob::knobs;
use super::{Comparison, Model, unknown};
use crate::words;

words! {
    /// What is compared with the threshold.
    pub enum Measure [non_exhaustive] {
        /// The estimate of every active message. TunaCode.
        Estimate "estimate",
        /// The usage reported with the newest answer that has one, and the estimate of what followed; without any,
        /// the estimate of every message. pi, OpenCode v2, `ebbline@1`.
        Anchored "anchored",
        /// The usage reported with the newest answer alone; without any, summarizing does not fire. OpenCode.
        Reported "reported",
    }

    /// How the model's limits, the reserve and the output cap make the threshold.
    pub enum Limit [non_exhaustive] {
        /// Context window less reserve. pi, TunaCode.
        LessReserve "less_reserve",
        /// Context window less output limit. OpenCode, December 2025.
        LessOutput "less_output",
        /// The input limit; without one, context window less output limit. OpenCode, January 2026.
        InputElseLessOutput "input_else_less_output",
        /// Input limit less reserve; without one, context window less output limit: the reserve has no effect then.
        /// OpenCode since February 2026.
        InputLessReserveElseLessOutput "input_less_reserve_else_less_output",
        /// Context window less the larger of output limit and reserve. OpenCode v2, June 2026.
        LessLarger "less_larger",
        /// The smaller of that and, where there is an input limit, input limit less reserve. OpenCode v2 later,
        /// `ebbline@1`.
        SmallerOfBoth "smaller_of_both",
    }
}

knobs! {
    /// When the context counts as full.
    pub struct TriggerPolicy in trigger {
        /// Whether compaction fires by itself. A forced one (by hand, or after an overflow) runs in any case.
        enabled "enabled": bool,
        /// What is compared with the threshold.
        measure "measure": Measure,
        /// How the threshold is computed from the limits and the reserve.
        limit "limit": Limit,
        /// What is kept free of the context window, in tokens. A negative reserve moves the threshold up by that much, even
        /// beyond the window: pi takes one from its settings, and TunaCode 0.2.3 takes one as an argument of
        /// `should_compact`. TunaCode refuses a negative reserve in its settings; so does [`settings`](crate::settings) where
        /// it reads them.
        reserve "reserve": i64 [Tokens, share],
        /// Whether the reserve is at most the output limit.
        reserve_within_output "reserveWithinOutput": bool,
        /// A cap on the model's output limit, which also replaces an unknown limit; 0 for no cap.
        output_cap "outputCap": u64 [Tokens],
        /// Whether the retention window's `keep` is also subtracted from the threshold, as in TunaCode 0.2.
        less_keep "lessKeep": bool,
        /// The threshold is never below this. In a window smaller than output limit and reserve the systems' own
        /// arithmetic gives 0, and an empty context counts as full.
        floor "floor": u64 [Tokens, share],
        /// The floor applies only where limits and reserve give less than this; 0: wherever they give less than the floor.
        floor_below "floorBelow": u64 [Tokens, share] = default,
        /// Whether a context of exactly the threshold fires.
        fires "fires": Comparison,
    }
}

impl Default for TriggerPolicy {
    /// Compares the estimate with the context window less 16,384 tokens.
    fn default() -> Self {
        Self {
            enabled: true,
            measure: Measure::Estimate,
            limit: Limit::LessReserve,
            reserve: 16_384,
            reserve_within_output: false,
            output_cap: 0,
            less_keep: false,
            floor: 0,
            floor_below: 0,
            fires: Comparison::Above,
        }
    }
}

impl TriggerPolicy {
    /// The number of tokens at which compaction fires: what limits and reserve leave, or `floor` where it applies.
    /// `keep` is the figure of the retention window.
    ///
    /// The rules reproduce pi 0.58.3 to 1.5.2, OpenCode from commit 48dc520f (2025-12-04) to e6c45134
    /// (2026-06-25), OpenCode v2 (`packages/core`, `session/compaction.ts`) at e6c45134 and 031a4a9c,
    /// TunaCode 0.2.3 (`CompactionController.should_compact`), Claude Code 2.1.332, Codex 0.171 and Gemini CLI 0.61.0.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// let threshold = policy.trigger.threshold(policy.model, policy.retain.keep);
    /// assert_eq!(threshold, 200_000 - 16_384);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn threshold(&self, model: Model, keep: u64) -> u64 {
        let left = self.left(model, keep);
        if self.floor_holds(left) { self.floor } else { left }
    }

    /// Whether the threshold is the floor, because limits and reserve leave no more than that, and less than
    /// `floor_below`.
    pub(crate) fn is_at_floor(&self, model: Model, keep: u64) -> bool {
        self.floor_holds(self.left(model, keep))
    }

    fn floor_holds(&self, left: u64) -> bool {
        left <= self.floor && (self.floor_below == 0 || left < self.floor_below)
    }

    /// What limits and reserve leave of the window; never below 0.
    fn left(&self, model: Model, keep: u64) -> u64 {
        let wide = |limit| i128::from(unknown::or_zero(limit));
        let (context, output) = (wide(model.context), wide(self.output_of(model)));
        let input = model.input.map(|input| i128::from(input.get()));
        let reserve = wide_reserve(self.reserve, self.reserve_within_output.then_some(output));
        let larger = context - output.max(reserve);
        let threshold = match self.limit {
            Limit::LessReserve => context - reserve,
            Limit::LessOutput => context - output,
            Limit::InputElseLessOutput => input.unwrap_or(context - output),
            Limit::InputLessReserveElseLessOutput => input.map_or(context - output, |input| input - reserve),
            Limit::LessLarger => larger,
            Limit::SmallerOfBoth => input.map_or(larger, |input| larger.min(input - reserve)),
        };
        let threshold = if self.less_keep { threshold - i128::from(keep) } else { threshold };
        u64::try_from(threshold.max(0)).unwrap_or(u64::MAX)
    }

    /// The output limit that counts, in tokens: the model's, limited by `output_cap`; `None` if there is neither.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// assert!(policy.trigger.output_of(policy.model) <= policy.model.output);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn output_of(&self, model: Model) -> Option<NonZeroU64> {
        match (model.output, NonZeroU64::new(self.output_cap)) {
            (Some(output), Some(cap)) => Some(output.min(cap)),
            (output, cap) => output.or(cap),
        }
    }
}

fn wide_reserve(reserve: i64, output: Option<i128>) -> i128 {
    let reserve = i128::from(reserve);
    output.map_or(reserve, |output| reserve.min(output))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles;

    #[test]
    fn a_threshold_never_falls_below_zero_nor_wraps() {
        let tunacode = profiles::get("tunacode@0.2").unwrap().trigger;
        let threshold = |context| tunacode.threshold(Model::new(context), 20_000);
        assert_eq!(threshold(200_000), 163_616);
        assert_eq!(threshold(36_384), 0);
        assert_eq!(threshold(0), 0);
        let widest = TriggerPolicy { reserve: i64::MIN, ..tunacode };
        assert_eq!(widest.threshold(Model::new(u64::MAX), u64::MAX), 1 << 63);
    }

    #[test]
    fn a_floor_may_apply_only_below_a_figure() {
        let trigger = |floor_below| TriggerPolicy {
            limit: Limit::LessOutput,
            floor: 24_000,
            floor_below,
            ..TriggerPolicy::default()
        };
        for (floor_below, left, expected) in [
            (0, 0, 24_000),
            (0, 23_999, 24_000),
            (0, 24_001, 24_001),
            (8_000, 0, 24_000),
            (8_000, 7_999, 24_000),
            (8_000, 8_000, 8_000),
            (8_000, 24_001, 24_001),
            // A figure above the floor lowers no threshold.
            (30_000, 26_000, 26_000),
            (30_000, 20_000, 24_000),
        ] {
            let model = Model::new(200_000).output(200_000 - left);
            let trigger = trigger(floor_below);
            assert_eq!(trigger.threshold(model, 0), expected, "{floor_below} {left}");
            assert_eq!(trigger.is_at_floor(model, 0), expected == 24_000, "{floor_below} {left}");
        }
    }

    #[test]
    fn each_system_subtracts_something_else() {
        let model = |context, output, input| Model::new(context).output(output).input(input);
        for (profile, model, expected) in [
            ("pi@1.5", model(200_000, 64_000, 0), 183_616),
            ("opencode@2025-12", model(200_000, 64_000, 180_000), 168_000),
            ("opencode@2026-01", model(200_000, 8_000, 0), 192_000),
            ("opencode@2026-01", model(400_000, 128_000, 272_000), 272_000),
            ("opencode@2026-06", model(400_000, 128_000, 272_000), 252_000),
            ("opencode@2026-06", model(400_000, 8_000, 272_000), 264_000),
            ("opencode@2026-06", model(32_000, 32_000, 0), 0),
            ("opencode-v2@2026-06", model(200_000, 8_192, 0), 180_000),
            ("opencode-v2@later", model(400_000, 128_000, 272_000), 252_000),
            ("opencode-v2@later", model(400_000, 0, 0), 368_000),
            ("claude-code@2.1", model(200_000, 64_000, 0), 167_000),
            ("codex@0.171", model(272_000, 128_000, 0), 244_800),
            ("gemini-cli@0.61", model(1_048_576, 65_536, 0), 524_288),
            ("ebbline@1", model(32_000, 32_000, 0), 16_000),
        ] {
            let policy = profiles::get(profile).unwrap();
            let policy = crate::Policy { model, ..policy }.resolved().into_owned();
            assert_eq!(policy.trigger.threshold(model, policy.retain.keep), expected, "{profile} {model:?}");
        }
    }
}
