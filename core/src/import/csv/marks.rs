//! Where in a text the bytes lie that mean something to it, 64 at a time.

/// How many bytes are looked at together: as many as a mask has bits.
const BLOCK: usize = 64;

/// The places of all delimiters, quotes, line ends, and of whatever else is at most a carriage return, which leaves few to
/// be passed over. Ascending; a block's place and its mask, the lowest bit for its first byte.
pub(super) fn marks(bytes: &[u8], delimiter: u8) -> impl Iterator<Item = (usize, u64)> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let last = (!rest.is_empty()).then(|| {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        mask(&block, delimiter) & !(u64::MAX << rest.len())
    });
    let masks = blocks.iter().map(move |block| mask(block, delimiter)).chain(last);
    masks.enumerate().map(|(index, mask)| (index * BLOCK, mask))
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn mask(block: &[u8; BLOCK], delimiter: u8) -> u64 {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u64x2, v128_or};
    let mut mask = 0;
    for (index, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
        // The compiler makes one load of it; those that the language has aren't safe.
        let [low, high] = [0, 1].map(|half| u64::from_le_bytes(bytes.as_chunks().0[half]));
        let bytes = u64x2(low, high);
        let found = v128_or(u8x16_eq(bytes, u8x16_splat(delimiter)), u8x16_eq(bytes, u8x16_splat(b'"')));
        let found = v128_or(found, u8x16_le(bytes, u8x16_splat(b'\r')));
        mask |= u64::from(u8x16_bitmask(found)) << (16 * index);
    }
    mask
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn mask(block: &[u8; BLOCK], delimiter: u8) -> u64 {
    // The compiler compares as many at once as the machine can.
    let found = block.map(|byte| u8::from((byte == delimiter) | (byte == b'"') | (byte <= b'\r')));
    let mut mask = 0;
    for (index, bytes) in found.as_chunks::<8>().0.iter().enumerate() {
        // Carries the lowest bit of each byte into the highest byte, the first byte's to its lowest bit.
        let bits = u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * index);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_mark_is_found_and_nothing_else(bytes in proptest::collection::vec(any::<u8>(), 0..300), delimiter in 0_u8..128) {
            let found: Vec<usize> = marks(&bytes, delimiter)
                .flat_map(|(at, mask)| (0..64).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| at + bit))
                .collect();
            let is_mark = |byte: u8| byte == delimiter || byte == b'"' || byte <= b'\r';
            let expected: Vec<usize> = (0..bytes.len()).filter(|&at| is_mark(bytes[at])).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
