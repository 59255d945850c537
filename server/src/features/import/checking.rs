//! Reads and checks a file row by row, while earlier rows are being written.

use super::error::ImportError;
use super::reader::{Frame, Opened, Reading};
use super::store::{Chunk, FailedRow, Job, StoredProblem};
use crate::features::contacts::NewContact;
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{Checker, Corrections, Layout, Limits, Outcome, Patches, Plan, RowBuffer, Verdict};
use tokio::sync::mpsc::Sender;

/// Size of the texts of a chunk, in bytes, at which it is complete regardless of its number of rows.
const CHUNK_BYTES: usize = 2 << 20;

/// A result of reading a file, sent to the writer in order.
pub enum Step {
    /// The first pass has read the file to its last row.
    FirstPass(Verdict),
    Chunk(Chunk),
}

/// The parameters of the check.
pub struct Parameters {
    pub corrections: Corrections,
    pub limits: Limits,
    /// Maximum number of rows of a chunk.
    pub rows: usize,
}

/// Checks a whole file and sends the results to `steps`. Ends with [`ImportError::Stopped`] when the receiver is
/// dropped.
pub async fn check(
    job: &Job,
    parameters: &Parameters,
    reading: Reading,
    steps: &Sender<Step>,
) -> Result<Verdict, ImportError> {
    let mut checking = Checking { job, parameters, reading, steps, chunk: Chunk::default(), bytes: 0 };
    let Frame::Head(opened) = checking.reading.next().await? else { return Err(ImportError::unreadable()) };
    // The first pass only counts, so that a file that exceeds a limit creates no contacts.
    let verdict = checking.read_rows(&opened, false).await?;
    checking.send_step(Step::FirstPass(verdict)).await?;
    let verdict = checking.read_rows(&opened, true).await?;
    checking.send_chunk().await?;
    Ok(verdict)
}

struct Checking<'a> {
    job: &'a Job,
    parameters: &'a Parameters,
    reading: Reading,
    steps: &'a Sender<Step>,
    chunk: Chunk,
    bytes: usize,
}

impl Checking<'_> {
    async fn send_step(&self, step: Step) -> Result<(), ImportError> {
        self.steps.send(step).await.map_err(|_| ImportError::Stopped)
    }

    async fn send_chunk(&mut self) -> Result<(), ImportError> {
        self.bytes = 0;
        let chunk = std::mem::take(&mut self.chunk);
        if chunk.rows() == 0 { Ok(()) } else { self.send_step(Step::Chunk(chunk)).await }
    }

    /// Reads all rows once. With `is_writing`, sends chunks of the rows.
    async fn read_rows(&mut self, opened: &Opened, is_writing: bool) -> Result<Verdict, ImportError> {
        let columns = &opened.head.file_columns;
        let plan = Plan::new(columns, &self.job.mapping)?;
        let patches = Patches::new(columns, &self.parameters.corrections)?;
        let layout = &opened.layout;
        let mut checker = Checker::new(layout.clone(), plan, patches, &self.parameters.limits);
        let mut row = RowBuffer::default();
        loop {
            match self.reading.next().await? {
                Frame::Rows(bytes) => {
                    let mut rows = Unpacker::new(&bytes);
                    while !rows.is_at_end() {
                        rows.read_row(&mut row).ok_or_else(ImportError::unreadable)?;
                        let is_full = self.check_row(&mut checker, layout, &row, is_writing)?;
                        if is_full {
                            self.send_chunk().await?;
                        }
                    }
                }
                Frame::FirstPassEnd if !is_writing => return Ok(checker.verdict()),
                Frame::End if is_writing => return Ok(checker.verdict()),
                _ => return Err(ImportError::unreadable()),
            }
        }
    }

    /// Checks a row, adds the result to the chunk, and returns whether the chunk is complete. Rows that an earlier
    /// claim wrote are only counted.
    fn check_row(
        &mut self,
        checker: &mut Checker,
        layout: &Layout,
        row: &RowBuffer,
        is_writing: bool,
    ) -> Result<bool, ImportError> {
        let (number, is_writing) = (row.number(), is_writing && row.number() > self.job.last_row);
        let (reported, duplicates) = (checker.reported_bytes(), checker.duplicates());
        let findings = match checker.check_row(row.row())? {
            Outcome::Ready { contact, .. } if is_writing => {
                let contact = contact.contact()?;
                self.chunk.contacts.push(NewContact::new(contact, i64::try_from(number).ok()));
                None
            }
            Outcome::Failed(findings) if is_writing => Some(findings.to_vec()),
            _ => return Ok(false),
        };
        if let Some(findings) = findings {
            self.chunk.failed += 1;
            if checker.is_reported() {
                let bytes = checker.reported_bytes() - reported;
                self.chunk.report_bytes += bytes;
                self.bytes += usize::try_from(bytes).unwrap_or(usize::MAX);
                let problems = findings.into_iter().map(|finding| StoredProblem::new(finding, layout)).collect();
                let cells = checker.reported_cells();
                self.chunk.failures.push(FailedRow { row: number, problems, cells });
            }
        }
        self.chunk.duplicates += checker.duplicates() - duplicates;
        self.chunk.last_row = number;
        self.bytes += row.row().cells().map(|(_, text)| text.len()).sum::<usize>();
        Ok(self.bytes >= CHUNK_BYTES || self.chunk.rows() >= self.parameters.rows as u64)
    }
}
