//! Moments as sessions write them.

/// Milliseconds since 1970 as `2026-01-31T10:20:30.000Z` (the civil calendar, years 1970 to 9999).
pub(super) fn iso_moment(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, so that leap days end their year (Howard Hinnant, "chrono-compatible date algorithms").
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second, fraction) = (time / 3_600, time / 60 % 60, time % 60, milliseconds % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_the_civil_calendar() {
        for (milliseconds, written) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_767_225_599_999, "2025-12-31T23:59:59.999Z"),
            (1_795_301_999_500, "2026-11-21T22:59:59.500Z"),
        ] {
            assert_eq!(iso_moment(milliseconds), written);
        }
    }
}
