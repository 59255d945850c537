//! The container of an .xls: a file system in a file. The stream with the workbook is taken out of it, whatever chains and
//! counts it names, and put into a plain container, so that the library never sees the one that somebody made.

use crate::import::FileError;

const SECTOR: usize = 4_096;
const END: u32 = 0xFFFF_FFFE;
/// Larger numbers are no sectors.
const LAST: u32 = 0xFFFF_FFF9;
/// Streams that are shorter lie in sectors of 64 bytes, inside a stream of their own.
const MINI: usize = 4_096;

/// A plain container with nothing but a workbook's stream.
pub(super) struct Plain {
    /// The header's sector, not yet filled in, and the stream.
    bytes: Vec<u8>,
}

impl Plain {
    /// The workbook's records.
    pub(super) fn stream(&mut self) -> &mut [u8] {
        &mut self.bytes[SECTOR..]
    }

    /// The container's bytes.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut bytes = self.bytes;
        let length = (bytes.len() - SECTOR).max(MINI);
        bytes.resize(SECTOR + length.next_multiple_of(SECTOR), 0);
        let stream = (bytes.len() / SECTOR - 1) as u32;

        let mut directory = vec![0; SECTOR];
        for (place, name, kind) in [(0, "Root Entry", 5), (128, "Workbook", 2)] {
            let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            directory[place..place + name.len()].copy_from_slice(&name);
            directory[place + 64] = name.len() as u8 + 2;
            directory[place + 66] = kind;
        }
        directory[128 + 120..128 + 128].copy_from_slice(&(length as u64).to_le_bytes());
        bytes.append(&mut directory);

        // Every sector has an entry of four bytes: those of the stream, the directory, and the entries themselves.
        let tables = (stream as usize + 1).div_ceil(SECTOR / 4 - 1);
        let next = (0..stream).map(|sector| if sector + 1 == stream { END } else { sector + 1 });
        let entries = next.chain([END]).chain(std::iter::repeat_n(0xFFFF_FFFD, tables));
        bytes.extend(entries.flat_map(u32::to_le_bytes));
        bytes.resize((2 + stream as usize + tables) * SECTOR, 0xFF);

        bytes[..8].copy_from_slice(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
        bytes[26..34].copy_from_slice(&[4, 0, 0xFE, 0xFF, 12, 0, 6, 0]);
        let mut number = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        number(44, tables as u32);
        number(48, stream);
        number(60, END);
        number(68, END);
        for place in 0..109 {
            number(76 + place * 4, if place < tables { stream + 1 + place as u32 } else { u32::MAX });
        }
        bytes
    }
}

/// The workbook's stream out of an OLE file.
pub(super) fn workbook(bytes: Vec<u8>) -> Result<Plain, FileError> {
    Container::of(&bytes).and_then(|container| container.workbook()).ok_or(FileError::BrokenWorkbook)
}

struct Container<'a> {
    bytes: &'a [u8],
    sector: usize,
    /// Which sector comes after each.
    table: Vec<u32>,
}

impl<'a> Container<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let sector = match u16_at(bytes, 30)? {
            9 => 512,
            12 => 4_096,
            _ => return None,
        };
        let mut container = Container { bytes, sector, table: Vec::new() };
        let mut parts: Vec<u32> = (0..109).map_while(|place| u32_at(bytes, 76 + place * 4)).collect();
        let mut list = u32_at(bytes, 68)?;
        let mut rest = container.sectors();
        while list <= LAST {
            rest = rest.checked_sub(1)?;
            let numbers = container.sector(list)?;
            let (numbers, after) = numbers.split_at_checked(sector - 4)?;
            parts.extend(numbers.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
            list = u32_at(after, 0)?;
        }
        let parts: Vec<u32> = parts.into_iter().filter(|&part| part <= LAST).collect();
        if parts.len() > container.sectors() {
            return None;
        }
        for part in parts {
            let entries = container.sector(part)?.as_chunks::<4>().0;
            container.table.extend(entries.iter().map(|bytes| u32::from_le_bytes(*bytes)));
        }
        Some(container)
    }

    fn sectors(&self) -> usize {
        self.bytes.len() / self.sector
    }

    /// A sector, or what there is of it where the file ends.
    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        let start = (number as usize).checked_add(1)?.checked_mul(self.sector)?;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        Some(&rest[..rest.len().min(self.sector)])
    }

    /// Adds a chain of sectors, as far as `most` bytes. A chain that goes in a circle never ends, and is none.
    fn chain(&self, start: u32, most: usize, into: &mut Vec<u8>) -> Option<()> {
        let (mut number, mut left) = (start, most);
        for _ in 0..=self.sectors() {
            if number > LAST || left == 0 {
                return Some(());
            }
            let sector = self.sector(number)?;
            let length = sector.len().min(left);
            into.extend_from_slice(&sector[..length]);
            left -= length;
            number = *self.table.get(number as usize)?;
        }
        None
    }

    fn workbook(&self) -> Option<Plain> {
        let mut directory = Vec::new();
        self.chain(u32_at(self.bytes, 48)?, usize::MAX, &mut directory)?;
        let entries = directory.as_chunks::<128>().0;
        let entry =
            ["workbook", "book"].into_iter().find_map(|name| entries.iter().find(|e| is_called(&e[..], name)))?;
        let (start, length) = (u32_at(entry, 116)?, u32_at(entry, 120)? as usize);
        let mut bytes = vec![0; SECTOR];
        if length >= MINI {
            self.chain(start, length, &mut bytes)?;
        } else {
            self.mini_chain(u32_at(entries.first()?, 116)?, start, length, &mut bytes)?;
        }
        // What is shorter than it says was cut off.
        (bytes.len() == SECTOR + length).then_some(Plain { bytes })
    }

    fn mini_chain(&self, container: u32, start: u32, length: usize, into: &mut Vec<u8>) -> Option<()> {
        let (mut small, mut table) = (Vec::new(), Vec::new());
        self.chain(container, usize::MAX, &mut small)?;
        self.chain(u32_at(self.bytes, 60)?, usize::MAX, &mut table)?;
        let (mut number, mut left) = (start, length);
        while left > 0 {
            let at = (number as usize).checked_mul(64)?;
            let sector = small.get(at..at + 64.min(left))?;
            into.extend_from_slice(sector);
            left -= sector.len();
            number = u32_at(&table, (number as usize).checked_mul(4)?)?;
        }
        Some(())
    }
}

fn is_called(entry: &[u8], name: &str) -> bool {
    let units = entry[..64].as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).take_while(|&u| u != 0);
    let found: Vec<u16> =
        units.map(|unit| u8::try_from(unit).map_or(unit, |b| b.to_ascii_lowercase().into())).collect();
    entry[66] == 2 && found.into_iter().eq(name.encode_utf16())
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
