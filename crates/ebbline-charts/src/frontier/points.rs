//! Policies by what they cost and what they lose.

use std::cmp::Reverse;

/// A policy by its cost and its loss.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontierPoint {
    /// The cost in percent of doing nothing.
    pub cost: f64,
    /// How many outputs left and are needed again.
    pub loss: u64,
    /// Whether no other point is better.
    pub is_best: bool,
    /// How many requests are larger than the window.
    pub over: u64,
    /// What it is called, if it is named beside its mark.
    pub name: Option<String>,
    /// Whether the name says more than the numbers of others at the same place.
    pub is_first: bool,
    /// What there is to know of it.
    pub about: String,
}

/// Points by cost and loss.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frontier {
    /// What it shows, in a few words.
    pub title: String,
    /// What there is to see, in one sentence without a full stop.
    pub about: String,
    /// The points.
    pub points: Vec<FrontierPoint>,
}

/// The points on the line of a frontier; `of` says of each whether no other is better, and how many requests are larger than the window.
pub fn on_line<P>(points: &[P], of: impl Fn(&P) -> (bool, u64)) -> impl Iterator<Item = &P> {
    let least = points.iter().map(|point| of(point).1).min();
    points.iter().filter(move |point| matches!(of(point), (true, over) if Some(over) == least))
}

impl Frontier {
    /// The points of the frontier on which every request could be sent, or as many as anywhere, from cheap to careful.
    #[must_use]
    pub fn line(&self) -> Vec<&FrontierPoint> {
        let mut best: Vec<_> = on_line(&self.points, |point| (point.is_best, point.over)).collect();
        best.sort_by(|one, other| one.cost.total_cmp(&other.cost).then(other.loss.cmp(&one.loss)));
        best
    }

    /// The points with those of the frontier behind the others, which are drawn over them.
    pub(super) fn best_last(&self) -> Vec<&FrontierPoint> {
        let mut points: Vec<&FrontierPoint> = self.points.iter().collect();
        points.sort_by_key(|point| point.is_best);
        points
    }

    /// The least and the greatest cost, and the greatest loss.
    pub(super) fn ends(&self) -> (f64, f64, u64) {
        let costs = || self.points.iter().map(|point| point.cost);
        let (least, most) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
        let lost = self.points.iter().map(|point| point.loss).max().unwrap_or(0);
        (if least.is_finite() { least } else { 0.0 }, most, lost)
    }

    /// What stands beside a point. Points in the same place share a label; labels are in the order of their importance.
    pub(super) fn labels(&self) -> Vec<(&FrontierPoint, String)> {
        let mut places: Vec<(&FrontierPoint, Vec<&FrontierPoint>)> = Vec::new();
        for point in self.points.iter().filter(|point| point.name.is_some()) {
            let is_same = |other: &FrontierPoint| {
                other.cost.to_bits() == point.cost.to_bits() && other.loss == point.loss
            };
            match places.iter_mut().find(|(at, _)| is_same(at)) {
                Some((at, names)) => {
                    names.push(point);
                    *at = if at.is_best { at } else { point };
                }
                None => places.push((point, vec![point])),
            }
        }
        let label = |(at, mut names): (_, Vec<&FrontierPoint>)| {
            names.sort_by_key(|point| Reverse(point.is_first));
            let names: Vec<&str> = names.iter().filter_map(|point| point.name.as_deref()).collect();
            match names.as_slice() {
                [first, _, _, ..] => (at, format!("{first} and {} more", names.len() - 1)),
                names => (at, names.join(", ")),
            }
        };
        let mut labels: Vec<(&FrontierPoint, String)> = places.into_iter().map(label).collect();
        labels.sort_by_key(|(point, _)| Reverse(point.is_best));
        labels
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Five policies, two of them in one place, one with requests over the window.
    pub(in crate::frontier) fn swept() -> Frontier {
        let point = |cost: f64, loss: u64, is_best: bool, name: &str| FrontierPoint {
            cost,
            loss,
            is_best,
            name: (!name.is_empty()).then(|| name.to_owned()),
            is_first: !name.starts_with('#'),
            about: format!("about {name} <b>"),
            over: 0,
        };
        let points = vec![
            point(46.0, 12, true, "#1"),
            point(46.0, 12, true, "lean@1"),
            point(58.5, 3, true, "careful@1"),
            point(70.0, 9, false, ""),
            FrontierPoint { over: 2, ..point(99.5, 30, false, "late@1") },
        ];
        Frontier { title: "Cost against loss".to_owned(), about: "5 points".to_owned(), points }
    }

    #[test]
    fn the_line_goes_from_cheap_to_careful_and_labels_share_places() {
        let frontier = swept();
        assert_eq!(frontier.line().iter().map(|point| point.loss).collect::<Vec<_>>(), [12, 12, 3]);
        let labels: Vec<String> = frontier.labels().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["lean@1, #1", "careful@1", "late@1"]);
        assert_eq!(frontier.ends(), (46.0, 99.5, 30));
    }
}
