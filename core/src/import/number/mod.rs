//! A cell's number as the text that a person sees.

mod float;
mod format;
#[cfg(feature = "xlsx")]
mod moment;
mod pattern;
mod tokens;
#[cfg(feature = "xlsx")]
mod written;

pub(super) use format::{Format, of_code, of_id};
use std::fmt::Write;
use std::iter::repeat_n;
#[cfg(feature = "xlsx")]
pub(super) use {moment::written_date, written::number};

/// A spreadsheet keeps no more digits than these.
const DIGITS: usize = 15;
const DAY_SECONDS: f64 = 86_400.0;
/// The day after the last one that a spreadsheet knows, 9999-12-31, counted from 1900; and from 1904 so much less.
const LAST_DAY: f64 = 2_958_466.0;
const DAYS_TO_1904: u32 = 1_462;
/// The 29th of February 1900, which spreadsheets show though there was none.
const NO_DAY: u32 = 60;

/// Writes a number by its format: whole ones without a fraction, never in scientific notation.
#[inline]
pub(super) fn write(value: f64, format: &Format, from_1904: bool, out: &mut String) {
    // A spreadsheet knows none between 0 and the least float of full precision.
    let value = if value.is_subnormal() { 0.0 } else { value };
    let last = if from_1904 { LAST_DAY - f64::from(DAYS_TO_1904) } else { LAST_DAY };
    match format {
        Format::Date { has_day } if (0.0..last).contains(&value) => date(value, *has_day, from_1904, out),
        Format::Duration => duration(value, out),
        Format::Percent if (value * 100.0).is_finite() => {
            plain(value * 100.0, 0, out);
            out.push('%');
        }
        Format::Zeros(zeros) => plain(value, *zeros, out),
        Format::Pattern(pattern) => pattern.write(value, out),
        // Before the first day and after the last one a spreadsheet shows no date either.
        Format::Plain | Format::Percent | Format::Date { .. } => plain(value, 0, out),
    }
}

/// What a spreadsheet computes is off in the digits after those that it shows.
fn plain(value: f64, zeros: usize, out: &mut String) {
    if zeros == 0 && value == f64::from(value as i32) {
        let _ = write!(out, "{}", value as i32);
        return;
    }
    let (digits, power) = if value == 0.0 { (0, 0) } else { float::rounded(value, DIGITS as u32) };
    let mut digits = digits.to_string();
    let places = digits.len() as i32 + power;
    if value < 0.0 {
        out.push('-');
    } else if power >= 0 && places <= DIGITS as i32 {
        out.extend(repeat_n('0', zeros.saturating_sub(places as usize)));
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

fn duration(value: f64, out: &mut String) {
    let seconds = (value.abs() * DAY_SECONDS).round() as u64;
    let sign = if value < 0.0 { "-" } else { "" };
    let _ = write!(out, "{sign}{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
}

/// Writes a moment: the day, and the time unless it is midnight. Less than a day is a time only, unless the days begin
/// with 0 and the format shows them.
fn date(value: f64, has_day: bool, from_1904: bool, out: &mut String) {
    // To thousandths, and of these to seconds as a clock shows them.
    let mut seconds = ((value.fract() * DAY_SECONDS * 1_000.0).round() / 1_000.0) as u32;
    let mut days = value as u32;
    if f64::from(seconds) >= DAY_SECONDS {
        (seconds, days) = (0, days + 1);
    }
    let is_time = days == 0 && !(from_1904 && has_day);
    if !is_time {
        let (year, month, day) = civil(days, from_1904);
        let _ = write!(out, "{year:04}-{month:02}-{day:02}");
    }
    if is_time || seconds > 0 {
        let space = if is_time { "" } else { " " };
        let _ = write!(out, "{space}{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }
}

/// The year, month and day of a day's number.
fn civil(days: u32, from_1904: bool) -> (u32, u32, u32) {
    let days = if from_1904 { days + DAYS_TO_1904 } else { days };
    if days == NO_DAY {
        return (1900, 2, 29);
    }
    // Days since the 1st of March of the year 0, from which on leap days end their years. Days before the one that there
    // wasn't count from a day later.
    let days = days + 693_899 + u32::from(days < NO_DAY);
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
        fn writes_any_number_by_any_format_in_few_characters(
            code in "[-0#?.,%/+;@ dmyhsE\"_*\\\\()å\u{1}]{0,12}(\\[(<=?|>|=|\\$kr-41D|h|Red)9?0?\\])?[-0#?.;@kå\u{1}\"]{0,12}",
            bits in any::<u64>(),
            whole in -100_000_000_i64..10_000_000_000,
        ) {
            let format = of_code(&code);
            for value in [f64::from_bits(bits), whole as f64].into_iter().filter(|value| value.is_finite()) {
                let mut out = String::new();
                write(value, &format, false, &mut out);
                prop_assert!(out.len() < 400, "{code} {out}");
            }
        }
    }

    #[cfg(feature = "xlsx")]
    proptest! {
        #[test]
        fn reads_any_text_as_a_written_date(text in "[-0-9TZPDHMSW:.+ å]{0,16}", has_day: bool, from_1904: bool) {
            let mut out = String::new();
            written_date(&text, &Format::Date { has_day }, from_1904, &mut out);
            prop_assert!(out.len() < 40, "{text} {out}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut last = civil(1, false);
        for days in 2..2_958_466 {
            let (year, month, day) = civil(days, false);
            let next_month = (last.0 + last.1 / 12, last.1 % 12 + 1, 1);
            assert!((year, month, day) == (last.0, last.1, last.2 + 1) || (year, month, day) == next_month, "{days}");
            last = (year, month, day);
        }
    }
}
