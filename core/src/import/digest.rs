//! A hash of rows and problems, of headers (the stored `header_key`, so the hash must never change) and of the keys
//! that find duplicates. It is equal on every machine, so that equal hashes show that two readers agree. It isn't
//! cryptographic.

/// Hashes numbers and texts, eight bytes at a time, by multiplication and shifts.
#[derive(Clone, Copy, Default)]
pub(super) struct Digest(u64);

impl Digest {
    pub fn add_number(&mut self, number: u64) {
        // An odd number with well distributed bits: 2^64 divided by the golden ratio.
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    /// Adds a text, prefixed by its length so that concatenations differ.
    pub fn add_text(&mut self, text: &str) {
        self.add_words(text, |word| word);
    }

    /// Adds the column and the text of a cell. Each cell is first hashed by itself, so that the processor can work on
    /// several cells in parallel.
    #[inline]
    pub fn add_cell(&mut self, column: usize, text: &str) {
        let bytes = text.as_bytes();
        let mut cell = Digest((column as u64) << 32 | bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            cell.add_number(u64::from_le_bytes(*word));
        }
        cell.add_number(last_word(bytes, rest));
        self.add_number(cell.0);
    }

    /// Adds a text, ignoring the case of ASCII letters.
    pub fn add_text_ignoring_case(&mut self, text: &str) {
        self.add_words(text, lower_case);
    }

    #[inline]
    fn add_words(&mut self, text: &str, change: impl Fn(u64) -> u64) {
        let bytes = text.as_bytes();
        self.add_number(bytes.len() as u64 + 1);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add_number(change(u64::from_le_bytes(*word)));
        }
        if !rest.is_empty() {
            self.add_number(change(last_word(bytes, rest)));
        }
    }

    /// Returns the value as 16 hexadecimal digits.
    pub fn hexadecimal(self) -> String {
        let value = self.value();
        let digit = |index: u32| char::from_digit((value >> (4 * index)) as u32 & 15, 16);
        (0..16).rev().filter_map(digit).collect()
    }

    pub fn value(self) -> u64 {
        let mut last = self;
        last.add_number(0);
        last.0
    }
}

/// Returns the last zero to seven bytes of `bytes`, which are also `rest`, as a number. It needs no loop.
#[inline]
fn last_word(bytes: &[u8], rest: &[u8]) -> u64 {
    if rest.is_empty() {
        return 0;
    }
    if let Some(last) = bytes.last_chunk() {
        return u64::from_le_bytes(*last) >> (64 - 8 * rest.len());
    }
    match (rest, rest.first_chunk(), rest.last_chunk()) {
        // For four to seven bytes: the first four and the last four. Bytes in both are equal, so combining them changes
        // nothing.
        (_, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * rest.len() - 32)
        }
        (&[a, b, c], ..) => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        (&[a, b], ..) => u64::from(a) | u64::from(b) << 8,
        _ => rest.first().map_or(0, |&byte| u64::from(byte)),
    }
}

/// Lower-cases the ASCII letters of eight bytes.
fn lower_case(word: u64) -> u64 {
    const ALL_BYTES: u64 = 0x0101_0101_0101_0101;
    let low = word & (ALL_BYTES * 0x7F);
    // The high bit of each byte that is at least 'A', and of each that is beyond 'Z'. No byte carries into the next.
    let (from_a, beyond_z) = (low + ALL_BYTES * (0x80 - b'A' as u64), low + ALL_BYTES * (0x7F - b'Z' as u64));
    let is_upper = (from_a & !beyond_z & !word) & (ALL_BYTES * 0x80);
    word | is_upper >> 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text_digest(text: &str) -> u64 {
        let mut digest = Digest::default();
        digest.add_text(text);
        digest.value()
    }
    fn caseless_digest(text: &str) -> u64 {
        let mut digest = Digest::default();
        digest.add_text_ignoring_case(text);
        digest.value()
    }

    proptest! {
        #[test]
        fn hashes_texts_in_zero_padded_words(text in "\\PC{0,40}") {
            let mut expected = Digest::default();
            expected.add_number(text.len() as u64 + 1);
            for bytes in text.as_bytes().chunks(8) {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                expected.add_number(u64::from_le_bytes(word));
            }
            prop_assert_eq!(text_digest(&text), expected.value());
        }

        #[test]
        fn distinguishes_cells_by_column_and_text(a in "\\PC{0,20}", b in "\\PC{0,20}", column in 0_usize..9, other in 0_usize..9) {
            let cell = |column, text: &str| {
                let mut digest = Digest::default();
                digest.add_cell(column, text);
                digest.hexadecimal()
            };
            prop_assert_eq!(cell(column, &a) == cell(other, &b), column == other && a == b);
            prop_assert_eq!(cell(column, &a).len(), 16);
        }

        #[test]
        fn hexadecimal_agrees_with_std(value: u64) {
            prop_assert_eq!(Digest(value).hexadecimal(), format!("{:016x}", Digest(value).value()));
        }

        #[test]
        fn ignores_the_case_of_ascii_letters_only(text in "(\\PC|[ -~]){0,20}") {
            prop_assert_eq!(caseless_digest(&text), text_digest(&text.to_ascii_lowercase()));
        }
    }
}
