//! Suggests a contact field for each column. The user reviews the suggestions before the import.
//!
//! Each suggestion has a confidence from 0 to 100:
//! - 100: header and values agree, or the column is part of a joined name, or of a list that Forecourt exported.
//! - 90: the header is the field's usual name, and there are no values to compare, or only some agree.
//! - 60 to 85: the header is a less usual name, or contains the field's usual name beside words that don't change its
//!   meaning, or the values almost certainly belong to this field.
//! - 40 to 55: there is one weak sign, such as a misspelt header, a field's name beside unknown words ("Phone
//!   reception"), or a company for a name.
//! - Below: something speaks against the field, but no column fits it better.

use super::content::{guess_field, match_shares};
use super::digest::Digest;
use super::exported::is_exported;
use super::names::NameColumns;
use super::report::REPORT_HEADERS;
use super::synonyms::{
    FIRST_NAMES, LAST_NAMES, SYNONYMS, changes_meaning, is_in_list, is_other_header, keeps_meaning, words,
};
use super::text::column_name;
use super::{ColumnMatch, ModelColumn, text};
use crate::contacts::ContactSummary;
use crate::lists::{Record, Synonyms};
use crate::message::Message;
use crate::text::fold;

/// Words for a company, at the end of a header in lower case without accents.
const COMPANIES: &str = "company foretag bolag firma unternehmen entreprise societe empresa organization organisation";

/// The maximum length in bytes of a header that may contain a field's name among other words. Longer headers are prose.
const MAX_HEADER_BYTES: usize = 60;

/// Suggests a field for each column from its header and its sample values. Each contact field is suggested for at most
/// one column; columns that match no field go to the other details.
pub fn match_columns(columns: &[String], sample_rows: &[Vec<String>]) -> Vec<ColumnMatch> {
    let (exported, candidates) = find_candidates(columns, sample_rows);
    let filled: Vec<usize> = (0..columns.len()).map(|index| column_values(sample_rows, index).len()).collect();
    let ranks: Vec<u8> = candidates.iter().map(|candidate| rank(candidate, &candidates, &filled)).collect();
    let mut ranked: Vec<_> = ranks.into_iter().zip(candidates).collect();
    // Highest rank first, ties from left to right.
    ranked.sort_by_key(|&(rank, (_, index, ..))| (std::cmp::Reverse(rank), index));
    let mut matches: Vec<Option<ColumnMatch>> = vec![None; columns.len()];
    let mut used_fields: Vec<ModelColumn> = Vec::new();
    let ranked = ranked.into_iter().map(|(_, candidate)| candidate);
    for (confidence, index, field, reason) in exported.into_iter().chain(ranked) {
        if matches[index].is_none() && !used_fields.contains(&field) {
            if field.is_single() {
                used_fields.push(field);
            }
            let file_column = columns[index].clone();
            matches[index] = Some(ColumnMatch { file_column, model_column: field, reason, confidence });
        }
    }
    let other_details = |index: usize| {
        let empty = columns[index] == column_name(index + 1) && column_values(sample_rows, index).is_empty();
        ColumnMatch {
            file_column: columns[index].clone(),
            model_column: ModelColumn::OtherDetails,
            reason: if empty { text::NO_VALUES.into() } else { text::KEPT.into() },
            confidence: 0,
        }
    };
    matches.into_iter().enumerate().map(|(index, found)| found.unwrap_or_else(|| other_details(index))).collect()
}

/// A field that a column may be: confidence, column index, field and reason.
type Candidate = (u8, usize, ModelColumn, Message);

/// Returns the candidates that are known because Forecourt exported the list, and the other ones. The former take
/// precedence: other details may have the headers and values of a field.
fn find_candidates(columns: &[String], sample_rows: &[Vec<String>]) -> (Vec<Candidate>, Vec<Candidate>) {
    let names = NameColumns::find(columns, sample_rows);
    let is_exported = is_exported(columns.iter().map(String::as_str));
    let is_report = columns.iter().zip(REPORT_HEADERS).filter(|(column, header)| column == header).count() == 2;
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut exported: Vec<Candidate> = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let column_values = column_values(sample_rows, index);
        match names.joined() {
            _ if is_report && index < REPORT_HEADERS.len() => {
                candidates.push((100, index, ModelColumn::DoNotImport, text::OF_FAILED_ROWS.into()));
            }
            Some((joined, first, last)) if index == joined => {
                let reason = text::joins_name_columns(&columns[first], &columns[last]);
                candidates.push((100, index, ModelColumn::Name, reason));
            }
            Some((joined, ..)) if names.is_part(index) => {
                candidates.push((100, index, ModelColumn::DoNotImport, text::in_full_name_column(&columns[joined])));
            }
            // A part of a name is better than none, but every full name takes precedence.
            _ if names.is_part(index) => candidates.push((30, index, ModelColumn::Name, text::matches_header(column))),
            _ if let Some((field, reason)) = exported_field(column).filter(|_| is_exported) => {
                exported.push((100, index, field, reason));
            }
            _ => {
                let header = Header::of(column, index);
                let found = fields_by_header(&header, &column_values).chain(field_by_values(&header, &column_values));
                candidates.extend(found.map(|(score, field, reason)| (score, index, field, reason)));
            }
        }
    }
    (exported, candidates)
}

/// Returns the field of a column in a list that Forecourt exported, by the column's name alone: values that look like
/// another field must not change it.
fn exported_field(column: &str) -> Option<(ModelColumn, Message)> {
    let field = ContactSummary::FIELDS.iter().find(|field| field.name == column)?;
    Some(match &field.synonyms {
        Some(synonyms) => (synonyms.column, text::matches_header(column)),
        None => (ModelColumn::DoNotImport, text::SET_BY_FORECOURT.into()),
    })
}

/// Returns the rank of a candidate. It is its confidence, unless another column for the same field has slightly less
/// confidence, but values in at least twice as many rows; then it is below that one's. So "Phone" ranks above "Mobile"
/// unless most contacts have only a mobile number.
fn rank(candidate: &Candidate, candidates: &[Candidate], filled: &[usize]) -> u8 {
    let &(score, index, field, _) = candidate;
    let is_fuller = |&&(other, column, other_field, _): &&Candidate| {
        other_field == field
            && other >= 50
            && other < score
            && score - other <= 20
            && filled[column] > 2
            && filled[column] >= filled[index] * 2
    };
    candidates.iter().filter(is_fuller).map(|&(other, ..)| other - 1).min().unwrap_or(score)
}

/// Returns a key that is equal for files with the same headers, regardless of their order and case: 16 hexadecimal
/// digits.
pub fn header_key(columns: &[String]) -> String {
    let mut headers: Vec<String> = columns.iter().map(|column| fold(column.trim())).collect();
    headers.sort_unstable();
    let mut digest = Digest::default();
    headers.iter().for_each(|header| digest.add_text(header));
    digest.hexadecimal()
}

/// Returns whether this is a word that names a column, of a contact or of anything else. Such a word is never a
/// person's name.
pub(super) fn is_column_name(cell: &str) -> bool {
    let header = Header::of(cell, usize::MAX);
    header.is_other_header
        || is_in_list(FIRST_NAMES, &header.concatenated)
        || is_in_list(LAST_NAMES, &header.concatenated)
        || SYNONYMS.iter().any(|synonyms| name_score(synonyms, &header).is_some())
}

/// Returns the values of a column in the sample rows, trimmed and without empty ones.
fn column_values(sample_rows: &[Vec<String>], index: usize) -> Vec<&str> {
    sample_rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.trim()).filter(|c| !c.is_empty()).collect()
}

/// The parsed header of a column.
struct Header<'a> {
    text: &'a str,
    /// The words of the header, without a number such as the "1" in "Phone 1".
    words: Vec<String>,
    concatenated: String,
    /// Whether the header has a number other than 1, as in "Phone 2".
    has_higher_number: bool,
    /// Whether the header has no meaning, such as "Column 3" or "B".
    is_meaningless: bool,
    /// The field of which the whole header is a name, and the score of that name.
    exact_field: Option<(ModelColumn, u8)>,
    /// Whether the whole header names something that isn't a contact field.
    is_other_header: bool,
}

impl Header<'_> {
    fn of(text: &str, index: usize) -> Header<'_> {
        let mut words = words(text);
        let is_number = |word: &String| word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
        let number = words.iter().position(is_number).filter(|_| words.len() > 1).map(|at| words.remove(at));
        let concatenated = words.concat();
        let nothing = "column spalte kolumn kolonne colonne columna sarake feld field falt champ campo col unnamed";
        let is_meaningless = index != usize::MAX && text == column_name(index + 1)
            || concatenated.chars().count() <= 1
            || is_in_list(nothing, &concatenated)
            || concatenated.bytes().all(|b| b.is_ascii_digit());
        let score = |synonyms: &Synonyms| match () {
            () if is_in_list(synonyms.exact, &concatenated) => Some((synonyms.column, 90)),
            () if is_in_list(synonyms.secondary, &concatenated) => Some((synonyms.column, 75)),
            () if is_in_list(synonyms.weak, &concatenated) => Some((synonyms.column, 50)),
            () => None,
        };
        let exact_field = SYNONYMS.iter().find_map(score);
        let has_higher_number = number.is_some_and(|number| number.trim_start_matches('0') != "1");
        let is_other_header = exact_field.is_none() && is_other_header(&concatenated);
        Header { text, words, concatenated, has_higher_number, is_meaningless, exact_field, is_other_header }
    }
}

/// Returns how strongly a header names the field of these synonyms, and whether the whole header is a name of it.
/// `None` if it doesn't name the field.
fn name_score(synonyms: &Synonyms, header: &Header<'_>) -> Option<(u8, bool)> {
    if let Some((field, score)) = header.exact_field {
        return (field == synonyms.column).then_some((score, true));
    }
    let concatenated = header.concatenated.as_str();
    if header.is_other_header || concatenated.len() > MAX_HEADER_BYTES {
        return None;
    }
    if let Some(score) = score_among_words(synonyms, &header.words) {
        return Some((score, false));
    }
    if is_compound(synonyms, concatenated) {
        return Some((60, false));
    }
    let is_close = |word: &str| {
        let allowed = match word.len() {
            0..=4 => return false,
            5..=9 => 1,
            _ => 2,
        };
        word.len().abs_diff(concatenated.len()) <= allowed && distance(word, concatenated) <= allowed
    };
    let is_misspelt = synonyms.exact.split_ascii_whitespace().any(is_close);
    (is_misspelt && !header.words.iter().any(|word| changes_meaning(word))).then_some((45, false))
}

/// Returns the score of a header that contains the field's name among other words; `None` if it doesn't, or if one of
/// the words changes its meaning.
fn score_among_words(synonyms: &Synonyms, words: &[String]) -> Option<u8> {
    let mut best = None;
    for length in 1..words.len().min(4) {
        for at in 0..=words.len() - length {
            let run = words[at..at + length].concat();
            let score = if is_in_list(synonyms.exact, &run) {
                65
            } else if is_in_list(synonyms.secondary, &run) {
                55
            } else {
                continue;
            };
            let around = [&words[..at], &words[at + length..]];
            if around.iter().any(|words| words.iter().any(|word| changes_meaning(word))) {
                continue;
            }
            // "Address company" is a company's address, but "Default address company" is a company.
            if at > 0 && around[1].last().is_some_and(|word| is_in_list(COMPANIES, word)) {
                continue;
            }
            if around.iter().any(|words| name_another_field(synonyms.column, words)) {
                continue;
            }
            let is_again = |word: &str| is_in_list(synonyms.exact, word);
            let is_plain = around.iter().all(|words| words.iter().all(|word| keeps_meaning(word) || is_again(word)));
            // "Name of pet" isn't a contact's name, but "Phone reception" is a contact's phone.
            let found = match (is_plain, synonyms.column) {
                (true, _) => Some(score),
                (false, ModelColumn::Name) => None,
                (false, _) => Some(score - 15),
            };
            best = best.max(found);
        }
    }
    best
}

/// Returns whether these words also name another field. Words that only say whose it is don't count.
fn name_another_field(field: ModelColumn, words: &[String]) -> bool {
    let exact_field = |synonyms: &Synonyms| {
        synonyms.column != field
            && (1..=words.len().min(3)).any(|length| {
                words
                    .windows(length)
                    .any(|run| is_in_list(synonyms.exact, &run.concat()) && !run.iter().all(|word| keeps_meaning(word)))
            })
    };
    SYNONYMS.iter().any(exact_field)
}

/// Returns whether this header is a compound of the field's name and its owner, such as "Kundenemail" or
/// "Arbetstelefon".
fn is_compound(synonyms: &Synonyms, concatenated: &str) -> bool {
    let is_owner = |rest: &str| {
        rest.len() >= 3
            && (keeps_meaning(rest)
                || rest.strip_suffix(['s', 'n', 'e']).is_some_and(|rest| rest.len() >= 3 && keeps_meaning(rest)))
    };
    let usual = synonyms.exact.split_ascii_whitespace().filter(|word| word.len() >= 4);
    usual.into_iter().any(|word| {
        concatenated.strip_suffix(word).is_some_and(is_owner) || concatenated.strip_prefix(word).is_some_and(is_owner)
    })
}

/// Returns each field that the header names, with a score that also depends on the column's values.
fn fields_by_header<'a>(
    header: &'a Header<'_>,
    column_values: &'a [&'a str],
) -> impl Iterator<Item = (u8, ModelColumn, Message)> + use<'a> {
    SYNONYMS.iter().filter_map(move |synonyms| {
        let field = synonyms.column;
        let (mut score, is_whole_header) = name_score(synonyms, header)?;
        if header.has_higher_number {
            score -= 10;
        }
        let (like, possible) = match_shares(field, column_values);
        if column_values.is_empty() || possible >= 20 {
            let reason =
                if is_whole_header { text::matches_header(header.text) } else { text::resembles_header(header.text) };
            return Some((if like >= 60 { score + 10 } else { score }, field, reason));
        }
        // The values contradict the header, so it counts, with a low score, only if all of it is a good name of the
        // field (not a weak one, nor a secondary one with a number, such as "Mobile 2").
        (is_whole_header && score >= 75).then(|| (30, field, text::contradicts_header(header.text)))
    })
}

/// Returns the field that a column's values look like, with a score. It is lower if the header means something else.
fn field_by_values(header: &Header<'_>, column_values: &[&str]) -> Option<(u8, ModelColumn, Message)> {
    let field = guess_field(column_values)?;
    let [blank, unknown, other] = match field {
        ModelColumn::Email => [80, 60, 35],
        ModelColumn::Website => [70, 50, 0],
        ModelColumn::Phone => [70, 45, 0],
        ModelColumn::Address => [50, 25, 0],
        _ => [50, 20, 0],
    };
    let has_changing_word = || header.words.iter().any(|word| changes_meaning(word) || is_other_header(word));
    let score = match () {
        () if header.is_meaningless => blank,
        () if header.is_other_header || has_changing_word() => other,
        () => unknown,
    };
    (score > 0).then(|| (score, field, text::looks_like(field)))
}

/// Returns the edit distance (Damerau–Levenshtein, optimal string alignment) of two words of at most
/// [`MAX_HEADER_BYTES`] bytes.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = [[0; MAX_HEADER_BYTES + 1]; 3];
    rows[0] = std::array::from_fn(|j| j);
    for i in 0..a.len().min(MAX_HEADER_BYTES) {
        let [row, next, before] = &mut rows;
        next[0] = i + 1;
        for j in 0..b.len().min(MAX_HEADER_BYTES) {
            let changed = row[j] + usize::from(a[i] != b[j]);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            next[j + 1] = least;
        }
        // `row` becomes `before`, and `next` becomes `row`.
        rows.rotate_left(1);
    }
    rows[0][b.len().min(MAX_HEADER_BYTES)]
}

#[cfg(test)]
mod tests;
