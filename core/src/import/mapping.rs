//! Which column becomes which field: guessed for a person to look at, and held against its rules before an import.

use super::synonyms::{FIRST_NAMES, LAST_NAMES, SYNONYMS, fold};
use super::{ColumnMapping, ColumnMatch, ModelColumn, text};
use crate::form::{FieldError, is_email};

/// Under which name a broken rule of the whole mapping is told.
const MAPPING: &str = "columnMapping";

impl ModelColumn {
    /// Every choice, in the order of a menu.
    pub const ALL: [ModelColumn; 7] = [
        ModelColumn::Name,
        ModelColumn::Email,
        ModelColumn::Phone,
        ModelColumn::Website,
        ModelColumn::Address,
        ModelColumn::OtherDetails,
        ModelColumn::DoNotImport,
    ];

    /// The wire name.
    pub fn as_str(self) -> &'static str {
        match self {
            ModelColumn::Name => "name",
            ModelColumn::Email => "email",
            ModelColumn::Phone => "phone",
            ModelColumn::Website => "website",
            ModelColumn::Address => "address",
            ModelColumn::OtherDetails => "otherDetails",
            ModelColumn::DoNotImport => "doNotImport",
        }
    }

    /// The choice of this wire name.
    pub fn parse(name: &str) -> Option<ModelColumn> {
        Self::ALL.into_iter().find(|column| column.as_str() == name)
    }

    /// What a person reads.
    pub fn label(self) -> &'static str {
        text::label(self)
    }

    /// Takes one column at most (decisions 5.5).
    fn is_single(self) -> bool {
        !matches!(self, ModelColumn::OtherDetails | ModelColumn::DoNotImport)
    }
}

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
    for (_, index, field, reason) in guesses {
        if matches[index].is_none() && !taken.contains(&field) {
            if field.is_single() {
                taken.push(field);
            }
            matches[index] = Some(ColumnMatch { file_column: columns[index].clone(), model_column: field, reason });
        }
    }
    let kept = |index: usize| {
        let empty = columns[index] == text::column_name(index + 1) && values(sample_rows, index).is_empty();
        ColumnMatch {
            file_column: columns[index].clone(),
            model_column: ModelColumn::OtherDetails,
            reason: if empty { text::NO_VALUES.into() } else { text::KEPT.into() },
        }
    };
    matches.into_iter().enumerate().map(|(index, found)| found.unwrap_or_else(|| kept(index))).collect()
}

/// The first and the last name's column, where they stand apart and no column holds the whole name.
#[cfg(feature = "files")]
pub(super) fn name_pair(columns: &[String], sample_rows: &[Vec<String>]) -> Option<(usize, usize)> {
    NameColumns::find(columns, sample_rows).pair
}

/// What the column is called that joins the two.
pub(super) fn joined_name(first: &str, last: &str) -> String {
    format!("{first} + {last}")
}

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
        let plain = at(&["name", "namn", "nom", "nombre"]);
        let (mut first, mut last) = (at(FIRST_NAMES), at(LAST_NAMES));
        let mut whole = at(&SYNONYMS[0].usual[1..]).filter(|&index| Some(index) != plain).or(plain);
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
    fold(header).replace(' ', "")
}

fn values(sample_rows: &[Vec<String>], index: usize) -> Vec<&str> {
    sample_rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.trim()).filter(|c| !c.is_empty()).collect()
}

/// Every field that a header speaks for, and how strongly.
fn by_header<'a>(header: &'a str, values: &'a [&'a str]) -> impl Iterator<Item = (u32, ModelColumn, String)> + use<'a> {
    let folded = fold(header);
    let whole = folded.replace(' ', "");
    let words: Vec<String> = folded.split(' ').map(str::to_owned).collect();
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

fn is_web_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    !text.contains(char::is_whitespace) && ["http://", "https://", "www."].iter().any(|start| lower.starts_with(start))
}

/// Begins as telephone numbers do, since many other things are numbers as well.
fn is_phone_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (text.starts_with('+') || text.starts_with('0') || text.starts_with("(0"))
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

/// A mapping that holds: what each column of the file becomes.
#[derive(Clone, Debug)]
pub struct Plan {
    columns: Vec<String>,
    targets: Vec<ModelColumn>,
}

impl Plan {
    /// Holds a mapping against the rules (decisions 5.5): every column mapped, once, to a field that there is; no field
    /// but the other details given to two columns; and a column for the name.
    ///
    /// # Errors
    /// What is wrong, under the file's column where it is about one.
    pub fn new(file_columns: &[String], mapping: &[ColumnMapping]) -> Result<Plan, Vec<FieldError>> {
        let mut errors: Vec<FieldError> = Vec::new();
        let mut wrong = |field: &str, message: String| errors.push(FieldError { field: field.to_owned(), message });
        let mut targets: Vec<Option<ModelColumn>> = vec![None; file_columns.len()];
        let mut unmapped = false;
        for ColumnMapping { file_column, model_column } in mapping {
            let Some(index) = file_columns.iter().position(|column| column == file_column) else {
                wrong(file_column, text::unknown_file_column(file_column));
                continue;
            };
            if model_column.is_empty() {
                continue;
            }
            match ModelColumn::parse(model_column) {
                None => {
                    wrong(file_column, text::unknown_model_column(file_column, model_column));
                    // Said once; it isn't also called unmapped.
                    targets[index].get_or_insert(ModelColumn::DoNotImport);
                }
                Some(_) if targets[index].is_some() => wrong(file_column, text::mapped_twice(file_column)),
                Some(target) => targets[index] = Some(target),
            }
        }
        for (index, column) in file_columns.iter().enumerate() {
            let Some(target) = targets[index] else {
                unmapped = true;
                continue;
            };
            let earlier = targets[..index].iter().position(|&other| other == Some(target));
            if let Some(earlier) = earlier.filter(|_| target.is_single()) {
                wrong(column, text::one_field_twice(target, &file_columns[earlier], column));
            }
        }
        if unmapped {
            errors.insert(0, FieldError { field: MAPPING.into(), message: text::MAP_ALL.into() });
        } else if !targets.contains(&Some(ModelColumn::Name)) {
            errors.push(FieldError { field: MAPPING.into(), message: text::MAP_NAME.into() });
        }
        if errors.is_empty() {
            Ok(Plan { columns: file_columns.to_vec(), targets: targets.into_iter().flatten().collect() })
        } else {
            Err(errors)
        }
    }

    /// The file's columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// What each becomes, in the same order.
    pub fn targets(&self) -> &[ModelColumn] {
        &self.targets
    }
}
