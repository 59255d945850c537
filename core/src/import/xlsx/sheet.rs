//! A sheet's rows, one after the other.

use super::package::SHEET_NAMESPACE;
use super::strings::{Strings, string, text, unescape};
use super::styles::Format;
use super::value::{number, written_date};
use super::xml::{Attributes, Token, Xml, decode};
use crate::import::book::GRID;
use crate::import::row::RowBuffer;
use crate::import::{Blob, FileError, Limits};

/// What a sheet's cells refer to.
pub(super) struct Around<'a> {
    pub blob: &'a mut dyn Blob,
    pub strings: &'a mut Strings,
    pub formats: &'a [Format],
    pub from_1904: bool,
    pub limits: &'a Limits,
}

/// A sheet that is being read.
pub(super) struct Sheet {
    xml: Xml,
    /// The number of the last row, from 1.
    row: u32,
    is_over: bool,
    value: String,
    scratch: String,
}

/// How a cell's value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A number, or what a careless program writes without saying that it is none.
    Unsaid,
    Number,
    Shared,
    Inline,
    Formula,
    Truth,
    Error,
    Moment,
}

/// What stands in a cell's tag: its place, if it is said, its style, and how its value is written.
struct Head {
    place: Option<(u32, u32)>,
    style: usize,
    kind: Kind,
}

impl Sheet {
    /// Reads a part up to its rows.
    ///
    /// # Errors
    /// It is no sheet, or has none.
    pub fn new(mut xml: Xml, blob: &mut dyn Blob) -> Result<Sheet, FileError> {
        xml.root(blob, b"worksheet", SHEET_NAMESPACE)?;
        let is_over = loop {
            match xml.next(blob)? {
                Token::Start(tag) if tag.name == b"sheetData" => break tag.is_empty,
                Token::Start(tag) if !tag.is_empty => xml.skip_element(blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
            }
        };
        Ok(Sheet { xml, row: 0, is_over, value: String::new(), scratch: String::new() })
    }

    /// How many bytes were unpacked so far.
    pub fn produced(&self) -> u64 {
        self.xml.produced()
    }

    /// The next row with cells; false after the last one.
    ///
    /// # Errors
    /// The sheet is damaged, or a cell or row is longer than the limits allow.
    pub fn next(&mut self, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<bool, FileError> {
        if self.is_over {
            return Ok(false);
        }
        loop {
            match self.xml.next(around.blob)? {
                Token::Start(tag) if tag.name == b"row" => {
                    let mut attributes = tag.attributes;
                    let said = attributes.find(|(name, _)| *name == b"r").map(|(_, number)| number);
                    let said = said.map(|said| whole(said).ok_or(FileError::BrokenWorkbook)).transpose()?;
                    let is_empty = tag.is_empty;
                    self.begin(said.unwrap_or(self.row + 1))?;
                    row.start(u64::from(self.row));
                    if !is_empty {
                        self.cells(said.is_some(), around, row)?;
                    }
                    if row.row().cells().next().is_some() {
                        return Ok(true);
                    }
                }
                Token::Start(tag) if !tag.is_empty => self.xml.skip_element(around.blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(b"sheetData") => {
                    self.xml.finish(around.blob)?;
                    self.is_over = true;
                    return Ok(false);
                }
                Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
            }
        }
    }

    /// Rows only go down, and not below the last one that a sheet can have.
    fn begin(&mut self, number: u32) -> Result<(), FileError> {
        if number <= self.row || number > GRID.0 {
            return Err(FileError::BrokenWorkbook);
        }
        self.row = number;
        Ok(())
    }

    /// Reads the cells of a row up to its end. `is_said`: the row has said its number itself.
    fn cells(&mut self, is_said: bool, around: &mut Around<'_>, row: &mut RowBuffer) -> Result<(), FileError> {
        let (mut column, mut is_said) = (0, is_said);
        loop {
            match self.xml.next(around.blob)? {
                Token::Start(tag) if tag.name == b"c" => {
                    let (head, is_empty) = (head(tag.attributes)?, tag.is_empty);
                    let (at, here) = head.place.unwrap_or((self.row, column));
                    if at != self.row {
                        // Only the first cell of a row that doesn't say it can tell where the row is.
                        if is_said {
                            return Err(FileError::BrokenWorkbook);
                        }
                        self.row -= 1;
                        self.begin(at)?;
                        row.start(u64::from(at));
                    }
                    if here < column || here >= GRID.1 {
                        return Err(FileError::BrokenWorkbook);
                    }
                    (column, is_said) = (here + 1, true);
                    if !is_empty {
                        self.cell(&head, here as usize, around, row)?;
                    }
                }
                Token::Start(tag) if !tag.is_empty => self.xml.skip_element(around.blob)?,
                Token::Start(_) | Token::Text(_) => {}
                Token::End(b"row") => return Ok(()),
                Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
            }
        }
    }

    /// Reads a cell to its end, and adds it to the row.
    fn cell(
        &mut self,
        head: &Head,
        column: usize,
        around: &mut Around<'_>,
        row: &mut RowBuffer,
    ) -> Result<(), FileError> {
        self.value.clear();
        let mut is_text = false;
        if let Some((raw, length)) = value_ahead(self.xml.ahead()) {
            if head.kind == Kind::Shared && !raw.is_empty() {
                let place = whole(raw).ok_or(FileError::BrokenWorkbook)?;
                self.xml.skip(length);
                let text = around.strings.get(place as usize, around.blob, around.limits)?;
                return row.push(column, text, around.limits);
            }
            if head.kind != Kind::Inline {
                decode(raw, &mut self.value)?;
            }
            self.xml.skip(length);
        } else {
            loop {
                match self.xml.next(around.blob)? {
                    Token::Start(tag) if tag.is_empty => {}
                    Token::Start(tag) if tag.name == b"v" && head.kind != Kind::Inline => {
                        text(&mut self.xml, around.blob, &mut self.value, around.limits)?;
                    }
                    Token::Start(tag) if tag.name == b"is" => {
                        is_text = true;
                        let (value, scratch) = (&mut self.value, &mut self.scratch);
                        value.clear();
                        string(&mut self.xml, around.blob, b"is", value, scratch, around.limits)?;
                    }
                    // Formulas, and what programs add for themselves.
                    Token::Start(_) => self.xml.skip_element(around.blob)?,
                    Token::Text(_) => {}
                    Token::End(b"c") => break,
                    Token::End(_) | Token::Over => return Err(FileError::BrokenWorkbook),
                }
            }
        }
        let value = self.value.as_str();
        if is_text {
            return row.push(column, value, around.limits);
        }
        let out = &mut self.scratch;
        out.clear();
        match head.kind {
            Kind::Shared if value.is_empty() => {}
            Kind::Shared => {
                let place = whole(value.as_bytes()).ok_or(FileError::BrokenWorkbook)?;
                let text = around.strings.get(place as usize, around.blob, around.limits)?;
                return row.push(column, text, around.limits);
            }
            Kind::Formula => unescape(value, out),
            Kind::Truth => match value.trim().to_ascii_lowercase().as_str() {
                "" => {}
                "1" | "true" => out.push_str("TRUE"),
                "0" | "false" => out.push_str("FALSE"),
                _ => return Err(FileError::BrokenWorkbook),
            },
            Kind::Error => out.push_str(value.trim()),
            Kind::Moment => written_date(value.trim(), out),
            Kind::Unsaid | Kind::Number | Kind::Inline => {
                let format = around.formats.get(head.style).copied().unwrap_or_default();
                if !value.is_empty() && !number(value.as_bytes(), format, around.from_1904, out) {
                    if head.kind == Kind::Number {
                        return Err(FileError::BrokenWorkbook);
                    }
                    out.push_str(value);
                }
            }
        }
        row.push(column, out, around.limits)
    }
}

/// A cell's value and end as nearly all are written, if they lie ahead, and how long they are.
#[inline]
fn value_ahead(ahead: &[u8]) -> Option<(&[u8], usize)> {
    const START: &[u8] = b"<v>";
    const END: &[u8] = b"</v></c>";
    let rest = ahead.strip_prefix(START)?;
    let end = rest.iter().position(|&b| b == b'<')?;
    rest[end..].starts_with(END).then_some((&rest[..end], START.len() + end + END.len()))
}

#[inline]
fn head(attributes: Attributes<'_>) -> Result<Head, FileError> {
    let mut head = Head { place: None, style: 0, kind: Kind::Unsaid };
    for (name, value) in attributes {
        match name {
            b"r" => head.place = Some(place(value).ok_or(FileError::BrokenWorkbook)?),
            b"s" => head.style = whole(value).map_or(usize::MAX, |style| style as usize),
            b"t" => {
                head.kind = match value {
                    b"s" => Kind::Shared,
                    b"n" => Kind::Number,
                    b"str" => Kind::Formula,
                    b"inlineStr" | b"is" => Kind::Inline,
                    b"b" => Kind::Truth,
                    b"e" => Kind::Error,
                    b"d" => Kind::Moment,
                    _ => return Err(FileError::BrokenWorkbook),
                }
            }
            _ => {}
        }
    }
    Ok(head)
}

/// A cell's row, from 1, and column, from 0, by its name, such as `B7`.
#[inline]
fn place(name: &[u8]) -> Option<(u32, u32)> {
    let letters = name.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let (letters, digits) = name.split_at(letters);
    if !(1..=3).contains(&letters.len()) {
        return None;
    }
    let column = letters.iter().fold(0, |sum, b| sum * 26 + u32::from(b.to_ascii_uppercase() - b'A') + 1);
    Some((whole(digits)?, column - 1))
}

/// A number of at most nine digits.
#[inline]
fn whole(digits: &[u8]) -> Option<u32> {
    if !(1..=9).contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + u32::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_by_its_name() {
        assert_eq!(place(b"A1"), Some((1, 0)));
        assert_eq!(place(b"xfd1048576"), Some((1_048_576, 16_383)));
        assert_eq!(place(b"AA10"), Some((10, 26)));
        for wrong in ["", "A", "1", "$A$1", "A-1", "AAAA1", "A1234567890", "A1B", "Å1"] {
            assert_eq!(place(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
