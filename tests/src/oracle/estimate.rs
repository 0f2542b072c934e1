//! The costs of parts, in tokens.

use ebbline::Transcript;
use ebbline::length::Length;
use ebbline::policy::{CountCalls, Estimator, Rounding, Scope};
use ebbline::transcript::{Part, PartKind};

/// An estimator and the transcript whose parts it weighs.
#[derive(Clone, Copy)]
pub(super) struct Estimate<'t> {
    pub(super) estimator: &'t Estimator,
    pub(super) transcript: &'t Transcript,
}

/// Characters, and the number of texts they come from.
#[derive(Clone, Copy, Default)]
pub(super) struct Weight(u64, u64);

impl Estimate<'_> {
    /// The tokens of one text by itself.
    pub(super) fn text(&self, length: Length) -> u64 {
        self.round(self.in_unit(length))
    }

    /// The tokens of a single part, whatever is beside it.
    pub(super) fn alone(&self, part: &Part) -> u64 {
        self.joined(self.weight(part))
    }

    /// The tokens of each part of a message. If whole messages are rounded, a part gets what it adds to the rounded
    /// sum of the parts before it.
    pub(super) fn parts(&self, weights: &[Weight]) -> Vec<u64> {
        if self.estimator.rounded == Scope::Part {
            return weights.iter().map(|weight| self.joined(*weight)).collect();
        }
        let total = |count: usize| {
            let weights = weights.iter().take(count);
            let Weight(characters, pieces) =
                weights.fold(Weight::default(), |sum, weight| Weight(sum.0 + weight.0, sum.1 + weight.1));
            self.joined(Weight(characters, pieces))
        };
        // A total is never less than that of fewer parts.
        let most = |count: usize| (0..=count).map(total).max().unwrap_or(0);
        (0..weights.len()).map(|at| most(at + 1) - if at == 0 { 0 } else { most(at) }).collect()
    }

    pub(super) fn weight(&self, part: &Part) -> Weight {
        let estimator = self.estimator;
        let native = part.native.filter(|_| estimator.native_notation).map(|native| u64::from(native.get()));
        let length = native.unwrap_or_else(|| self.in_unit(part.length));
        let name = part.tool.and_then(|tool| self.transcript.tool_name(tool)).map(Length::of);
        let characters = match (part.kind, estimator.calls, estimator.image) {
            (PartKind::ToolCall, CountCalls::Nothing, _) => return Weight::default(),
            (PartKind::ToolCall, CountCalls::NameAndArguments, _) => {
                length + name.map_or(0, |name| self.in_unit(name))
            }
            (PartKind::Image, _, Some(fixed)) => u64::from(fixed),
            _ => length,
        };
        Weight(characters, u64::from(part.pieces))
    }

    /// The weight of a text that replaces a part.
    pub(super) fn weight_of_text(&self, length: Length) -> Weight {
        Weight(self.in_unit(length), 1)
    }

    fn joined(&self, Weight(characters, pieces): Weight) -> u64 {
        self.round(characters + pieces.saturating_sub(1) * u64::from(self.estimator.separator))
    }

    fn in_unit(&self, length: Length) -> u64 {
        u64::from(length.in_unit(self.estimator.unit))
    }

    fn round(&self, characters: u64) -> u64 {
        let per_token = u64::from(self.estimator.per_token.max(1));
        let (tokens, rest) = (characters / per_token, characters % per_token);
        let rounds_up = match self.estimator.rounding {
            Rounding::Floor => false,
            // For an odd divisor, the smaller half counts as a half.
            Rounding::Nearest => rest + per_token / 2 >= per_token,
            Rounding::Ceil => rest > 0,
        };
        tokens + u64::from(rounds_up)
    }
}
