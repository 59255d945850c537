//! Fuzz target: reads arbitrary bytes as .xlsx. The reader must return rows or an error, within its limits. Half of the
//! inputs are read as they are; the other half become the parts of a valid archive, assembled from fragments of such
//! files.
#![no_main]

use forecourt_core::import::{Limits, RowBuffer, xlsx};
use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// Fragments of a workbook's parts. Each byte of the input selects the fragment with its number; a larger byte becomes
/// a 7.
#[rustfmt::skip]
const FRAGMENTS: &[&str] = &[
    "<sheetData>", "</sheetData>", "<row>", "</row>", "<row r=\"", "<c r=\"", "<c>", "</c>", "<c/>", "\" t=\"s\">", "\" t=\"str\">", "\" t=\"inlineStr\">",
    "\" t=\"b\">", "\" t=\"e\">", "\" t=\"n\">", "\" t=\"d\">", "\" s=\"", "\">", "\"/>", "<v>", "</v>", "<v/>", "<is>", "</is>", "<t>", "</t>",
    "<t xml:space=\"preserve\">", "<r>", "</r>", "<rPr><b/></rPr>", "<rPh sb=\"0\" eb=\"1\">", "</rPh>", "<f>", "</f>", "<f t=\"shared\" si=\"0\"/>",
    "<mergeCells><mergeCell ref=\"A1:B2\"/></mergeCells>", "<cols><col min=\"1\" max=\"16384\" hidden=\"1\"/></cols>", "<dimension ref=\"A1:XFD1048576\"/>",
    "<si>", "</si>", "<si/>", "A1", "B1", "A2", "XFD1048576", "AAAA1", "A0", "$A$1", "0", "1", "2", "9", "-", ".", "e", "E+308", "e-320",
    "99999999999999999999", "0.1", "44927", "44927.5", "1048576", "1048577", "TRUE", "#N/A", "2024-01-31T00:00:00Z", "&amp;", "&#65;", "&#x10FFFF;",
    "&#xD800;", "&lt;", "&what;", "_x000D_", "_x0041_", "<![CDATA[", "]]>", "<!--", "-->", "<?pi ", "?>", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "\r\n", "\n", " ",
    "\t", "å", "日", "😀", "<x:row xmlns:x=\"y\">", "<a b='c'>", "</a>", "'", "\"", "<", ">", "=", "/",
    "<numFmts><numFmt numFmtId=\"164\" formatCode=\"", "</numFmts>", "yyyy\\-mm\\-dd", "[h]:mm", "0.00%", "General", "@", "#,##0", "[Red]", "\\", ";",
    "000-00", "&quot;KN&quot;", "# ##0", "[<=99]", "[=1]", "+", "?", "_-", "*", "[$kr-41D]", "PT30H", "P1D", "T07:45:00.5", "1900-02-28", "+02:00",
    "<cellXfs>", "<xf numFmtId=\"14\"/>", "<xf numFmtId=\"164\"/>", "<xf numFmtId=\"22\" applyNumberFormat=\"1\"/>", "</cellXfs>", "<sst>", "</sst>",
];

fn part(recipe: &[u8]) -> String {
    recipe.iter().map(|&byte| FRAGMENTS.get(usize::from(byte)).copied().unwrap_or("7")).collect()
}

/// How a part of the workbook is written into the archive.
#[derive(Clone, Copy)]
struct Encoding {
    is_deflated: bool,
    is_utf_16: bool,
}

fn put(zip: &mut ZipWriter<Cursor<Vec<u8>>>, encoding: Encoding, name: &str, text: &str) -> zip::result::ZipResult<()> {
    let method = if encoding.is_deflated { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    zip.start_file(name, SimpleFileOptions::default().compression_method(method))?;
    let wide = || text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bytes: Vec<u8> = if encoding.is_utf_16 { wide() } else { text.into() };
    Ok(zip.write_all(&bytes)?)
}

/// Builds a workbook of one sheet with valid surroundings, so that the reader reaches the generated parts.
fn workbook(choice: u8, sheet: &[u8], strings: &[u8], styles: &[u8]) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let (framed, epoch) = (choice & 4 != 0, choice >> 3 & 1);
    let encoding = Encoding { is_deflated: choice & 2 != 0, is_utf_16: choice & 16 != 0 };
    let put = |zip: &mut _, name: &str, text: &str| put(zip, encoding, name, text);
    let relation = |id: &str, kind: &str, target: &str| format!("<Relationship Id=\"{id}\" Type=\"{LINKS}/{kind}\" Target=\"{target}\"/>");
    let relations = |all: String| format!("<Relationships xmlns=\"{PACKAGE}\">{all}</Relationships>");
    put(&mut zip, "[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>")?;
    put(&mut zip, "_rels/.rels", &relations(relation("rId1", "officeDocument", "xl/workbook.xml")))?;
    let parts = [("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "sharedStrings", "sharedStrings.xml"), ("rId3", "styles", "styles.xml")];
    let all = parts.iter().map(|(id, kind, target)| relation(id, kind, target)).collect();
    put(&mut zip, "xl/_rels/workbook.xml.rels", &relations(all))?;
    let sheets = "<sheets><sheet name=\"A\" sheetId=\"1\" r:id=\"rId1\"/></sheets>";
    put(&mut zip, "xl/workbook.xml", &format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{LINKS}\"><workbookPr date1904=\"{epoch}\"/>{sheets}</workbook>"))?;
    let inside = |name: &str, recipe: &[u8]| format!("<{name} xmlns=\"{MAIN}\">{}</{name}>", part(recipe));
    let rows = match framed {
        true => format!("<worksheet xmlns=\"{MAIN}\"><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>{}</sheetData></worksheet>", part(sheet)),
        false => inside("worksheet", sheet),
    };
    put(&mut zip, "xl/worksheets/sheet1.xml", &rows)?;
    put(&mut zip, "xl/sharedStrings.xml", &inside("sst", strings))?;
    put(&mut zip, "xl/styles.xml", &inside("styleSheet", styles))?;
    Ok(zip.finish()?.into_inner())
}

fuzz_target!(|input: (u8, Vec<u8>, Vec<u8>, Vec<u8>)| {
    let (choice, sheet, strings, styles) = input;
    let bytes = if choice & 1 == 0 { sheet } else { workbook(choice, &sheet, &strings, &styles).expect("writing a workbook to memory succeeds") };
    let Ok(mut book) = xlsx::open(Box::new(bytes), &Limits::default()) else { return };
    for sheet in 0..book.sheets().len().min(4) {
        let _ = book.sample(sheet, 50);
        if book.start(sheet).is_err() {
            continue;
        }
        let (mut row, mut last) = (RowBuffer::default(), 0);
        while let Ok(true) = book.next(&mut row) {
            assert!(row.number() > last && row.number() <= 1_048_576);
            last = row.number();
        }
    }
});
