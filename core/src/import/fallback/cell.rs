//! A workbook's cell as the text that a person sees in it.

use calamine::{DataType, ExcelDateTime};
use std::fmt::Write;

/// How a number is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Plain,
    /// Filled up with zeros to so many digits, as `00000` asks for.
    Zeros(usize),
    Percent,
}

impl Format {
    /// What a number format asks for, as far as a number isn't seen as it is.
    pub(super) fn of(code: &str) -> Format {
        let code = code.split(';').next().unwrap_or_default();
        if code.len() > 1 && code.bytes().all(|b| b == b'0') {
            // A spreadsheet's format has no more characters than these.
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

/// Writes a cell: whole numbers without a fraction and with as many digits as its format fills up with zeros, never in
/// scientific notation; dates and times by the cell's format, errors by their name.
pub(super) fn write<C: DataType>(cell: &C, format: Format, out: &mut String) {
    if let Some(text) = cell.get_string() {
        out.push_str(text);
    } else if let Some(value) = cell.get_float() {
        // No sheet holds one that isn't finite, and no program shows it otherwise.
        if value.is_finite() { number(value, format, out) } else { out.push_str("#NUM!") }
    } else if let Some(value) = cell.get_int() {
        number(value as f64, format, out);
    } else if let Some(value) = cell.get_bool() {
        out.push_str(if value { "TRUE" } else { "FALSE" });
    } else if let Some(value) = cell.get_datetime() {
        moment(value, out);
    } else if let Some(value) = cell.get_datetime_iso() {
        date(value, out);
    } else if let Some(value) = cell.get_duration_iso() {
        duration(value, out);
    } else if let Some(error) = cell.get_error() {
        out.push_str(&error.to_string());
    }
}

/// A spreadsheet knows no number between 0 and the least float of full precision.
fn held(value: f64) -> f64 {
    if value.is_subnormal() { 0.0 } else { value }
}

fn number(value: f64, format: Format, out: &mut String) {
    let value = held(value);
    match format {
        Format::Percent if (value * 100.0).is_finite() => {
            plain(value * 100.0, 0, out);
            out.push('%');
        }
        Format::Zeros(zeros) => plain(value, zeros, out),
        Format::Plain | Format::Percent => plain(value, 0, out),
    }
}

fn plain(value: f64, zeros: usize, out: &mut String) {
    // A spreadsheet keeps 15 digits, and what it computes is off in those after them.
    let seen: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    // Below 10^15 a float holds every whole number exactly.
    if seen.fract() == 0.0 && seen.abs() < 1e15 {
        return whole(seen as i64, zeros, out);
    }
    let _ = write!(out, "{seen}");
}

fn whole(value: i64, zeros: usize, out: &mut String) {
    let _ = if value < 0 { write!(out, "{value}") } else { write!(out, "{value:0>zeros$}") };
}

fn moment(value: ExcelDateTime, out: &mut String) {
    let serial = held(value.as_f64());
    if !serial.is_finite() {
        return out.push_str("#NUM!");
    }
    // Before the first day and after the last one a spreadsheet shows no date either.
    if !(0.0..2_958_466.0).contains(&serial) && !value.is_duration() {
        return plain(serial, 0, out);
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

/// Writes a moment that is written out, such as `2024-05-03T14:30:00`: midnight is left out, and parts of a second.
pub(super) fn date(value: &str, out: &mut String) {
    let (day, time) = value.split_once('T').unwrap_or((value, ""));
    let time = time.trim_end_matches('Z').split('.').next().unwrap_or_default();
    out.push_str(day);
    if !matches!(time, "" | "00:00:00") {
        out.push(' ');
        out.push_str(time);
    }
}

/// A duration such as `PT08H30M00S`, as the clock shows it; what is none is left as it stands.
pub(super) fn duration(value: &str, out: &mut String) {
    let Some(mut rest) = value.strip_prefix("PT") else { return out.push_str(value) };
    let mut part = |unit: char| {
        let (number, after) = rest.split_once(unit)?;
        let seconds: u64 = number.split(['.', ',']).next()?.parse().ok()?;
        rest = after;
        Some(seconds)
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

    fn seen(cell: Data) -> String {
        let mut out = String::new();
        write(&cell, Format::default(), &mut out);
        out
    }
    fn at(serial: f64, kind: ExcelDateTimeType) -> String {
        seen(Data::DateTime(ExcelDateTime::new(serial, kind, false)))
    }

    #[test]
    fn a_number_is_seen_without_exponent_or_needless_fraction() {
        assert_eq!(seen(Data::Float(46_701_234_567.0)), "46701234567");
        assert_eq!(seen(Data::Float(123_456_789_012_345.0)), "123456789012345");
        assert_eq!(seen(Data::Float(0.1 + 0.2)), "0.3");
        assert_eq!(seen(Data::Float(-1.5)), "-1.5");
        assert_eq!(seen(Data::Float(1e20)), "100000000000000000000");
        assert_eq!(seen(Data::Float(0.000_000_1)), "0.0000001");
        assert_eq!(seen(Data::Float(-1e-310)), "0");
        assert_eq!(seen(Data::Float(f64::NAN)), "#NUM!");
        assert_eq!(seen(Data::Int(-7)), "-7");
    }

    #[test]
    fn a_format_of_zeros_fills_a_number_up_and_a_percentage_is_seen_as_one() {
        let seen = |value: f64, code: &str| {
            let mut out = String::new();
            write(&Data::Float(value), Format::of(code), &mut out);
            out
        };
        assert_eq!(seen(701_234_567.0, "0000000000"), "0701234567");
        assert_eq!(seen(7.0, "00000;-00000"), "00007");
        assert_eq!(seen(0.1 * 3.0, "0%"), "30%");
        assert_eq!(seen(0.125, "0.0 %;[Red]-0.0 %"), "12.5%");
        assert_eq!(seen(0.5, "0\\%"), "0.5");
        assert_eq!(seen(0.5, "0\"%\""), "0.5");
        assert_eq!(["0", "0.00", "General"].map(Format::of), [Format::Plain; 3]);
    }

    #[test]
    fn a_duration_is_seen_as_a_clock_shows_it() {
        assert_eq!(seen(Data::DurationIso("PT08H30M00S".into())), "08:30:00");
        assert_eq!(seen(Data::DurationIso("PT30H05M07.25S".into())), "30:05:07");
        for other in ["P1D", "PT8X", "PT08H30"] {
            assert_eq!(seen(Data::DurationIso(other.into())), other);
        }
    }

    #[test]
    fn a_date_is_seen_by_its_format() {
        assert_eq!(at(45_292.0, ExcelDateTimeType::DateTime), "2024-01-01");
        assert_eq!(at(45_292.791_666_666_7, ExcelDateTimeType::DateTime), "2024-01-01 19:00:00");
        assert_eq!(at(0.5, ExcelDateTimeType::DateTime), "12:00:00");
        assert_eq!(at(1.25, ExcelDateTimeType::TimeDelta), "30:00:00");
        assert_eq!(at(-3.0, ExcelDateTimeType::DateTime), "-3");
        assert_eq!(at(1e12, ExcelDateTimeType::DateTime), "1000000000000");
        assert_eq!(at(f64::INFINITY, ExcelDateTimeType::DateTime), "#NUM!");
        assert_eq!(seen(Data::DateTimeIso("2024-01-01T00:00:00".into())), "2024-01-01");
        assert_eq!(seen(Data::DateTimeIso("2024-01-01T08:30:00Z".into())), "2024-01-01 08:30:00");
    }

    #[test]
    fn truths_and_errors_are_seen_by_their_names() {
        assert_eq!(seen(Data::Bool(true)), "TRUE");
        assert_eq!(seen(Data::Error(CellErrorType::NA)), "#N/A");
        assert_eq!(seen(Data::Empty), "");
    }
}
