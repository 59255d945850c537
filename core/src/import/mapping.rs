//! Which column becomes which field, as far as it can be guessed; a person looks at it before it counts.
//!
//! How sure a guess is, is told from 0 to 100: 100 says that header and texts agree, 90 that the header is the field's
//! usual name and the texts say nothing. From 60 to 85 the header does for want of a better one, or has the field's name
//! among other words, or the texts can hardly be anything else. From 40 to 55 there is one weak sign, such as a misspelt
//! header or a company for a name. Below, something speaks against it: it is offered because nothing better is.

use super::content::{field_of, looks};
use super::digest::Digest;
use super::names::NameColumns;
use super::synonyms::{FIRST_NAMES, LAST_NAMES, SYNONYMS, Synonyms, among, is_around, is_astray, is_other, words};
use super::text::column_name;
use super::{ColumnMatch, ModelColumn, text};
use crate::text::fold;

/// Words for a company at the end of a header.
const COMPANIES: &str = "company foretag bolag firma unternehmen entreprise societe empresa organization organisation";

/// The most bytes of a header that may still be a field's name among other words; what is longer is a text.
const LONGEST: usize = 60;

/// Guesses what each column means, by its header and by what stands in it. A field of a contact is given to one column at
/// most; a column that nothing speaks for is kept with the other details.
pub fn match_columns(columns: &[String], sample_rows: &[Vec<String>]) -> Vec<ColumnMatch> {
    let names = NameColumns::find(columns, sample_rows);
    let mut guesses: Vec<Guess> = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let values = values(sample_rows, index);
        match names.joined() {
            Some((joined, first, last)) if index == joined => {
                let reason = text::joined_of(&columns[first], &columns[last]);
                guesses.push((100, index, ModelColumn::Name, reason));
            }
            Some((joined, ..)) if names.is_part(index) => {
                guesses.push((100, index, ModelColumn::DoNotImport, text::part_of(&columns[joined])));
            }
            // Part of a name is better than none, but gives way to every whole one.
            _ if names.is_part(index) => guesses.push((30, index, ModelColumn::Name, text::matches_header(column))),
            _ => {
                let header = Header::of(column, index);
                guesses.extend(by_header(&header, &values).map(|(score, field, reason)| (score, index, field, reason)));
                guesses.extend(by_values(&header, &values).map(|(score, field, reason)| (score, index, field, reason)));
            }
        }
    }
    let filled: Vec<usize> = (0..columns.len()).map(|index| values(sample_rows, index).len()).collect();
    let ranks: Vec<u8> = guesses.iter().map(|guess| rank(guess, &guesses, &filled)).collect();
    let mut ranked: Vec<_> = ranks.into_iter().zip(guesses).collect();
    // The strongest first; of equals the column further left.
    ranked.sort_by_key(|&(rank, (_, index, ..))| (std::cmp::Reverse(rank), index));
    let mut matches: Vec<Option<ColumnMatch>> = vec![None; columns.len()];
    let mut taken: Vec<ModelColumn> = Vec::new();
    for (_, (confidence, index, field, reason)) in ranked {
        if matches[index].is_none() && !taken.contains(&field) {
            if field.is_single() {
                taken.push(field);
            }
            let file_column = columns[index].clone();
            matches[index] = Some(ColumnMatch { file_column, model_column: field, reason, confidence });
        }
    }
    let kept = |index: usize| {
        let empty = columns[index] == column_name(index + 1) && values(sample_rows, index).is_empty();
        ColumnMatch {
            file_column: columns[index].clone(),
            model_column: ModelColumn::OtherDetails,
            reason: if empty { text::NO_VALUES.into() } else { text::KEPT.into() },
            confidence: 0,
        }
    };
    matches.into_iter().enumerate().map(|(index, found)| found.unwrap_or_else(|| kept(index))).collect()
}

/// How sure a guess is, its column, its field, and why.
type Guess = (u8, usize, ModelColumn, String);

/// How far a guess comes before others: as far as it is sure, but behind a guess of nearly the same strength whose column has
/// values in twice as many rows. So "Phone" comes before "Mobile", unless most people have left only a mobile number.
fn rank(guess: &Guess, guesses: &[Guess], filled: &[usize]) -> u8 {
    let &(score, index, field, _) = guess;
    let fuller = |&&(other, column, other_field, _): &&Guess| {
        other_field == field
            && other >= 50
            && other < score
            && score - other <= 20
            && filled[column] > 2
            && filled[column] >= filled[index] * 2
    };
    guesses.iter().filter(fuller).map(|&(other, ..)| other - 1).min().unwrap_or(score)
}

/// What files with the same headers have in common, whatever the order and the case of these: 16 hexadecimal digits.
pub fn header_key(columns: &[String]) -> String {
    let mut headers: Vec<String> = columns.iter().map(|column| fold(column.trim())).collect();
    headers.sort_unstable();
    let mut digest = Digest::default();
    headers.iter().for_each(|header| digest.text(header));
    format!("{:016x}", digest.value())
}

/// Is this a word for a column, of a contact's or of any other? Nobody is called so.
pub(super) fn is_column_word(cell: &str) -> bool {
    let header = Header::of(cell, usize::MAX);
    header.is_other
        || among(FIRST_NAMES, &header.whole)
        || among(LAST_NAMES, &header.whole)
        || SYNONYMS.iter().any(|synonyms| strength(synonyms, &header).is_some())
}

fn values(sample_rows: &[Vec<String>], index: usize) -> Vec<&str> {
    sample_rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.trim()).filter(|c| !c.is_empty()).collect()
}

/// A header taken apart.
struct Header<'a> {
    text: &'a str,
    /// Its words, without a "1" at the end.
    words: Vec<String>,
    whole: String,
    /// The second of several, or a later one.
    is_later: bool,
    /// It says nothing, such as "Column 3" or "B".
    is_blank: bool,
    /// The very name of a field, and how much that says.
    named: Option<(ModelColumn, u8)>,
    /// The very name of something else.
    is_other: bool,
}

impl Header<'_> {
    fn of(text: &str, index: usize) -> Header<'_> {
        let mut words = words(text);
        let numbers = |word: &String| word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
        let number = words.iter().position(numbers).filter(|_| words.len() > 1).map(|at| words.remove(at));
        let whole = words.concat();
        let nothing = "column spalte kolumn kolonne colonne columna sarake feld field falt champ campo col unnamed";
        let is_blank = index != usize::MAX && text == column_name(index + 1)
            || whole.chars().count() <= 1
            || among(nothing, &whole)
            || whole.bytes().all(|b| b.is_ascii_digit());
        let score = |synonyms: &Synonyms| match () {
            () if among(synonyms.usual, &whole) => Some((synonyms.field, 90)),
            () if among(synonyms.other, &whole) => Some((synonyms.field, 75)),
            () if among(synonyms.last, &whole) => Some((synonyms.field, 50)),
            () => None,
        };
        let named = SYNONYMS.iter().find_map(score);
        let is_later = number.is_some_and(|number| number.trim_start_matches('0') != "1");
        let is_other = named.is_none() && is_other(&whole);
        Header { text, words, whole, is_later, is_blank, named, is_other }
    }
}

/// How strongly a header speaks for a field, and whether it is its very name.
fn strength(synonyms: &Synonyms, header: &Header<'_>) -> Option<(u8, bool)> {
    if let Some((field, score)) = header.named {
        return (field == synonyms.field).then_some((score, true));
    }
    let whole = header.whole.as_str();
    if header.is_other || whole.len() > LONGEST {
        return None;
    }
    if let Some(score) = within(synonyms, &header.words) {
        return Some((score, false));
    }
    if compound(synonyms, whole) {
        return Some((60, false));
    }
    let close = |word: &str| {
        let allowed = match word.len() {
            0..=4 => return false,
            5..=9 => 1,
            _ => 2,
        };
        word.len().abs_diff(whole.len()) <= allowed && distance(word, whole) <= allowed
    };
    let is_slip = synonyms.usual.split_ascii_whitespace().any(close);
    (is_slip && !header.words.iter().any(|word| is_astray(word))).then_some((45, false))
}

/// The field's name among other words, if these leave it what it is.
fn within(synonyms: &Synonyms, words: &[String]) -> Option<u8> {
    let mut best = None;
    for length in 1..words.len().min(4) {
        for at in 0..=words.len() - length {
            let run = words[at..at + length].concat();
            let score = if among(synonyms.usual, &run) {
                65
            } else if among(synonyms.other, &run) {
                55
            } else {
                continue;
            };
            let around = [&words[..at], &words[at + length..]];
            if around.iter().any(|words| words.iter().any(|word| is_astray(word))) {
                continue;
            }
            // "Address company" is where a company is, but "Default address company" is the company there.
            if at > 0 && around[1].last().is_some_and(|word| among(COMPANIES, word)) {
                continue;
            }
            if around.iter().any(|words| names_another(synonyms.field, words)) {
                continue;
            }
            let is_again = |word: &str| among(synonyms.usual, word);
            let is_plain = around.iter().all(|words| words.iter().all(|word| is_around(word) || is_again(word)));
            // "Name of pet" is nobody's, but "Phone reception" is somebody's.
            let found = match (is_plain, synonyms.field) {
                (true, _) => Some(score),
                (false, ModelColumn::Name) => None,
                (false, _) => Some(score - 15),
            };
            best = best.max(found);
        }
    }
    best
}

/// Do these words name another field, other than by saying whose it is?
fn names_another(field: ModelColumn, words: &[String]) -> bool {
    let named = |synonyms: &Synonyms| {
        synonyms.field != field
            && (1..=words.len().min(3)).any(|length| {
                words
                    .windows(length)
                    .any(|run| among(synonyms.usual, &run.concat()) && !run.iter().all(|word| is_around(word)))
            })
    };
    SYNONYMS.iter().any(named)
}

/// One word of two: "Kundenemail", "Arbetstelefon".
fn compound(synonyms: &Synonyms, whole: &str) -> bool {
    let is_owner = |rest: &str| {
        rest.len() >= 3
            && (is_around(rest)
                || rest.strip_suffix(['s', 'n', 'e']).is_some_and(|rest| rest.len() >= 3 && is_around(rest)))
    };
    let usual = synonyms.usual.split_ascii_whitespace().filter(|word| word.len() >= 4);
    usual
        .into_iter()
        .any(|word| whole.strip_suffix(word).is_some_and(is_owner) || whole.strip_prefix(word).is_some_and(is_owner))
}

/// Every field that a header speaks for, and how strongly once its column was looked at.
fn by_header<'a>(
    header: &'a Header<'_>,
    values: &'a [&'a str],
) -> impl Iterator<Item = (u8, ModelColumn, String)> + use<'a> {
    SYNONYMS.iter().filter_map(move |synonyms| {
        let field = synonyms.field;
        let (mut score, is_name) = strength(synonyms, header)?;
        if header.is_later {
            score -= 10;
        }
        let (like, possible) = looks(field, values);
        if values.is_empty() || possible >= 20 {
            let reason = if is_name { text::matches_header(header.text) } else { text::resembles_header(header.text) };
            return Some((if like >= 60 { score + 10 } else { score }, field, reason));
        }
        // What stands below says otherwise; only the very name of the field is believed against it, and not much.
        (is_name && score >= 75).then(|| (30, field, text::contradicts_header(header.text)))
    })
}

/// The field that a column's texts speak for, and how strongly; the less the more its header says something else.
fn by_values(header: &Header<'_>, values: &[&str]) -> Option<(u8, ModelColumn, String)> {
    let field = field_of(values)?;
    let [blank, unknown, other] = match field {
        ModelColumn::Email => [80, 60, 35],
        ModelColumn::Website => [70, 50, 0],
        ModelColumn::Phone => [70, 45, 0],
        ModelColumn::Address => [50, 25, 0],
        _ => [50, 20, 0],
    };
    let astray = || header.words.iter().any(|word| is_astray(word) || is_other(word));
    let score = match () {
        () if header.is_blank => blank,
        () if header.is_other || astray() => other,
        () => unknown,
    };
    (score > 0).then(|| (score, field, text::looks_like(field)))
}

/// How many letters to add, drop, change or swap with the next between two words of at most [`LONGEST`] bytes.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = [[0; LONGEST + 1]; 3];
    rows[0] = std::array::from_fn(|j| j);
    for i in 0..a.len().min(LONGEST) {
        let [row, next, before] = &mut rows;
        next[0] = i + 1;
        for j in 0..b.len().min(LONGEST) {
            let changed = row[j] + usize::from(a[i] != b[j]);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            next[j + 1] = least;
        }
        // This row is the one before next, and the next one this.
        rows.rotate_left(1);
    }
    rows[0][b.len().min(LONGEST)]
}

#[cfg(test)]
mod tests;
