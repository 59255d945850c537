//! Records as a workbook with one sheet (Office Open XML), written as a stream: neither the sheet nor the archive is
//! ever in memory or on disk as a whole.

use crate::platform::zip_output::ZipOutput;
use forecourt_core::lists::Cell;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

/// Maximum number of records in a sheet: its rows without the header.
pub const RECORDS_MAX: usize = 1_048_575;
/// Maximum number of columns of a sheet.
pub const COLUMNS_MAX: usize = 16_384;

/// Maximum size of a sheet's XML in bytes. The sizes of a larger one need 64 bits in its archive, which not all programs
/// can read.
const SMALL_SHEET: usize = u32::MAX as usize;

/// Deflate level 1: half the time of the default level, for a file that is a fifth larger.
const COMPRESSION: i64 = 1;

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>"#;
const RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const WORKBOOK: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
const WORKBOOK_RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
/// The cell formats that cells name: 0 general, 1 text, 2 date, 3 amount, 4 the header.
const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="2" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>"#;
/// The beginning of the sheet's XML. It keeps the first row visible when the user scrolls.
const SHEET_START: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>"#;
const SHEET_END: &str = "</sheetData></worksheet>";

/// Writes a workbook, piece by piece.
pub struct Workbook {
    zip: ZipWriter<StreamWriter<ZipOutput>>,
    output: ZipOutput,
    /// The XML of rows that are not yet compressed.
    xml: String,
    /// The number of the last row that was added, from 1.
    row: u32,
}

impl Workbook {
    /// Starts a workbook with a header row of these names. The XML of its sheet has at most `size` bytes.
    pub fn new(names: &[Cow<'_, str>], size: usize) -> io::Result<Self> {
        let output = ZipOutput::default();
        let mut zip = ZipWriter::new_stream(output.clone());
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, content) in [
            ("[Content_Types].xml", CONTENT_TYPES),
            ("_rels/.rels", RELATIONSHIPS),
            ("xl/workbook.xml", WORKBOOK),
            ("xl/_rels/workbook.xml.rels", WORKBOOK_RELATIONSHIPS),
            ("xl/styles.xml", STYLES),
        ] {
            zip.start_file(name, options)?;
            zip.write_all(content.as_bytes())?;
        }
        let options = options.compression_level(Some(COMPRESSION)).large_file(size > SMALL_SHEET);
        zip.start_file("xl/worksheets/sheet1.xml", options)?;
        let mut workbook = Workbook { zip, output, xml: SHEET_START.to_owned(), row: 0 };
        workbook.push_row(names.iter().map(|name| (Cell::Text(name), 4)));
        workbook.compress()?;
        Ok(workbook)
    }

    /// Adds rows of cells.
    pub fn push<'c>(&mut self, rows: impl Iterator<Item = impl Iterator<Item = Cell<'c>>>) -> io::Result<()> {
        for row in rows {
            self.push_row(row.map(|cell| (cell, style_of(cell))));
        }
        self.compress()
    }

    /// Returns the bytes that were written since the last call.
    pub fn take(&self) -> Vec<u8> {
        self.output.take()
    }

    /// Ends the workbook, and returns its last bytes.
    pub fn finish(mut self) -> io::Result<Vec<u8>> {
        self.zip.write_all(SHEET_END.as_bytes())?;
        self.zip.finish()?;
        Ok(self.output.take())
    }

    fn compress(&mut self) -> io::Result<()> {
        self.zip.write_all(self.xml.as_bytes())?;
        self.xml.clear();
        Ok(())
    }

    fn push_row<'a>(&mut self, cells: impl Iterator<Item = (Cell<'a>, u8)>) {
        self.row += 1;
        let _ = write!(self.xml, r#"<row r="{}">"#, self.row);
        for (column, (cell, style)) in cells.enumerate() {
            self.push_cell(column, cell, style);
        }
        self.xml.push_str("</row>");
    }

    fn push_cell(&mut self, column: usize, cell: Cell<'_>, style: u8) {
        let text = cell.exported();
        if text.is_empty() {
            return;
        }
        self.xml.push_str("<c r=\"");
        push_column(&mut self.xml, column);
        let _ = write!(self.xml, "{}\" s=\"{style}\"", self.row);
        match cell {
            Cell::Number(_) | Cell::Money(_) | Cell::Costs(_) | Cell::Legs(_) => {
                let _ = write!(self.xml, "><v>{text}</v></c>");
            }
            Cell::Date(date) if date.spreadsheet_number().is_some() => {
                let _ = write!(self.xml, "><v>{}</v></c>", date.spreadsheet_number().unwrap_or_default());
            }
            _ => {
                self.xml.push_str(r#" t="inlineStr"><is><t xml:space="preserve">"#);
                push_text(&mut self.xml, &text);
                self.xml.push_str("</t></is></c>");
            }
        }
    }
}

fn style_of(cell: Cell<'_>) -> u8 {
    match cell {
        Cell::Number(_) | Cell::Legs(_) => 0,
        Cell::Date(_) => 2,
        Cell::Money(_) | Cell::Costs(_) => 3,
        _ => 1,
    }
}

/// Appends the letters of a column: A to Z, AA, AB and so on.
fn push_column(xml: &mut String, column: usize) {
    if column >= 26 {
        push_column(xml, column / 26 - 1);
    }
    xml.push(char::from(b'A' + u8::try_from(column % 26).unwrap_or_default()));
}

/// Appends a text. A character that XML can't contain or would change (a carriage return) becomes `_xHHHH_`, which
/// programs decode; a text that looks like that is escaped in the same way.
fn push_text(xml: &mut String, text: &str) {
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let escaped = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '_' if is_escape(&text[at..]) => "_x005F_",
            '\r' | '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => "",
            _ => continue,
        };
        xml.push_str(&text[start..at]);
        match escaped {
            "" => {
                let _ = write!(xml, "_x{:04X}_", u32::from(c));
            }
            escaped => xml.push_str(escaped),
        }
        start = at + c.len_utf8();
    }
    xml.push_str(&text[start..]);
}

/// Returns whether a text begins like the escape of a character.
fn is_escape(text: &str) -> bool {
    matches!(text.as_bytes(), [b'_', b'x', a, b, c, d, b'_', ..] if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_workbook_columns_by_letters() {
        let letters = |column| {
            let mut letters = String::new();
            push_column(&mut letters, column);
            letters
        };
        assert_eq!([0, 25, 26, 27, 51, 52, 701, 702].map(letters), ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn escapes_what_xml_and_workbooks_cannot_contain() {
        for (text, escaped) in [
            ("Åsa & <Bo>", "Åsa &amp; &lt;Bo&gt;"),
            ("a\r\nb\u{1}\u{ffff}", "a_x000D_\nb_x0001__xFFFF_"),
            ("_x0041_ _x00_", "_x005F_x0041_ _x00_"),
            ("😀_", "😀_"),
        ] {
            let mut xml = String::new();
            push_text(&mut xml, text);
            assert_eq!(xml, escaped);
        }
    }
}
