//! Makes a file of the browser readable for core, through its trait [`Blob`].

use forecourt_core::import::Blob;
use std::io;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A function that fills `into` with the bytes of the file from `offset` on, and returns how many there were.
    #[wasm_bindgen(typescript_type = "(offset: number, into: Uint8Array) => number")]
    pub type ReadInto;
    #[wasm_bindgen(method, catch, structural, js_name = call)]
    fn at(this: &ReadInto, this_arg: &JsValue, offset: f64, into: &mut [u8]) -> Result<JsValue, JsValue>;
}

/// How many bytes are read at a new position. A read that continues a cached page reads twice as many as that page
/// has, up to `MAX_PAGE`.
const FIRST_PAGE: u64 = 64 << 10;
const MAX_PAGE: u64 = 1 << 20;
/// Reads of at least this many bytes bypass the cache.
const UNCACHED: usize = 256 << 10;
/// The largest number of cached pages. An .xlsx file needs its directory and the few entries that are read alternately.
const MAX_PAGES: usize = 4;

/// A file that is read through a JavaScript function. Recently read pages are cached, because each call into JavaScript
/// and each file read is slow.
pub struct JsBlob {
    size: u64,
    read: ReadInto,
    /// The cached pages, the least recently used first.
    pages: Vec<Page>,
}

struct Page {
    start: u64,
    bytes: Vec<u8>,
}

impl Page {
    /// Returns the bytes of this page from `offset` on; empty if `offset` is outside the page.
    fn from(&self, offset: u64) -> &[u8] {
        let place = offset.checked_sub(self.start).and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.bytes.get(place..)).unwrap_or_default()
    }
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl JsBlob {
    pub fn new(size: f64, read: ReadInto) -> JsBlob {
        JsBlob { size: size as u64, read, pages: Vec::new() }
    }

    /// Returns the file's bytes from `offset` to the end of a page, which is read if it isn't cached; empty if `offset`
    /// is at or beyond the end of the file.
    fn page(&mut self, offset: u64) -> io::Result<&[u8]> {
        let found = self.pages.iter().position(|page| !page.from(offset).is_empty());
        let page = match found {
            Some(place) => self.pages.remove(place),
            None => {
                // If this read continues the previous page, that page is no longer needed.
                let before = self.pages.iter().position(|page| page.end() == offset);
                let before = before.map(|place| self.pages.remove(place));
                let length =
                    before.map_or(FIRST_PAGE, |page| (page.bytes.len() as u64 * 2).clamp(FIRST_PAGE, MAX_PAGE));
                if self.pages.len() == MAX_PAGES {
                    self.pages.remove(0);
                }
                Page { start: offset, bytes: self.read_exactly(offset, length.min(self.size.saturating_sub(offset)))? }
            }
        };
        self.pages.push(page);
        Ok(self.pages.last().map_or(&[], |page| page.from(offset)))
    }

    fn read_exactly(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        self.read_into(offset, &mut bytes)?;
        Ok(bytes)
    }

    fn read_into(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        if into.is_empty() {
            return Ok(());
        }
        let length = into.len() as f64;
        let read = self.read.at(&JsValue::NULL, offset as f64, into).map_err(|_| changed_file())?;
        // Fewer bytes than the known size mean that the file was changed or deleted after it was opened.
        if read == length { Ok(()) } else { Err(changed_file()) }
    }
}

impl Blob for JsBlob {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        if into.len() >= UNCACHED {
            let length = self.size.saturating_sub(offset).min(into.len() as u64) as usize;
            return self.read_into(offset, &mut into[..length]).map(|()| length);
        }
        let mut done = 0;
        while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let page = self.page(offset + done as u64)?;
            if page.is_empty() {
                break;
            }
            let length = page.len().min(rest.len());
            rest[..length].copy_from_slice(&page[..length]);
            done += length;
        }
        Ok(done)
    }
}

fn changed_file() -> io::Error {
    io::ErrorKind::NotFound.into()
}
