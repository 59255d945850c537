//! Malicious files: each quickly yields a specific error or the correct rows.

use crate::builder::{
    Entry, MAIN, ROW, archive, bomb, book, book_with, entry, frame_entries, read, relations, sheet, strings, styles,
};
use crate::cpu_time::cpu_time;
use crate::random::Xorshift;
use forecourt_core::import::text::format;
use forecourt_core::import::{FileError, Limits, RowBuffer, xlsx};
use std::time::Duration;

/// In CPU time, with an allowance for builds without optimization.
const TIME_LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
/// The unpacked size of a bomb; smaller in builds without optimization, because compressing it takes time too.
const BOMB_BYTES: usize = if cfg!(debug_assertions) { 160 << 20 } else { 1 << 30 };
const SHEET: &str = "xl/worksheets/sheet1.xml";

/// Reads a sample and then the whole sheet, each within the time limit. Returns the number of rows of each.
fn sample_and_read_in_time(name: &str, bytes: Vec<u8>) -> (Result<usize, FileError>, Result<usize, FileError>) {
    let start = cpu_time();
    let mut book = match xlsx::open(Box::new(bytes), &Limits::default()) {
        Ok(book) => book,
        Err(error) => return (Err(error.clone()), Err(error)),
    };
    let sampled = book.sample(0, 50).map(|rows| rows.len());
    let middle = cpu_time();
    let mut whole = || {
        book.start(0)?;
        let (mut row, mut count) = (RowBuffer::default(), 0);
        while book.next(&mut row)? {
            count += 1;
        }
        Ok(count)
    };
    let whole = whole();
    let times = [middle - start, cpu_time() - middle];
    assert!(times.iter().all(|time| *time < TIME_LIMIT), "{name} took {times:?}");
    (sampled, whole)
}

fn is_too_much<T>(outcome: &Result<T, FileError>) -> bool {
    matches!(outcome, Err(FileError::TooMuchInside { .. }))
}

#[test]
fn rejects_a_part_with_an_excessive_declared_ratio() {
    let open = format!("<worksheet {MAIN}><sheetData>");
    let close = "</sheetData></worksheet>";
    let cell = format!("{open}<row><c t=\"inlineStr\"><is><t>");
    for (name, start, repeated, end) in [
        ("spaces", open.clone(), " ", close.into()),
        ("text", cell, "a", format!("</t></is></c></row>{close}")),
        ("cells", format!("{open}<row>"), "<c/>", format!("</row>{close}")),
        ("depth", open.clone(), "<x>", close.into()),
        ("comment", format!("{open}<!--"), "-", format!("-->{close}")),
    ] {
        let (sampled, whole) =
            sample_and_read_in_time(name, book_with(bomb(SHEET, &start, repeated, BOMB_BYTES - (1 << 20), &end)));
        assert!(is_too_much(&sampled) && is_too_much(&whole), "{name}: {sampled:?} {whole:?}");
    }
    // Rows compress less; there are more of them than a sheet may have.
    let rows = bomb(SHEET, &open, "<row><c><v>1</v></c></row>", 64 << 20, close);
    assert_eq!(sample_and_read_in_time("rows", book_with(rows)), (Ok(50), Err(FileError::BrokenWorkbook)));
    // Styles are limited too. Strings are read only as far as cells refer to them, and other parts not at all.
    let strings = bomb("xl/sharedStrings.xml", &format!("<sst {MAIN}>"), "<si><t>a</t></si>", BOMB_BYTES, "</sst>");
    assert_eq!(sample_and_read_in_time("strings", book_with(strings)), (Ok(1), Ok(1)));
    let styles = bomb("xl/styles.xml", &format!("<styleSheet {MAIN}><cellXfs>"), "<xf/>", BOMB_BYTES, "</styleSheet>");
    assert!(is_too_much(&sample_and_read_in_time("styles", book_with(styles)).1));
    let other = bomb("xl/media/image1.png", "PNG", "\0", BOMB_BYTES, "");
    assert_eq!(sample_and_read_in_time("image", book_with(other)), (Ok(1), Ok(1)));
}

#[test]
fn rejects_a_part_whose_declared_sizes_are_wrong() {
    let start = format!("<worksheet {MAIN}><sheetData>");
    let tags = [" ", "\u{85}", "&", "<row/>", "<c/>", "<a b=''>", "<?x?>", "<![CDATA[x]]>"];
    // Parsing tags is slow without optimization.
    for repeated in tags.into_iter().take(if cfg!(debug_assertions) { 3 } else { 8 }) {
        let mut part = bomb(SHEET, &start, repeated, BOMB_BYTES / 4, "");
        // Padding makes its compressed size look larger, and so the ratio of its sizes harmless.
        part.packed.resize(4 << 20, 0);
        part.packed_size = 4 << 20;
        let (sampled, whole) = sample_and_read_in_time(repeated, book_with(part));
        assert!(sampled.is_err() && whole.is_err(), "{repeated}: {sampled:?} {whole:?}");
    }
    for (size, packed) in [(10, None), (1 << 30, None), (u32::MAX - 1, None), (0, None), (300, Some(0)), (300, Some(9))]
    {
        let mut part = sheet(&ROW.replace("/row>", &format!("/row>{}", " ".repeat(5_000))));
        part.size = size;
        part.packed_size = packed.unwrap_or(part.packed_size);
        let (_, whole) = sample_and_read_in_time("wrong size", book_with(part));
        assert!(whole.is_err(), "{size}: {whole:?}");
    }
}

#[test]
fn rejects_too_many_styles_and_ignores_the_declared_number_of_strings() {
    let many = format!("<styleSheet {MAIN}><cellXfs>{}</cellXfs></styleSheet>", "<xf/>".repeat(70_000));
    assert_eq!(read(book_with(entry("xl/styles.xml", many.as_bytes()))), Err(FileError::BrokenWorkbook));
    // The declared number of strings is ignored.
    for count in ["4294967295", "100000000", "-1", "0"] {
        let miscounted = format!("<sst {MAIN} count=\"{count}\" uniqueCount=\"{count}\"><si><t>a</t></si></sst>");
        assert_eq!(read(book_with(entry("xl/sharedStrings.xml", miscounted.as_bytes()))).unwrap(), [(1, "a".into())]);
    }
}

#[test]
fn rejects_contradictory_entries() {
    let duplicate_names = {
        let mut entries = frame_entries();
        entries.extend([strings(""), styles(&[]), sheet(""), entry("XL\\worksheets/Sheet1.xml", b"x")]);
        archive(&entries)
    };
    assert_eq!(read(duplicate_names), Err(FileError::BrokenWorkbook));
    let overlapping = {
        let mut entries = frame_entries();
        entries.extend([sheet(ROW), Entry { head: Some(0), ..entry("xl/sharedStrings.xml", b"x") }]);
        archive(&entries)
    };
    assert_eq!(read(overlapping), Err(FileError::BrokenWorkbook));
    assert_eq!(read(book_with(Entry { crc: 7, ..sheet(ROW) })), Err(FileError::BrokenWorkbook));
    assert_eq!(read(book_with(Entry { head: Some(1 << 30), ..sheet(ROW) })), Err(FileError::BrokenWorkbook));
    assert_eq!(read(book_with(Entry { flags: 1, ..sheet(ROW) })), Err(FileError::PasswordProtected));
    assert_eq!(read(book_with(Entry { method: 12, ..sheet(ROW) })), Err(FileError::NeedsFallback));
    assert_eq!(read(book_with(Entry { size: u32::MAX, ..sheet(ROW) })), Err(FileError::NeedsFallback));
    let stored = |content: &str| {
        let whole = sheet(content);
        let packed = format!("<worksheet {MAIN}><sheetData>{content}</sheetData></worksheet>").into_bytes();
        let size = packed.len() as u32;
        let crc = zlib_rs::crc32::crc32(0, &packed);
        Entry { packed, packed_size: size, size, crc, method: 0, ..whole }
    };
    assert_eq!(read(book_with(stored(ROW))).unwrap().len(), 1);
    assert_eq!(read(book_with(Entry { crc: 7, ..stored(ROW) })), Err(FileError::BrokenWorkbook));
}

#[test]
fn hands_too_many_entries_to_the_fallback() {
    let mut entries = frame_entries();
    entries.extend((0..60_000).map(|n| entry(&format!("x{n}"), b"")));
    assert_eq!(sample_and_read_in_time("entries", archive(&entries)).1, Err(FileError::NeedsFallback));
}

#[test]
fn rejects_relationships_to_themselves_and_to_missing_parts() {
    for target in [
        "workbook.xml",
        "_rels/workbook.xml.rels",
        "xl/workbook.xml",
        "../../etc/passwd",
        "../xl/../../xl/none.xml",
        "/",
        "",
    ] {
        let parts = relations(&[("r1", "worksheet", target), ("r2", "worksheet", "worksheets/sheet1.xml")]);
        let outcome =
            sample_and_read_in_time(target, book_with(entry("xl/_rels/workbook.xml.rels", parts.as_bytes()))).1;
        assert!(outcome.is_err(), "{target}");
    }
    let root = relations(&[("r1", "officeDocument", "_rels/.rels")]);
    assert_eq!(read(book_with(entry("_rels/.rels", root.as_bytes()))), Err(FileError::NeedsFallback));
    // The parent of the root is the root.
    let parts = relations(&[
        ("r1", "worksheet", "../../../xl/worksheets/./sheet1.xml"),
        ("r2", "sharedStrings", "sharedStrings.xml"),
    ]);
    assert_eq!(read(book_with(entry("xl/_rels/workbook.xml.rels", parts.as_bytes()))).unwrap().len(), 1);
}

#[test]
fn error_names_the_format_of_other_zip_files() {
    let other = |name: &str| read(archive(&[entry(name, b"x")]));
    assert_eq!(other("readme.txt"), Err(FileError::NotASpreadsheet { format: format::ZIP }));
    assert_eq!(other("word/document.xml"), Err(FileError::NotASpreadsheet { format: format::DOCX }));
    assert_eq!(other("ppt/presentation.xml"), Err(FileError::NotASpreadsheet { format: format::PPTX }));
    assert_eq!(other("xl/workbook.bin"), Err(FileError::NeedsFallback));
    for bytes in [Vec::new(), b"PK".to_vec(), b"PK\x03\x04".to_vec(), vec![0; 100_000]] {
        assert_eq!(read(bytes), Err(FileError::BrokenWorkbook));
    }
}

#[test]
fn rejects_document_types_and_custom_entities() {
    let internal = "<!DOCTYPE x [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
    let external = "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>";
    let rows = "<row><c t=\"inlineStr\"><is><t>&a;</t></is></c></row>";
    for start in [internal, external, "<!DOCTYPE x>", ""] {
        let content =
            format!("<?xml version=\"1.0\"?>{start}<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>");
        assert_eq!(read(book_with(entry(SHEET, content.as_bytes()))), Err(FileError::BrokenWorkbook), "{start}");
    }
}

#[test]
fn rejects_a_file_that_is_truncated_anywhere() {
    let rows: String =
        (1..400).map(|n| format!("<row r=\"{n}\"><c t=\"s\"><v>0</v></c><c><v>{n}</v></c></row>")).collect();
    let whole = book(&rows, "<si><t>a</t></si>", &["General"]);
    assert_eq!(read(whole.clone()).unwrap().len(), 399);
    for end in (0..whole.len()).step_by(97) {
        assert!(read(whole[..end].to_vec()).is_err(), "{end}");
    }
    // Only the sheet is truncated, in a valid archive.
    let content = format!("<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>");
    let end_of_rows = content.find("</worksheet>").unwrap();
    for end in (0..end_of_rows).step_by(97) {
        assert!(read(book_with(entry(SHEET, &content.as_bytes()[..end]))).is_err(), "{end}");
    }
    // The strings may be truncated too, but only after the last one that a cell refers to.
    let shared = format!("<sst {MAIN}><si><t>a</t></si>");
    assert!(read(book_with(entry("xl/sharedStrings.xml", shared.as_bytes()))).is_ok());
    assert!(read(book_with(entry("xl/sharedStrings.xml", &shared.as_bytes()[..shared.len() - 1]))).is_err());
}

#[test]
fn limits_the_sampling_of_many_blank_sheets() {
    let sheets = (0..2_000).map(|n| format!("<sheet name=\"{n}\" r:id=\"r1\"/>")).collect::<String>();
    let workbook = format!("<workbook {MAIN}><sheets>{sheets}</sheets></workbook>");
    let mut entries = frame_entries();
    entries.retain(|entry| entry.name != "xl/workbook.xml");
    let blanks = bomb(SHEET, &format!("<worksheet {MAIN}><sheetData>"), " ", 6 << 20, "</sheetData></worksheet>");
    entries.extend([entry("xl/workbook.xml", workbook.as_bytes()), strings(""), styles(&[]), blanks]);
    let (bytes, start) = (archive(&entries), cpu_time());
    let mut book = xlsx::open(Box::new(bytes), &Limits::default()).unwrap();
    let outcomes: Vec<_> = (0..2_000).map(|sheet| book.sample(sheet, 1)).collect();
    assert!(outcomes[0].as_ref().is_ok_and(Vec::is_empty) && is_too_much(&outcomes[1_999]));
    assert!(cpu_time() - start < TIME_LIMIT * 2, "{:?}", cpu_time() - start);
}

#[test]
fn randomly_changed_files_yield_rows_or_an_error() {
    let rounds = std::option_env!("MUTATIONS").and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let shared = "<si><t>a &amp; b</t></si><si><r><t>_x000D_</t></r></si><si><t xml:space=\"preserve\"> å </t></si>";
    let rows: String = (1..40)
        .map(|n| format!("<row r=\"{n}\"><c r=\"A{n}\" t=\"s\"><v>{}</v></c><c s=\"1\"><v>4{n}.5</v></c></row>", n % 3))
        .collect();
    let contents =
        [rows.clone(), "<row><c t=\"inlineStr\"><is><t><![CDATA[x]]></t></is></c><!-- c --></row>".repeat(30)];
    let mut random = Xorshift(0x5EED);
    let change = |bytes: &mut Vec<u8>, random: &mut Xorshift| {
        for _ in 0..=random.below(4) {
            let (at, to) = (random.below(bytes.len()), random.below(bytes.len()));
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => drop(bytes.drain(at..(at + 1 + random.below(9)).min(bytes.len() - 1).max(at))),
                _ => bytes[at] = bytes[to],
            }
        }
    };
    let mut outcomes = [0; 2];
    for round in 0..rounds {
        let content = &contents[round % 2];
        // Changes either the bytes of the archive, or the XML of one part, which is then put into a valid archive.
        let bytes = if random.below(3) == 0 {
            let mut bytes = book(content, shared, &["General", "yyyy-mm-dd"]);
            change(&mut bytes, &mut random);
            bytes
        } else {
            let parts = [
                (SHEET, format!("<worksheet {MAIN}><sheetData>{content}</sheetData></worksheet>")),
                ("xl/sharedStrings.xml", format!("<sst {MAIN}>{shared}</sst>")),
                (
                    "xl/workbook.xml",
                    format!("<workbook {MAIN}><sheets><sheet name=\"A\" r:id=\"r1\"/></sheets></workbook>"),
                ),
            ];
            let (name, content) = &parts[random.below(3)];
            let mut content = content.clone().into_bytes();
            change(&mut content, &mut random);
            book_with(entry(name, &content))
        };
        let start = cpu_time();
        let outcome = read(bytes);
        assert!(cpu_time() - start < TIME_LIMIT, "round {round}");
        outcomes[usize::from(outcome.is_ok())] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > rounds / 50), "{outcomes:?}");
}

#[test]
fn reads_a_cell_in_the_last_row_and_column() {
    let rows = read(book("<row r=\"1048576\"><c r=\"XFD1048576\"><v>7</v></c></row>", "", &[])).unwrap();
    assert_eq!((rows[0].0, rows[0].1.trim_start_matches('·')), (1_048_576, "7"));
}
