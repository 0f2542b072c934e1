//! The sawtooth drawn with characters.

use ebbline::numbers::{counted, grouped};

use super::life::{Event, Point};
use crate::cells::{Line, Tone, right};

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The rows of a chart.
const HEIGHT: usize = 8;

/// The lines; where a compaction was carried out, a mark stands below.
pub(super) fn cells(life: &[Point], width: usize) -> Vec<Line> {
    let largest = life.iter().map(|point| point.sent).max().unwrap_or(0);
    let gutter = grouped(largest).len();
    let columns = life.len().min(width.saturating_sub(gutter + 3));
    let of = |column: usize| {
        let first = column * life.len() / columns.max(1);
        let end = ((column + 1) * life.len() / columns.max(1)).max(first + 1);
        life.get(first..end).unwrap_or_default()
    };
    let height = |column: usize| {
        let most = of(column).iter().map(|point| point.sent).max().unwrap_or(0);
        most as f64 / largest.max(1) as f64
    };
    let heights: Vec<f64> = (0..columns).map(height).collect();
    let mut lines: Vec<Line> = (0..HEIGHT)
        .map(|row| {
            let from = (HEIGHT - 1 - row) as f64 / HEIGHT as f64;
            let bars: String = heights.iter().map(|height| bar((height - from) * HEIGHT as f64)).collect();
            let title = match row {
                0 => grouped(largest),
                row if row == HEIGHT - 1 => "0".to_owned(),
                _ => String::new(),
            };
            Line::of(Tone::Plain, right(&title, gutter) + " ").and(Tone::Quiet, "│").and(Tone::Plain, bars)
        })
        .collect();
    let indent = " ".repeat(gutter + 1);
    let mut marks = Line::of(Tone::Plain, indent.as_str()).and(Tone::Quiet, "└");
    for column in 0..columns {
        let events = || of(column).iter().filter_map(|point| point.event);
        marks = match (events().any(|event| event == Event::Summary), events().next()) {
            (true, _) => marks.and(Tone::Summarized, "S"),
            (false, Some(_)) => marks.and(Tone::Pruned, "p"),
            (false, None) => marks.and(Tone::Plain, " "),
        };
    }
    lines.push(marks);
    let requests = counted(life.len() as u64, "request");
    lines.push(Line::of(Tone::Quiet, format!("{indent} {requests}; p: outputs pruned, S: summary made")));
    lines
}

fn bar(filled: f64) -> char {
    if filled <= 0.0 {
        return ' ';
    }
    let eighths = (filled * BARS.len() as f64).round().clamp(1.0, BARS.len() as f64);
    BARS.get(eighths as usize - 1).copied().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &Line) -> String {
        line.painted(|_, text| text.to_owned())
    }

    #[test]
    fn a_bar_is_filled_to_an_eighth() {
        let bars: String = [-0.5, 0.0, 0.01, 0.5, 0.95, 3.0].map(bar).into_iter().collect();
        assert_eq!(bars, "  ▁▄██");
    }

    #[test]
    fn a_chart_is_as_wide_as_the_life_or_the_terminal() {
        let mut life: Vec<Point> =
            (1..=60).map(|at| Point { before: at * 20, sent: at * 20, event: None }).collect();
        (life[10].event, life[11].event) = (Some(Event::Prune), Some(Event::Summary));
        for (width, columns) in [(30, 22), (100, 60)] {
            let lines: Vec<String> = cells(&life, width).iter().map(text).collect();
            assert_eq!(lines.len(), HEIGHT + 2);
            assert_eq!(lines[HEIGHT - 1].chars().count(), columns + 7, "{lines:?}");
            assert!(lines[0].ends_with('█') && lines[HEIGHT - 1].starts_with("    0 │"), "{lines:?}");
            assert!(lines[HEIGHT].contains('S') && lines[HEIGHT + 1].contains("60 requests"), "{lines:?}");
        }
    }
}
