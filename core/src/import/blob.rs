//! Where a file's bytes come from, wherever they lie.

use std::io;

/// A file of known length, read piece by piece: a file on the disk, one that a browser holds, or bytes in memory.
pub trait Blob {
    /// How many bytes there are.
    fn size(&self) -> u64;

    /// Reads bytes from `offset` on into all of `into`, or as many as there are; gives how many.
    ///
    /// # Errors
    /// The file can't be read any more.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize>;
}

impl Blob for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
