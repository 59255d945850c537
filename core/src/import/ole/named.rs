//! Reads streams of an OLE file by their names.

use super::{Chain, MINI_CUTOFF, Sectors};
use crate::import::record::u32_at;
use crate::import::{Blob, FileError};

/// Returns the content of the streams with these names; `None` for streams that don't exist.
pub(in crate::import) fn read_streams<const N: usize>(
    blob: Box<dyn Blob>,
    names: [&str; N],
) -> Result<[Option<Vec<u8>>; N], FileError> {
    const BROKEN: FileError = FileError::BrokenWorkbook;
    let (mut sectors, head) = Sectors::open(blob)?;
    let start_at = |at: usize| u32_at(&head, at).ok_or(BROKEN);
    let directory = sectors.read_directory(start_at(48)?)?;
    let mut found = [const { None }; N];
    for (name, found) in names.iter().zip(&mut found) {
        let Some((start, length)) = directory.find_stream(&name.to_ascii_lowercase()) else { continue };
        let length = u64::from(length);
        ensure!(length <= sectors.blob.size(), BROKEN);
        let mut chain = Chain::new(start);
        *found = Some(if length < MINI_CUTOFF {
            sectors.read_mini_stream(
                Chain::new(directory.mini_stream_start()?),
                Chain::new(start_at(60)?),
                start,
                length as usize,
            )?
        } else {
            let mut bytes = vec![0; length as usize];
            let read = sectors.read(&mut chain, 0, &mut bytes)?;
            ensure!(read >= bytes.len(), BROKEN);
            bytes
        });
    }
    Ok(found)
}
