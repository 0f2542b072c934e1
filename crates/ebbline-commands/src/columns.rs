//! Tables of aligned columns.

use crate::decimal::fixed;
use crate::style::Style;
use crate::utf16::{pad_end, pad_start};

/// On which side the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Texts.
    Left,
    /// Figures.
    Right,
}

/// A figure that may not be known.
pub(crate) fn known<F>(figure: Option<F>, shown: impl FnOnce(F) -> String) -> String {
    figure.map_or_else(|| "-".to_owned(), shown)
}

/// A share as a percentage; small changes of a cost matter, so it has a decimal.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", fixed(share * 100.0, 1))
}

/// A table: the line of its titles, and a line for each row.
pub(crate) fn aligned(titles: &[(&str, Side)], rows: &[Vec<String>]) -> Vec<String> {
    let widths: Vec<usize> = titles
        .iter()
        .enumerate()
        .map(|(at, (title, _))| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
            cells.fold(title.len(), usize::max)
        })
        .collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells
            .zip(titles.iter().zip(&widths))
            .map(|(cell, ((_, side), width))| match side {
                Side::Left => pad_end(cell, *width),
                Side::Right => pad_start(cell, *width),
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&mut titles.iter().map(|(title, _)| *title))];
    lines.extend(rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
    lines
}

/// The same, with the titles dimmed.
pub(crate) fn titled(titles: &[(&str, Side)], rows: &[Vec<String>], style: Style) -> Vec<String> {
    let mut lines = aligned(titles, rows);
    if let Some(titles) = lines.first_mut() {
        *titles = style.dim(titles);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_left_and_figures_right() {
        let rows = [vec!["bash".to_owned(), "1,000".to_owned()], vec!["a".to_owned(), "5".to_owned()]];
        let lines = aligned(&[("tool", Side::Left), ("n", Side::Right)], &rows);
        assert_eq!(lines, ["tool      n", "bash  1,000", "a         5"]);
    }
}
