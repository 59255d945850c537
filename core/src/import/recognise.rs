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
    /// A workbook that is encrypted, or of which the beginning doesn't show whether it is. Decrypted, it is recognised
    /// again; one that isn't encrypted is an .xls.
    Locked,
    /// A workbook of another kind.
    Old(FileKind),
}

impl Found {
    pub fn kind(self) -> FileKind {
        match self {
            Found::Text { .. } => FileKind::Csv,
            Found::Xlsx => FileKind::Xlsx,
            Found::Locked => FileKind::Xls,
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
    let is_bare = is_bare(head);
    let most = if is_zip || is_ole || is_bare { limits.excel_bytes } else { limits.csv_bytes };
    if size > most {
        return Err(FileError::TooLarge { bytes: size, most });
    }
    let mut damaged = false;
    let found = if is_ole {
        of_ole(head, is_whole, named)?
    } else if is_zip {
        of_zip(head, is_whole, named)?
    } else if is_bare {
        Found::Old(FileKind::Xls)
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

/// Streams and storages that only one program writes, in lower case, and what a file of that program is called.
const OLE_DOCUMENTS: [(&str, &str); 4] = [
    ("worddocument", "a text document (.doc)"),
    ("powerpoint document", "a presentation (.ppt)"),
    ("visiodocument", "a drawing (.vsd)"),
    ("__properties_version1.0", "an e-mail (.msg)"),
];

/// Returns why a file with a stream or storage of that name (in lower case) is no workbook; `None` if it may be one.
pub(super) fn of_another_program(name: &str) -> Option<FileError> {
    let document = OLE_DOCUMENTS.iter().find(|(stream, _)| *stream == name);
    document.map(|(_, found)| FileError::NotASpreadsheet { found })
}

/// Tells what an OLE file is by the names in its directory. Where a workbook is among them, its reader looks whether it is
/// the file's own or one that is embedded in a document of another program.
fn of_ole(head: &[u8], is_whole: bool, named: FileKind) -> Result<Found, FileError> {
    // Directory entries are 128 bytes, begin with their name, and lie in whole sectors of 512 bytes or more.
    let (mut has_root, mut other) = (false, None);
    for entry in head.as_chunks::<128>().0.iter().skip(4) {
        let length = usize::from(u16::from_le_bytes([entry[64], entry[65]]));
        let Some(name) = entry[..64].get(..length.saturating_sub(2)).filter(|name| !name.is_empty()) else { continue };
        let units = name.as_chunks::<2>().0.iter().map(|&unit| u16::from_le_bytes(unit));
        let Ok(name) = char::decode_utf16(units).collect::<Result<String, _>>() else { continue };
        // Some programs write names in capitals.
        match name.to_ascii_lowercase().as_str() {
            "encryptedpackage" => return Ok(Found::Locked),
            "workbook" | "book" => return Ok(Found::Old(FileKind::Xls)),
            "root entry" => has_root = true,
            name => other = other.or_else(|| of_another_program(name)),
        }
    }
    match (other, is_whole, has_root) {
        (Some(error), true, _) => Err(error),
        // An encrypted workbook keeps the name of what is encrypted.
        (_, false, _) if named != FileKind::Xls => Ok(Found::Locked),
        (_, false, _) => Ok(Found::Old(FileKind::Xls)),
        (None, true, true) => Err(FileError::NotASpreadsheet { found: "a document of another Office program" }),
        (None, true, false) => Err(FileError::BrokenWorkbook),
    }
}

/// Whether a file begins as the stream of a workbook since Excel 5, with no container around it.
pub(super) fn is_bare(head: &[u8]) -> bool {
    matches!(head, [0x09, 0x08, 0x08 | 0x10, 0, ..])
}

/// Returns which version of Excel before 5 wrote a file, by its first record.
pub(super) fn of_old_excel(head: &[u8]) -> Option<FileError> {
    let found = match head {
        [0x09, 0x00, 0x04, 0, ..] => "a workbook of Excel 2",
        [0x09, 0x02, 0x06, 0, ..] => "a workbook of Excel 3",
        [0x09, 0x04, 0x06, 0, ..] => "a workbook of Excel 4",
        _ => return None,
    };
    Some(FileError::OtherFormat { found })
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
        // Some programs write names in lower case, or with the separators of Windows.
        let name = name.replace('\\', "/");
        let has_start = |start: &str| name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start));
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
        if has_start("xl/") {
            let part = name[3..].to_ascii_lowercase();
            is_excel = true;
            if part == "workbook.bin" || (part.starts_with("worksheets/") && part.ends_with(".bin")) {
                return Ok(Found::Old(FileKind::Xlsb));
            }
            if part == "workbook.xml" || (part.starts_with("worksheets/") && part.ends_with(".xml")) {
                return Ok(Found::Xlsx);
            }
        }
        if let Some((_, found)) = OTHERS.iter().find(|(part, _)| !is_excel && has_start(part)) {
            return Err(FileError::NotASpreadsheet { found });
        }
        office |= is_excel || name.eq_ignore_ascii_case("[Content_Types].xml") || has_start("_rels/");
        has_content |= name == "content.xml";
    }
    // Some programs write the part that says so somewhere behind, or leave it out; the reader looks at the content.
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
    if let Some(error) = of_old_excel(head) {
        return Some(error);
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
mod tests;
