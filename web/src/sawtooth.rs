//! The sawtooth: where requests, sizes and compactions of a life stand in a picture of so many pixels.

use crate::life::{Event, Life};
use crate::question::Line;

/// What is left free at both sides, in CSS pixels: half of the thumb of the scrubber below, which stands at the same
/// places.
pub const INSET: f64 = 8.0;

/// The scale of a sawtooth. Requests stand at equal distances, whatever happened between them; behind the last one is a
/// place for the session as its file holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    width: f64,
    requests: usize,
    most: f64,
}

/// A vertical stroke of the line: the largest and the smallest size at one place, in tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The place, in CSS pixels.
    pub x: f64,
    /// What the policy finds.
    pub found: u32,
    /// What is sent.
    pub sent: u32,
}

impl Scale {
    /// The scale of `life` on `width` CSS pixels, with room for another life over it.
    pub fn new(life: &Life, other: Option<&Line>, width: f64) -> Self {
        let other = other.and_then(|other| other.found.iter().max()).copied().unwrap_or(0);
        let most = life.peak().max(life.window.unwrap_or(0)).max(other.into()).max(1);
        Self { width, requests: life.len(), most: most as f64 }
    }

    /// The place of a request; that of the file's end is behind the last request.
    pub fn x(&self, request: u32) -> f64 {
        let share = f64::from(request) / self.requests.max(1) as f64;
        INSET + share.min(1.0) * (self.width - 2.0 * INSET).max(0.0)
    }

    /// The request whose place is nearest to `x`; the number of requests for the end of the file.
    pub fn request_at(&self, x: f64) -> u32 {
        let share = (x - INSET) / (self.width - 2.0 * INSET).max(1.0);
        (share.clamp(0.0, 1.0) * self.requests as f64).round() as u32
    }

    /// The share of the height that `tokens` take, up to 1.
    pub fn height(&self, tokens: f64) -> f64 {
        (tokens / self.most).clamp(0.0, 1.0)
    }

    /// The line of what is found and sent, in tokens by request: a stroke for each request, or for each pixel if there are
    /// more requests than pixels.
    pub fn strokes(&self, found: &[u32], sent: &[u32]) -> Vec<Stroke> {
        let is_dense = self.requests as f64 > self.width;
        let mut strokes: Vec<Stroke> = Vec::new();
        for ((request, found), sent) in (0_u32..).zip(found).zip(sent) {
            let x = self.x(request);
            let x = if is_dense { x.floor() } else { x };
            match strokes.last_mut().filter(|last| is_dense && last.x >= x) {
                Some(last) => {
                    (last.found, last.sent) = (last.found.max(*found), last.sent.min(*sent));
                }
                None => strokes.push(Stroke { x, found: *found, sent: *sent }),
            }
        }
        strokes
    }

    /// The events to draw: where several stand on one pixel, the one that takes out most.
    pub fn events<'e>(&self, events: &'e [Event]) -> Vec<(f64, &'e Event)> {
        let mut drawn: Vec<(f64, &Event)> = Vec::new();
        for event in events {
            let x = self.x(event.request).round();
            let freed = |event: &Event| event.sizes.0.saturating_sub(event.sizes.1);
            match drawn.last_mut().filter(|(last, _)| *last >= x) {
                Some((_, last)) if freed(last) < freed(event) => *last = event,
                Some(_) => {}
                None => drawn.push((x, event)),
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::EventKind;
    use ebbline::replay::Known;

    fn life(sizes: &[(u32, u32)]) -> Life {
        let event = |request: usize, (found, sent): (u32, u32)| Event {
            request: request as u32,
            kind: EventKind::Prune,
            sizes: (u64::from(found), u64::from(sent)),
            outputs: 1,
            messages: 0,
        };
        let events = sizes.iter().enumerate().filter(|(_, (found, sent))| found > sent);
        Life {
            answers: (0..sizes.len() as u32).collect(),
            turns: (0..sizes.len() as u32).map(|at| at / 2).collect(),
            found: sizes.iter().map(|(found, _)| *found).collect(),
            sent: sizes.iter().map(|(_, sent)| *sent).collect(),
            events: events.map(|(at, sizes)| event(at, *sizes)).collect(),
            recorded: Vec::new(),
            window: Some(1_000),
            threshold: Some(850),
            beside: 0,
            known: Known::Whole,
            pruned_before: 0,
        }
    }

    #[test]
    fn a_place_leads_back_to_its_request() {
        let life = life(&[(100, 100), (500, 500), (900, 200), (300, 300)]);
        let scale = Scale::new(&life, None, 416.0);
        assert_eq!([0, 1, 2, 3, 4].map(|request| scale.x(request).round() as u32), [8, 108, 208, 308, 408]);
        for request in 0..=4 {
            assert_eq!(scale.request_at(scale.x(request)), request);
        }
        assert_eq!((scale.request_at(-50.0), scale.request_at(1e9)), (0, 4));
        assert_eq!([500.0, 2_000.0].map(|tokens| (scale.height(tokens) * 100.0).round() as u32), [50, 100]);
    }

    #[test]
    fn the_line_falls_where_something_is_compacted() {
        let life = life(&[(100, 100), (500, 500), (900, 200), (300, 300)]);
        let strokes = Scale::new(&life, None, 416.0).strokes(&life.found, &life.sent);
        assert_eq!(strokes.len(), 4);
        assert_eq!(strokes[2], Stroke { x: 208.0, found: 900, sent: 200 });
    }

    #[test]
    fn more_requests_than_pixels_keep_their_extremes_and_their_events() {
        let mut sizes = vec![(400, 400); 100_000];
        (sizes[31_234], sizes[31_235]) = ((990, 10), (50, 40));
        let life = life(&sizes);
        let scale = Scale::new(&life, None, 500.0);
        let strokes = scale.strokes(&life.found, &life.sent);
        assert!(strokes.len() <= 500 && strokes.windows(2).all(|pair| pair[0].x < pair[1].x));
        assert_eq!(strokes.iter().map(|stroke| stroke.found).max(), Some(990));
        assert_eq!(strokes.iter().map(|stroke| stroke.sent).min(), Some(10));
        let events = scale.events(&life.events);
        assert_eq!((events.len(), events[0].1.request), (1, 31_234));
    }

    #[test]
    fn events_and_turns_follow_each_other() {
        let life = life(&[(100, 100), (900, 200), (300, 300), (950, 100), (200, 200)]);
        assert_eq!(
            (life.next_event(0, true), life.next_event(1, true), life.next_event(3, true)),
            (Some(1), Some(3), None)
        );
        assert_eq!((life.next_event(3, false), life.next_event(1, false)), (Some(1), None));
        assert_eq!([0, 1, 2, 4].map(|at| life.next_turn(at, true)), [2, 2, 4, 4]);
        assert_eq!([4, 3, 2, 0].map(|at| life.next_turn(at, false)), [2, 2, 0, 0]);
        assert_eq!([0, 1, 2, 3, 4].map(|at| life.phase(at)), [(1, 3), (1, 3), (2, 3), (2, 3), (3, 3)]);
        assert_eq!(life.telling(), Some(1));
    }
}
