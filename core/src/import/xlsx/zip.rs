//! Reads the central directory of a zip archive and opens its entries. Supports what Office programs write; other
//! features need the fallback reader, and contradictory archives are rejected.

use super::inflate::{Entry, MAX_INFLATED, MAX_RATIO, Part, TOO_LARGE, UNCHECKED_BYTES};
use crate::import::blob::read_full;
use crate::import::part_names::normalize_name;
use crate::import::{Blob, FileError};
use std::collections::HashMap;

/// The maximum number of entries, and the maximum size of the central directory in bytes.
const MAX_ENTRIES: usize = 4_096;
const MAX_DIRECTORY: u64 = 4 << 20;
/// The size of the end record, and of the longest comment after it.
const END_BYTES: usize = 22;
const MAX_COMMENT: usize = 65_535;
/// The size of a local header without the name.
const HEAD_BYTES: usize = 30;
/// The value of a 32-bit field whose actual value is a 64-bit one among the additional fields.
const LARGE: u64 = u32::MAX as u64;

/// The entries by their normalized names.
pub(super) struct Archive {
    entries: HashMap<String, Entry>,
    /// The offset of the central directory, where the entries end.
    directory: u64,
}

impl Archive {
    /// Reads the central directory.
    ///
    /// # Errors
    /// The archive is truncated or contradictory, or needs the fallback reader.
    pub fn open(blob: &mut dyn Blob) -> Result<Archive, FileError> {
        let size = blob.size();
        let tail = size.min((END_BYTES + MAX_COMMENT) as u64);
        let tail = read_exact(blob, size - tail, tail as usize)?;
        let ends = (0..=tail.len().saturating_sub(END_BYTES)).rev().filter(|&at| tail[at..].starts_with(b"PK\x05\x06"));
        let is_last = |at: &usize| u16_at(&tail, at + 20).is_some_and(|comment| at + END_BYTES + comment <= tail.len());
        let at = ends.into_iter().find(is_last).ok_or(FileError::BrokenWorkbook)?;
        let end = size - (tail.len() - at) as u64;
        let field = |offset: usize| u16_at(&tail, at + offset).unwrap_or_default();
        let (disk, list_disk, here, count) = (field(4), field(6), field(8), field(10));
        let (length, directory) =
            (u32_at(&tail, at + 12).unwrap_or_default(), u32_at(&tail, at + 16).unwrap_or_default());
        ensure!(
            disk == 0 && list_disk == 0 && here == count && count <= MAX_ENTRIES && length <= MAX_DIRECTORY,
            FileError::NeedsFallback
        );
        ensure!(directory + length <= end, FileError::BrokenWorkbook);
        let bytes = read_exact(blob, directory, length as usize)?;
        let (mut rest, mut entries) = (&bytes[..], HashMap::with_capacity(count));
        for _ in 0..count {
            let (name, entry, after) = parse_entry(rest).ok_or(FileError::BrokenWorkbook)?;
            // With duplicate names, different programs would read different entries.
            let name = normalize_name(&String::from_utf8_lossy(name));
            ensure!(entries.insert(name, entry).is_none(), FileError::BrokenWorkbook);
            rest = after;
        }
        ensure!(
            !entries.values().any(|entry| [entry.packed, entry.size, entry.head].contains(&LARGE)),
            FileError::NeedsFallback
        );
        // Overlapping entries are a sign of a decompression bomb.
        let end_of = |e: &Entry| e.head.saturating_add(HEAD_BYTES as u64).saturating_add(e.packed);
        let mut places: Vec<_> = entries.values().map(|e| (e.head, end_of(e))).collect();
        places.sort_unstable();
        let (starts, ends) = (places.iter().skip(1).map(|p| p.0).chain([directory]), places.iter().map(|p| p.1));
        ensure!(!starts.zip(ends).any(|(start, end)| start < end), FileError::BrokenWorkbook);
        Ok(Archive { entries, directory })
    }

    /// Returns the entry with this name, ignoring case.
    pub fn find(&self, name: &str) -> Option<Entry> {
        self.entries.get(&normalize_name(name)).copied()
    }

    /// Opens an entry.
    ///
    /// # Errors
    /// The entry is encrypted, uses an unsupported compression, isn't where the directory says, or would unpack to too
    /// much.
    pub fn part(&self, blob: &mut dyn Blob, entry: Entry) -> Result<Part, FileError> {
        let head = read_exact(blob, entry.head, HEAD_BYTES)?;
        let (Some(name), Some(extra), true) = (u16_at(&head, 26), u16_at(&head, 28), head.starts_with(b"PK\x03\x04"))
        else {
            return Err(FileError::BrokenWorkbook);
        };
        let start = entry.head + (HEAD_BYTES + name + extra) as u64;
        ensure!(start + entry.packed <= self.directory, FileError::BrokenWorkbook);
        ensure!(!entry.is_encrypted, FileError::PasswordProtected);
        if entry.size > MAX_INFLATED || (entry.size > UNCHECKED_BYTES && entry.size / MAX_RATIO > entry.packed) {
            return Err(TOO_LARGE);
        }
        let method = u16_at(&head, 8);
        if method != Some(if entry.is_deflated { 8 } else { 0 }) {
            return Err(FileError::NeedsFallback);
        }
        Ok(Part::new(start, &entry))
    }
}

/// Parses the first entry of the directory and returns its name, the entry and the rest of the directory.
fn parse_entry(directory: &[u8]) -> Option<(&[u8], Entry, &[u8])> {
    let rest = directory.strip_prefix(b"PK\x01\x02").and(directory.get(46..))?;
    let (name, rest) = rest.split_at_checked(u16_at(directory, 28)?)?;
    let (extra, rest) = rest.split_at_checked(u16_at(directory, 30)?)?;
    let rest = rest.get(u16_at(directory, 32)?..)?;
    // The values that do not fit into 32 bits follow in this order.
    let mut large = large_values(extra);
    let mut value = |at: usize| match u32_at(directory, at)? {
        LARGE => Some(large.next().unwrap_or(LARGE)),
        value => Some(value),
    };
    let (size, packed, head) = (value(24)?, value(20)?, value(42)?);
    let entry = Entry {
        is_encrypted: u16_at(directory, 8)? & 1 != 0,
        is_deflated: u16_at(directory, 10)? == 8,
        crc: u32_at(directory, 16)? as u32,
        packed,
        size,
        head,
    };
    Some((name, entry, rest))
}

/// Returns the 64-bit values of an entry's additional fields (zip64).
fn large_values(mut extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut found: &[u8] = &[];
    while let (Some(id), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let Some((content, rest)) = extra[4..].split_at_checked(length) else { break };
        if id == 1 {
            found = content;
            break;
        }
        extra = rest;
    }
    found.as_chunks().0.iter().map(|&value| u64::from_le_bytes(value))
}

fn read_exact(blob: &mut dyn Blob, offset: u64, count: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = vec![0; count];
    match read_full(blob, offset, &mut bytes)? == count {
        true => Ok(bytes),
        false => Err(FileError::BrokenWorkbook),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|&word| usize::from(u16::from_le_bytes(word)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|&long| u64::from(u32::from_le_bytes(long)))
}
