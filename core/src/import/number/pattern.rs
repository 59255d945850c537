//! Number formats that belong to the value: `000-000 00 00` makes a phone number of a number, `00000-0000` a postal code.
//!
//! A format belongs to the value if what it shows is an identifier: it has two or more leading zeros, text between its
//! digits, a `+`, digits or letters in front of them, or digits directly behind them. A format of an amount (with a decimal point,
//! thousands separator, percent sign, fraction, exponent or currency, or with nothing but a unit behind it) changes how the
//! number is written, not what it is; such a number is read without its format.

use super::tokens::{Token, Tokens};
use super::{DIGITS, Format, float, plain};

/// The most characters that Excel allows in a code.
const LONGEST_CODE: usize = 255;
/// Positive numbers, negative numbers and zero have a section of their own at most.
const MOST_SECTIONS: usize = 3;

/// What stands for a digit in a section's layout: one that is shown always, one that is shown if the number has it, and one
/// in whose place a space is shown if the number doesn't have it.
const ALWAYS: char = '\u{1}';
const IF_ANY: char = '\u{2}';
const OR_SPACE: char = '\u{3}';

/// Names of currencies, in lower case, that stand before or behind an amount without being one of Unicode's currency symbols.
const CURRENCIES: [&str; 36] = [
    "kr", "sek", "nok", "dkk", "isk", "eur", "euro", "usd", "us", "gbp", "chf", "fr", "sfr", "pln", "zł", "zl", "czk",
    "kč", "huf", "ft", "ron", "lei", "bgn", "лв", "rub", "руб", "uah", "грн", "try", "tl", "inr", "rs", "jpy", "cny",
    "aud", "cad",
];

/// A number format that shows identifiers.
#[derive(Debug, PartialEq)]
pub(in crate::import) struct Pattern {
    sections: Vec<Section>,
}

#[derive(Debug, PartialEq)]
struct Section {
    condition: Option<Condition>,
    /// The text that is shown, with [`ALWAYS`], [`IF_ANY`] and [`OR_SPACE`] in place of digits.
    layout: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Digits in a text that belongs to them.
    Identifier,
    /// Text without digits, such as `"yes"`.
    Words,
    /// A number that is read without its format.
    Amount,
}

/// Which numbers a section is for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Condition {
    is_less: bool,
    is_equal: bool,
    is_greater: bool,
    than: f64,
}

/// Returns the format of a code that has neither dates nor percentages.
pub(super) fn of_code(code: &str) -> Format {
    if code.chars().count() > LONGEST_CODE {
        return Format::Plain;
    }
    let Some(mut sections) = sections(code) else { return Format::Plain };
    let has_number = sections.len() == 1 || sections.iter().any(Section::has_digits);
    let has_sign = |sign: &str| sections.iter().any(|section| section.before() == sign);
    // `+0;-0` shows which way something changed.
    let is_change = has_sign("+") && (has_sign("-") || has_sign("−"));
    for section in &mut sections {
        // Words for all numbers, or beside sections with digits, say less than the number, unless they stand for just one.
        let is_one = section
            .condition
            .is_some_and(|condition| condition.is_equal && !condition.is_less && !condition.is_greater);
        if section.kind == Kind::Words && has_number && !is_one {
            section.kind = Kind::Amount;
        }
    }
    let has_conditions = sections.iter().any(|section| section.condition.is_some());
    let looked = if has_conditions { &sections[..] } else { &sections[..1] };
    let is_kept = looked.iter().any(|section| section.kind != Kind::Amount);
    if is_change || !is_kept {
        return Format::Plain;
    }
    match &sections[..] {
        [only] if !has_conditions && only.layout.chars().all(|c| matches!(c, ALWAYS | IF_ANY)) => {
            Format::Zeros(only.least_digits())
        }
        _ => Format::Pattern(Pattern { sections }.into()),
    }
}

/// Returns the sections for numbers. `None` if there are none, or one has a condition that isn't understood.
fn sections(code: &str) -> Option<Vec<Section>> {
    let (mut sections, mut tokens) = (Vec::new(), Tokens(code));
    loop {
        let (section, is_last) = section(&mut tokens)?;
        sections.extend(section);
        if is_last || sections.len() == MOST_SECTIONS {
            return (!sections.is_empty()).then_some(sections);
        }
    }
}

/// Reads a section and whether it is the last one; the section is `None` if it is for texts.
fn section(tokens: &mut Tokens<'_>) -> Option<(Option<Section>, bool)> {
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
            Some(Token::General | Token::Symbol('0')) => section.layout.push(ALWAYS),
            Some(Token::Symbol('#')) => section.layout.push(IF_ANY),
            Some(Token::Symbol('?')) => section.layout.push(OR_SPACE),
            Some(Token::Symbol('@')) => is_for_texts = true,
            Some(Token::Symbol('.' | ',' | '%' | 'E' | 'e')) => is_amount = true,
            Some(Token::Symbol('/')) if section.has_digits() => is_amount = true,
            Some(Token::Symbol(c)) => {
                section.layout.extend(Some(c).filter(|c| !c.is_control()));
                is_amount |= is_currency(c);
            }
            Some(Token::Bracket(inside)) => match inside.strip_prefix('$') {
                Some(currency) => is_amount |= !currency.is_empty() && !currency.starts_with('-'),
                None if inside.starts_with(['<', '>', '=']) => section.condition = Some(condition(inside)?),
                None => {}
            },
        }
    };
    section.kind = if is_amount { Kind::Amount } else { section.kind_by_layout() };
    Some(((!is_for_texts).then_some(section), is_last))
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20A0}'..='\u{20CF}')
}

/// Whether a character is a letter or figure. Unicode's own tables would be a tenth of what a browser fetches.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || (c >= 'À' && !('\u{2000}'..='\u{2BFF}').contains(&c))
}

fn is_digit(c: char) -> bool {
    matches!(c, ALWAYS | IF_ANY | OR_SPACE)
}

/// Reads `<=9999999`; only whole numbers are compared with.
fn condition(inside: &str) -> Option<Condition> {
    let number = inside.trim_start_matches(['<', '>', '=']);
    let (operator, number) = (&inside[..inside.len() - number.len()], number.trim());
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_whole = (1..=DIGITS).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let than = number.parse::<i64>().ok().filter(|_| is_whole)? as f64;
    let has = |c| operator.contains(c);
    Some(Condition { is_less: has('<'), is_equal: has('='), is_greater: has('>'), than })
}

impl Condition {
    fn holds(self, value: f64) -> bool {
        (self.is_less && value < self.than)
            || (self.is_equal && value == self.than)
            || (self.is_greater && value > self.than)
    }
}

impl Section {
    fn has_digits(&self) -> bool {
        self.layout.contains(is_digit)
    }

    /// The text before the first digit.
    fn before(&self) -> &str {
        self.layout.split(is_digit).next().unwrap_or_default().trim()
    }

    /// How many digits are always shown: Excel fills up with zeros from the first `0` on.
    fn least_digits(&self) -> usize {
        self.layout.chars().filter(|&c| is_digit(c)).skip_while(|&c| c != ALWAYS).count()
    }

    fn kind_by_layout(&self) -> Kind {
        let Some((start, end)) = self.layout.find(is_digit).zip(self.layout.rfind(is_digit)) else {
            return if self.layout.contains(is_of_word) { Kind::Words } else { Kind::Amount };
        };
        let (before, inside, after) = (&self.layout[..start], &self.layout[start..end], &self.layout[end + 1..]);
        let is_currency = |text: &str| {
            let name = text.trim_matches(|c: char| !is_of_word(c));
            CURRENCIES.iter().any(|currency| name.eq_ignore_ascii_case(currency))
        };
        let is_spaced = inside.contains(|c| !is_digit(c));
        match () {
            () if is_currency(before) || is_currency(after) || is_grouped(&self.layout[start..=end]) => Kind::Amount,
            () if is_spaced || self.least_digits() > 1 => Kind::Identifier,
            () if before.contains(|c: char| c == '+' || is_of_word(c)) => Kind::Identifier,
            () if after.starts_with(|c: char| c.is_ascii_digit()) => Kind::Identifier,
            () => Kind::Amount,
        }
    }

    /// Writes a whole number: its digits in the places of the layout, those that are too many in front.
    fn lay(&self, digits: &str, out: &mut String) {
        let places = self.layout.chars().filter(|&c| is_digit(c)).count();
        let (mut left, mut rest, mut must) = (places, digits, false);
        for c in self.layout.chars() {
            if !is_digit(c) {
                out.push(c);
                continue;
            }
            must |= c == ALWAYS;
            let count = rest.len().saturating_sub(left - 1);
            let (shown, after) = rest.split_at(count);
            out.push_str(shown);
            if count == 0 && must {
                out.push('0');
            } else if count == 0 && c == OR_SPACE {
                out.push(' ');
            }
            (left, rest) = (left - 1, after);
        }
    }
}

/// Groups of three digits, as in `# ##0`, are how an amount is written where the separator is typed as text.
fn is_grouped(digits: &str) -> bool {
    let Some(separator) = digits.chars().find(|&c| !is_digit(c)) else { return false };
    let is_separator = matches!(separator, ' ' | '\u{A0}' | '\u{2009}' | '\u{202F}' | '\'' | '’');
    let groups: Vec<&str> = digits.split(separator).collect();
    let (Some((first, others)), Some(last)) = (groups.split_first(), groups.last()) else { return false };
    let is_whole = |group: &&str| group.chars().count() == 3 && group.chars().all(is_digit);
    is_separator
        && (1..=3).contains(&first.chars().count())
        && others.iter().all(is_whole)
        && last.ends_with(ALWAYS)
        && digits.chars().filter(|&c| c == ALWAYS).count() == 1
}

impl Pattern {
    /// Writes a number as the format shows it. A number that isn't whole is no identifier, and is written without format.
    pub(super) fn write(&self, value: f64, out: &mut String) {
        let Some((place, section)) = self.section(value) else { return plain(value, 0, out) };
        if !section.has_digits() && (section.kind == Kind::Words || value == 0.0) {
            return out.push_str(section.layout.trim());
        }
        let (digits, power) = if value == 0.0 { (0, 0) } else { float::rounded(value, DIGITS as u32) };
        if section.kind != Kind::Identifier || power < 0 {
            return plain(value, 0, out);
        }
        let mut number = if value == 0.0 { String::new() } else { digits.to_string() };
        number.extend(std::iter::repeat_n('0', power as usize));
        let mut shown = String::new();
        if value < 0.0 && !self.is_for_negative(place) {
            shown.push('-');
        }
        section.lay(&number, &mut shown);
        out.push_str(shown.trim());
    }

    /// The section for a number, and its place.
    fn section(&self, value: f64) -> Option<(usize, &Section)> {
        let last = self.sections.len() - 1;
        self.sections.iter().enumerate().find(|(place, section)| match section.condition {
            Some(condition) => condition.holds(value),
            None if *place == last => true,
            None if *place == 0 => value > 0.0 || (value == 0.0 && last == 1),
            None => value < 0.0,
        })
    }

    /// Whether a section is for negative numbers alone, so that it has its own sign.
    fn is_for_negative(&self, place: usize) -> bool {
        let has_condition = |place: usize| self.sections[place].condition.is_some();
        place == 1 && !has_condition(1) && (self.sections.len() > 2 || !has_condition(0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{of_code, write};

    fn shown(value: f64, code: &str) -> String {
        let mut out = String::new();
        write(value, &of_code(code), false, &mut out);
        out
    }

    #[test]
    fn shows_phone_numbers_and_postal_codes_as_excel_does() {
        for (value, code, text) in [
            (612_345_678.0, "0#\" \"##\" \"##\" \"##\" \"##", "06 12 34 56 78"),
            (701_234_567.0, "000-000 00 00", "070-123 45 67"),
            (701_234_567.0, "0##-### ## ##", "070-123 45 67"),
            (701_234_567.0, "\"+46 \"0", "+46 701234567"),
            (701_234_567.0, "\\+\\4\\6\\ 00\\ 000\\ 00\\ 00", "+46 70 123 45 67"),
            (461_234.0, "+0", "+461234"),
            (461_234.0, "\"+\"General", "+461234"),
            (701_234_567.0, "\"0\"#########", "0701234567"),
            (21_034_567.0, "00000-0000", "02103-4567"),
            (21_034_567.0, "00000\\-0000;@", "02103-4567"),
            (21_142.0, "000\" \"00", "211 42"),
            (1_067.0, "[$-407]00000", "01067"),
            (1_067.0, "\"D-\"00000", "D-01067"),
            (42.0, "\"KN\"0", "KN42"),
            (42.0, "[Blue]_-\"KN\"* 000_-", "KN042"),
            (7.0, "#00", "07"),
            (7.0, "\"KN\"??0", "KN  7"),
            (5_551_234.0, "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####", "555-1234"),
            (2_065_551_234.0, "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####", "(206) 555-1234"),
            (5_551_234.0, "(###) ###-####", "() 555-1234"),
            (12_065_551_234.0, "(###) ###-####", "(1206) 555-1234"),
            (48_601_234_567.0, "## ### ### ###", "48 601 234 567"),
            (4_929_123_456_789_012.0, "0000 0000 0000 0000", "4929 1234 5678 9010"),
            (1_230.0, "0\":\"00", "12:30"),
            (7.0, "0\"000\"", "7000"),
        ] {
            assert_eq!(shown(value, code), text, "{code}");
        }
    }

    #[test]
    fn chooses_the_section_by_sign_or_condition() {
        let code = "000-000;\"minus \"000-000;\"none\"";
        assert_eq!([1_234.0, -1_234.0, 0.0].map(|value| shown(value, code)), ["001-234", "minus 001-234", "none"]);
        assert_eq!([-1_234.0, 0.0].map(|value| shown(value, "000-000")), ["-001-234", "000-000"]);
        assert_eq!([0.0, -5.0].map(|value| shown(value, "000-000;(00)")), ["000-000", "(05)"]);
        assert_eq!([0.0, -5.0].map(|value| shown(value, "000-000;;")), ["", "-5"]);
        let code = "[=1]\"Ja\";[=0]\"Nej\";0";
        assert_eq!([1.0, 0.0, 2.0].map(|value| shown(value, code)), ["Ja", "Nej", "2"]);
        assert_eq!([1.0, -1.0, 0.0].map(|value| shown(value, "\"Ja\";\"Nej\";\"Nej\"")), ["Ja", "Nej", "Nej"]);
        assert_eq!([1.0, 0.0, 2.0].map(|value| shown(value, "[=1]\"Ja\";[=0]\"Nej\"")), ["Ja", "Nej", "2"]);
        assert_eq!([50.0, -50.0].map(|value| shown(value, "[>100]00-00;\"T\"000")), ["T050", "-T050"]);
        assert_eq!([-50.0, 0.0].map(|value| shown(value, "[>100]00-00;\"N\"000;\"Z\"000")), ["N050", "Z000"]);
        assert_eq!([9.0, 10.0, 11.0].map(|value| shown(value, "[<>10]\"A\"0;0")), ["A9", "10", "A11"]);
    }

    #[test]
    fn reads_amounts_as_plain_numbers() {
        for code in [
            "#,##0.00 \"kr\"",
            "#,##0\\ [$kr-41D];[Red]-#,##0\\ [$kr-41D]",
            "_-* #,##0.00\\ _k_r_-;\\-* #,##0.00\\ _k_r_-;_-* \"-\"??\\ _k_r_-;_-@_-",
            "_($* #,##0.00_);_($* (#,##0.00);_($* \"-\"??_);_(@_)",
            "\"kr \"0",
            "\"SEK\"\\ 0",
            "\"kr. \"000",
            "€ 000",
            "[$CHF-807] 000",
            "0 \"kr\"",
            "0 \"st\"",
            "0\" m2\"",
            "0\\:\\-",
            "# ##0",
            "#\\ ###\\ ##0",
            "#'##0",
            "#\u{A0}##0\u{A0}kr",
            "00.00",
            "000,000",
            "0,",
            "0.0,,\"M\"",
            "# ?/?",
            "00/00",
            "000E+00",
            "##0.0E+0",
            "+0;-0",
            "\"+\"0;\"-\"0;0",
            "(0)",
            "-0",
            "##########",
            "??0",
            "General\" st\"",
            "0;-0;\"noll\"",
            "#,##0;-#,##0;\"-\"",
            "[<0]\"loss\";0",
            "[<0.5]000-000;0",
            "[=x]000-000",
            ";;;",
            "\"hidden\"",
            "@",
            "\"+46 \"@",
            "",
        ] {
            assert_eq!([1_234_567.0, 0.0, -12.5].map(|value| shown(value, code)), ["1234567", "0", "-12.5"], "{code}");
        }
    }

    #[test]
    fn reads_a_number_that_is_not_whole_without_its_pattern() {
        assert_eq!(shown(12.5, "000-000"), "12.5");
        assert_eq!(shown(-0.25, "\"KN\"0"), "-0.25");
        assert_eq!(shown(701_234_567.000_000_1, "000-000 00 00"), "070-123 45 67");
        assert_eq!(shown(1e20, "\"KN\"0"), "KN100000000000000000000");
    }

    #[test]
    fn keeps_no_pattern_of_a_code_that_is_longer_than_any() {
        assert_eq!(shown(7.0, &"0-".repeat(100)).len(), 200);
        assert_eq!(shown(7.0, &"0-".repeat(600)), "7");
        assert_eq!(shown(7.0, "0\u{1}\u{2}\"\u{3}\"-0"), "0-7");
    }
}
