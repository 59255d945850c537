//! Streams of an OLE file by their names.

use super::{Chain, MINI, Sectors};
use crate::import::record::u32_at;
use crate::import::{Blob, FileError};

/// Reads whole streams of an OLE file, in the order of `names`; `None` for one that isn't there.
///
/// # Errors
/// The container is damaged.
pub(in crate::import) fn streams<const N: usize>(
    blob: Box<dyn Blob>,
    names: [&str; N],
) -> Result<[Option<Vec<u8>>; N], FileError> {
    const BROKEN: FileError = FileError::BrokenWorkbook;
    let (mut sectors, head) = Sectors::open(blob)?;
    let start_at = |at: usize| u32_at(&head, at).ok_or(BROKEN);
    let directory = sectors.directory(start_at(48)?)?;
    let mut found = [const { None }; N];
    for (name, found) in names.iter().zip(&mut found) {
        let Some((start, length)) = directory.stream(&name.to_ascii_lowercase()) else { continue };
        let length = u64::from(length);
        if length > sectors.blob.size() {
            return Err(BROKEN);
        }
        let mut chain = Chain::new(start);
        *found = Some(if length < MINI {
            sectors.small(Chain::new(directory.root()?), Chain::new(start_at(60)?), start, length as usize)?
        } else {
            let mut bytes = vec![0; length as usize];
            let read = sectors.read(&mut chain, 0, &mut bytes)?;
            if read < bytes.len() {
                return Err(BROKEN);
            }
            bytes
        });
    }
    Ok(found)
}
