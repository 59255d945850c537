//! Who was met in a file before.

/// Remembers whom it is told of, by a hash, and in which row first. A table of its own: it is asked for every row of a
/// file, where the time goes into waiting for memory, so that what is looked at is as small as it can be.
#[derive(Default)]
pub(super) struct Seen {
    /// A power of two of them, or none; each lies where its hash says, or behind it. The lower bits, as many as places
    /// have, say who it is, counted from 1, and the others are the hash's highest: few are looked at who aren't meant.
    slots: Vec<u32>,
    /// The hash of each, in the order in which they were met, and the row.
    hashes: Vec<u64>,
    rows: Vec<u32>,
}

/// How many slots there are at first.
const FIRST: usize = 1 << 10;

impl Seen {
    /// The row where this hash was met first: this one, if it never was.
    pub fn first(&mut self, who: u64, row: u32) -> u32 {
        // Half of them stay free, so that what is looked for lies near.
        if self.hashes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let last = self.slots.len() - 1;
        let mut at = who as usize & last;
        while self.slots[at] != 0 {
            let (slot, index) = (self.slots[at], (self.slots[at] as usize & last) - 1);
            if (slot ^ high(who)) & !(last as u32) == 0 && self.hashes.get(index) == Some(&who) {
                return self.rows.get(index).copied().unwrap_or(row);
            }
            at = (at + 1) & last;
        }
        self.hashes.push(who);
        self.rows.push(row);
        self.slots[at] = high(who) & !(last as u32) | self.hashes.len() as u32;
        row
    }

    fn grow(&mut self) {
        let count = (self.slots.len() * 2).max(FIRST);
        // Not needed any more, and as large as half of what comes.
        self.slots = Vec::new();
        self.slots = vec![0; count];
        let last = count - 1;
        for (number, &who) in (1..).zip(&self.hashes) {
            let mut at = who as usize & last;
            while self.slots[at] != 0 {
                at = (at + 1) & last;
            }
            self.slots[at] = high(who) & !(last as u32) | number;
        }
    }
}

fn high(who: u64) -> u32 {
    (who >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

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
