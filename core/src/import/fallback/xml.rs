//! A pull parser for the XML of a workbook's parts that limits the size of each token.

use super::parts::Part;
use crate::import::FileError;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::io::{self, BufRead, Read};

/// The maximum size of a tag, or of a text between two tags, in bytes.
const MAX_TOKEN: usize = 4 << 20;

pub(super) struct Xml<'a> {
    reader: Reader<BoundedReader<'a>>,
    buffer: Vec<u8>,
}

#[derive(Debug)]
pub(super) enum Node<'a> {
    /// The start tag of an element; `is_empty` if it closes itself.
    Start {
        tag: BytesStart<'a>,
        is_empty: bool,
    },
    End,
    Text(String),
    Eof,
}

impl<'a> Xml<'a> {
    pub fn new(part: Part<'a>) -> Xml<'a> {
        let mut reader = Reader::from_reader(BoundedReader { part, remaining: MAX_TOKEN });
        reader.config_mut().check_end_names = true;
        Xml { reader, buffer: Vec::new() }
    }

    pub fn next(&mut self) -> Result<Node<'_>, FileError> {
        self.buffer.clear();
        self.reader.get_mut().remaining = MAX_TOKEN;
        let broken = |_| FileError::BrokenWorkbook;
        Ok(match self.reader.read_event_into(&mut self.buffer).map_err(broken)? {
            Event::Start(tag) => Node::Start { tag, is_empty: false },
            Event::Empty(tag) => Node::Start { tag, is_empty: true },
            Event::End(_) => Node::End,
            Event::Text(text) => Node::Text(text.xml10_content().into_owned()),
            Event::CData(text) => Node::Text(text.xml10_content().into_owned()),
            Event::GeneralRef(name) => {
                let text = match &*name {
                    "amp" => Some('&'),
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    _ => name.resolve_char_ref().map_err(broken)?,
                };
                Node::Text(text.ok_or(FileError::BrokenWorkbook)?.to_string())
            }
            Event::Eof => Node::Eof,
            // Custom entities could expand a small file to a large one.
            Event::DocType(_) => return Err(FileError::BrokenWorkbook),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => Node::Text(String::new()),
        })
    }

    /// Skips the rest of an element after its start tag.
    pub fn skip(&mut self) -> Result<(), FileError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.next()? {
                Node::Start { is_empty: false, .. } => depth += 1,
                Node::End => depth -= 1,
                Node::Eof => return Err(FileError::BrokenWorkbook),
                Node::Start { .. } | Node::Text(_) => {}
            }
        }
        Ok(())
    }

    /// Returns how many bytes were read so far.
    pub fn position(&self) -> u64 {
        self.reader.buffer_position()
    }
}

/// Calls `visit` with the name (without prefix) and the value of each attribute. Extensions of LibreOffice are skipped,
/// because they reuse standard names.
pub(super) fn attributes(tag: &BytesStart<'_>, mut visit: impl FnMut(&str, &str)) -> Result<(), FileError> {
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|_| FileError::BrokenWorkbook)?;
        let (name, prefix) = attribute.key.decompose();
        if prefix.is_some_and(|prefix| matches!(prefix.as_ref(), "calcext" | "loext" | "xmlns")) {
            continue;
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| FileError::BrokenWorkbook)?;
        visit(name.as_ref(), &value);
    }
    Ok(())
}

/// A reader for one token. Once the parser has consumed `remaining` more bytes, it returns an error.
struct BoundedReader<'a> {
    part: Part<'a>,
    remaining: usize,
}

impl Read for BoundedReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.part.read(into)
    }
}

impl BufRead for BoundedReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.remaining == 0 {
            return Err(io::Error::other("the token is too long"));
        }
        self.part.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.remaining = self.remaining.saturating_sub(count);
        self.part.consume(count);
    }
}
