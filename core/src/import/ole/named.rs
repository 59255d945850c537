//! Streams of an OLE file by their names.

use super::{Chain, MINI, Sectors};
use crate::import::record::u32_at;
use crate::import::{Blob, FileError};

const ENTRY: usize = 128;
const STREAM: u8 = 2;

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
    let (mut directory, mut entry, mut at) = (Chain::new(start_at(48)?), [0; ENTRY], 0);
    let (mut root, mut places) = (None, [None; N]);
    while sectors.read(&mut directory, at, &mut entry)? == ENTRY {
        let (start, length) = u32_at(&entry, 116).zip(u32_at(&entry, 120)).ok_or(BROKEN)?;
        root = root.or(Some(start));
        for (name, place) in names.iter().zip(&mut places) {
            if place.is_none() && is_called(&entry, name) {
                *place = Some((start, u64::from(length)));
            }
        }
        at += ENTRY as u64;
    }
    let mut found = [const { None }; N];
    for (place, found) in places.into_iter().zip(&mut found) {
        let Some((start, length)) = place else { continue };
        if length > sectors.blob.size() {
            return Err(BROKEN);
        }
        let mut chain = Chain::new(start);
        *found = Some(if length < MINI {
            sectors.small(Chain::new(root.ok_or(BROKEN)?), Chain::new(start_at(60)?), start, length as usize)?
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

fn is_called(entry: &[u8; ENTRY], name: &str) -> bool {
    let units = entry[..64].as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).take_while(|&u| u != 0);
    let name_of = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    entry[66] == STREAM && name_of.collect::<String>().eq_ignore_ascii_case(name)
}
