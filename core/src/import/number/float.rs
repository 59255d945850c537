//! Correctly rounded conversion between floats and decimals. The standard library's would enlarge the wasm module by a
//! fifth, with its tables and additional fast paths.

/// The largest exponent for which a power of five fits in 32 bits.
const MAX_FIVES: u32 = 13;
/// The number of bits of a float's mantissa. `MIN_EXPONENT` is the power of two of the lowest bit of subnormal floats.
pub(super) const MANTISSA_BITS: i32 = 53;
pub(super) const MIN_EXPONENT: i32 = -1074;

/// Rounds a non-zero float to `digits` significant digits. Returns the decimal digits without trailing zeros and their
/// power of ten.
pub(super) fn round_to_digits(value: f64, digits: u32) -> (u64, i32) {
    if let Some(found) = shortest_decimal(value.abs(), 10_u64.pow(digits)) {
        return found;
    }
    let (mantissa, biased) =
        (value.to_bits() & ((1 << (MANTISSA_BITS - 1)) - 1), (value.to_bits() >> (MANTISSA_BITS - 1)) & 0x7FF);
    let mantissa = if biased == 0 { mantissa } else { mantissa | 1 << (MANTISSA_BITS - 1) };
    let exponent = MIN_EXPONENT + (biased as i32).max(1) - 1;
    // The scaled number gets one to three digits more than requested.
    let length = exponent + 64 - mantissa.leading_zeros() as i32;
    let mut power = length * 30_103 / 100_000 - 1 - (digits as i32 + 1);
    let scaled = BigInt(vec![mantissa as u32, (mantissa >> 32) as u32]).scale_by_five(-power, false);
    let (mut number, rest) = split_off_low_bits(scaled.top, -(scaled.exponent + exponent - power));
    let (mut is_inexact, mut last) = (rest > 0 || scaled.is_inexact, 0);
    while number >= 10_u64.pow(digits) {
        is_inexact |= last > 0;
        (last, number, power) = (number % 10, number / 10, power + 1);
    }
    number += u64::from(last > 5 || (last == 5 && (is_inexact || number % 2 == 1)));
    while number % 10 == 0 {
        (number, power) = (number / 10, power + 1);
    }
    (number, power)
}

/// A fast path of [`round_to_digits`] for floats that are closest to a short decimal, as most are. No other decimal of
/// at most 15 digits has the same closest float, and the division of two exact floats is correctly rounded.
fn shortest_decimal(value: f64, limit: u64) -> Option<(u64, i32)> {
    [(1.0, 0), (10.0, -1), (100.0, -2), (1_000.0, -3), (10_000.0, -4)].into_iter().find_map(|(ten, power)| {
        let number = (value * ten + 0.5) as u64;
        let is_exact = number < limit && number as f64 / ten == value && !number.is_multiple_of(10);
        is_exact.then_some((number, power))
    })
}

/// Splits off the lowest `bits` bits, at most 64, and returns the rest and these bits.
pub(super) fn split_off_low_bits(number: u64, bits: i32) -> (u64, u64) {
    let kept = number.checked_shr(bits as u32).unwrap_or_default();
    (kept, number - kept.checked_shl(bits as u32).unwrap_or_default())
}

/// The 64 highest bits of a number, the power of two by which they are multiplied, and whether any lower bit is set.
pub(super) struct Scaled {
    pub top: u64,
    pub exponent: i32,
    pub is_inexact: bool,
}

/// An unsigned integer of any size in 32-bit words, lowest first.
pub(super) struct BigInt(pub Vec<u32>);

impl BigInt {
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

    /// Divides in place and returns whether there is a remainder.
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

    /// Multiplies the number, which isn't 0, by a power of five.
    pub fn scale_by_five(mut self, fives: i32, mut is_inexact: bool) -> Scaled {
        self.trim();
        // Room for the bits that the divisions remove and for the result.
        let parts = if fives < 0 { fives.unsigned_abs() as usize * 7 / 3 / 32 + 5 } else { 3 };
        let added = parts.saturating_sub(self.0.len());
        self.0.splice(..0, std::iter::repeat_n(0, added));
        let mut left = fives.unsigned_abs();
        while left > 0 {
            let power = 5_u32.pow(left.min(MAX_FIVES));
            if fives < 0 {
                is_inexact |= self.divide(power);
            } else {
                self.multiply(power, 0);
            }
            left -= left.min(MAX_FIVES);
        }
        let count = self.0.len();
        let shift = self.0[count - 1].leading_zeros();
        let [high, middle, low] = [1, 2, 3].map(|place| u128::from(self.0[count - place]));
        let bits = (high << 64 | middle << 32 | low) << shift;
        is_inexact |= bits as u32 > 0 || self.0[..count - 3].iter().any(|&part| part > 0);
        Scaled { top: (bits >> 32) as u64, exponent: (count as i32 - 2 - added as i32) * 32 - shift as i32, is_inexact }
    }
}
