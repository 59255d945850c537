//! The file that was chosen.

use crate::problems::Problems;
use forecourt_call::Failure;
use forecourt_core::import::{
    Checker, ColumnMapping, FileError, FileHead, Limits, PREVIEW_ROWS, Plan, RowProblem, Source, Verdict,
};
use forecourt_core::problem::Problem;
use js_sys::Function;
use std::ops::ControlFlow;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// How often the progress is told, in rows.
const STRIDE: u64 = 2_000;
/// What the server answers to the same file.
const BAD_REQUEST: u16 = 400;

/// A chosen file whose columns are known.
#[wasm_bindgen]
pub struct ImportFile {
    source: Source,
    problems: Problems,
}

#[wasm_bindgen]
impl ImportFile {
    /// Tells what the file is, and reads its header and first rows. Throws a `Problem` that says why it can't be imported.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<ImportFile, Failure> {
        let source = Source::open(name, bytes, &Limits::default()).map_err(refused)?;
        Ok(ImportFile { source, problems: Problems::default() })
    }

    /// What is known of the file: its columns, what each seems to mean, and its first rows.
    pub fn head(&self) -> Result<Ts<FileHead>, Failure> {
        Ok(self.source.head(PREVIEW_ROWS).into_ts()?)
    }

    /// Checks every row under a mapping; `progress` is told how many there were so far.
    pub fn check(
        &mut self,
        mapping: Vec<Ts<ColumnMapping>>,
        #[wasm_bindgen(unchecked_param_type = "(rows: number) => void")] progress: &Function,
    ) -> Result<Ts<Verdict>, Failure> {
        let mapping = mapping.iter().map(Ts::to_rust).collect::<Result<Vec<_>, _>>()?;
        let plan = Plan::new(self.source.columns(), &mapping)
            .map_err(|errors| Problem::of_fields(None, &errors).with_status(BAD_REQUEST))?;
        let mut problems = Problems::new(self.source.columns());
        let mut checker = Checker::new(plan);
        let mut rows = 0_u64;
        let read = self.source.rows(|row| {
            if let Err(found) = checker.row(row) {
                problems.add(&found);
            }
            rows += 1;
            if rows.is_multiple_of(STRIDE) {
                // Whoever watches may look away; the check goes on.
                let _ = progress.call1(&JsValue::NULL, &(rows as f64).into());
            }
            ControlFlow::Continue(())
        });
        read.map_err(refused)?;
        self.problems = problems;
        Ok(checker.verdict().into_ts()?)
    }

    /// How many problems the last check found.
    #[wasm_bindgen(getter, js_name = problemCount)]
    pub fn problem_count(&self) -> f64 {
        self.problems.count() as f64
    }

    /// How many of them are kept to be looked at.
    #[wasm_bindgen(getter, js_name = problemsListed)]
    pub fn problems_listed(&self) -> u32 {
        self.problems.listed()
    }

    /// A window of the problems, in the order of the rows.
    pub fn problems(&self, from: u32, count: u32) -> Result<Vec<Ts<RowProblem>>, Failure> {
        self.problems.window(from, count).map(|problem| Ok(problem.into_ts()?)).collect()
    }
}

/// Throws a `Problem` if a file of so many bytes is too large to be read; asked before its bytes are.
#[wasm_bindgen(js_name = checkSize)]
pub fn check_size(bytes: f64) -> Result<(), Failure> {
    Ok(Limits::default().check_size(bytes as u64).map_err(refused)?)
}

fn refused(error: FileError) -> Problem {
    Problem::new(error.message()).with_status(BAD_REQUEST)
}
