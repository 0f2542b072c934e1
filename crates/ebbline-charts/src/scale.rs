//! Scales with round figures.

/// An axis that is divided has about so many steps.
const STEPS: f64 = 6.0;
/// Figures that differ by less than this share of themselves count as one.
const SAME: f64 = 1e-9;

/// Round figures in equal steps that cover a range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    from: f64,
    to: f64,
    /// How many digits behind the point tell the figures apart.
    decimals: usize,
    pub(crate) ticks: Vec<f64>,
}

impl Scale {
    /// A scale from the least to the greatest. Without a difference between them it is one step wide.
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
        let ticks: Vec<f64> = (0..=(to - from) as usize).map(|at| (from + at as f64) * step).collect();
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        Self { from: from * step, to: to * step, decimals, ticks }
    }

    /// The share of the way from the first figure to the last at which a figure lies.
    pub(crate) fn share(&self, figure: f64) -> f64 {
        (figure - self.from) / (self.to - self.from)
    }

    /// A figure of the scale in words: `1,200`, `0.15`.
    pub(crate) fn label(&self, figure: f64) -> String {
        let text = format!("{:.*}", self.decimals, figure.abs());
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let sign = if figure < 0.0 { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{}{point}{fraction}", ebbline::numbers::grouped(whole.parse().unwrap_or(u64::MAX)))
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
        for (scale, labels) in [
            (Scale::of(0.0, 100.0), vec!["0", "20", "40", "60", "80", "100"]),
            (Scale::of(46.3, 58.0), vec!["46", "48", "50", "52", "54", "56", "58"]),
            (Scale::of(0.1, 0.3), vec!["0.10", "0.15", "0.20", "0.25", "0.30"]),
            (Scale::of(100.0, 100.0), vec!["100", "101"]),
            (Scale::of(100.0, 100.000_000_000_000_01), vec!["100", "101"]),
            (Scale::of_whole(0.0, 0.0), vec!["0", "1"]),
            (Scale::of_whole(0.0, 3_000.0), vec!["0", "500", "1,000", "1,500", "2,000", "2,500", "3,000"]),
        ] {
            assert_eq!(scale.ticks.iter().map(|tick| scale.label(*tick)).collect::<Vec<_>>(), labels);
            assert_eq!((scale.share(scale.from), scale.share(scale.to)), (0.0, 1.0));
        }
    }
}
