//! Lines on a terminal that say how far long work is.

use std::time::Duration;

use crate::output::Notes;

/// The size of a file that takes long enough for a line, in bytes.
const LONG: u64 = 8_000_000;

/// A line that says which long file is worked on. The engine works without a pause, so the line does not move.
pub(crate) fn long_file(notes: &mut Notes, name: &str, bytes: u64, (at, of): (usize, usize)) {
    if bytes < LONG {
        return;
    }
    let place = if of > 1 { format!("file {} of {of}, ", at + 1) } else { String::new() };
    let megabytes = (bytes + 500_000) / 1_000_000;
    notes.show(&format!("ebbline: {place}{name} ({megabytes} MB)"));
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
    fn a_duration_is_said_in_the_unit_that_fits() {
        for (milliseconds, words) in
            [(1, "1 s"), (12_000, "12 s"), (100_000, "2 min"), (5_940_000, "99 min"), (5_940_001, "2 h")]
        {
            assert_eq!(said(Duration::from_millis(milliseconds)), words);
        }
    }
}
