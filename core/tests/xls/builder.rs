//! Builds .xls workbooks by hand, including ones that no program writes.

use crate::rows::all_rows;
use forecourt_core::import::{FileError, Limits, RowBuffer, xls};

// Record types, named as in core/src/import/record.rs and \[MS-XLS\].
pub const FORMULA: u16 = 0x0006;
pub const EOF: u16 = 0x000A;
pub const DATE_1904: u16 = 0x0022;
pub const FILE_PASS: u16 = 0x002F;
pub const CONTINUE: u16 = 0x003C;
pub const CODE_PAGE: u16 = 0x0042;
pub const BOUND_SHEET: u16 = 0x0085;
pub const MULRK: u16 = 0x00BD;
pub const RSTRING: u16 = 0x00D6;
pub const XF: u16 = 0x00E0;
pub const SST: u16 = 0x00FC;
pub const LABEL_SST: u16 = 0x00FD;
pub const BLANK: u16 = 0x0201;
pub const NUMBER: u16 = 0x0203;
pub const LABEL: u16 = 0x0204;
pub const BOOL_ERR: u16 = 0x0205;
pub const FORMULA_3: u16 = 0x0206;
pub const STRING: u16 = 0x0207;
pub const ROW: u16 = 0x0208;
pub const RK: u16 = 0x027E;
pub const FORMULA_4: u16 = 0x0406;
pub const FORMAT: u16 = 0x041E;
pub const SHRFMLA: u16 = 0x04BC;
pub const BOF: u16 = 0x0809;

const SECTOR: usize = 512;
const END: u32 = 0xFFFF_FFFE;

/// Creates a record.
pub fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes(), &(data.len() as u16).to_le_bytes(), data].concat()
}

/// Encodes little-endian numbers.
pub fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub fn row(row: u16) -> Vec<u8> {
    record(ROW, &words(&[row, 0, 9, 0, 0, 0, 0, 0]))
}

/// Creates a cell with the first style.
pub fn cell(kind: u16, row: u16, column: u16, value: &[u8]) -> Vec<u8> {
    record(kind, &[&words(&[row, column, 0]), value].concat())
}

pub fn number(row: u16, column: u16, value: f64) -> Vec<u8> {
    cell(NUMBER, row, column, &value.to_le_bytes())
}

pub fn shared(row: u16, column: u16, place: u32) -> Vec<u8> {
    cell(LABEL_SST, row, column, &place.to_le_bytes())
}

/// Creates a formula whose cached string follows.
pub fn formula(row: u16, column: u16) -> Vec<u8> {
    cell(FORMULA, row, column, &[0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0])
}

/// Encodes an 8-bit string.
pub fn byte_string(text: &str) -> Vec<u8> {
    [&words(&[text.len() as u16])[..], &[0], text.as_bytes()].concat()
}

/// Creates the records of a workbook with one sheet: `globals` precede it, `cells` are its content.
pub fn stream(globals: &[u8], cells: &[u8]) -> Vec<u8> {
    let bof = |kind: u16| record(BOF, &words(&[0x0600, kind, 0, 0, 0, 0, 0, 0]));
    let before = [&bof(5)[..], globals].concat();
    let sheet = |start: u32| record(BOUND_SHEET, &[&start.to_le_bytes()[..], &[0, 0, 1, 0, b'S']].concat());
    let start = before.len() + sheet(0).len() + 4;
    [&before[..], &sheet(start as u32), &record(EOF, &[]), &bof(16), cells, &record(EOF, &[])].concat()
}

/// Creates the SST: the declared count, and the pieces of the record.
pub fn sst(count: u32, pieces: &[&[u8]]) -> Vec<u8> {
    let head = [count.to_le_bytes(), count.to_le_bytes()].concat();
    let mut bytes = record(SST, &[&head, pieces[0]].concat());
    pieces[1..].iter().for_each(|piece| bytes.extend(record(CONTINUE, piece)));
    bytes
}

/// Creates a container for a stream; `place` maps its sectors to those of the file.
pub fn container(stream: &[u8], place: impl Fn(usize) -> usize) -> Vec<u8> {
    container_with_sector_size(SECTOR, stream, place)
}

/// Creates a container with sectors of `size` bytes.
pub fn container_with_sector_size(size: usize, stream: &[u8], place: impl Fn(usize) -> usize) -> Vec<u8> {
    let length = stream.len().max(4_096);
    let count = length.div_ceil(size);
    let tables = (count + 1).div_ceil(size / 4 - 1) + 1;
    let mut table = vec![u32::MAX; tables * size / 4];
    let mut bytes = vec![0; (1 + count + 1 + tables) * size];
    for sector in 0..count {
        let at = (1 + place(sector)) * size;
        let piece = stream.get(sector * size..).unwrap_or_default();
        let piece = &piece[..piece.len().min(size)];
        bytes[at..at + piece.len()].copy_from_slice(piece);
        table[place(sector)] = if sector + 1 == count { END } else { place(sector + 1) as u32 };
    }
    table[count] = END;
    let put = |bytes: &mut [u8], at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    for (index, (name, kind, start, length)) in
        [("Root Entry", 5, END, 0), ("Workbook", 2, place(0) as u32, length as u32)].into_iter().enumerate()
    {
        let at = (1 + count) * size + index * 128;
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes[at..at + name.len()].copy_from_slice(&name);
        (bytes[at + 64], bytes[at + 66]) = (name.len() as u8 + 2, kind);
        put(&mut bytes, at + 116, start);
        put(&mut bytes, at + 120, length);
    }
    for (index, entry) in table.into_iter().enumerate() {
        put(&mut bytes, (2 + count) * size + index * 4, entry);
    }
    bytes[..8].copy_from_slice(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    bytes[26..34].copy_from_slice(&[3, 0, 0xFE, 0xFF, size.ilog2() as u8, 0, 6, 0]);
    for (at, value) in [(44, tables as u32), (48, count as u32), (60, END), (68, END)] {
        put(&mut bytes, at, value);
    }
    for index in 0..109 {
        put(&mut bytes, 76 + index * 4, if index < tables { (count + 1 + index) as u32 } else { u32::MAX });
    }
    bytes
}

/// Creates a workbook with these records before and in its sheet.
pub fn workbook(globals: &[u8], cells: &[u8]) -> Vec<u8> {
    container(&stream(globals, cells), |sector| sector)
}

/// Returns a row as a line of columns and texts.
pub fn line_of(row: &RowBuffer) -> String {
    let cells: Vec<String> = row.row().cells().map(|(column, text)| format!("{column}={text}")).collect();
    cells.join("|")
}

/// Returns the rows of the only sheet with their numbers.
pub fn rows(bytes: Vec<u8>) -> Result<Vec<(u64, String)>, FileError> {
    all_rows(&mut *xls::open(Box::new(bytes), &Limits::default())?, 0, line_of)
}
