//! The archive that newer workbooks are: what would take too much memory is refused before it is read.

use crate::import::FileError;
use std::collections::HashMap;
use std::io::{BufReader, Cursor, Read};
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

/// The most parts that a workbook has.
const MOST_PARTS: usize = 4_096;
/// The most bytes that all parts together may claim to hold, and that those may hold which are kept as a whole.
const MOST_BYTES: u64 = 1 << 30;
pub(super) const MOST_KEPT: u64 = 128 << 20;
/// The fewest bytes of a shared text.
const SMALLEST_TEXT: u64 = 5;

/// A part that is read from its start. What comes out of it never exceeds what all parts may hold.
pub(super) type Part<'a> = BufReader<std::io::Take<ZipFile<'a, Cursor<Vec<u8>>>>>;

/// The parts of a workbook by their names.
pub(super) struct Parts {
    archive: ZipArchive<Cursor<Vec<u8>>>,
    places: HashMap<String, usize>,
}

impl Parts {
    /// Opens an archive.
    ///
    /// # Errors
    /// The archive is damaged, or claims to hold more than any workbook.
    pub fn open(bytes: Vec<u8>) -> Result<Parts, FileError> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| FileError::BrokenWorkbook)?;
        if archive.len() > MOST_PARTS {
            return Err(FileError::BrokenWorkbook);
        }
        // One by one: the archive itself gives no sum where a program wrote the sizes behind the parts, as many do.
        let (mut size, mut places) = (0_u64, HashMap::new());
        for place in 0..archive.len() {
            let Ok(part) = archive.by_index_raw(place) else { continue };
            size = size.saturating_add(part.size());
            if let Ok(name) = part.name() {
                places.entry(plain(&name)).or_insert(place);
            }
        }
        if size > MOST_BYTES { Err(FileError::BrokenWorkbook) } else { Ok(Parts { archive, places }) }
    }

    /// Begins to read a part; `None` if there is none of that name, in any case.
    ///
    /// # Errors
    /// The part is locked or damaged.
    pub fn part(&mut self, name: &str) -> Result<Option<Part<'_>>, FileError> {
        let Some(&place) = self.places.get(&plain(name)) else { return Ok(None) };
        match self.archive.by_index(place) {
            Ok(part) => Ok(Some(BufReader::new(part.take(MOST_BYTES)))),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => Err(FileError::PasswordProtected),
            Err(_) => Err(FileError::BrokenWorkbook),
        }
    }

    /// Refuses a workbook that would make calamine take too much memory, and gives the archive back.
    ///
    /// # Errors
    /// A part that calamine keeps as a whole is too large, or claims to have more texts than there is room for.
    pub fn checked(mut self) -> Result<Vec<u8>, FileError> {
        for place in 0..self.archive.len() {
            let Ok(mut part) = self.archive.by_index(place) else { continue };
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
        Ok(self.archive.into_inner().into_inner())
    }
}

/// A name as all spellings of it come to the same.
fn plain(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

/// How many texts the part of shared texts says it has: calamine makes room for them all.
fn claimed(start: &[u8]) -> u64 {
    const COUNT: &[u8] = b"uniqueCount";
    let Some(at) = start.windows(COUNT.len()).position(|bytes| bytes == COUNT) else { return 0 };
    let rest = start[at + COUNT.len()..].iter().skip_while(|byte| !byte.is_ascii_digit());
    let digits = rest.take_while(|byte| byte.is_ascii_digit());
    digits.fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}
