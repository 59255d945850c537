//! Converts parts in UTF-16 to UTF-8.

use super::attributes::Attributes;
use super::inflate::Part;
use crate::import::{Blob, FileError};
use memchr::memchr;

/// How many bytes to convert at once.
const PIECE: usize = 8 << 10;

/// Returns whether the XML declaration, if any, names UTF-8 or UTF-16. Which of the two is detected from the bytes,
/// because some programs name the wrong one.
pub(super) fn is_unicode(start: &[u8]) -> bool {
    const DECLARATION: &[u8] = b"<?xml";
    let Some(rest) = start.strip_prefix(DECLARATION) else { return true };
    let declaration = &rest[..memchr(b'>', rest).unwrap_or(rest.len())];
    let encoding = Attributes(declaration).find(|(name, _)| *name == b"encoding");
    encoding.is_none_or(|(_, name)| name.eq_ignore_ascii_case(b"utf-8") || name.eq_ignore_ascii_case(b"utf-16"))
}

/// Converts a part in UTF-16 to UTF-8.
pub(super) struct Utf16Decoder {
    is_big_endian: bool,
    /// The bytes of an incomplete character.
    incomplete: Vec<u8>,
    /// Converted text, of which the bytes before `at` were already read.
    text: String,
    at: usize,
}

impl Utf16Decoder {
    /// Detects UTF-16 by a byte order mark or by the `<` that starts all XML. `None` for other encodings.
    /// The decoder has already received `start`.
    pub fn of(start: &[u8]) -> Result<Option<Utf16Decoder>, FileError> {
        let (is_big_endian, mark) = match start {
            [0xFF, 0xFE, ..] => (false, 2),
            [0xFE, 0xFF, ..] => (true, 2),
            [b'<', 0, ..] => (false, 0),
            [0, b'<', ..] => (true, 0),
            _ => return Ok(None),
        };
        let mut utf16 = Utf16Decoder { is_big_endian, incomplete: Vec::new(), text: String::new(), at: 0 };
        utf16.push(&start[mark..])?;
        Ok(Some(utf16))
    }

    /// Reads UTF-8 until `into` is full or the part ends.
    pub fn read(&mut self, part: &mut Part, blob: &mut dyn Blob, into: &mut [u8]) -> Result<usize, FileError> {
        let (mut count, mut piece) = (0, [0; PIECE]);
        while count < into.len() {
            if self.at == self.text.len() {
                (self.at, self.text) = (0, String::new());
                match part.read(blob, &mut piece)? {
                    0 if self.incomplete.is_empty() => break,
                    0 => return Err(FileError::BrokenWorkbook),
                    read => self.push(&piece[..read])?,
                }
            }
            let ready = &self.text.as_bytes()[self.at..];
            let length = ready.len().min(into.len() - count);
            into[count..count + length].copy_from_slice(&ready[..length]);
            (self.at, count) = (self.at + length, count + length);
        }
        Ok(count)
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.incomplete.extend_from_slice(bytes);
        let unit =
            |&bytes: &[u8; 2]| if self.is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
        let mut units: Vec<u16> = self.incomplete.as_chunks::<2>().0.iter().map(unit).collect();
        // The second half of this surrogate pair follows in the next piece.
        if units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit)) {
            units.pop();
        }
        self.incomplete.drain(..units.len() * 2);
        for character in char::decode_utf16(units) {
            self.text.push(character.map_err(|_| FileError::BrokenWorkbook)?);
        }
        Ok(())
    }
}
