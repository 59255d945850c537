//! Which pieces of a text are UTF-8, and how much speaks for its being so at all.

use crate::import::FileError;
use simdutf8::compat::from_utf8;

/// How much is looked at ahead: it is still near when its rows are read.
const LOOK: usize = 64 << 10;

/// The text of a piece, found to be valid once for many rows: that is quicker than row by row.
pub(super) struct Valid<'a> {
    bytes: &'a [u8],
    from: usize,
    text: &'a str,
}

impl<'a> Valid<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Valid { bytes, from: 0, text: "" }
    }

    /// The text between two places; none if it isn't valid. It is asked for from the first to the last.
    #[inline]
    pub fn text(&mut self, start: usize, end: usize) -> Option<&'a str> {
        if end > self.from + self.text.len() {
            self.from = start;
            let most = (start + LOOK).max(end).min(self.bytes.len());
            self.text = valid_beginning(whole_rows(self.bytes.get(start..most).unwrap_or_default(), end - start));
        }
        self.text.get(start.wrapping_sub(self.from)..end.wrapping_sub(self.from))
    }
}

/// As much as ends with a line, since the last character may be cut in two; all of it where no line ends behind `end`.
fn whole_rows(bytes: &[u8], end: usize) -> &[u8] {
    let last = bytes.iter().rposition(|&byte| byte == b'\n').filter(|&last| last >= end);
    last.and_then(|last| bytes.get(..last)).unwrap_or(bytes)
}

fn valid_beginning(bytes: &[u8]) -> &str {
    match from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes.get(..error.valid_up_to()).and_then(|bytes| from_utf8(bytes).ok()).unwrap_or(""),
    }
}

/// Counts characters outside of ASCII that are right, and places where something else stands. In no other encoding do
/// right ones come about by chance, so a text with more of them is UTF-8 that was damaged.
#[derive(Default)]
pub(super) struct Sequences {
    right: usize,
    wrong: usize,
}

impl Sequences {
    /// Counts bytes that are all valid.
    pub fn add(&mut self, valid: &[u8]) {
        // Few enough to be counted in a byte, and so 16 of them at a time.
        let begin = |bytes: &[u8]| bytes.iter().map(|&byte| u8::from(byte >= 0xC0)).sum::<u8>();
        self.right += valid.chunks(240).map(|bytes| usize::from(begin(bytes))).sum::<usize>();
    }

    /// Counts a row's bytes, whatever they are.
    ///
    /// # Errors
    /// With it, more is wrong than right.
    pub fn add_row(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        for chunk in bytes.utf8_chunks() {
            self.add(chunk.valid().as_bytes());
            self.wrong += usize::from(!chunk.invalid().is_empty());
        }
        if self.wrong > self.right { Err(FileError::OtherEncoding) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_is_as_valid_as_it_is_alone_however_far_is_looked_ahead(
            rows in proptest::collection::vec((0_usize..40_000, prop_oneof![3 => Just(&[0xC3, 0xA5][..]), 1 => Just(&[0xE5][..])]), 1..9),
            end in prop_oneof![Just(b'\n'), Just(b'\r')],
        ) {
            let rows: Vec<Vec<u8>> = rows.iter().map(|(count, last)| [&b"x\xC3\xA5".repeat(*count)[..], last].concat()).collect();
            let bytes = rows.join(&end);
            let (mut valid, mut start) = (Valid::new(&bytes), 0);
            for row in &rows {
                prop_assert!(valid.text(start, start + row.len()) == std::str::from_utf8(row).ok());
                start += row.len() + 1;
            }
        }
    }
}
