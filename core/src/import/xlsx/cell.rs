//! Parses the tags of cells.

use super::attributes::Attributes;
use crate::import::FileError;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CellType {
    /// No type: a number, or a text from a program that omits the type.
    Unspecified,
    Number,
    SharedString,
    InlineString,
    FormulaString,
    Boolean,
    Error,
    IsoDate,
}

/// The attributes of a cell: its row (from 1) and column (from 0), if specified, its style and its type.
pub(super) struct CellHead {
    pub position: Option<(u32, u32)>,
    pub style: usize,
    pub kind: CellType,
}

/// A completely buffered cell: the range of its value, empty if it has none, and the length of the whole cell.
pub(super) struct BufferedCell {
    pub head: CellHead,
    pub value: Range<usize>,
    pub length: usize,
}

/// A fast path for cells in the usual notation `<c r="A1" s="1" t="s"><v>7</v></c>`. It parses every byte only once
/// because most of the time is spent here.
#[inline]
pub(super) fn parse_buffered(buffered: &[u8]) -> Option<BufferedCell> {
    const START: &[u8] = b"<c r=\"";
    const END: &[u8] = b"</v></c>";
    if !buffered.starts_with(START) {
        return None;
    }
    let mut at = START.len();
    let (mut column, letters) = (0, at);
    while let Some(byte @ b'A'..=b'Z') = buffered.get(at) {
        column = column * 26 + u32::from(byte - b'A') + 1;
        at += 1;
        if at > letters + 3 {
            return None;
        }
    }
    let row = parse_quoted_number(buffered, &mut at)?;
    let mut head = CellHead { position: Some((row, column.checked_sub(1)?)), style: 0, kind: CellType::Unspecified };
    // Skips the closing quote.
    at += 1;
    if buffered.get(at..at + 4)? == b" s=\"" {
        at += 4;
        head.style = parse_quoted_number(buffered, &mut at)? as usize;
        at += 1;
    }
    if buffered.get(at..at + 4)? == b" t=\"" {
        let rest = &buffered[at + 4..];
        let (kind, length) = match rest {
            [b's', b'"', ..] => (CellType::SharedString, 2),
            [b'n', b'"', ..] => (CellType::Number, 2),
            [b'b', b'"', ..] => (CellType::Boolean, 2),
            [b's', b't', b'r', b'"', ..] => (CellType::FormulaString, 4),
            _ => return None,
        };
        head.kind = kind;
        at += 4 + length;
    }
    if buffered.get(at..at + 2)? == b"/>" {
        return Some(BufferedCell { head, value: 0..0, length: at + 2 });
    }
    if buffered.get(at..at + 4)? != b"><v>" {
        return None;
    }
    let start = at + 4;
    let end = start + buffered[start..].iter().position(|&b| b == b'<')?;
    buffered[end..].starts_with(END).then_some(BufferedCell { head, value: start..end, length: end + END.len() })
}

/// Parses the number at `at` up to a quote and moves `at` to the quote.
#[inline]
fn parse_quoted_number(buffered: &[u8], at: &mut usize) -> Option<u32> {
    let (mut number, start) = (0, *at);
    loop {
        match *buffered.get(*at)? {
            digit @ b'0'..=b'9' if *at < start + 9 => number = number * 10 + u32::from(digit - b'0'),
            b'"' if *at > start => return Some(number),
            _ => return None,
        }
        *at += 1;
    }
}

#[inline]
pub(super) fn parse_head(attributes: Attributes<'_>) -> Result<CellHead, FileError> {
    let mut head = CellHead { position: None, style: 0, kind: CellType::Unspecified };
    for (name, value) in attributes {
        match name {
            b"r" => head.position = Some(parse_reference(value).ok_or(FileError::BrokenWorkbook)?),
            b"s" => head.style = parse_integer(value).map_or(usize::MAX, |style| style as usize),
            b"t" => {
                head.kind = match value {
                    b"s" => CellType::SharedString,
                    b"n" => CellType::Number,
                    b"str" => CellType::FormulaString,
                    b"inlineStr" | b"is" => CellType::InlineString,
                    b"b" => CellType::Boolean,
                    b"e" => CellType::Error,
                    b"d" => CellType::IsoDate,
                    _ => return Err(FileError::BrokenWorkbook),
                }
            }
            _ => {}
        }
    }
    Ok(head)
}

/// Parses a cell reference such as `B7` into a row from 1 and a column from 0.
#[inline]
fn parse_reference(name: &[u8]) -> Option<(u32, u32)> {
    let letters = name.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let (letters, digits) = name.split_at(letters);
    if !(1..=3).contains(&letters.len()) {
        return None;
    }
    let column = letters.iter().fold(0, |sum, b| sum * 26 + u32::from(b.to_ascii_uppercase() - b'A') + 1);
    Some((parse_integer(digits)?, column - 1))
}

/// Parses a number of at most nine digits.
#[inline]
pub(super) fn parse_integer(digits: &[u8]) -> Option<u32> {
    if !(1..=9).contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + u32::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_cell_references() {
        assert_eq!(parse_reference(b"A1"), Some((1, 0)));
        assert_eq!(parse_reference(b"xfd1048576"), Some((1_048_576, 16_383)));
        assert_eq!(parse_reference(b"AA10"), Some((10, 26)));
        for invalid in ["", "A", "1", "$A$1", "A-1", "AAAA1", "A1234567890", "A1B", "Å1"] {
            assert_eq!(parse_reference(invalid.as_bytes()), None, "{invalid}");
        }
    }
}
