//! A part's XML, pulled apart piece by piece in a window of fixed size. No more of the language than spreadsheets are
//! written in: no document types, no entities but the five and numbered ones.

use super::inflate::Part;
use super::wide::{Wide, is_unicode};
use crate::import::{Blob, FileError};
use memchr::memchr;

/// How much of a part is looked at at once; a tag or comment that is longer is none.
const WINDOW: usize = 128 << 10;
/// How long an entity may be, from its `&` to its `;`.
const LONGEST_ENTITY: usize = 64;

/// A piece of XML. Comments and instructions are passed over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    Start(Tag<'a>),
    End(&'a [u8]),
    /// A text, or a piece of it: entities, characters and line ends stay whole.
    Text(Text<'a>),
    Over,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'a> {
    pub name: &'a [u8],
    pub attributes: Attributes<'a>,
    /// It ends itself.
    pub is_empty: bool,
}

impl<'a> Tag<'a> {
    /// An attribute's value as it is written. Not for every cell: there it is too slow.
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

/// Pulls tokens out of a part.
pub(super) struct Xml {
    part: Part,
    /// Makes UTF-8 of a part in UTF-16.
    wide: Option<Wide>,
    window: Vec<u8>,
    at: usize,
    end: usize,
    in_cdata: bool,
}

/// What stands next, and where in the window.
enum Lexeme {
    Tag { end: usize },
    Text { end: usize, after: usize, is_literal: bool },
    Skip { after: usize },
    Cdata,
    Over,
}

impl Xml {
    /// # Errors
    /// The part is in neither UTF-8 nor UTF-16, or can't be read at all.
    pub fn new(part: Part, blob: &mut dyn Blob) -> Result<Xml, FileError> {
        let mut xml = Xml { part, wide: None, window: vec![0; WINDOW], at: 0, end: 0, in_cdata: false };
        xml.more(blob)?;
        if let Some(wide) = Wide::of(&xml.window[..xml.end])? {
            (xml.wide, xml.end) = (Some(wide), 0);
            xml.more(blob)?;
        }
        match &xml.window[..xml.end] {
            [0xEF, 0xBB, 0xBF, ..] => xml.at = 3,
            [0xFE | 0xFF, ..] | [0, ..] | [_, 0, ..] => return Err(FileError::NeedsFallback),
            _ => {}
        }
        if !is_unicode(&xml.window[xml.at..xml.end]) {
            return Err(FileError::NeedsFallback);
        }
        Ok(xml)
    }

    /// Reads on to the first tag.
    ///
    /// # Errors
    /// There is none, or it is another one; an element of this name under a prefix, in another namespace than Excel's, or
    /// with nothing in it, asks for another reader.
    pub fn root(&mut self, blob: &mut dyn Blob, name: &[u8], namespaces: &[&[u8]]) -> Result<(), FileError> {
        if self.holds_anything(blob, name, namespaces)? { Ok(()) } else { Err(FileError::NeedsFallback) }
    }

    /// Reads on to the first tag of a part that may hold nothing; false where it ends itself.
    ///
    /// # Errors
    /// As [`Xml::root`].
    pub fn holds_anything(
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

    /// The next token.
    ///
    /// # Errors
    /// It is no XML, or none that spreadsheets are written in; or the part can't be read.
    pub fn next(&mut self, blob: &mut dyn Blob) -> Result<Token<'_>, FileError> {
        loop {
            let found = self.find(blob)?;
            let start = self.at;
            match found {
                Lexeme::Tag { end } => {
                    self.at = end + 1;
                    return tag(&self.window[start + 1..end]);
                }
                Lexeme::Text { end, after, is_literal } => {
                    self.at = after;
                    return Ok(Token::Text(Text { raw: &self.window[start..end], is_literal }));
                }
                Lexeme::Skip { after } => self.at = after,
                Lexeme::Cdata => {
                    self.at += CDATA.len();
                    self.in_cdata = true;
                }
                Lexeme::Over => return Ok(Token::Over),
            }
        }
    }

    /// What lies in the window and wasn't read yet; for those who know what to expect there.
    #[inline]
    pub fn ahead(&self) -> &[u8] {
        &self.window[self.at..self.end]
    }

    /// Passes over so much of what lies ahead.
    #[inline]
    pub fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.end);
    }

    /// Passes over an element whose start was just read, and all that is in it.
    ///
    /// # Errors
    /// As [`Xml::next`], or the element has no end.
    pub fn skip_element(&mut self, blob: &mut dyn Blob) -> Result<(), FileError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.next(blob)? {
                Token::Start(tag) if !tag.is_empty => depth += 1,
                Token::End(_) => depth -= 1,
                Token::Over => return Err(FileError::BrokenWorkbook),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the part to its end without looking, so that it is held against what the archive says of it.
    ///
    /// # Errors
    /// The part is damaged.
    pub fn finish(&mut self, blob: &mut dyn Blob) -> Result<(), FileError> {
        while self.part.read(blob, &mut self.window)? > 0 {}
        (self.at, self.end) = (0, 0);
        Ok(())
    }

    /// How many bytes were unpacked so far.
    pub fn produced(&self) -> u64 {
        self.part.produced()
    }

    /// Where the next token ends.
    fn find(&mut self, blob: &mut dyn Blob) -> Result<Lexeme, FileError> {
        loop {
            let ahead = &self.window[self.at..self.end];
            if let Some(found) = if self.in_cdata { in_cdata(ahead) } else { find(ahead)? } {
                self.in_cdata &= !matches!(found, Lexeme::Text { .. });
                return Ok(found.from(self.at));
            }
            if self.more(blob)? {
                continue;
            }
            let ahead = &self.window[self.at..self.end];
            return match ahead {
                [] if !self.in_cdata => Ok(Lexeme::Over),
                [b'<', ..] if !self.in_cdata => Err(FileError::BrokenWorkbook),
                _ if self.end < self.window.len() && self.in_cdata => Err(FileError::BrokenWorkbook),
                // A text that is longer than the window, or the blanks at the end.
                _ => {
                    let is_over = self.end < self.window.len();
                    let end = self.at + if is_over { ahead.len() } else { whole(ahead, self.in_cdata) };
                    Ok(Lexeme::Text { end, after: end, is_literal: self.in_cdata })
                }
            };
        }
    }

    /// Fills the window up; false when it is full already, or the part over.
    fn more(&mut self, blob: &mut dyn Blob) -> Result<bool, FileError> {
        if self.at > 0 {
            self.window.copy_within(self.at..self.end, 0);
            (self.at, self.end) = (0, self.end - self.at);
        }
        if self.end == self.window.len() {
            return Ok(false);
        }
        let room = &mut self.window[self.end..];
        let count = match &mut self.wide {
            None => self.part.read(blob, room)?,
            Some(wide) => wide.read(&mut self.part, blob, room)?,
        };
        self.end += count;
        Ok(count > 0)
    }
}

const CDATA: &[u8] = b"<![CDATA[";

impl Lexeme {
    fn from(self, start: usize) -> Lexeme {
        match self {
            Lexeme::Tag { end } => Lexeme::Tag { end: start + end },
            Lexeme::Text { end, after, is_literal } => {
                Lexeme::Text { end: start + end, after: start + after, is_literal }
            }
            Lexeme::Skip { after } => Lexeme::Skip { after: start + after },
            Lexeme::Cdata | Lexeme::Over => self,
        }
    }
}

/// What stands at the start of these bytes; `None` when they don't hold the end of it.
#[inline]
fn find(ahead: &[u8]) -> Result<Option<Lexeme>, FileError> {
    let Some((&first, rest)) = ahead.split_first() else { return Ok(None) };
    if first != b'<' {
        return Ok(memchr(b'<', ahead).map(|end| Lexeme::Text { end, after: end, is_literal: false }));
    }
    let closed = |by: &[u8], from: usize| {
        let at = ahead.get(from..).and_then(|ahead| position(ahead, by));
        at.map(|at| Lexeme::Skip { after: from + at + by.len() })
    };
    match rest.first() {
        None => Ok(None),
        Some(b'?') => Ok(closed(b"?>", 2)),
        Some(b'!') if ahead.starts_with(b"<!--") => Ok(closed(b"-->", 4)),
        Some(b'!') if ahead.starts_with(CDATA) => Ok(Some(Lexeme::Cdata)),
        Some(b'!') if CDATA.starts_with(ahead) || b"<!--".starts_with(ahead) => Ok(None),
        Some(b'!') => Err(FileError::BrokenWorkbook),
        Some(_) => Ok(tag_end(ahead).map(|end| Lexeme::Tag { end })),
    }
}

/// Where a tag's `>` stands, none inside of quotes.
#[inline]
fn tag_end(ahead: &[u8]) -> Option<usize> {
    let mut quote = 0;
    for (at, &byte) in ahead.iter().enumerate() {
        match byte {
            b'>' if quote == 0 => return Some(at),
            b'"' | b'\'' if quote == 0 => quote = byte,
            _ if byte == quote => quote = 0,
            _ => {}
        }
    }
    None
}

fn in_cdata(ahead: &[u8]) -> Option<Lexeme> {
    position(ahead, b"]]>").map(|end| Lexeme::Text { end, after: end + 3, is_literal: true })
}

fn position(ahead: &[u8], of: &[u8]) -> Option<usize> {
    ahead.windows(of.len()).position(|window| window == of)
}

/// How much of a text's piece can be told from what follows: no entity, character, line end or end mark is cut in two.
fn whole(ahead: &[u8], is_literal: bool) -> usize {
    let mark = if is_literal { b']' } else { b'&' };
    let look = ahead.len().saturating_sub(LONGEST_ENTITY);
    if let Some(at) = ahead[look..].iter().position(|&b| b == mark) {
        return look + at;
    }
    let look = ahead.len().saturating_sub(4);
    ahead[look..].iter().rposition(|&b| b & 0xC0 != 0x80).map_or(ahead.len(), |at| look + at)
}

fn tag(inside: &[u8]) -> Result<Token<'_>, FileError> {
    if let Some(name) = inside.strip_prefix(b"/") {
        return Ok(Token::End(name.trim_ascii_end()));
    }
    let (inside, is_empty) = inside.strip_suffix(b"/").map_or((inside, false), |inside| (inside, true));
    let name = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len());
    let (name, attributes) = inside.split_at(name);
    if name.is_empty() {
        return Err(FileError::BrokenWorkbook);
    }
    Ok(Token::Start(Tag { name, attributes: Attributes(attributes), is_empty }))
}

/// A tag's attributes: names, and values as they are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes<'a>(pub &'a [u8]);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.0.trim_ascii_start();
        let equals = rest.iter().position(|&b| b == b'=')?;
        let (name, rest) = (rest[..equals].trim_ascii_end(), rest[equals + 1..].trim_ascii_start());
        let (&quote, rest) = rest.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
        let end = rest.iter().position(|&b| b == quote)?;
        self.0 = &rest[end + 1..];
        Some((name, &rest[..end]))
    }
}

impl Text<'_> {
    /// Nothing but blanks, as they stand between tags.
    pub fn is_blank(&self) -> bool {
        self.raw.iter().all(u8::is_ascii_whitespace)
    }

    /// Adds the text to another as it is meant, but none to one that has so many bytes already.
    ///
    /// # Errors
    /// It isn't UTF-8, or has an entity that there isn't.
    pub fn add_to(&self, out: &mut String, most: usize) -> Result<(), FileError> {
        if out.len() > most {
            return Ok(());
        }
        if self.is_literal {
            line_ends(utf8(self.raw)?, out);
        } else {
            decode(self.raw, out)?;
        }
        Ok(())
    }
}

/// Adds a text or an attribute's value as it is meant.
///
/// # Errors
/// It isn't UTF-8, or has an entity that there isn't.
pub(super) fn decode(raw: &[u8], out: &mut String) -> Result<(), FileError> {
    let mut rest = utf8(raw)?;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        line_ends(&rest[..at], out);
        let end = memchr(b';', &rest.as_bytes()[at..]).ok_or(FileError::BrokenWorkbook)?;
        out.push(entity(&rest[at + 1..at + end]).ok_or(FileError::BrokenWorkbook)?);
        rest = &rest[at + end + 1..];
    }
    line_ends(rest, out);
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
            // A sign would be taken for part of the number.
            let number = digits.starts_with(|c: char| c.is_ascii_hexdigit()).then_some(digits)?;
            char::from_u32(u32::from_str_radix(number, radix).ok()?).filter(|&c| c != '\0')
        }
    }
}

/// Adds a text whose line ends are what XML makes of all of them.
#[inline]
fn line_ends(text: &str, out: &mut String) {
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
