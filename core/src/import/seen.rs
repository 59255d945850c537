//! Who was met in a file before.

/// Remembers whom it is told of, by a hash, and in which row first. A table of its own: it is asked for every row of a
/// file, where the time goes into waiting for memory, so that an entry lies in one place and is no larger than it must be.
#[derive(Default)]
pub(super) struct Seen {
    /// A power of two of them, or none; each entry lies where its hash says, or behind it.
    slots: Vec<Slot>,
    count: usize,
}

/// Two halves of a hash, and a row; no row's number is 0.
#[derive(Clone, Copy, Default)]
struct Slot {
    who: [u32; 2],
    row: u32,
}

/// How many slots there are at first.
const FIRST: usize = 1 << 10;

impl Seen {
    /// The row where this hash was met first: this one, if it never was.
    pub fn first(&mut self, who: u64, row: u32) -> u32 {
        // A quarter stays free, so that what is looked for lies near.
        if self.count * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let slot = Slot { who: [who as u32, (who >> 32) as u32], row: row.max(1) };
        let found = self.find(slot);
        if found.row == 0 {
            *found = slot;
            self.count += 1;
            return row;
        }
        found.row
    }

    /// Where it lies, or the free slot where it may.
    fn find(&mut self, wanted: Slot) -> &mut Slot {
        let last = self.slots.len() - 1;
        let mut at = wanted.who[0] as usize & last;
        while self.slots[at].row != 0 && self.slots[at].who != wanted.who {
            at = (at + 1) & last;
        }
        &mut self.slots[at]
    }

    fn grow(&mut self) {
        let slots = vec![Slot::default(); (self.slots.len() * 2).max(FIRST)];
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot.row != 0 {
                *self.find(slot) = slot;
            }
        }
    }
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
