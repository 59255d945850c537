//! The bindings of the import engine, in the browser's worker. Two packages link this: `wasm/import`, and
//! `wasm/fallback` with the libraries that only some files need. All orchestration is in `core`. Nothing here is
//! asynchronous: the worker calls [`Engine::step`] until the file has ended or must be read again, and handles messages
//! between two calls.

mod blob;
mod error;
mod shown;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

pub use blob::{JsBlob, ReadInto};
pub use shown::{Counts, Kind, Kinds, ListedCell, ListedProblem};

use error::{file_error, open_error};
use forecourt_call::{BindingError, Problem, read, to_js};
use forecourt_core::import::recognise::ENCODINGS;
use forecourt_core::import::{
    self, Checker, ColumnMapping, Corrections, Duplicate, FileCheck, FileHead, Libraries, Limits, PREVIEW_ROWS,
    Patches, Plan, ReadOptions, Source, Verdict,
};
use std::ops::ControlFlow;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// What the worker must do after a piece of a file was checked. `More`: check the next piece. `End`: nothing, the file
/// has ended. `Reread`: the text has another encoding than its beginning suggested, and its head was detected again.
/// The check so far is void: read [`Engine::head`] and call [`Engine::begin`].
#[wasm_bindgen]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    More = "more",
    End = "end",
    Reread = "reread",
}

/// Returns the names of the encodings that the user can select, in menu order.
#[wasm_bindgen]
pub fn encodings() -> Vec<String> {
    ENCODINGS.map(str::to_owned).into()
}

/// Reads and checks one file at a time.
#[wasm_bindgen]
pub struct Engine {
    libraries: Option<&'static dyn Libraries>,
    file: Option<OpenFile>,
}

struct OpenFile {
    source: Source,
    limits: Limits,
    /// The check that is running, or else the last one.
    check: Option<FileCheck>,
}

impl Engine {
    /// Creates an engine. Without `libraries`, opening a file that only they can read throws a `NeedsFallback`.
    pub fn new(libraries: Option<&'static dyn Libraries>) -> Engine {
        Engine { libraries, file: None }
    }

    fn file(&mut self) -> Result<&mut OpenFile, JsValue> {
        self.file.as_mut().ok_or_else(|| invalid("No file was opened"))
    }

    fn check(&self) -> Option<&FileCheck> {
        self.file.as_ref()?.check.as_ref()
    }
}

#[wasm_bindgen]
impl Engine {
    /// Opens a file in place of the previous one, and returns its columns, the proposed mapping, the first rows, and
    /// the options that it was read with. `read_into` fills a buffer with the bytes of the file from an offset on, and
    /// returns how many there were. Throws a `Problem` that says why the file can't be imported, with the sheets of the
    /// workbook, or a `NeedsFallback` if only `wasm/fallback` reads it. The previous file then stays open.
    pub fn open(
        &mut self,
        name: &str,
        size: f64,
        read_into: ReadInto,
        options: Ts<ReadOptions>,
        limits: Option<Ts<Limits>>,
    ) -> Result<Ts<FileHead>, JsValue> {
        let limits = limits.as_ref().map(read).transpose()?.unwrap_or_default();
        limits.check_size(size as u64).map_err(file_error)?;
        let (blob, options) = (JsBlob::new(size, read_into), read(&options)?);
        let source = Source::open_head(name, blob, self.libraries, &options, PREVIEW_ROWS, &limits);
        let source = source.map_err(open_error)?;
        let head = to_js(source.head())?;
        self.file = Some(OpenFile { source, limits: limits.for_file(size as u64), check: None });
        Ok(head)
    }

    /// Returns the head of the open file (its columns, mapping and first rows): as [`Engine::open`] returned it or,
    /// after [`Step::Reread`], as it was detected again.
    pub fn head(&mut self) -> Result<Ts<FileHead>, JsValue> {
        Ok(to_js(self.file()?.source.head())?)
    }

    /// Closes the file.
    pub fn close(&mut self) {
        self.file = None;
    }

    /// Starts a check at the file's first row. Throws a `Problem` with the first error of the mapping or of the
    /// corrections, and the field that it belongs to.
    pub fn begin(&mut self, mapping: Vec<Ts<ColumnMapping>>, corrections: Ts<Corrections>) -> Result<(), JsValue> {
        let mapping = mapping.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let corrections = read(&corrections)?;
        let OpenFile { source, limits, check } = self.file()?;
        let wrong =
            |errors: Vec<_>| JsValue::from(BindingError::from(Problem::from_field_errors(&errors).with_status(400)));
        let columns = source.layout().names();
        let plan = Plan::new(columns, &mapping).map_err(wrong)?;
        let patches = Patches::new(columns, &corrections).map_err(wrong)?;
        *check = Some(FileCheck::new(Checker::new(source.layout().clone(), plan, patches, limits)));
        source.start();
        Ok(())
    }

    /// Checks the next piece of the file. Throws as [`Engine::open`] does, without the sheets.
    pub fn step(&mut self) -> Result<Step, JsValue> {
        let OpenFile { source, check, .. } = self.file()?;
        let check = check.as_mut().ok_or_else(|| invalid("No check was started"))?;
        match source.step(&mut |row| check.check_row(row).map(ControlFlow::Continue)).map_err(file_error)? {
            import::Step::More => Ok(Step::More),
            import::Step::End => Ok(Step::End),
            import::Step::Reread => Ok(Step::Reread),
        }
    }

    /// Returns the fraction of the file that was read, if it is known.
    pub fn share(&mut self) -> Result<Option<f64>, JsValue> {
        Ok(self.file()?.source.share())
    }

    /// Returns true if the rows checked so far contain invalid UTF-8, which is replaced by U+FFFD. Always false for
    /// other encodings.
    #[wasm_bindgen(js_name = isDamaged)]
    pub fn is_damaged(&mut self) -> Result<bool, JsValue> {
        Ok(self.file()?.source.is_damaged())
    }

    /// Returns the numbers of rows, duplicates and problems that the check has found so far.
    pub fn counts(&self) -> Result<Ts<Counts>, BindingError> {
        to_js(&self.check().map(Counts::of).unwrap_or_default())
    }

    /// Returns the verdict on the rows checked so far: their counts, and a hash of the rows and their errors.
    pub fn verdict(&mut self) -> Result<Ts<Verdict>, JsValue> {
        let check = self.check().ok_or_else(|| invalid("No check was started"))?;
        Ok(to_js(&check.verdict())?)
    }

    /// Returns the most frequent kinds of problems that the check has found so far.
    pub fn kinds(&self) -> Result<Ts<Kinds>, BindingError> {
        to_js(&self.check().map(Kinds::of).unwrap_or_default())
    }

    /// Returns `count` stored problems, from number `from` on, of the kind at the place `kind`, or of all kinds (-1).
    pub fn problems(&self, kind: i32, from: u32, count: u32) -> Result<Vec<Ts<ListedProblem>>, BindingError> {
        let Some(problems) = self.check().map(FileCheck::problems) else { return Ok(Vec::new()) };
        let window = problems.window(u32::try_from(kind).ok(), from, count);
        window.map(|problem| to_js(&ListedProblem::of(problem, problems.kinds()))).collect()
    }

    /// Returns the numbers of the rows with stored problems of the kind at the place `kind`, each once.
    #[wasm_bindgen(js_name = rowsOf)]
    pub fn rows_of(&self, kind: u32) -> Vec<u32> {
        let Some(check) = self.check() else { return Vec::new() };
        let mut rows: Vec<u32> = check.problems().window(Some(kind), 0, u32::MAX).map(|problem| problem.row).collect();
        rows.dedup();
        rows
    }

    /// Returns the stored duplicates: the first ones of the file.
    pub fn duplicates(&self) -> Result<Vec<Ts<Duplicate>>, BindingError> {
        let duplicates = self.check().map(FileCheck::duplicates).unwrap_or_default();
        duplicates.iter().map(to_js).collect()
    }

    /// Returns the number of stored problems of a kind whose cell has this value.
    #[wasm_bindgen(js_name = countAlike)]
    pub fn count_alike(&self, kind: u32, value: &str) -> u32 {
        self.check().map_or(0, |check| check.problems().count_alike(kind, value))
    }
}

fn invalid(what: &str) -> JsValue {
    BindingError::InvalidArgument(what.to_owned()).into()
}
