//! The frontier as a picture.

use super::points::{Frontier, FrontierPoint};
use crate::picture::{Anchor, Drawing, Picture, escaped, short, width_of};
use crate::scale::Scale;

/// Free space at the left, right, top and bottom in CSS pixels.
const LEFT: f64 = 66.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 80.0;
const BOTTOM: f64 = 78.0;

/// Where figures lie.
struct Plane {
    x: Scale,
    y: Scale,
    end: f64,
    base: f64,
}

impl Plane {
    fn place(&self, point: &FrontierPoint) -> (f64, f64) {
        (self.x_of(point.cost), self.y_of(point.loss as f64))
    }

    fn x_of(&self, cost: f64) -> f64 {
        LEFT + self.x.share(cost) * (self.end - LEFT)
    }

    fn y_of(&self, loss: f64) -> f64 {
        self.base - self.y.share(loss) * (self.base - TOP)
    }
}

/// The picture, and the place of each point in thousandths of its width and height.
pub(super) fn picture(frontier: &Frontier, size: (u32, u32)) -> (Picture, Vec<(u64, u64)>) {
    let (width, height) = (f64::from(size.0), f64::from(size.1));
    let (least, most, lost) = frontier.ends();
    let plane = Plane {
        x: Scale::of(least, most),
        y: Scale::of_whole(0.0, lost as f64),
        end: width - RIGHT,
        base: height - BOTTOM,
    };
    let mut drawing = Drawing::default();
    drawing.text("title", (LEFT, 24.0), Anchor::Start, &frontier.title);
    drawing.text("note", (LEFT, 44.0), Anchor::Start, &frontier.about);
    axes(&mut drawing, &plane);
    let line: Vec<(f64, f64)> = frontier.line().into_iter().map(|point| plane.place(point)).collect();
    // Steps, because nothing is known between two points.
    if let [(x, y), rest @ ..] = line.as_slice() {
        let step = |(x, y): &(f64, f64)| format!("H{}V{}", short(*x), short(*y));
        let steps = rest.iter().map(step).collect::<Vec<_>>().concat();
        drawing.path(
            "other",
            &if rest.is_empty() { steps } else { format!("M{} {}{steps}", short(*x), short(*y)) },
        );
    }
    for point in frontier.best_last() {
        mark(&mut drawing, point, plane.place(point));
    }
    labels(&mut drawing, frontier, &line, &plane);
    legend(&mut drawing, frontier, height);
    let told: Vec<&str> = frontier.line().into_iter().map(|point| point.about.as_str()).collect();
    let thousandths = |at: f64, of: f64| (at / of * 1_000.0).clamp(0.0, 1_000.0).round() as u64;
    let places = frontier.points.iter().map(|point| plane.place(point));
    let places = places.map(|(x, y)| (thousandths(x, width), thousandths(y, height))).collect();
    let picture = Picture {
        width: size.0,
        height: size.1,
        title: frontier.title.clone(),
        description: format!(
            "{}. On the frontier, from cheap to careful: {}.",
            frontier.about,
            told.join("; ")
        ),
        body: drawing.body,
    };
    (picture, places)
}

fn axes(drawing: &mut Drawing, plane: &Plane) {
    for tick in &plane.y.ticks {
        let y = plane.y_of(*tick);
        drawing.line("grid", (LEFT, y), (plane.end, y));
        drawing.text("note", (LEFT - 8.0, y + 4.0), Anchor::End, &plane.y.label(*tick));
    }
    for tick in &plane.x.ticks {
        let x = plane.x_of(*tick);
        drawing.line("edge", (x, plane.base), (x, plane.base + 5.0));
        let label = format!("{} %", plane.x.label(*tick));
        drawing.text("note", (x, plane.base + 20.0), Anchor::Middle, &label);
    }
    drawing.line("edge", (LEFT, plane.base), (plane.end, plane.base));
    drawing.text("name", (LEFT - 58.0, TOP - 14.0), Anchor::Start, "outputs needed again");
    drawing.text("name", (plane.end, plane.base + 38.0), Anchor::End, "cost, of what doing nothing costs");
}

/// A disc, or a square where some requests are larger than the window.
fn mark(drawing: &mut Drawing, point: &FrontierPoint, (x, y): (f64, f64)) {
    let (class, size) = if point.is_best { ("best", 6.0) } else { ("beaten", 4.5) };
    let about = escaped(&point.about);
    let (shape, name) = if point.over > 0 {
        let [x, y, width] = [x - size, y - size, 2.0 * size].map(short);
        (format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{width}\""), "rect")
    } else {
        let [x, y, size] = [x, y, size].map(short);
        (format!("cx=\"{x}\" cy=\"{y}\" r=\"{size}\""), "circle")
    };
    drawing.body.push_str(&format!("<{name} class=\"{class}\" {shape}><title>{about}</title></{name}>\n"));
}

/// A place that is taken.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn is_inside(self, plane: &Plane) -> bool {
        let is_across = self.left >= LEFT && self.right <= plane.end;
        is_across && self.top >= TOP - 8.0 && self.bottom <= plane.base
    }

    fn overlaps(self, other: Self) -> bool {
        let is_across = self.left < other.right && other.left < self.right;
        is_across && self.top < other.bottom && other.top < self.bottom
    }
}

/// Labels where there is room for them; where there is none, the title of the mark says what it is.
fn labels(drawing: &mut Drawing, frontier: &Frontier, line: &[(f64, f64)], plane: &Plane) {
    let of_mark = |point: &FrontierPoint| {
        let (x, y) = plane.place(point);
        Area { left: x - 6.0, right: x + 6.0, top: y - 6.0, bottom: y + 6.0 }
    };
    let steps = line.iter().zip(line.iter().skip(1)).flat_map(|((from_x, from_y), (x, y))| {
        [
            Area { left: *from_x, right: *x, top: from_y - 1.0, bottom: from_y + 1.0 },
            Area { left: x - 1.0, right: x + 1.0, top: *from_y, bottom: *y },
        ]
    });
    let mut taken: Vec<Area> = frontier.points.iter().map(of_mark).chain(steps).collect();
    for (point, label) in frontier.labels() {
        let (x, y) = plane.place(point);
        let width = width_of(&label);
        let (left, right) = ((Anchor::End, -width), (Anchor::Start, 0.0));
        let places = [
            (right, x + 10.0, y + 4.0),
            (left, x - 10.0, y + 4.0),
            (right, x + 8.0, y - 12.0),
            (left, x - 8.0, y + 20.0),
            (left, x - 8.0, y - 12.0),
            (right, x + 8.0, y + 20.0),
        ];
        let found = places.into_iter().find_map(|((anchor, from), x, y)| {
            let area = Area { left: x + from, right: x + from + width, top: y - 12.0, bottom: y + 4.0 };
            let is_free = area.is_inside(plane) && !taken.iter().any(|other| area.overlaps(*other));
            is_free.then_some((anchor, x, y, area))
        });
        if let Some((anchor, x, y, area)) = found {
            taken.push(area);
            drawing.text(if point.is_best { "figure" } else { "name" }, (x, y), anchor, &label);
        }
    }
}

fn legend(drawing: &mut Drawing, frontier: &Frontier, height: f64) {
    let point = |is_best: bool, over: u64| FrontierPoint { is_best, over, ..FrontierPoint::default() };
    let mut entries = vec![(point(true, 0), "beaten by no other"), (point(false, 0), "beaten")];
    if frontier.points.iter().any(|point| point.over > 0) {
        entries.push((point(false, 1), "with requests larger than the window"));
    }
    let mut x = LEFT + 6.0;
    for (point, text) in entries {
        mark(drawing, &point, (x, height - 16.0));
        drawing.text("note", (x + 12.0, height - 12.0), Anchor::Start, text);
        x += width_of(text) + 40.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::points::tests::swept;
    use super::*;

    #[test]
    fn more_cost_is_further_right_and_more_loss_is_higher() {
        let (picture, places) = swept().picture((640, 300));
        assert!(places[0].0 < places[2].0 && places[0] == places[1] && places[2].1 > places[0].1);
        assert_eq!(picture.body.matches("<title>about").count(), 5);
        assert!(
            picture.body.contains("about late@1 &lt;b&gt;")
                && picture.body.contains("<rect class=\"beaten\"")
        );
        assert!(picture.body.contains(">lean@1, #1<") && !picture.body.contains("NaN"), "{}", picture.body);
    }

    #[test]
    fn one_point_or_none_has_its_place() {
        let point = FrontierPoint { cost: 100.0, is_best: true, ..FrontierPoint::default() };
        for points in [vec![], vec![point.clone()], vec![point.clone(), point]] {
            let frontier = Frontier { points, ..Frontier::default() };
            let (picture, places) = frontier.picture((640, 300));
            assert_eq!(places.len(), frontier.points.len());
            assert!(places.iter().all(|(x, y)| *x <= 1_000 && *y <= 1_000));
            assert!(!picture.body.contains("NaN") && !picture.body.contains("inf"));
        }
    }
}
