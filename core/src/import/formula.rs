//! Escapes cells of exported lists and of reports that a spreadsheet program would execute as formulas (CSV injection).
//!
//! An apostrophe at the beginning makes a cell a text. A spreadsheet program may split a line at other separators than
//! the file's, so each piece of a cell between separators is escaped.

use crate::text::is_invisible;
use std::borrow::Cow;

/// The characters at which spreadsheet programs split a text into cells or lines.
const SEPARATORS: [char; 6] = [',', ';', '\t', '|', '\n', '\r'];

/// Returns a cell with an apostrophe before each piece that would begin a formula, and before a first character that
/// some program may take for the start of one. Numbers and phone numbers stay unchanged, because a program at most
/// converts them to numbers. A leading apostrophe is doubled, so that [`unescape`] reverts this.
pub fn escape(cell: &str) -> Cow<'_, str> {
    escape_where(cell, |first| begins_specially(first) && !is_signed_number_or_phone(first))
}

/// As [`escape`], but also escapes a cell that is a number with a sign, so that it stays a text. Used for exported
/// lists.
pub fn escape_numbers(cell: &str) -> Cow<'_, str> {
    escape_where(cell, |first| begins_specially(first) || begins_formula(first))
}

/// Escapes each piece that would begin a formula, and also the first one if `is_special` is true for the cell.
fn escape_where(cell: &str, is_special: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let needs_escape = |start: usize| {
        let rest = &cell[start..];
        let bare = rest.trim_start_matches('\'');
        (start == 0 && is_special(rest))
            // An apostrophe before a formula gets another one, so that unescaping restores it.
            || (begins_formula(bare) && (bare.len() < rest.len() || !is_signed_number_or_phone(rest)))
    };
    let piece_starts: Vec<usize> = piece_starts(cell).filter(|&start| needs_escape(start)).collect();
    rewrite(cell, &piece_starts, |escaped, rest| {
        escaped.push('\'');
        rest
    })
}

/// Reverts [`escape`] and [`escape_numbers`]. Other programs also write such apostrophes, for example before phone
/// numbers. An apostrophe before another text stays.
pub fn unescape(cell: &str) -> Cow<'_, str> {
    if !may_be_escaped(cell) {
        return Cow::Borrowed(cell);
    }
    let is_escaped = |&(start, _): &(usize, &str)| {
        let is_piece_start = start == 0 || cell[..start].ends_with(SEPARATORS);
        let text = &cell[start + 1..];
        is_piece_start && ((start == 0 && begins_specially(text)) || begins_formula(text.trim_start_matches('\'')))
    };
    let piece_starts: Vec<usize> = cell.match_indices('\'').filter(is_escaped).map(|(start, _)| start).collect();
    rewrite(cell, &piece_starts, |_, rest| &rest[1..])
}

/// Returns whether a text contains an apostrophe. [`unescape`] does not change other texts. The compiler can vectorize
/// this.
pub fn may_be_escaped(text: &str) -> bool {
    text.bytes().fold(false, |found, b| found | (b == b'\''))
}

fn piece_starts(cell: &str) -> impl Iterator<Item = usize> + '_ {
    let after_separators = cell.char_indices().filter(|(_, c)| SEPARATORS.contains(c)).map(|(offset, _)| offset + 1);
    std::iter::once(0).chain(after_separators)
}

fn rewrite<'a>(cell: &'a str, piece_starts: &[usize], begin: impl Fn(&mut String, &'a str) -> &'a str) -> Cow<'a, str> {
    let Some(&first) = piece_starts.first() else { return Cow::Borrowed(cell) };
    let mut text = cell[..first].to_owned();
    for (index, &start) in piece_starts.iter().enumerate() {
        let end = piece_starts.get(index + 1).copied().unwrap_or(cell.len());
        let rest = begin(&mut text, &cell[start..end]);
        text.push_str(rest);
    }
    Cow::Owned(text)
}

/// Returns whether a cell begins with a character that programs may take for the start of a formula, or with an
/// apostrophe.
fn begins_specially(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\''])
}

/// Returns whether a spreadsheet program would take the piece at the start of `rest` for a formula.
fn begins_formula(rest: &str) -> bool {
    let is_visible = |c: &char| !(c.is_whitespace() || c.is_control() || is_invisible(*c)) || SEPARATORS.contains(c);
    let first = rest.chars().find(is_visible);
    first.is_some_and(|c| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '−'))
}

/// Returns whether a text consists of a sign, digits and punctuation of numbers only.
fn is_signed_number_or_phone(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['+', '-'])
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '(' | ')' | '.' | ',' | '/' | ' ' | '\u{a0}'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_each_piece_that_would_begin_a_formula() {
        for (cell, escaped) in [
            ("=1+1", "'=1+1"),
            ("+A1", "'+A1"),
            ("-A1", "'-A1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            (" =1", "' =1"),
            ("\u{a0}=1", "'\u{a0}=1"),
            ("＝1", "'＝1"),
            ("＋cmd", "'＋cmd"),
            ("－2+3", "'－2+3"),
            ("＠a", "'＠a"),
            ("+46 A1", "'+46 A1"),
            ("-2+cmd|' /C calc'!A0", "'-2+cmd|' /C calc'!A0"),
            ("\u{feff}=1", "'\u{feff}=1"),
            ("\u{200b}=1", "'\u{200b}=1"),
            ("+46;A1", "'+46;A1"),
            ("--a", "'--a"),
            ("1;=1+1;2", "1;'=1+1;2"),
            (";@SUM(1)", ";'@SUM(1)"),
            ("a|-b|c", "a|'-b|c"),
            ("\t=1", "'\t'=1"),
            ("Gatan 1\n=1", "Gatan 1\n'=1"),
            ("1, =HYPERLINK(1)", "1,' =HYPERLINK(1)"),
            ("'=1", "''=1"),
            ("\rx", "'\rx"),
            ("'x", "''x"),
            ("'", "''"),
        ] {
            assert_eq!((&*escape(cell), &*unescape(escaped)), (escaped, cell));
        }
    }

    #[test]
    fn leaves_numbers_and_ordinary_texts_unchanged() {
        for plain in
            ["", "Åsa", "a=b", "0701234567", "a@b.se", "O'Neill", "040-12 34 56; +46 70-123 45 67", "rock 'n' roll"]
        {
            assert_eq!((&*escape(plain), &*unescape(plain)), (plain, plain));
        }
    }

    #[test]
    fn escapes_numbers_with_a_sign_in_exported_lists() {
        for (cell, escaped) in [
            ("+46 70-123 45 67", "'+46 70-123 45 67"),
            ("-12,50", "'-12,50"),
            ("=1", "'=1"),
            ("'x", "''x"),
            (" +46", "' +46"),
            ("12,-5", "12,-5"),
            ("0701234567", "0701234567"),
        ] {
            assert_eq!((&*escape_numbers(cell), &*unescape(escaped)), (escaped, cell));
        }
    }

    #[test]
    fn removes_an_apostrophe_before_a_phone_number() {
        assert_eq!(unescape("'+46 70-123 45 67"), "+46 70-123 45 67");
    }

    #[test]
    fn keeps_the_apostrophes_of_other_programs() {
        for cell in ["'0701234567", "'Åsa", "'n Roll", "'", "rock 'n' roll"] {
            assert_eq!(unescape(cell), cell);
        }
    }

    proptest! {
        #[test]
        fn unescape_reverts_escape_and_no_piece_begins_a_formula(cell in "[=+@\\t\\r\\n ,;|\"'0-9a\\-å＝\u{200b}]{0,12}") {
            let escaped = escape(&cell);
            prop_assert_eq!(&*unescape(&escaped), &cell);
            for start in piece_starts(&escaped) {
                let rest = &escaped[start..];
                prop_assert!(!begins_formula(rest) || is_signed_number_or_phone(rest), "{:?}: {:?}", cell, rest);
            }
            let exported = escape_numbers(&cell);
            prop_assert_eq!(&*unescape(&exported), &cell);
            prop_assert!(!begins_formula(&exported) && !exported.starts_with(['\t', '\r']), "{:?}", exported);
        }
    }
}
