//! The desk at which a file's columns are matched and its rows corrected.

use crate::recognise::read_limits;
use crate::{BAD_REQUEST, refused};
use forecourt_call::{Failure, give, read};
use forecourt_core::import::head::{Recognised, read_head};
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{
    Checker, ColumnMapping, Corrections, FileHead, Layout, Limits, PREVIEW_ROWS, Patches, Plan, ReadOptions, RowBuffer,
};
use forecourt_core::problem::Problem;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// A file whose first rows are known.
#[wasm_bindgen]
pub struct Desk {
    head: FileHead,
    layout: Layout,
    limits: Limits,
}

#[wasm_bindgen]
impl Desk {
    /// Finds the columns in the first rows of a file, packed as its reader's `sample` gives them, and what each seems to
    /// mean. `bytes` is the size of the whole file, which bounds what it may add. Throws a `Problem` that says why the file can't be imported.
    #[wasm_bindgen(constructor)]
    pub fn new(
        recognised: Ts<Recognised>,
        sample: &[u8],
        options: Ts<ReadOptions>,
        limits: Option<Ts<Limits>>,
        bytes: Option<f64>,
    ) -> Result<Desk, Failure> {
        // Without its size the server alone decides what a file may add.
        let limits = read_limits(limits)?.for_file(bytes.map_or(u64::MAX, |bytes| bytes as u64));
        let (mut unpacker, mut rows) = (Unpacker::new(sample), Vec::new());
        while !unpacker.is_empty() {
            let mut row = RowBuffer::default();
            unpacker.read_row(&mut row).ok_or_else(|| Failure::Misused("These are no rows".to_owned()))?;
            rows.push(row);
        }
        let (head, layout) =
            read_head(read(&recognised)?, &rows, &read(&options)?, PREVIEW_ROWS, &limits).map_err(refused)?;
        Ok(Desk { head, layout, limits })
    }

    /// What is known of the file: its columns, what each seems to mean, its first rows, and every guess.
    pub fn head(&self) -> Result<Ts<FileHead>, Failure> {
        give(&self.head)
    }

    /// The options that read the file just like this again; they are sent with it.
    pub fn options(&self) -> Result<Ts<ReadOptions>, Failure> {
        give(&self.head.options())
    }

    /// What a reader's `begin` takes to check every row. Throws a `Problem` whose fields say what is wrong with the mapping
    /// or the corrections.
    pub fn plan(&self, mapping: Vec<Ts<ColumnMapping>>, corrections: Ts<Corrections>) -> Result<Vec<u8>, Failure> {
        let mapping = mapping.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let columns = self.layout.names();
        let wrong = |errors: Vec<_>| Problem::from_field_errors(&errors).with_status(BAD_REQUEST);
        let plan = Plan::new(columns, &mapping).map_err(wrong)?;
        let patches = Patches::new(columns, &read(&corrections)?).map_err(wrong)?;
        Ok(Checker::pack(&self.layout, &plan, &patches, &self.limits))
    }
}
