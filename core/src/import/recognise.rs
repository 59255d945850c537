//! What a file is, by its first bytes: people rename files, and programs write one kind under the name of another.

use super::encoding::of_text;
use super::{FileError, FileKind, Limits, text};

pub use super::encoding::{ENCODINGS, FirstWrong};
pub use super::shape::{Shape, shape};

/// How much of a file's beginning is looked at, or all of a file that has less.
pub const HEAD: usize = 256 << 10;

/// What a file was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A text, with how many bytes a byte order mark takes.
    Text {
        /// None: some encoding of before Unicode, still to be guessed.
        encoding: Option<&'static str>,
        /// What follows may not overturn the encoding.
        sure: bool,
        mark: usize,
    },
    /// A workbook for the reader of .xlsx.
    Xlsx,
    /// A workbook of another kind.
    Old(FileKind),
}

impl Found {
    pub fn kind(self) -> FileKind {
        match self {
            Found::Text { .. } => FileKind::Csv,
            Found::Xlsx => FileKind::Xlsx,
            Found::Old(kind) => kind,
        }
    }
}

/// Tells what a file is by its first [`HEAD`] bytes and its size. Its content decides; its name only when both fit. What
/// the beginning of a workbook doesn't show is left to its reader.
///
/// # Errors
/// It is no file of contacts, or too large for its kind.
pub fn recognise(name: &str, size: u64, head: &[u8], limits: &Limits) -> Result<(Found, Vec<String>), FileError> {
    let head = &head[..head.len().min(HEAD)];
    let is_whole = head.len() as u64 >= size;
    let (extension, named) = named_kind(name)?;
    let is_zip = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
    let is_ole = head.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    let most = if is_zip || is_ole { limits.excel_bytes } else { limits.csv_bytes };
    if size > most {
        return Err(FileError::TooLarge { bytes: size, most });
    }
    let mut damaged = false;
    let found = if is_ole {
        of_ole(head, is_whole)?
    } else if is_zip {
        of_zip(head, is_whole, named)?
    } else {
        if let Some(error) = foreign(head) {
            return Err(error);
        }
        let (found, is_damaged) = of_text(head, is_whole).ok_or(match named {
            FileKind::Csv => FileError::NotASpreadsheet { found: "a file of an unknown kind" },
            _ => FileError::BrokenWorkbook,
        })?;
        damaged = is_damaged;
        found
    };
    if matches!(found, Found::Text { mark, .. } if mark as u64 == size) {
        return Err(FileError::Empty);
    }
    let mut notices = Vec::new();
    if named != found.kind() {
        notices.push(text::other_name(&extension, called(found.kind())));
    }
    if damaged {
        notices.push(text::DAMAGED_CHARACTERS.into());
    }
    Ok((found, notices))
}

fn named_kind(name: &str) -> Result<(String, FileKind), FileError> {
    let extension = name.rsplit_once('.').map(|(_, end)| end.trim().to_lowercase()).unwrap_or_default();
    let kind = match extension.as_str() {
        "csv" | "tsv" | "txt" => FileKind::Csv,
        "xlsx" | "xlsm" => FileKind::Xlsx,
        "xls" => FileKind::Xls,
        "xlsb" => FileKind::Xlsb,
        "ods" => FileKind::Ods,
        _ => return Err(FileError::UnsupportedExtension { extension }),
    };
    Ok((extension, kind))
}

fn called(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Csv => "a text file",
        FileKind::Xlsx => "an .xlsx workbook",
        FileKind::Xls => "an .xls workbook",
        FileKind::Xlsb => "an .xlsb workbook",
        FileKind::Ods => "an .ods spreadsheet",
    }
}

/// An OLE file is what the first stream says that only one program writes; a document of another program may hold a
/// workbook, and the other way round.
fn of_ole(head: &[u8], is_whole: bool) -> Result<Found, FileError> {
    const OTHERS: [(&str, &str); 4] = [
        ("WordDocument", "a text document (.doc)"),
        ("PowerPoint Document", "a presentation (.ppt)"),
        ("VisioDocument", "a drawing (.vsd)"),
        ("__properties_version1.0", "an e-mail (.msg)"),
    ];
    // Directory entries are 128 bytes, begin with their name, and lie in whole sectors of 512 bytes or more.
    let mut has_root = false;
    for entry in head.as_chunks::<128>().0.iter().skip(4) {
        let length = usize::from(u16::from_le_bytes([entry[64], entry[65]]));
        let Some(name) = entry[..64].get(..length.saturating_sub(2)).filter(|name| !name.is_empty()) else { continue };
        let units = name.as_chunks::<2>().0.iter().map(|&unit| u16::from_le_bytes(unit));
        let Ok(name) = char::decode_utf16(units).collect::<Result<String, _>>() else { continue };
        match name.as_str() {
            "EncryptedPackage" => return Err(FileError::PasswordProtected),
            "Workbook" | "Book" => return Ok(Found::Old(FileKind::Xls)),
            "Root Entry" => has_root = true,
            name => {
                if let Some((_, found)) = OTHERS.iter().find(|(stream, _)| *stream == name) {
                    return Err(FileError::NotASpreadsheet { found });
                }
            }
        }
    }
    match (is_whole, has_root) {
        (false, _) => Ok(Found::Old(FileKind::Xls)),
        (true, true) => Err(FileError::NotASpreadsheet { found: "a document of another Office program" }),
        (true, false) => Err(FileError::BrokenWorkbook),
    }
}

/// Office documents are zip files; whose they are is told by the names of their parts.
fn of_zip(head: &[u8], is_whole: bool, named: FileKind) -> Result<Found, FileError> {
    const OTHERS: [(&str, &str); 6] = [
        ("word/", "a text document (.docx)"),
        ("ppt/", "a presentation (.pptx)"),
        ("visio/", "a drawing (.vsdx)"),
        ("Index/Document.iwa", "an Apple Numbers or Pages document"),
        ("META-INF/MANIFEST.MF", "a program (.jar)"),
        ("AndroidManifest.xml", "a program (.apk)"),
    ];
    const ODF: &str = "application/vnd.oasis.opendocument.";
    let (mut office, mut entries, mut is_excel, mut has_content) = (false, 0, false, false);
    for at in local_headers(head) {
        let length = usize::from(u16::from_le_bytes([head[at + 26], head[at + 27]]));
        let rest = &head[at + 30..];
        let Some(name) = rest.get(..length).and_then(|name| std::str::from_utf8(name).ok()) else { continue };
        entries += 1;
        if entries == 1 && name == "mimetype" {
            // Stored as it is, so that it can be read right here.
            let kind = rest[length..].iter().take_while(|b| b.is_ascii_graphic() && **b != b'P');
            let kind: String = kind.map(|&byte| char::from(byte)).collect();
            return match kind.strip_prefix(ODF) {
                Some(kind) if kind.starts_with("spreadsheet") => Ok(Found::Old(FileKind::Ods)),
                Some(_) => Err(FileError::NotASpreadsheet { found: "an OpenDocument file of another program" }),
                None if kind.starts_with("application/epub") => {
                    Err(FileError::NotASpreadsheet { found: "a book (EPUB)" })
                }
                None => Err(FileError::NotASpreadsheet { found: "a document of another kind" }),
            };
        }
        if let Some(part) = name.strip_prefix("xl/") {
            is_excel = true;
            if part == "workbook.bin" || (part.starts_with("worksheets/") && part.ends_with(".bin")) {
                return Ok(Found::Old(FileKind::Xlsb));
            }
            if part == "workbook.xml" || (part.starts_with("worksheets/") && part.ends_with(".xml")) {
                return Ok(Found::Xlsx);
            }
        }
        if let Some((_, found)) = OTHERS.iter().find(|(part, _)| !is_excel && name.starts_with(part)) {
            return Err(FileError::NotASpreadsheet { found });
        }
        office |= is_excel || name == "[Content_Types].xml" || name.starts_with("_rels/");
        has_content |= name == "content.xml";
    }
    // Some programs write the part that says so somewhere behind; the reader looks at it.
    if has_content && !office && named == FileKind::Ods {
        return Ok(Found::Old(FileKind::Ods));
    }
    if is_whole && entries > 0 && !office {
        return Err(FileError::NotASpreadsheet { found: "a zip archive" });
    }
    Ok(if named == FileKind::Xlsb { Found::Old(FileKind::Xlsb) } else { Found::Xlsx })
}

/// Where the local headers of a zip's entries are, of which all fixed bytes are there.
fn local_headers(head: &[u8]) -> impl Iterator<Item = usize> + '_ {
    head.windows(30).enumerate().filter(|(_, bytes)| bytes.starts_with(b"PK\x03\x04")).map(|(at, _)| at)
}

/// What files of other kinds begin with.
fn foreign(head: &[u8]) -> Option<FileError> {
    const MAGIC: [(&[u8], &str); 17] = [
        (b"%PDF-", "a PDF document"),
        (b"\x89PNG", "an image (PNG)"),
        (b"\xFF\xD8\xFF", "an image (JPEG)"),
        (b"GIF8", "an image (GIF)"),
        (b"II*\0", "an image (TIFF)"),
        (b"MM\0*", "an image (TIFF)"),
        (b"RIFF", "a picture, sound or video file"),
        (b"\x1F\x8B", "a compressed file (gzip)"),
        (b"BZh", "a compressed file (bzip2)"),
        (b"7z\xBC\xAF\x27\x1C", "a compressed file (7z)"),
        (b"\xFD7zXZ", "a compressed file (xz)"),
        (b"\x28\xB5\x2F\xFD", "a compressed file (zstd)"),
        (b"Rar!", "a compressed file (RAR)"),
        (b"{\\rtf", "a text document (RTF)"),
        (b"\x7FELF", "a program"),
        (b"MZ\x90", "a program"),
        (b"SQLite format 3\0", "a database"),
    ];
    if let Some((_, found)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(FileError::NotASpreadsheet { found });
    }
    // Markup, after a mark and blanks. A column may be called "<html>", but not at the start of a real file.
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let start: String = head.iter().take(2_048).filter(|&&b| b != 0).map(|&b| char::from(b)).collect();
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == 'ÿ' || c == 'þ').to_lowercase();
    let is_xml = start.starts_with("<?xml");
    let has = |text: &str| start.contains(text);
    let mostly = |text: &str| start.starts_with(text);
    // Some say a word or two first.
    let is_part = ["<!--", "<meta", "<head", "<style", "<body", "<div"].into_iter().any(mostly);
    let is_page = mostly("<!doctype html") || mostly("<html") || mostly("<table") || (is_xml && has("<html"));
    // A spreadsheet program opens these, and many programs write them under its name.
    match () {
        () if is_page || (is_part && (has("<table") || has("<html"))) => {
            Some(FileError::OtherFormat { found: "a web page (HTML)" })
        }
        () if mostly("mime-version:") => Some(FileError::OtherFormat { found: "a web page (MHTML)" }),
        () if has("urn:schemas-microsoft-com:office:spreadsheet") && mostly("<") => {
            Some(FileError::OtherFormat { found: "an XML spreadsheet of 2003" })
        }
        () if is_xml && has("office:document") => Some(FileError::OtherFormat { found: "a flat OpenDocument file" }),
        () if is_xml => Some(FileError::NotASpreadsheet { found: "an XML file" }),
        () if mostly("begin:vcard") => Some(FileError::NotASpreadsheet { found: "a list of address cards (vCard)" }),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(name: &str, bytes: &[u8]) -> Result<(Found, Vec<String>), FileError> {
        recognise(name, bytes.len() as u64, bytes, &Limits::default())
    }
    fn found(name: &str, bytes: &[u8]) -> Option<Found> {
        whole(name, bytes).ok().map(|(found, _)| found)
    }
    fn error(name: &str, bytes: &[u8]) -> Option<FileError> {
        whole(name, bytes).err()
    }
    fn not(found: &'static str) -> Option<FileError> {
        Some(FileError::NotASpreadsheet { found })
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
    fn what_is_no_spreadsheet_is_told_by_its_first_bytes() {
        assert_eq!(error("a.csv", b"\x89PNG\r\n\x1a\n"), not("an image (PNG)"));
        assert_eq!(error("a.xlsx", b"\x1F\x8B\x08\0"), not("a compressed file (gzip)"));
        assert_eq!(error("a.csv", b"BEGIN:VCARD\nFN:Ada\n"), not("a list of address cards (vCard)"));
        assert_eq!(error("a.csv", &[0, 1, 2, 3, 4, 5, 6, 7]), not("a file of an unknown kind"));
        assert_eq!(error("a.xlsx", &[0, 1, 2, 3, 4, 5, 6, 7]), Some(FileError::BrokenWorkbook));
        assert_eq!(error("a.csv", b"\xEF\xBB\xBF"), Some(FileError::Empty));
        assert_eq!(error("a.xls", b""), Some(FileError::Empty));
        for (name, extension) in [("contacts", ""), ("a.csv.pdf", "pdf")] {
            let extension = extension.to_owned();
            assert_eq!(error(name, b"a,b"), Some(FileError::UnsupportedExtension { extension }));
        }
    }

    #[test]
    fn what_spreadsheet_programs_open_under_a_wrong_name_is_to_be_saved_anew() {
        let other = |found| Some(FileError::OtherFormat { found });
        assert_eq!(error("a.xls", b"\xEF\xBB\xBF \n<!DOCTYPE html><p>"), other("a web page (HTML)"));
        assert_eq!(error("a.xls", b"<TABLE><tr>"), other("a web page (HTML)"));
        assert_eq!(error("a.xls", b"<!-- made -->\n<meta charset=utf-8><table>"), other("a web page (HTML)"));
        let utf16: Vec<u8> = "\u{FEFF}<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(error("a.xls", &utf16), other("a web page (HTML)"));
        assert_eq!(error("a.xls", b"MIME-Version: 1.0\r\nX-Document-Type: Workbook"), other("a web page (MHTML)"));
        let xml = b"<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">";
        assert_eq!(error("a.xls", xml), other("an XML spreadsheet of 2003"));
        assert_eq!(error("a.xlsx", b"<?xml version=\"1.0\"?><note/>"), not("an XML file"));
    }

    #[test]
    fn text_and_workbooks_under_each_others_names_are_read_with_a_word_on_it() {
        let notices = |name: &str, bytes: &[u8]| whole(name, bytes).unwrap().1;
        let xlsx = zip(&[("[Content_Types].xml", b""), ("xl/workbook.xml", b"")]);
        let word = |ending: &str, kind: &str| {
            vec![format!("The name of this file ends in .{ending}, but it is {kind} and is read as such.")]
        };
        assert_eq!(notices("a.XLS", b"Namn\tOrt\n"), word("xls", "a text file"));
        assert_eq!(notices("a.xlsx", b"Namn\tOrt\n"), word("xlsx", "a text file"));
        assert_eq!(notices("a.txt", &xlsx), word("txt", "an .xlsx workbook"));
        assert_eq!(notices("a.xlsx", &ole(&["Root Entry", "Workbook"])), word("xlsx", "an .xls workbook"));
        for name in ["a.csv", "a.tsv", "a.txt"] {
            assert_eq!(notices(name, b"Namn\tOrt\n"), [""; 0]);
        }
        assert_eq!(notices("a.xlsm", &xlsx), [""; 0]);
    }

    #[test]
    fn a_zip_is_told_by_its_parts() {
        let types = ("[Content_Types].xml", &b""[..]);
        let of = |name: &str, part: &str| whole(name, &zip(&[types, (part, b"")])).map(|(found, _)| found);
        assert_eq!(of("a.xlsx", "xl/workbook.xml"), Ok(Found::Xlsx));
        assert_eq!(of("a.xlsx", "xl/worksheets/sheet1.xml"), Ok(Found::Xlsx));
        assert_eq!(of("a.xlsx", "xl/workbook.bin"), Ok(Found::Old(FileKind::Xlsb)));
        assert_eq!(of("a.xlsx", "other/workbook.xml"), Ok(Found::Xlsx));
        assert_eq!(of("a.xlsb", "docProps/app.xml"), Ok(Found::Old(FileKind::Xlsb)));
        assert_eq!(of("a.xlsx", "word/document.xml").err(), not("a text document (.docx)"));
        assert_eq!(of("a.xlsx", "ppt/presentation.xml").err(), not("a presentation (.pptx)"));
        assert_eq!(error("a.xlsx", &zip(&[("photos/1.jpg", b"")])), not("a zip archive"));
        // A document may carry another one, whole.
        let workbook = zip(&[("xl/workbook.xml", b"")]);
        let carried = zip(&[types, ("word/document.xml", b""), ("word/embeddings/a.xlsx", &workbook)]);
        assert_eq!(error("a.xlsx", &carried), not("a text document (.docx)"));
        let document = zip(&[("word/document.xml", b"")]);
        assert_eq!(found("a.xlsx", &zip(&[("xl/embeddings/a.docx", &document)])), Some(Found::Xlsx));
        let odf = |kind: &str| {
            zip(&[("mimetype", format!("application/vnd.oasis.opendocument.{kind}").as_bytes()), ("a", b"")])
        };
        assert_eq!(found("a.ods", &odf("spreadsheet")), Some(Found::Old(FileKind::Ods)));
        assert_eq!(error("a.ods", &odf("text")), not("an OpenDocument file of another program"));
        let late = zip(&[("META-INF/manifest.xml", b""), ("mimetype", b""), ("content.xml", b"")]);
        assert_eq!(found("a.ods", &late), Some(Found::Old(FileKind::Ods)));
        assert_eq!(error("a.xlsx", &late), not("a zip archive"));
        // Of a long file only the beginning is known, and the reader says the rest.
        let long = recognise("a.xlsx", 1 << 20, &zip(&[("photos/1.jpg", b"")]), &Limits::default());
        assert_eq!(long.unwrap().0, Found::Xlsx);
    }

    #[test]
    fn an_ole_file_is_told_by_its_streams() {
        assert_eq!(found("a.xls", &ole(&["Root Entry", "Workbook"])), Some(Found::Old(FileKind::Xls)));
        assert_eq!(found("a.xls", &ole(&["Root Entry", "Book"])), Some(Found::Old(FileKind::Xls)));
        let encrypted = ole(&["Root Entry", "EncryptionInfo", "EncryptedPackage"]);
        assert_eq!(error("a.xlsx", &encrypted), Some(FileError::PasswordProtected));
        assert_eq!(error("a.xls", &ole(&["Root Entry", "WordDocument", "Workbook"])), not("a text document (.doc)"));
        assert_eq!(error("a.xls", &ole(&["Root Entry"])), not("a document of another Office program"));
        assert_eq!(error("a.xls", &ole(&[])), Some(FileError::BrokenWorkbook));
        let long = recognise("a.xls", 1 << 20, &ole(&["Root Entry"]), &Limits::default());
        assert_eq!(long.unwrap().0, Found::Old(FileKind::Xls));
    }

    #[test]
    fn a_file_that_is_too_large_is_told_by_its_own_kind() {
        let limits = Limits { csv_bytes: 10, excel_bytes: 5, ..Limits::default() };
        let error = |bytes: &[u8], size| recognise("A.CSV", size, bytes, &limits).err();
        assert_eq!(error(b"Name\nAda\nBo", 11), Some(FileError::TooLarge { bytes: 11, most: 10 }));
        assert_eq!(error(b"Name\nAda\n", 10), None);
        assert_eq!(error(b"PK\x03\x04zip", 7), Some(FileError::TooLarge { bytes: 7, most: 5 }));
    }

    proptest! {
        #[test]
        fn wild_bytes_are_recognised_or_refused(
            start in proptest::sample::select(vec![&b""[..], b"PK\x03\x04", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", b"\xFF\xFE"]),
            rest in proptest::collection::vec(any::<u8>(), 0..2_000),
            size in 0_u64..4_000,
        ) {
            let bytes = [start, &rest].concat();
            let _ = recognise("a.xlsx", size, &bytes, &Limits::default());
            let _ = recognise("a.csv", bytes.len() as u64, &bytes, &Limits::default());
        }
    }
}
