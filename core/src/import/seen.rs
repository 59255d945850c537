//! Who was met in a file before.

use std::hash::{BuildHasher, RandomState};

/// Remembers whom it is told of, by a hash, and in which row first. A table of its own: it is asked for every row of a
/// file, where the time goes into waiting for memory, so that what is looked at is as small as it can be.
pub(super) struct Seen {
    /// A power of two of them, or none: a sign of who lies in each slot, which is where their hash says or behind it; 0
    /// where it is free. Most who are asked for are new, which a sign alone tells, and so many signs a processor keeps near.
    signs: Vec<u8>,
    /// Whose slot it is, as a place among the following.
    places: Vec<u32>,
    /// What a hash is multiplied by to find its slot (Dietzfelbinger's multiply-shift). Nobody can write a file whose rows
    /// all want one slot, for which a server would compute for hours.
    factor: u64,
    /// The hash of each, in the order in which they were met, and the row.
    hashes: Vec<u64>,
    rows: Vec<u32>,
}

/// How many slots there are at first.
const FIRST: usize = 1 << 10;
/// 2⁶⁴ by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for Seen {
    fn default() -> Self {
        Seen { signs: Vec::new(), places: Vec::new(), factor: factor(), hashes: Vec::new(), rows: Vec::new() }
    }
}

impl Seen {
    /// The row where this hash was met first: this one, if it never was.
    pub fn first(&mut self, who: u64, row: u32) -> u32 {
        // Half of them stay free, so that what is looked for lies near.
        if self.hashes.len() * 2 >= self.signs.len() {
            self.grow();
        }
        let last = self.signs.len() - 1;
        let mut at = self.slot(who);
        while self.signs[at] != 0 {
            if self.signs[at] == sign(who) {
                let place = self.places[at] as usize;
                if self.hashes.get(place) == Some(&who) {
                    return self.rows.get(place).copied().unwrap_or(row);
                }
            }
            at = (at + 1) & last;
        }
        self.signs[at] = sign(who);
        self.places[at] = self.hashes.len() as u32;
        self.hashes.push(who);
        self.rows.push(row);
        row
    }

    /// Where somebody is looked for first: as many of the product's highest bits as slots have.
    fn slot(&self, who: u64) -> usize {
        (who.wrapping_mul(self.factor) >> (u64::BITS - self.signs.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        let count = (self.signs.len() * 2).max(FIRST);
        // Not needed any more, and as large as half of what comes.
        (self.signs, self.places) = (Vec::new(), Vec::new());
        (self.signs, self.places) = (vec![0; count], vec![0; count]);
        for (place, &who) in (0..).zip(&self.hashes) {
            let mut at = self.slot(who);
            while self.signs[at] != 0 {
                at = (at + 1) & (count - 1);
            }
            self.signs[at] = sign(who);
            self.places[at] = place;
        }
    }
}

/// Odd. Chance chooses it, but in a browser, where somebody could only harm themselves.
fn factor() -> u64 {
    if cfg!(target_family = "wasm") { FACTOR } else { RandomState::new().hash_one(FACTOR) | 1 }
}

fn sign(who: u64) -> u8 {
    who as u8 | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn rows_that_are_chosen_to_collide_lie_apart() {
        let mut seen = Seen::default();
        // Times the factor of a browser each is small: all would want the first slot.
        let inverse = (0..6).fold(FACTOR, |x, _| x.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(x))));
        for row in 1..5_000 {
            seen.first(u64::from(row).wrapping_mul(inverse), row);
        }
        let longest = seen.signs.split(|sign| *sign == 0).map(<[u8]>::len).max();
        assert!(longest < Some(1_000), "{longest:?}");
    }

    proptest! {
        #[test]
        fn the_first_row_of_each_is_remembered(hashes in proptest::collection::vec(prop_oneof![0_u64..40, any::<u64>()], 0..3_000)) {
            let (mut seen, mut expected) = (Seen::default(), HashMap::new());
            for (row, hash) in (1..).zip(hashes) {
                // Half of them begin at one slot, as if somebody had chosen them to.
                let hash = if row % 2 == 0 { hash << 32 } else { hash };
                prop_assert_eq!(seen.first(hash, row), *expected.entry(hash).or_insert(row));
            }
        }
    }
}
