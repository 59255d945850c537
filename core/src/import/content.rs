//! What the texts of a column look like, whatever its header says.

use super::ModelColumn;
use crate::form::is_email;

/// The share of a column's texts that look like this field's, and the share that could be it at all, both in percent.
pub(super) fn looks(field: ModelColumn, values: &[&str]) -> (usize, usize) {
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
            share(|text| is_phone_number(text) || (digits(text) >= 6 && is_dialled(text))),
            share(|text| digits(text) >= 5 && !is_email(text) && !is_date(text)),
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

fn digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

/// The field that nearly all texts of a column look like, if any.
pub(super) fn field_of(values: &[&str]) -> Option<ModelColumn> {
    let most = |is: fn(&str) -> bool| {
        let count = values.iter().filter(|value| is(value)).count();
        count > 0 && count * 10 >= values.len() * 8
    };
    match () {
        () if most(is_email) => Some(ModelColumn::Email),
        () if most(|text| is_web_address(text) || is_domain(text)) => Some(ModelColumn::Website),
        () if most(is_phone_number) => Some(ModelColumn::Phone),
        () if most(is_address) => Some(ModelColumn::Address),
        // A single word with a capital letter may be anything.
        () if most(is_whole_name) => Some(ModelColumn::Name),
        () => None,
    }
}

pub(super) fn is_web_address(text: &str) -> bool {
    let lower = text.get(..8.min(text.len())).unwrap_or_default().to_ascii_lowercase();
    !text.contains(char::is_whitespace) && ["http://", "https://", "www."].iter().any(|start| lower.starts_with(start))
}

/// A host without anything before it, such as "berg-bil.se/om-oss".
fn is_domain(text: &str) -> bool {
    let host = text.split('/').next().unwrap_or_default();
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let Some((rest, end)) = host.rsplit_once('.') else { return false };
    rest.split('.').all(is_label)
        && rest.contains(char::is_alphabetic)
        && (2..=10).contains(&end.len())
        && end.bytes().all(|b| b.is_ascii_lowercase())
}

/// Begins as telephone numbers do, since many other things are numbers as well.
pub(super) fn is_phone_number(text: &str) -> bool {
    !is_date(text)
        && (text.starts_with('+') || text.starts_with('0') || text.starts_with("(0") || text.starts_with("(+"))
        && (7..=15).contains(&digits(text))
        && is_dialled(text)
}

fn is_dialled(text: &str) -> bool {
    !is_date(text) && text.chars().all(|c| c.is_ascii_digit() || " +()-./\u{a0}".contains(c))
}

/// A day in figures, in any order, alone or with a time behind it.
pub(super) fn is_date(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    let mut parts: Vec<usize> = day.split(['.', '/', '-']).map(str::len).collect();
    let is_figures = day.bytes().all(|b| b.is_ascii_digit() || b".-/".contains(&b));
    parts.sort_unstable();
    is_figures && matches!(parts[..], [1..=2, 1..=2, 2 | 4])
}

/// Words with capital letters and no figures: a person, but a town and a firm as well.
fn is_name(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let has_none = |c: char| c.is_ascii_digit() || "@:;/\\<>=_?!".contains(c);
    words.next().is_some_and(|word| word.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()))
        && text.chars().count() <= 60
        && !text.contains(has_none)
}

/// A name of two to five words, as persons have; small ones may stand between.
pub(super) fn is_whole_name(text: &str) -> bool {
    const SMALL: &str = "von van der den de del de la le af av zu zum di da dos y e bin ter ten";
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let is_part = |word: &&str| {
        word.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()) || super::synonyms::among(SMALL, word)
    };
    is_name(text) && (2..=5).contains(&words.len()) && words.iter().all(is_part)
}

/// A street with a number, or a town with its code.
pub(super) fn is_address(text: &str) -> bool {
    const STREETS: &str = "gatan gata vagen vag grand torg torget plan allen backen stigen gade vej vejen gate gata veien vei \
        gaten strasse str weg platz allee ring gasse damm ufer street st road rd avenue ave lane ln drive dr close way court \
        place square terrace hill rue boulevard bd chemin quai impasse calle avenida avda plaza paseo carrer camino katu tie \
        kuja polku box postbox postfach boite";
    let folded = crate::text::fold(text);
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let figures = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let is_number = |word: &&str| (1..=4).contains(&figures(word)) && word.len() <= figures(word) + 1;
    let is_street = |word: &&str| {
        let ends = |end: &str| end.len() > 2 && word.len() > end.len() + 2 && word.ends_with(end);
        super::synonyms::among(STREETS, word) || STREETS.split_ascii_whitespace().any(ends)
    };
    let has_code = words.iter().any(|word| word.len() == 5 && figures(word) == 5)
        || words.windows(2).any(|two| (two[0].len(), two[1].len()) == (3, 2) && figures(two[0]) + figures(two[1]) == 5)
        || words.windows(2).any(is_british);
    let letters = words.iter().any(|word| word.len() > 2 && figures(word) == 0);
    letters && (has_code || (words.iter().any(is_number) && words.iter().any(is_street)))
}

/// "SW1A 2AA".
fn is_british(two: &[&str]) -> bool {
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
    fn what_goes_with_the_rest_has_no_looks_of_its_own() {
        for field in [ModelColumn::OtherDetails, ModelColumn::DoNotImport] {
            assert_eq!(looks(field, &["Storgatan 1", "asa@example.se"]), (0, 100));
        }
    }

    #[test]
    fn an_address_has_a_street_with_a_number_or_a_town_with_its_code() {
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
    fn a_whole_name_has_several_words_and_no_figures() {
        for text in [
            "Åsa Öberg",
            "Jean-Pierre de la Tour",
            "Berg, Eva",
            "Ludwig van Beethoven",
            "EVA BERG",
            "O'Neill Grace",
            "王 小明",
        ] {
            assert!(is_whole_name(text), "{text}");
        }
        for text in
            ["Åsa", "Volvo V60", "ring efter kl", "asa@example.se", "Vill ha vinterdäck på bilen nu", "Ja / Nej", ""]
        {
            assert!(!is_whole_name(text), "{text}");
        }
    }

    #[test]
    fn a_phone_number_is_neither_a_date_nor_any_number() {
        for text in ["+46 70 123 45 67", "070-123 45 67", "(08) 123 456 78", "0049.761.7654321", "08/1234567"] {
            assert!(is_phone_number(text), "{text}");
        }
        for text in ["01.02.1979", "2024-05-17", "01/02/79", "10042", "0123", "5561234567", "0701234567 Eva", "12:30"] {
            assert!(!is_phone_number(text), "{text}");
        }
    }

    #[test]
    fn a_host_may_stand_alone() {
        for text in ["berg-bil.se", "example.co.uk/om-oss", "åsa.example"] {
            assert!(is_domain(text), "{text}");
        }
        for text in ["1.234", "Firma A.B", "e.g", "asa@example.se", "Hej. Hopp", "12.5", ""] {
            assert!(!is_domain(text), "{text}");
        }
    }
}
