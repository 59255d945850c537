//! Where in a text the bytes lie that mean something to it, 64 at a time.

/// How many bytes are looked at together: as many as a mask has bits.
const BLOCK: usize = 64;

/// The bytes of a block that mean something, the lowest bit for its first one.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    pub delimiters: u64,
    /// Quotes, line ends, and whatever else is at most a carriage return, which leaves few to be passed over.
    pub others: u64,
}

/// The marks of each block, and its place.
pub(super) fn marks(bytes: &[u8], delimiter: u8) -> impl Iterator<Item = (usize, Marks)> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let last = (!rest.is_empty()).then(|| {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let (Marks { delimiters, others }, there) = (look(&block, delimiter), !(u64::MAX << rest.len()));
        Marks { delimiters: delimiters & there, others: others & there }
    });
    let found = blocks.iter().map(move |block| look(block, delimiter)).chain(last);
    found.enumerate().map(|(index, marks)| (index * BLOCK, marks))
}

/// The lowest bit that is set, alone; nothing of nothing.
pub(super) fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn look(block: &[u8; BLOCK], delimiter: u8) -> Marks {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u64x2, v128_or};
    let mut marks = Marks::default();
    for (index, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
        // The compiler makes one load of it; those that the language has aren't safe.
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
fn look(block: &[u8; BLOCK], delimiter: u8) -> Marks {
    // The compiler compares as many at once as the machine can.
    let delimiters = bits(block.map(|byte| u8::from(byte == delimiter)));
    let others = bits(block.map(|byte| u8::from((byte == b'"') | (byte <= b'\r'))));
    Marks { delimiters, others: others & !delimiters }
}

/// The lowest bit of each byte.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn bits(found: [u8; BLOCK]) -> u64 {
    let mut bits = 0;
    for (index, bytes) in found.as_chunks::<8>().0.iter().enumerate() {
        // Carries the lowest bit of each byte into the highest byte, the first byte's to its lowest bit.
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
        fn every_mark_is_found_and_nothing_else(bytes in proptest::collection::vec(any::<u8>(), 0..300), delimiter in 0_u8..128) {
            let set = |at: usize, bits: u64| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at + bit);
            let delimiters: Vec<usize> = marks(&bytes, delimiter).flat_map(|(at, marks)| set(at, marks.delimiters)).collect();
            let others: Vec<usize> = marks(&bytes, delimiter).flat_map(|(at, marks)| set(at, marks.others)).collect();
            let places = |is: &dyn Fn(u8) -> bool| (0..bytes.len()).filter(|&at| is(bytes[at])).collect::<Vec<usize>>();
            prop_assert_eq!(delimiters, places(&|byte| byte == delimiter));
            prop_assert_eq!(others, places(&|byte| byte != delimiter && (byte == b'"' || byte <= b'\r')));
        }
    }
}
