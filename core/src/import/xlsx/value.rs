//! A cell's value as the text that a person sees.

use super::float;
use super::styles::Format;
use std::fmt::Write;
use std::iter::repeat_n;

/// A spreadsheet keeps no more digits than these.
const DIGITS: usize = 15;
const DAY_SECONDS: f64 = 86_400.0;
/// The day after the last one that a spreadsheet knows, 9999-12-31, counted from 1900; and from 1904 so much less.
const LAST_DAY: f64 = 2_958_466.0;
const DAYS_TO_1904: u32 = 1_462;
/// The 29th of February 1900, which spreadsheets show though there was none.
const NO_DAY: u32 = 60;

/// Writes a number by its format: whole ones without a fraction, never in scientific notation. False when it is none.
#[inline]
pub(super) fn number(raw: &[u8], format: Format, from_1904: bool, out: &mut String) -> bool {
    let raw = raw.trim_ascii();
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    let is_whole = digits.iter().all(u8::is_ascii_digit) && (1..=DIGITS).contains(&digits.len());
    if format == Format::Plain && is_whole && (digits[0] != b'0' || raw == b"0") {
        // As it is written: most numbers never become one.
        out.extend(raw.iter().map(|&b| char::from(b)));
        return true;
    }
    if format == Format::Plain
        && let Some(seen) = fraction(raw)
    {
        out.push_str(seen);
        return true;
    }
    let Some(value) = float::parse(raw) else { return false };
    let last = if from_1904 { LAST_DAY - f64::from(DAYS_TO_1904) } else { LAST_DAY };
    match format {
        Format::Date { has_day } if (0.0..last).contains(&value) => date(value, has_day, from_1904, out),
        Format::Duration => duration(value, out),
        Format::Percent if (value * 100.0).is_finite() => {
            plain(value * 100.0, 0, out);
            out.push('%');
        }
        Format::Zeros(zeros) => plain(value, zeros, out),
        // Before the first day and after the last one a spreadsheet shows no date either.
        Format::Plain | Format::Percent | Format::Date { .. } => plain(value, 0, out),
    }
    true
}

/// A fraction as it is written, if it has no more digits than are seen.
fn fraction(raw: &[u8]) -> Option<&str> {
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    let point = digits.iter().position(|&b| b == b'.')?;
    let (before, after) = (&digits[..point], &digits[point + 1..]);
    let is_short = before.len() + after.len() <= DIGITS
        && matches!((before, after), ([b'0'] | [b'1'..=b'9', ..], [.., b'1'..=b'9']));
    let is_plain = is_short && before.iter().chain(after).all(u8::is_ascii_digit);
    std::str::from_utf8(raw).ok().filter(|_| is_plain)
}

/// What a spreadsheet computes is off in the digits after those that it shows.
fn plain(value: f64, zeros: usize, out: &mut String) {
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

/// Writes a moment that is written out, as some programs do: `2024-05-03T14:30:00Z`.
pub(super) fn written_date(text: &str, out: &mut String) {
    let (day, time) = text.split_once('T').unwrap_or((text, ""));
    let time = time.trim_end_matches('Z').split('.').next().unwrap_or_default();
    out.push_str(day);
    if !matches!(time, "" | "00:00:00") {
        out.push(' ');
        out.push_str(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Format = Format::Date { has_day: true };
    const TIME: Format = Format::Date { has_day: false };

    fn seen(raw: &str, format: Format, from_1904: bool) -> Option<String> {
        let mut out = String::new();
        number(raw.as_bytes(), format, from_1904, &mut out).then_some(out)
    }
    fn of(raw: &str, format: Format) -> String {
        seen(raw, format, false).unwrap_or_else(|| panic!("{raw} is a number"))
    }

    #[test]
    fn a_number_is_seen_without_exponent_or_needless_fraction() {
        for (raw, text) in [
            ("46701234567", "46701234567"),
            ("123456789012345", "123456789012345"),
            ("12345678901234567", "12345678901234600"),
            ("4.6701234567E10", "46701234567"),
            ("4.6701234567e+10", "46701234567"),
            ("0.30000000000000004", "0.3"),
            ("-1.5", "-1.5"),
            ("-0.001", "-0.001"),
            ("-0.0", "0"),
            ("1.50", "1.5"),
            (".5", "0.5"),
            ("1234567890123.45", "1234567890123.45"),
            ("12345678901234.567", "12345678901234.6"),
            ("1E20", "100000000000000000000"),
            ("999999999999999.9", "1000000000000000"),
            ("-99999999999999.99", "-100000000000000"),
            ("1E-7", "0.0000001"),
            ("1.0", "1"),
            ("0", "0"),
            ("-0", "0"),
            ("007", "7"),
            (" 12 ", "12"),
        ] {
            assert_eq!(of(raw, Format::Plain), text, "{raw}");
        }
        for raw in ["", "-", "inf", "NaN", "1e999", "0x10", "1 2", "--1", "1,5", "å"] {
            assert_eq!(seen(raw, Format::Plain, false), None, "{raw}");
        }
    }

    #[test]
    fn a_number_is_seen_by_its_format() {
        assert_eq!(of("701234567", Format::Zeros(10)), "0701234567");
        assert_eq!(of("-5", Format::Zeros(3)), "-5");
        assert_eq!(of("0.15", Format::Percent), "15%");
        assert_eq!(of("0.07", Format::Percent), "7%");
        assert_eq!(of("0.125", Format::Percent), "12.5%");
        assert_eq!(of("1e308", Format::Percent).len(), 309);
        assert_eq!(of("1.25", Format::Duration), "30:00:00");
        assert_eq!(of("-0.5", Format::Duration), "-12:00:00");
    }

    #[test]
    fn a_day_is_seen_as_a_day_and_a_time_as_a_time() {
        for (raw, text) in [
            ("45292", "2024-01-01"),
            ("45292.791666666701", "2024-01-01 19:00:00"),
            ("45291.999999999", "2024-01-01"),
            ("0.5", "12:00:00"),
            ("0", "00:00:00"),
            ("1", "1900-01-01"),
            ("59", "1900-02-28"),
            ("60", "1900-02-29"),
            ("61", "1900-03-01"),
            ("36585", "2000-02-29"),
            ("2958465", "9999-12-31"),
            ("2958466", "2958466"),
            ("-3", "-3"),
        ] {
            assert_eq!(of(raw, DAY), text, "{raw}");
        }
        assert_eq!(of("0.25", TIME), "06:00:00");
    }

    #[test]
    fn days_that_count_from_1904_are_four_years_later() {
        assert_eq!(seen("0", DAY, true).as_deref(), Some("1904-01-01"));
        assert_eq!(seen("0.5", TIME, true).as_deref(), Some("12:00:00"));
        assert_eq!(seen("43830", DAY, true).as_deref(), Some("2024-01-01"));
        assert_eq!(seen("2957003", DAY, true).as_deref(), Some("9999-12-31"));
        assert_eq!(seen("2957004", DAY, true).as_deref(), Some("2957004"));
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

    #[test]
    fn a_date_that_is_written_out_is_seen_as_one() {
        let seen = |text| {
            let mut out = String::new();
            written_date(text, &mut out);
            out
        };
        assert_eq!(seen("2024-01-01T00:00:00"), "2024-01-01");
        assert_eq!(seen("2024-01-01T08:30:00.000Z"), "2024-01-01 08:30:00");
        assert_eq!(seen("2024-01-01"), "2024-01-01");
    }
}
