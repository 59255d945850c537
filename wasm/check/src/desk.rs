//! A running check of a file.

use crate::misused;
use forecourt_core::import::pack::Packer;
use forecourt_core::import::{Checker, FileCheck, FileError, RawRow, RowBuffer};
use wasm_bindgen::JsValue;

/// Checks rows against a plan and returns the results. Before [`Desk::begin`], rows are ignored and results are empty.
#[derive(Default)]
pub struct Desk {
    examination: Option<FileCheck>,
}

impl Desk {
    /// Starts a new check and discards the previous one.
    ///
    /// # Errors
    /// The plan was not written by `Checker::pack`.
    pub fn begin(&mut self, plan: &[u8]) -> Result<(), JsValue> {
        let checker = Checker::unpack(plan).ok_or_else(|| misused("This is no plan"))?;
        self.examination = Some(FileCheck::new(checker));
        Ok(())
    }

    /// Checks a row.
    ///
    /// # Errors
    /// The file has more rows than are allowed.
    pub fn row(&mut self, row: RawRow<'_>) -> Result<(), FileError> {
        match &mut self.examination {
            Some(examination) => examination.check_row(row),
            None => Ok(()),
        }
    }

    /// Returns the running check, for callers that check many rows.
    ///
    /// # Errors
    /// No check was started.
    pub fn examination(&mut self) -> Result<&mut FileCheck, JsValue> {
        self.examination.as_mut().ok_or_else(|| misused("No check was begun"))
    }

    pub fn counts(&self) -> Vec<f64> {
        let Some(examination) = &self.examination else { return vec![0.0; 8] };
        let verdict = examination.verdict();
        let (problems, listed) = (examination.problems(), u64::from(examination.problems().count_stored(None)));
        let repeats = u64::from(examination.count_stored_duplicates());
        let rows = [verdict.total, verdict.ready, verdict.failed, verdict.left_out, verdict.duplicates];
        rows.into_iter().chain([problems.count(), listed, repeats]).map(|count| count as f64).collect()
    }

    pub fn digest(&self) -> String {
        self.examination.as_ref().map(|examination| examination.verdict().digest).unwrap_or_default()
    }

    pub fn kinds(&self) -> Vec<u8> {
        // Four zero bytes encode a list of length 0.
        self.examination.as_ref().map_or(vec![0; 4], FileCheck::pack_kinds)
    }

    pub fn problems(&self, kind: i32, from: u32, count: u32) -> Vec<u8> {
        let kind = u32::try_from(kind).ok();
        self.examination.as_ref().map(|examination| examination.pack_window(kind, from, count)).unwrap_or_default()
    }

    pub fn repeats(&self, from: u32, count: u32) -> Vec<u8> {
        self.examination.as_ref().map(|examination| examination.pack_duplicates(from, count)).unwrap_or_default()
    }

    pub fn alike(&self, kind: u32, value: &str) -> u32 {
        self.examination.as_ref().map_or(0, |examination| examination.problems().count_alike(kind, value))
    }
}

/// Encodes rows for the module that detects the columns.
pub fn packed_rows(rows: &[RowBuffer]) -> Vec<u8> {
    let mut packer = Packer::default();
    rows.iter().for_each(|row| packer.write_row(row.row()));
    packer.bytes
}
