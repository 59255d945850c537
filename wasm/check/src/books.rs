//! The readers of workbooks: the same doors, whatever reads behind them.

use crate::{Desk, packed_rows, refused};
use forecourt_core::import::book::{self, Book};
use forecourt_core::import::head::SAMPLE_ROWS;
use forecourt_core::import::{Limits, RowBuffer};
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

/// An opened workbook, what was said when a sheet of it was chosen, and the row that is being read.
pub struct OpenBook {
    book: Box<dyn Book>,
    notices: Vec<String>,
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

    /// # Errors
    /// There is no such sheet, or none with anything in it.
    pub fn choose(&mut self, name: Option<&str>) -> Result<usize, JsValue> {
        self.notices.clear();
        book::choose_sheet(&mut *self.book, name, &mut self.notices).map_err(refused)
    }

    pub fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    /// # Errors
    /// The sheet can't be read.
    pub fn sample(&mut self, sheet: usize) -> Result<Vec<u8>, JsValue> {
        Ok(packed_rows(&self.book.sample(sheet, SAMPLE_ROWS + 1).map_err(refused)?))
    }

    /// # Errors
    /// The sheet can't be read.
    pub fn start(&mut self, sheet: usize) -> Result<(), JsValue> {
        self.book.start(sheet).map_err(refused)
    }

    /// # Errors
    /// The sheet can't be read any further, or has more rows than are allowed.
    pub fn step(&mut self, rows: u32, desk: &mut Desk) -> Result<bool, JsValue> {
        for _ in 0..rows {
            if !self.book.next(&mut self.row).map_err(refused)? {
                return Ok(false);
            }
            desk.row(self.row.row()).map_err(refused)?;
        }
        Ok(true)
    }
}

/// The limits that came packed; those that come with the program where there are none.
///
/// # Errors
/// They aren't what `Limits::pack` wrote.
pub fn limits(packed: Option<Vec<u8>>) -> Result<Limits, JsValue> {
    match packed {
        Some(bytes) => Limits::unpack(&bytes).ok_or_else(|| crate::misused("These are no limits")),
        None => Ok(Limits::default()),
    }
}

/// The doors of a workbook's reader, whose fields `book` and `desk` are an [`OpenBook`] and a [`Desk`].
#[macro_export]
macro_rules! book_doors {
    ($reader:ident) => {
        #[$crate::wasm_bindgen::prelude::wasm_bindgen]
        impl $reader {
            /// All sheets that hold cells, in the workbook's order; they go by their places.
            pub fn sheets(&self) -> Vec<$crate::Sheet> {
                self.book.sheets()
            }

            /// The place of the sheet of that name; without one, of the first visible sheet that has something in it.
            pub fn choose(&mut self, name: Option<String>) -> Result<usize, $crate::wasm_bindgen::JsValue> {
                self.book.choose(name.as_deref())
            }

            /// What a person should know of the choice that was made last.
            pub fn notices(&self) -> Vec<String> {
                self.book.notices()
            }

            /// A sheet's first rows, packed, to find and match the columns.
            pub fn sample(&mut self, sheet: usize) -> Result<Vec<u8>, $crate::wasm_bindgen::JsValue> {
                self.book.sample(sheet)
            }

            /// Goes to a sheet's first row.
            pub fn start(&mut self, sheet: usize) -> Result<(), $crate::wasm_bindgen::JsValue> {
                self.book.start(sheet)
            }

            /// Checks so many rows more; false after the last one.
            pub fn step(&mut self, rows: u32) -> Result<bool, $crate::wasm_bindgen::JsValue> {
                self.book.step(rows, &mut self.desk)
            }

            /// Rows begin where the next start is.
            fn renew(&mut self) {}
        }

        $crate::doors!($reader);
    };
}
