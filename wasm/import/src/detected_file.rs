//! Matching of a file's columns, and the plan of its check.

use crate::recognise::read_limits;
use crate::{BAD_REQUEST, file_error};
use forecourt_call::{BindingError, Problem, read, to_js};
use forecourt_core::import::head::{Recognised, read_head};
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{
    Checker, ColumnMapping, Corrections, FileHead, Layout, Limits, PREVIEW_ROWS, Patches, Plan, ReadOptions, RowBuffer,
};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// A file whose first rows were read.
#[wasm_bindgen]
pub struct DetectedFile {
    head: FileHead,
    layout: Layout,
    limits: Limits,
}

#[wasm_bindgen]
impl DetectedFile {
    /// Detects the columns in the first rows of a file, and what each contains. `sample`: packed, as returned by a
    /// reader's `sample`. `bytes`: the size of the whole file, on which the limit of added data depends. Throws a
    /// `Problem` that says why the file can't be imported.
    #[wasm_bindgen(constructor)]
    pub fn new(
        recognised: Ts<Recognised>,
        sample: &[u8],
        options: Ts<ReadOptions>,
        limits: Option<Ts<Limits>>,
        bytes: Option<f64>,
    ) -> Result<DetectedFile, BindingError> {
        // If the size is unknown, only the server enforces the limit of added data.
        let limits = read_limits(limits)?.for_file(bytes.map_or(u64::MAX, |bytes| bytes as u64));
        let (mut unpacker, mut rows) = (Unpacker::new(sample), Vec::new());
        while !unpacker.is_empty() {
            let mut row = RowBuffer::default();
            unpacker.read_row(&mut row).ok_or_else(|| BindingError::InvalidArgument("Invalid rows".to_owned()))?;
            rows.push(row);
        }
        let (head, layout) =
            read_head(read(&recognised)?, &rows, &read(&options)?, PREVIEW_ROWS, &limits).map_err(file_error)?;
        Ok(DetectedFile { head, layout, limits })
    }

    /// Returns what was detected: the columns, the proposed mapping, the first rows, and the options.
    pub fn head(&self) -> Result<Ts<FileHead>, BindingError> {
        to_js(&self.head)
    }

    /// Returns the options that read the file in the same way again. They are sent with the file.
    pub fn options(&self) -> Result<Ts<ReadOptions>, BindingError> {
        to_js(&self.head.options())
    }

    /// Returns the argument of a reader's `begin`, which checks every row. Throws a `Problem` whose fields name the
    /// errors of the mapping or of the corrections.
    pub fn plan(&self, mapping: Vec<Ts<ColumnMapping>>, corrections: Ts<Corrections>) -> Result<Vec<u8>, BindingError> {
        let mapping = mapping.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let columns = self.layout.names();
        let wrong = |errors: Vec<_>| Problem::from_field_errors(&errors).with_status(BAD_REQUEST);
        let plan = Plan::new(columns, &mapping).map_err(wrong)?;
        let patches = Patches::new(columns, &read(&corrections)?).map_err(wrong)?;
        Ok(Checker::pack(&self.layout, &plan, &patches, &self.limits))
    }
}
