//! Shared strings, which are read on demand, and inline strings.

use super::xml::{Token, Xml};
use crate::import::{Blob, FileError, Limits};
use memchr::memchr;

/// The maximum memory of shared strings in bytes.
const MAX_SHARED: usize = 128 << 20;
/// The length of an escape such as `_x000D_`.
const ESCAPE_LENGTH: usize = 7;

/// The shared strings that were read so far, concatenated.
#[derive(Default)]
pub(super) struct SharedStrings {
    text: String,
    ends: Vec<u32>,
    /// The source of further strings.
    source: Option<Xml>,
    scratch: String,
}

impl SharedStrings {
    /// `part` has been read up to and including its root tag. The strings are read when they are needed.
    pub fn new(part: Xml) -> SharedStrings {
        SharedStrings { source: Some(part), ..SharedStrings::default() }
    }

    #[inline]
    pub fn get(&mut self, index: usize, blob: &mut dyn Blob, limits: &Limits) -> Result<&str, FileError> {
        if index >= self.ends.len() {
            self.read_to(index, blob, limits)?;
        }
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Ok(&self.text[start as usize..self.ends[index] as usize])
    }

    /// Reads on until the string with this index is available.
    fn read_to(&mut self, index: usize, blob: &mut dyn Blob, limits: &Limits) -> Result<(), FileError> {
        // Taken out, so that no string is read after a damaged one.
        let mut source = self.source.take().ok_or(FileError::BrokenWorkbook)?;
        let xml = &mut source;
        while self.ends.len() <= index {
            if let Some((text, length)) = parse_plain_string(xml.buffered())
                && !text.starts_with(|c: char| c.is_ascii_whitespace())
                && !text.ends_with(|c: char| c.is_ascii_whitespace())
            {
                self.text.push_str(text);
                xml.skip(length);
            } else {
                match xml.next(blob)? {
                    Token::Start(tag) if tag.name == b"si" => {
                        if !tag.is_empty {
                            read_string(xml, blob, b"si", &mut self.text, &mut self.scratch, limits)?;
                        }
                    }
                    Token::Start(tag) => {
                        if !tag.is_empty {
                            xml.skip_element(blob)?;
                        }
                        continue;
                    }
                    Token::Text(_) => continue,
                    Token::End(_) | Token::Eof => return Err(FileError::BrokenWorkbook),
                }
            }
            ensure!(
                self.text.len() + self.ends.len() * size_of::<u32>() <= MAX_SHARED,
                FileError::TooMuchInside { max: MAX_SHARED as u64 }
            );
            self.ends.push(self.text.len() as u32);
        }
        self.source = Some(source);
        Ok(())
    }
}

/// A fast path for the usual notation of strings. Returns the text and the length of its element.
#[inline]
fn parse_plain_string(buffered: &[u8]) -> Option<(&str, usize)> {
    const START: &[u8] = b"<si><t>";
    const END: &[u8] = b"</t></si>";
    let rest = buffered.strip_prefix(START)?;
    let end = memchr(b'<', rest)?;
    let text = &rest[..end];
    let is_plain = rest[end..].starts_with(END) && !text.iter().any(|b| matches!(b, b'&' | b'_' | b'\r'));
    Some((std::str::from_utf8(text).ok().filter(|_| is_plain)?, START.len() + end + END.len()))
}

/// Reads a string up to the end of its element. Joins its runs and skips phonetic hints.
pub(super) fn read_string(
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
                let is_preserved = tag.attribute(b"xml:space") == Some(b"preserve");
                if tag.is_empty {
                    continue;
                }
                scratch.clear();
                read_text(xml, blob, scratch, limits)?;
                let is_blank = |c| matches!(c, ' ' | '\t' | '\r' | '\n');
                let max = max_bytes(limits);
                if out.len() - start <= max {
                    unescape(
                        if is_preserved || scratch.len() > max { scratch } else { scratch.trim_matches(is_blank) },
                        out,
                    );
                }
            }
            // The text of a run is read in a later iteration. An empty tag has no text.
            Token::Start(tag) if tag.name == b"r" || tag.is_empty => {}
            Token::Start(_) => xml.skip_element(blob)?,
            Token::End(name) if name == element => return Ok(()),
            Token::End(_) | Token::Text(_) => {}
            Token::Eof => return Err(FileError::BrokenWorkbook),
        }
    }
}

/// Reads the text of an element after its start tag. Texts that exceed the limits are truncated, but remain long enough
/// to be rejected later.
pub(super) fn read_text(
    xml: &mut Xml,
    blob: &mut dyn Blob,
    out: &mut String,
    limits: &Limits,
) -> Result<(), FileError> {
    let max = out.len() + max_bytes(limits);
    loop {
        match xml.next(blob)? {
            Token::Text(text) => text.decode_into(out, max)?,
            Token::End(_) => return Ok(()),
            Token::Start(tag) if tag.is_empty => {}
            Token::Start(_) => xml.skip_element(blob)?,
            Token::Eof => return Err(FileError::BrokenWorkbook),
        }
    }
}

/// Returns how many bytes the longest allowed cell may have, even if every character is escaped.
fn max_bytes(limits: &Limits) -> usize {
    limits.cell_chars.saturating_mul(2 * ESCAPE_LENGTH)
}

/// Appends a text and decodes escapes such as `_x000D_`, which contain UTF-16 code units.
pub(super) fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    let mut units: Vec<u16> = Vec::new();
    while let Some(at) = memchr(b'_', rest.as_bytes()) {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let mut after = escape;
        while let Some(unit) = parse_escape(after) {
            units.push(unit);
            after = &after[ESCAPE_LENGTH..];
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

fn parse_escape(text: &str) -> Option<u16> {
    let digits = text.get(..ESCAPE_LENGTH)?.strip_prefix("_x")?.strip_suffix('_')?;
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}
