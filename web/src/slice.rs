//! Which rows of a long list are mounted, and where.

/// The height of a row in CSS pixels.
pub const ROW: f64 = 34.0;
/// How many rows are mounted at most.
pub const MAX_ROWS: usize = 56;
/// Taller elements lose precision in browsers, so a longer list scrolls faster than its rows.
const MAX_HEIGHT: f64 = 8_000_000.0;
/// How many rows are mounted above and below the visible ones.
const SPARE: usize = 6;

/// The mounted part of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slice {
    /// The first mounted row.
    pub first: usize,
    /// The index after the last mounted row.
    pub end: usize,
    /// The position of the first mounted row in the scroller, in CSS pixels.
    pub top: f64,
    /// The height of the scroller's content, in CSS pixels.
    pub height: f64,
}

impl Slice {
    /// The slice of a list of `rows` rows in a view `height` pixels tall that is scrolled to `scrolled`.
    pub fn new(rows: usize, scrolled: f64, height: f64) -> Self {
        let all = rows as f64 * ROW;
        let content = all.min(MAX_HEIGHT);
        // The position of the first visible row if the scroller were as tall as all rows.
        let ratio = stretch(all, content, height);
        let visible = (scrolled.max(0.0) * ratio / ROW).floor() as usize;
        let first = visible.saturating_sub(SPARE).min(rows);
        let count = ((height / ROW).ceil() as usize + 2 * SPARE + 1).min(MAX_ROWS);
        let end = (first + count).min(rows);
        let top =
            if ratio > 1.0 { scrolled - (scrolled * ratio - first as f64 * ROW) } else { first as f64 * ROW };
        Self { first, end, top, height: content }
    }

    /// The scroll position that makes `row` of `rows` visible; `None` if it already is.
    pub fn reveal(rows: usize, row: usize, scrolled: f64, height: f64) -> Option<f64> {
        let all = rows as f64 * ROW;
        let content = all.min(MAX_HEIGHT);
        let ratio = stretch(all, content, height);
        let (at, top) = (row as f64 * ROW, scrolled * ratio);
        if at >= top && at + ROW <= top + height {
            return None;
        }
        let wanted = if at < top && top - at < height {
            at
        } else if at > top && at - top < 2.0 * height && at + ROW > top + height {
            at + ROW - height
        } else {
            at - height / 3.0
        };
        Some((wanted / ratio).clamp(0.0, (content - height).max(0.0)))
    }
}

fn stretch(all: f64, content: f64, height: f64) -> f64 {
    if all > content && content > height { (all - height) / (content - height) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_mounted_and_they_cover_the_view() {
        for rows in [0, 1, 40, 1_000, 100_000, 1_000_000] {
            let content = Slice::new(rows, 0.0, 400.0).height;
            for part in 0..=20 {
                let scrolled = (content - 400.0).max(0.0) * f64::from(part) / 20.0;
                let slice = Slice::new(rows, scrolled, 400.0);
                assert!(slice.end - slice.first <= MAX_ROWS);
                assert!(slice.top <= scrolled, "{rows} {part} {slice:?}");
                let bottom = slice.top + (slice.end - slice.first) as f64 * ROW;
                assert!(slice.end == rows || bottom >= scrolled + 400.0, "{rows} {part} {slice:?}");
            }
            if rows > 0 {
                assert_eq!(Slice::new(rows, (content - 400.0).max(0.0), 400.0).end, rows);
            }
        }
    }

    #[test]
    fn a_row_is_revealed_with_as_little_movement_as_possible() {
        assert_eq!(Slice::reveal(100, 3, 0.0, 340.0), None);
        assert_eq!(Slice::reveal(100, 10, 0.0, 340.0), Some(34.0));
        assert_eq!(Slice::reveal(100, 0, 34.0, 340.0), Some(0.0));
        for rows in [100, 1_000_000] {
            for row in [0, rows / 2, rows - 1] {
                let to = Slice::reveal(rows, row, 123.0, 340.0).unwrap_or(123.0);
                let slice = Slice::new(rows, to, 340.0);
                assert!(slice.first <= row && row < slice.end, "{row} of {rows}: {slice:?}");
            }
        }
    }
}
