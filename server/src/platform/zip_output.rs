//! The buffer into which a ZIP archive is written, while its first bytes are already sent to the client.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of the archive that were written, but not yet taken to be sent. Clones share them.
#[derive(Clone, Default)]
pub struct ZipOutput(Arc<Mutex<Vec<u8>>>);

impl Write for ZipOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ZipOutput {
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
