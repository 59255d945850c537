//! Format detection and column matching of an import, in the browser's worker. This module gets only the beginning and
//! the first rows of a file; the reader modules read the rest. The rules are in `core`.

mod detected_file;
mod recognise;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_call::Problem;
use forecourt_core::import::FileError;

/// The status with which the server rejects the same file, except one that is too large (413).
const BAD_REQUEST: u16 = 400;

fn file_error(error: FileError) -> Problem {
    Problem::new(&error.message()).with_status(BAD_REQUEST)
}
