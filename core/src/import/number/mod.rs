//! Formats a cell's number as the import's text: dates as ISO, identifiers as spreadsheet programs show them.

#[cfg(feature = "readers")]
mod decimal;
mod float;
mod format;
#[cfg(feature = "readers")]
mod iso;
mod pattern;
mod tokens;

pub(super) use format::{Format, builtin_format, parse_format};
use std::fmt::Write;
use std::iter::repeat_n;
#[cfg(feature = "readers")]
pub(super) use {decimal::write_decimal, iso::write_iso_date};

/// How many significant digits spreadsheets show.
const MAX_DIGITS: usize = 15;
const DAY_SECONDS: f64 = 86_400.0;
/// The serial number of the day after 9999-12-31, the last day of spreadsheets. If days are counted from 1904, it is
/// smaller by `DAYS_TO_1904`.
const END_DAY: f64 = 2_958_466.0;
const DAYS_TO_1904: u32 = 1_462;
/// The serial number of 1900-02-29, which spreadsheets show although 1900 wasn't a leap year.
const LEAP_DAY_1900: u32 = 60;

/// Writes a number by its format, never in scientific notation. Spreadsheet programs show numbers that aren't finite as
/// an error.
#[inline]
pub(super) fn write(value: f64, format: &Format, from_1904: bool, out: &mut String) {
    if !value.is_finite() {
        return out.push_str("#NUM!");
    }
    // Spreadsheets treat subnormal numbers as 0.
    let value = if value.is_subnormal() { 0.0 } else { value };
    let end = if from_1904 { END_DAY - f64::from(DAYS_TO_1904) } else { END_DAY };
    match format {
        Format::Date { has_day } if (0.0..end).contains(&value) => write_date(value, *has_day, from_1904, out),
        Format::Duration => write_duration(value, out),
        Format::Percent if (value * 100.0).is_finite() => {
            write_plain(value * 100.0, 0, out);
            out.push('%');
        }
        Format::Zeros(min_digits) => write_plain(value, *min_digits, out),
        Format::Pattern(pattern) => pattern.write(value, out),
        // Numbers outside of the range of dates are shown as numbers, as spreadsheets do.
        Format::Plain | Format::Percent | Format::Date { .. } => write_plain(value, 0, out),
    }
}

/// Writes a number rounded to 15 digits, because further digits are rounding errors of formulas. An integer that is not
/// negative is padded with zeros to `min_digits`.
fn write_plain(value: f64, min_digits: usize, out: &mut String) {
    if min_digits == 0 && value == f64::from(value as i32) {
        let _ = write!(out, "{}", value as i32);
        return;
    }
    let (digits, power) = if value == 0.0 { (0, 0) } else { float::round_to_digits(value, MAX_DIGITS as u32) };
    let mut digits = digits.to_string();
    let places = digits.len() as i32 + power;
    if value < 0.0 {
        out.push('-');
    } else if power >= 0 && places <= MAX_DIGITS as i32 {
        out.extend(repeat_n('0', min_digits.saturating_sub(places as usize)));
    }
    if places <= 0 {
        out.push_str("0.");
        out.extend(repeat_n('0', places.unsigned_abs() as usize));
    } else if power < 0 {
        digits.insert(places as usize, '.');
    }
    out.push_str(&digits);
    out.extend(repeat_n('0', power.max(0) as usize));
}

fn write_duration(value: f64, out: &mut String) {
    let seconds = (value.abs() * DAY_SECONDS).round() as u64;
    let sign = if value < 0.0 { "-" } else { "" };
    let _ = write!(out, "{sign}{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
}

/// Writes a date, with its time unless that is midnight. Values below one day are times only, unless days count from
/// 1904 and the format shows the day.
fn write_date(value: f64, has_day: bool, from_1904: bool, out: &mut String) {
    // Rounds to milliseconds and then truncates to seconds, as a clock does.
    let mut seconds = ((value.fract() * DAY_SECONDS * 1_000.0).round() / 1_000.0) as u32;
    let mut days = value as u32;
    if f64::from(seconds) >= DAY_SECONDS {
        (seconds, days) = (0, days + 1);
    }
    let is_time = days == 0 && !(from_1904 && has_day);
    if !is_time {
        let (year, month, day) = civil_date(days, from_1904);
        let _ = write!(out, "{year:04}-{month:02}-{day:02}");
    }
    if is_time || seconds > 0 {
        let space = if is_time { "" } else { " " };
        let _ = write!(out, "{space}{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }
}

/// Converts a serial number to year, month and day.
fn civil_date(days: u32, from_1904: bool) -> (u32, u32, u32) {
    let days = if from_1904 { days + DAYS_TO_1904 } else { days };
    if days == LEAP_DAY_1900 {
        return (1900, 2, 29);
    }
    // Days since March 1 of year 0; years that start in March end with their leap day. Serial numbers before the
    // fictitious 1900-02-29 are off by one.
    let days = days + 693_899 + u32::from(days < LEAP_DAY_1900);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn output_length_is_bounded_for_any_number_and_format(
            code in "[-0#?.,%/+;@ dmyhsE\"_*\\\\()å\u{1}]{0,12}(\\[(<=?|>|=|\\$kr-41D|h|Red)9?0?\\])?[-0#?.;@kå\u{1}\"]{0,12}",
            bits in any::<u64>(),
            whole in -100_000_000_i64..10_000_000_000,
        ) {
            let format = parse_format(&code);
            for value in [f64::from_bits(bits), whole as f64] {
                let mut out = String::new();
                write(value, &format, false, &mut out);
                prop_assert!(out.len() < 400, "{code} {out}");
            }
        }
    }

    #[cfg(feature = "readers")]
    proptest! {
        #[test]
        fn output_length_is_bounded_for_any_iso_date(text in "[-0-9TZPDHMSW:.+ å]{0,16}", has_day: bool, from_1904: bool) {
            let mut out = String::new();
            write_iso_date(&text, &Format::Date { has_day }, from_1904, &mut out);
            prop_assert!(out.len() < 40, "{text} {out}");
        }
    }

    #[test]
    fn consecutive_serial_numbers_are_consecutive_days() {
        let mut last = civil_date(1, false);
        for days in 2..2_958_466 {
            let (year, month, day) = civil_date(days, false);
            let next_month = (last.0 + last.1 / 12, last.1 % 12 + 1, 1);
            assert!((year, month, day) == (last.0, last.1, last.2 + 1) || (year, month, day) == next_month, "{days}");
            last = (year, month, day);
        }
        assert_eq!(last, (9999, 12, 31));
    }
}
