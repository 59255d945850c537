//! Reads streams of OLE compound files (\[MS-CFB\]), the container of .xls. Sector chains are followed only as far as
//! needed, because the FAT sectors that describe them may be anywhere in the file.

mod directory;
#[cfg(feature = "files")]
mod named;

use super::blob::read_full;
use super::recognise::is_bare_biff;
use super::record::{u16_at, u32_at};
use super::{Blob, FileError};
use directory::{Directory, ENTRY_BYTES};
#[cfg(feature = "files")]
pub(super) use named::read_streams;

/// The highest sector number; larger values are markers.
const MAX_SECTOR: u32 = 0xFFFF_FFF9;
/// The size from which on streams are stored in sectors. Smaller streams are stored in the mini stream.
const MINI_CUTOFF: u64 = 4_096;
const MINI_SECTOR: usize = 64;
const HEADER: usize = 512;

/// The stream with the workbook's records.
pub(super) struct Stream {
    sectors: Sectors,
    body: Body,
    length: u64,
}

enum Body {
    Chain(Chain),
    /// The whole stream in memory.
    InMemory(Vec<u8>),
    /// The file itself is the stream, without a container.
    Bare,
}

impl Stream {
    /// Opens the workbook stream of an OLE file, or a bare BIFF stream.
    pub fn open(mut blob: Box<dyn Blob>) -> Result<Stream, FileError> {
        let mut start = [0; 4];
        if read_full(&mut *blob, 0, &mut start)? == start.len() && is_bare_biff(&start) {
            let length = blob.size();
            let sectors = Sectors { blob, size: HEADER, fat_sectors: Vec::new(), fat: Vec::new() };
            return Ok(Stream { sectors, body: Body::Bare, length });
        }
        let (mut sectors, head) = Sectors::open(blob)?;
        let number = |at: usize| u32_at(&head, at).ok_or(FileError::BrokenWorkbook);
        let directory = sectors.read_directory(number(48)?)?;
        let (mini_stream, (start, length)) = (directory.mini_stream_start()?, directory.find_workbook()?);
        let length = u64::from(length);
        ensure!(length <= sectors.blob.size(), FileError::BrokenWorkbook);
        let body = if length >= MINI_CUTOFF {
            Body::Chain(Chain::new(start))
        } else {
            Body::InMemory(sectors.read_mini_stream(
                Chain::new(mini_stream),
                Chain::new(number(60)?),
                start,
                length as usize,
            )?)
        };
        Ok(Stream { sectors, body, length })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns in how many fragments of the file the followed part of the stream lies.
    pub fn fragments(&self) -> usize {
        match &self.body {
            Body::Chain(chain) => chain.runs.len(),
            Body::InMemory(_) | Body::Bare => 1,
        }
    }

    pub fn read(&mut self, offset: u64, into: &mut [u8]) -> Result<(), FileError> {
        let end = offset.saturating_add(into.len() as u64);
        let is_whole = end <= self.length
            && match &mut self.body {
                Body::Chain(chain) => self.sectors.read(chain, offset, into)? == into.len(),
                Body::Bare => read_full(&mut *self.sectors.blob, offset, into)? == into.len(),
                Body::InMemory(bytes) => {
                    let found = bytes.get(offset as usize..end as usize);
                    found.map(|found| into.copy_from_slice(found)).is_some()
                }
            };
        if is_whole { Ok(()) } else { Err(FileError::BrokenWorkbook) }
    }

    /// Loads the whole stream into memory and returns its bytes for modification.
    #[cfg(feature = "files")]
    pub fn load(&mut self) -> Result<&mut [u8], FileError> {
        if !matches!(self.body, Body::InMemory(_)) {
            let length = usize::try_from(self.length).map_err(|_| FileError::BrokenWorkbook)?;
            let mut bytes = vec![0; length];
            self.read(0, &mut bytes)?;
            self.body = Body::InMemory(bytes);
        }
        match &mut self.body {
            Body::InMemory(bytes) => Ok(bytes),
            Body::Chain(_) | Body::Bare => Err(FileError::BrokenWorkbook),
        }
    }
}

/// A sector chain that is followed step by step.
struct Chain {
    /// Runs of consecutive sectors, each with its offset in the stream and its offset in the file.
    runs: Vec<(u64, u64)>,
    /// The number of bytes in the sectors that were followed so far. `next` is the next sector.
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
    /// The numbers of the sectors that contain the FAT. `fat` has the content of those that were read.
    fat_sectors: Vec<u32>,
    fat: Vec<Option<Box<[u8]>>>,
}

impl Sectors {
    fn read_directory(&mut self, first: u32) -> Result<Directory, FileError> {
        let mut directory = Directory::default();
        let (mut chain, mut entry) = (Chain::new(first), [0; ENTRY_BYTES]);
        while self.read(&mut chain, directory.bytes_added(), &mut entry)? == ENTRY_BYTES {
            directory.add(&entry)?;
        }
        Ok(directory)
    }

    fn open(mut blob: Box<dyn Blob>) -> Result<(Sectors, [u8; HEADER]), FileError> {
        let mut head = [0; HEADER];
        ensure!(read_full(&mut *blob, 0, &mut head)? == HEADER, FileError::BrokenWorkbook);
        let size = match u16_at(&head, 30) {
            Some(9) => 512,
            Some(12) => 4_096,
            _ => return Err(FileError::BrokenWorkbook),
        };
        let mut sectors = Sectors { blob, size, fat_sectors: Vec::new(), fat: Vec::new() };
        let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let mut fat_sectors: Vec<u32> = head[76..].as_chunks::<4>().0.iter().map(number).collect();
        let mut difat = u32_at(&head, 68).ok_or(FileError::BrokenWorkbook)?;
        let mut left = sectors.sector_count();
        while difat <= MAX_SECTOR {
            // A list of more sectors than the file has is a cycle.
            left = left.checked_sub(1).ok_or(FileError::BrokenWorkbook)?;
            let bytes = sectors.read_sector(difat)?;
            let (last, numbers) = bytes.as_chunks::<4>().0.split_last().ok_or(FileError::BrokenWorkbook)?;
            fat_sectors.extend(numbers.iter().map(number));
            difat = number(last);
        }
        fat_sectors.retain(|&part| part <= MAX_SECTOR);
        ensure!(fat_sectors.len() as u64 <= sectors.sector_count(), FileError::BrokenWorkbook);
        sectors.fat.resize(fat_sectors.len(), None);
        sectors.fat_sectors = fat_sectors;
        Ok((sectors, head))
    }

    fn sector_count(&self) -> u64 {
        self.blob.size() / self.size as u64
    }

    fn sector_offset(&self, sector: u32) -> Result<u64, FileError> {
        let offset = (u64::from(sector) + 1) * self.size as u64;
        if offset < self.blob.size() { Ok(offset) } else { Err(FileError::BrokenWorkbook) }
    }

    fn read_sector(&mut self, sector: u32) -> Result<Box<[u8]>, FileError> {
        let (offset, mut bytes) = (self.sector_offset(sector)?, vec![0; self.size]);
        ensure!(read_full(&mut *self.blob, offset, &mut bytes)? == bytes.len(), FileError::BrokenWorkbook);
        Ok(bytes.into())
    }

    /// Returns the sector that follows another one in its chain.
    fn next_sector(&mut self, sector: u32) -> Result<u32, FileError> {
        let entries = self.size / 4;
        let (part, entry) = (sector as usize / entries, sector as usize % entries);
        let at = *self.fat_sectors.get(part).ok_or(FileError::BrokenWorkbook)?;
        if self.fat[part].is_none() {
            self.fat[part] = Some(self.read_sector(at)?);
        }
        let bytes = self.fat[part].as_deref().unwrap_or_default();
        u32_at(bytes, entry * 4).ok_or(FileError::BrokenWorkbook)
    }

    /// Follows a chain until it covers at least `bytes` bytes, or to its end.
    fn follow(&mut self, chain: &mut Chain, bytes: u64) -> Result<(), FileError> {
        while chain.covered < bytes && chain.next <= MAX_SECTOR {
            // A chain that is longer than the file is a cycle.
            ensure!(chain.covered <= self.blob.size(), FileError::BrokenWorkbook);
            let offset = self.sector_offset(chain.next)?;
            let is_behind = chain.runs.last().is_some_and(|(start, at)| at + (chain.covered - start) == offset);
            if !is_behind {
                chain.runs.push((chain.covered, offset));
            }
            chain.covered += self.size as u64;
            chain.next = self.next_sector(chain.next)?;
        }
        Ok(())
    }

    /// Reads bytes of a chain and returns how many there were.
    fn read(&mut self, chain: &mut Chain, offset: u64, into: &mut [u8]) -> Result<usize, FileError> {
        self.follow(chain, offset.saturating_add(into.len() as u64))?;
        let mut done = 0;
        while done < into.len() {
            let at = offset + done as u64;
            let next = chain.runs.partition_point(|(start, _)| *start <= at);
            let end = chain.runs.get(next).map_or(chain.covered, |(start, _)| *start);
            let Some((start, run_offset)) = next.checked_sub(1).map(|run| chain.runs[run]) else { break };
            let length = ((into.len() - done) as u64).min(end.saturating_sub(at)) as usize;
            if length == 0 {
                break;
            }
            let read = read_full(&mut *self.blob, run_offset + (at - start), &mut into[done..done + length])?;
            done += read;
            if read < length {
                break;
            }
        }
        Ok(done)
    }

    /// Reads a stream from the mini stream. `body` is the sector chain of the mini stream, `fat` that of the mini FAT;
    /// `start` is the stream's first mini sector.
    fn read_mini_stream(
        &mut self,
        mut body: Chain,
        mut fat: Chain,
        start: u32,
        length: usize,
    ) -> Result<Vec<u8>, FileError> {
        let (mut bytes, mut number) = (Vec::new(), start);
        while bytes.len() < length {
            let (mut sector, mut next) = ([0; MINI_SECTOR], [0; 4]);
            let wanted = MINI_SECTOR.min(length - bytes.len());
            let index = u64::from(number);
            let read = self.read(&mut body, index * MINI_SECTOR as u64, &mut sector[..wanted])?;
            ensure!(
                read >= wanted && self.read(&mut fat, index * 4, &mut next)? >= next.len(),
                FileError::BrokenWorkbook
            );
            bytes.extend_from_slice(&sector[..wanted]);
            number = u32::from_le_bytes(next);
        }
        Ok(bytes)
    }
}
