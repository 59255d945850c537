//! The container of newer workbooks: what would be too much for the library is refused before.

use crate::import::FileError;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The most parts that a workbook has.
const MOST_PARTS: usize = 4_096;
/// The most bytes that all parts together may claim to hold, and that those may hold which the library keeps as a whole.
const MOST_BYTES: u64 = 1 << 30;
const MOST_KEPT: u64 = 128 << 20;
/// The fewest bytes of a shared text.
const SMALLEST_TEXT: u64 = 5;

pub(super) fn check(bytes: &[u8]) -> Result<(), FileError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| FileError::BrokenWorkbook)?;
    if archive.len() > MOST_PARTS || archive.decompressed_size().is_none_or(|size| size > u128::from(MOST_BYTES)) {
        return Err(FileError::BrokenWorkbook);
    }
    for place in 0..archive.len() {
        let Ok(mut part) = archive.by_index(place) else { continue };
        let Ok(name) = part.name().map(|name| name.to_ascii_lowercase()) else { continue };
        let is_texts = name.contains("sharedstrings");
        if !is_texts && !name.contains("styles") {
            continue;
        }
        // What a part says of itself may be wrong; what comes out of it isn't.
        let mut start = Vec::new();
        let size = (&mut part).take(4_096).read_to_end(&mut start).and_then(|read| {
            let rest = std::io::copy(&mut part.take(MOST_KEPT), &mut std::io::sink())?;
            Ok(read as u64 + rest)
        });
        let size = size.map_err(|_| FileError::BrokenWorkbook)?;
        if size > MOST_KEPT || (is_texts && claimed(&start) > size / SMALLEST_TEXT) {
            return Err(FileError::BrokenWorkbook);
        }
    }
    Ok(())
}

/// How many texts the part of shared texts says it has: the library makes room for them all.
fn claimed(start: &[u8]) -> u64 {
    const COUNT: &[u8] = b"uniqueCount";
    let Some(at) = start.windows(COUNT.len()).position(|bytes| bytes == COUNT) else { return 0 };
    let rest = start[at + COUNT.len()..].iter().skip_while(|byte| !byte.is_ascii_digit());
    let digits = rest.take_while(|byte| byte.is_ascii_digit());
    digits.fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}
