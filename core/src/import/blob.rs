//! Random access to a file's bytes.

#[cfg(feature = "readers")]
use super::FileError;
use std::io;

/// A file of known length: on disk, in a browser, or in memory.
pub trait Blob {
    /// Returns the file's size in bytes.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `offset` on and returns how many were read; fewer only at the end of the file.
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize>;
}

/// Reads until `into` is full or the file ends, and returns how many bytes were read.
#[cfg(feature = "readers")]
pub(super) fn read_full(blob: &mut dyn Blob, offset: u64, into: &mut [u8]) -> Result<usize, FileError> {
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
