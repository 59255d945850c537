//! Bindings that all workbook readers share.

use crate::{RunningCheck, file_error, packed_rows};
use forecourt_core::import::book::{self, Book};
use forecourt_core::import::head::SAMPLE_ROWS;
use forecourt_core::import::pack::Packer;
use forecourt_core::import::{Limits, RowBuffer};
use forecourt_core::message::Message;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Object, typescript_type = "{ name: string; hidden: boolean }")]
    pub type Sheet;
    #[wasm_bindgen(constructor, js_class = "Object")]
    fn new() -> Sheet;
    #[wasm_bindgen(method, setter, structural)]
    fn set_name(this: &Sheet, name: &str);
    #[wasm_bindgen(method, setter, structural)]
    fn set_hidden(this: &Sheet, hidden: bool);
}

/// An opened workbook, the notices of the last sheet selection, and a buffer for the current row. Its methods are
/// documented where they are exported, in [`workbook_bindings`](crate::workbook_bindings).
pub struct OpenBook {
    book: Box<dyn Book>,
    notices: Vec<Message>,
    row: RowBuffer,
}

impl OpenBook {
    pub fn new(book: Box<dyn Book>) -> OpenBook {
        OpenBook { book, notices: Vec::new(), row: RowBuffer::default() }
    }

    pub fn sheets(&self) -> Vec<Sheet> {
        let sheet = |head: &forecourt_core::import::SheetHead| {
            let sheet = Sheet::new();
            sheet.set_name(&head.name);
            sheet.set_hidden(head.hidden);
            sheet
        };
        self.book.sheets().iter().map(sheet).collect()
    }

    pub fn choose(&mut self, name: Option<&str>) -> Result<usize, JsValue> {
        self.notices.clear();
        book::choose_sheet(&mut *self.book, name, &mut self.notices).map_err(file_error)
    }

    pub fn notices(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        self.notices.iter().for_each(|notice| packer.write_message(notice));
        packer.bytes
    }

    pub fn sample(&mut self, sheet: usize) -> Result<Vec<u8>, JsValue> {
        Ok(packed_rows(&self.book.sample(sheet, SAMPLE_ROWS + 1).map_err(file_error)?))
    }

    pub fn start(&mut self, sheet: usize) -> Result<(), JsValue> {
        self.book.start(sheet).map_err(file_error)
    }

    pub fn step(&mut self, rows: u32, check: &mut RunningCheck) -> Result<bool, JsValue> {
        for _ in 0..rows {
            if !self.book.next(&mut self.row).map_err(file_error)? {
                return Ok(false);
            }
            check.check_row(self.row.row()).map_err(file_error)?;
        }
        Ok(true)
    }
}

/// Decodes packed limits; `None` gives the default limits.
///
/// # Errors
/// The bytes were not written by `Limits::pack`.
pub fn limits(packed: Option<Vec<u8>>) -> Result<Limits, JsValue> {
    match packed {
        Some(bytes) => Limits::unpack(&bytes).ok_or_else(|| crate::argument_error("Invalid limits")),
        None => Ok(Limits::default()),
    }
}

/// Generates a workbook reader that reads the file piece by piece. `$open` is the function that opens the workbook.
#[macro_export]
macro_rules! workbook_reader {
    ($reader:ident, $open:path) => {
        /// Reads and checks a workbook.
        #[$crate::wasm_bindgen::prelude::wasm_bindgen]
        pub struct $reader {
            book: $crate::OpenBook,
            check: $crate::RunningCheck,
        }

        #[$crate::wasm_bindgen::prelude::wasm_bindgen]
        impl $reader {
            /// Reads the list of sheets. `size`: of the file in bytes. `read_at`: reads a part of the file. `packed`:
            /// the limits; the default limits if absent. Throws a `Problem` that says why the file can't be imported,
            /// or a `NeedsFallback` if another reader may support it.
            #[wasm_bindgen(constructor)]
            pub fn new(
                size: f64,
                read_at: $crate::ReadAt,
                packed: Option<Vec<u8>>,
            ) -> Result<$reader, $crate::wasm_bindgen::JsValue> {
                let file = Box::new($crate::JsBlob::new(size, read_at));
                let book = $open(file, &$crate::limits(packed)?).map_err($crate::file_error)?;
                Ok($reader { book: $crate::OpenBook::new(book), check: $crate::RunningCheck::default() })
            }
        }

        $crate::workbook_bindings!($reader);
    };
}

/// Generates the bindings of a workbook reader. Its fields `book` and `check` must be an [`OpenBook`] and a [`RunningCheck`].
#[macro_export]
macro_rules! workbook_bindings {
    ($reader:ident) => {
        #[$crate::wasm_bindgen::prelude::wasm_bindgen]
        impl $reader {
            /// Returns all sheets that contain cells, in the workbook's order. Other methods refer to a sheet by its
            /// index.
            pub fn sheets(&self) -> Vec<$crate::Sheet> {
                self.book.sheets()
            }

            /// Returns the index of the sheet of that name; without a name, of the visible sheet that looks most like a
            /// table.
            pub fn choose(&mut self, name: Option<String>) -> Result<usize, $crate::wasm_bindgen::JsValue> {
                self.book.choose(name.as_deref())
            }

            /// Returns the notices for the user about the last selection of a sheet, packed.
            pub fn notices(&self) -> Vec<u8> {
                self.book.notices()
            }

            /// Returns the first rows of a sheet, packed. The columns are detected and matched from them.
            pub fn sample(&mut self, sheet: usize) -> Result<Vec<u8>, $crate::wasm_bindgen::JsValue> {
                self.book.sample(sheet)
            }

            /// Moves to the first row of a sheet.
            pub fn start(&mut self, sheet: usize) -> Result<(), $crate::wasm_bindgen::JsValue> {
                self.book.start(sheet)
            }

            /// Checks up to `rows` more rows; returns false at the end of the sheet.
            pub fn step(&mut self, rows: u32) -> Result<bool, $crate::wasm_bindgen::JsValue> {
                self.book.step(rows, &mut self.check)
            }

            /// Nothing to reset: `start` moves to the first row.
            fn rewind(&mut self) {}
        }

        $crate::check_bindings!($reader);
    };
}
