//! The interface to the parts of the import that need large libraries.

use crate::import::book::Book;
use crate::import::encoding::Decode;
use crate::import::{Blob, FileError, FileKind, Limits};

/// The part of the import that needs large libraries. The server links it; in the browser it is a module of its own
/// (`wasm/fallback`).
pub trait Libraries {
    /// Returns the name of the encoding of a text that isn't UTF-8, from the bytes around the first invalid sequence.
    fn guess_encoding(&self, sample: &[u8]) -> &'static str;

    /// Creates a decoder by the name of an encoding. `None` for unknown names.
    fn decoder(&self, encoding: &str) -> Option<Box<dyn Decode>>;

    /// Decrypts a workbook that has Excel's default password; `None` if it isn't encrypted.
    fn decrypt(&self, blob: Box<dyn Blob>) -> Result<Option<Vec<u8>>, FileError>;

    /// Opens a workbook that its streaming reader doesn't support.
    fn open(&self, bytes: Vec<u8>, kind: FileKind, limits: &Limits) -> Result<Box<dyn Book>, FileError>;
}

/// The large libraries, if they are linked into this program; `None` if they are in another module. A file that needs
/// them is then a [`FileError::NeedsFallback`].
pub(super) type Linkage = Option<&'static dyn Libraries>;

#[cfg(feature = "files")]
mod linked {
    use super::*;
    use crate::import::{fallback, legacy, unlock};

    /// The libraries, linked into this program.
    pub struct Linked;

    impl Libraries for Linked {
        fn guess_encoding(&self, sample: &[u8]) -> &'static str {
            legacy::guess(sample)
        }

        fn decoder(&self, encoding: &str) -> Option<Box<dyn Decode>> {
            Some(Box::new(legacy::Decoder::new(encoding)?))
        }

        fn decrypt(&self, blob: Box<dyn Blob>) -> Result<Option<Vec<u8>>, FileError> {
            unlock::decrypt_workbook(blob)
        }

        fn open(&self, bytes: Vec<u8>, kind: FileKind, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
            fallback::open(bytes, kind, limits)
        }
    }
}

#[cfg(feature = "files")]
pub use linked::Linked;
