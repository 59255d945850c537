//! The directory of an OLE file: a tree of storages and streams, written as a list of entries that link to each other.

use crate::import::FileError;
use crate::import::recognise::foreign_document_error;
use crate::import::record::u32_at;
use std::collections::BTreeSet;

/// The size of an entry in bytes.
pub(super) const ENTRY: usize = 128;
/// The kinds of entries.
const STORAGE: u8 = 1;
const STREAM: u8 = 2;

/// An entry as it lies in the file. `links` are the entries before and behind it in its storage, and the first one of its
/// own; a number beyond the list stands for none.
struct Entry {
    /// In lower case: some programs write names in capitals.
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
    /// How many bytes of the directory were added.
    pub fn length(&self) -> u64 {
        (self.entries.len() * ENTRY) as u64
    }

    /// Adds the next entry of the list.
    ///
    /// # Errors
    /// More entries than a file of 256 MB has.
    pub fn add(&mut self, bytes: &[u8; ENTRY]) -> Result<(), FileError> {
        let number = |at: usize| u32_at(bytes, at).unwrap_or_default();
        let units = bytes[..64].as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).take_while(|&u| u != 0);
        let name = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        self.entries.push(Entry {
            name: name.collect::<String>().to_ascii_lowercase(),
            kind: bytes[66],
            links: [number(68), number(72), number(76)],
            start: number(116),
            length: number(120),
        });
        if self.length() > 256 << 20 { Err(FileError::BrokenWorkbook) } else { Ok(()) }
    }

    /// Returns the first sector of the stream that holds the small streams.
    ///
    /// # Errors
    /// The directory is empty.
    pub fn root(&self) -> Result<u32, FileError> {
        self.entries.first().map(|root| root.start).ok_or(FileError::BrokenWorkbook)
    }

    /// Returns the first sector and the length of a stream by its name in lower case, wherever it stands.
    #[cfg(feature = "fallback")]
    pub fn stream(&self, name: &str) -> Option<(u32, u32)> {
        let found = self.entries.iter().find(|entry| entry.kind == STREAM && entry.name == name);
        found.map(|entry| (entry.start, entry.length))
    }

    /// Returns the first sector and the length of the workbook's stream. A file of 1995 may lie beside the newer one.
    ///
    /// Only the root's own streams count: a storage holds embedded documents, which may be workbooks too. Some programs
    /// link no entries; then every stream outside of the storages counts.
    ///
    /// # Errors
    /// The file holds no workbook.
    pub fn workbook(&self) -> Result<(u32, u32), FileError> {
        let own = self.within(self.entries.first().into_iter());
        let named = |name: &str, is_own: &dyn Fn(usize) -> bool| {
            let mut entries = self.entries.iter().enumerate();
            let found = entries.find(|(place, entry)| entry.kind == STREAM && entry.name == name && is_own(*place));
            found.map(|(_, entry)| (entry.start, entry.length))
        };
        let linked = |name| named(name, &|place| own.contains(&place));
        if let Some(found) = linked("workbook").or_else(|| linked("book")) {
            return Ok(found);
        }
        if let Some(other) = own.iter().find_map(|&place| foreign_document_error(&self.entries[place].name)) {
            return Err(other);
        }
        let nested = self.within(self.entries.iter().filter(|entry| entry.kind == STORAGE));
        let loose = |name| named(name, &|place| !nested.contains(&place));
        let another = FileError::NotASpreadsheet { found: "a document of another Office program" };
        loose("workbook").or_else(|| loose("book")).ok_or(if nested.is_empty() {
            FileError::BrokenWorkbook
        } else {
            another
        })
    }

    /// The places of the storages' own entries. Each is visited once, however many links lead to it.
    fn within<'a>(&self, storages: impl Iterator<Item = &'a Entry>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut waiting: Vec<u32> = storages.map(|storage| storage.links[2]).collect();
        while let Some(place) = waiting.pop().map(|place| place as usize) {
            // Entry 0 is the root, which stands in no storage: programs that link nothing leave zeros.
            if place == 0 {
                continue;
            }
            let Some(entry) = self.entries.get(place) else { continue };
            if found.insert(place) {
                waiting.extend(&entry.links[..2]);
            }
        }
        found
    }
}
