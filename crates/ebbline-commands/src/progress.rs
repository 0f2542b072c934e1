//! Lines on a terminal that say how far long work is.

use std::time::Duration;

use crate::amount::amount;
use crate::decimal::fixed;
use crate::output::Notes;

/// The size of a file that takes long enough for a line, in bytes.
const LONG: u64 = 8_000_000;

/// A line that says which long file is worked on. The engine works without a pause, so the line does not move.
pub(crate) fn long_file(notes: &mut Notes, name: &str, bytes: u64, (at, of): (usize, usize)) {
    if bytes < LONG {
        return;
    }
    let place = if of > 1 { format!("file {} of {of}, ", at + 1) } else { String::new() };
    notes.show(&format!("ebbline: {place}{name} ({})", megabytes(bytes)));
}

/// `131 MB`
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{} MB", amount(bytes.saturating_add(500_000) / 1_000_000))
}

/// `345 B`, `3.4 kB`, `131 MB`, `2.1 GB`
pub(crate) fn size(bytes: u64) -> String {
    let units = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)];
    let unit = units.into_iter().rev().find(|(_, unit)| bytes as f64 >= *unit);
    let Some((name, unit)) = unit else { return format!("{bytes} B") };
    let figure = bytes as f64 / unit;
    format!("{} {name}", fixed(figure, usize::from(figure < 99.95)))
}

/// How many bytes a second so many bytes are: `175 MB/s`.
pub(crate) fn pace(bytes: u64, taken: Duration) -> String {
    format!("{}/s", size((bytes as f64 / taken.as_secs_f64().max(1e-3)) as u64))
}

/// How long nothing is said of many files, and how often afterwards.
const PATIENCE: Duration = Duration::from_secs(1);
const EVERY: Duration = Duration::from_millis(200);

/// A line that says how far work on many files is, and how long the rest takes at the pace so far: a byte takes as long as
/// any other. Times are those since the work began.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The sizes of the files, and one byte more each: an empty file takes time, too.
    sizes: Vec<u64>,
    whole: u64,
    bytes: u64,
    count: usize,
    next: Duration,
}

impl Progress {
    /// The progress through files of these sizes.
    pub(crate) fn of(sizes: impl Iterator<Item = u64>) -> Self {
        let sizes: Vec<u64> = sizes.map(|size| size.saturating_add(1)).collect();
        let whole = sizes.iter().sum();
        Self { sizes, whole, bytes: 0, count: 0, next: PATIENCE }
    }

    /// A file is finished.
    pub(crate) fn finish(&mut self, at: usize) {
        self.bytes += self.sizes.get(at).copied().unwrap_or(0);
        self.count += 1;
    }

    /// How long it takes until the line is shown again.
    pub(crate) fn pause(&self, taken: Duration) -> Duration {
        self.next.saturating_sub(taken)
    }

    /// Shows the line.
    pub(crate) fn show(&mut self, taken: Duration, notes: &mut Notes) {
        self.next = taken + EVERY;
        notes.show(&self.line(taken));
    }

    fn line(&self, taken: Duration) -> String {
        let share = self.bytes as f64 / self.whole.max(1) as f64;
        let left = match self.bytes {
            0 => String::new(),
            bytes => {
                format!(", {}, about {} left", pace(bytes, taken), said(taken.mul_f64(1.0 / share - 1.0)))
            }
        };
        let percent = (share * 100.0) as u64;
        format!("ebbline: {percent} %, {} of {} files{left}", self.count, self.sizes.len())
    }
}

/// `8 s`, `3 min`, `2 h`
pub(crate) fn said(duration: Duration) -> String {
    let seconds = duration.as_millis().div_ceil(1_000);
    if seconds < 100 {
        return format!("{seconds} s");
    }
    let minutes = seconds.div_ceil(60);
    if minutes < 100 { format!("{minutes} min") } else { format!("{} h", minutes.div_ceil(60)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::Kept;

    #[test]
    fn a_long_file_has_a_line_on_a_terminal() {
        let kept = Kept::default();
        let mut notes = kept.notes(true);
        long_file(&mut notes, "long.jsonl", 131_000_000, (1, 3));
        notes.clear();
        notes.clear();
        assert_eq!(kept.text(), "\r\u{1b}[Kebbline: file 2 of 3, long.jsonl (131 MB)\r\u{1b}[K");
        for (is_terminal, bytes) in [(true, 100_000), (false, 131_000_000)] {
            let quiet = Kept::default();
            long_file(&mut quiet.notes(is_terminal), "a", bytes, (0, 1));
            assert_eq!(quiet.text(), "");
        }
    }

    #[test]
    fn progress_is_said_in_bytes_and_the_rest_takes_as_long() {
        let mut progress = Progress::of([99, 299, 0].into_iter());
        assert_eq!(progress.line(Duration::from_secs(2)), "ebbline: 0 %, 0 of 3 files");
        progress.finish(0);
        let line = progress.line(Duration::from_secs(2));
        assert_eq!(line, "ebbline: 24 %, 1 of 3 files, 50 B/s, about 7 s left");
        progress.finish(1);
        progress.finish(2);
        assert_eq!(
            progress.line(Duration::from_secs(9)),
            "ebbline: 100 %, 3 of 3 files, 44 B/s, about 0 s left"
        );
        assert_eq!(progress.pause(PATIENCE / 4), PATIENCE / 4 * 3);
    }

    #[test]
    fn sizes_are_said_in_the_unit_that_fits() {
        for (bytes, words) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (99_940_000, "99.9 MB"),
            (99_950_000, "100 MB"),
            (2_100_000_000, "2.1 GB"),
        ] {
            assert_eq!(size(bytes), words);
        }
        assert_eq!(pace(350_000_000, Duration::from_secs(2)), "175 MB/s");
        assert_eq!(megabytes(1_500_000), "2 MB");
    }

    #[test]
    fn a_duration_is_said_in_the_unit_that_fits() {
        for (milliseconds, words) in
            [(1, "1 s"), (12_000, "12 s"), (100_000, "2 min"), (5_940_000, "99 min"), (5_940_001, "2 h")]
        {
            assert_eq!(said(Duration::from_millis(milliseconds)), words);
        }
    }
}
