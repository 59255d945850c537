//! Validates each row of a file. For the same rows, the browser and the server get the same verdict.

use super::corrections::Patches;
use super::digest::Digest;
use super::exported::detail_name;
use super::first_seen::FirstSeen;
use super::fold::lower_case;
use super::layout::{Layout, join_names};
use super::report::{self, Finding};
use super::row::{RawRow, RowBuffer, UNREADABLE, is_blank, trim};
use super::{Duplicates, FileError, Limits, ModelColumn, Plan, RowProblem, Verdict, formula, text};
use crate::contacts::{ContactInput, DETAIL_MAX, DETAILS_LENGTH_MAX, DETAILS_MAX, declare_rules};
use crate::form::{self, Checked};
use crate::text::{clean_lines, may_need_cleaning};
use std::borrow::Cow;

/// Estimated bytes in the database for a contact, and for each of its other details, in addition to their texts.
const CONTACT_BYTES: u64 = 256;
const DETAIL_BYTES: u64 = 8;
/// How often the database stores a searchable text, at most: in the contact, case-folded, in PostgreSQL's search table,
/// and in the index of the search.
const SEARCH_COPIES: u64 = 4;

/// Checks rows one by one and counts the results.
pub struct Checker {
    layout: Layout,
    targets: Vec<ModelColumn>,
    /// For each column the index of its field among the five fields of a contact, if it has one.
    fields: Vec<Option<u8>>,
    /// The length of all columns' names in bytes.
    name_bytes: usize,
    patches: Patches,
    limits: Limits,
    /// Estimated number of bytes that the rows so far add to the database. `reported` is the part of it for the report
    /// of failed rows.
    added: u64,
    reported: u64,
    is_reported: bool,
    /// The last row of the report, as it was checked.
    reported_row: RowBuffer,
    total: u64,
    ready: u64,
    left_out: u64,
    duplicates: u64,
    digest: Digest,
    /// Maps the key of each valid row ([`contact_key`]) to the first row with it, to find duplicates.
    first_seen: FirstSeen,
    // Buffers for the current row, reused for each row.
    cleaned: RowBuffer,
    patched: RowBuffer,
    joined: String,
    folded: String,
    findings: Vec<Finding>,
}

/// The result of checking a row.
#[derive(Debug)]
pub enum Outcome<'a> {
    /// Not a contact: a blank row, the header or a row above it, or a row that the user left out.
    Skipped,
    /// A valid contact. `duplicate_of` is the number of the earlier row that it duplicates.
    Ready { contact: ContactRow<'a>, duplicate_of: Option<u64> },
    /// A row that can't be imported, with its problems.
    Failed(&'a [Finding]),
}

/// The contact of a valid row. It borrows all its texts.
#[derive(Clone, Copy, Debug)]
pub struct ContactRow<'a> {
    fields: [&'a str; 5],
    row: RawRow<'a>,
    layout: &'a Layout,
    targets: &'a [ModelColumn],
}

impl<'a> ContactRow<'a> {
    /// Returns the names and values of the other details.
    fn details(self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone + use<'a> {
        let ContactRow { row, layout, targets, .. } = self;
        let is_detail = move |column: usize| targets.get(column) == Some(&ModelColumn::OtherDetails);
        // A blank cell may be beyond the columns of the file, which have the names.
        row.cells()
            .filter(move |&(column, text)| column < layout.file_width() && is_detail(column) && !is_blank(text))
            .map(move |(column, text)| (detail_name(&layout.names()[column]), text))
    }

    /// Returns the name, and what else identifies the contact ([`contact_key`]): its e-mail address or, if it has none,
    /// its phone number.
    pub(super) fn identity(self) -> (&'a str, &'a str) {
        let [name, email, phone, ..] = self.fields;
        (name, if email.is_empty() { phone } else { email })
    }

    /// Estimates the size of the contact in the database in bytes.
    fn estimate_bytes(self) -> u64 {
        let [name, email, phone, website, address] = self.fields.map(|text| text.len() as u64);
        let details = self.details().map(|(name, value)| (name.len() + value.len()) as u64 + DETAIL_BYTES);
        CONTACT_BYTES + SEARCH_COPIES * (name + email + phone + address) + website + details.sum::<u64>()
    }

    /// Returns the validated contact.
    ///
    /// # Errors
    /// The validation errors of a contact; a ready row has none.
    pub fn contact(self) -> Result<Checked<ContactInput>, Vec<form::FieldError>> {
        let [name, email, phone, website, address] = self.fields.map(str::to_owned);
        let other_details = self.details().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        form::check(ContactInput { name, email, phone, website, address, other_details })
    }
}

impl Checker {
    pub fn new(layout: Layout, plan: Plan, patches: Patches, limits: &Limits) -> Checker {
        let fields = plan.targets().iter().map(|target| target.field().map(|field| field as u8)).collect();
        Checker {
            name_bytes: layout.names().iter().map(String::len).sum(),
            layout,
            targets: plan.targets().to_vec(),
            fields,
            patches,
            limits: *limits,
            added: 0,
            reported: 0,
            is_reported: true,
            reported_row: RowBuffer::default(),
            total: 0,
            ready: 0,
            left_out: 0,
            duplicates: 0,
            digest: Digest::default(),
            first_seen: FirstSeen::default(),
            cleaned: RowBuffer::default(),
            patched: RowBuffer::default(),
            joined: String::new(),
            folded: String::new(),
            findings: Vec::new(),
        }
    }

    /// Checks a row of the file.
    ///
    /// # Errors
    /// The file has more rows than the limits allow, or would add more to the database than a file of its size may.
    pub fn check_row<'a>(&'a mut self, row: RawRow<'a>) -> Result<Outcome<'a>, FileError> {
        let row = if clean_if_needed(row, &mut self.cleaned) { self.cleaned.row() } else { row };
        if row.number <= self.layout.header() || row.is_blank() {
            return Ok(Outcome::Skipped);
        }
        ensure!(self.total + self.left_out != self.limits.rows, FileError::TooManyRows { max: self.limits.rows });
        self.digest.add_number(row.number);
        if self.patches.is_left_out(row.number) {
            self.left_out += 1;
            return Ok(Outcome::Skipped);
        }
        self.total += 1;
        let row = match self.patches.apply(row, self.layout.file_width(), &mut self.patched) {
            true => self.patched.row(),
            false => row,
        };
        let mut fields = [""; 5];
        let (mut parts, mut extra_values, mut unreadable) = (["", ""], 0, None);
        let (file_width, joined_columns) = (self.layout.file_width(), self.layout.joined_columns());
        let (mut digest, mut count, mut longest) = (self.digest, 0, 0);
        for (column, text) in row.cells() {
            (count, longest) = (count + 1, longest.max(text.len()));
            digest.add_cell(column, text);
            if column >= file_width {
                extra_values += usize::from(!is_blank(text));
                continue;
            }
            if text == UNREADABLE {
                let is_part = joined_columns.is_some_and(|(first, last)| column == first || column == last);
                let is_used = is_part || self.targets.get(column) != Some(&ModelColumn::DoNotImport);
                unreadable = unreadable.or(is_used.then_some(column));
            }
            if let Some(field) = field_index(&self.fields, column).and_then(|field| fields.get_mut(field)) {
                *field = text;
            }
            if let Some((first, last)) = joined_columns {
                if column == first {
                    parts[0] = text;
                } else if column == last {
                    parts[1] = text;
                }
            }
        }
        self.digest = digest;
        let mut corrected_name = None;
        if joined_columns.is_some() {
            let column = self.layout.file_width();
            self.joined = join_names(parts[0], parts[1]);
            if let Some(text) = self.patches.correction_of(row.number, column, &self.joined) {
                self.joined = text.to_owned();
                corrected_name = joined_columns.filter(|_| self.targets.get(column) != Some(&ModelColumn::DoNotImport));
                self.digest.add_text(&self.joined);
            }
            if let Some(field) = field_index(&self.fields, column).and_then(|field| fields.get_mut(field)) {
                *field = &self.joined;
            }
        }
        let texts = ContactRow { fields: fields.map(trim), row, layout: &self.layout, targets: &self.targets };
        self.findings.clear();
        let mut duplicate_of = None;
        if extra_values > 0 {
            // The values may be in wrong columns, so this row has no other finding.
            let beyond = row.cells().filter(|(column, _)| *column >= self.layout.file_width());
            let value = beyond.map(|(_, text)| text).collect::<Vec<_>>().join(" ");
            self.findings.push(Finding { column: None, value, message: text::extra_values(extra_values) });
        } else if unreadable.is_some() {
            let (value, message) = (UNREADABLE.to_owned(), text::CELL_UNREADABLE.into());
            self.findings.push(Finding { column: unreadable, value, message });
        } else {
            // Other details can only be too many or too long if the whole row exceeds one of these limits. Otherwise
            // they need no check.
            let total_length = self.name_bytes + count * longest;
            let is_large = count > DETAILS_MAX || longest > DETAIL_MAX || total_length > DETAILS_LENGTH_MAX;
            let details = is_large.then(|| texts.details()).into_iter().flatten();
            let errors = form::errors_of(|rules| declare_rules(rules, texts.fields, details));
            for error in errors {
                let target = ModelColumn::parse(&error.field).filter(|target| target.is_single());
                let column = target.and_then(|target| self.targets.iter().position(|&other| other == target));
                // The value as in the row after corrections, with surrounding white space.
                let value = column.map(|column| match column < self.layout.file_width() {
                    true => row.cells().find(|&(at, _)| at == column).map_or("", |(_, text)| text),
                    false => &self.joined,
                });
                let value = value.unwrap_or_default().to_owned();
                self.findings.push(Finding { column, value, message: error.message });
            }
            if self.findings.is_empty() {
                let number = u32::try_from(row.number).unwrap_or(u32::MAX);
                let first = self.first_seen.get_or_insert(contact_key(&texts.fields, &mut self.folded), number);
                duplicate_of = Some(u64::from(first)).filter(|&first| first != row.number);
            }
            if let Some(first) = duplicate_of {
                self.duplicates += 1;
                if self.patches.duplicates == Duplicates::Refuse {
                    let (value, message) = (String::new(), text::repeats(first));
                    self.findings.push(Finding { column: None, value, message });
                }
            }
        }
        self.digest.add_number(self.findings.len() as u64);
        if self.findings.is_empty() {
            self.ready += 1;
            self.added += texts.estimate_bytes();
            check_added_bytes(self.added, &self.limits)?;
            return Ok(Outcome::Ready { contact: texts, duplicate_of });
        }
        for finding in &self.findings {
            self.digest.add_number(finding.column.map_or(0, |column| column as u64 + 1));
            self.digest.add_text(finding.message.as_str());
        }
        let renamed = corrected_name.map(|columns| report::replace_name(row, columns, &self.joined));
        let row = renamed.as_ref().map_or(row, RowBuffer::row);
        let bytes = report::estimate_bytes(row, &self.findings);
        // Once a row does not fit, no later one is reported, so that the report has no gaps.
        self.is_reported &= self.reported + bytes <= self.limits.report_bytes;
        if self.is_reported {
            self.reported += bytes;
            self.added += bytes;
            check_added_bytes(self.added, &self.limits)?;
            self.reported_row = row.into();
        }
        Ok(Outcome::Failed(&self.findings))
    }

    /// Returns whether the last failed row is in the report, which has a limited size.
    pub fn is_reported(&self) -> bool {
        self.is_reported
    }

    pub fn reported_bytes(&self) -> u64 {
        self.reported
    }

    /// Returns the number of duplicates so far, as in [`Verdict::duplicates`].
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Returns the cells of the last row of the report, with the user's corrections.
    pub fn reported_cells(&self) -> Vec<String> {
        report::report_cells(self.reported_row.row())
    }

    /// Converts the findings of a row to the type that the API sends.
    pub fn problems(&self, row: u64, findings: &[Finding]) -> Vec<RowProblem> {
        let columns = self.layout.names();
        let problem = |finding: &Finding| RowProblem {
            row,
            file_column: finding.column.and_then(|column| columns.get(column)).cloned().unwrap_or_default(),
            value: finding.value.clone(),
            message: finding.message.clone().into(),
        };
        findings.iter().map(problem).collect()
    }

    pub fn verdict(&self) -> Verdict {
        Verdict {
            total: self.total,
            ready: self.ready,
            failed: self.total - self.ready,
            left_out: self.left_out,
            duplicates: self.duplicates,
            digest: self.digest.hexadecimal(),
        }
    }
}

/// Writes a row without control characters, and without the apostrophes that exported files have before formulas, into
/// `cleaned`. Returns false if there is nothing to remove; `cleaned` is then not changed.
pub(super) fn clean_if_needed(row: RawRow<'_>, cleaned: &mut RowBuffer) -> bool {
    // Most rows need no change, which one look at the text of all cells shows. Looking at each cell would take a
    // quarter of the time of a check.
    let may_change = may_need_cleaning(row.text) || formula::may_be_escaped(row.text);
    if !may_change || row.cells().all(|(_, text)| matches!(clean_cell(text), Cow::Borrowed(_))) {
        return false;
    }
    cleaned.start(row.number);
    row.cells().for_each(|(column, text)| cleaned.append(column, &clean_cell(text)));
    true
}

fn clean_cell(text: &str) -> Cow<'_, str> {
    match clean_lines(text) {
        Cow::Borrowed(text) => formula::unescape(text),
        Cow::Owned(text) => Cow::Owned(formula::unescape(&text).into_owned()),
    }
}

fn check_added_bytes(added: u64, limits: &Limits) -> Result<(), FileError> {
    if added > limits.added_bytes { Err(FileError::AddsTooMuch { max: limits.added_bytes }) } else { Ok(()) }
}

/// Returns a hash that identifies a contact: the hash of its e-mail address, ignoring case; if it has none, of its name
/// in lower case ([`lower_case`]) and the digits of its phone number. Collisions of 64 bits are negligible for a
/// million contacts.
fn contact_key([name, email, phone, ..]: &[&str; 5], folded: &mut String) -> u64 {
    let mut hash = Digest::default();
    if email.is_empty() {
        hash.add_number(1);
        folded.clear();
        folded.extend(name.chars().map(lower_case));
        hash.add_text(folded);
        folded.clear();
        folded.extend(phone.chars().filter(char::is_ascii_digit));
        hash.add_text(folded);
    } else {
        hash.add_number(2);
        hash.add_text_ignoring_case(email);
    }
    hash.value()
}

fn field_index(fields: &[Option<u8>], column: usize) -> Option<usize> {
    fields.get(column).copied().flatten().map(usize::from)
}

#[cfg(test)]
mod tests;
