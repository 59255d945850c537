//! Opens the zip archive of a workbook and rejects what would take too much memory.

use crate::import::FileError;
use crate::import::part_names::normalize_name;
use std::collections::HashMap;
use std::io::{BufReader, Cursor, Read};
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

const MAX_PARTS: usize = 4_096;
/// The maximum total of the declared sizes of all parts, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// The maximum size of each part that is kept in memory, in bytes.
pub(super) const MAX_PART: u64 = 128 << 20;
/// The minimum size of a shared string in the part, to see how many a part can contain. In bytes.
const MIN_STRING: u64 = 5;

/// A part that is being read. It ends after [`MAX_BYTES`] even if the archive declares a smaller size; what several
/// parts yield is not summed up.
pub(super) type Part<'a> = BufReader<std::io::Take<ZipFile<'a, Cursor<Vec<u8>>>>>;

/// The parts of a workbook by their normalized names.
pub(super) struct Parts {
    archive: ZipArchive<Cursor<Vec<u8>>>,
    indexes: HashMap<String, usize>,
}

impl Parts {
    pub fn open(bytes: Vec<u8>) -> Result<Parts, FileError> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| FileError::BrokenWorkbook)?;
        ensure!(archive.len() <= MAX_PARTS, FileError::BrokenWorkbook);
        // Summed up one by one, because the archive doesn't provide a total if the sizes follow the parts.
        let (mut size, mut indexes) = (0_u64, HashMap::new());
        for index in 0..archive.len() {
            let Ok(part) = archive.by_index_raw(index) else { continue };
            size = size.saturating_add(part.size());
            if let Ok(name) = part.name() {
                indexes.entry(normalize_name(&name)).or_insert(index);
            }
        }
        if size > MAX_BYTES { Err(FileError::BrokenWorkbook) } else { Ok(Parts { archive, indexes }) }
    }

    /// Opens a part by its name, ignoring case; `None` if it doesn't exist.
    pub fn part(&mut self, name: &str) -> Result<Option<Part<'_>>, FileError> {
        let Some(&index) = self.indexes.get(&normalize_name(name)) else { return Ok(None) };
        match self.archive.by_index(index) {
            Ok(part) => Ok(Some(BufReader::new(part.take(MAX_BYTES)))),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => Err(FileError::PasswordProtected),
            Err(_) => Err(FileError::BrokenWorkbook),
        }
    }

    /// Rejects a workbook with which calamine would use too much memory, and returns the archive.
    ///
    /// # Errors
    /// A part that calamine keeps in memory is damaged or too large, or declares more shared strings than it can
    /// contain.
    pub fn into_checked_bytes(mut self) -> Result<Vec<u8>, FileError> {
        for index in 0..self.archive.len() {
            let Ok(mut part) = self.archive.by_index(index) else { continue };
            let Ok(name) = part.name().map(|name| name.to_ascii_lowercase()) else { continue };
            let is_texts = name.contains("sharedstrings");
            if !is_texts && !name.contains("styles") {
                continue;
            }
            // Reads the whole part to count its bytes, because its declared size may be wrong.
            let mut start = Vec::new();
            let size = (&mut part).take(4_096).read_to_end(&mut start).and_then(|read| {
                let rest = std::io::copy(&mut part.take(MAX_PART), &mut std::io::sink())?;
                Ok(read as u64 + rest)
            });
            let size = size.map_err(|_| FileError::BrokenWorkbook)?;
            if size > MAX_PART || (is_texts && declared_strings(&start) > size / MIN_STRING) {
                return Err(FileError::BrokenWorkbook);
            }
        }
        Ok(self.archive.into_inner().into_inner())
    }
}

/// Returns the declared number of shared strings, for which calamine allocates memory.
fn declared_strings(start: &[u8]) -> u64 {
    const COUNT: &[u8] = b"uniqueCount";
    let Some(at) = start.windows(COUNT.len()).position(|bytes| bytes == COUNT) else { return 0 };
    let rest = start[at + COUNT.len()..].iter().skip_while(|byte| !byte.is_ascii_digit());
    let digits = rest.take_while(|byte| byte.is_ascii_digit());
    digits.fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}
