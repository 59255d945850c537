//! The stream with the workbook is taken out of its container, whatever chains and counts that names, and put into a plain
//! one, so that the library never sees the one that somebody made.

use crate::import::FileError;
use crate::import::ole::Stream;

const SECTOR: usize = 4_096;
const END: u32 = 0xFFFF_FFFE;
/// Streams that are shorter would lie in smaller sectors.
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
    let mut stream = Stream::open(Box::new(bytes))?;
    let length = usize::try_from(stream.length()).map_err(|_| FileError::BrokenWorkbook)?;
    let mut bytes = vec![0; SECTOR + length];
    stream.read(0, &mut bytes[SECTOR..])?;
    Ok(Plain { bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_comes_out_of_its_plain_container_as_it_went_in() {
        for length in [1, MINI, 5 * SECTOR + 7, 1_100 * SECTOR] {
            let stream: Vec<u8> = (0..length).map(|at| (at % 251) as u8 + 1).collect();
            let plain = Plain { bytes: [vec![0; SECTOR], stream.clone()].concat() };
            let mut again = workbook(plain.finish()).unwrap();
            let (found, filled) = again.stream().split_at(length);
            assert!(found == stream && filled.iter().all(|&byte| byte == 0), "{length}");
        }
    }
}
