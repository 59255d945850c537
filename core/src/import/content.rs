//! Compares a column's values with the contact fields, independently of its header: guesses its field, or rates a given
//! one.

use super::ModelColumn;
use crate::form::is_email;

/// Returns two percentages of a column's values: of those that look like values of `field`, and of those that could be
/// such.
pub(super) fn match_shares(field: ModelColumn, values: &[&str]) -> (usize, usize) {
    let share = |is: fn(&str) -> bool| match values.len() {
        0 => 0,
        all => values.iter().filter(|value| is(value)).count() * 100 / all,
    };
    match field {
        ModelColumn::Name => {
            (share(is_name), share(|text| has_letter(text) && !is_email(text) && !is_web_address(text)))
        }
        ModelColumn::Email => (share(is_email), share(|text| text.contains('@'))),
        ModelColumn::Phone => (
            share(|text| {
                is_phone_number(text) || (count_digits(text) >= 6 && !is_date(text) && has_only_phone_characters(text))
            }),
            share(|text| count_digits(text) >= 5 && !is_email(text) && !is_date(text)),
        ),
        ModelColumn::Website => {
            (share(|text| is_web_address(text) || is_domain(text)), share(|text| text.contains('.') && !is_email(text)))
        }
        ModelColumn::Address => (share(is_address), share(|text| has_letter(text) && !is_email(text))),
        ModelColumn::OtherDetails | ModelColumn::DoNotImport => (0, 100),
    }
}

fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

fn count_digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

/// Returns the field that at least 80 % of a column's values look like, or `None`.
pub(super) fn guess_field(values: &[&str]) -> Option<ModelColumn> {
    let mostly = |is: fn(&str) -> bool| {
        let count = values.iter().filter(|value| is(value)).count();
        count > 0 && count * 10 >= values.len() * 8
    };
    match () {
        () if mostly(is_email) => Some(ModelColumn::Email),
        () if mostly(|text| is_web_address(text) || is_domain(text)) => Some(ModelColumn::Website),
        () if mostly(is_phone_number) => Some(ModelColumn::Phone),
        () if mostly(is_address) => Some(ModelColumn::Address),
        // Only full names count, because a single capitalized word could be anything.
        () if mostly(is_full_name) => Some(ModelColumn::Name),
        () => None,
    }
}

pub(super) fn is_web_address(text: &str) -> bool {
    let lower = text.get(..8.min(text.len())).unwrap_or_default().to_ascii_lowercase();
    !text.contains(char::is_whitespace) && ["http://", "https://", "www."].iter().any(|start| lower.starts_with(start))
}

/// Returns whether this is a domain name with an optional path, such as "berg-bil.se/om-oss".
fn is_domain(text: &str) -> bool {
    let host = text.split('/').next().unwrap_or_default();
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let Some((rest, end)) = host.rsplit_once('.') else { return false };
    rest.split('.').all(is_label)
        && rest.contains(char::is_alphabetic)
        && (2..=10).contains(&end.len())
        && end.bytes().all(|b| b.is_ascii_lowercase())
}

/// Returns whether this is a phone number. It must start like one, because many other values are numbers too.
pub(super) fn is_phone_number(text: &str) -> bool {
    !is_date(text)
        && (text.starts_with('+') || text.starts_with('0') || text.starts_with("(0") || text.starts_with("(+"))
        && (7..=15).contains(&count_digits(text))
        && has_only_phone_characters(text)
}

fn has_only_phone_characters(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || " +()-./\u{a0}".contains(c))
}

/// Returns whether this is a numeric date in any order, with or without a time.
pub(super) fn is_date(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    let mut parts: Vec<usize> = day.split(['.', '/', '-']).map(str::len).collect();
    let is_numeric = day.bytes().all(|b| b.is_ascii_digit() || b".-/".contains(&b));
    parts.sort_unstable();
    is_numeric && matches!(parts[..], [1..=2, 1..=2, 2 | 4])
}

/// Returns whether this may be a name: a capitalized first word, at most 60 characters, and no digits or characters
/// such as `@`. Persons match, but towns and companies too.
fn is_name(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let is_not_in_names = |c: char| c.is_ascii_digit() || "@:;/\\<>=_?!".contains(c);
    words.next().is_some_and(|word| word.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()))
        && text.chars().count() <= 60
        && !text.contains(is_not_in_names)
}

/// Returns whether this is a person's full name: two to five capitalized words, with particles such as "von" between
/// them.
pub(super) fn is_full_name(text: &str) -> bool {
    const SMALL: &str = "von van der den de del de la le af av zu zum di da dos y e bin ter ten";
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let is_part = |word: &&str| {
        word.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()) || super::synonyms::is_in_list(SMALL, word)
    };
    is_name(text) && (2..=5).contains(&words.len()) && words.iter().all(is_part)
}

/// Returns whether this is a postal address: a street with a number, or a town with a postcode.
pub(super) fn is_address(text: &str) -> bool {
    const STREETS: &str = "gatan gata vagen vag grand torg torget plan allen backen stigen gade vej vejen gate gata veien vei \
        gaten strasse str weg platz allee ring gasse damm ufer street st road rd avenue ave lane ln drive dr close way court \
        place square terrace hill rue boulevard bd chemin quai impasse calle avenida avda plaza paseo carrer camino katu tie \
        kuja polku box postbox postfach boite";
    let folded = crate::text::fold(text);
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let is_number = |word: &&str| (1..=4).contains(&digits(word)) && word.len() <= digits(word) + 1;
    let is_street = |word: &&str| {
        let ends = |end: &str| end.len() > 2 && word.len() > end.len() + 2 && word.ends_with(end);
        super::synonyms::is_in_list(STREETS, word) || STREETS.split_ascii_whitespace().any(ends)
    };
    let has_code = words.iter().any(|word| word.len() == 5 && digits(word) == 5)
        || words.windows(2).any(|two| (two[0].len(), two[1].len()) == (3, 2) && digits(two[0]) + digits(two[1]) == 5)
        || words.windows(2).any(is_british_postcode);
    let has_letters = words.iter().any(|word| word.len() > 2 && digits(word) == 0);
    has_letters && (has_code || (words.iter().any(is_number) && words.iter().any(is_street)))
}

/// Returns whether these two words are a British postcode, such as "SW1A 2AA".
fn is_british_postcode(two: &[&str]) -> bool {
    let [out, inward] = two else { return false };
    (2..=4).contains(&out.len())
        && out.starts_with(|c: char| c.is_ascii_alphabetic())
        && out.contains(|c: char| c.is_ascii_digit())
        && matches!(inward.as_bytes(), [a, b, c] if a.is_ascii_digit() && b.is_ascii_alphabetic() && c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_details_accept_any_value() {
        for field in [ModelColumn::OtherDetails, ModelColumn::DoNotImport] {
            assert_eq!(match_shares(field, &["Storgatan 1", "asa@example.se"]), (0, 100));
        }
    }

    #[test]
    fn recognises_streets_with_numbers_and_towns_with_postcodes() {
        for text in [
            "Storgatan 1",
            "Storgatan 1, 211 42 Malmö",
            "Hauptstr. 12a",
            "Königsallee 5\n40212 Düsseldorf",
            "12 High Street",
            "4 Mill Lane, York YO1 7AB",
            "12, rue de la Paix",
            "Calle Mayor 3",
            "Box 12; 903 25 Umeå",
            "Mannerheimintie 4",
            "Karl Johans gate 22",
            "London SW1A 2AA",
        ] {
            assert!(is_address(text), "{text}");
        }
        for text in
            ["Volvo V60", "Golf 7", "Tesla 3", "2024-05-17", "070-123 45 67", "10042", "Åsa Öberg", "Winter 2024", ""]
        {
            assert!(!is_address(text), "{text}");
        }
    }

    #[test]
    fn a_full_name_has_several_words_and_no_digits() {
        for text in [
            "Åsa Öberg",
            "Jean-Pierre de la Tour",
            "Berg, Eva",
            "Ludwig van Beethoven",
            "EVA BERG",
            "O'Neill Grace",
            "王 小明",
        ] {
            assert!(is_full_name(text), "{text}");
        }
        for text in
            ["Åsa", "Volvo V60", "ring efter kl", "asa@example.se", "Vill ha vinterdäck på bilen nu", "Ja / Nej", ""]
        {
            assert!(!is_full_name(text), "{text}");
        }
    }

    #[test]
    fn rejects_dates_and_plain_numbers_as_phone_numbers() {
        for text in ["+46 70 123 45 67", "070-123 45 67", "(08) 123 456 78", "0049.761.7654321", "08/1234567"] {
            assert!(is_phone_number(text), "{text}");
        }
        for text in ["01.02.1979", "2024-05-17", "01/02/79", "10042", "0123", "5561234567", "0701234567 Eva", "12:30"] {
            assert!(!is_phone_number(text), "{text}");
        }
    }

    #[test]
    fn recognises_domains_without_a_scheme() {
        for text in ["berg-bil.se", "example.co.uk/om-oss", "åsa.example"] {
            assert!(is_domain(text), "{text}");
        }
        for text in ["1.234", "Firma A.B", "e.g", "asa@example.se", "Hej. Hopp", "12.5", ""] {
            assert!(!is_domain(text), "{text}");
        }
    }
}
