//! Whether each row of a file becomes a contact. Given the same rows, the browser and the server come to the same verdict.

use super::corrections::Patches;
use super::digest::Digest;
use super::fold::lower_case;
use super::layout::{Layout, join};
use super::pack::{Packer, Unpacker};
use super::row::{RawRow, RowBuffer, UNREADABLE, is_blank, trim};
use super::seen::Seen;
use super::{Duplicates, FileError, Limits, ModelColumn, Plan, RowProblem, Verdict, formula, report, text};
use crate::contacts::{ContactInput, ContactTexts, DETAIL_MAX, DETAILS_LENGTH_MAX, DETAILS_MAX};
use crate::form::{self, Checked};
use crate::text::clean_lines;
use std::borrow::Cow;

/// Bytes that a database takes for a contact beside its texts, and for each of its other details.
const CONTACT: u64 = 256;
const DETAIL: u64 = 8;
/// How often a database keeps a text that is searched: in the contact, folded, and in the index of all texts.
const SEARCHED: u64 = 4;

/// Checks rows one after the other and keeps count.
pub struct Checker {
    layout: Layout,
    targets: Vec<ModelColumn>,
    /// The place of each column among a contact's five fields, if it has one.
    fields: Vec<Option<u8>>,
    /// Bytes of all columns' names together.
    names: usize,
    patches: Patches,
    limits: Limits,
    /// Bytes that the rows so far add to the database, and how many of them are the report's.
    added: u64,
    reported: u64,
    is_reported: bool,
    total: u64,
    ready: u64,
    left_out: u64,
    duplicates: u64,
    digest: Digest,
    /// Who was ready, and in which row first.
    seen: Seen,
    // Of the present row:
    cleaned: RowBuffer,
    patched: RowBuffer,
    joined: String,
    folded: String,
    findings: Vec<Finding>,
}

/// What is wrong in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The column's place; absent when the row as a whole is meant.
    pub column: Option<usize>,
    pub value: String,
    pub message: String,
}

/// What becomes of a row.
#[derive(Debug)]
pub enum Outcome<'a> {
    /// It is none: a blank row, the header, what stands above it, or a row that a person took out.
    Passed,
    /// It becomes a contact; `repeats` names the row that it repeats.
    Ready {
        contact: Texts<'a>,
        repeats: Option<u64>,
    },
    Failed(&'a [Finding]),
}

/// The texts of a row that holds. Nothing is copied until it is needed.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    fields: [&'a str; 5],
    row: RawRow<'a>,
    layout: &'a Layout,
    targets: &'a [ModelColumn],
}

impl<'a> Texts<'a> {
    /// The columns that are kept with the other details, and what stands in them.
    fn details(self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone + use<'a> {
        let Texts { row, layout, targets, .. } = self;
        let is_detail = move |column: usize| targets.get(column) == Some(&ModelColumn::OtherDetails);
        let in_file = row.cells().filter(move |&(column, _)| column < layout.in_file() && is_detail(column));
        // The joined column isn't in the file; mapped to the other details it repeats what stands there.
        in_file.filter(|(_, text)| !is_blank(text)).map(move |(column, text)| (layout.names()[column].as_str(), text))
    }

    /// Returns how many bytes a database takes for the contact, in about.
    fn bytes(self) -> u64 {
        let [name, email, phone, website, address] = self.fields.map(|text| text.len() as u64);
        let details = self.details().map(|(name, value)| (name.len() + value.len()) as u64 + DETAIL);
        CONTACT + SEARCHED * (name + email + phone + address) + website + details.sum::<u64>()
    }

    /// The contact, to be written.
    ///
    /// # Errors
    /// The rules of a contact; a row that is ready keeps them.
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
            names: layout.names().iter().map(String::len).sum(),
            layout,
            targets: plan.targets().to_vec(),
            fields,
            patches,
            limits: *limits,
            added: 0,
            reported: 0,
            is_reported: true,
            total: 0,
            ready: 0,
            left_out: 0,
            duplicates: 0,
            digest: Digest::default(),
            seen: Seen::default(),
            cleaned: RowBuffer::default(),
            patched: RowBuffer::default(),
            joined: String::new(),
            folded: String::new(),
            findings: Vec::new(),
        }
    }

    /// Checks a row as it stands in the file.
    ///
    /// # Errors
    /// The file has more rows than are allowed, or would add more to the database than a file of its size may.
    pub fn row<'a>(&'a mut self, row: RawRow<'a>) -> Result<Outcome<'a>, FileError> {
        let row = if clean(row, &mut self.cleaned) { self.cleaned.row() } else { row };
        if row.number <= self.layout.header() || row.is_blank() {
            return Ok(Outcome::Passed);
        }
        if self.total + self.left_out == self.limits.rows {
            return Err(FileError::TooManyRows { most: self.limits.rows });
        }
        self.digest.number(row.number);
        if self.patches.leaves_out(row.number) {
            self.left_out += 1;
            return Ok(Outcome::Passed);
        }
        self.total += 1;
        let in_the_file = row;
        let row = match self.patches.apply(row, self.layout.in_file(), &mut self.patched) {
            true => self.patched.row(),
            false => row,
        };
        let mut fields = [""; 5];
        let (mut parts, mut extra, mut unreadable) = (["", ""], 0, None);
        let (in_file, joined) = (self.layout.in_file(), self.layout.joined());
        let (mut digest, mut count, mut longest) = (self.digest, 0, 0);
        for (column, text) in row.cells() {
            (count, longest) = (count + 1, longest.max(text.len()));
            digest.cell(column, text);
            if column >= in_file {
                extra += usize::from(!is_blank(text));
                continue;
            }
            if text == UNREADABLE {
                let is_part = joined.is_some_and(|(first, last)| column == first || column == last);
                let is_used = is_part || self.targets.get(column) != Some(&ModelColumn::DoNotImport);
                unreadable = unreadable.or(is_used.then_some(column));
            }
            if let Some(field) = field_of(&self.fields, column).and_then(|field| fields.get_mut(field)) {
                *field = text;
            }
            if let Some((first, last)) = joined {
                if column == first {
                    parts[0] = text;
                } else if column == last {
                    parts[1] = text;
                }
            }
        }
        self.digest = digest;
        if self.layout.joined().is_some() {
            let column = self.layout.in_file();
            self.joined = join(parts[0], parts[1]);
            if let Some(text) = self.patches.text(row.number, column, &self.joined) {
                self.joined = text.to_owned();
                self.digest.text(&self.joined);
            }
            if let Some(field) = field_of(&self.fields, column).and_then(|field| fields.get_mut(field)) {
                *field = &self.joined;
            }
        }
        let texts = Texts { fields: fields.map(trim), row, layout: &self.layout, targets: &self.targets };
        self.findings.clear();
        let mut repeats = None;
        if extra > 0 {
            // Values may have slid into the wrong columns, so the others aren't worth a word.
            let beyond = row.cells().filter(|(column, _)| *column >= self.layout.in_file());
            let value = beyond.map(|(_, text)| text).collect::<Vec<_>>().join(" ");
            self.findings.push(Finding { column: None, value, message: text::extra_values(extra) });
        } else if unreadable.is_some() {
            let (value, message) = (UNREADABLE.to_owned(), text::CELL_UNREADABLE.to_owned());
            self.findings.push(Finding { column: unreadable, value, message });
        } else {
            // Few rows have texts that other details could be too many or too long for; those of the others aren't looked at.
            let together = self.names + count * longest;
            let is_large = count > DETAILS_MAX || longest > DETAIL_MAX || together > DETAILS_LENGTH_MAX;
            let details = is_large.then(|| texts.details()).into_iter().flatten();
            let errors = form::errors_of(|sheet| ContactTexts { fields: texts.fields, details }.rules(sheet));
            for error in errors {
                let target = ModelColumn::parse(&error.field).filter(|target| target.is_single());
                let column = target.and_then(|target| self.targets.iter().position(|&other| other == target));
                // As it stands in the file, blanks and all.
                let value = column.map(|column| match column < self.layout.in_file() {
                    true => row.cells().find(|&(at, _)| at == column).map_or("", |(_, text)| text),
                    false => &self.joined,
                });
                let value = value.unwrap_or_default().to_owned();
                self.findings.push(Finding { column, value, message: error.message });
            }
            if self.findings.is_empty() {
                let number = u32::try_from(row.number).unwrap_or(u32::MAX);
                let first = self.seen.first(who(&texts.fields, &mut self.folded), number);
                repeats = Some(u64::from(first)).filter(|&first| first != row.number);
            }
            if let Some(first) = repeats {
                self.duplicates += 1;
                if self.patches.duplicates == Duplicates::Refuse {
                    let (value, message) = (String::new(), text::repeats(first));
                    self.findings.push(Finding { column: None, value, message });
                }
            }
        }
        self.digest.number(self.findings.len() as u64);
        if self.findings.is_empty() {
            self.ready += 1;
            self.added += texts.bytes();
            within(self.added, &self.limits)?;
            return Ok(Outcome::Ready { contact: texts, repeats });
        }
        for finding in &self.findings {
            self.digest.number(finding.column.map_or(0, |column| column as u64 + 1));
            self.digest.text(&finding.message);
        }
        let bytes = report::bytes(in_the_file, &self.findings);
        // Once it is full it stays so: a report has no holes.
        self.is_reported &= self.reported + bytes <= self.limits.report_bytes;
        if self.is_reported {
            self.reported += bytes;
            self.added += bytes;
            within(self.added, &self.limits)?;
        }
        Ok(Outcome::Failed(&self.findings))
    }

    /// Whether the report has room for the row that failed last.
    pub fn is_reported(&self) -> bool {
        self.is_reported
    }

    /// Returns how many bytes the report of the rows so far takes, in about.
    pub fn reported_bytes(&self) -> u64 {
        self.reported
    }

    /// Returns the cells of a row of the file as its report keeps them.
    pub fn reported_cells(&self, row: RawRow<'_>) -> Vec<String> {
        let mut cleaned = RowBuffer::default();
        report::cells(if clean(row, &mut cleaned) { cleaned.row() } else { row })
    }

    /// The present row's findings as they travel.
    pub fn problems(&self, row: u64, findings: &[Finding]) -> Vec<RowProblem> {
        let columns = self.layout.names();
        let problem = |finding: &Finding| RowProblem {
            row,
            file_column: finding.column.and_then(|column| columns.get(column)).cloned().unwrap_or_default(),
            value: finding.value.clone(),
            message: finding.message.clone(),
        };
        findings.iter().map(problem).collect()
    }

    /// What the rows so far come to.
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

    /// Everything that [`Checker::new`] takes, for a module that shares no memory with the one that decided it.
    pub fn pack(layout: &Layout, plan: &Plan, patches: &Patches, limits: &Limits) -> Vec<u8> {
        let mut packer = Packer::default();
        layout.pack(&mut packer);
        for target in plan.targets() {
            packer.number(ModelColumn::ALL.iter().position(|other| other == target).unwrap_or_default() as u64);
        }
        patches.pack(&mut packer);
        packer.bytes.extend(limits.pack());
        packer.bytes
    }

    /// A checker out of what [`Checker::pack`] wrote.
    pub fn unpack(bytes: &[u8]) -> Option<Checker> {
        let mut unpacker = Unpacker::new(bytes);
        let layout = Layout::unpack(&mut unpacker)?;
        let targets = layout.names().iter().map(|_| ModelColumn::ALL.get(unpacker.number()? as usize).copied());
        let targets = targets.collect::<Option<Vec<_>>>()?;
        let patches = Patches::unpack(&mut unpacker)?;
        let limits = Limits::unpack(unpacker.rest())?;
        Some(Checker::new(layout, Plan::of_targets(targets), patches, &limits))
    }
}

/// Writes a row without what no text keeps and without the apostrophes of a report into `cleaned`; false if it has neither.
pub(super) fn clean(row: RawRow<'_>, cleaned: &mut RowBuffer) -> bool {
    if row.cells().all(|(_, text)| matches!(clean_cell(text), Cow::Borrowed(_))) {
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

fn within(added: u64, limits: &Limits) -> Result<(), FileError> {
    if added > limits.added_bytes { Err(FileError::AddsTooMuch { most: limits.added_bytes }) } else { Ok(()) }
}

/// Who a contact is, as a hash: the e-mail address whatever its case, else the name, in any case of the scripts that
/// [`lower_case`] knows, and the digits of the phone number. 64 bits are enough to tell a million apart.
fn who([name, email, phone, ..]: &[&str; 5], folded: &mut String) -> u64 {
    let mut hash = Digest::default();
    if email.is_empty() {
        hash.number(1);
        folded.clear();
        folded.extend(name.chars().map(lower_case));
        hash.text(folded);
        folded.clear();
        folded.extend(phone.chars().filter(char::is_ascii_digit));
        hash.text(folded);
    } else {
        hash.number(2);
        hash.text_in_any_case(email);
    }
    hash.value()
}

/// The field that a column becomes.
fn field_of(fields: &[Option<u8>], column: usize) -> Option<usize> {
    fields.get(column).copied().flatten().map(usize::from)
}

#[cfg(test)]
mod tests;
