//! Floats from decimals and back, exactly rounded both ways. The standard library's own ways are faster for what is rare
//! here, but bring tables and two more ways each, a fifth of what a browser fetches to read a workbook.

/// The largest power of five in 32 bits.
const FIVES: u32 = 13;
/// How many bits of a float are its mantissa, and the exponent of the least of them in the smallest floats.
pub(super) const MANTISSA: i32 = 53;
pub(super) const LEAST: i32 = -1074;

/// A float, not 0, rounded to so many digits: these without the zeros at their end, and the power of ten that they are
/// times.
pub(super) fn rounded(value: f64, digits: u32) -> (u64, i32) {
    if let Some(found) = short(value.abs(), 10_u64.pow(digits)) {
        return found;
    }
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

/// As [`rounded`], of a float that is the nearest one to a decimal of few digits, as most are: no other decimal of so few
/// has the same nearest one. Both floats of the division are exact, so that what comes out is the nearest.
fn short(value: f64, most: u64) -> Option<(u64, i32)> {
    [(1.0, 0), (10.0, -1), (100.0, -2), (1_000.0, -3), (10_000.0, -4)].into_iter().find_map(|(ten, power)| {
        let number = (value * ten + 0.5) as u64;
        let is_it = number < most && number as f64 / ten == value && !number.is_multiple_of(10);
        is_it.then_some((number, power))
    })
}

/// A number without its last bits, and these; all of them are 64 at most.
pub(super) fn split(number: u64, bits: i32) -> (u64, u64) {
    let kept = number.checked_shr(bits as u32).unwrap_or_default();
    (kept, number - kept.checked_shl(bits as u32).unwrap_or_default())
}

/// The first 64 bits of a number, the power of two that they are times, and whether it had more.
pub(super) struct Scaled {
    pub top: u64,
    pub exponent: i32,
    pub is_cut: bool,
}

/// A whole number of any size, its lowest 32 bits first.
pub(super) struct Big(pub Vec<u32>);

impl Big {
    pub fn multiply(&mut self, factor: u32, plus: u32) {
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
    pub fn scaled(mut self, fives: i32, mut is_cut: bool) -> Scaled {
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
