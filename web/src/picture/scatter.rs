//! Points by cost and loss, as a picture.

use super::svg::{Picture, escaped};
use ebbline::numbers::{fraction, grouped};

/// Width and height, in CSS pixels.
const SIZE: (u32, u32) = (640, 300);
/// Free space at the left, right, top and bottom.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 44.0;

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The loss: what grows to the right.
    pub loss: u64,
    /// The cost as a share: what grows upwards.
    pub cost: f64,
    /// Whether no other point is better.
    pub is_best: bool,
    /// A letter or name beside it; may be empty.
    pub label: String,
}

/// The scale of both axes.
#[derive(Clone, Copy, Debug)]
struct Scale {
    most_loss: f64,
    least: f64,
    most: f64,
}

impl Scale {
    fn of(spots: &[Spot]) -> Self {
        let costs = || spots.iter().map(|spot| spot.cost);
        let (least, most) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
        let least = if least.is_finite() { least } else { 0.0 };
        // Room above and below, also for points of one cost.
        let room = ((most - least) * 0.08).max(0.01);
        let most_loss = spots.iter().map(|spot| spot.loss).max().unwrap_or(0).max(1);
        Self { most_loss: most_loss as f64, least: (least - room).max(0.0), most: most + room }
    }

    fn x(self, loss: u64) -> f64 {
        LEFT + 12.0 + loss as f64 / self.most_loss * (f64::from(SIZE.0) - LEFT - RIGHT - 24.0)
    }

    fn y(self, cost: f64) -> f64 {
        let height = f64::from(SIZE.1) - TOP - BOTTOM;
        TOP + (1.0 - (cost - self.least) / (self.most - self.least).max(1e-9)) * height
    }
}

/// The picture, and the place of each spot in thousandths of its width and height.
#[must_use]
pub fn scatter(spots: &[Spot]) -> (Picture, Vec<(u64, u64)>) {
    let scale = Scale::of(spots);
    let (width, height) = (f64::from(SIZE.0), f64::from(SIZE.1));
    let floor = height - BOTTOM;
    let mut body = format!("<path class=\"edge\" d=\"M{LEFT} {TOP}V{floor}H{}\"/>\n", width - RIGHT);
    for step in 0_u8..=4 {
        let cost = scale.least + (scale.most - scale.least) * f64::from(step) / 4.0;
        let y = scale.y(cost);
        body += &format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{} %</text>\n",
            LEFT - 8.0,
            y + 4.0,
            fraction((cost * 1_000.0).round() as u64, 10, 1)
        );
    }
    for loss in [0, scale.most_loss as u64] {
        let x = scale.x(loss);
        body += &format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            floor + 18.0,
            grouped(loss)
        );
    }
    body += &format!(
        "<text class=\"name\" x=\"{LEFT}\" y=\"13\">cost, of the session without compaction</text>\n\
         <text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">outputs that left and are needed again</text>\n",
        width - RIGHT,
        height - 8.0
    );
    let mut best: Vec<&Spot> = spots.iter().filter(|spot| spot.is_best).collect();
    best.sort_by(|one, other| one.loss.cmp(&other.loss).then(other.cost.total_cmp(&one.cost)));
    let line: Vec<String> =
        best.iter().map(|spot| format!("{:.1} {:.1}", scale.x(spot.loss), scale.y(spot.cost))).collect();
    if line.len() > 1 {
        body += &format!("<path class=\"other\" d=\"M{}\"/>\n", line.join("L"));
    }
    let mut places = Vec::with_capacity(spots.len());
    for Spot { loss, cost, is_best, label } in spots {
        let (x, y) = (scale.x(*loss), scale.y(*cost));
        let class = if *is_best { "kept kind-assistant" } else { "pruned kind-tool" };
        body += &format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>\n");
        if !label.is_empty() {
            let (end, offset) = if x > width * 0.75 { ("end", -9.0) } else { ("start", 9.0) };
            body += &format!(
                "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{end}\">{}</text>\n",
                x + offset,
                y + 4.0,
                escaped(label)
            );
        }
        let thousandths = |at: f64, of: f64| (at / of * 1_000.0).clamp(0.0, 1_000.0).round() as u64;
        places.push((thousandths(x, width), thousandths(y, height)));
    }
    let picture = Picture {
        width: SIZE.0,
        height: SIZE.1,
        title: "Cost and loss".to_owned(),
        description: format!(
            "{} policies by what they cost and by how many outputs leave and are needed again; {} of them are beaten by no other.",
            spots.len(),
            best.len()
        ),
        body,
    };
    (picture, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(loss: u64, cost: f64, is_best: bool) -> Spot {
        Spot { loss, cost, is_best, label: "a <b>".to_owned() }
    }

    #[test]
    fn more_loss_is_further_right_and_more_cost_is_higher() {
        let (picture, places) = scatter(&[spot(0, 0.9, true), spot(4, 0.5, true), spot(4, 0.95, false)]);
        assert!(places[0].0 < places[1].0 && places[1].0 == places[2].0);
        assert!(places[2].1 < places[0].1 && places[0].1 < places[1].1);
        assert!(picture.body.contains("a &lt;b&gt;") && !picture.body.contains("NaN"));
    }

    #[test]
    fn one_point_or_none_has_its_place() {
        for spots in [Vec::new(), vec![spot(0, 0.0, true)], vec![spot(0, 1.0, true), spot(0, 1.0, true)]] {
            let (picture, places) = scatter(&spots);
            assert_eq!(places.len(), spots.len());
            assert!(places.iter().all(|(x, y)| *x <= 1_000 && *y <= 1_000));
            assert!(!picture.body.contains("NaN") && !picture.body.contains("inf"));
        }
    }
}
