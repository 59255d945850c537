//! Validates UTF-8 ahead of the scanner and counts valid and invalid sequences.

use crate::import::FileError;
use simdutf8::compat::from_utf8;

/// How many bytes to validate at once. They are still in the processor's cache when their rows are read.
const BLOCK_BYTES: usize = 64 << 10;

/// Validates a piece of text in large blocks, which is faster than row by row.
pub(super) struct Utf8Validator<'a> {
    bytes: &'a [u8],
    offset: usize,
    text: &'a str,
}

impl<'a> Utf8Validator<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Utf8Validator { bytes, offset: 0, text: "" }
    }

    /// Returns the text between two offsets, or `None` if it isn't valid UTF-8. Offsets must not decrease between
    /// calls.
    #[inline]
    pub fn text(&mut self, start: usize, end: usize) -> Option<&'a str> {
        if end > self.offset + self.text.len() {
            self.offset = start;
            let end_of_block = (start + BLOCK_BYTES).max(end).min(self.bytes.len());
            self.text =
                valid_prefix(complete_lines(self.bytes.get(start..end_of_block).unwrap_or_default(), end - start));
        }
        self.text.get(start.wrapping_sub(self.offset)..end.wrapping_sub(self.offset))
    }
}

/// Returns `bytes` up to its last line end, because its last character may be cut off; all of `bytes` if no line ends
/// at or after offset `end`.
fn complete_lines(bytes: &[u8], end: usize) -> &[u8] {
    let last = bytes.iter().rposition(|&byte| byte == b'\n').filter(|&last| last >= end);
    last.and_then(|last| bytes.get(..last)).unwrap_or(bytes)
}

fn valid_prefix(bytes: &[u8]) -> &str {
    match from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes.get(..error.valid_up_to()).and_then(|bytes| from_utf8(bytes).ok()).unwrap_or(""),
    }
}

/// Counts valid non-ASCII characters and invalid sequences. Valid multi-byte characters don't occur by chance in other
/// encodings, so a text with more valid than invalid ones is damaged UTF-8.
#[derive(Default)]
pub(super) struct SequenceCounter {
    valid_count: usize,
    invalid_count: usize,
}

impl SequenceCounter {
    /// Counts the non-ASCII characters of valid UTF-8.
    pub fn count_valid(&mut self, valid: &[u8]) {
        // At most 240 bytes at a time, so that each sum fits in a byte, which the compiler vectorizes well.
        let count_starts = |bytes: &[u8]| bytes.iter().map(|&byte| u8::from(byte >= 0xC0)).sum::<u8>();
        self.valid_count += valid.chunks(240).map(|bytes| usize::from(count_starts(bytes))).sum::<usize>();
    }

    /// Counts the non-ASCII characters and the invalid sequences of a row.
    ///
    /// # Errors
    /// There are now more invalid sequences than valid non-ASCII characters.
    pub fn count_row(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        for chunk in bytes.utf8_chunks() {
            self.count_valid(chunk.valid().as_bytes());
            self.invalid_count += usize::from(!chunk.invalid().is_empty());
        }
        if self.invalid_count > self.valid_count { Err(FileError::OtherEncoding) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn validating_ahead_agrees_with_validating_each_row(
            rows in proptest::collection::vec((0_usize..40_000, prop_oneof![3 => Just(&[0xC3, 0xA5][..]), 1 => Just(&[0xE5][..])]), 1..9),
            end in prop_oneof![Just(b'\n'), Just(b'\r')],
        ) {
            let rows: Vec<Vec<u8>> = rows.iter().map(|(count, last)| [&b"x\xC3\xA5".repeat(*count)[..], last].concat()).collect();
            let bytes = rows.join(&end);
            let (mut valid, mut start) = (Utf8Validator::new(&bytes), 0);
            for row in &rows {
                prop_assert!(valid.text(start, start + row.len()) == std::str::from_utf8(row).ok());
                start += row.len() + 1;
            }
        }
    }
}
