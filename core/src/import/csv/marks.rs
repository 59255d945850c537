//! Finds the special bytes of a text (delimiters, quotes, and bytes from zero to a carriage return), 64 bytes at a time.

/// Bytes per block: one per bit of a mask.
const BLOCK: usize = 64;

/// Bit masks of the special bytes in a block; the lowest bit is the first byte.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    pub delimiters: u64,
    /// Quotes, and all bytes from zero to a carriage return. Of the latter the scanner needs only line ends and zeros,
    /// and ignores the others.
    pub others: u64,
}

/// Returns the marks of each block together with the block's offset.
pub(super) fn find_marks(bytes: &[u8], delimiter: u8) -> impl Iterator<Item = (usize, Marks)> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let last = (!rest.is_empty()).then(|| {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let (Marks { delimiters, others }, is_filled) = (compare_block(&block, delimiter), !(u64::MAX << rest.len()));
        Marks { delimiters: delimiters & is_filled, others: others & is_filled }
    });
    let found = blocks.iter().map(move |block| compare_block(block, delimiter)).chain(last);
    found.enumerate().map(|(index, marks)| (index * BLOCK, marks))
}

/// Returns the lowest set bit, or 0.
pub(super) fn lowest_bit(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn compare_block(block: &[u8; BLOCK], delimiter: u8) -> Marks {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u64x2, v128_or};
    let mut marks = Marks::default();
    for (index, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
        // The compiler merges these into one load. The load intrinsics would be `unsafe`.
        let [low, high] = [0, 1].map(|half| u64::from_le_bytes(bytes.as_chunks().0[half]));
        let bytes = u64x2(low, high);
        let others = v128_or(u8x16_eq(bytes, u8x16_splat(b'"')), u8x16_le(bytes, u8x16_splat(b'\r')));
        marks.delimiters |= u64::from(u8x16_bitmask(u8x16_eq(bytes, u8x16_splat(delimiter)))) << (16 * index);
        marks.others |= u64::from(u8x16_bitmask(others)) << (16 * index);
    }
    marks.others &= !marks.delimiters;
    marks
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn compare_block(block: &[u8; BLOCK], delimiter: u8) -> Marks {
    // The compiler vectorizes this.
    let delimiters = gather_bits(block.map(|byte| u8::from(byte == delimiter)));
    let others = gather_bits(block.map(|byte| u8::from((byte == b'"') | (byte <= b'\r'))));
    Marks { delimiters, others: others & !delimiters }
}

/// Packs bytes that are all 0 or 1 into bits; the lowest bit is the first byte.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn gather_bits(found: [u8; BLOCK]) -> u64 {
    let mut bits = 0;
    for (index, bytes) in found.as_chunks::<8>().0.iter().enumerate() {
        // Since each byte is 0 or 1, the multiplication moves each into its own bit of the highest byte.
        bits |= (u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * index);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_exactly_the_special_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300), delimiter in 0_u8..128) {
            let set = |at: usize, bits: u64| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at + bit);
            let delimiters: Vec<usize> = find_marks(&bytes, delimiter).flat_map(|(at, marks)| set(at, marks.delimiters)).collect();
            let others: Vec<usize> = find_marks(&bytes, delimiter).flat_map(|(at, marks)| set(at, marks.others)).collect();
            let places = |is: &dyn Fn(u8) -> bool| (0..bytes.len()).filter(|&at| is(bytes[at])).collect::<Vec<usize>>();
            prop_assert_eq!(delimiters, places(&|byte| byte == delimiter));
            prop_assert_eq!(others, places(&|byte| byte != delimiter && (byte == b'"' || byte <= b'\r')));
        }
    }
}
