//! Random access to a file's bytes.

use std::io;

/// A file of known length: on disk, in a browser, or in memory.
pub trait Blob {
    /// Returns the file's size in bytes.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `offset` on and returns how many were read; fewer only at the end of the file.
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
