//! Cells that a spreadsheet program would take for a formula, as they are written into a report and read back.
//!
//! A program may split a line at another separator than the one it was written with, so each piece of a cell counts. An
//! apostrophe in front of a piece makes it a text.

use std::borrow::Cow;

/// What spreadsheet programs split lines at.
const SEPARATORS: [char; 6] = [',', ';', '\t', '|', '\n', '\r'];

/// Returns a cell with an apostrophe before each piece that would begin a formula. A number stays as it is, a telephone number
/// too: the most that a program makes of it is a number. [`unescape`] undoes this.
pub fn escape(cell: &str) -> Cow<'_, str> {
    let begins = |rest: &str| {
        let bare = rest.trim_start_matches('\'');
        // An apostrophe that stood there already gets another one, so that it comes back.
        begins_formula(bare) && (bare.len() < rest.len() || !is_number(rest))
    };
    let starts: Vec<usize> = starts(cell).filter(|&start| begins(&cell[start..])).collect();
    rewritten(cell, &starts, |escaped, rest| {
        escaped.push('\'');
        rest
    })
}

/// Returns what [`escape`] was given. Other programs write such an apostrophe as well, also before telephone numbers.
pub fn unescape(cell: &str) -> Cow<'_, str> {
    if !cell.contains('\'') {
        return Cow::Borrowed(cell);
    }
    let is_escaped = |rest: &str| rest.starts_with('\'') && begins_formula(rest.trim_start_matches('\''));
    let starts: Vec<usize> = starts(cell).filter(|&start| is_escaped(&cell[start..])).collect();
    rewritten(cell, &starts, |_, rest| &rest[1..])
}

/// The places where a piece of a cell begins.
fn starts(cell: &str) -> impl Iterator<Item = usize> + '_ {
    let behind = cell.char_indices().filter(|(_, c)| SEPARATORS.contains(c)).map(|(place, _)| place + 1);
    std::iter::once(0).chain(behind)
}

fn rewritten<'a>(cell: &'a str, starts: &[usize], begin: impl Fn(&mut String, &'a str) -> &'a str) -> Cow<'a, str> {
    let Some(&first) = starts.first() else { return Cow::Borrowed(cell) };
    let mut text = cell[..first].to_owned();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(cell.len());
        let rest = begin(&mut text, &cell[start..end]);
        text.push_str(rest);
    }
    Cow::Owned(text)
}

/// Whether the piece at the beginning of `rest` is one that a program takes for a formula.
fn begins_formula(rest: &str) -> bool {
    let is_unseen = |c: char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let is_seen = |c: &char| !(c.is_whitespace() || c.is_control() || is_unseen(*c)) || SEPARATORS.contains(c);
    let first = rest.chars().find(is_seen);
    first.is_some_and(|c| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '−'))
}

/// Whether a text has nothing but the digits and signs of a number.
fn is_number(text: &str) -> bool {
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
    fn an_apostrophe_leads_each_piece_that_would_begin_a_formula() {
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
            ("\t=1", "\t'=1"),
            ("Gatan 1\n=1", "Gatan 1\n'=1"),
            ("1, =HYPERLINK(1)", "1,' =HYPERLINK(1)"),
            ("'=1", "''=1"),
        ] {
            assert_eq!((&*escape(cell), &*unescape(escaped)), (escaped, cell));
        }
    }

    #[test]
    fn numbers_and_other_texts_stay_as_they_are() {
        for plain in [
            "",
            "Åsa",
            "a=b",
            "+46 70-123 45 67",
            "+46 (0)70/1234567",
            "-12,50",
            "0701234567",
            "a@b.se",
            "O'Neill",
            "040-12 34 56; +46 70-123 45 67",
            "rock 'n' roll",
        ] {
            assert_eq!((&*escape(plain), &*unescape(plain)), (plain, plain));
        }
    }

    #[test]
    fn an_apostrophe_that_another_program_wrote_is_removed() {
        assert_eq!(unescape("'+46 70-123 45 67"), "+46 70-123 45 67");
    }

    proptest! {
        #[test]
        fn what_is_escaped_comes_back_and_begins_no_formula(cell in "[=+@\\t\\r\\n ,;|\"'0-9a\\-å＝\u{200b}]{0,12}") {
            let escaped = escape(&cell);
            prop_assert_eq!(&*unescape(&escaped), &cell);
            for start in starts(&escaped) {
                let rest = &escaped[start..];
                prop_assert!(!begins_formula(rest) || is_number(rest), "{:?}: {:?}", cell, rest);
            }
        }
    }
}
