//! What a cell's tag says.

use super::xml::Attributes;
use crate::import::FileError;
use std::ops::Range;

/// How a cell's value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
pub(super) struct Head {
    pub place: Option<(u32, u32)>,
    pub style: usize,
    pub kind: Kind,
}

/// A cell that lies ahead as a whole: where its value stands, none for a cell without one, and how long it is.
pub(super) struct Ahead {
    pub head: Head,
    pub value: Range<usize>,
    pub length: usize,
}

/// The next cell, if it lies ahead and is written as nearly all are: `<c r="A1" s="1" t="s"><v>7</v></c>`. This is where
/// most of the time goes, so that it looks at every byte once.
#[inline]
pub(super) fn ahead(ahead: &[u8]) -> Option<Ahead> {
    const START: &[u8] = b"<c r=\"";
    const END: &[u8] = b"</v></c>";
    if !ahead.starts_with(START) {
        return None;
    }
    let mut at = START.len();
    let (mut column, letters) = (0, at);
    while let Some(byte @ b'A'..=b'Z') = ahead.get(at) {
        column = column * 26 + u32::from(byte - b'A') + 1;
        at += 1;
        if at > letters + 3 {
            return None;
        }
    }
    let row = digits(ahead, &mut at)?;
    let mut head = Head { place: Some((row, column.checked_sub(1)?)), style: 0, kind: Kind::Unsaid };
    // Behind the place's closing quote.
    at += 1;
    if ahead.get(at..at + 4)? == b" s=\"" {
        at += 4;
        head.style = digits(ahead, &mut at)? as usize;
        at += 1;
    }
    if ahead.get(at..at + 4)? == b" t=\"" {
        let rest = &ahead[at + 4..];
        let (kind, length) = match rest {
            [b's', b'"', ..] => (Kind::Shared, 2),
            [b'n', b'"', ..] => (Kind::Number, 2),
            [b'b', b'"', ..] => (Kind::Truth, 2),
            [b's', b't', b'r', b'"', ..] => (Kind::Formula, 4),
            _ => return None,
        };
        head.kind = kind;
        at += 4 + length;
    }
    if ahead.get(at..at + 2)? == b"/>" {
        return Some(Ahead { head, value: 0..0, length: at + 2 });
    }
    if ahead.get(at..at + 4)? != b"><v>" {
        return None;
    }
    let start = at + 4;
    let end = start + ahead[start..].iter().position(|&b| b == b'<')?;
    ahead[end..].starts_with(END).then_some(Ahead { head, value: start..end, length: end + END.len() })
}

/// The number that stands at a place, up to a quote; the place moves to the quote.
#[inline]
fn digits(ahead: &[u8], at: &mut usize) -> Option<u32> {
    let (mut number, start) = (0, *at);
    loop {
        match *ahead.get(*at)? {
            digit @ b'0'..=b'9' if *at < start + 9 => number = number * 10 + u32::from(digit - b'0'),
            b'"' if *at > start => return Some(number),
            _ => return None,
        }
        *at += 1;
    }
}

#[inline]
pub(super) fn head(attributes: Attributes<'_>) -> Result<Head, FileError> {
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
pub(super) fn whole(digits: &[u8]) -> Option<u32> {
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
