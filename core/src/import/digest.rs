//! A hash of what was read and found, the same on every machine: to see that two readers agree, not to keep a secret.

/// Takes numbers and texts, eight bytes at a time, by multiplying and folding.
#[derive(Clone, Copy, Default)]
pub(super) struct Digest(u64);

impl Digest {
    pub fn number(&mut self, number: u64) {
        // An odd constant with its bits well spread: 2^64 divided by the golden ratio.
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    /// A text with its length before it, so that no two texts can be mistaken for two others.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64 + 1);
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        for word in words {
            self.number(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.number(u64::from_le_bytes(word));
        }
    }

    pub fn value(self) -> u64 {
        let mut last = self;
        last.number(0);
        last.0
    }
}
