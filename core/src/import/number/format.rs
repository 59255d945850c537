//! Number formats of cells, reduced to what changes the imported text.

use super::pattern::{self, Parsed, Pattern};
use super::tokens::{Token, Tokens};
use std::rc::Rc;

/// How a number is written as text, as far as that differs from its value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::import) enum Format {
    #[default]
    Plain,
    /// Padded with zeros to this number of digits.
    Zeros(usize),
    Percent,
    /// A date, a time, or both; `has_day` unless it is only a time.
    Date {
        has_day: bool,
    },
    Duration,
    /// Digits with text that belongs to the value, as in a phone number.
    Pattern(Rc<Pattern>),
}

/// Returns a built-in format, which workbooks use by id only.
pub(in crate::import) fn builtin_format(id: u32) -> Format {
    match id {
        9 | 10 => Format::Percent,
        14..=17 | 22 | 27..=31 | 36 | 50..=54 | 57 | 58 => Format::Date { has_day: true },
        18..=21 | 32..=35 | 45 | 47 | 55 | 56 => Format::Date { has_day: false },
        46 => Format::Duration,
        _ => Format::Plain,
    }
}

/// Parses a format code. Its first section decides whether it is a date, a duration or a percentage.
pub(in crate::import) fn parse_format(code: &str) -> Format {
    let (mut has_day, mut has_month, mut has_time, mut has_percent) = (false, false, false, false);
    let mut tokens = Tokens(code);
    while let Some(token) = tokens.next() {
        match token {
            Token::Separator => break,
            Token::Bracket(inside) if is_elapsed_time(inside) => return Format::Duration,
            Token::Symbol('d' | 'D' | 'y' | 'Y') => has_day = true,
            Token::Symbol('m' | 'M') => has_month = true,
            Token::Symbol('h' | 'H' | 's' | 'S') => has_time = true,
            // AM/PM or A/P.
            Token::Symbol('a' | 'A') if tokens.0.starts_with(['/', 'M', 'm']) => has_time = true,
            Token::Symbol('%') => has_percent = true,
            Token::Text(_) | Token::Gap | Token::Bracket(_) | Token::General | Token::Symbol(_) => {}
        }
    }
    match (has_day || has_month || has_time, has_percent) {
        // With hours or seconds an `m` means minutes, otherwise months of a date.
        (true, _) => Format::Date { has_day: has_day || !has_time },
        (false, true) => Format::Percent,
        (false, false) => match pattern::parse_format(code) {
            Parsed::Plain => Format::Plain,
            Parsed::Zeros(digits) => Format::Zeros(digits),
            Parsed::Pattern(pattern) => Format::Pattern(pattern.into()),
        },
    }
}

/// Returns whether this bracket is a unit of elapsed time, such as `[h]`.
fn is_elapsed_time(inside: &str) -> bool {
    let is_all = |unit: char| inside.chars().all(|c| c.eq_ignore_ascii_case(&unit));
    !inside.is_empty() && ['h', 'm', 's'].into_iter().any(is_all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_format_codes() {
        const DAY: Format = Format::Date { has_day: true };
        const TIME: Format = Format::Date { has_day: false };
        for (code, format) in [
            ("General", Format::Plain),
            ("0", Format::Plain),
            ("00000", Format::Zeros(5)),
            ("#,##0.00\\ \"kr\"", Format::Plain),
            ("0.00E+00", Format::Plain),
            ("##0.0E+0", Format::Plain),
            ("0%", Format::Percent),
            ("0.00%;[Red]-0.00%", Format::Percent),
            ("0\"%\"", Format::Plain),
            ("yyyy-mm-dd", DAY),
            ("DD/MM/YY", DAY),
            ("mmm", DAY),
            ("[$-404]e\"年\"m\"月\"d\"日\"", DAY),
            ("[$-F800]dddd\\,\\ mmmm\\ dd", DAY),
            ("H:MM:SS;@", TIME),
            ("h:mm AM/PM", TIME),
            ("mm:ss.0", TIME),
            ("[h]:mm:ss", Format::Duration),
            ("[mm]", Format::Duration),
            ("[>=100][Magenta][s].00", Format::Duration),
            ("[Red]0.00", Format::Plain),
            ("#,##0\\ [$kr-41D]", Format::Plain),
            ("#,##0.0####\" YMD\"", Format::Plain),
            ("_-* #,##0.00\\ _d_-", Format::Plain),
            ("#,##0*y", Format::Plain),
            ("0;yyyy", Format::Plain),
            ("\"unclosed", Format::Plain),
            ("[", Format::Plain),
        ] {
            assert_eq!(parse_format(code), format, "{code}");
        }
    }
}
