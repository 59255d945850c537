//! The parts of an archive: how they are found, and which are rejected as truncated, oversized or misplaced.

use crate::builder::{
    Entry, MAIN, ROW, archive, bomb, book, book_with, entry, frame_entries, read, relations, sheet, strings, styles,
};
use forecourt_core::import::recognise::{DetectedFormat, recognise};
use forecourt_core::import::text::format;
use forecourt_core::import::{FileError, Limits, xlsx};

const SHEET: &str = "xl/worksheets/sheet1.xml";
const RELATIONS: &str = "xl/_rels/workbook.xml.rels";

/// Returns the relationships part with an additional relationship.
fn relations_with(one_more: &str) -> Entry {
    let all = relations(&[("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "sharedStrings.xml")]);
    entry(RELATIONS, all.replace("</Relationships>", &format!("{one_more}</Relationships>")).as_bytes())
}

#[test]
fn rejects_truncated_incomplete_and_ambiguous_parts_and_too_many_sheets() {
    let part = |name: &str, content: String| entry(name, content.as_bytes());
    let sheets = |count: usize| {
        let sheets = "<sheet name=\"A\" r:id=\"r1\"/>".repeat(count);
        part("xl/workbook.xml", format!("<workbook {MAIN}><sheets>{sheets}</sheets></workbook>"))
    };
    let one_more = "<Relationship Id=\"r9\" Type=\"x\" Target=\"x\"/>";
    for part in [relations_with(one_more), sheets(4_096)] {
        assert_eq!(read(book_with(part)), Ok(vec![(1, "a".into())]));
    }
    for part in [
        relations_with("<Relationship Id=\"r9\" Type=\"x\"/>"),
        relations_with("<Relationship Id=\"r9\" Target=\"x\"/>"),
        relations_with("<Relationship Type=\"x\" Target=\"x\"/>"),
        relations_with("<Relationship Id=\"r1\" Type=\"x\" Target=\"x\"/>"),
        part(RELATIONS, relations(&[]).replace("</Relationships>", "")),
        sheets(4_097),
        part("xl/styles.xml", format!("<styleSheet {MAIN}><cellXfs>")),
        part(SHEET, format!("<worksheet {MAIN}><cols><col/></cols></worksheet>")),
        part(SHEET, format!("<worksheet {MAIN}> <cols/>")),
    ] {
        let name = part.name.clone();
        assert_eq!(read(book_with(part)), Err(FileError::BrokenWorkbook), "{name}");
    }
}

#[test]
fn hands_too_many_relationships_to_the_fallback() {
    // Two are there already.
    let up_to = |last: usize| -> String {
        (3..=last).map(|n| format!("<Relationship Id=\"r{n}\" Type=\"x\" Target=\"x\"/>")).collect()
    };
    assert_eq!(read(book_with(relations_with(&up_to(8_192)))).map(|rows| rows.len()), Ok(1));
    assert_eq!(read(book_with(relations_with(&up_to(8_193)))), Err(FileError::NeedsFallback));
}

/// Opens a workbook with these sheets and otherwise valid parts. Returns the name of each sheet and whether it is
/// hidden.
fn sheets_of(sheets: &str) -> Result<Vec<(String, bool)>, FileError> {
    let workbook = format!("<workbook {MAIN} xmlns:r=\"x\"><sheets>{sheets}</sheets></workbook>");
    let book = xlsx::open(Box::new(book_with(entry("xl/workbook.xml", workbook.as_bytes()))), &Limits::default())?;
    Ok(book.sheets().iter().map(|sheet| (sheet.name.clone(), sheet.hidden)).collect())
}

#[test]
fn skips_a_sheet_without_a_relationship_or_part() {
    let there = "<sheet name=\"There\" r:id=\"r1\"/>";
    for lost in ["<sheet name=\"Lost\" r:id=\"r77\"/>", "<sheet name=\"Lost\"/>"] {
        assert_eq!(sheets_of(&format!("{lost}{there}")), Ok(vec![("There".into(), false)]), "{lost}");
        assert_eq!(sheets_of(lost), Err(FileError::BrokenWorkbook), "{lost}");
    }
    let relations = relations(&[
        ("r1", "worksheet", "worksheets/none.xml"),
        ("r2", "worksheet", "worksheets/sheet1.xml"),
        ("r3", "styles", "none.xml"),
        ("r4", "sharedStrings", "sharedStrings.xml"),
    ]);
    let workbook = format!(
        "<workbook {MAIN} xmlns:r=\"x\"><sheets><sheet name=\"Lost\" r:id=\"r1\"/><sheet name=\"There\" r:id=\"r2\"/></sheets></workbook>"
    );
    let mut entries = frame_entries();
    entries.retain(|entry| !entry.name.contains("workbook"));
    entries.extend([entry("xl/workbook.xml", workbook.as_bytes()), entry(RELATIONS, relations.as_bytes())]);
    entries.extend([sheet(ROW), strings("<si><t>a</t></si>")]);
    assert_eq!(read(archive(&entries)), Ok(vec![(1, "a".into())]));
    // Without the strings that cells refer to, nothing is read.
    entries.retain(|entry| entry.name != "xl/sharedStrings.xml");
    assert_eq!(read(archive(&entries)), Err(FileError::BrokenWorkbook));
}

#[test]
fn finds_the_workbook_if_the_root_names_a_missing_part() {
    let root = relations(&[("r1", "officeDocument", "xl/none.xml")]);
    assert_eq!(read(book_with(entry("_rels/.rels", root.as_bytes()))), Ok(vec![(1, "a".into())]));
}

#[test]
fn only_hidden_sheets_are_hidden() {
    let sheet = |state: &str| format!("<sheet name=\"{state}\" state=\"{state}\" r:id=\"r1\"/>");
    let states = ["visible", "show", "", "hidden", "veryHidden"];
    let hidden: Vec<bool> = sheets_of(&states.map(sheet).concat()).unwrap().iter().map(|(_, hidden)| *hidden).collect();
    assert_eq!(hidden, [false, false, false, true, true]);
}

#[test]
fn finds_parts_in_lower_case_and_with_backslashes() {
    let root = relations(&[("r1", "officeDocument", "\\XL\\Workbook.xml")]);
    let parts = relations(&[
        ("r1", "worksheet", ".\\worksheets\\Sheet1.xml"),
        ("r2", "sharedStrings", "\\xl\\SharedStrings.xml"),
    ]);
    let mut entries = frame_entries();
    entries.extend([sheet(ROW), strings("<si><t>a</t></si>")]);
    entries.retain(|entry| !entry.name.ends_with(".rels"));
    entries.extend([entry("_rels/.rels", root.as_bytes()), entry(RELATIONS, parts.as_bytes())]);
    for entry in &mut entries {
        entry.name = entry.name.to_lowercase().replace('/', "\\");
    }
    let bytes = archive(&entries);
    assert_eq!(read(bytes.clone()), Ok(vec![(1, "a".into())]));
    let (found, notices) = recognise("a.xlsx", bytes.len() as u64, &bytes, &Limits::default()).unwrap();
    assert_eq!((found, notices.len()), (DetectedFormat::Xlsx, 0));
}

#[test]
fn error_names_a_document_in_place_of_the_workbook() {
    let root = relations(&[("r1", "officeDocument", "word/document.xml")]);
    let document = [entry("_rels/.rels", root.as_bytes()), entry("word/document.xml", b"<w:document/>")];
    assert_eq!(read(archive(&document)), Err(FileError::NotASpreadsheet { format: format::DOCX }));
}

#[test]
fn rejects_a_part_that_overlaps_the_central_directory() {
    let whole = book(ROW, "<si><t>a</t></si>", &[]);
    let head = whole.windows(4).rposition(|four| four == b"PK\x03\x04").unwrap();
    let with_extra = |extra: u16| {
        let mut bytes = whole.clone();
        bytes[head + 28..head + 30].copy_from_slice(&extra.to_le_bytes());
        read(bytes)
    };
    assert_eq!(with_extra(0), Ok(vec![(1, "a".into())]));
    assert_eq!(with_extra(1), Err(FileError::BrokenWorkbook));
}

#[test]
fn stops_a_part_that_exceeds_its_declared_size_or_the_compression_ratio() {
    let blanks = sheet(&format!("{ROW}{}", " ".repeat(300_000)));
    assert_eq!(read(book_with(blanks.clone())).map(|rows| rows.len()), Ok(1));
    assert_eq!(read(book_with(Entry { size: 300, ..blanks })), Err(FileError::BrokenWorkbook));
    // Trailing bytes make the ratio in the header look harmless. It is measured again while reading; the error is the
    // same as for the size limit.
    let mut bomb = bomb(SHEET, &format!("<worksheet {MAIN}><sheetData>"), " ", 80 << 20, "");
    bomb.packed.resize(1 << 20, 0);
    bomb.packed_size = 1 << 20;
    assert_eq!(read(book_with(bomb)), Err(FileError::TooMuchInside { max: 1 << 30 }));
}

#[test]
fn reads_shared_strings_among_unknown_elements() {
    let shared = "\n<x/><y><z/></y> <si><t>a<x/>b<y>no</y>c</t></si>";
    let row = "<row r=\"1\"><c r=\"A1\" t=\"s\">\n<v>0</v> </c></row>";
    assert_eq!(read(book(row, shared, &[])), Ok(vec![(1, "abc".into())]));
}

#[test]
fn rejects_runs_that_are_too_long_in_total() {
    let runs = |count: usize| format!("<si>{}</si>", format!("<r><t>{}</t></r>", "a".repeat(20_000)).repeat(count));
    assert_eq!(read(book(ROW, &runs(1), &[])).map(|rows| rows.len()), Ok(1));
    let too_long = FileError::CellTooLong { row: 1, column: 1, max: 32_767 };
    assert_eq!(read(book(ROW, &runs(2), &[])), Err(too_long));
}

#[test]
fn limits_the_memory_of_shared_strings() {
    // Stored without compression, so that the limit on the compression ratio does not apply.
    let all = format!("<sst {MAIN}>{}</sst>", format!("<si><t>{}</t></si>", "a".repeat(30_000)).repeat(4_600));
    let content = all.into_bytes();
    let (crc, size) = (zlib_rs::crc32::crc32(0, &content), content.len() as u32);
    let strings = Entry { packed: content, packed_size: size, size, crc, method: 0, ..strings("") };
    let read_string_at = |index: usize| {
        let mut entries = frame_entries();
        let row = format!("<row r=\"1\"><c r=\"A1\" t=\"s\"><v>{index}</v></c></row>");
        entries.extend([strings.clone(), styles(&[]), sheet(&row)]);
        read(archive(&entries)).map(|rows| rows.len())
    };
    assert_eq!(read_string_at(4_000), Ok(1));
    assert_eq!(read_string_at(4_599), Err(FileError::TooMuchInside { max: 128 << 20 }));
}
