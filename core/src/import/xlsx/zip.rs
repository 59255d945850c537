//! A zip archive's list of entries, read from its end, and the way to each of them. Only what an Office program writes:
//! what else the format knows asks for another reader, and what contradicts itself is broken.

use super::inflate::Part;
use crate::import::{Blob, FileError};
use std::collections::HashMap;

/// More entries than these, or a longer list of them, no workbook of rows and columns has.
const MOST_ENTRIES: usize = 4_096;
const LONGEST_LIST: u64 = 4 << 20;
/// The end record, and the longest comment that may stand behind it.
const END_BYTES: usize = 22;
const LONGEST_COMMENT: usize = 65_535;
/// How large an entry's head is, before its name.
const HEAD_BYTES: usize = 30;
/// The most that a part may unpack to, and how many times its packed size once it is larger than the third figure: real
/// sheets of nothing but coloured blanks come to a hundred times.
pub(super) const MOST_INFLATED: u64 = 1 << 30;
pub(super) const MOST_RATIO: u64 = 200;
pub(super) const FREE_RATIO: u64 = 64 << 20;
/// What is said of a workbook that unpacks to more.
pub(super) const TOO_MUCH: FileError = FileError::TooMuchInside { most: MOST_INFLATED };

/// A file in the archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    is_locked: bool,
    pub is_deflated: bool,
    pub crc: u32,
    pub packed: u64,
    pub size: u64,
    head: u64,
}

/// The entries by their names, as [`plain`] writes these.
pub(super) struct Archive {
    entries: HashMap<String, Entry>,
    /// Where the list begins, and the entries end.
    list: u64,
}

impl Archive {
    /// Reads the list of entries.
    ///
    /// # Errors
    /// The archive is cut off or contradicts itself, or it is of a kind that isn't read here.
    pub fn open(blob: &mut dyn Blob) -> Result<Archive, FileError> {
        let size = blob.size();
        let tail = size.min((END_BYTES + LONGEST_COMMENT) as u64);
        let tail = bytes(blob, size - tail, tail as usize)?;
        let ends = (0..=tail.len().saturating_sub(END_BYTES)).rev().filter(|&at| tail[at..].starts_with(b"PK\x05\x06"));
        let is_last = |at: &usize| word(&tail, at + 20).is_some_and(|comment| at + END_BYTES + comment <= tail.len());
        let at = ends.into_iter().find(is_last).ok_or(FileError::BrokenWorkbook)?;
        let end = size - (tail.len() - at) as u64;
        let field = |offset: usize| word(&tail, at + offset).unwrap_or_default();
        let (disk, list_disk, here, count) = (field(4), field(6), field(8), field(10));
        let (length, list) = (long(&tail, at + 12).unwrap_or_default(), long(&tail, at + 16).unwrap_or_default());
        if disk != 0 || list_disk != 0 || here != count || count > MOST_ENTRIES || length > LONGEST_LIST {
            return Err(FileError::NeedsFallback);
        }
        if list + length > end {
            return Err(FileError::BrokenWorkbook);
        }
        let bytes = bytes(blob, list, length as usize)?;
        let (mut rest, mut entries) = (&bytes[..], HashMap::with_capacity(count));
        for _ in 0..count {
            let (name, entry, after) = listed(rest).ok_or(FileError::BrokenWorkbook)?;
            // Two of one name: every program would read another one of them.
            if entries.insert(plain(name), entry).is_some() {
                return Err(FileError::BrokenWorkbook);
            }
            rest = after;
        }
        if entries.values().any(|entry| [entry.packed, entry.size, entry.head].contains(&u64::from(u32::MAX))) {
            return Err(FileError::NeedsFallback);
        }
        // Entries that lie over each other make a small file large.
        let mut places: Vec<_> = entries.values().map(|e| (e.head, e.head + HEAD_BYTES as u64 + e.packed)).collect();
        places.sort_unstable();
        let (starts, ends) = (places.iter().skip(1).map(|p| p.0).chain([list]), places.iter().map(|p| p.1));
        if starts.zip(ends).any(|(start, end)| start < end) {
            return Err(FileError::BrokenWorkbook);
        }
        Ok(Archive { entries, list })
    }

    /// The entry of a name, whatever its case.
    pub fn find(&self, name: &str) -> Option<Entry> {
        self.entries.get(&plain(name.as_bytes())).copied()
    }

    /// Begins to read an entry.
    ///
    /// # Errors
    /// It is locked, packed in an unusual way, or not where it is said to be, or it would unpack to too much.
    pub fn part(&self, blob: &mut dyn Blob, entry: Entry) -> Result<Part, FileError> {
        let head = bytes(blob, entry.head, HEAD_BYTES)?;
        let (Some(name), Some(extra), true) = (word(&head, 26), word(&head, 28), head.starts_with(b"PK\x03\x04"))
        else {
            return Err(FileError::BrokenWorkbook);
        };
        let start = entry.head + (HEAD_BYTES + name + extra) as u64;
        if start + entry.packed > self.list {
            return Err(FileError::BrokenWorkbook);
        }
        if entry.is_locked {
            return Err(FileError::PasswordProtected);
        }
        if entry.size > MOST_INFLATED || (entry.size > FREE_RATIO && entry.size / MOST_RATIO > entry.packed) {
            return Err(TOO_MUCH);
        }
        let method = word(&head, 8);
        if method != Some(if entry.is_deflated { 8 } else { 0 }) {
            return Err(FileError::NeedsFallback);
        }
        Ok(Part::new(start, &entry))
    }
}

/// The first entry of a list: its name, itself, and the rest of the list.
fn listed(list: &[u8]) -> Option<(&[u8], Entry, &[u8])> {
    let rest = list.strip_prefix(b"PK\x01\x02").and(list.get(46..))?;
    let (name, rest) = rest.split_at_checked(word(list, 28)?)?;
    let rest = rest.get(word(list, 30)? + word(list, 32)?..)?;
    let entry = Entry {
        is_locked: word(list, 8)? & 1 != 0,
        is_deflated: word(list, 10)? == 8,
        crc: long(list, 16)? as u32,
        packed: long(list, 20)?,
        size: long(list, 24)?,
        head: long(list, 42)?,
    };
    Some((name, entry, rest))
}

/// A name as all spellings of it come to the same.
fn plain(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name).replace('\\', "/").to_ascii_lowercase();
    name.trim_start_matches('/').to_owned()
}

/// So many bytes from a place on.
fn bytes(blob: &mut dyn Blob, offset: u64, count: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = vec![0; count];
    match read(blob, offset, &mut bytes)? == count {
        true => Ok(bytes),
        false => Err(FileError::BrokenWorkbook),
    }
}

/// Reads as much as there is, however many pieces it comes in.
pub(super) fn read(blob: &mut dyn Blob, offset: u64, into: &mut [u8]) -> Result<usize, FileError> {
    let mut count = 0;
    while count < into.len() {
        match blob.read_at(offset + count as u64, &mut into[count..]) {
            Ok(0) => break,
            Ok(more) => count += more.min(into.len() - count),
            Err(_) => return Err(FileError::Unreadable),
        }
    }
    Ok(count)
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|&word| usize::from(u16::from_le_bytes(word)))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|&long| u64::from(u32::from_le_bytes(long)))
}
