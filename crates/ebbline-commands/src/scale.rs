//! The round figures of an axis.

use crate::decimal::precise;

/// So many steps a scale has at most.
const STEPS: f64 = 6.0;
/// Figures that differ by a smaller share than this are the same: sums of fractions differ by that much.
const SAME: f64 = 1e-9;
/// So many digits have figures without the trace that binary fractions leave.
const DIGITS: usize = 12;

/// A scale that covers figures.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Its first figure.
    pub(crate) from: f64,
    /// Its last figure.
    pub(crate) to: f64,
    /// Its round figures, the first and the last among them.
    pub(crate) ticks: Vec<f64>,
}

impl Scale {
    /// A scale of any figures, from the least to the greatest. Without a difference between them it is one step wide.
    pub(crate) fn of(least: f64, most: f64) -> Self {
        Self::with_step(least, most, step(least, most))
    }

    /// The same with whole numbers alone.
    pub(crate) fn of_whole(least: f64, most: f64) -> Self {
        Self::with_step(least, most, step(least, most).ceil().max(1.0))
    }

    fn with_step(least: f64, most: f64, step: f64) -> Self {
        let from = (least / step).floor();
        let to = (most / step).ceil().max(from + 1.0);
        let count = (to - from) as usize;
        let ticks: Vec<f64> = (0..=count).map(|at| precise((from + at as f64) * step, DIGITS)).collect();
        let ends = (ticks.first().copied(), ticks.last().copied());
        Self { from: ends.0.unwrap_or_default(), to: ends.1.unwrap_or_default(), ticks }
    }

    /// The share of the way from the first figure to the last at which a figure lies.
    pub(crate) fn share(&self, figure: f64) -> f64 {
        (figure - self.from) / (self.to - self.from)
    }
}

/// 1, 2 or 5, and zeros.
fn step(least: f64, most: f64) -> f64 {
    let range = most - least;
    let least = if range > most.abs() * SAME { range / STEPS } else { 1.0 };
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|figure| figure * power);
    steps.into_iter().find(|step| *step >= least).unwrap_or(power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_round_figures_and_covers_what_it_is_of() {
        for (scale, ticks) in [
            (Scale::of(0.0, 100.0), vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0]),
            (Scale::of(46.3, 58.0), vec![46.0, 48.0, 50.0, 52.0, 54.0, 56.0, 58.0]),
            (Scale::of(0.1, 0.3), vec![0.1, 0.15, 0.2, 0.25, 0.3]),
            (Scale::of(100.0, 100.0), vec![100.0, 101.0]),
            (Scale::of(100.0, 100.000_000_000_000_01), vec![100.0, 101.0]),
            (Scale::of_whole(0.0, 0.0), vec![0.0, 1.0]),
            (Scale::of_whole(0.0, 3.0), vec![0.0, 1.0, 2.0, 3.0]),
        ] {
            assert_eq!((scale.from, scale.to), (ticks[0], ticks[ticks.len() - 1]));
            assert_eq!(scale.ticks, ticks);
        }
    }
}
