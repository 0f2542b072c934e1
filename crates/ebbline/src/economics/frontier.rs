//! The frontier: the points of a sweep that no other point is better than.
//!
//! What is best depends on what a lost output is worth to somebody, and a replay does not know that. It knows which
//! points are worse than another in every respect.

/// What is compared of a point: in the same window, less of each is better.
///
/// # Example
///
/// ```
/// use ebbline::economics::Merits;
/// let mut merits = Merits::default();
/// (merits.window, merits.cost, merits.loss) = (Some(200_000), 0.9, 3);
/// let mut dearer = merits;
/// dearer.cost = 0.95;
/// assert!(merits.beats(&dearer));
/// assert!(!merits.beats(&merits));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Merits {
    /// The context window, in tokens. It is the model's and nothing that a policy chooses, so points in different
    /// windows do not beat each other.
    pub window: Option<u64>,
    /// The cost, as a share of what the same sessions cost without any compaction. Policies may estimate tokens
    /// differently, so amounts of them are not comparable.
    pub cost: f64,
    /// The outputs that left the context and are needed again.
    pub loss: u64,
    /// The requests that are larger than the window. Where a provider refuses requests, cost and loss describe a life
    /// that nobody has, so a point with more of them is never better than one with fewer.
    pub over_window: u64,
}

impl Merits {
    /// Whether a point is better than another of the same window in one respect and worse in none.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::Merits;
    /// let [mut cheap, mut careful] = [Merits::default(); 2];
    /// (cheap.cost, cheap.loss) = (0.9, 3);
    /// (careful.cost, careful.loss) = (0.95, 1);
    /// assert!(!cheap.beats(&careful) && !careful.beats(&cheap));
    /// ```
    #[must_use]
    pub fn beats(&self, other: &Self) -> bool {
        let is_worse =
            self.cost > other.cost || self.loss > other.loss || self.over_window > other.over_window;
        self.window == other.window && !is_worse && self != other
    }
}

crate::form::reported! {
    /// Where a point stands among the others.
    [Copy, Eq]
    pub struct Standing {
        /// Whether no other point beats it.
        pub on_frontier: bool,
        /// The cheapest point of the frontier that beats it, by its index; `None` on the frontier.
        pub beaten_by: Option<u32>,
    }
}

/// Where each point stands. Points with the same merits are all on the frontier, or none of them is.
///
/// # Example
///
/// ```
/// use ebbline::economics::{Merits, frontier};
/// let merits = |cost, loss| {
///     let mut merits = Merits::default();
///     (merits.cost, merits.loss) = (cost, loss);
///     merits
/// };
/// let standings = frontier(&[merits(0.9, 3), merits(0.95, 1), merits(0.96, 2)]);
/// let beaten: Vec<_> = standings.iter().map(|standing| standing.beaten_by).collect();
/// assert_eq!(beaten, [None, None, Some(1)]);
/// ```
#[must_use]
pub fn frontier(points: &[Merits]) -> Vec<Standing> {
    let is_beaten = |point: &Merits| points.iter().any(|other| other.beats(point));
    let best: Vec<(u32, &Merits)> = (0..).zip(points).filter(|(_, point)| !is_beaten(point)).collect();
    let standing = |point: &Merits| {
        let beating = best.iter().filter(|(_, other)| other.beats(point));
        let beaten_by = beating.min_by(|(_, one), (_, other)| one.cost.total_cmp(&other.cost));
        let beaten_by = beaten_by.map(|(index, _)| *index);
        Standing { on_frontier: beaten_by.is_none(), beaten_by }
    };
    points.iter().map(standing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beaten(points: &[(f64, u64, u64)]) -> Vec<Option<u32>> {
        let merits = |(cost, loss, over_window): &(f64, u64, u64)| Merits {
            cost: *cost,
            loss: *loss,
            over_window: *over_window,
            window: None,
        };
        let standings = frontier(&points.iter().map(merits).collect::<Vec<_>>());
        assert!(standings.iter().all(|standing| standing.on_frontier == standing.beaten_by.is_none()));
        standings.iter().map(|standing| standing.beaten_by).collect()
    }

    #[test]
    fn a_point_is_beaten_by_one_that_is_better_in_one_respect_and_worse_in_none() {
        type Case = (&'static str, &'static [(f64, u64, u64)], &'static [Option<u32>]);
        let cases: &[Case] = &[
            ("no points", &[], &[]),
            ("one point", &[(5.0, 5, 5)], &[None]),
            ("the same twice", &[(5.0, 5, 0), (5.0, 5, 0)], &[None, None]),
            ("each better in one respect", &[(5.0, 1, 0), (4.0, 2, 0), (3.0, 3, 0)], &[None; 3]),
            ("the same loss", &[(5.0, 1, 0), (4.0, 1, 0)], &[Some(1), None]),
            ("the same cost", &[(5.0, 1, 0), (5.0, 2, 0)], &[None, Some(0)]),
            (
                "of two that beat it, the cheaper",
                &[(9.0, 9, 0), (5.0, 1, 0), (4.0, 2, 0)],
                &[Some(2), None, None],
            ),
            (
                "never by one that is beaten itself",
                &[(9.0, 9, 0), (8.0, 8, 0), (7.0, 7, 0)],
                &[Some(2), Some(2), None],
            ),
            ("cheap because nothing fits", &[(1.0, 0, 7), (5.0, 3, 0), (6.0, 3, 0)], &[None, None, Some(1)]),
            ("neither cheap nor sent", &[(5.0, 3, 7), (5.0, 3, 0)], &[Some(1), None]),
        ];
        for (name, points, expected) in cases {
            assert_eq!(beaten(points), *expected, "{name}");
        }
    }

    /// A sequence of numbers that look random.
    fn draws() -> impl FnMut(u64) -> u64 {
        let mut state = 7_u64;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        }
    }

    #[test]
    fn whoever_is_beaten_is_beaten_from_the_frontier() {
        let mut draw = draws();
        for _ in 0..200 {
            let points: Vec<Merits> = (0..draw(40))
                .map(|_| Merits {
                    window: Some(draw(2)),
                    cost: draw(12) as f64,
                    loss: draw(12),
                    over_window: draw(3),
                })
                .collect();
            for (point, standing) in points.iter().zip(frontier(&points)) {
                let beating: Vec<_> = points.iter().filter(|other| other.beats(point)).collect();
                assert_eq!(standing.on_frontier, beating.is_empty());
                let by = standing.beaten_by.map(|by| points[by as usize]);
                assert!(by.is_none_or(|by| by.beats(point) && !points.iter().any(|other| other.beats(&by))));
            }
        }
    }
}
