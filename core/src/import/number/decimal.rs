//! Numbers in decimal notation, as .xlsx stores them.

use super::float::{BigInt, MANTISSA_BITS, MIN_EXPONENT, Scaled, split_off_low_bits};
use super::{Format, MAX_DIGITS, write};

/// More digits never change which float is closest, except that a non-zero digit may break a tie.
const MAX_PARSED_DIGITS: usize = 800;

/// Writes a decimal number by its format: integers without a fraction, and never in scientific notation. Returns false
/// if `raw` isn't a number.
#[inline]
pub(in crate::import) fn write_decimal(raw: &[u8], format: &Format, from_1904: bool, out: &mut String) -> bool {
    let raw = raw.trim_ascii();
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    let is_whole = digits.iter().all(u8::is_ascii_digit) && (1..=MAX_DIGITS).contains(&digits.len());
    if *format == Format::Plain && is_whole && (digits[0] != b'0' || raw == b"0") {
        out.extend(raw.iter().map(|&b| char::from(b)));
        return true;
    }
    if *format == Format::Plain
        && let Some(seen) = short_fraction(raw)
    {
        out.push_str(seen);
        return true;
    }
    let Some(value) = parse(raw) else { return false };
    write(value, format, from_1904, out);
    true
}

/// Returns a fraction that needs no change: at most 15 digits, and no superfluous zeros.
fn short_fraction(raw: &[u8]) -> Option<&str> {
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    let point = digits.iter().position(|&b| b == b'.')?;
    let (before, after) = (&digits[..point], &digits[point + 1..]);
    let is_short = before.len() + after.len() <= MAX_DIGITS
        && matches!((before, after), ([b'0'] | [b'1'..=b'9', ..], [.., b'1'..=b'9']));
    let is_plain = is_short && before.iter().chain(after).all(u8::is_ascii_digit);
    std::str::from_utf8(raw).ok().filter(|_| is_plain)
}

/// Returns the float that is closest to a decimal such as `-12.5`, `.5` or `1E-7`. `None` if it isn't a number or is
/// too large.
fn parse(raw: &[u8]) -> Option<f64> {
    let (is_negative, raw) = match raw {
        [b'-', raw @ ..] => (true, raw),
        [b'+', raw @ ..] => (false, raw),
        raw => (false, raw),
    };
    let split = raw.iter().position(|b| matches!(b, b'e' | b'E'));
    let (number, power) = split.map_or((raw, Some(0)), |at| (&raw[..at], parse_exponent(&raw[at + 1..])));
    let point = number.iter().position(|&b| b == b'.');
    let (before, after) = point.map_or((number, &[][..]), |at| (&number[..at], &number[at + 1..]));
    let is_number = before.len() + after.len() > 0 && before.iter().chain(after).all(u8::is_ascii_digit);
    let power = power.filter(|_| is_number)?;
    let mut digits = before.iter().chain(after).map(|b| b - b'0').skip_while(|&digit| digit == 0);
    // The position of the decimal point, counted from the first digit that isn't 0.
    let zeros = before.len() + after.len() - digits.clone().count();
    let point = power.saturating_add(before.len() as i32).saturating_sub(zeros as i32);
    let (mut number, mut count) = (BigInt(Vec::new()), 0);
    for digit in digits.by_ref().take(MAX_PARSED_DIGITS) {
        number.multiply(10, digit.into());
        count += 1;
    }
    let is_inexact = digits.any(|digit| digit > 0);
    let value = match point {
        _ if count == 0 => 0.0,
        ..-330 => 0.0,
        310.. => return None,
        _ => nearest_float(number.scale_by_five(point - count, is_inexact), point - count),
    };
    value.is_finite().then_some(if is_negative { -value } else { value })
}

/// Parses an exponent. It saturates beyond the range of floats.
fn parse_exponent(raw: &[u8]) -> Option<i32> {
    let digits = raw.strip_prefix(b"-").or(raw.strip_prefix(b"+")).unwrap_or(raw);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let power = digits.iter().fold(0_i32, |sum, b| sum.saturating_mul(10).saturating_add(i32::from(b - b'0')));
    Some(if raw[0] == b'-' { -power } else { power })
}

/// Returns the float that is closest to a scaled number times a power of two.
fn nearest_float(scaled: Scaled, twos: i32) -> f64 {
    let exponent = scaled.exponent + twos;
    // Subnormal floats have fewer bits.
    let dropped = (64 - MANTISSA_BITS).max(MIN_EXPONENT - exponent);
    if dropped > 64 {
        return 0.0;
    }
    let (kept, rest) = split_off_low_bits(scaled.top, dropped);
    let half = 1 << (dropped - 1);
    let is_up = rest > half || (rest == half && (scaled.is_inexact || kept & 1 == 1));
    let (mut mantissa, exponent) = (kept + u64::from(is_up), exponent + dropped);
    let mut biased = exponent - MIN_EXPONENT + 1;
    if mantissa >> MANTISSA_BITS > 0 {
        (mantissa, biased) = (mantissa >> 1, biased + 1);
    }
    match biased {
        2047.. => f64::INFINITY,
        // Subnormal floats have the same exponent as the smallest normal ones.
        _ if mantissa >> (MANTISSA_BITS - 1) == 0 => f64::from_bits(mantissa),
        _ => f64::from_bits(((biased as u64) << (MANTISSA_BITS - 1)) + (mantissa & ((1 << (MANTISSA_BITS - 1)) - 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::float::round_to_digits;
    use super::*;

    const DAY: Format = Format::Date { has_day: true };
    const TIME: Format = Format::Date { has_day: false };

    fn shown(raw: &str, format: Format, from_1904: bool) -> Option<String> {
        let mut out = String::new();
        write_decimal(raw.as_bytes(), &format, from_1904, &mut out).then_some(out)
    }
    fn shown_by(raw: &str, format: Format) -> String {
        shown(raw, format, false).unwrap_or_else(|| panic!("{raw} is a number"))
    }

    #[test]
    fn shows_numbers_without_exponent_or_trailing_zeros() {
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
            ("-1E-310", "0"),
            ("1.0", "1"),
            ("0", "0"),
            ("-0", "0"),
            ("007", "7"),
            (" 12 ", "12"),
        ] {
            assert_eq!(shown_by(raw, Format::Plain), text, "{raw}");
        }
        for raw in ["", "-", "inf", "NaN", "1e999", "0x10", "1 2", "--1", "1,5", "å"] {
            assert_eq!(shown(raw, Format::Plain, false), None, "{raw}");
        }
    }

    #[test]
    fn shows_numbers_by_their_format() {
        assert_eq!(shown_by("701234567", Format::Zeros(10)), "0701234567");
        assert_eq!(shown_by("-5", Format::Zeros(3)), "-5");
        assert_eq!(shown_by("0.15", Format::Percent), "15%");
        assert_eq!(shown_by("0.07", Format::Percent), "7%");
        assert_eq!(shown_by("0.125", Format::Percent), "12.5%");
        assert_eq!(shown_by("1e308", Format::Percent).len(), 309);
        assert_eq!(shown_by("1.25", Format::Duration), "30:00:00");
        assert_eq!(shown_by("-0.5", Format::Duration), "-12:00:00");
    }

    #[test]
    fn shows_dates_and_times() {
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
            assert_eq!(shown_by(raw, DAY), text, "{raw}");
        }
        assert_eq!(shown_by("0.25", TIME), "06:00:00");
    }

    #[test]
    fn dates_from_1904_are_four_years_later() {
        assert_eq!(shown("0", DAY, true).as_deref(), Some("1904-01-01"));
        assert_eq!(shown("0.5", TIME, true).as_deref(), Some("12:00:00"));
        assert_eq!(shown("43830", DAY, true).as_deref(), Some("2024-01-01"));
        assert_eq!(shown("2957003", DAY, true).as_deref(), Some("9999-12-31"));
        assert_eq!(shown("2957004", DAY, true).as_deref(), Some("2957004"));
    }

    /// Rounds to 15 digits with the standard library, as a reference for [`round_to_digits`].
    fn std_rounded(value: f64) -> (u64, i32) {
        let text = format!("{:.14e}", value.abs());
        let (digits, power) = text.split_once('e').unwrap();
        let digits = digits.replace('.', "");
        let kept = digits.trim_end_matches('0');
        (kept.parse().unwrap(), power.parse::<i32>().unwrap() - (kept.len() as i32 - 1))
    }

    /// A deterministic pseudo-random generator (xorshift).
    fn xorshift(seed: &mut u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    }

    fn check(value: f64, raw: &str) {
        let bits = |value: Option<f64>| value.map(f64::to_bits);
        assert_eq!(bits(parse(raw.as_bytes())), bits(Some(value).filter(|value| value.is_finite())), "{raw}");
        if value.is_finite() && value != 0.0 {
            assert_eq!(round_to_digits(value, 15), std_rounded(value), "{value:e}");
        }
    }

    #[test]
    fn parses_and_rounds_floats_like_the_standard_library() {
        let rounds = std::option_env!("FLOATS").and_then(|rounds| rounds.parse().ok()).unwrap_or(5_000);
        let seed = &mut 0x5EED;
        for _ in 0..rounds {
            let value = f64::from_bits(xorshift(seed));
            if value.is_finite() {
                for raw in
                    [format!("{value:e}"), format!("{value:.16e}"), format!("{value:E}"), format!("{value:.30e}")]
                {
                    check(raw.parse().unwrap(), &raw);
                }
            }
            // Typical values of sheets: amounts, dates with times, shares, and results of formulas.
            let value = (xorshift(seed) % 10_000_000_000) as f64 / 10_f64.powi((xorshift(seed) % 9) as i32);
            for value in [value, value * 1.1, value / 3.0, value * 100.0] {
                for raw in [format!("{value}"), format!("{value:.17}"), format!("-{value:.3}")] {
                    check(raw.parse().unwrap(), &raw);
                }
            }
            // Halfway between two floats, and close to it.
            let value = f64::from_bits(xorshift(seed) % (1 << 52) + ((1023 + xorshift(seed) % 60) << 52));
            let half = (u128::from(value as u64) << 1) + 1;
            for raw in
                [format!("{half}"), format!("{}.5", value as u64), format!("{}.50000000000000000000001", value as u64)]
            {
                check(raw.parse().unwrap(), &raw);
            }
        }
    }

    #[test]
    fn parses_edge_cases_exactly() {
        let long = format!("0.{}1", "0".repeat(900));
        let behind = format!("9007199254740993{}1", ".".to_owned() + &"0".repeat(900));
        for raw in [
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e23",
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740991.5",
            "0e999999999999",
            "1e-999999999999",
            "1e999999999999",
            "00012.500",
            "1.",
            ".5",
            "+7",
            "0.000",
            "-0",
            "1e+5",
            "1E05",
            &long,
            &behind,
        ] {
            check(raw.parse().unwrap(), raw);
        }
        for raw in ["", ".", "-", "+", "e5", ".e5", "1e", "1e+", "1e1.5", "1..2", "--1", "1_0", "inf", "NaN", " 1"] {
            assert_eq!(parse(raw.as_bytes()), None, "{raw}");
        }
    }
}
