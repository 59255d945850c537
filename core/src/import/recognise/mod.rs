//! Detects a file's format from its first bytes. The name isn't enough: users rename files, and programs write one
//! format with the extension of another.

use super::encoding::detect_text;
use super::{FileError, FileKind, Limits, text};
use crate::import::text::format;
use crate::message::Message;

pub use super::detected_format::DetectedFormat;
pub use super::dialect::{Dialect, detect_dialect};
pub use super::encoding::{ENCODINGS, FirstInvalidUtf8};

/// How many bytes of a file's beginning are inspected.
pub const HEAD_BYTES: usize = 256 << 10;

/// Detects a file's format from its first [`HEAD_BYTES`] bytes and its size. The name must have a supported extension.
/// It decides the format only if the content is ambiguous; one that does not fit the content adds a notice. The reader
/// of a workbook decides what its first bytes don't show. Also returns notices for the user.
///
/// # Errors
/// The name has no supported extension, the content has another format (such as HTML or an Excel 4 workbook) or is
/// damaged, or the file is empty or too large for its format.
pub fn recognise(
    name: &str,
    size: u64,
    head: &[u8],
    limits: &Limits,
) -> Result<(DetectedFormat, Vec<Message>), FileError> {
    let head = &head[..head.len().min(HEAD_BYTES)];
    let is_whole = head.len() as u64 >= size;
    let (extension, kind_by_name) = kind_of_extension(name)?;
    let is_zip = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
    let is_ole = head.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    let is_bare_biff = is_bare_biff(head);
    let max = if is_zip || is_ole || is_bare_biff { limits.excel_bytes } else { limits.csv_bytes };
    ensure!(size <= max, FileError::TooLarge { bytes: size, max });
    let mut damaged = false;
    let found = if is_ole {
        detect_ole(head, is_whole, kind_by_name)?
    } else if is_zip {
        detect_zip(head, is_whole, kind_by_name)?
    } else if is_bare_biff {
        DetectedFormat::OtherWorkbook(FileKind::Xls)
    } else {
        if let Some(error) = foreign_format_error(head) {
            return Err(error);
        }
        let (found, is_damaged) = detect_text(head, is_whole).ok_or(match kind_by_name {
            FileKind::Csv => FileError::NotASpreadsheet { format: format::UNKNOWN },
            _ => FileError::BrokenWorkbook,
        })?;
        damaged = is_damaged;
        found
    };
    if matches!(found, DetectedFormat::Text { mark, .. } if mark as u64 == size) {
        return Err(FileError::Empty);
    }
    let mut notices = Vec::new();
    if kind_by_name != found.kind() {
        notices.push(text::other_name(&extension, kind_label(found.kind())));
    }
    if damaged {
        notices.push(text::DAMAGED_CHARACTERS.into());
    }
    Ok((found, notices))
}

fn kind_of_extension(name: &str) -> Result<(String, FileKind), FileError> {
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

fn kind_label(kind: FileKind) -> &'static Message {
    match kind {
        FileKind::Csv => format::TEXT,
        FileKind::Xlsx => format::XLSX,
        FileKind::Xls => format::XLS,
        FileKind::Xlsb => format::XLSB,
        FileKind::Ods => format::ODS,
    }
}

/// Lower-case names of streams and storages that only one program writes, and the format of that program.
const OLE_DOCUMENTS: [(&str, &Message); 4] = [
    ("worddocument", format::DOC),
    ("powerpoint document", format::PPT),
    ("visiodocument", format::VSD),
    ("__properties_version1.0", format::MSG),
];

/// Returns the error for an OLE file with a stream or storage of this lower-case name, or `None` if it may be a
/// workbook.
pub(super) fn foreign_document_error(entry_name: &str) -> Option<FileError> {
    let document = OLE_DOCUMENTS.iter().find(|(stream, _)| *stream == entry_name);
    document.map(|&(_, format)| FileError::NotASpreadsheet { format })
}

/// Detects the format of an OLE file from the names in its directory. If it contains a workbook stream, the workbook's
/// reader decides whether the file is a workbook or a document of another program in which one is embedded.
fn detect_ole(head: &[u8], is_whole: bool, kind_by_name: FileKind) -> Result<DetectedFormat, FileError> {
    // Directory entries are 128 bytes, start with their name, and lie in sectors of at least 512 bytes.
    let (mut has_root, mut other) = (false, None);
    for entry in head.as_chunks::<128>().0.iter().skip(4) {
        let length = usize::from(u16::from_le_bytes([entry[64], entry[65]]));
        let Some(name) = entry[..64].get(..length.saturating_sub(2)).filter(|name| !name.is_empty()) else { continue };
        let units = name.as_chunks::<2>().0.iter().map(|&unit| u16::from_le_bytes(unit));
        let Ok(name) = char::decode_utf16(units).collect::<Result<String, _>>() else { continue };
        // Some programs write the names in capitals.
        match name.to_ascii_lowercase().as_str() {
            "encryptedpackage" => return Ok(DetectedFormat::MaybeEncrypted),
            "workbook" | "book" => return Ok(DetectedFormat::OtherWorkbook(FileKind::Xls)),
            "root entry" => has_root = true,
            name => other = other.or_else(|| foreign_document_error(name)),
        }
    }
    match (other, is_whole, has_root) {
        (Some(error), true, _) => Err(error),
        // The rest of the file decides. An encrypted workbook keeps the extension of its format, such as .xlsx.
        (_, false, _) if kind_by_name != FileKind::Xls => Ok(DetectedFormat::MaybeEncrypted),
        (_, false, _) => Ok(DetectedFormat::OtherWorkbook(FileKind::Xls)),
        (None, true, true) => Err(FileError::NotASpreadsheet { format: format::OTHER_OFFICE }),
        (None, true, false) => Err(FileError::BrokenWorkbook),
    }
}

/// Returns whether the file starts like a bare BIFF stream (Excel 5 or later), without an OLE container.
pub(super) fn is_bare_biff(head: &[u8]) -> bool {
    matches!(head, [0x09, 0x08, 0x08 | 0x10, 0, ..])
}

/// Returns the error for a file of Excel 2, 3 or 4, by its first record.
pub(super) fn old_excel_error(head: &[u8]) -> Option<FileError> {
    let format = match head {
        [0x09, 0x00, 0x04, 0, ..] => format::EXCEL_2,
        [0x09, 0x02, 0x06, 0, ..] => format::EXCEL_3,
        [0x09, 0x04, 0x06, 0, ..] => format::EXCEL_4,
        _ => return None,
    };
    Some(FileError::OtherFormat { format })
}

/// Detects the format of a zip file by the names of its entries and the content of `mimetype`; if they don't decide, by
/// the file's extension (`kind_by_name`).
fn detect_zip(head: &[u8], is_whole: bool, kind_by_name: FileKind) -> Result<DetectedFormat, FileError> {
    const OTHER_DOCUMENTS: [(&str, &Message); 5] = [
        ("word/", format::DOCX),
        ("ppt/", format::PPTX),
        ("visio/", format::VSDX),
        ("META-INF/MANIFEST.MF", format::JAR),
        ("AndroidManifest.xml", format::APK),
    ];
    const ODF: &str = "application/vnd.oasis.opendocument.";
    let (mut office, mut entries, mut is_excel, mut has_content) = (false, 0, false, false);
    for at in local_headers(head) {
        let length = usize::from(u16::from_le_bytes([head[at + 26], head[at + 27]]));
        let rest = &head[at + 30..];
        let Some(name) = rest.get(..length).and_then(|name| std::str::from_utf8(name).ok()) else { continue };
        // Some programs write names in lower case or with backslashes.
        let name = name.replace('\\', "/");
        let has_start = |start: &str| name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start));
        entries += 1;
        if entries == 1 && name == "mimetype" {
            // The mimetype entry is stored uncompressed, so it can be read here.
            let kind = rest[length..].iter().take_while(|b| b.is_ascii_graphic() && **b != b'P');
            let kind: String = kind.map(|&byte| char::from(byte)).collect();
            return match kind.strip_prefix(ODF) {
                Some(kind) if kind.starts_with("spreadsheet") => Ok(DetectedFormat::OtherWorkbook(FileKind::Ods)),
                Some(_) => Err(FileError::NotASpreadsheet { format: format::OTHER_OPEN_DOCUMENT }),
                None if kind.starts_with("application/epub") => {
                    Err(FileError::NotASpreadsheet { format: format::EPUB })
                }
                None => Err(FileError::NotASpreadsheet { format: format::OTHER_DOCUMENT }),
            };
        }
        if has_start("xl/") {
            let part = name[3..].to_ascii_lowercase();
            is_excel = true;
            if part == "workbook.bin" || (part.starts_with("worksheets/") && part.ends_with(".bin")) {
                return Ok(DetectedFormat::OtherWorkbook(FileKind::Xlsb));
            }
            if part == "workbook.xml" || (part.starts_with("worksheets/") && part.ends_with(".xml")) {
                return Ok(DetectedFormat::Xlsx);
            }
        }
        if !is_excel && has_start("Index/Document.iwa") {
            return Err(FileError::OtherFormat { format: format::APPLE });
        }
        if let Some((_, format)) = OTHER_DOCUMENTS.iter().find(|(part, _)| !is_excel && has_start(part)) {
            return Err(FileError::NotASpreadsheet { format });
        }
        office |= is_excel || name.eq_ignore_ascii_case("[Content_Types].xml") || has_start("_rels/");
        has_content |= name == "content.xml";
    }
    // An .ods file in which `mimetype` isn't the first entry, or is missing. Its reader inspects the content.
    if has_content && !office && kind_by_name == FileKind::Ods {
        return Ok(DetectedFormat::OtherWorkbook(FileKind::Ods));
    }
    if is_whole && entries > 0 && !office {
        return Err(FileError::NotASpreadsheet { format: format::ZIP });
    }
    Ok(if kind_by_name == FileKind::Xlsb {
        DetectedFormat::OtherWorkbook(FileKind::Xlsb)
    } else {
        DetectedFormat::Xlsx
    })
}

/// Returns the offsets in `head` where an entry of a zip file may begin: those of the local header's signature, if all
/// 30 fixed bytes of the header are in `head`. The name after them may be cut off, and the signature may also occur in
/// an entry's content.
fn local_headers(head: &[u8]) -> impl Iterator<Item = usize> + '_ {
    head.windows(30).enumerate().filter(|(_, bytes)| bytes.starts_with(b"PK\x03\x04")).map(|(at, _)| at)
}

/// Returns the error for a file whose first bytes show a format that can't be imported; `None` for any other file.
fn foreign_format_error(head: &[u8]) -> Option<FileError> {
    const MAGIC: [(&[u8], &Message); 17] = [
        (b"%PDF-", format::PDF),
        (b"\x89PNG", format::PNG),
        (b"\xFF\xD8\xFF", format::JPEG),
        (b"GIF8", format::GIF),
        (b"II*\0", format::TIFF),
        (b"MM\0*", format::TIFF),
        (b"RIFF", format::MEDIA),
        (b"\x1F\x8B", format::GZIP),
        (b"BZh", format::BZIP2),
        (b"7z\xBC\xAF\x27\x1C", format::SEVEN_ZIP),
        (b"\xFD7zXZ", format::XZ),
        (b"\x28\xB5\x2F\xFD", format::ZSTD),
        (b"Rar!", format::RAR),
        (b"{\\rtf", format::RTF),
        (b"\x7FELF", format::PROGRAM),
        (b"MZ\x90", format::PROGRAM),
        (b"SQLite format 3\0", format::DATABASE),
    ];
    if let Some((_, format)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(FileError::NotASpreadsheet { format });
    }
    if let Some(error) = old_excel_error(head) {
        return Some(error);
    }
    // Markup, after an optional byte order mark and white space. A column could be named "<html>", but not at the start
    // of a real file.
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let start: String = head.iter().take(2_048).filter(|&&b| b != 0).map(|&b| char::from(b)).collect();
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == 'ÿ' || c == 'þ').to_lowercase();
    let is_xml = start.starts_with("<?xml");
    let has = |text: &str| start.contains(text);
    let starts_with = |text: &str| start.starts_with(text);
    // Some pages start with a comment or a fragment.
    let is_part = ["<!--", "<meta", "<head", "<style", "<body", "<div"].into_iter().any(starts_with);
    let is_page =
        starts_with("<!doctype html") || starts_with("<html") || starts_with("<table") || (is_xml && has("<html"));
    // Spreadsheet programs open those that yield `OtherFormat`, and many programs write them with a spreadsheet's
    // extension.
    match () {
        () if is_page || (is_part && (has("<table") || has("<html"))) => {
            Some(FileError::OtherFormat { format: format::HTML })
        }
        () if starts_with("mime-version:") => Some(FileError::OtherFormat { format: format::MHTML }),
        () if has("urn:schemas-microsoft-com:office:spreadsheet") && starts_with("<") => {
            Some(FileError::OtherFormat { format: format::XML_2003 })
        }
        () if is_xml && has("office:document") => Some(FileError::OtherFormat { format: format::FLAT_OPEN_DOCUMENT }),
        () if is_xml => Some(FileError::NotASpreadsheet { format: format::XML }),
        () if starts_with("begin:vcard") => Some(FileError::NotASpreadsheet { format: format::VCARD }),
        () => None,
    }
}

#[cfg(test)]
mod tests;
