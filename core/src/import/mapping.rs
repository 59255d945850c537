//! Which column becomes which field, as far as it can be guessed; a person looks at it before it counts.

use super::digest::Digest;
use super::synonyms::{FIRST_NAMES, LAST_NAMES, SYNONYMS, words};
use super::{ColumnMatch, ModelColumn, text};
use crate::form::is_email;
use crate::text::fold;

/// Guesses what each column means, by its header and by what stands in it. A field of a contact is given to one column at
/// most; a column that nothing speaks for is kept with the other details.
pub fn match_columns(columns: &[String], sample_rows: &[Vec<String>]) -> Vec<ColumnMatch> {
    let names = NameColumns::find(columns, sample_rows);
    let mut guesses: Vec<(u32, usize, ModelColumn, String)> = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let values = values(sample_rows, index);
        guesses.extend(names.guess(columns, index));
        if !names.is_part(index) {
            guesses.extend(by_header(column, &values).map(|(score, field, reason)| (score, index, field, reason)));
        }
        guesses.extend(by_values(&values).map(|field| (20, index, field, text::looks_like(field))));
    }
    // The strongest first; of equals the column further left.
    guesses.sort_by_key(|&(score, index, ..)| (std::cmp::Reverse(score), index));
    let mut matches: Vec<Option<ColumnMatch>> = vec![None; columns.len()];
    let mut taken: Vec<ModelColumn> = Vec::new();
    for (score, index, field, reason) in guesses {
        if matches[index].is_none() && !taken.contains(&field) {
            if field.is_single() {
                taken.push(field);
            }
            let (file_column, confidence) = (columns[index].clone(), score.min(100) as u8);
            matches[index] = Some(ColumnMatch { file_column, model_column: field, reason, confidence });
        }
    }
    let kept = |index: usize| {
        let empty = columns[index] == text::column_name(index + 1) && values(sample_rows, index).is_empty();
        ColumnMatch {
            file_column: columns[index].clone(),
            model_column: ModelColumn::OtherDetails,
            reason: if empty { text::NO_VALUES.into() } else { text::KEPT.into() },
            confidence: 0,
        }
    };
    matches.into_iter().enumerate().map(|(index, found)| found.unwrap_or_else(|| kept(index))).collect()
}

/// What files with the same headers have in common, whatever the order and the case of these: 16 hexadecimal digits.
pub fn header_key(columns: &[String]) -> String {
    let mut headers: Vec<String> = columns.iter().map(|column| fold(column.trim())).collect();
    headers.sort_unstable();
    let mut digest = Digest::default();
    headers.iter().for_each(|header| digest.text(header));
    format!("{:016x}", digest.value())
}

/// The first and the last name's column, where they stand apart and no column holds the whole name.
pub(super) fn name_pair(columns: &[String], sample_rows: &[Vec<String>]) -> Option<(usize, usize)> {
    NameColumns::find(columns, sample_rows).pair
}

/// What the column is called that joins the two.
pub(super) fn joined_name(first: &str, last: &str) -> String {
    format!("{first} + {last}")
}

/// Headers that mean the whole name, unless a column beside them says that it holds the other part.
const PLAIN_NAMES: [&str; 4] = ["name", "namn", "nom", "nombre"];

/// The columns that hold names in parts.
struct NameColumns {
    /// Columns of first or last names, which are no whole name.
    parts: Vec<usize>,
    pair: Option<(usize, usize)>,
    joined: Option<usize>,
}

impl NameColumns {
    fn find(columns: &[String], sample_rows: &[Vec<String>]) -> NameColumns {
        let keys: Vec<String> = columns.iter().map(|column| key(column)).collect();
        let at = |words: &[&str]| keys.iter().position(|key| words.contains(&key.as_str()));
        // "Name" beside "Vorname" is the last name, "Nombre" beside "Apellidos" the first.
        let plain = at(&PLAIN_NAMES);
        let (mut first, mut last) = (at(FIRST_NAMES), at(LAST_NAMES));
        let is_whole = |key: &str| SYNONYMS[0].usual.contains(&key) && !PLAIN_NAMES.contains(&key);
        let mut whole = keys.iter().position(|key| is_whole(key)).or(plain);
        if let Some(name) = plain.filter(|_| whole == plain) {
            match (first, last) {
                (Some(_), None) if !holds_parts(sample_rows, name, first) => (last, whole) = (Some(name), None),
                (None, Some(_)) if !holds_parts(sample_rows, name, last) => (first, whole) = (Some(name), None),
                _ => {}
            }
        }
        let pair = first.zip(last).filter(|_| whole.is_none());
        let joined = pair.and_then(|(first, last)| {
            let joined = joined_name(&columns[first], &columns[last]);
            columns.iter().position(|column| *column == joined)
        });
        NameColumns { parts: first.into_iter().chain(last).collect(), pair, joined }
    }

    fn is_part(&self, index: usize) -> bool {
        self.parts.contains(&index)
    }

    fn guess(&self, columns: &[String], index: usize) -> Option<(u32, usize, ModelColumn, String)> {
        let header = || text::matches_header(&columns[index]);
        match (self.joined, self.pair) {
            (Some(joined), Some((first, last))) if index == joined => {
                Some((100, index, ModelColumn::Name, text::joined_of(&columns[first], &columns[last])))
            }
            (Some(joined), _) if self.is_part(index) => {
                Some((100, index, ModelColumn::DoNotImport, text::part_of(&columns[joined])))
            }
            // Part of a name is better than none, but gives way to every whole one.
            _ if self.is_part(index) => Some((30, index, ModelColumn::Name, header())),
            _ => None,
        }
    }
}

/// Do most values of the whole name's column hold the part's value? Then it is the whole name after all.
fn holds_parts(sample_rows: &[Vec<String>], whole: usize, part: Option<usize>) -> bool {
    let cell = |row: &Vec<String>, index: usize| row.get(index).map(|text| fold(text)).unwrap_or_default();
    let Some(part) = part else { return false };
    let both = sample_rows.iter().map(|row| (cell(row, whole), cell(row, part)));
    let both: Vec<_> = both.filter(|(whole, part)| !whole.is_empty() && !part.is_empty()).collect();
    let holding = both.iter().filter(|(whole, part)| whole != part && whole.contains(part.as_str())).count();
    holding * 2 > both.len()
}

fn key(header: &str) -> String {
    words(header).concat()
}

fn values(sample_rows: &[Vec<String>], index: usize) -> Vec<&str> {
    sample_rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.trim()).filter(|c| !c.is_empty()).collect()
}

/// Every field that a header speaks for, and how strongly.
fn by_header<'a>(header: &'a str, values: &'a [&'a str]) -> impl Iterator<Item = (u32, ModelColumn, String)> + use<'a> {
    let words = words(header);
    let whole = words.concat();
    SYNONYMS.iter().filter_map(move |synonyms| {
        let field = synonyms.field;
        let matches = |score| Some((score, field, text::matches_header(header)));
        let resembles = |score| Some((score, field, text::resembles_header(header)));
        if synonyms.usual.contains(&whole.as_str()) {
            return matches(100);
        }
        if synonyms.other.contains(&whole.as_str()) {
            return if fits(field, values) { matches(80) } else { None };
        }
        if whole.is_empty() || !fits(field, values) {
            return None;
        }
        let run = |length: usize| words.windows(length).any(|run| synonyms.usual.contains(&run.concat().as_str()));
        if (1..=3).any(run) {
            return resembles(60);
        }
        let close = |word: &&str| {
            let allowed = match word.len() {
                0..=4 => return false,
                5..=7 => 1,
                _ => 2,
            };
            distance(word, &whole) <= allowed
        };
        if synonyms.usual.iter().any(close) { resembles(40) } else { None }
    })
}

/// Could these values be the field's, as far as that shows? Where there are none, they could.
fn fits(field: ModelColumn, values: &[&str]) -> bool {
    let some = |is: fn(&str) -> bool| values.is_empty() || values.iter().any(|value| is(value));
    match field {
        ModelColumn::Name => some(|value| value.chars().any(char::is_alphabetic)),
        ModelColumn::Email => some(|value| value.contains('@')),
        ModelColumn::Phone => some(|value| value.chars().filter(char::is_ascii_digit).count() >= 5),
        ModelColumn::Website => some(|value| value.contains('.')),
        _ => true,
    }
}

/// The field that nearly all values of a column look like.
fn by_values(values: &[&str]) -> Option<ModelColumn> {
    let most = |is: fn(&str) -> bool| {
        let count = values.iter().filter(|value| is(value)).count();
        count > 0 && count * 10 >= values.len() * 8
    };
    match () {
        () if most(is_email) => Some(ModelColumn::Email),
        () if most(is_web_address) => Some(ModelColumn::Website),
        () if most(is_phone_number) => Some(ModelColumn::Phone),
        () => None,
    }
}

pub(super) fn is_web_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    !text.contains(char::is_whitespace) && ["http://", "https://", "www."].iter().any(|start| lower.starts_with(start))
}

/// Begins as telephone numbers do, since many other things are numbers as well.
pub(super) fn is_phone_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_date = {
        let mut parts: Vec<usize> = text.split(['.', '/', '-']).map(str::len).collect();
        parts.sort_unstable();
        matches!(parts[..], [1..=2, 1..=2, 4])
    };
    !is_date
        && (text.starts_with('+') || text.starts_with('0') || text.starts_with("(0"))
        && (7..=15).contains(&digits)
        && text.chars().all(|c| c.is_ascii_digit() || " +()-./\u{a0}".contains(c))
}

/// How many letters to add, drop or change between two words (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let changed = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ModelColumn::{Address, DoNotImport, Email, Name, OtherDetails, Phone, Website};
    use proptest::prelude::*;

    fn matched(columns: &[&str], rows: &[&[&str]]) -> Vec<ModelColumn> {
        let columns: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|&c| c.to_owned()).collect()).collect();
        match_columns(&columns, &rows).into_iter().map(|m| m.model_column).collect()
    }

    #[test]
    fn headers_are_known_in_five_languages() {
        let five = [Name, Email, Phone, Website, Address];
        for headers in [
            ["Name", "E-mail address", "Phone no.", "Web site", "Address"],
            ["Namn", "E-post", "Telefonnr", "Hemsida", "Gatuadress"],
            ["Ansprechpartner", "E-Mail-Adresse", "Rufnummer", "Webseite", "Straße"],
            ["NOM COMPLET", "Courriel", "Téléphone", "Site internet", "Adresse postale"],
            ["Nombre", "Correo electrónico", "Teléfono", "Página web", "Dirección"],
        ] {
            assert_eq!(matched(&headers, &[]), five, "{headers:?}");
        }
    }

    #[test]
    fn a_header_is_known_with_other_words_around_it_or_a_slip_of_the_pen() {
        assert_eq!(matched(&["Namn", "E-post (arbete)", "Telefon dagtid"], &[]), [Name, Email, Phone]);
        assert_eq!(matched(&["Name", "Emial", "Telehpone"], &[]), [Name, OtherDetails, Phone]);
        assert_eq!(matched(&["Name", "Emails", "Adresss"], &[]), [Name, Email, Address]);
    }

    #[test]
    fn the_more_usual_of_two_columns_takes_the_field() {
        assert_eq!(matched(&["Namn", "Mobil", "Telefon"], &[]), [Name, OtherDetails, Phone]);
        assert_eq!(matched(&["Företag", "Kontaktperson"], &[]), [OtherDetails, Name]);
        assert_eq!(matched(&["Företag", "E-post"], &[]), [Name, Email]);
        assert_eq!(matched(&["Email", "Email (2)"], &[]), [Email, OtherDetails]);
    }

    #[test]
    fn a_column_without_a_telling_header_is_known_by_what_stands_in_it() {
        let rows: [&[&str]; 2] = [
            &["Ada", "ada@example.se", "+46 70 123 45 67", "https://ada.example", "1985-12-10", "10042"],
            &["Bo", "bo@example.se", "08-123 456 78", "www.bo.example", "01.02.1979", "10043"],
        ];
        let expected = [Name, Email, Phone, Website, OtherDetails, OtherDetails];
        assert_eq!(matched(&["Namn", "A", "B", "C", "D", "E"], &rows), expected);
    }

    #[test]
    fn a_header_is_not_believed_against_what_stands_below_it() {
        let rows: [&[&str]; 2] = [&["Ada", "ja", "10042"], &["Bo", "nej", "10043"]];
        assert_eq!(matched(&["Namn", "Email newsletter", "Kund"], &rows), [Name, OtherDetails, OtherDetails]);
    }

    #[test]
    fn first_and_last_name_are_joined_unless_there_is_a_whole_name() {
        let pair = |columns: &[&str], rows: &[&[&str]]| {
            let columns: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
            let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|&c| c.to_owned()).collect()).collect();
            NameColumns::find(&columns, &rows).pair
        };
        assert_eq!(pair(&["Efternamn", "Förnamn"], &[]), Some((1, 0)));
        assert_eq!(pair(&["Name", "Vorname"], &[&["Weiß", "Jörg"]]), Some((1, 0)));
        assert_eq!(pair(&["Nombre", "Apellidos"], &[&["Inés", "Peña"]]), Some((0, 1)));
        assert_eq!(pair(&["Name", "Vorname"], &[&["Jörg Weiß", "Jörg"]]), None);
        assert_eq!(pair(&["First name", "Last name", "Full name"], &[]), None);
        let joined = matched(&["First name", "Last name", "First name + Last name"], &[]);
        assert_eq!(joined, [DoNotImport, DoNotImport, Name]);
    }

    #[test]
    fn the_reason_names_the_header() {
        let matches = match_columns(&["E-post".into(), "Kundnr".into()], &[]);
        assert_eq!(matches[0].reason, "Matches the header “E-post”");
        assert_eq!(matches[1].reason, "No field matches, so it is kept with the other details");
    }

    proptest! {
        #[test]
        fn no_field_is_given_to_two_columns_and_no_column_is_forgotten(
            picks in proptest::collection::vec((0usize..5, 0usize..24, 0usize..4), 0..12),
            rows in proptest::collection::vec(proptest::collection::vec("\\PC{0,12}|ada@example.se|\\+46701234567", 0..12), 0..4),
        ) {
            let columns: Vec<String> = picks
                .iter()
                .map(|&(field, word, kind)| match kind {
                    0 => format!("Column {word}"),
                    1 => FIRST_NAMES[word % FIRST_NAMES.len()].to_owned(),
                    2 => SYNONYMS[field].other[word % SYNONYMS[field].other.len()].to_owned(),
                    _ => SYNONYMS[field].usual[word % SYNONYMS[field].usual.len()].to_owned(),
                })
                .collect();
            let matches = match_columns(&columns, &rows);
            prop_assert_eq!(matches.iter().map(|m| &m.file_column).collect::<Vec<_>>(), columns.iter().collect::<Vec<_>>());
            for field in [Name, Email, Phone, Website, Address] {
                prop_assert!(matches.iter().filter(|m| m.model_column == field).count() <= 1);
            }
        }
        #[test]
        fn the_distance_of_two_words_is_the_same_both_ways(a in "[a-eö]{0,8}", b in "[a-eö]{0,8}") {
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert_eq!(distance(&a, &b) == 0, a == b);
        }
    }
}
