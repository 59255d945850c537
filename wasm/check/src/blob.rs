//! A file that the browser holds.

use forecourt_core::import::Blob;
use std::io;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Gives as many bytes from an offset on as are asked for, or as there are.
    #[wasm_bindgen(typescript_type = "(offset: number, length: number) => Uint8Array")]
    pub type ReadAt;
    #[wasm_bindgen(method, catch, structural, js_name = call)]
    fn at(this: &ReadAt, nobody: &JsValue, offset: f64, length: f64) -> Result<Vec<u8>, JsValue>;
}

/// How much is asked for at once where reading begins; as much again each time that it goes on from there, up to the most.
const FIRST_PAGE: u64 = 64 << 10;
const MOST_PAGE: u64 = 1 << 20;
/// How many places of the file are remembered: its list of parts, and the few parts that are read side by side.
const PAGES: usize = 4;

/// A file's bytes, given by a function. What was read is remembered for a while, since crossing over to JavaScript and to
/// the file costs more than reading on.
pub struct JsBlob {
    size: u64,
    read: ReadAt,
    /// The one that was asked for last stands last.
    pages: Vec<Page>,
}

struct Page {
    start: u64,
    bytes: Vec<u8>,
}

impl Page {
    /// The bytes from there on; none if it is somewhere else.
    fn from(&self, offset: u64) -> &[u8] {
        let place = offset.checked_sub(self.start).and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.bytes.get(place..)).unwrap_or_default()
    }
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl JsBlob {
    pub fn new(size: f64, read: ReadAt) -> JsBlob {
        JsBlob { size: size as u64, read, pages: Vec::new() }
    }

    /// The bytes from there on, as many as a page holds; none behind the file's end.
    fn page(&mut self, offset: u64) -> io::Result<&[u8]> {
        let found = self.pages.iter().position(|page| !page.from(offset).is_empty());
        let page = match found {
            Some(place) => self.pages.remove(place),
            None => {
                // A page that ends here isn't needed any more.
                let before = self.pages.iter().position(|page| page.end() == offset);
                let before = before.map(|place| self.pages.remove(place));
                let length =
                    before.map_or(FIRST_PAGE, |page| (page.bytes.len() as u64 * 2).clamp(FIRST_PAGE, MOST_PAGE));
                if self.pages.len() == PAGES {
                    self.pages.remove(0);
                }
                Page { start: offset, bytes: self.ask(offset, length.min(self.size.saturating_sub(offset)))? }
            }
        };
        self.pages.push(page);
        Ok(self.pages.last().map_or(&[], |page| page.from(offset)))
    }

    fn ask(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        if length == 0 {
            return Ok(Vec::new());
        }
        let bytes = self.read.at(&JsValue::NULL, offset as f64, length as f64).map_err(|_| gone())?;
        // A file that gives less than it has was changed or taken away since.
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(gone()) }
    }
}

impl Blob for JsBlob {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
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

fn gone() -> io::Error {
    io::ErrorKind::NotFound.into()
}
