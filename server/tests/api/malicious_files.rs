//! Malicious files: the reader process may fail on them, but the server responds and keeps running.

use crate::server::Server;
use serde_json::json;
use std::path::Path;

/// Returns a zip archive of uncompressed files.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let (offset, size) = (out.len() as u32, text.len() as u32);
        let mut entry = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        entry.extend([crc32(text.as_bytes()), size, size].iter().flat_map(|n| n.to_le_bytes()));
        entry.extend((name.len() as u16).to_le_bytes());
        entry.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&entry);
        out.extend(name.as_bytes());
        out.extend(text.as_bytes());
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&entry);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, size, count) = (out.len() as u32, directory.len() as u32, files.len() as u16);
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].iter().flat_map(|n| n.to_le_bytes()));
    out.extend([size, start].iter().flat_map(|n| n.to_le_bytes()));
    out.extend([0, 0]);
    out
}

pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 })
    })
}

/// Returns a workbook with these shared strings and this sheet.
pub fn xlsx(strings: &str, sheet: &str) -> Vec<u8> {
    let rels = |target: &str, kind: &str| {
        format!(
            r#"<Relationship Id="r{kind}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" Target="{target}"/>"#
        )
    };
    let list = |inside: &str| {
        format!(
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inside}</Relationships>"#
        )
    };
    let main = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
    zip(&[
        ("[Content_Types].xml", r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#),
        ("_rels/.rels", &list(&rels("xl/workbook.xml", "officeDocument"))),
        (
            "xl/workbook.xml",
            &format!(
                r#"<workbook {main} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rworksheet"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &list(&(rels("worksheets/sheet1.xml", "worksheet") + &rels("sharedStrings.xml", "sharedStrings"))),
        ),
        ("xl/sharedStrings.xml", &strings.replace("MAIN", main)),
        ("xl/worksheets/sheet1.xml", &format!("<worksheet {main}>{sheet}</worksheet>")),
    ])
}

const STRINGS: &str = "<sst MAIN><si><t>Namn</t></si><si><t>Ada</t></si></sst>";
const SHEET: &str = r#"<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row></sheetData>"#;

/// Reads an undamaged file of core's tests.
fn valid_file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/files").join(name)).unwrap()
}

#[tokio::test]
async fn malicious_files_get_a_response_and_use_little_memory() {
    let server = Server::start().await;
    let preview = async |name: &str, bytes: Vec<u8>| {
        let reply = server.upload("preview", name, bytes, &json!([])).await;
        (reply.status.as_u16(), reply.value()["message"].as_str().unwrap_or_default().to_owned())
    };
    let harmless = preview("a.xlsx", xlsx(STRINGS, SHEET)).await;
    assert_eq!(harmless.0, 200, "{}", harmless.1);
    let before = server.peak_memory();

    let many_strings = STRINGS.replace("<sst MAIN>", r#"<sst MAIN count="4294967295" uniqueCount="4294967295">"#);
    let (status, message) = preview("a.xlsx", xlsx(&many_strings, SHEET)).await;
    assert!(status == 200 || message.starts_with("This file could not be read."), "{status} {message}");
    let sparse = SHEET.replace("</sheetData>", r#"<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>"#);
    assert_eq!(preview("a.xlsx", xlsx(STRINGS, &sparse)).await.0, 200);
    let outside = SHEET.replace(r#"r="A2""#, r#"r="ZZZZZZ99999999999""#);
    assert_eq!(preview("a.xlsx", xlsx(STRINGS, &outside)).await.0, 400);
    let deep = format!("{}{}", "<si><r>".repeat(200_000), "</r></si>".repeat(200_000));
    let (status, message) = preview("a.xlsx", xlsx(&STRINGS.replace("</sst>", &format!("{deep}</sst>")), SHEET)).await;
    assert!(status == 200 || status == 400, "{status} {message}");
    // In each file, four bytes in the header of an old workbook have their maximum.
    let old = valid_file("kontakte-97.xls");
    for at in (24..80).step_by(4) {
        let mut bytes = old.clone();
        bytes[at..at + 4].fill(0xFF);
        let (status, message) = preview("a.xls", bytes).await;
        assert!(status == 200 || status == 400, "{at}: {status} {message}");
    }
    let wide = format!("Namn{}\n{}\n", ",x".repeat(500_000), "Ada,".repeat(250_000));
    assert_eq!(preview("a.csv", wide.into_bytes()).await.0, 400);

    server.get("/api/contacts").await;
    let growth = server.peak_memory() - before;
    assert!(growth < 50, "the server grew by {growth} MB");
}
