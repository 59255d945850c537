//! The container of an .xls: a file system in a file, whose sectors are put in order by chains. A chain is followed only as
//! far as somebody reads, since the sectors that say how it goes on may lie anywhere in the file.

mod directory;
#[cfg(feature = "fallback")]
mod named;

use super::recognise::is_bare_biff;
use super::record::{u16_at, u32_at};
use super::{Blob, FileError};
use directory::{Directory, ENTRY};
#[cfg(feature = "fallback")]
pub(super) use named::streams;

/// Larger numbers are no sectors.
const LAST: u32 = 0xFFFF_FFF9;
/// Streams that are shorter lie in sectors of 64 bytes, inside a stream of their own.
const MINI: u64 = 4_096;
const MINI_SECTOR: usize = 64;
const HEAD: usize = 512;

/// The stream of a workbook's records.
pub(super) struct Stream {
    sectors: Sectors,
    body: Body,
    length: u64,
}

enum Body {
    Chain(Chain),
    /// The whole stream, in memory.
    Held(Vec<u8>),
    /// The file is the stream: there is no container around it.
    Bare,
}

impl Stream {
    /// Finds the workbook in an OLE file, or takes a file without a container that begins as a workbook's stream.
    ///
    /// # Errors
    /// There is no workbook, or the container is damaged.
    pub fn open(mut blob: Box<dyn Blob>) -> Result<Stream, FileError> {
        let mut start = [0; 4];
        if fill(&mut *blob, 0, &mut start)? == start.len() && is_bare_biff(&start) {
            let length = blob.size();
            let sectors = Sectors { blob, size: HEAD, parts: Vec::new(), table: Vec::new() };
            return Ok(Stream { sectors, body: Body::Bare, length });
        }
        let (mut sectors, head) = Sectors::open(blob)?;
        let number = |at: usize| u32_at(&head, at).ok_or(FileError::BrokenWorkbook);
        let directory = sectors.directory(number(48)?)?;
        let (root, (start, length)) = (directory.root()?, directory.workbook()?);
        let length = u64::from(length);
        if length > sectors.blob.size() {
            return Err(FileError::BrokenWorkbook);
        }
        let body = if length >= MINI {
            Body::Chain(Chain::new(start))
        } else {
            Body::Held(sectors.small(Chain::new(root), Chain::new(number(60)?), start, length as usize)?)
        };
        Ok(Stream { sectors, body, length })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// In how many pieces the stream lies in the file, as far as it was read.
    pub fn pieces(&self) -> usize {
        match &self.body {
            Body::Chain(chain) => chain.runs.len(),
            Body::Held(_) | Body::Bare => 1,
        }
    }

    /// Reads bytes of the stream.
    ///
    /// # Errors
    /// There are fewer of them.
    pub fn read(&mut self, offset: u64, into: &mut [u8]) -> Result<(), FileError> {
        let end = offset.saturating_add(into.len() as u64);
        let is_whole = end <= self.length
            && match &mut self.body {
                Body::Chain(chain) => self.sectors.read(chain, offset, into)? == into.len(),
                Body::Bare => fill(&mut *self.sectors.blob, offset, into)? == into.len(),
                Body::Held(bytes) => {
                    let found = bytes.get(offset as usize..end as usize);
                    found.map(|found| into.copy_from_slice(found)).is_some()
                }
            };
        if is_whole { Ok(()) } else { Err(FileError::BrokenWorkbook) }
    }

    /// Reads the whole stream into memory, and returns its bytes to be changed.
    ///
    /// # Errors
    /// The stream breaks off.
    #[cfg(feature = "fallback")]
    pub fn hold(&mut self) -> Result<&mut [u8], FileError> {
        if !matches!(self.body, Body::Held(_)) {
            let length = usize::try_from(self.length).map_err(|_| FileError::BrokenWorkbook)?;
            let mut bytes = vec![0; length];
            self.read(0, &mut bytes)?;
            self.body = Body::Held(bytes);
        }
        match &mut self.body {
            Body::Held(bytes) => Ok(bytes),
            Body::Chain(_) | Body::Bare => Err(FileError::BrokenWorkbook),
        }
    }
}

/// A chain of sectors, as far as it was followed.
struct Chain {
    /// Where sectors begin that lie one behind the other: in the chain, and in the file.
    runs: Vec<(u64, u64)>,
    /// How many bytes the sectors hold that were followed, and which one comes next.
    covered: u64,
    next: u32,
}

impl Chain {
    fn new(start: u32) -> Chain {
        Chain { runs: Vec::new(), covered: 0, next: start }
    }
}

struct Sectors {
    blob: Box<dyn Blob>,
    size: usize,
    /// The sectors of the table that names every sector's next one, and those of them that were read.
    parts: Vec<u32>,
    table: Vec<Option<Box<[u8]>>>,
}

impl Sectors {
    /// Reads the directory, whose first sector this is.
    ///
    /// # Errors
    /// Its chain is damaged.
    fn directory(&mut self, first: u32) -> Result<Directory, FileError> {
        let mut directory = Directory::default();
        let (mut chain, mut entry) = (Chain::new(first), [0; ENTRY]);
        while self.read(&mut chain, directory.length(), &mut entry)? == ENTRY {
            directory.add(&entry)?;
        }
        Ok(directory)
    }

    fn open(mut blob: Box<dyn Blob>) -> Result<(Sectors, [u8; HEAD]), FileError> {
        let mut head = [0; HEAD];
        if fill(&mut *blob, 0, &mut head)? < HEAD {
            return Err(FileError::BrokenWorkbook);
        }
        let size = match u16_at(&head, 30) {
            Some(9) => 512,
            Some(12) => 4_096,
            _ => return Err(FileError::BrokenWorkbook),
        };
        let mut sectors = Sectors { blob, size, parts: Vec::new(), table: Vec::new() };
        let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let mut parts: Vec<u32> = head[76..].as_chunks::<4>().0.iter().map(number).collect();
        let mut list = u32_at(&head, 68).ok_or(FileError::BrokenWorkbook)?;
        let mut left = sectors.max();
        while list <= LAST {
            // More of them than sectors go in a circle.
            left = left.checked_sub(1).ok_or(FileError::BrokenWorkbook)?;
            let bytes = sectors.sector(list)?;
            let (last, numbers) = bytes.as_chunks::<4>().0.split_last().ok_or(FileError::BrokenWorkbook)?;
            parts.extend(numbers.iter().map(number));
            list = number(last);
        }
        parts.retain(|&part| part <= LAST);
        if parts.len() as u64 > sectors.max() {
            return Err(FileError::BrokenWorkbook);
        }
        sectors.table.resize(parts.len(), None);
        sectors.parts = parts;
        Ok((sectors, head))
    }

    /// No file has more sectors than these.
    fn max(&self) -> u64 {
        self.blob.size() / self.size as u64
    }

    /// Where a sector lies in the file.
    fn place(&self, sector: u32) -> Result<u64, FileError> {
        let place = (u64::from(sector) + 1) * self.size as u64;
        if place < self.blob.size() { Ok(place) } else { Err(FileError::BrokenWorkbook) }
    }

    fn sector(&mut self, sector: u32) -> Result<Box<[u8]>, FileError> {
        let (place, mut bytes) = (self.place(sector)?, vec![0; self.size]);
        if fill(&mut *self.blob, place, &mut bytes)? < bytes.len() {
            return Err(FileError::BrokenWorkbook);
        }
        Ok(bytes.into())
    }

    /// Which sector comes after another one.
    fn next(&mut self, sector: u32) -> Result<u32, FileError> {
        let entries = self.size / 4;
        let (part, entry) = (sector as usize / entries, sector as usize % entries);
        let at = *self.parts.get(part).ok_or(FileError::BrokenWorkbook)?;
        if self.table[part].is_none() {
            self.table[part] = Some(self.sector(at)?);
        }
        let bytes = self.table[part].as_deref().unwrap_or_default();
        u32_at(bytes, entry * 4).ok_or(FileError::BrokenWorkbook)
    }

    /// Follows a chain until it holds so many bytes, or to its end.
    fn follow(&mut self, chain: &mut Chain, bytes: u64) -> Result<(), FileError> {
        while chain.covered < bytes && chain.next <= LAST {
            // One that goes in a circle never ends.
            if chain.covered > self.blob.size() {
                return Err(FileError::BrokenWorkbook);
            }
            let place = self.place(chain.next)?;
            let is_behind = chain.runs.last().is_some_and(|(start, at)| at + (chain.covered - start) == place);
            if !is_behind {
                chain.runs.push((chain.covered, place));
            }
            chain.covered += self.size as u64;
            chain.next = self.next(chain.next)?;
        }
        Ok(())
    }

    /// Reads bytes of a chain, as many as there are; gives how many.
    fn read(&mut self, chain: &mut Chain, offset: u64, into: &mut [u8]) -> Result<usize, FileError> {
        self.follow(chain, offset.saturating_add(into.len() as u64))?;
        let mut done = 0;
        while done < into.len() {
            let at = offset + done as u64;
            let next = chain.runs.partition_point(|(start, _)| *start <= at);
            let end = chain.runs.get(next).map_or(chain.covered, |(start, _)| *start);
            let Some((start, place)) = next.checked_sub(1).map(|run| chain.runs[run]) else { break };
            let length = ((into.len() - done) as u64).min(end.saturating_sub(at)) as usize;
            if length == 0 {
                break;
            }
            let read = fill(&mut *self.blob, place + (at - start), &mut into[done..done + length])?;
            done += read;
            if read < length {
                break;
            }
        }
        Ok(done)
    }

    /// A stream in small sectors: these lie in a chain, and another one holds their table.
    fn small(&mut self, mut body: Chain, mut table: Chain, start: u32, length: usize) -> Result<Vec<u8>, FileError> {
        let (mut bytes, mut number) = (Vec::new(), start);
        while bytes.len() < length {
            let (mut sector, mut next) = ([0; MINI_SECTOR], [0; 4]);
            let wanted = MINI_SECTOR.min(length - bytes.len());
            let place = u64::from(number);
            let read = self.read(&mut body, place * MINI_SECTOR as u64, &mut sector[..wanted])?;
            if read < wanted || self.read(&mut table, place * 4, &mut next)? < next.len() {
                return Err(FileError::BrokenWorkbook);
            }
            bytes.extend_from_slice(&sector[..wanted]);
            number = u32::from_le_bytes(next);
        }
        Ok(bytes)
    }
}

fn fill(blob: &mut dyn Blob, offset: u64, into: &mut [u8]) -> Result<usize, FileError> {
    let mut done = 0;
    while done < into.len() {
        match blob.read_at(offset + done as u64, &mut into[done..]).map_err(|_| FileError::Unreadable)? {
            0 => break,
            read => done += read,
        }
    }
    Ok(done)
}
