//! The container of newer workbooks: what would be too much for the library is refused before.

use super::ods;
use crate::import::FileError;
use std::io::{BufRead, BufReader, Cursor, Read};
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
    if archive.len() > MOST_PARTS {
        return Err(FileError::BrokenWorkbook);
    }
    // One by one: the archive itself gives no sum where a program wrote the sizes behind the parts, as many do.
    let sizes = (0..archive.len()).map(|place| archive.by_index_raw(place).map_or(0, |part| part.size()));
    if sizes.fold(0, u64::saturating_add) > MOST_BYTES {
        return Err(FileError::BrokenWorkbook);
    }
    for place in 0..archive.len() {
        let Ok(mut part) = archive.by_index(place) else { continue };
        let Ok(name) = part.name().map(|name| name.to_ascii_lowercase()) else { continue };
        if name == "content.xml" {
            ods::check(BufReader::new(part))?;
            continue;
        }
        if name.starts_with("xl/worksheets/") && name.ends_with(".bin") {
            if has_short_cells(BufReader::new(part)) {
                return Err(FileError::BrokenWorkbook);
            }
            continue;
        }
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

/// Cells of an .xlsb without a column of their own, since they follow one that has one. Not every program writes them, and
/// the library passes over them: better no import than one of the first column only.
fn has_short_cells(mut part: impl BufRead) -> bool {
    // Numbers of up to so many bytes, each of which says whether another one follows.
    let number = |part: &mut dyn BufRead, most: u32| {
        let mut number = 0_u64;
        for place in 0..most {
            let mut byte = [0];
            part.read_exact(&mut byte).ok()?;
            number |= u64::from(byte[0] & 0x7F) << (7 * place);
            if byte[0] < 0x80 {
                break;
            }
        }
        Some(number)
    };
    while let Some((kind, length)) = number(&mut part, 2).and_then(|kind| Some((kind, number(&mut part, 4)?))) {
        if (12..=18).contains(&kind) {
            return true;
        }
        // What can't be read has no next record either.
        let _ = std::io::copy(&mut part.by_ref().take(length), &mut std::io::sink());
    }
    false
}

/// How many texts the part of shared texts says it has: the library makes room for them all.
fn claimed(start: &[u8]) -> u64 {
    const COUNT: &[u8] = b"uniqueCount";
    let Some(at) = start.windows(COUNT.len()).position(|bytes| bytes == COUNT) else { return 0 };
    let rest = start[at + COUNT.len()..].iter().skip_while(|byte| !byte.is_ascii_digit());
    let digits = rest.take_while(|byte| byte.is_ascii_digit());
    digits.fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}
