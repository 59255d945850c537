//! The directory of an OLE file: a tree of storages and streams, stored as a list of linked entries.

use crate::import::FileError;
use crate::import::recognise::foreign_document_error;
use crate::import::record::{decode_utf16, u32_at, utf16_units};
use crate::import::text::format;
use std::collections::BTreeSet;

pub(super) const ENTRY_BYTES: usize = 128;
const STORAGE: u8 = 1;
const STREAM: u8 = 2;

/// A directory entry. `links` are the indexes of the left sibling, the right sibling and the first child. An index
/// beyond the list means none.
struct Entry {
    /// In lower case, because some programs write names in capitals.
    name: String,
    kind: u8,
    links: [u32; 3],
    start: u32,
    length: u32,
}

#[derive(Default)]
pub(super) struct Directory {
    entries: Vec<Entry>,
}

impl Directory {
    /// Returns how many bytes of entries were added so far, which is the offset of the next entry.
    pub fn bytes_added(&self) -> u64 {
        (self.entries.len() * ENTRY_BYTES) as u64
    }

    pub fn add(&mut self, bytes: &[u8; ENTRY_BYTES]) -> Result<(), FileError> {
        let number = |at: usize| u32_at(bytes, at).unwrap_or_default();
        let name = decode_utf16(utf16_units(&bytes[..64]).take_while(|&unit| unit != 0));
        self.entries.push(Entry {
            name: name.collect::<String>().to_ascii_lowercase(),
            kind: bytes[66],
            links: [number(68), number(72), number(76)],
            start: number(116),
            length: number(120),
        });
        if self.bytes_added() > 256 << 20 { Err(FileError::BrokenWorkbook) } else { Ok(()) }
    }

    /// Returns the first sector of the mini stream.
    pub fn mini_stream_start(&self) -> Result<u32, FileError> {
        self.entries.first().map(|root| root.start).ok_or(FileError::BrokenWorkbook)
    }

    /// Returns the first sector and the length of a stream by its lower-case name, in any storage.
    #[cfg(feature = "files")]
    pub fn find_stream(&self, name: &str) -> Option<(u32, u32)> {
        let found = self.entries.iter().find(|entry| entry.kind == STREAM && entry.name == name);
        found.map(|entry| (entry.start, entry.length))
    }

    /// Returns the first sector and the length of the workbook stream; "Workbook" takes precedence over
    /// "Book" of Excel 5 and 95.
    ///
    /// Only the streams of the root count, because storages contain embedded documents, which may be workbooks too.
    /// Some programs don't link the entries; then every stream that isn't in a storage counts.
    pub fn find_workbook(&self) -> Result<(u32, u32), FileError> {
        let root_entries = self.children(self.entries.first().into_iter());
        let named = |name: &str, is_own: &dyn Fn(usize) -> bool| {
            let mut entries = self.entries.iter().enumerate();
            let found = entries.find(|(index, entry)| entry.kind == STREAM && entry.name == name && is_own(*index));
            found.map(|(_, entry)| (entry.start, entry.length))
        };
        let linked = |name| named(name, &|index| root_entries.contains(&index));
        if let Some(found) = linked("workbook").or_else(|| linked("book")) {
            return Ok(found);
        }
        if let Some(other) = root_entries.iter().find_map(|&index| foreign_document_error(&self.entries[index].name)) {
            return Err(other);
        }
        let nested = self.children(self.entries.iter().filter(|entry| entry.kind == STORAGE));
        let unlinked = |name| named(name, &|index| !nested.contains(&index));
        let another = FileError::NotASpreadsheet { format: format::OTHER_OFFICE };
        unlinked("workbook").or_else(|| unlinked("book")).ok_or(if nested.is_empty() {
            FileError::BrokenWorkbook
        } else {
            another
        })
    }

    /// Returns the indexes of the storages' children. Each is visited once, so cycles of links are harmless.
    fn children<'a>(&self, storages: impl Iterator<Item = &'a Entry>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut pending: Vec<u32> = storages.map(|storage| storage.links[2]).collect();
        while let Some(index) = pending.pop().map(|index| index as usize) {
            // Entry 0 is the root, which has no parent; programs that don't link entries leave zeros.
            if index == 0 {
                continue;
            }
            let Some(entry) = self.entries.get(index) else { continue };
            if found.insert(index) {
                pending.extend(&entry.links[..2]);
            }
        }
        found
    }
}
