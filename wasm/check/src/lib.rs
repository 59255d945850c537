//! Code shared by the file readers that run in the browser's worker. Each reader is a class in its own wasm module,
//! which is fetched when a file needs it. All readers start a check and return its results through the same bindings.

mod blob;
mod books;
mod error;
mod running_check;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

pub use blob::{JsBlob, ReadAt};
pub use books::{OpenBook, Sheet, limits};
pub use error::{argument_error, file_error, row_error};
pub use running_check::{RunningCheck, packed_rows};
#[doc(hidden)]
pub use wasm_bindgen;

/// Generates the bindings between a reader class and its [`RunningCheck`], which must be its field `check`. The class must have
/// a method `rewind` that prepares it to read the file from the beginning.
#[macro_export]
macro_rules! check_bindings {
    ($reader:ident) => {
        #[$crate::wasm_bindgen::prelude::wasm_bindgen]
        impl $reader {
            /// Starts a check at the file's first row. `plan` is packed by the module that knows the mapping.
            pub fn begin(&mut self, plan: &[u8]) -> Result<(), $crate::wasm_bindgen::JsValue> {
                self.check.begin(plan)?;
                self.rewind();
                Ok(())
            }

            /// Returns the counts so far: total, ready, failed, left out, duplicates, problems, stored problems, and
            /// stored duplicates.
            pub fn counts(&self) -> Vec<f64> {
                self.check.counts()
            }

            /// Returns the hash of the rows so far, as 16 hexadecimal digits.
            pub fn digest(&self) -> String {
                self.check.digest()
            }

            /// Returns the kinds of problems, packed: their number, then for each its column (0xFFFFFFFF: the whole
            /// row), its count, the number of stored problems, and its message.
            pub fn kinds(&self) -> Vec<u8> {
                self.check.kinds()
            }

            /// Returns a window of the problems of one kind, or of all kinds (-1), packed. Each has its row number, the
            /// index of its kind, its value, the number of cells in its row, and each cell's column and text.
            pub fn problems(&self, kind: i32, from: u32, count: u32) -> Vec<u8> {
                self.check.problems(kind, from, count)
            }

            /// Returns a window of the duplicates, packed: for each its row number and that of the earlier row.
            pub fn repeats(&self, from: u32, count: u32) -> Vec<u8> {
                self.check.repeats(from, count)
            }

            /// Returns the number of stored problems of a kind that have this value.
            pub fn alike(&self, kind: u32, value: &str) -> u32 {
                self.check.alike(kind, value)
            }
        }
    };
}
