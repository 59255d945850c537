//! What the readers of files in the browser's worker share. Each is a class in a module of its own, fetched when a file
//! needs it; all of them begin a check and show what it found in the same way.

mod blob;
mod books;
mod desk;
mod refusal;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

pub use blob::{JsBlob, ReadAt};
pub use books::{OpenBook, Sheet, limits};
pub use desk::{Desk, packed_rows};
pub use refusal::{misused, refused, refused_rows};
#[doc(hidden)]
pub use wasm_bindgen;

/// The doors of a reader's class to its [`Desk`], which is its field `desk`. `renew` is its method that makes it ready to
/// read the file from its beginning.
#[macro_export]
macro_rules! doors {
    ($reader:ident) => {
        #[$crate::wasm_bindgen::prelude::wasm_bindgen]
        impl $reader {
            /// Begins a check from the file's first row. `plan` is packed by the module that knows the mapping.
            pub fn begin(&mut self, plan: &[u8]) -> Result<(), $crate::wasm_bindgen::JsValue> {
                self.desk.begin(plan)?;
                self.renew();
                Ok(())
            }

            /// What the rows so far come to: total, ready, failed, left out, duplicates, problems, problems that are
            /// listed, and repeated rows that are listed.
            pub fn counts(&self) -> Vec<f64> {
                self.desk.counts()
            }

            /// The hash over the rows so far, as 16 hexadecimal digits.
            pub fn digest(&self) -> String {
                self.desk.digest()
            }

            /// The kinds of problems, packed: how many, then of each its column (0xFFFFFFFF: the row as a whole), its
            /// count, how many are listed, and its sentence.
            pub fn kinds(&self) -> Vec<u8> {
                self.desk.kinds()
            }

            /// A window of the problems of one kind, or of all (-1), packed: of each its row's number, its kind's place,
            /// its value, and its row's cells as pairs of column and text with their number before.
            pub fn problems(&self, kind: i32, from: u32, count: u32) -> Vec<u8> {
                self.desk.problems(kind, from, count)
            }

            /// A window of the rows that repeat an earlier one, packed: the row's number, and the other's.
            pub fn repeats(&self, from: u32, count: u32) -> Vec<u8> {
                self.desk.repeats(from, count)
            }

            /// How many of the listed problems of a kind have this value.
            pub fn alike(&self, kind: u32, value: &str) -> u32 {
                self.desk.alike(kind, value)
            }
        }
    };
}
