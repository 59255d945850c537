//! A running check of a file.

use crate::argument_error;
use forecourt_core::import::pack::Packer;
use forecourt_core::import::{Checker, FileCheck, FileError, RawRow, RowBuffer};
use wasm_bindgen::JsValue;

/// Checks rows against a plan and returns the results. Before [`RunningCheck::begin`], rows are ignored and results are empty.
#[derive(Default)]
pub struct RunningCheck {
    check: Option<FileCheck>,
}

impl RunningCheck {
    /// Starts a new check and discards the previous one.
    ///
    /// # Errors
    /// The plan was not written by `Checker::pack`.
    pub fn begin(&mut self, plan: &[u8]) -> Result<(), JsValue> {
        let checker = Checker::unpack(plan).ok_or_else(|| argument_error("Invalid plan"))?;
        self.check = Some(FileCheck::new(checker));
        Ok(())
    }

    /// Checks a row.
    ///
    /// # Errors
    /// The file has more rows than are allowed, or adds more to the database than a file of its size may.
    pub fn check_row(&mut self, row: RawRow<'_>) -> Result<(), FileError> {
        match &mut self.check {
            Some(check) => check.check_row(row),
            None => Ok(()),
        }
    }

    /// Returns the running check, for callers that check many rows.
    ///
    /// # Errors
    /// No check was started.
    pub fn current(&mut self) -> Result<&mut FileCheck, JsValue> {
        self.check.as_mut().ok_or_else(|| argument_error("No check was started"))
    }

    pub fn counts(&self) -> Vec<f64> {
        let Some(check) = &self.check else { return vec![0.0; 8] };
        let verdict = check.verdict();
        let (problems, listed) = (check.problems(), u64::from(check.problems().count_stored(None)));
        let repeats = u64::from(check.count_stored_duplicates());
        let rows = [verdict.total, verdict.ready, verdict.failed, verdict.left_out, verdict.duplicates];
        rows.into_iter().chain([problems.count(), listed, repeats]).map(|count| count as f64).collect()
    }

    pub fn digest(&self) -> String {
        self.check.as_ref().map(|check| check.verdict().digest).unwrap_or_default()
    }

    pub fn kinds(&self) -> Vec<u8> {
        // Four zero bytes encode a list of length 0.
        self.check.as_ref().map_or(vec![0; 4], FileCheck::pack_kinds)
    }

    pub fn problems(&self, kind: i32, from: u32, count: u32) -> Vec<u8> {
        let kind = u32::try_from(kind).ok();
        self.check.as_ref().map(|check| check.pack_window(kind, from, count)).unwrap_or_default()
    }

    pub fn repeats(&self, from: u32, count: u32) -> Vec<u8> {
        self.check.as_ref().map(|check| check.pack_duplicates(from, count)).unwrap_or_default()
    }

    pub fn alike(&self, kind: u32, value: &str) -> u32 {
        self.check.as_ref().map_or(0, |check| check.problems().count_alike(kind, value))
    }
}

/// Encodes rows for the module that detects the columns.
pub fn packed_rows(rows: &[RowBuffer]) -> Vec<u8> {
    let mut packer = Packer::default();
    rows.iter().for_each(|row| packer.write_row(row.row()));
    packer.bytes
}
