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
        self.words(text, |word| word);
    }

    /// A cell's column and text. Cells don't wait for each other: each is taken by itself before it is taken over, and so
    /// a machine that does several things at once works on several of them.
    #[inline]
    pub fn cell(&mut self, column: usize, text: &str) {
        let bytes = text.as_bytes();
        let mut cell = Digest((column as u64) << 32 | bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            cell.number(u64::from_le_bytes(*word));
        }
        cell.number(last_word(bytes, rest));
        self.number(cell.0);
    }

    /// A text whose ASCII letters count the same in both cases.
    pub fn text_in_any_case(&mut self, text: &str) {
        self.words(text, lower_case);
    }

    #[inline]
    fn words(&mut self, text: &str, change: impl Fn(u64) -> u64) {
        let bytes = text.as_bytes();
        self.number(bytes.len() as u64 + 1);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.number(change(u64::from_le_bytes(*word)));
        }
        if !rest.is_empty() {
            self.number(change(last_word(bytes, rest)));
        }
    }

    /// The value as 16 digits.
    pub fn hexadecimal(self) -> String {
        let value = self.value();
        let digit = |place: u32| char::from_digit((value >> (4 * place)) as u32 & 15, 16);
        (0..16).rev().filter_map(digit).collect()
    }

    pub fn value(self) -> u64 {
        let mut last = self;
        last.number(0);
        last.0
    }
}

/// The last one to seven bytes as a number, without a loop over them.
#[inline]
fn last_word(bytes: &[u8], rest: &[u8]) -> u64 {
    if rest.is_empty() {
        return 0;
    }
    if let Some(last) = bytes.last_chunk() {
        return u64::from_le_bytes(*last) >> (64 - 8 * rest.len());
    }
    match (rest, rest.first_chunk(), rest.last_chunk()) {
        // Where the two halves overlap they are equal.
        (_, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * rest.len() - 32)
        }
        (&[a, b, c], ..) => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        (&[a, b], ..) => u64::from(a) | u64::from(b) << 8,
        _ => rest.first().map_or(0, |&byte| u64::from(byte)),
    }
}

/// Eight bytes with their ASCII letters in lower case.
fn lower_case(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low = word & (EACH * 0x7F);
    // The highest bit of each byte that is at least A, and of each that is beyond Z; bytes don't carry into the next.
    let (from_a, beyond_z) = (low + EACH * (0x80 - b'A' as u64), low + EACH * (0x7F - b'Z' as u64));
    let is_upper = (from_a & !beyond_z & !word) & (EACH * 0x80);
    word | is_upper >> 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str) -> u64 {
        let mut digest = Digest::default();
        digest.text(text);
        digest.value()
    }
    fn in_any_case(text: &str) -> u64 {
        let mut digest = Digest::default();
        digest.text_in_any_case(text);
        digest.value()
    }

    proptest! {
        #[test]
        fn a_text_is_taken_eight_bytes_at_a_time_the_last_ones_filled_up(text in "\\PC{0,40}") {
            let mut expected = Digest::default();
            expected.number(text.len() as u64 + 1);
            for bytes in text.as_bytes().chunks(8) {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                expected.number(u64::from_le_bytes(word));
            }
            prop_assert_eq!(of(&text), expected.value());
        }

        #[test]
        fn cells_are_told_apart(a in "\\PC{0,20}", b in "\\PC{0,20}", column in 0_usize..9, other in 0_usize..9) {
            let cell = |column, text: &str| {
                let mut digest = Digest::default();
                digest.cell(column, text);
                digest.hexadecimal()
            };
            prop_assert_eq!(cell(column, &a) == cell(other, &b), column == other && a == b);
            prop_assert_eq!(cell(column, &a).len(), 16);
        }

        #[test]
        fn hexadecimal_digits_are_those_of_everybody(value: u64) {
            prop_assert_eq!(Digest(value).hexadecimal(), format!("{:016x}", Digest(value).value()));
        }

        #[test]
        fn case_is_that_of_ascii(text in "(\\PC|[ -~]){0,20}") {
            prop_assert_eq!(in_any_case(&text), of(&text.to_ascii_lowercase()));
        }
    }
}
