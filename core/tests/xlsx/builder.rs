//! Builds .xlsx workbooks by hand, including ones that no program writes.

use crate::rows::all_rows;
use forecourt_core::import::{FileError, Limits, RowBuffer, xlsx};
use zlib_rs::crc32::crc32;
use zlib_rs::{Deflate, DeflateFlush};

pub const MAIN: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// An entry of an archive: its name, its content and what the archive declares about it.
#[derive(Clone)]
pub struct Entry {
    pub name: String,
    pub packed: Vec<u8>,
    pub crc: u32,
    pub packed_size: u32,
    pub size: u32,
    pub method: u16,
    pub flags: u16,
    /// The offset of the entry's local header that the central directory declares; `None` for the actual one.
    pub head: Option<u32>,
}

pub fn entry(name: &str, content: &[u8]) -> Entry {
    let mut deflate = Deflate::new(6, false, 15);
    let mut packed = vec![0; zlib_rs::compress_bound(content.len())];
    deflate.compress(content, &mut packed, DeflateFlush::Finish).unwrap();
    packed.truncate(deflate.total_out() as usize);
    let (crc, packed_size) = (crc32(0, content), packed.len() as u32);
    Entry { name: name.into(), packed, crc, packed_size, size: content.len() as u32, method: 8, flags: 0, head: None }
}

/// Creates an entry of `start`, about `bytes` bytes of `repeated` (in blocks of at most 1 MiB), and `end`, without
/// keeping all of it in memory.
pub fn bomb(name: &str, start: &str, repeated: &str, bytes: usize, end: &str) -> Entry {
    let block = repeated.repeat((1 << 20) / repeated.len());
    let mut deflate = Deflate::new(6, false, 15);
    let (mut packed, mut crc, mut size) = (Vec::new(), 0, 0);
    let blocks = std::iter::repeat_n(block.as_str(), bytes >> 20);
    let mut room = vec![0; 2 << 20];
    for piece in [start].into_iter().chain(blocks).chain([end, ""]) {
        let flush = if piece.is_empty() { DeflateFlush::Finish } else { DeflateFlush::NoFlush };
        let before = deflate.total_out();
        deflate.compress(piece.as_bytes(), &mut room, flush).unwrap();
        packed.extend_from_slice(&room[..(deflate.total_out() - before) as usize]);
        crc = crc32(crc, piece.as_bytes());
        size += piece.len() as u32;
    }
    let packed_size = packed.len() as u32;
    Entry { name: name.into(), packed, crc, packed_size, size, method: 8, flags: 0, head: None }
}

/// Creates an archive of these entries.
pub fn archive(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    let put = |bytes: &mut Vec<u8>, words: &[u16], longs: &[u32]| {
        words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        longs.iter().for_each(|long| bytes.extend(long.to_le_bytes()));
    };
    for entry in entries {
        let head = entry.head.unwrap_or(bytes.len() as u32);
        let (sizes, name) = ([entry.crc, entry.packed_size, entry.size], entry.name.len() as u16);
        bytes.extend(b"PK\x03\x04");
        put(&mut bytes, &[20, entry.flags, entry.method, 0, 0], &sizes);
        put(&mut bytes, &[name, 0], &[]);
        bytes.extend(entry.name.as_bytes());
        bytes.extend(&entry.packed);
        list.extend(b"PK\x01\x02");
        put(&mut list, &[20, 20, entry.flags, entry.method, 0, 0], &sizes);
        put(&mut list, &[name, 0, 0, 0, 0], &[0, head]);
        list.extend(entry.name.as_bytes());
    }
    let (start, count) = (bytes.len() as u32, entries.len() as u16);
    bytes.extend(&list);
    bytes.extend(b"PK\x05\x06");
    put(&mut bytes, &[0, 0, count, count], &[list.len() as u32, start]);
    put(&mut bytes, &[0], &[]);
    bytes
}

pub fn relations(of: &[(&str, &str, &str)]) -> String {
    let relation = |(id, kind, target): &(&str, &str, &str)| {
        format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let all: String = of.iter().map(relation).collect();
    format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{all}</Relationships>"
    )
}

/// Returns the parts of a workbook with one sheet, except the sheet, its strings and its styles.
fn frame_parts() -> [(&'static str, String); 3] {
    let workbook = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<workbook {MAIN} xmlns:r=\"{OFFICE}\">\
         <sheets><sheet name=\"A &amp; B\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
    );
    // Targets may be absolute or contain dots; the reader must resolve them.
    let parts = [
        ("r1", "worksheet", "worksheets/sheet1.xml"),
        ("r2", "sharedStrings", "/xl/sharedStrings.xml"),
        ("r3", "styles", "../xl/./styles.xml"),
    ];
    [
        ("_rels/.rels", relations(&[("r1", "officeDocument", "xl/workbook.xml")])),
        ("xl/workbook.xml", workbook),
        ("xl/_rels/workbook.xml.rels", relations(&parts)),
    ]
}

pub fn frame_entries() -> Vec<Entry> {
    frame_parts().map(|(name, content)| entry(name, content.as_bytes())).into()
}

fn strings_content(content: &str) -> String {
    format!("<sst {MAIN}>{content}</sst>")
}

pub fn strings(content: &str) -> Entry {
    entry("xl/sharedStrings.xml", strings_content(content).as_bytes())
}

/// Creates styles with these format codes.
fn styles_content(codes: &[&str]) -> String {
    let formats = codes.iter().enumerate().map(|(n, code)| {
        let code = code.replace('"', "&quot;");
        format!("<numFmt numFmtId=\"{}\" formatCode=\"{code}\"/>", n + 164)
    });
    let cells: String = (0..codes.len()).map(|n| format!("<xf numFmtId=\"{}\"/>", n + 164)).collect();
    let formats: String = formats.collect();
    // The date format in `cellStyleXfs` must be ignored: cells refer to `cellXfs`.
    format!(
        "<styleSheet {MAIN}><numFmts>{formats}</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>\
         <cellXfs>{cells}</cellXfs></styleSheet>"
    )
}

pub fn styles(codes: &[&str]) -> Entry {
    entry("xl/styles.xml", styles_content(codes).as_bytes())
}

fn sheet_content(rows: &str) -> String {
    // The declared dimension is too small, and must be ignored.
    format!("<worksheet {MAIN}><dimension ref=\"A1\"/><sheetData>{rows}</sheetData></worksheet>")
}

pub fn sheet(rows: &str) -> Entry {
    entry("xl/worksheets/sheet1.xml", sheet_content(rows).as_bytes())
}

/// Returns all parts of a workbook with one sheet of these rows, strings and format codes.
pub fn parts(rows: &str, shared: &str, formats: &[&str]) -> Vec<(&'static str, Vec<u8>)> {
    let rest = [
        ("xl/sharedStrings.xml", strings_content(shared)),
        ("xl/styles.xml", styles_content(formats)),
        ("xl/worksheets/sheet1.xml", sheet_content(rows)),
    ];
    frame_parts().into_iter().chain(rest).map(|(name, content)| (name, content.into_bytes())).collect()
}

/// Creates a workbook with one sheet of these rows, strings and format codes.
pub fn book(rows: &str, shared: &str, formats: &[&str]) -> Vec<u8> {
    let entries: Vec<Entry> = parts(rows, shared, formats).iter().map(|(name, content)| entry(name, content)).collect();
    archive(&entries)
}

/// Creates a workbook with a single text cell, in which `part` replaces the part of the same name, or is added.
pub fn book_with(part: Entry) -> Vec<u8> {
    let mut entries = frame_entries();
    entries.extend([strings("<si><t>a</t></si>"), styles(&["General"]), sheet(ROW)]);
    entries.retain(|entry| entry.name != part.name);
    entries.push(part);
    archive(&entries)
}

pub const ROW: &str = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>";

/// Returns all rows of the first sheet: their numbers, and their cells separated by `·`.
pub fn read(bytes: Vec<u8>) -> Result<Vec<(u64, String)>, FileError> {
    all_rows(&mut *xlsx::open(Box::new(bytes), &Limits::default())?, 0, line_of)
}

pub fn line_of(row: &RowBuffer) -> String {
    let mut cells = Vec::new();
    for (column, text) in row.row().cells() {
        cells.resize(column, "");
        cells.push(text);
    }
    cells.join("·")
}
