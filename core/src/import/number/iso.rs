//! Dates, times and durations in ISO 8601, such as `2024-05-03T14:30:00Z` and `PT12H30M`.

use super::{DAY_SECONDS, DAYS_TO_1904, Format, LEAP_DAY_1900, write};
use crate::date::Date;

/// The days from March 1 of year 0 to December 31, 1899, where the serial numbers of spreadsheets start.
const DAYS_TO_1900: u32 = 693_900;

/// Writes an ISO 8601 date, time or duration like a number with this format. Other texts are written unchanged.
pub(in crate::import) fn write_iso_date(text: &str, format: &Format, from_1904: bool, out: &mut String) {
    let default = Format::Date { has_day: true };
    let format = if matches!(format, Format::Date { .. } | Format::Duration) { format } else { &default };
    if let Some(seconds) = parse_duration(text) {
        return write(seconds / DAY_SECONDS, &Format::Duration, from_1904, out);
    }
    let (day, time) = text.split_once(['T', ' ']).unwrap_or(if text.contains(':') { ("", text) } else { (text, "") });
    let seconds = if time.is_empty() && !day.is_empty() { Some(0.0) } else { parse_time(time) };
    let days = if day.is_empty() { Some(Day::Placeholder) } else { parse_date(day) };
    match (days, seconds) {
        (Some(Day::Placeholder), Some(seconds)) => write(seconds / DAY_SECONDS, &format.without_day(), from_1904, out),
        (Some(Day::Serial(days)), Some(seconds)) if !from_1904 || days >= DAYS_TO_1904 => {
            let days = if from_1904 { days - DAYS_TO_1904 } else { days };
            write(f64::from(days) + seconds / DAY_SECONDS, format, from_1904, out);
        }
        // Dates before 1900 (or 1904) have no serial number, so the text of the date is kept.
        (Some(_), Some(seconds)) => {
            out.push_str(day);
            if seconds >= 1.0 {
                out.push(' ');
                write(seconds / DAY_SECONDS, &format.without_day(), false, out);
            }
        }
        _ => out.push_str(text),
    }
}

impl Format {
    fn without_day(&self) -> Format {
        if *self == Format::Duration { Format::Duration } else { Format::Date { has_day: false } }
    }
}

enum Day {
    /// A date that only stands before a time and means nothing.
    Placeholder,
    /// The serial number of a date, counted from 1900.
    Serial(u32),
    Earlier,
}

/// Parses `2024-05-03`. Spreadsheets also have a February 29, 1900.
fn parse_date(text: &str) -> Option<Day> {
    if Date::parse(text).is_none() && text != "1900-02-29" {
        return None;
    }
    let mut parts = text.split('-').map_while(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    Some(match (year, month, day) {
        // Excel and LibreOffice write these dates before a time.
        (1899, 12, 30 | 31) => Day::Placeholder,
        (..1900, ..) => Day::Earlier,
        (1900, 2, 29) => Day::Serial(LEAP_DAY_1900),
        _ => {
            let (years, months) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
            let days =
                years * 365 + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1 - DAYS_TO_1900;
            Day::Serial(days + u32::from(days >= LEAP_DAY_1900))
        }
    })
}

/// Parses `14:30`, `14:30:00` or `14:30:00.5` into seconds. A time zone is ignored, because sheets show local time.
fn parse_time(text: &str) -> Option<f64> {
    let text = text.split(['Z', 'z', '+', '-']).next()?;
    let mut parts = text.split(':');
    let hours = parse_integer(parts.next()?, 24)?;
    let minutes = parse_integer(parts.next()?, 59)?;
    let seconds = parts.next().map_or(Some(0.0), parse_decimal)?;
    (parts.next().is_none() && seconds <= 60.0).then_some(f64::from(hours * 3_600 + minutes * 60) + seconds)
}

/// Parses `P1DT2H3M4.5S` into seconds. Years and months have no fixed length and aren't supported.
fn parse_duration(text: &str) -> Option<f64> {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |text| (-1.0, text));
    let (days, time) = text.strip_prefix('P').map(|rest| rest.split_once('T').unwrap_or((rest, "")))?;
    let (mut sum, mut count) = (0.0, 0);
    for (mut rest, units) in [
        (days, &[('W', 7.0 * DAY_SECONDS), ('D', DAY_SECONDS)][..]),
        (time, &[('H', 3_600.0), ('M', 60.0), ('S', 1.0)]),
    ] {
        for &(unit, seconds) in units {
            if let Some((number, after)) = rest.split_once(unit) {
                sum += parse_decimal(number)? * seconds;
                (rest, count) = (after, count + 1);
            }
        }
        if !rest.is_empty() {
            return None;
        }
    }
    (count > 0).then_some(sum * sign)
}

fn parse_integer(text: &str, max: u32) -> Option<u32> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && *number <= max)
}

/// Parses a decimal, rounded to thousandths.
fn parse_decimal(text: &str) -> Option<f64> {
    let (before, after) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let is_number = (1..=9).contains(&before.len()) && before.bytes().chain(after.bytes()).all(|b| b.is_ascii_digit());
    let before = before.parse::<u32>().ok().filter(|_| is_number)?;
    let digit = |index: usize| after.as_bytes().get(index).map_or(0, |b| u32::from(b - b'0'));
    let thousandths = digit(0) * 100 + digit(1) * 10 + digit(2) + u32::from(digit(3) > 4);
    Some(f64::from(before) + f64::from(thousandths) / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, format: Format, from_1904: bool) -> String {
        let mut out = String::new();
        write_iso_date(text, &format, from_1904, &mut out);
        out
    }

    #[test]
    fn shows_iso_dates_without_fractions_and_zones() {
        for (text, shown) in [
            ("2024-01-01T00:00:00", "2024-01-01"),
            ("2024-01-01T08:30:00.000Z", "2024-01-01 08:30:00"),
            ("2024-01-01T08:30:00.75", "2024-01-01 08:30:00"),
            ("2024-01-01T08:29:59.9999996Z", "2024-01-01 08:30:00"),
            ("2024-12-31T23:59:59.9999", "2025-01-01"),
            ("2024-01-01T08:30:00+02:00", "2024-01-01 08:30:00"),
            ("2024-01-01 08:30", "2024-01-01 08:30:00"),
            ("2024-01-01", "2024-01-01"),
            ("2024-02-29", "2024-02-29"),
            ("9999-12-31", "9999-12-31"),
            ("14:30:00", "14:30:00"),
            ("14:30:00.5Z", "14:30:00"),
            ("T07:05", "07:05:00"),
            ("1899-12-30T12:15:00", "12:15:00"),
            ("1899-12-31T12:15:00Z", "12:15:00"),
        ] {
            assert_eq!(show(text, Format::Plain, false), shown, "{text}");
            assert_eq!(show(text, Format::Date { has_day: true }, false), shown, "{text}");
        }
        assert_eq!(show("1899-12-31T06:30:00", Format::Duration, false), "06:30:00");
        assert_eq!(show("1900-01-01T06:30:00", Format::Duration, false), "30:30:00");
    }

    #[test]
    fn shows_iso_dates_before_march_1900() {
        for text in ["1900-01-01", "1900-02-28", "1900-02-29", "1900-03-01", "1850-05-03", "0001-01-01"] {
            assert_eq!(show(text, Format::Plain, false), text);
        }
        assert_eq!(show("1850-05-03T10:20:30", Format::Plain, false), "1850-05-03 10:20:30");
        assert_eq!(show("1903-12-31T10:20:30", Format::Plain, true), "1903-12-31 10:20:30");
        assert_eq!(show("1904-01-01", Format::Plain, true), "1904-01-01");
        assert_eq!(show("2024-01-01T12:00:00", Format::Plain, true), "2024-01-01 12:00:00");
    }

    #[test]
    fn shows_iso_durations_as_hours_minutes_and_seconds() {
        for (text, shown) in [
            ("PT12H30M", "12:30:00"),
            ("PT30H05M07.25S", "30:05:07"),
            ("P1DT2H", "26:00:00"),
            ("P2W", "336:00:00"),
            ("-PT1.5H", "-01:30:00"),
            ("PT59.9996S", "00:01:00"),
        ] {
            assert_eq!(show(text, Format::Plain, false), shown, "{text}");
            assert_eq!(show(text, Format::Date { has_day: false }, false), shown, "{text}");
        }
    }

    #[test]
    fn leaves_other_texts_unchanged() {
        for text in [
            "",
            "P1Y2M",
            "P",
            "PT",
            "PT8X",
            "PT5S3H",
            "2024-13-01",
            "2023-02-29",
            "2024-04-31T08:30:00",
            "2024-1-1",
            "24-01-01",
            "2024-01-01T25:00",
            "12:60",
            "soon",
            "45292",
            "2024-01-01T1:2:3:4",
        ] {
            assert_eq!(show(text, Format::Plain, false), text);
        }
    }
}
