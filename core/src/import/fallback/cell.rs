//! Formats the cells that calamine returns, and the ISO 8601 dates and durations of .ods.

use calamine::{DataType, ExcelDateTime};
use std::fmt::Write;

/// How a number is written as text. Dates and durations aren't included, because calamine recognises them itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Plain,
    /// Padded with zeros to this number of digits, as by the format code `00000`.
    Zeros(usize),
    Percent,
}

impl Format {
    /// Returns how a number with this format code is written as text.
    pub(super) fn parse(code: &str) -> Format {
        let code = code.split(';').next().unwrap_or_default();
        if code.len() > 1 && code.bytes().all(|b| b == b'0') {
            // The maximum length of a format code.
            return Format::Zeros(code.len().min(255));
        }
        let (mut quoted, mut escaped) = (false, false);
        let is_percent = code.chars().any(|c| {
            let is_meant = !quoted && !escaped;
            escaped = is_meant && matches!(c, '\\' | '_' | '*');
            quoted ^= c == '"' && (is_meant || quoted);
            is_meant && c == '%'
        });
        if is_percent { Format::Percent } else { Format::Plain }
    }
}

/// Writes a cell as the import's text: integers without a fraction, padded with zeros if the format says so, and never
/// in scientific notation; dates as `yyyy-MM-dd`, followed by a space and `hh:mm:ss` unless the time is midnight; times
/// as `hh:mm:ss`; errors by their names.
pub(super) fn write<C: DataType>(cell: &C, format: Format, out: &mut String) {
    if let Some(text) = cell.get_string() {
        out.push_str(text);
    } else if let Some(value) = cell.get_float() {
        // Spreadsheet programs show numbers that aren't finite as an error.
        if value.is_finite() { write_number(value, format, out) } else { out.push_str("#NUM!") }
    } else if let Some(value) = cell.get_int() {
        write_number(value as f64, format, out);
    } else if let Some(value) = cell.get_bool() {
        out.push_str(if value { "TRUE" } else { "FALSE" });
    } else if let Some(value) = cell.get_datetime() {
        write_datetime(value, out);
    } else if let Some(value) = cell.get_datetime_iso() {
        write_iso_date(value, out);
    } else if let Some(value) = cell.get_duration_iso() {
        write_iso_duration(value, out);
    } else if let Some(error) = cell.get_error() {
        out.push_str(&error.to_string());
    }
}

/// Returns 0 for subnormal numbers, as spreadsheets do.
fn flush_subnormal(value: f64) -> f64 {
    if value.is_subnormal() { 0.0 } else { value }
}

fn write_number(value: f64, format: Format, out: &mut String) {
    let value = flush_subnormal(value);
    match format {
        Format::Percent if (value * 100.0).is_finite() => {
            write_plain(value * 100.0, 0, out);
            out.push('%');
        }
        Format::Zeros(zeros) => write_plain(value, zeros, out),
        Format::Plain | Format::Percent => write_plain(value, 0, out),
    }
}

fn write_plain(value: f64, zeros: usize, out: &mut String) {
    // Spreadsheets keep 15 digits; further digits are rounding errors of formulas.
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    // Below 10^15, floats represent all integers exactly.
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        let integer = rounded as i64;
        let _ = if integer < 0 { write!(out, "{integer}") } else { write!(out, "{integer:0>zeros$}") };
    } else {
        let _ = write!(out, "{rounded}");
    }
}

fn write_datetime(value: ExcelDateTime, out: &mut String) {
    let serial = flush_subnormal(value.as_f64());
    if !serial.is_finite() {
        return out.push_str("#NUM!");
    }
    // Numbers outside of the range of dates are shown as numbers, as spreadsheets do.
    if !(0.0..2_958_466.0).contains(&serial) && !value.is_duration() {
        return write_plain(serial, 0, out);
    }
    let _ = if value.is_duration() {
        let seconds = (serial.abs() * 86_400.0).round() as u64;
        let sign = if serial < 0.0 { "-" } else { "" };
        write!(out, "{sign}{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    } else {
        let (year, month, day, hour, minute, second, _) = value.to_ymd_hms_milli();
        if serial < 1.0 {
            write!(out, "{hour:02}:{minute:02}:{second:02}")
        } else if (hour, minute, second) == (0, 0, 0) {
            write!(out, "{year:04}-{month:02}-{day:02}")
        } else {
            write!(out, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
        }
    };
}

/// Writes an ISO 8601 date such as `2024-05-03T14:30:00` as `2024-05-03 14:30:00`, without fractions of a second, and
/// without the time if it is midnight.
pub(super) fn write_iso_date(value: &str, out: &mut String) {
    let (day, time) = value.split_once('T').unwrap_or((value, ""));
    let time = time.trim_end_matches('Z').split('.').next().unwrap_or_default();
    out.push_str(day);
    if !matches!(time, "" | "00:00:00") {
        out.push(' ');
        out.push_str(time);
    }
}

/// Writes an ISO 8601 duration such as `PT08H30M00S` as a clock time. Other texts are written unchanged.
pub(super) fn write_iso_duration(value: &str, out: &mut String) {
    let Some(mut rest) = value.strip_prefix("PT") else { return out.push_str(value) };
    let mut part = |unit: char| {
        let (number, after) = rest.split_once(unit)?;
        let count: u64 = number.split(['.', ',']).next()?.parse().ok()?;
        rest = after;
        Some(count)
    };
    let (hours, minutes, seconds) = (part('H'), part('M'), part('S'));
    if rest.is_empty() {
        let [hours, minutes, seconds] = [hours, minutes, seconds].map(Option::unwrap_or_default);
        let _ = write!(out, "{hours:02}:{minutes:02}:{seconds:02}");
    } else {
        out.push_str(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::{CellErrorType, Data, ExcelDateTimeType};

    fn shown(cell: Data) -> String {
        let mut out = String::new();
        write(&cell, Format::default(), &mut out);
        out
    }
    fn at(serial: f64, kind: ExcelDateTimeType) -> String {
        shown(Data::DateTime(ExcelDateTime::new(serial, kind, false)))
    }

    #[test]
    fn shows_numbers_without_exponent_or_trailing_zeros() {
        assert_eq!(shown(Data::Float(46_701_234_567.0)), "46701234567");
        assert_eq!(shown(Data::Float(123_456_789_012_345.0)), "123456789012345");
        assert_eq!(shown(Data::Float(0.1 + 0.2)), "0.3");
        assert_eq!(shown(Data::Float(-1.5)), "-1.5");
        assert_eq!(shown(Data::Float(1e20)), "100000000000000000000");
        assert_eq!(shown(Data::Float(0.000_000_1)), "0.0000001");
        assert_eq!(shown(Data::Float(-1e-310)), "0");
        assert_eq!(shown(Data::Float(f64::NAN)), "#NUM!");
        assert_eq!(shown(Data::Int(-7)), "-7");
    }

    #[test]
    fn applies_zero_padding_and_percent_formats() {
        let shown = |value: f64, code: &str| {
            let mut out = String::new();
            write(&Data::Float(value), Format::parse(code), &mut out);
            out
        };
        assert_eq!(shown(701_234_567.0, "0000000000"), "0701234567");
        assert_eq!(shown(7.0, "00000;-00000"), "00007");
        assert_eq!(shown(0.1 * 3.0, "0%"), "30%");
        assert_eq!(shown(0.125, "0.0 %;[Red]-0.0 %"), "12.5%");
        assert_eq!(shown(0.5, "0\\%"), "0.5");
        assert_eq!(shown(0.5, "0\"%\""), "0.5");
        assert_eq!(["0", "0.00", "General"].map(Format::parse), [Format::Plain; 3]);
    }

    #[test]
    fn shows_durations_as_clock_times() {
        assert_eq!(shown(Data::DurationIso("PT08H30M00S".into())), "08:30:00");
        assert_eq!(shown(Data::DurationIso("PT30H05M07.25S".into())), "30:05:07");
        for other in ["P1D", "PT8X", "PT08H30"] {
            assert_eq!(shown(Data::DurationIso(other.into())), other);
        }
    }

    #[test]
    fn shows_dates_and_times() {
        assert_eq!(at(45_292.0, ExcelDateTimeType::DateTime), "2024-01-01");
        assert_eq!(at(45_292.791_666_666_7, ExcelDateTimeType::DateTime), "2024-01-01 19:00:00");
        assert_eq!(at(0.5, ExcelDateTimeType::DateTime), "12:00:00");
        assert_eq!(at(1.25, ExcelDateTimeType::TimeDelta), "30:00:00");
        assert_eq!(at(-3.0, ExcelDateTimeType::DateTime), "-3");
        assert_eq!(at(1e12, ExcelDateTimeType::DateTime), "1000000000000");
        assert_eq!(at(f64::INFINITY, ExcelDateTimeType::DateTime), "#NUM!");
        assert_eq!(shown(Data::DateTimeIso("2024-01-01T00:00:00".into())), "2024-01-01");
        assert_eq!(shown(Data::DateTimeIso("2024-01-01T08:30:00Z".into())), "2024-01-01 08:30:00");
    }

    #[test]
    fn shows_booleans_and_errors_by_name() {
        assert_eq!(shown(Data::Bool(true)), "TRUE");
        assert_eq!(shown(Data::Error(CellErrorType::NA)), "#N/A");
        assert_eq!(shown(Data::Empty), "");
    }
}
