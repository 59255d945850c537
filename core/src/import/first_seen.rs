//! A hash table from keys to rows, by which duplicate rows are found.

use std::hash::{BuildHasher, RandomState};

/// Maps each key to the row that was first inserted with it. Open addressing with one-byte tags: the lookup of every
/// row dominates the time of a check, so most lookups must touch little memory.
pub(super) struct FirstSeen {
    /// One tag per slot; 0 if the slot is free. Most keys are new, and for most of these the tags alone show it. The
    /// tags fit in the processor's cache. The number of slots is a power of two.
    tags: Vec<u8>,
    /// For each slot the index of its entry in `keys` and `rows`.
    indexes: Vec<u32>,
    /// A multiplier for the hash function (Dietzfelbinger's multiply-shift), random on the server, so that no file can
    /// be written whose rows all fall into one slot.
    factor: u64,
    /// The keys in insertion order; `rows` has the row of each.
    keys: Vec<u64>,
    rows: Vec<u32>,
}

const INITIAL_SLOTS: usize = 1 << 10;
/// 2⁶⁴ divided by the golden ratio, as an odd number.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for FirstSeen {
    fn default() -> Self {
        FirstSeen { tags: Vec::new(), indexes: Vec::new(), factor: factor(), keys: Vec::new(), rows: Vec::new() }
    }
}

impl FirstSeen {
    /// Returns the row that was first inserted with this key, which is `row` if the key is new.
    pub fn get_or_insert(&mut self, key: u64, row: u32) -> u32 {
        // A load factor of at most one half keeps probe sequences short.
        if self.keys.len() * 2 >= self.tags.len() {
            self.grow();
        }
        let last = self.tags.len() - 1;
        let mut slot = self.first_slot(key);
        while self.tags[slot] != 0 {
            if self.tags[slot] == tag(key) {
                let index = self.indexes[slot] as usize;
                if self.keys.get(index) == Some(&key) {
                    return self.rows.get(index).copied().unwrap_or(row);
                }
            }
            slot = (slot + 1) & last;
        }
        self.tags[slot] = tag(key);
        self.indexes[slot] = self.keys.len() as u32;
        self.keys.push(key);
        self.rows.push(row);
        row
    }

    /// Returns the first slot to probe: the highest bits of the product.
    fn first_slot(&self, key: u64) -> usize {
        (key.wrapping_mul(self.factor) >> (u64::BITS - self.tags.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        let count = (self.tags.len() * 2).max(INITIAL_SLOTS);
        // The old tables are freed first, to limit the peak memory.
        (self.tags, self.indexes) = (Vec::new(), Vec::new());
        (self.tags, self.indexes) = (vec![0; count], vec![0; count]);
        for (index, &key) in (0..).zip(&self.keys) {
            let mut slot = self.first_slot(key);
            while self.tags[slot] != 0 {
                slot = (slot + 1) & (count - 1);
            }
            self.tags[slot] = tag(key);
            self.indexes[slot] = index;
        }
    }
}

/// Returns an odd multiplier. It is random except in the browser, where an attacker could only slow down their own
/// page.
fn factor() -> u64 {
    if cfg!(target_family = "wasm") { FACTOR } else { RandomState::new().hash_one(FACTOR) | 1 }
}

fn tag(key: u64) -> u8 {
    key as u8 | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn keys_crafted_for_the_fixed_multiplier_do_not_collide_with_a_random_one() {
        let mut seen = FirstSeen::default();
        // With the browser's fixed multiplier, all of these keys would fall into the first slot.
        let inverse = (0..6).fold(FACTOR, |x, _| x.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(x))));
        for row in 1..5_000 {
            seen.get_or_insert(u64::from(row).wrapping_mul(inverse), row);
        }
        let longest = seen.tags.split(|tag| *tag == 0).map(<[u8]>::len).max();
        assert!(longest < Some(1_000), "{longest:?}");
    }

    proptest! {
        #[test]
        fn returns_the_first_row_of_each_key(keys in proptest::collection::vec(prop_oneof![0_u64..40, any::<u64>()], 0..3_000)) {
            let (mut seen, mut expected) = (FirstSeen::default(), HashMap::new());
            for (row, key) in (1..).zip(keys) {
                // Half of the keys have the same tag, so that only the comparison of the keys tells them apart.
                let key = if row % 2 == 0 { key << 32 } else { key };
                prop_assert_eq!(seen.get_or_insert(key, row), *expected.entry(key).or_insert(row));
            }
        }
    }
}
