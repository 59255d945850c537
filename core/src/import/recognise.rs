//! What a file is, by its bytes: people rename files, and programs write one kind under the name of another.

use super::{FileError, FileKind, Limits, text};
use csv_core::ReadRecordResult;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The delimiters that are looked for; of equals the first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How much of a text the delimiter is guessed from, in bytes and in records.
const LOOK_BYTES: usize = 256 << 10;
const LOOK_RECORDS: usize = 50;

/// How a text file is to be read.
#[derive(Clone, Debug)]
pub(super) struct TextFormat {
    pub encoding: &'static Encoding,
    /// Where the text begins: after a byte order mark.
    pub start: usize,
    /// Every byte is UTF-8, so that the bytes are the text.
    pub plain: bool,
    pub delimiter: u8,
    /// The first line is `sep=…`, which spreadsheet programs read and don't show.
    pub separator_line: bool,
}

/// A file's kind, and what reading it as that needs to know.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Text(TextFormat),
    Xlsx,
    Xls,
}

/// A file that can probably be read, and what a person should know of it.
#[derive(Debug)]
pub(super) struct Sniffed {
    pub content: Content,
    pub notices: Vec<String>,
}

/// Tells what a file is. Its content decides; its name only when both fit.
pub(super) fn sniff(name: &str, bytes: &[u8], limits: &Limits) -> Result<Sniffed, FileError> {
    let named = named_kind(name)?;
    let is_zip = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06");
    let is_ole = bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    let most = if is_zip || is_ole { limits.excel_bytes } else { limits.csv_bytes };
    if bytes.len() as u64 > most {
        return Err(FileError::TooLarge { bytes: bytes.len() as u64, most });
    }
    if is_ole {
        ole(bytes)?;
        return Ok(under_name(named, FileKind::Xls, Content::Xls));
    }
    if is_zip {
        return match zip_of_another_kind(bytes) {
            Some(found) => Err(FileError::NotASpreadsheet { found }),
            None => Ok(under_name(named, FileKind::Xlsx, Content::Xlsx)),
        };
    }
    if let Some(found) = foreign(bytes) {
        return Err(FileError::NotASpreadsheet { found });
    }
    let Some((format, damaged)) = text_format(bytes) else {
        return Err(match named {
            FileKind::Csv => FileError::NotASpreadsheet { found: "a file of an unknown kind" },
            _ => FileError::BrokenWorkbook,
        });
    };
    if bytes.len() == format.start {
        return Err(FileError::Empty);
    }
    // Many programs write text and call it .xls, and spreadsheet programs open that. None calls text .xlsx.
    if named == FileKind::Xlsx {
        return Err(FileError::BrokenWorkbook);
    }
    let mut sniffed = under_name(named, FileKind::Csv, Content::Text(format));
    if damaged {
        sniffed.notices.push(text::DAMAGED_CHARACTERS.into());
    }
    Ok(sniffed)
}

fn named_kind(name: &str) -> Result<FileKind, FileError> {
    let extension = name.rsplit_once('.').map(|(_, end)| end.trim().to_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "csv" => Ok(FileKind::Csv),
        "xlsx" => Ok(FileKind::Xlsx),
        "xls" => Ok(FileKind::Xls),
        _ => Err(FileError::UnsupportedExtension { extension }),
    }
}

fn under_name(named: FileKind, found: FileKind, content: Content) -> Sniffed {
    let extension = |kind| match kind {
        FileKind::Csv => "csv",
        FileKind::Xlsx => "xlsx",
        FileKind::Xls => "xls",
        FileKind::Xlsb => "xlsb",
        FileKind::Ods => "ods",
    };
    let what = match found {
        FileKind::Csv => "a text file",
        FileKind::Xlsx => "an .xlsx workbook",
        FileKind::Xls => "an .xls workbook",
        FileKind::Xlsb => "an .xlsb workbook",
        FileKind::Ods => "an .ods spreadsheet",
    };
    let notices = if named == found { Vec::new() } else { vec![text::other_name(extension(named), what)] };
    Sniffed { content, notices }
}

/// An OLE file is a workbook only if a stream in it is called so.
fn ole(bytes: &[u8]) -> Result<(), FileError> {
    let has = |stream: &str| {
        let name: Vec<u8> = stream.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        // Directory entries are 128 bytes, begin with their name, and lie in whole sectors of 512 bytes or more.
        bytes.chunks_exact(128).skip(4).any(|entry| entry.starts_with(&name))
    };
    if has("EncryptedPackage") {
        Err(FileError::PasswordProtected)
    } else if has("Workbook") || has("Book") {
        Ok(())
    } else if has("Root Entry") {
        Err(FileError::NotASpreadsheet { found: "a document of another Office program" })
    } else {
        Err(FileError::BrokenWorkbook)
    }
}

/// Office documents are zip files too; what is in them is told by the names of their parts.
fn zip_of_another_kind(bytes: &[u8]) -> Option<&'static str> {
    const OPEN_DOCUMENT: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument";
    if bytes.get(30..).is_some_and(|name| name.starts_with(OPEN_DOCUMENT)) {
        return Some("an OpenDocument file");
    }
    // The list of all parts stands at the end, but may be cut off there; the first parts' names stand at the start.
    let ends = [&bytes[..bytes.len().min(64 << 10)], &bytes[bytes.len().saturating_sub(64 << 10)..]];
    let has = |part: &[u8]| ends.iter().any(|end| end.windows(part.len()).any(|w| w == part));
    match () {
        () if has(b"xl/workbook.xml") => None,
        () if has(b"xl/workbook.bin") => Some("a binary workbook (.xlsb)"),
        () if has(b"word/document.xml") => Some("a text document (.docx)"),
        () if has(b"ppt/presentation.xml") => Some("a presentation (.pptx)"),
        () => None,
    }
}

/// What files of other kinds begin with.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
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
    if let Some((_, found)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(found);
    }
    // Markup, after a mark and blanks. A column may be called "<html>", but not at the start of a real file.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let start: String = bytes.iter().take(1_024).filter(|&&b| b != 0).map(|&b| char::from(b)).collect();
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == 'ÿ' || c == 'þ').to_lowercase();
    match () {
        () if start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<table") => {
            Some("a web page (HTML)")
        }
        () if start.starts_with("<?xml") && start.contains("<workbook") => Some("an XML spreadsheet of 2003"),
        () if start.starts_with("<?xml") && start.contains("<html") => Some("a web page (HTML)"),
        () if start.starts_with("<?xml") => Some("an XML file"),
        () if start.starts_with("mime-version:") => Some("a web page (MHTML)"),
        () => None,
    }
}

/// The encoding and delimiter of a text, and whether some of its characters are damaged. `None` when it is no text.
fn text_format(bytes: &[u8]) -> Option<(TextFormat, bool)> {
    let (encoding, start, plain, damaged) = encoding_of(bytes);
    let text = beginning(encoding, &bytes[start..]);
    let odd = text.chars().filter(|&c| (c < ' ' && !matches!(c, '\t' | '\n' | '\r' | '\x0B' | '\x0C')) || c == '\x7F');
    // A few stray control characters happen in exports; one in fifty is no text.
    if odd.count() * 50 > text.chars().count() {
        return None;
    }
    let (delimiter, separator_line) = match separator_line(&text) {
        Some(delimiter) => (delimiter, true),
        None => (delimiter_of(&text), false),
    };
    Some((TextFormat { encoding, start, plain, delimiter, separator_line }, damaged))
}

/// The encoding, the length of a byte order mark, whether the bytes are UTF-8 as they stand, and whether they are damaged.
fn encoding_of(bytes: &[u8]) -> (&'static Encoding, usize, bool, bool) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let plain = encoding == UTF_8 && std::str::from_utf8(&bytes[mark..]).is_ok();
        return (encoding, mark, plain, encoding == UTF_8 && !plain);
    }
    if let Some(encoding) = unmarked_utf16(bytes) {
        return (encoding, 0, false, false);
    }
    if std::str::from_utf8(bytes).is_ok() {
        return (UTF_8, 0, true, false);
    }
    // Mostly right UTF-8 with a few wrong bytes is damaged UTF-8: in no other encoding does that come about by chance.
    let (mut right, mut wrong) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        right += chunk.valid().bytes().filter(|&b| b >= 0xC0).count();
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    if right > wrong { (UTF_8, 0, false, true) } else { (WINDOWS_1252, 0, false, false) }
}

/// UTF-16 without a mark: every second byte of Western text is zero.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let look = &bytes[..bytes.len().min(4_096) & !1];
    let zeros = |offset: usize| look.iter().skip(offset).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), look.len() / 2);
    let mostly = |many: usize, few: usize| many * 2 > pairs && few * 20 <= pairs;
    match () {
        () if pairs == 0 => None,
        () if mostly(odd, even) => Some(UTF_16LE),
        () if mostly(even, odd) => Some(UTF_16BE),
        () => None,
    }
}

/// The start of a text, decoded.
fn beginning(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(LOOK_BYTES * 3);
    let look = &bytes[..bytes.len().min(LOOK_BYTES)];
    // Not the last piece: a character that is cut in two at its end is left away.
    let _ = encoding.new_decoder_without_bom_handling().decode_to_string(look, &mut text, false);
    text
}

/// The delimiter that a first line `sep=…` names.
fn separator_line(text: &str) -> Option<u8> {
    let line = text.lines().next()?.trim_matches('"');
    let delimiter = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).and(line.get(4..))?;
    match delimiter.as_bytes() {
        &[byte] if (byte.is_ascii_punctuation() && byte != b'"') || byte == b'\t' || byte == b' ' => Some(byte),
        _ => None,
    }
}

/// The delimiter that cuts the first records into the same number of cells, and best into many. Where none does, there is
/// one column, and the rarest delimiter leaves it whole; unless there is nothing but delimiters.
fn delimiter_of(text: &str) -> u8 {
    let blank = |delimiter: &u8| text.bytes().all(|b| b.is_ascii_whitespace() || b == b'"' || b == *delimiter);
    let times = |delimiter: &u8| text.bytes().filter(|b| b == delimiter).count();
    let none = DELIMITERS.into_iter().find(blank).or(DELIMITERS.into_iter().min_by_key(times));
    let mut best = (0.0, none.unwrap_or(DELIMITERS[0]));
    for delimiter in DELIMITERS {
        let score = consistency(&records_by(text, delimiter));
        if score > best.0 {
            best = (score, delimiter);
        }
    }
    best.1
}

/// How many cells each of the first records has that aren't blank, and whether a quotation mark is left in it.
fn records_by(text: &str, delimiter: u8) -> Vec<(usize, bool)> {
    let mut reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    let (mut output, mut ends) = ([0; 4_096], [0; 256]);
    let (mut input, mut records) = (text.as_bytes(), Vec::new());
    let (mut cells, mut blank, mut quote) = (0, true, false);
    while records.len() < LOOK_RECORDS {
        let (result, read, written, found) = reader.read_record(input, &mut output, &mut ends);
        input = &input[read..];
        cells += found;
        blank &= output[..written].iter().all(u8::is_ascii_whitespace);
        quote |= output[..written].contains(&b'"');
        match result {
            ReadRecordResult::Record => {
                if !blank {
                    records.push((cells, quote));
                }
                (cells, blank, quote) = (0, true, false);
            }
            ReadRecordResult::End => break,
            // What was written may be written over: only its amount counts.
            ReadRecordResult::InputEmpty | ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
        }
    }
    records
}

/// Between 0 and 1: the share of records that have the usual number of cells; less when that is few, when the first
/// record, which names the columns, has another number, and when quotation marks are left over, since a wrong delimiter
/// cuts through what is quoted.
fn consistency(records: &[(usize, bool)]) -> f64 {
    let times = |n: usize| records.iter().filter(|&&(cells, _)| cells == n).count();
    let most = records.iter().map(|&(cells, _)| cells).max_by_key(|&n| (times(n), n));
    let Some(usual) = most.filter(|&n| n > 1) else { return 0.0 };
    let share = |count: usize| count as f64 / records.len() as f64;
    let alike = share(times(usual));
    let quotes = share(records.iter().filter(|(_, quote)| *quote).count());
    let header = match records.first() {
        Some(&(first, _)) if first == usual => 1.0,
        // A title may stand above; but "Berg, Eva" below "Name" is one column with a comma in it.
        Some((1, _)) | None => {
            if usual > 2 {
                0.1
            } else {
                0.0
            }
        }
        Some(_) => 0.5,
    };
    alike * alike * (1.0 - 1.0 / usual as f64) * (1.0 - 0.8 * quotes) * header
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> TextFormat {
        match sniff("a.csv", bytes, &Limits::default()).map(|sniffed| sniffed.content) {
            Ok(Content::Text(format)) => format,
            other => panic!("{other:?} is no text"),
        }
    }
    fn delimiter(content: &str) -> char {
        char::from(text(content.as_bytes()).delimiter)
    }
    fn error(name: &str, bytes: &[u8]) -> Option<FileError> {
        sniff(name, bytes, &Limits::default()).err()
    }

    #[test]
    fn the_delimiter_is_the_one_that_cuts_every_record_alike() {
        assert_eq!(delimiter("Namn;Ort\nÅsa;Malmö, Skåne\nBo;Lund, Skåne\n"), ';');
        assert_eq!(delimiter("Name\tPreis\nA\t1,50\nB\t2,50\n"), '\t');
        assert_eq!(delimiter("a|b|c\n1|2;2|3\n"), '|');
        assert_eq!(delimiter("a,\"b;c;d\"\n1,\"x;y;z\"\n"), ',');
        assert_eq!(delimiter("Kundlista 2024\nNamn;Ort;Land\nÅsa;Lund;SE\n"), ';');
        assert_eq!(delimiter("Namn\nBerg, Eva\nEk, Bo\n"), ';');
        assert_eq!(delimiter(";;;\n;;\n"), ';');
        assert_eq!(delimiter("sep=|\na;b\n1;2\n"), '|');
    }

    #[test]
    fn the_encoding_is_told_by_mark_zeros_or_validity() {
        let of = |bytes: &[u8]| text(bytes).encoding.name();
        let utf16 =
            |bytes: fn(u16) -> [u8; 2]| "Namn;Ort\nÅsa;Malmö\n".encode_utf16().flat_map(bytes).collect::<Vec<_>>();
        assert_eq!(of(b"Namn\nAsa\n"), "UTF-8");
        assert_eq!(of("Namn\nÅsa\n".as_bytes()), "UTF-8");
        assert_eq!(of(b"Namn\n\xC5sa\n"), "windows-1252");
        assert_eq!(of(&utf16(u16::to_le_bytes)), "UTF-16LE");
        assert_eq!(of(&utf16(u16::to_be_bytes)), "UTF-16BE");
        assert_eq!(of(&[b"\xFE\xFF".to_vec(), utf16(u16::to_be_bytes)].concat()), "UTF-16BE");
        assert_eq!(text(b"\xEF\xBB\xBFNamn\nAsa\n").start, 3);
    }

    #[test]
    fn one_wrong_byte_late_in_a_file_does_not_make_it_utf_8() {
        let late = [vec![b'a'; 300_000], b"\n\xE9t\xE9\n".to_vec()].concat();
        assert_eq!(text(&late).encoding.name(), "windows-1252");
        let damaged = ["Åsa Öberg;Malmö\n".repeat(9).into_bytes(), b"\xC3".to_vec()].concat();
        let sniffed = sniff("a.csv", &damaged, &Limits::default()).unwrap();
        assert_eq!(sniffed.notices, [text::DAMAGED_CHARACTERS]);
    }

    #[test]
    fn what_is_no_spreadsheet_is_told_by_its_first_bytes() {
        let not = |found| Some(FileError::NotASpreadsheet { found });
        assert_eq!(error("a.csv", b"\x89PNG\r\n\x1a\n"), not("an image (PNG)"));
        assert_eq!(error("a.xlsx", b"\x1F\x8B\x08\0"), not("a compressed file (gzip)"));
        assert_eq!(error("a.xls", b"\xEF\xBB\xBF \n<!DOCTYPE html><p>"), not("a web page (HTML)"));
        let xml = b"<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas\">";
        assert_eq!(error("a.xls", xml), not("an XML spreadsheet of 2003"));
        assert_eq!(error("a.csv", &[0, 1, 2, 3, 4, 5, 6, 7]), not("a file of an unknown kind"));
        assert_eq!(error("a.xlsx", b"not a zip"), Some(FileError::BrokenWorkbook));
        assert_eq!(error("a.csv", b"\xEF\xBB\xBF"), Some(FileError::Empty));
        let no_ending = FileError::UnsupportedExtension { extension: String::new() };
        assert_eq!(error("contacts", b"a,b"), Some(no_ending));
    }

    #[test]
    fn a_file_that_is_too_large_is_told_by_its_own_kind() {
        let limits = Limits { csv_bytes: 10, excel_bytes: 5, ..Limits::default() };
        let error = |bytes: &[u8]| sniff("A.CSV", bytes, &limits).err();
        assert_eq!(error(b"Name\nAda\nBo"), Some(FileError::TooLarge { bytes: 11, most: 10 }));
        assert_eq!(error(b"Name\nAda\n"), None);
        assert_eq!(error(b"PK\x03\x04zip"), Some(FileError::TooLarge { bytes: 7, most: 5 }));
    }
}
