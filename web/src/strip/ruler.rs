//! Rulers convert between positions on the strip and values of the knobs that decide at its edges.
//!
//! The strip's axis is tokens of the context before anything is pruned or summarized. What protects outputs counts
//! only tool output, the window of the newest counts everything after pruning, and some knobs count outputs or turns; all
//! count from the newest end.

use crate::drawn_plan::Segments;
use crate::kind::Kind;
use crate::knob::Knob;

/// What a ruler counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Tool output that the protection boundary counts.
    Outputs,
    /// All tool output: what gives way when the context has to become smaller.
    AllOutputs,
    /// Everything, after pruning.
    Everything,
    /// Messages of one kind.
    Number(Kind),
}

impl Weight {
    /// What `knob` counts.
    pub fn of(knob: Knob) -> Self {
        match knob {
            Knob::Protect => Self::Outputs,
            Knob::DownTo => Self::AllOutputs,
            Knob::KeepOutputs => Self::Number(Kind::Tool),
            Knob::Turns | Knob::KeepTurns => Self::Number(Kind::User),
            _ => Self::Everything,
        }
    }
}

/// A ruler over the segments of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Ruler<'s> {
    segments: &'s Segments,
    weight: Weight,
}

impl<'s> Ruler<'s> {
    /// A ruler that counts by `weight`.
    pub fn new(segments: &'s Segments, weight: Weight) -> Self {
        Self { segments, weight }
    }

    /// The segments from the newest to the oldest: message, length on the axis, weight.
    fn newest_first(&self) -> impl Iterator<Item = (u32, u64, u64)> + use<'s> {
        let Self { segments, weight } = *self;
        let columns =
            segments.before.iter().zip(&segments.pruned).zip(segments.counted.iter().zip(&segments.kind));
        columns.zip(&segments.message).rev().map(move |(((before, pruned), (counted, kind)), message)| {
            let weight = match weight {
                Weight::Outputs => u64::from(*before) * u64::from(*counted),
                Weight::AllOutputs => u64::from(*before) * u64::from(*kind == Kind::Tool as u8),
                Weight::Everything => u64::from(*pruned),
                Weight::Number(of) => u64::from(*kind == of as u8),
            };
            (*message, u64::from(*before), weight)
        })
    }

    /// The length of the axis: all tokens before.
    pub fn length(&self) -> u64 {
        self.segments.before.iter().map(|tokens| u64::from(*tokens)).sum()
    }

    /// The weight of all segments.
    pub fn total(&self) -> u64 {
        self.newest_first().map(|(_, _, weight)| weight).sum()
    }

    /// The weight between `place` on the axis and the newest end.
    pub fn value_at(&self, place: f64) -> u64 {
        let mut at = self.length() as f64;
        let mut value = 0.0;
        for (_, length, weight) in self.newest_first() {
            let start = at - length as f64;
            if start <= place {
                let share = if length == 0 { 0.0 } else { ((at - place) / length as f64).clamp(0.0, 1.0) };
                return (value + share * weight as f64).round() as u64;
            }
            value += weight as f64;
            at = start;
        }
        value.round() as u64
    }

    /// The new value of a boundary that is dragged from one place on the axis to another: it changes by the weight
    /// between the two places, wherever the boundary is.
    pub fn dragged(&self, value: u64, from: f64, to: f64) -> u64 {
        let (from, to) = (self.value_at(from), self.value_at(to));
        value.saturating_add(to).saturating_sub(from)
    }

    /// The place on the axis at which `value` is reached, counted from the newest end; 0 if it never is.
    pub fn place_of(&self, value: u64) -> f64 {
        let mut at = self.length() as f64;
        let mut left = value;
        for (_, length, weight) in self.newest_first() {
            if weight > 0 && left <= weight {
                return (at - length as f64 * (left as f64 / weight as f64)).max(0.0);
            }
            left = left.saturating_sub(weight);
            at -= length as f64;
        }
        0.0
    }

    /// The next larger (`more`) or smaller value at which the boundary is at the edge of a message.
    pub fn next_edge(&self, value: u64, more: bool) -> u64 {
        let mut sum = 0;
        let mut below = 0;
        let mut segments = self.newest_first().peekable();
        while let Some((message, _, weight)) = segments.next() {
            sum += weight;
            if segments.peek().is_some_and(|(next, ..)| *next == message) {
                continue;
            }
            if more && sum > value {
                return sum;
            }
            if !more && sum >= value {
                return below;
            }
            below = sum;
        }
        if more { sum.max(value) } else { below }
    }

    /// The place on the axis where message `message` begins.
    pub fn start_of(&self, message: usize) -> u64 {
        let columns = self.segments.message.iter().zip(&self.segments.before);
        columns.take_while(|(of, _)| (**of as usize) < message).map(|(_, tokens)| u64::from(*tokens)).sum()
    }

    /// The message at `place` on the axis.
    pub fn message_at(&self, place: f64) -> Option<u32> {
        let mut end = 0;
        for (message, tokens) in self.segments.message.iter().zip(&self.segments.before) {
            end += u64::from(*tokens);
            if place < end as f64 {
                return Some(*message);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four messages: words, output, words, output; the first output would be pruned to 10.
    fn segments() -> Segments {
        Segments {
            message: vec![0, 1, 2, 3],
            kind: vec![1, 3, 2, 3],
            fate: vec![0, 1, 0, 0],
            counted: vec![0, 1, 0, 1],
            before: vec![100, 400, 200, 300],
            pruned: vec![100, 10, 200, 300],
            after: vec![100, 10, 200, 300],
        }
    }

    #[test]
    fn protection_counts_outputs_only() {
        let segments = segments();
        let ruler = Ruler::new(&segments, Weight::Outputs);
        assert_eq!((ruler.length(), ruler.total()), (1_000, 700));
        assert_eq!(
            [1_000.0, 850.0, 700.0, 600.0, 500.0, 300.0, 0.0].map(|place| ruler.value_at(place)),
            [0, 150, 300, 300, 300, 500, 700]
        );
        assert_eq!(
            [0, 150, 300, 500, 700, 9_999].map(|value| ruler.place_of(value) as u64),
            [1_000, 850, 700, 300, 100, 0]
        );
    }

    #[test]
    fn the_window_counts_everything_as_it_is_after_pruning() {
        let segments = segments();
        let ruler = Ruler::new(&segments, Weight::Everything);
        assert_eq!(ruler.total(), 610);
        assert_eq!(
            [700.0, 500.0, 300.0, 100.0, 0.0].map(|place| ruler.value_at(place)),
            [300, 500, 505, 510, 610]
        );
        assert_eq!(ruler.place_of(505) as u64, 300);
        for value in (0..=610).step_by(7) {
            assert_eq!(ruler.value_at(ruler.place_of(value)), value);
        }
    }

    #[test]
    fn a_value_changes_by_the_weight_between_two_places() {
        let segments = segments();
        let ruler = Ruler::new(&segments, Weight::Everything);
        // The change does not depend on how far the pointer is from the boundary.
        assert_eq!(ruler.dragged(20_500, 700.0, 500.0), 20_700);
        assert_eq!(ruler.dragged(20_500, 700.0, 800.0), 20_400);
        assert_eq!((ruler.dragged(50, 500.0, 1_000.0), ruler.dragged(50, 500.0, 500.0)), (0, 50));
        // An output that would be pruned has little weight.
        assert_eq!(ruler.dragged(500, 500.0, 100.0), 510);
        let outputs = Ruler::new(&segments, Weight::Outputs);
        assert_eq!(outputs.dragged(300, 700.0, 500.0), 300);
        assert_eq!(outputs.dragged(300, 500.0, 300.0), 500);
    }

    #[test]
    fn edges_are_those_of_messages() {
        let segments = segments();
        let ruler = Ruler::new(&segments, Weight::Everything);
        assert_eq!([0, 300, 500, 610].map(|value| ruler.next_edge(value, true)), [300, 500, 510, 610]);
        assert_eq!([610, 600, 500, 1].map(|value| ruler.next_edge(value, false)), [510, 510, 300, 0]);
        assert_eq!((ruler.start_of(0), ruler.start_of(2), ruler.start_of(9)), (0, 500, 1_000));
        assert_eq!(
            [0.0, 99.0, 100.0, 999.0, 1_000.0].map(|place| ruler.message_at(place)),
            [Some(0), Some(0), Some(1), Some(3), None]
        );
    }
}
