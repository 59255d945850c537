use super::*;
use proptest::prelude::*;

fn detect(name: &str, bytes: &[u8]) -> Result<(DetectedFormat, Vec<Message>), FileError> {
    recognise(name, bytes.len() as u64, bytes, &Limits::default())
}
fn found(name: &str, bytes: &[u8]) -> Option<DetectedFormat> {
    detect(name, bytes).ok().map(|(found, _)| found)
}
fn error(name: &str, bytes: &[u8]) -> Option<FileError> {
    detect(name, bytes).err()
}
fn not_a_spreadsheet(format: &'static Message) -> Option<FileError> {
    Some(FileError::NotASpreadsheet { format })
}
fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, content) in parts {
        bytes.extend(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(b"\0\0");
        bytes.extend(name.as_bytes());
        bytes.extend(*content);
    }
    bytes
}
fn ole(streams: &[&str]) -> Vec<u8> {
    let mut bytes = vec![0; 512];
    bytes[..8].copy_from_slice(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    for name in streams {
        let mut entry: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        let length = entry.len() as u16;
        entry.resize(128, 0);
        entry[64..66].copy_from_slice(&length.to_le_bytes());
        bytes.extend(entry);
    }
    bytes
}

#[test]
fn rejects_files_that_are_no_spreadsheet_and_gives_the_reason() {
    assert_eq!(error("a.csv", b"\x89PNG\r\n\x1a\n"), not_a_spreadsheet(format::PNG));
    assert_eq!(error("a.xlsx", b"\x1F\x8B\x08\0"), not_a_spreadsheet(format::GZIP));
    assert_eq!(error("a.csv", b"BEGIN:VCARD\nFN:Ada\n"), not_a_spreadsheet(format::VCARD));
    assert_eq!(error("a.csv", &[0, 1, 2, 3, 4, 5, 6, 7]), not_a_spreadsheet(format::UNKNOWN));
    assert_eq!(error("a.xlsx", &[0, 1, 2, 3, 4, 5, 6, 7]), Some(FileError::BrokenWorkbook));
    assert_eq!(error("a.csv", b"\xEF\xBB\xBF"), Some(FileError::Empty));
    assert_eq!(error("a.xls", b""), Some(FileError::Empty));
    for (name, extension) in [("contacts", ""), ("a.csv.pdf", "pdf")] {
        let extension = extension.to_owned();
        assert_eq!(error(name, b"a,b"), Some(FileError::UnsupportedExtension { extension }));
    }
}

#[test]
fn asks_to_save_html_and_xml_spreadsheets_as_xlsx() {
    let other = |format| Some(FileError::OtherFormat { format });
    assert_eq!(error("a.xls", b"\xEF\xBB\xBF \n<!DOCTYPE html><p>"), other(format::HTML));
    assert_eq!(error("a.xls", b"<TABLE><tr>"), other(format::HTML));
    assert_eq!(error("a.xls", b"<!-- made -->\n<meta charset=utf-8><table>"), other(format::HTML));
    let utf16: Vec<u8> = "\u{FEFF}<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(error("a.xls", &utf16), other(format::HTML));
    assert_eq!(error("a.xls", b"MIME-Version: 1.0\r\nX-Document-Type: Workbook"), other(format::MHTML));
    let xml = b"<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">";
    assert_eq!(error("a.xls", xml), other(format::XML_2003));
    assert_eq!(error("a.xlsx", b"<?xml version=\"1.0\"?><note/>"), not_a_spreadsheet(format::XML));
}

#[test]
fn reads_files_with_a_wrong_extension_and_adds_a_notice() {
    let notices = |name: &str, bytes: &[u8]| detect(name, bytes).unwrap().1;
    let xlsx = zip(&[("[Content_Types].xml", b""), ("xl/workbook.xml", b"")]);
    let word = |extension: &str, kind: &Message| {
        let sentence = format!("The name of this file ends in .{extension}, but it is {kind} and is read as such.");
        let notice = text::other_name(extension, kind);
        assert_eq!(notice, sentence.as_str());
        vec![notice]
    };
    assert_eq!(notices("a.XLS", b"Namn\tOrt\n"), word("xls", format::TEXT));
    assert_eq!(notices("a.xlsx", b"Namn\tOrt\n"), word("xlsx", format::TEXT));
    assert_eq!(notices("a.txt", &xlsx), word("txt", format::XLSX));
    assert_eq!(notices("a.xlsx", &ole(&["Root Entry", "Workbook"])), word("xlsx", format::XLS));
    for name in ["a.csv", "a.tsv", "a.txt"] {
        assert!(notices(name, b"Namn\tOrt\n").is_empty());
    }
    assert_eq!(notices("a.xlsm", &xlsx), [""; 0]);
}

#[test]
fn detects_zip_files_by_their_entries() {
    let types = ("[Content_Types].xml", &b""[..]);
    let of = |name: &str, part: &str| detect(name, &zip(&[types, (part, b"")])).map(|(found, _)| found);
    assert_eq!(of("a.xlsx", "xl/workbook.xml"), Ok(DetectedFormat::Xlsx));
    assert_eq!(of("a.xlsx", "xl/worksheets/sheet1.xml"), Ok(DetectedFormat::Xlsx));
    assert_eq!(of("a.xlsx", "xl/workbook.bin"), Ok(DetectedFormat::OtherWorkbook(FileKind::Xlsb)));
    assert_eq!(of("a.xlsx", "other/workbook.xml"), Ok(DetectedFormat::Xlsx));
    assert_eq!(of("a.xlsb", "docProps/app.xml"), Ok(DetectedFormat::OtherWorkbook(FileKind::Xlsb)));
    assert_eq!(of("a.xlsx", "word/document.xml").err(), not_a_spreadsheet(format::DOCX));
    assert_eq!(of("a.xlsx", "ppt/presentation.xml").err(), not_a_spreadsheet(format::PPTX));
    let apple = Some(FileError::OtherFormat { format: format::APPLE });
    assert_eq!(error("a.xlsx", &zip(&[("Index/Document.iwa", b"")])), apple);
    assert_eq!(error("a.xlsx", &zip(&[("photos/1.jpg", b"")])), not_a_spreadsheet(format::ZIP));
    // A document may contain another one.
    let workbook = zip(&[("xl/workbook.xml", b"")]);
    let carried = zip(&[types, ("word/document.xml", b""), ("word/embeddings/a.xlsx", &workbook)]);
    assert_eq!(error("a.xlsx", &carried), not_a_spreadsheet(format::DOCX));
    let document = zip(&[("word/document.xml", b"")]);
    assert_eq!(found("a.xlsx", &zip(&[("xl/embeddings/a.docx", &document)])), Some(DetectedFormat::Xlsx));
    let odf =
        |kind: &str| zip(&[("mimetype", format!("application/vnd.oasis.opendocument.{kind}").as_bytes()), ("a", b"")]);
    assert_eq!(found("a.ods", &odf("spreadsheet")), Some(DetectedFormat::OtherWorkbook(FileKind::Ods)));
    assert_eq!(error("a.ods", &odf("text")), not_a_spreadsheet(format::OTHER_OPEN_DOCUMENT));
    let mimetype = |kind: &[u8]| error("a.ods", &zip(&[("mimetype", kind), ("a", b"")]));
    assert_eq!(mimetype(b"application/epub+zip"), not_a_spreadsheet(format::EPUB));
    assert_eq!(mimetype(b"image/openraster"), not_a_spreadsheet(format::OTHER_DOCUMENT));
    let late = zip(&[("META-INF/manifest.xml", b""), ("mimetype", b""), ("content.xml", b"")]);
    assert_eq!(found("a.ods", &late), Some(DetectedFormat::OtherWorkbook(FileKind::Ods)));
    assert_eq!(error("a.xlsx", &late), not_a_spreadsheet(format::ZIP));
    // Only the beginning of a long file is inspected. The reader of .xlsx decides whether the rest is a workbook.
    let long = recognise("a.xlsx", 1 << 20, &zip(&[("photos/1.jpg", b"")]), &Limits::default());
    assert_eq!(long.unwrap().0, DetectedFormat::Xlsx);
}

#[test]
fn detects_ole_files_by_their_streams() {
    assert_eq!(found("a.xls", &ole(&["Root Entry", "Workbook"])), Some(DetectedFormat::OtherWorkbook(FileKind::Xls)));
    assert_eq!(found("a.xls", &ole(&["Root Entry", "Book"])), Some(DetectedFormat::OtherWorkbook(FileKind::Xls)));
    let encrypted = ole(&["Root Entry", "EncryptionInfo", "EncryptedPackage"]);
    assert_eq!(found("a.xlsx", &encrypted), Some(DetectedFormat::MaybeEncrypted));
    assert_eq!(error("a.xls", &ole(&["Root Entry", "WordDocument"])), not_a_spreadsheet(format::DOC));
    // The reader of .xls decides whether the Word document or the workbook is embedded in the other.
    assert_eq!(
        found("a.xls", &ole(&["Root Entry", "WordDocument", "WORKBOOK"])),
        Some(DetectedFormat::OtherWorkbook(FileKind::Xls))
    );
    assert_eq!(error("a.xls", &ole(&["Root Entry"])), not_a_spreadsheet(format::OTHER_OFFICE));
    assert_eq!(error("a.xls", &ole(&[])), Some(FileError::BrokenWorkbook));
    let long = recognise("a.xls", 1 << 20, &ole(&["Root Entry"]), &Limits::default());
    assert_eq!(long.unwrap().0, DetectedFormat::OtherWorkbook(FileKind::Xls));
    // The names of the streams may follow after the inspected beginning.
    let long = recognise("a.xlsx", 1 << 20, &ole(&["Root Entry"]), &Limits::default());
    assert_eq!(long.unwrap().0, DetectedFormat::MaybeEncrypted);
}

#[test]
fn knows_a_workbook_by_parts_in_any_case_and_with_backslashes() {
    let parts = [("_rels\\.rels", &b""[..]), ("XL\\Workbook.xml", b"")];
    assert_eq!(found("a.xlsx", &zip(&parts)), Some(DetectedFormat::Xlsx));
    assert_eq!(
        found("a.xlsx", &zip(&[("xl/Worksheets/Sheet1.bin", b"")])),
        Some(DetectedFormat::OtherWorkbook(FileKind::Xlsb))
    );
    assert_eq!(error("a.xlsx", &zip(&[("Word\\document.xml", b"")])), not_a_spreadsheet(format::DOCX));
}

#[test]
fn applies_the_size_limit_of_the_detected_format() {
    let limits = Limits { csv_bytes: 10, excel_bytes: 5, ..Limits::default() };
    let error = |bytes: &[u8], size| recognise("A.CSV", size, bytes, &limits).err();
    assert_eq!(error(b"Name\nAda\nBo", 11), Some(FileError::TooLarge { bytes: 11, max: 10 }));
    assert_eq!(error(b"Name\nAda\n", 10), None);
    assert_eq!(error(b"PK\x03\x04zip", 7), Some(FileError::TooLarge { bytes: 7, max: 5 }));
}

proptest! {
    #[test]
    fn never_panics_on_random_bytes(
        start in proptest::sample::select(vec![&b""[..], b"PK\x03\x04", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", b"\xFF\xFE"]),
        rest in proptest::collection::vec(any::<u8>(), 0..2_000),
        size in 0_u64..4_000,
    ) {
        let bytes = [start, &rest].concat();
        let _ = recognise("a.xlsx", size, &bytes, &Limits::default());
        let _ = recognise("a.csv", bytes.len() as u64, &bytes, &Limits::default());
    }
}
