//! The size of the context over the requests of a replay, drawn with characters.

use ebbline::economics::ReplayReport;

use crate::amount::{amount, counted, rounded};
use crate::style::Style;
use crate::utf16::pad_start;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The rows of a chart.
const HEIGHT: usize = 8;

/// The lines of a chart; where a compaction was carried out, a mark stands below.
pub(crate) fn chart(life: &ReplayReport<'_>, width: usize, style: Style) -> Vec<String> {
    let sizes: Vec<u64> = life.requests.iter().map(|each| each.request.tokens + life.overhead).collect();
    let largest = sizes.iter().copied().max().unwrap_or(0).max(1);
    let label = amount(largest).len();
    let columns = sizes.len().min(width.saturating_sub(label + 3)).max(1);
    let of = |column: usize| {
        let first = column * sizes.len() / columns;
        first..((column + 1) * sizes.len() / columns).max(first + 1)
    };
    let height = |column: usize| {
        let most = sizes.get(of(column)).and_then(|sizes| sizes.iter().max());
        most.copied().unwrap_or(0) as f64 / largest as f64
    };
    let heights: Vec<f64> = (0..columns).map(height).collect();
    let mut lines: Vec<String> = (0..HEIGHT)
        .map(|row| {
            let from = (HEIGHT - 1 - row) as f64 / HEIGHT as f64;
            let cells = heights.iter().map(|height| cell((height - from) * HEIGHT as f64));
            let title = match row {
                0 => amount(largest),
                row if row == HEIGHT - 1 => "0".to_owned(),
                _ => String::new(),
            };
            format!("{} {}{}", pad_start(&title, label), style.dim("│"), cells.collect::<String>())
        })
        .collect();
    let mark = |column: usize| {
        let requests = of(column);
        let mut done =
            life.compactions.iter().filter(|each| requests.contains(&(each.request as usize))).peekable();
        let is_any = done.peek().is_some();
        match (done.any(|each| each.decision.retain.applied), is_any) {
            (true, _) => style.summarized("S"),
            (false, true) => style.pruned("p"),
            (false, false) => " ".to_owned(),
        }
    };
    let indent = " ".repeat(label);
    let marks: String = (0..columns).map(mark).collect();
    lines.push(format!("{indent} {}{marks}", style.dim("└")));
    let requests = counted(life.requests.len(), "request");
    lines.push(style.dim(&format!("{indent}  {requests}; p: outputs pruned, S: summary made")));
    lines
}

fn cell(filled: f64) -> char {
    if filled <= 0.0 {
        return ' ';
    }
    let bar = rounded(filled * BARS.len() as f64).clamp(1, BARS.len() as i64) - 1;
    usize::try_from(bar).ok().and_then(|bar| BARS.get(bar)).copied().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use ebbline::SessionText;
    use ebbline::economics::{Rates, Terms};
    use ebbline::replay::Replay;

    use super::*;

    #[test]
    fn a_cell_is_filled_to_an_eighth() {
        let cells: String = [-0.5, 0.0, 0.01, 0.5, 0.95, 3.0].map(cell).into_iter().collect();
        assert_eq!(cells, "  ▁▄██");
    }

    #[test]
    fn a_chart_is_as_wide_as_the_life_or_the_terminal() {
        let messages: Vec<String> = (0..60)
            .flat_map(|turn| [("user", turn), ("assistant", turn)])
            .map(|(role, turn)| format!(r#"{{"role":"{role}","content":"{}"}}"#, "word ".repeat(turn + 1)))
            .collect();
        let session = SessionText::read(format!("[{}]", messages.join(","))).unwrap();
        let policy = ebbline::profiles::get("ebbline@2").unwrap();
        let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
        let replay = Replay::new(&session, &policy, &terms.options);
        let life = ReplayReport::of(&replay, &terms.bill(&replay));
        for (width, columns) in [(30, 22), (100, 61)] {
            let lines = chart(&life, width, Style::new(false));
            assert_eq!(lines.len(), HEIGHT + 2);
            assert!(lines[..HEIGHT].iter().all(|line| line.chars().count() == columns + 7), "{lines:?}");
            assert!(lines[0].ends_with('█') && lines[HEIGHT - 1].starts_with("    0 │"), "{lines:?}");
        }
    }
}
