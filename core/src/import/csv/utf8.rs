//! Which pieces of a text are UTF-8, and how much speaks for its being so at all.

use crate::import::FileError;

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
            self.text = valid_beginning(self.bytes.get(start..).unwrap_or_default());
        }
        self.text.get(start.wrapping_sub(self.from)..end.wrapping_sub(self.from))
    }
}

fn valid_beginning(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes.get(..error.valid_up_to()).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or(""),
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
        self.right += valid.iter().filter(|&&byte| byte >= 0xC0).count();
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
