//! Formats the cells that calamine returns, and the ISO 8601 dates and durations of .ods.

use crate::import::number::{self, Format};
use calamine::{DataType, ExcelDateTime};
use std::fmt::Write;

/// Writes a cell as the import's text: numbers by their format; dates as `yyyy-MM-dd`, followed by a space and
/// `hh:mm:ss` unless the time is midnight; times as `hh:mm:ss`; errors by their names. calamine itself recognises the
/// numbers that are dates or durations.
pub(super) fn write<C: DataType>(cell: &C, format: &Format, out: &mut String) {
    if let Some(text) = cell.get_string() {
        out.push_str(text);
    } else if let Some(value) = cell.get_float() {
        number::write(value, format, false, out);
    } else if let Some(value) = cell.get_int() {
        number::write(value as f64, format, false, out);
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

fn write_datetime(value: ExcelDateTime, out: &mut String) {
    let serial = value.as_f64();
    if value.is_duration() {
        return number::write(serial, &Format::Duration, false, out);
    }
    // Numbers outside of the range of dates are shown as numbers, as spreadsheets do. Subnormal ones are 0.
    if !(0.0..2_958_466.0).contains(&serial) && !serial.is_subnormal() {
        return number::write(serial, &Format::Plain, false, out);
    }
    let (year, month, day, hour, minute, second, _) = value.to_ymd_hms_milli();
    let _ = if serial < 1.0 {
        write!(out, "{hour:02}:{minute:02}:{second:02}")
    } else if (hour, minute, second) == (0, 0, 0) {
        write!(out, "{year:04}-{month:02}-{day:02}")
    } else {
        write!(out, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
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
        write(&cell, &Format::Zeros(3), &mut out);
        out
    }
    fn at(serial: f64, kind: ExcelDateTimeType) -> String {
        shown(Data::DateTime(ExcelDateTime::new(serial, kind, false)))
    }

    #[test]
    fn shows_numbers_by_their_format() {
        assert_eq!(shown(Data::Float(7.0)), "007");
        assert_eq!(shown(Data::Float(0.1 + 0.2)), "0.3");
        assert_eq!(shown(Data::Float(f64::NAN)), "#NUM!");
        assert_eq!(shown(Data::Int(7)), "007");
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
