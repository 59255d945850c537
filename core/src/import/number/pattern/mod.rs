//! Number formats that belong to the value, such as `000-000 00 00` for phone numbers and `00000-0000` for postcodes.
//!
//! A format belongs to the value if it shows an identifier: it always shows at least two digits, has text between its
//! digits, a `+`, digits or letters before them, or digits directly after them. A format of an amount (with a decimal
//! point, thousands separator, percent sign, fraction, exponent, currency, or only a unit after the number) only
//! changes how the number looks, so the number is imported without it.

use super::tokens::{Token, Tokens};
use super::{MAX_DIGITS, float, write_plain};

/// The maximum length of a code in Excel.
const MAX_CODE_CHARS: usize = 255;
/// The sections for positive numbers, negative numbers and zero.
const MAX_SECTIONS: usize = 3;

/// Placeholders for digits in a section's layout: one that is always shown, one that is shown if the number has it, and
/// one that is shown as a space if the number doesn't have it.
const DIGIT: char = '\u{1}';
const OPTIONAL_DIGIT: char = '\u{2}';
const DIGIT_OR_SPACE: char = '\u{3}';

/// Lower-case names of currencies that occur beside amounts. Unicode's currency symbols are recognised separately.
const CURRENCIES: [&str; 36] = [
    "kr", "sek", "nok", "dkk", "isk", "eur", "euro", "usd", "us", "gbp", "chf", "fr", "sfr", "pln", "zł", "zl", "czk",
    "kč", "huf", "ft", "ron", "lei", "bgn", "лв", "rub", "руб", "uah", "грн", "try", "tl", "inr", "rs", "jpy", "cny",
    "aud", "cad",
];

/// A number format of identifiers.
#[derive(Debug, PartialEq)]
pub(in crate::import) struct Pattern {
    sections: Vec<Section>,
}

#[derive(Debug, PartialEq)]
struct Section {
    condition: Option<Condition>,
    /// The text to show, with placeholders for digits.
    layout: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An identifier with digits.
    Identifier,
    /// Text without digits, such as `"yes"`.
    Text,
    /// An amount, which is imported without its format.
    Amount,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Condition {
    is_less: bool,
    is_equal: bool,
    is_greater: bool,
    operand: f64,
}

pub(super) enum Parsed {
    /// The format does not change the imported text.
    Plain,
    /// Padded with zeros to this number of digits.
    Zeros(usize),
    Pattern(Pattern),
}

/// Parses a code that has neither dates nor percentages.
pub(super) fn parse_format(code: &str) -> Parsed {
    if code.chars().count() > MAX_CODE_CHARS {
        return Parsed::Plain;
    }
    let Some(mut sections) = parse_sections(code) else { return Parsed::Plain };
    let has_number = sections.len() == 1 || sections.iter().any(Section::has_digits);
    let has_sign = |sign: &str| sections.iter().any(|section| section.prefix() == sign);
    // `+0;-0` shows a change, not an identifier.
    let is_change = has_sign("+") && (has_sign("-") || has_sign("−"));
    for section in &mut sections {
        // A text that stands for all numbers, or for some beside sections with digits, says less than the number
        // itself. It is only kept if it stands for exactly one number.
        let is_single_value = section
            .condition
            .is_some_and(|condition| condition.is_equal && !condition.is_less && !condition.is_greater);
        if section.kind == Kind::Text && has_number && !is_single_value {
            section.kind = Kind::Amount;
        }
    }
    let has_conditions = sections.iter().any(|section| section.condition.is_some());
    let relevant = if has_conditions { &sections[..] } else { &sections[..1] };
    let has_pattern = relevant.iter().any(|section| section.kind != Kind::Amount);
    if is_change || !has_pattern {
        return Parsed::Plain;
    }
    match &sections[..] {
        [only] if !has_conditions && only.layout.chars().all(|c| matches!(c, DIGIT | OPTIONAL_DIGIT)) => {
            Parsed::Zeros(only.min_digits())
        }
        _ => Parsed::Pattern(Pattern { sections }),
    }
}

/// Parses the sections for numbers. `None` if there are none, or if a condition isn't supported.
fn parse_sections(code: &str) -> Option<Vec<Section>> {
    let (mut sections, mut tokens) = (Vec::new(), Tokens(code));
    loop {
        let (section, is_last) = parse_section(&mut tokens)?;
        sections.extend(section);
        if is_last || sections.len() == MAX_SECTIONS {
            return (!sections.is_empty()).then_some(sections);
        }
    }
}

/// Parses a section and returns whether it is the last one; the section is `None` if it is for texts.
fn parse_section(tokens: &mut Tokens<'_>) -> Option<(Option<Section>, bool)> {
    let mut section = Section { condition: None, layout: String::new(), kind: Kind::Identifier };
    let (mut is_amount, mut is_for_texts) = (false, false);
    let is_last = loop {
        match tokens.next() {
            None => break true,
            Some(Token::Separator) => break false,
            Some(Token::Text(text)) => {
                section.layout.extend(text.chars().filter(|c| !c.is_control()));
                is_amount |= text.chars().any(is_currency);
            }
            Some(Token::Gap) => section.layout.push(' '),
            Some(Token::General | Token::Symbol('0')) => section.layout.push(DIGIT),
            Some(Token::Symbol('#')) => section.layout.push(OPTIONAL_DIGIT),
            Some(Token::Symbol('?')) => section.layout.push(DIGIT_OR_SPACE),
            Some(Token::Symbol('@')) => is_for_texts = true,
            Some(Token::Symbol('.' | ',' | '%' | 'E' | 'e')) => is_amount = true,
            Some(Token::Symbol('/')) if section.has_digits() => is_amount = true,
            Some(Token::Symbol(c)) => {
                section.layout.extend(Some(c).filter(|c| !c.is_control()));
                is_amount |= is_currency(c);
            }
            Some(Token::Bracket(inside)) => match inside.strip_prefix('$') {
                Some(currency) => is_amount |= !currency.is_empty() && !currency.starts_with('-'),
                None if inside.starts_with(['<', '>', '=']) => section.condition = Some(parse_condition(inside)?),
                None => {}
            },
        }
    };
    section.kind = if is_amount { Kind::Amount } else { section.classify() };
    Some(((!is_for_texts).then_some(section), is_last))
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20A0}'..='\u{20CF}')
}

/// Returns whether `c` is roughly a letter or digit. Unicode's exact tables would be a tenth of the wasm module.
fn is_word_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || (c >= 'À' && !('\u{2000}'..='\u{2BFF}').contains(&c))
}

fn is_digit(c: char) -> bool {
    matches!(c, DIGIT | OPTIONAL_DIGIT | DIGIT_OR_SPACE)
}

/// Parses a condition such as `<=9999999`. Only integers are supported.
fn parse_condition(inside: &str) -> Option<Condition> {
    let number = inside.trim_start_matches(['<', '>', '=']);
    let (operator, number) = (&inside[..inside.len() - number.len()], number.trim());
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_whole = (1..=MAX_DIGITS).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let operand = number.parse::<i64>().ok().filter(|_| is_whole)? as f64;
    let has = |c| operator.contains(c);
    Some(Condition { is_less: has('<'), is_equal: has('='), is_greater: has('>'), operand })
}

impl Condition {
    fn matches(self, value: f64) -> bool {
        (self.is_less && value < self.operand)
            || (self.is_equal && value == self.operand)
            || (self.is_greater && value > self.operand)
    }
}

impl Section {
    fn has_digits(&self) -> bool {
        self.layout.contains(is_digit)
    }

    /// Returns the text before the first digit.
    fn prefix(&self) -> &str {
        self.layout.split(is_digit).next().unwrap_or_default().trim()
    }

    /// Returns how many digits are always shown: all from the first `0` on.
    fn min_digits(&self) -> usize {
        self.layout.chars().filter(|&c| is_digit(c)).skip_while(|&c| c != DIGIT).count()
    }

    fn classify(&self) -> Kind {
        let Some((start, end)) = self.layout.find(is_digit).zip(self.layout.rfind(is_digit)) else {
            return if self.layout.contains(is_word_character) { Kind::Text } else { Kind::Amount };
        };
        let (before, inside, after) = (&self.layout[..start], &self.layout[start..end], &self.layout[end + 1..]);
        let is_currency = |text: &str| {
            let name = text.trim_matches(|c: char| !is_word_character(c));
            CURRENCIES.iter().any(|currency| name.eq_ignore_ascii_case(currency))
        };
        let is_spaced = inside.contains(|c| !is_digit(c));
        match () {
            () if is_currency(before) || is_currency(after) || is_grouped(&self.layout[start..=end]) => Kind::Amount,
            () if is_spaced || self.min_digits() > 1 => Kind::Identifier,
            () if before.contains(|c: char| c == '+' || is_word_character(c)) => Kind::Identifier,
            () if after.starts_with(|c: char| c.is_ascii_digit()) => Kind::Identifier,
            () => Kind::Amount,
        }
    }

    /// Writes an integer with the text of the layout between its digits. Digits for which the layout has no placeholder
    /// are written before the first one.
    fn write_digits(&self, digits: &str, out: &mut String) {
        let places = self.layout.chars().filter(|&c| is_digit(c)).count();
        let (mut left, mut rest, mut is_required) = (places, digits, false);
        for c in self.layout.chars() {
            if !is_digit(c) {
                out.push(c);
                continue;
            }
            is_required |= c == DIGIT;
            let count = rest.len().saturating_sub(left - 1);
            let (shown, after) = rest.split_at(count);
            out.push_str(shown);
            if count == 0 && is_required {
                out.push('0');
            } else if count == 0 && c == DIGIT_OR_SPACE {
                out.push(' ');
            }
            (left, rest) = (left - 1, after);
        }
    }
}

/// Returns whether the digits are grouped by three, as in `# ##0`: an amount with a literal thousands separator.
fn is_grouped(digits: &str) -> bool {
    let Some(separator) = digits.chars().find(|&c| !is_digit(c)) else { return false };
    let is_separator = matches!(separator, ' ' | '\u{A0}' | '\u{2009}' | '\u{202F}' | '\'' | '’');
    let groups: Vec<&str> = digits.split(separator).collect();
    let (Some((first, others)), Some(last)) = (groups.split_first(), groups.last()) else { return false };
    let is_whole = |group: &&str| group.chars().count() == 3 && group.chars().all(is_digit);
    is_separator
        && (1..=3).contains(&first.chars().count())
        && others.iter().all(is_whole)
        && last.ends_with(DIGIT)
        && digits.chars().filter(|&c| c == DIGIT).count() == 1
}

impl Pattern {
    /// Writes a number as the format shows it. A number with a fraction isn't an identifier and is written without the
    /// format.
    pub(super) fn write(&self, value: f64, out: &mut String) {
        let Some((index, section)) = self.section_for(value) else { return write_plain(value, 0, out) };
        if !section.has_digits() && (section.kind == Kind::Text || value == 0.0) {
            return out.push_str(section.layout.trim());
        }
        let (digits, power) = if value == 0.0 { (0, 0) } else { float::round_to_digits(value, MAX_DIGITS as u32) };
        if section.kind != Kind::Identifier || power < 0 {
            return write_plain(value, 0, out);
        }
        let mut number = if value == 0.0 { String::new() } else { digits.to_string() };
        number.extend(std::iter::repeat_n('0', power as usize));
        let mut shown = String::new();
        if value < 0.0 && !self.has_own_sign(index) {
            shown.push('-');
        }
        section.write_digits(&number, &mut shown);
        out.push_str(shown.trim());
    }

    /// Returns the section for a number and its index.
    fn section_for(&self, value: f64) -> Option<(usize, &Section)> {
        let last = self.sections.len() - 1;
        self.sections.iter().enumerate().find(|(index, section)| match section.condition {
            Some(condition) => condition.matches(value),
            None if *index == last => true,
            None if *index == 0 => value > 0.0 || (value == 0.0 && last == 1),
            None => value < 0.0,
        })
    }

    /// Returns whether this section is only for negative numbers, so that it contains its own sign.
    fn has_own_sign(&self, index: usize) -> bool {
        let has_condition = |index: usize| self.sections[index].condition.is_some();
        index == 1 && !has_condition(1) && (self.sections.len() > 2 || !has_condition(0))
    }
}

#[cfg(test)]
mod tests;
