//! A pull parser for the XML of a workbook's parts, with a window of fixed size. It supports only what spreadsheets
//! use: no document types, and no entities except the predefined and numeric ones.

use super::attributes::Attributes;
use super::inflate::Part;
use super::utf16::{Utf16Decoder, is_unicode};
use crate::import::{Blob, FileError};
use memchr::memchr;

/// The size of the window. Longer tags or comments are errors.
const WINDOW: usize = 128 << 10;
/// The maximum length of an entity, from `&` to `;`.
const MAX_ENTITY: usize = 64;

/// An XML token. Comments and processing instructions are skipped.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    Start(Tag<'a>),
    End(&'a [u8]),
    /// A text or a piece of it. Entities, characters and line ends are never split.
    Text(Text<'a>),
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'a> {
    pub name: &'a [u8],
    pub attributes: Attributes<'a>,
    /// Whether the tag closes itself.
    pub is_empty: bool,
}

impl<'a> Tag<'a> {
    /// Returns the raw value of an attribute. Too slow to be used for every cell.
    #[inline(never)]
    pub fn attribute(&self, name: &[u8]) -> Option<&'a [u8]> {
        let mut attributes = self.attributes;
        attributes.find(|(other, _)| *other == name).map(|(_, value)| value)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    raw: &'a [u8],
    is_literal: bool,
}

pub(super) struct Xml {
    part: Part,
    /// Decodes a part that is in UTF-16.
    utf16: Option<Utf16Decoder>,
    window: Vec<u8>,
    at: usize,
    end: usize,
    is_in_cdata: bool,
}

/// The next lexeme, with offsets from its start.
enum Lexeme {
    Tag { end: usize },
    Text { end: usize, after: usize, is_literal: bool },
    Skip { after: usize },
    Cdata,
    Eof,
}

impl Xml {
    /// Detects the encoding of a part and starts to parse it.
    ///
    /// # Errors
    /// The encoding isn't supported, or the part can't be read.
    pub fn new(part: Part, blob: &mut dyn Blob) -> Result<Xml, FileError> {
        let mut xml = Xml { part, utf16: None, window: vec![0; WINDOW], at: 0, end: 0, is_in_cdata: false };
        xml.fill(blob)?;
        if let Some(utf16) = Utf16Decoder::of(&xml.window[..xml.end])? {
            (xml.utf16, xml.end) = (Some(utf16), 0);
            xml.fill(blob)?;
        }
        match &xml.window[..xml.end] {
            [0xEF, 0xBB, 0xBF, ..] => xml.at = 3,
            [0xFE | 0xFF, ..] | [0, ..] | [_, 0, ..] => return Err(FileError::NeedsFallback),
            _ => {}
        }
        ensure!(is_unicode(&xml.window[xml.at..xml.end]), FileError::NeedsFallback);
        Ok(xml)
    }

    /// Reads up to the root element and expects it to have content.
    ///
    /// # Errors
    /// There is no root element. If it has another name, a prefix, another namespace or no content, the fallback reader
    /// is needed.
    pub fn expect_root(&mut self, blob: &mut dyn Blob, name: &[u8], namespaces: &[&[u8]]) -> Result<(), FileError> {
        if self.has_root_content(blob, name, namespaces)? { Ok(()) } else { Err(FileError::NeedsFallback) }
    }

    /// Reads up to the root element and returns whether it has content.
    pub fn has_root_content(
        &mut self,
        blob: &mut dyn Blob,
        name: &[u8],
        namespaces: &[&[u8]],
    ) -> Result<bool, FileError> {
        loop {
            match self.next(blob)? {
                Token::Text(text) if text.is_blank() => {}
                Token::Start(tag) if tag.name == name => {
                    let is_known = tag.attribute(b"xmlns").is_some_and(|namespace| namespaces.contains(&namespace));
                    return if is_known { Ok(!tag.is_empty) } else { Err(FileError::NeedsFallback) };
                }
                Token::Start(_) => return Err(FileError::NeedsFallback),
                _ => return Err(FileError::BrokenWorkbook),
            }
        }
    }

    pub fn next(&mut self, blob: &mut dyn Blob) -> Result<Token<'_>, FileError> {
        loop {
            let found = self.next_lexeme(blob)?;
            let start = self.at;
            match found {
                Lexeme::Tag { end } => {
                    self.at = start + end + 1;
                    return parse_tag(&self.window[start + 1..start + end]);
                }
                Lexeme::Text { end, after, is_literal } => {
                    self.at = start + after;
                    return Ok(Token::Text(Text { raw: &self.window[start..start + end], is_literal }));
                }
                Lexeme::Skip { after } => self.at = start + after,
                Lexeme::Cdata => {
                    self.at += CDATA.len();
                    self.is_in_cdata = true;
                }
                Lexeme::Eof => return Ok(Token::Eof),
            }
        }
    }

    /// Returns the buffered bytes, for fast paths that know what to expect.
    #[inline]
    pub fn buffered(&self) -> &[u8] {
        &self.window[self.at..self.end]
    }

    #[inline]
    pub fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.end);
    }

    /// Skips the rest of an element after its start tag.
    pub fn skip_element(&mut self, blob: &mut dyn Blob) -> Result<(), FileError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.next(blob)? {
                Token::Start(tag) if !tag.is_empty => depth += 1,
                Token::End(_) => depth -= 1,
                Token::Eof => return Err(FileError::BrokenWorkbook),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the rest of the part without parsing it, to verify its size and checksum.
    pub fn skip_to_end(&mut self, blob: &mut dyn Blob) -> Result<(), FileError> {
        while self.part.read(blob, &mut self.window)? > 0 {}
        (self.at, self.end) = (0, 0);
        Ok(())
    }

    pub fn produced(&self) -> u64 {
        self.part.produced()
    }

    /// Finds the end of the next lexeme.
    fn next_lexeme(&mut self, blob: &mut dyn Blob) -> Result<Lexeme, FileError> {
        loop {
            let buffered = &self.window[self.at..self.end];
            let lexeme = match self.is_in_cdata {
                true => find_bytes(buffered, b"]]>").map(|end| Lexeme::Text { end, after: end + 3, is_literal: true }),
                false => find_lexeme(buffered)?,
            };
            if let Some(found) = lexeme {
                self.is_in_cdata &= !matches!(found, Lexeme::Text { .. });
                return Ok(found);
            }
            if self.fill(blob)? {
                continue;
            }
            let buffered = &self.window[self.at..self.end];
            return match buffered {
                [] if !self.is_in_cdata => Ok(Lexeme::Eof),
                [b'<', ..] if !self.is_in_cdata => Err(FileError::BrokenWorkbook),
                _ if self.end < self.window.len() && self.is_in_cdata => Err(FileError::BrokenWorkbook),
                // A text that is longer than the window, or white space at the end.
                _ => {
                    let is_finished = self.end < self.window.len();
                    let end = if is_finished { buffered.len() } else { complete_length(buffered, self.is_in_cdata) };
                    Ok(Lexeme::Text { end, after: end, is_literal: self.is_in_cdata })
                }
            };
        }
    }

    /// Fills the window. Returns false if it is full or the part has ended.
    fn fill(&mut self, blob: &mut dyn Blob) -> Result<bool, FileError> {
        if self.at > 0 {
            self.window.copy_within(self.at..self.end, 0);
            (self.at, self.end) = (0, self.end - self.at);
        }
        if self.end == self.window.len() {
            return Ok(false);
        }
        let room = &mut self.window[self.end..];
        let count = match &mut self.utf16 {
            None => self.part.read(blob, room)?,
            Some(utf16) => utf16.read(&mut self.part, blob, room)?,
        };
        self.end += count;
        Ok(count > 0)
    }
}

const CDATA: &[u8] = b"<![CDATA[";

/// Finds the lexeme at the start of `buffered`; `None` if it isn't completely buffered.
#[inline]
fn find_lexeme(buffered: &[u8]) -> Result<Option<Lexeme>, FileError> {
    let Some((&first, rest)) = buffered.split_first() else { return Ok(None) };
    if first != b'<' {
        return Ok(memchr(b'<', buffered).map(|end| Lexeme::Text { end, after: end, is_literal: false }));
    }
    let skip_to = |by: &[u8], from: usize| {
        let at = buffered.get(from..).and_then(|buffered| find_bytes(buffered, by));
        at.map(|at| Lexeme::Skip { after: from + at + by.len() })
    };
    match rest.first() {
        None => Ok(None),
        Some(b'?') => Ok(skip_to(b"?>", 2)),
        Some(b'!') if buffered.starts_with(b"<!--") => Ok(skip_to(b"-->", 4)),
        Some(b'!') if buffered.starts_with(CDATA) => Ok(Some(Lexeme::Cdata)),
        Some(b'!') if CDATA.starts_with(buffered) || b"<!--".starts_with(buffered) => Ok(None),
        Some(b'!') => Err(FileError::BrokenWorkbook),
        Some(_) => Ok(tag_end(buffered).map(|end| Lexeme::Tag { end })),
    }
}

/// Returns the offset of the `>` that ends a tag, ignoring quoted ones.
#[inline]
fn tag_end(buffered: &[u8]) -> Option<usize> {
    let mut quote = 0;
    for (at, &byte) in buffered.iter().enumerate() {
        match byte {
            b'>' if quote == 0 => return Some(at),
            b'"' | b'\'' if quote == 0 => quote = byte,
            _ if byte == quote => quote = 0,
            _ => {}
        }
    }
    None
}

fn find_bytes(buffered: &[u8], sequence: &[u8]) -> Option<usize> {
    buffered.windows(sequence.len()).position(|window| window == sequence)
}

/// Returns how much of a text can be passed on without splitting an entity, character, line end or `]]>`.
fn complete_length(buffered: &[u8], is_literal: bool) -> usize {
    let mark = if is_literal { b']' } else { b'&' };
    let look = buffered.len().saturating_sub(MAX_ENTITY);
    if let Some(at) = buffered[look..].iter().position(|&b| b == mark) {
        return look + at;
    }
    let look = buffered.len().saturating_sub(4);
    buffered[look..].iter().rposition(|&b| b & 0xC0 != 0x80).map_or(buffered.len(), |at| look + at)
}

fn parse_tag(inside: &[u8]) -> Result<Token<'_>, FileError> {
    if let Some(name) = inside.strip_prefix(b"/") {
        return Ok(Token::End(name.trim_ascii_end()));
    }
    let (inside, is_empty) = inside.strip_suffix(b"/").map_or((inside, false), |inside| (inside, true));
    let name = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len());
    let (name, attributes) = inside.split_at(name);
    ensure!(!name.is_empty(), FileError::BrokenWorkbook);
    Ok(Token::Start(Tag { name, attributes: Attributes(attributes), is_empty }))
}

impl Text<'_> {
    /// Returns whether the text is only white space.
    pub fn is_blank(&self) -> bool {
        self.raw.iter().all(u8::is_ascii_whitespace)
    }

    /// Appends the decoded text, but nothing if `out` already has more than `max` bytes.
    pub fn decode_into(&self, out: &mut String, max: usize) -> Result<(), FileError> {
        if out.len() > max {
            return Ok(());
        }
        if self.is_literal {
            push_normalized(utf8(self.raw)?, out);
        } else {
            decode(self.raw, out)?;
        }
        Ok(())
    }
}

/// Appends a decoded text or attribute value.
pub(super) fn decode(raw: &[u8], out: &mut String) -> Result<(), FileError> {
    let mut rest = utf8(raw)?;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        push_normalized(&rest[..at], out);
        let end = memchr(b';', &rest.as_bytes()[at..]).ok_or(FileError::BrokenWorkbook)?;
        out.push(entity(&rest[at + 1..at + end]).ok_or(FileError::BrokenWorkbook)?);
        rest = &rest[at + end + 1..];
    }
    push_normalized(rest, out);
    Ok(())
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let (digits, radix) = digits.strip_prefix(['x', 'X']).map_or((digits, 10), |digits| (digits, 16));
            // Without this check, `from_str_radix` would accept a sign.
            let number = digits.starts_with(|c: char| c.is_ascii_hexdigit()).then_some(digits)?;
            char::from_u32(u32::from_str_radix(number, radix).ok()?).filter(|&c| c != '\0')
        }
    }
}

/// Appends a text with normalized line ends.
#[inline]
fn push_normalized(text: &str, out: &mut String) {
    if memchr(b'\r', text.as_bytes()).is_none() {
        out.push_str(text);
        return;
    }
    out.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
}

#[inline]
fn utf8(raw: &[u8]) -> Result<&str, FileError> {
    std::str::from_utf8(raw).map_err(|_| FileError::BrokenWorkbook)
}
