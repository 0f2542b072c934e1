//! The sawtooth: how large the context is at each request of a session's life, against the window and the size at which
//! compaction fires.

mod cells;
mod life;

pub use life::{Event, Life, Point};

use ebbline::numbers::{counted, grouped, short};

use crate::cells::Line;
use crate::picture::{Anchor, Drawing, Picture, pair};
use crate::scale::Scale;

/// The space above the plot for the label of the window.
const LABEL: f64 = 14.0;
/// The space above that for the marks of a life's events.
const MARKS: f64 = 11.0;
/// Where a line of text stands below the plot.
const FOOT: f64 = 20.0;
/// A picture inside a text, and one that is a file of its own.
const SMALL: Frame = Frame { top: 0.0, left: 0.0, plot: 150.0 };
const LARGE: Frame = Frame { top: 62.0, left: 84.0, plot: 400.0 };
/// The width of a file in CSS pixels.
const FILE: u32 = 960;

/// A picture of one life, or of two over each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sawtooth {
    /// What it shows, in a few words.
    pub title: String,
    /// The life that is filled, with its name.
    pub life: (String, Life),
    /// Another one, drawn as a dashed line, with its name.
    pub other: Option<(String, Life)>,
    /// The window in tokens; 0 if it is not known.
    pub window: u64,
    /// The size in tokens at which compaction fires; 0 for none.
    pub fires: u64,
}

/// The room of a plot in CSS pixels: what is free above it and left of it, and its height.
#[derive(Clone, Copy)]
struct Frame {
    top: f64,
    left: f64,
    plot: f64,
}

/// Converts requests and tokens to CSS pixels.
#[derive(Clone, Copy)]
struct Plane {
    frame: Frame,
    step: f64,
    most: u64,
    /// Where the plot begins.
    head: f64,
    wide: f64,
}

impl Plane {
    fn x(self, request: usize) -> f64 {
        self.frame.left + request as f64 * self.step
    }

    fn y(self, tokens: u64) -> f64 {
        self.head + self.frame.plot - tokens as f64 / self.most as f64 * self.frame.plot
    }

    fn bottom(self) -> f64 {
        self.head + self.frame.plot
    }

    /// The line of a life: up to what there was, and down to what was sent. Of requests that share a pixel, the largest and the
    /// smallest are drawn.
    fn line(self, life: &[Point]) -> Vec<(f64, f64)> {
        let shared = (1.0 / self.step.max(1e-9)).floor().max(1.0) as usize;
        let mut places = Vec::new();
        for (group, points) in life.chunks(shared).enumerate() {
            let of = |at: usize, tokens: u64| (self.x(group * shared + at), self.y(tokens));
            let most = |point: &Point| point.before.max(point.sent);
            let high = (0..).zip(points).max_by_key(|(at, point)| (most(point), std::cmp::Reverse(*at)));
            let low = (0..).zip(points).min_by_key(|(at, point)| (point.sent, *at));
            let (Some((high, highest)), Some((low, lowest))) = (high, low) else { continue };
            let (high, low) = (of(high, most(highest)), of(low, lowest.sent));
            places.extend(if high.0 <= low.0 { [high, low] } else { [low, high] });
        }
        places.dedup();
        places
    }
}

impl Sawtooth {
    /// The picture, `width` CSS pixels wide.
    #[must_use]
    pub fn picture(&self, width: u32) -> Picture {
        self.drawn(width, SMALL, |_, _| {})
    }

    /// The picture as a page of its own: under its title stands `about`, and at its side how many tokens there are.
    #[must_use]
    pub fn chart(&self, about: &str) -> Picture {
        let picture = self.drawn(FILE, LARGE, |drawing, plane| {
            drawing.text("title", (plane.frame.left, 26.0), Anchor::Start, &self.title);
            drawing.text("note", (plane.frame.left, 46.0), Anchor::Start, about);
            let scale = Scale::of_whole(0.0, plane.most as f64);
            for tick in scale.ticks.iter().filter(|tick| **tick <= plane.most as f64) {
                let y = plane.y(*tick as u64);
                drawing.line("grid", (plane.frame.left, y), (plane.wide, y));
                drawing.text("note", (plane.frame.left - 8.0, y + 4.0), Anchor::End, &scale.label(*tick));
            }
            let mut x = plane.frame.left + 120.0;
            for (event, words) in [(Event::Prune, "outputs pruned"), (Event::Summary, "summary made")] {
                mark(drawing, ("event", event), (x, plane.bottom() + FOOT - 12.0));
                drawing.text("note", (x + 9.0, plane.bottom() + FOOT - 4.0), Anchor::Start, words);
                x += 130.0;
            }
        });
        Picture { description: format!("{about}. {}", picture.description), ..picture }
    }

    /// The lines of a terminal with so many columns.
    #[must_use]
    pub fn cells(&self, width: usize) -> Vec<Line> {
        cells::cells(&self.life.1, width)
    }

    fn drawn(&self, width: u32, frame: Frame, ground: impl FnOnce(&mut Drawing, Plane)) -> Picture {
        let mut drawing = Drawing::default();
        let wide = f64::from(width);
        let lives = || [Some(&self.life), self.other.as_ref()].into_iter().flatten().map(|(_, life)| life);
        let requests = lives().map(Vec::len).max().unwrap_or(0);
        let highest = lives().flatten().map(|point| point.before.max(point.sent)).max().unwrap_or(0);
        let plane = Plane {
            frame,
            step: (wide - frame.left) / requests.saturating_sub(1).max(1) as f64,
            most: highest.max(self.window).max(1),
            head: frame.top + LABEL + MARKS * lives().count() as f64,
            wide,
        };
        ground(&mut drawing, plane);
        let line = plane.line(&self.life.1);
        let bottom = plane.bottom();
        if let (Some(first), Some(last)) = (line.first(), line.last()) {
            let area = [&[(first.0, bottom)], line.as_slice(), &[(last.0, bottom)]].concat();
            drawing.path("area", &(steps(&area) + "Z"));
            for over in above(&line, plane.y(self.window)).iter().filter(|_| self.window > 0) {
                drawing.path("over", &(steps(over) + "Z"));
            }
        }
        if let Some((_, life)) = &self.other {
            drawing.path("other", &steps(&plane.line(life)));
        }
        drawing.path("curve", &steps(&line));
        self.limits(&mut drawing, plane);
        for (row, (class, life)) in ["event", "event of-other"].into_iter().zip(lives()).enumerate() {
            let mut last = (f64::NEG_INFINITY, None);
            for (request, point) in life.iter().enumerate() {
                let x = plane.x(request).clamp(frame.left + 4.0, (wide - 4.0).max(frame.left + 4.0));
                // Of marks that share a pixel, one of each kind is drawn.
                if let Some(event) = point.event.filter(|event| x - last.0 >= 1.0 || last.1 != Some(*event)) {
                    last = (x, Some(event));
                    mark(&mut drawing, (class, event), (x, frame.top + row as f64 * MARKS));
                }
            }
        }
        drawing.line("edge", (frame.left, bottom + 0.5), (wide, bottom + 0.5));
        drawing.text("note", (frame.left, bottom + FOOT - 4.0), Anchor::Start, "request 1");
        drawing.text("note", (wide, bottom + FOOT - 4.0), Anchor::End, &format!("request {requests}"));
        Picture {
            width,
            height: (bottom + FOOT).ceil() as u32,
            title: self.title.clone(),
            description: self.description(),
            body: drawing.body,
        }
    }

    /// The lines of the window and of the size at which compaction fires. They are close to each other: their labels stand
    /// at opposite ends.
    fn limits(&self, drawing: &mut Drawing, plane: Plane) {
        let (left, wide) = (plane.frame.left, plane.wide);
        if self.window > 0 {
            let y = plane.y(self.window);
            drawing.line("limit", (left, y), (wide, y));
            drawing.text("name", (left, y - 5.0), Anchor::Start, &format!("window {}", short(self.window)));
        }
        if self.fires > 0 {
            let y = plane.y(self.fires);
            drawing.line("fires", (left, y), (wide, y));
            // Above the plot: near its line it would lie on the curve, which comes up to it again and again.
            let words = format!("- - compaction fires at {}", short(self.fires));
            drawing.text("note", (wide, plane.head - 5.0), Anchor::End, &words);
        }
    }

    fn description(&self) -> String {
        let mut sentences = Vec::new();
        if self.window > 0 {
            sentences.push(format!("The window holds {} tokens.", grouped(self.window)));
        }
        if self.fires > 0 {
            sentences.push(format!("Compaction fires at {}.", grouped(self.fires)));
        }
        for (name, life) in [Some(&self.life), self.other.as_ref()].into_iter().flatten() {
            let events = |wanted| life.iter().filter(|point| point.event == Some(wanted)).count() as u64;
            let summaries = match events(Event::Summary) {
                1 => "1 summary".to_owned(),
                count => format!("{count} summaries"),
            };
            let over = life.iter().position(|point| point.sent > self.window);
            let over = match over {
                _ if self.window == 0 => String::new(),
                None => ", never more than the window".to_owned(),
                Some(request) => format!(", more than the window from request {}", request + 1),
            };
            sentences.push(format!(
                "{name}: {}, at most {} tokens{over}, {}, {summaries}.",
                counted(life.len() as u64, "request"),
                grouped(life.iter().map(|point| point.sent).max().unwrap_or(0)),
                counted(events(Event::Prune), "prune"),
            ));
        }
        sentences.join(" ")
    }
}

/// A mark above the plot: a square for a prune, a triangle for a summary.
fn mark(drawing: &mut Drawing, (class, event): (&str, Event), (x, y): (f64, f64)) {
    match event {
        Event::Prune => drawing.rect(&format!("{class} prune"), (x - 3.0, y + 1.5), (6.0, 6.0)),
        Event::Summary => {
            let corners = [(x - 4.0, y + 1.0), (x + 4.0, y + 1.0), (x, y + 8.5)];
            drawing.path(&format!("{class} summary"), &(steps(&corners) + "Z"));
        }
    }
}

fn steps(places: &[(f64, f64)]) -> String {
    let joined: Vec<String> = places.iter().copied().map(pair).collect();
    if joined.is_empty() { String::new() } else { format!("M{}", joined.join("L")) }
}

/// The areas between a line and a level where the line is above it (y grows downwards).
fn above(line: &[(f64, f64)], level: f64) -> Vec<Vec<(f64, f64)>> {
    let mut areas = Vec::new();
    let mut area: Vec<(f64, f64)> = Vec::new();
    let mut last: Option<(f64, f64)> = None;
    for &(x, y) in line {
        if let Some((from_x, from_y)) = last
            && (from_y < level) != (y < level)
        {
            let share = (level - from_y) / (y - from_y);
            area.push((from_x + (x - from_x) * share, level));
        }
        if y < level {
            if area.is_empty() {
                area.push((x, level));
            }
            area.push((x, y));
        } else if !area.is_empty() {
            areas.push(std::mem::take(&mut area));
        }
        last = Some((x, y));
    }
    if let (Some((x, _)), false) = (last, area.is_empty()) {
        area.push((x, level));
        areas.push(area);
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(points: &[(u64, u64, Option<Event>)]) -> Life {
        points.iter().map(|&(before, sent, event)| Point { before, sent, event }).collect()
    }

    #[test]
    fn each_request_stands_where_its_tokens_are() {
        let points = [(50, 50, None), (90, 90, None), (110, 20, Some(Event::Prune)), (60, 60, None)];
        let saw = Sawtooth {
            title: "t".to_owned(),
            life: ("this".to_owned(), life(&points)),
            window: 150,
            fires: 100,
            ..Sawtooth::default()
        };
        let picture = saw.picture(300);
        // A token is a pixel, and a request 100.
        assert!(
            picture.body.contains("class=\"curve\" d=\"M0,125L100,85L200,65L200,155L300,115\""),
            "{}",
            picture.body
        );
        assert!(picture.body.contains("class=\"limit\" d=\"M0,25L300,25\""), "{}", picture.body);
        assert!(picture.body.contains("class=\"fires\" d=\"M0,75L300,75\""), "{}", picture.body);
        assert!(picture.body.contains("class=\"event prune\" x=\"197\""), "{}", picture.body);
        assert!(!picture.body.contains("class=\"over\""));
        assert_eq!(
            picture.description,
            "The window holds 150 tokens. Compaction fires at 100. this: 4 requests, at most 90 tokens, never more than the \
             window, 1 prune, 0 summaries."
        );
    }

    #[test]
    fn what_is_above_the_window_is_an_area_of_its_own() {
        for (line, areas) in [
            (vec![(0.0, 50.0), (10.0, 40.0)], vec![]),
            (vec![(0.0, 50.0), (10.0, 10.0)], vec![vec![(5.0, 30.0), (10.0, 10.0), (10.0, 30.0)]]),
            (
                vec![(0.0, 10.0), (10.0, 50.0), (20.0, 10.0)],
                vec![
                    vec![(0.0, 30.0), (0.0, 10.0), (5.0, 30.0)],
                    vec![(15.0, 30.0), (20.0, 10.0), (20.0, 30.0)],
                ],
            ),
        ] {
            assert_eq!(above(&line, 30.0), areas, "{line:?}");
        }
    }

    #[test]
    fn two_lives_share_their_axes() {
        let saw = Sawtooth {
            life: ("a".to_owned(), life(&[(10, 10, None), (20, 5, Some(Event::Summary))])),
            other: Some(("b".to_owned(), life(&[(10, 10, None), (20, 20, None), (300, 300, None)]))),
            window: 100,
            ..Sawtooth::default()
        };
        let picture = saw.picture(200);
        assert!(picture.body.contains("class=\"other\" d=\"M0,181L100,176L200,36\""), "{}", picture.body);
        assert!(picture.description.ends_with("b: 3 requests, at most 300 tokens, more than the window from request 3, 0 prunes, 0 summaries."), "{}", picture.description);
        assert!(picture.body.contains("class=\"event summary\" d=\"M96,1L104,1L100,8.5Z\""));
        assert!(Sawtooth::default().picture(0).body.contains("request 0"));
    }

    #[test]
    fn more_requests_than_pixels_keep_their_extremes() {
        let mut points = vec![(400, 400, None); 100_000];
        (points[31_234], points[31_235]) = ((990, 10, Some(Event::Prune)), (50, 40, Some(Event::Prune)));
        let saw = Sawtooth { life: ("a".to_owned(), life(&points)), window: 1_000, ..Sawtooth::default() };
        let chart = saw.chart("100,000 requests");
        assert!(chart.body.len() < 60_000, "{}", chart.body.len());
        let plane = Plane { frame: SMALL, step: 0.005, most: 1_000, head: 0.0, wide: 500.0 };
        let line = plane.line(&saw.life.1);
        let ends =
            line.iter().fold((150.0_f64, 0.0_f64), |(least, most), (_, y)| (least.min(*y), most.max(*y)));
        assert_eq!(ends, (1.5, 148.5));
    }
}
