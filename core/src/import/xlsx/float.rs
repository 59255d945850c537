//! Floats from decimals and back, exactly rounded both ways. The standard library's own ways are faster for what is rare
//! here, but bring tables and two more ways each, a fifth of what a browser fetches to read a workbook.

/// More digits than these never change which float is nearest, but for whether there is anything behind them.
const MOST_DIGITS: usize = 800;
/// The largest power of five in 32 bits.
const FIVES: u32 = 13;
/// How many bits of a float are its mantissa, and the exponent of the least of them in the smallest floats.
const MANTISSA: i32 = 53;
const LEAST: i32 = -1074;

/// The float nearest to a number as it is written: `-12.5`, `.5`, `1E-7`. None for what is no number, or too large.
pub(super) fn parse(raw: &[u8]) -> Option<f64> {
    let (is_negative, raw) = match raw {
        [b'-', raw @ ..] => (true, raw),
        [b'+', raw @ ..] => (false, raw),
        raw => (false, raw),
    };
    let split = raw.iter().position(|b| matches!(b, b'e' | b'E'));
    let (number, power) = split.map_or((raw, Some(0)), |at| (&raw[..at], exponent(&raw[at + 1..])));
    let point = number.iter().position(|&b| b == b'.');
    let (before, after) = point.map_or((number, &[][..]), |at| (&number[..at], &number[at + 1..]));
    let is_number = before.len() + after.len() > 0 && before.iter().chain(after).all(u8::is_ascii_digit);
    let power = power.filter(|_| is_number)?;
    let mut digits = before.iter().chain(after).map(|b| b - b'0').skip_while(|&digit| digit == 0);
    // Where the point is, counted from the first digit that isn't 0.
    let zeros = before.len() + after.len() - digits.clone().count();
    let place = power.saturating_add(before.len() as i32).saturating_sub(zeros as i32);
    let (mut number, mut count) = (Big(Vec::new()), 0);
    for digit in digits.by_ref().take(MOST_DIGITS) {
        number.multiply(10, digit.into());
        count += 1;
    }
    let is_cut = digits.any(|digit| digit > 0);
    let value = match place {
        _ if count == 0 => 0.0,
        ..-330 => 0.0,
        310.. => return None,
        _ => nearest(number.scaled(place - count, is_cut), place - count),
    };
    value.is_finite().then_some(if is_negative { -value } else { value })
}

/// What stands behind the `e`; more than any float has comes to the same.
fn exponent(raw: &[u8]) -> Option<i32> {
    let digits = raw.strip_prefix(b"-").or(raw.strip_prefix(b"+")).unwrap_or(raw);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let power = digits.iter().fold(0_i32, |sum, b| sum.saturating_mul(10).saturating_add(i32::from(b - b'0')));
    Some(if raw[0] == b'-' { -power } else { power })
}

/// The float nearest to a scaled number times a power of two.
fn nearest(scaled: Scaled, twos: i32) -> f64 {
    let exponent = scaled.exponent + twos;
    // In the smallest floats fewer bits have room.
    let dropped = (64 - MANTISSA).max(LEAST - exponent);
    if dropped > 64 {
        return 0.0;
    }
    let (kept, rest) = split(scaled.top, dropped);
    let half = 1 << (dropped - 1);
    let is_up = rest > half || (rest == half && (scaled.is_cut || kept & 1 == 1));
    let (mut mantissa, exponent) = (kept + u64::from(is_up), exponent + dropped);
    let mut biased = exponent - LEAST + 1;
    if mantissa >> MANTISSA > 0 {
        (mantissa, biased) = (mantissa >> 1, biased + 1);
    }
    match biased {
        2047.. => f64::INFINITY,
        // The exponent of those that are smaller still is the same as that of the next ones.
        _ if mantissa >> (MANTISSA - 1) == 0 => f64::from_bits(mantissa),
        _ => f64::from_bits(((biased as u64) << (MANTISSA - 1)) + (mantissa & ((1 << (MANTISSA - 1)) - 1))),
    }
}

/// A float, not 0, rounded to so many digits: these without the zeros at their end, and the power of ten that they are
/// times.
pub(super) fn rounded(value: f64, digits: u32) -> (u64, i32) {
    let (mantissa, biased) =
        (value.to_bits() & ((1 << (MANTISSA - 1)) - 1), (value.to_bits() >> (MANTISSA - 1)) & 0x7FF);
    let mantissa = if biased == 0 { mantissa } else { mantissa | 1 << (MANTISSA - 1) };
    let exponent = LEAST + (biased as i32).max(1) - 1;
    // At least one digit more than are asked for, and at most three.
    let length = exponent + 64 - mantissa.leading_zeros() as i32;
    let mut power = length * 30_103 / 100_000 - 1 - (digits as i32 + 1);
    let scaled = Big(vec![mantissa as u32, (mantissa >> 32) as u32]).scaled(-power, false);
    let (mut number, rest) = split(scaled.top, -(scaled.exponent + exponent - power));
    let (mut is_cut, mut last) = (rest > 0 || scaled.is_cut, 0);
    while number >= 10_u64.pow(digits) {
        is_cut |= last > 0;
        (last, number, power) = (number % 10, number / 10, power + 1);
    }
    number += u64::from(last > 5 || (last == 5 && (is_cut || number % 2 == 1)));
    while number % 10 == 0 {
        (number, power) = (number / 10, power + 1);
    }
    (number, power)
}

/// A number without its last bits, and these; all of them are 64 at most.
fn split(number: u64, bits: i32) -> (u64, u64) {
    let kept = number.checked_shr(bits as u32).unwrap_or_default();
    (kept, number - kept.checked_shl(bits as u32).unwrap_or_default())
}

/// The first 64 bits of a number, the power of two that they are times, and whether it had more.
struct Scaled {
    top: u64,
    exponent: i32,
    is_cut: bool,
}

/// A whole number of any size, its lowest 32 bits first.
struct Big(Vec<u32>);

impl Big {
    fn multiply(&mut self, factor: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(factor);
            (*part, carry) = (carry as u32, carry >> 32);
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Whether something was left over.
    fn divide(&mut self, divisor: u32) -> bool {
        let mut rest = 0;
        for part in self.0.iter_mut().rev() {
            let whole = rest << 32 | u64::from(*part);
            (*part, rest) = ((whole / u64::from(divisor)) as u32, whole % u64::from(divisor));
        }
        self.trim();
        rest > 0
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// The number, not 0, times a power of five.
    fn scaled(mut self, fives: i32, mut is_cut: bool) -> Scaled {
        self.trim();
        // As many bits as the division takes, and those that shall be left.
        let parts = if fives < 0 { fives.unsigned_abs() as usize * 7 / 3 / 32 + 5 } else { 3 };
        let added = parts.saturating_sub(self.0.len());
        self.0.splice(..0, std::iter::repeat_n(0, added));
        let mut left = fives.unsigned_abs();
        while left > 0 {
            let power = 5_u32.pow(left.min(FIVES));
            if fives < 0 {
                is_cut |= self.divide(power);
            } else {
                self.multiply(power, 0);
            }
            left -= left.min(FIVES);
        }
        let count = self.0.len();
        let shift = self.0[count - 1].leading_zeros();
        let [high, middle, low] = [1, 2, 3].map(|place| u128::from(self.0[count - place]));
        let bits = (high << 64 | middle << 32 | low) << shift;
        is_cut |= bits as u32 > 0 || self.0[..count - 3].iter().any(|&part| part > 0);
        Scaled { top: (bits >> 32) as u64, exponent: (count as i32 - 2 - added as i32) * 32 - shift as i32, is_cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the standard library says.
    fn exact(value: f64) -> (u64, i32) {
        let text = format!("{:.14e}", value.abs());
        let (digits, power) = text.split_once('e').unwrap();
        let digits = digits.replace('.', "");
        let kept = digits.trim_end_matches('0');
        (kept.parse().unwrap(), power.parse::<i32>().unwrap() - (kept.len() as i32 - 1))
    }

    /// Numbers that are the same in every run, by xorshift.
    fn dice(seed: &mut u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    }

    fn holds(value: f64, raw: &str) {
        let bits = |value: Option<f64>| value.map(f64::to_bits);
        assert_eq!(bits(parse(raw.as_bytes())), bits(Some(value).filter(|value| value.is_finite())), "{raw}");
        if value.is_finite() && value != 0.0 {
            assert_eq!(rounded(value, 15), exact(value), "{value:e}");
        }
    }

    #[test]
    fn floats_are_read_and_rounded_as_the_standard_library_does() {
        let rounds = std::option_env!("FLOATS").and_then(|rounds| rounds.parse().ok()).unwrap_or(5_000);
        let seed = &mut 0x5EED;
        for _ in 0..rounds {
            let value = f64::from_bits(dice(seed));
            if value.is_finite() {
                for raw in
                    [format!("{value:e}"), format!("{value:.16e}"), format!("{value:E}"), format!("{value:.30e}")]
                {
                    holds(raw.parse().unwrap(), &raw);
                }
            }
            // Such as sheets are full of: amounts, days with times, shares, computed ones.
            let value = (dice(seed) % 10_000_000_000) as f64 / 10_f64.powi((dice(seed) % 9) as i32);
            for value in [value, value * 1.1, value / 3.0, value * 100.0] {
                for raw in [format!("{value}"), format!("{value:.17}"), format!("-{value:.3}")] {
                    holds(raw.parse().unwrap(), &raw);
                }
            }
            // Halfway between two of them, and beside that.
            let value = f64::from_bits(dice(seed) % (1 << 52) + ((1023 + dice(seed) % 60) << 52));
            let half = (u128::from(value as u64) << 1) + 1;
            for raw in
                [format!("{half}"), format!("{}.5", value as u64), format!("{}.50000000000000000000001", value as u64)]
            {
                holds(raw.parse().unwrap(), &raw);
            }
        }
    }

    #[test]
    fn floats_at_the_edges_are_exact() {
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
            holds(raw.parse().unwrap(), raw);
        }
        for raw in ["", ".", "-", "+", "e5", ".e5", "1e", "1e+", "1e1.5", "1..2", "--1", "1_0", "inf", "NaN", " 1"] {
            assert_eq!(parse(raw.as_bytes()), None, "{raw}");
        }
    }
}
