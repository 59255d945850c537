//! Strings: the shared ones of a workbook, unpacked only as far as somebody asks, and those that stand in a cell.

use super::xml::{Token, Xml};
use crate::import::{Blob, FileError, Limits};
use memchr::memchr;

/// The most bytes of memory that shared strings take.
const MOST_SHARED: usize = 128 << 20;
/// The length of `_x000D_`.
const ESCAPE: usize = 7;

/// The shared strings, as one text.
#[derive(Default)]
pub(super) struct Strings {
    text: String,
    ends: Vec<u32>,
    /// Where the others come from.
    rest: Option<Xml>,
    scratch: String,
}

impl Strings {
    /// Those of a part whose root was read.
    pub fn new(part: Xml) -> Strings {
        Strings { rest: Some(part), ..Strings::default() }
    }

    /// A string by its place.
    ///
    /// # Errors
    /// There is none, or the part is damaged before it.
    #[inline]
    pub fn get(&mut self, place: usize, blob: &mut dyn Blob, limits: &Limits) -> Result<&str, FileError> {
        if place >= self.ends.len() {
            self.read_to(place, blob, limits)?;
        }
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        Ok(&self.text[start as usize..self.ends[place] as usize])
    }

    /// Reads on until there is a string at a place.
    fn read_to(&mut self, place: usize, blob: &mut dyn Blob, limits: &Limits) -> Result<(), FileError> {
        // Taken out, so that after a damaged string there are no others: their places would be wrong.
        let mut rest = self.rest.take().ok_or(FileError::BrokenWorkbook)?;
        let xml = &mut rest;
        while self.ends.len() <= place {
            if let Some((text, length)) = plain(xml.ahead())
                && !text.starts_with(|c: char| c.is_ascii_whitespace())
                && !text.ends_with(|c: char| c.is_ascii_whitespace())
            {
                self.text.push_str(text);
                xml.skip(length);
            } else {
                match xml.next(blob)? {
                    Token::Start(tag) if tag.name == b"si" => {
                        if !tag.is_empty {
                            string(xml, blob, b"si", &mut self.text, &mut self.scratch, limits)?;
                        }
                    }
                    Token::Start(tag) => {
                        if !tag.is_empty {
                            xml.skip_element(blob)?;
                        }
                        continue;
                    }
                    Token::Text(_) => continue,
                    Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
                }
            }
            if self.text.len() + self.ends.len() * size_of::<u32>() > MOST_SHARED {
                return Err(FileError::TooMuchInside { most: MOST_SHARED as u64 });
            }
            self.ends.push(self.text.len() as u32);
        }
        self.rest = Some(rest);
        Ok(())
    }
}

/// The text of a string as nearly all are written, if one lies ahead, and how long it is as it is written.
#[inline]
fn plain(ahead: &[u8]) -> Option<(&str, usize)> {
    const START: &[u8] = b"<si><t>";
    const END: &[u8] = b"</t></si>";
    let rest = ahead.strip_prefix(START)?;
    let end = memchr(b'<', rest)?;
    let text = &rest[..end];
    let is_plain = rest[end..].starts_with(END) && !text.iter().any(|b| matches!(b, b'&' | b'_' | b'\r'));
    Some((std::str::from_utf8(text).ok().filter(|_| is_plain)?, START.len() + end + END.len()))
}

/// Reads a string up to the end of the element that it stands in: the runs of it joined, how it is pronounced left out.
///
/// # Errors
/// As [`Xml::next`].
pub(super) fn string(
    xml: &mut Xml,
    blob: &mut dyn Blob,
    element: &[u8],
    out: &mut String,
    scratch: &mut String,
    limits: &Limits,
) -> Result<(), FileError> {
    let start = out.len();
    loop {
        match xml.next(blob)? {
            Token::Start(tag) if tag.name == b"t" => {
                let kept = tag.attribute(b"xml:space") == Some(b"preserve");
                if tag.is_empty {
                    continue;
                }
                scratch.clear();
                text(xml, blob, scratch, limits)?;
                let is_blank = |c| matches!(c, ' ' | '\t' | '\r' | '\n');
                let most = most_bytes(limits);
                if out.len() - start <= most {
                    unescape(if kept || scratch.len() > most { scratch } else { scratch.trim_matches(is_blank) }, out);
                }
            }
            // A run's own text is looked for in it.
            Token::Start(tag) if tag.name == b"r" || tag.is_empty => {}
            Token::Start(_) => xml.skip_element(blob)?,
            Token::End(name) if name == element => return Ok(()),
            Token::End(_) | Token::Text(_) => {}
            Token::Over => return Err(FileError::BrokenWorkbook),
        }
    }
}

/// Reads the text of an element whose start was just read, to its end. Of a text that no cell may hold only so much is
/// kept that this is seen.
///
/// # Errors
/// As [`Xml::next`].
pub(super) fn text(xml: &mut Xml, blob: &mut dyn Blob, out: &mut String, limits: &Limits) -> Result<(), FileError> {
    let most = out.len() + most_bytes(limits);
    loop {
        match xml.next(blob)? {
            Token::Text(text) => text.add_to(out, most)?,
            Token::End(_) => return Ok(()),
            Token::Start(tag) if tag.is_empty => {}
            Token::Start(_) => xml.skip_element(blob)?,
            Token::Over => return Err(FileError::BrokenWorkbook),
        }
    }
}

/// A text with more bytes than these has more characters than a cell may have, even if all of them are escaped.
fn most_bytes(limits: &Limits) -> usize {
    limits.cell_chars.saturating_mul(2 * ESCAPE)
}

/// Adds a text in which characters that XML doesn't take are written as `_x000D_`: by their number in UTF-16.
pub(super) fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    let mut units: Vec<u16> = Vec::new();
    while let Some(at) = memchr(b'_', rest.as_bytes()) {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let mut after = escape;
        while let Some(unit) = escaped(after) {
            units.push(unit);
            after = &after[ESCAPE..];
        }
        if units.is_empty() {
            out.push('_');
            after = &escape[1..];
        }
        out.extend(char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        rest = after;
    }
    out.push_str(rest);
}

fn escaped(text: &str) -> Option<u16> {
    let digits = text.get(..ESCAPE)?.strip_prefix("_x")?.strip_suffix('_')?;
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}
