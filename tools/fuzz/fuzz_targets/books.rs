//! Fuzz target: reads arbitrary bytes as .xlsb or .ods. The readers must return rows or an error. Most inputs become
//! the parts of a valid archive, assembled from fragments of such files.
#![no_main]

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback};
use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn rows(book: &mut dyn Book, sheet: usize) -> Result<(), FileError> {
    book.start(sheet)?;
    let (mut row, mut last) = (RowBuffer::default(), 0);
    while book.next(&mut row)? {
        assert!(row.number() > last);
        last = row.number();
        assert!(row.row().cells().map(|(column, _)| column).is_sorted_by(|a, b| a < b));
    }
    Ok(())
}

fn read(bytes: Vec<u8>, kind: FileKind) {
    let Ok(mut book) = fallback::open(bytes, kind, &Limits::default()) else { return };
    for sheet in 0..book.sheets().len().min(4) {
        let _ = book.sample(sheet, 50);
        let _ = rows(&mut *book, sheet);
    }
}

fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        zip.start_file(*name, stored).expect("starting a part in memory succeeds");
        zip.write_all(content).expect("writing to memory succeeds");
    }
    zip.finish().expect("finishing an archive in memory succeeds").into_inner()
}

/// Fragments of an .ods file. Each byte of the input selects the fragment with its number; a larger byte is copied.
const FRAGMENTS: [&str; 40] = [
    "<table:table table:name='S'>", "</table:table>", "<table:table-row>", "</table:table-row>", "<table:table-cell>",
    "</table:table-cell>", "<text:p>", "</text:p>", "<table:table-cell/>", "<table:table-row table:number-rows-repeated='9'>",
    "<table:table-row table:number-rows-repeated='1048576'>", "<table:table-cell table:number-columns-repeated='16383'/>",
    "<table:table-cell table:number-columns-repeated='3'>", "<table:table-cell office:value-type='float' office:value='1'/>",
    "<table:table-cell office:value-type='float' office:value='1e308' table:style-name='c'/>",
    "<table:table-cell office:value-type='percentage' office:value='-.5'/>", "<text:s text:c='9'/>", "<text:tab/>",
    "<table:table-cell office:value-type='date' office:date-value='2024-01-01T'>", "<text:line-break/>",
    "<table:table-cell office:value-type='time' office:time-value='PT9H'>", "<office:annotation>", "</office:annotation>",
    "<number:number-style style:name='n'>", "</number:number-style>", "<number:number number:min-integer-digits='9'",
    " number:decimal-places='3'", "/>", ">", "</number:number>", "<number:embedded-text number:position='2'>",
    "</number:embedded-text>", "<style:style style:name='c' style:family='table-cell' style:data-style-name='n'/>",
    "<style:map style:condition='value()&gt;0' style:apply-style-name='n'/>", "<draw:frame>", "</draw:frame>", "&amp;",
    "<office:body><office:spreadsheet>", "</office:spreadsheet></office:body>", "<![CDATA[x]]>",
];

fn xml(recipe: &[u8]) -> Vec<u8> {
    recipe.iter().fold(Vec::new(), |mut xml, &byte| {
        match FRAGMENTS.get(usize::from(byte)) {
            Some(fragment) => xml.extend_from_slice(fragment.as_bytes()),
            None => xml.push(byte),
        }
        xml
    })
}

/// Builds .xlsb records from the input: for each record, one byte selects the kind, one is the length, and the data
/// follows.
fn records(recipe: &[u8]) -> Vec<u8> {
    const KINDS: [u16; 32] = [
        0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 44, 47, 62, 146, 156, 153, 617, 618, 145, 148,
    ];
    let (mut out, mut rest) = (Vec::new(), recipe);
    while let [kind, length, after @ ..] = rest {
        let kind = KINDS[usize::from(kind % 32)];
        out.extend(if kind < 128 { vec![kind as u8] } else { vec![kind as u8 & 127 | 128, (kind >> 7) as u8] });
        let (data, after) = after.split_at(usize::from(length & 127).min(after.len()));
        out.push(data.len() as u8);
        out.extend_from_slice(data);
        rest = after;
    }
    out
}

fuzz_target!(|input: (u8, Vec<u8>, Vec<u8>)| {
    let (choice, first, second) = input;
    match choice % 8 {
        0 => read(first, FileKind::Xlsb),
        1 => read(first, FileKind::Ods),
        2..=4 => {
            let body = b"<o><office:body><office:spreadsheet>";
            let content = [&body[..], &xml(&second)].concat();
            read(archive(&[("styles.xml", &xml(&first)), ("content.xml", &content)]), FileKind::Ods);
        }
        _ => {
            let link = |id: &str, kind: &str| format!("<Relationship Id='{id}' Type='/{kind}' Target='{kind}.bin'/>");
            let links = [&link("r", "worksheet"), &link("t", "sharedStrings"), &link("s", "styles")].map(String::as_str).concat();
            let links = format!("<Relationships>{links}</Relationships>");
            let book = b"\x9C\x01\x14\0\0\0\0\0\0\0\0\x01\0\0\0r\0\x01\0\0\0S\0";
            let sheet = [b"\x91\x01\0\0\x11", &[0; 17][..], &records(&second), b"\x92\x01\0"].concat();
            let shared = records(&first);
            let parts: [(&str, &[u8]); 5] = [
                ("xl/workbook.bin", book),
                ("xl/_rels/workbook.bin.rels", links.as_bytes()),
                ("xl/worksheet.bin", &sheet),
                ("xl/sharedStrings.bin", &shared),
                ("xl/styles.bin", &shared),
            ];
            read(archive(&parts), FileKind::Xlsb);
        }
    }
});
