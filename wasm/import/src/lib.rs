//! The desk of the import in the browser's worker: what a file is, and which column means what. The file itself is read by
//! the modules beside this one; only its beginning and its first rows come here. The rules are `core`'s.

mod desk;
mod recognise;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_core::import::FileError;
use forecourt_core::problem::Problem;

/// What the server answers to the same file.
const BAD_REQUEST: u16 = 400;

fn refused(error: FileError) -> Problem {
    Problem::new(error.message()).with_status(BAD_REQUEST)
}
