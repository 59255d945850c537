//! The readers that hold a workbook in memory: what they read of workbooks by several writers, and what they refuse.
#![cfg(feature = "fallback")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback};
use std::io::{Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap()
}

fn kind(name: &str) -> FileKind {
    match name.rsplit('.').next() {
        Some("xls") => FileKind::Xls,
        Some("xlsb") => FileKind::Xlsb,
        Some("ods") => FileKind::Ods,
        _ => FileKind::Xlsx,
    }
}

fn open(name: &str) -> Result<Box<dyn Book>, FileError> {
    fallback::open(bytes(name), kind(name), &Limits::default())
}

/// A row's number, and its texts by column.
type Row = (u64, Vec<(usize, String)>);

/// A sheet's rows, each with its number and a line of its texts by column.
fn rows(book: &mut dyn Book, sheet: usize) -> Vec<Row> {
    book.start(sheet).unwrap();
    let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
    while book.next(&mut row).unwrap() {
        rows.push((row.number(), row.row().cells().map(|(column, text)| (column, text.to_owned())).collect()));
    }
    rows
}

fn texts(cells: &[(usize, String)]) -> Vec<&str> {
    (1..18).map(|at| cells.iter().find(|(column, _)| *column == at).map_or("", |(_, text)| text.as_str())).collect()
}

/// The first row of contacts as a person sees it, and what a writer or its format leaves out of it.
const SEEN: [&str; 17] = [
    "Åsa Öberg",
    "asa@example.se",
    "46701234567",
    "0701234567",
    "00123",
    "00123",
    "123456789012345",
    "1985-12-10",
    "2024-05-03 14:30:00",
    "08:30:00",
    "726:00:00",
    "25%",
    "1234.5",
    "TRUE",
    "Hej Åsa",
    "#N/A",
    "Line one\nLine two",
];
const GREETING: usize = 14;
const CHECK: usize = 15;

#[test]
fn every_writers_workbook_is_read_alike() {
    // xlwt keeps no values of formulas, openpyxl neither, and LibreOffice writes a zero there; SheetJS knows only ASCII in the
    // format of 1995.
    for (name, other) in [
        ("openpyxl-oddities.xlsx", &[(GREETING, ""), (CHECK, "")][..]),
        ("xlsxwriter-oddities.xlsx", &[]),
        ("xlsxwriter-inline-strings.xlsx", &[]),
        ("xlsxwriter-1904.xlsx", &[]),
        ("exceljs-oddities.xlsx", &[]),
        ("sheetjs-oddities.xlsx", &[]),
        ("sheetjs-inline-strings.xlsx", &[]),
        ("libreoffice-oddities.xlsx", &[]),
        ("xlwt-oddities.xls", &[(GREETING, "")]),
        ("sheetjs-oddities.xls", &[]),
        ("sheetjs-biff5.xls", &[(0, "_sa _berg"), (GREETING, "Hej _sa")]),
        ("libreoffice-oddities.xls", &[(GREETING, "0")]),
        ("libreoffice-1904.xls", &[(GREETING, "0")]),
        ("libreoffice-oddities.ods", &[]),
        ("sheetjs-oddities.xlsb", &[]),
    ] {
        let mut book = open(name).unwrap();
        let sheets: Vec<_> = book.sheets().iter().map(|sheet| (sheet.name.as_str(), sheet.hidden)).collect();
        assert_eq!(sheets, [("Listor", true), ("Config", true), ("Kontakter", false), ("Gamla", false)], "{name}");
        let rows = rows(&mut *book, 2);
        assert_eq!(rows.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 4, 5, 6, 7, 8], "{name}");
        assert_eq!(rows[0].1, [(1, "Kontakter 2024".to_owned())], "{name}");
        let mut expected = SEEN;
        for (column, text) in other {
            expected[*column] = text;
        }
        assert_eq!(texts(&rows[2].1), expected, "{name}");
        let sample = book.sample(2, 3).unwrap();
        assert_eq!(sample.iter().map(RowBuffer::number).collect::<Vec<_>>(), [2, 4, 5], "{name}");
    }
}

#[test]
fn every_sheet_can_be_read_as_often_as_wished() {
    for name in ["xlwt-oddities.xls", "exceljs-oddities.xlsx", "libreoffice-oddities.ods"] {
        let mut book = open(name).unwrap();
        let once = rows(&mut *book, 2);
        assert_eq!(rows(&mut *book, 0)[0].1, [(0, "Hidden".into()), (1, "Values".into())], "{name}");
        book.sample(3, 1).unwrap();
        assert_eq!(rows(&mut *book, 2), once, "{name}");
        assert!(matches!(book.start(9), Err(FileError::NoSuchSheet)), "{name}");
    }
}

#[test]
fn no_more_rows_are_kept_than_it_takes_to_see_that_there_are_too_many() {
    let limits = Limits { rows: 20, ..Limits::default() };
    let mut book = fallback::open(bytes("xlwt-many-texts.xls"), FileKind::Xls, &limits).unwrap();
    assert_eq!(rows(&mut *book, 0).len(), 121);
}

#[test]
fn a_text_too_long_for_a_cell_is_told_with_its_place() {
    let limits = Limits { cell_chars: 400, ..Limits::default() };
    let mut book = fallback::open(bytes("xlwt-many-texts.xls"), FileKind::Xls, &limits).unwrap();
    assert_eq!(book.start(0), Err(FileError::CellTooLong { row: 12, column: 2, max: 400 }));
}

#[test]
fn does_not_believe_what_an_old_workbook_claims_of_itself() {
    for name in ["hostile-dimensions-huge.xls", "hostile-dimensions-reversed.xls", "hostile-dimensions-short.xls"] {
        assert_eq!(rows(&mut *open(name).unwrap(), 0).len(), 3, "{name}");
    }
    // Cells far apart take no more memory than others.
    assert_eq!(rows(&mut *open("hostile-far-cells-60-sheets.xls").unwrap(), 59).len(), 3);
    assert!(matches!(open("hostile-circle.xls"), Err(FileError::BrokenWorkbook)));
}

/// An archive of these parts.
fn zip<C: AsRef<[u8]>>(parts: impl IntoIterator<Item = (String, C)>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The parts of an .ods with this content.
fn parts(content: &str) -> Vec<(String, String)> {
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        (
            "content.xml",
            &format!(
                "<o:document-content><o:body><o:spreadsheet>{content}</o:spreadsheet></o:body></o:document-content>"
            ),
        ),
    ];
    parts.map(|(name, content)| (name.to_owned(), content.to_owned())).to_vec()
}

/// An .ods with these rows.
fn ods(rows: &str) -> Vec<u8> {
    zip(parts(&format!("<table:table table:name='S'><!-- it's -->{rows}</table:table>")))
}

fn sheet_of(rows: &str) -> Result<Vec<Row>, FileError> {
    let mut book = fallback::open(ods(rows), FileKind::Ods, &Limits::default())?;
    book.start(0)?;
    Ok(self::rows(&mut *book, 0))
}

fn ods_row(times: u64, cells: &str) -> String {
    format!("<table:table-row table:number-rows-repeated=\"{times}\">{cells}</table:table-row>")
}

fn ods_cell(times: &str, text: &str) -> String {
    format!(
        "<table:table-cell table:number-columns-repeated{times} office:value-type=\"string\"><text:p>{text}</text:p>\
         </table:table-cell>"
    )
}

#[test]
fn v1_rejects_ods_rows_and_cells_that_repeat_values_without_end() {
    // A few equal neighbours are as usual as empty rows and cells up to the end of the sheet, which cost nothing.
    let empty = "<table:table-cell table:number-columns-repeated=\"16384\"/>";
    let usual = ods_row(3, &ods_cell("=\"4\"", "1")) + &ods_row(1_048_000, empty);
    let found = sheet_of(&usual).unwrap();
    assert_eq!(
        found.iter().map(|(number, cells)| (*number, cells.len())).collect::<Vec<_>>(),
        [(1, 4), (2, 4), (3, 4)]
    );
    assert_eq!(sheet_of(&ods_row(100, &ods_cell("='1'", "1"))).map(|rows| rows.len()), Ok(100));
    let long = "x".repeat(30_000);
    // No program means by 0 that there is none.
    assert_eq!(sheet_of(&ods_row(0, &ods_cell("='0'", "1"))), Ok(vec![(1, vec![(0, "1".to_owned())])]));
    for rows in [
        ods_row(101, &ods_cell("=\"1\"", "1")),
        ods_row(1_048_575, &ods_cell("=\"1\"", "1")),
        ods_row(1, &ods_cell("=\"16384\"", "1")).repeat(20),
        ods_row(1, &ods_cell(" = '+16384'", "1")).repeat(20),
        // Long rows, and long texts in many columns.
        ods_row(100, &ods_cell("=\"1\"", &long)),
        ods_row(1, &ods_cell("=\"33\"", &long)).repeat(20),
        ods_row(99_999_999_999_999, &ods_cell("=\"1\"", "1")),
    ] {
        let outcome = sheet_of(&rows);
        assert!(matches!(outcome, Err(FileError::TooManyRepeats { .. })), "{}: {outcome:?}", &rows[..90]);
        // A sheet beside it is read.
        let both = format!(
            "<table:table table:name='A'>{rows}</table:table><table:table table:name='B'>{usual}</table:table>"
        );
        let mut book = fallback::open(zip(parts(&both)), FileKind::Ods, &Limits::default()).unwrap();
        assert_eq!(self::rows(&mut *book, 1).len(), 3);
    }
    for rows in [
        ods_row(1, &ods_cell("=\"99999999999999999999999999\"", "1")),
        ods_row(1, &(empty.to_owned() + &ods_cell("=\"1\"", "1"))),
        ods_row(1_048_576, empty) + &ods_row(1, &ods_cell("=\"1\"", "1")),
    ] {
        assert_eq!(sheet_of(&rows), Err(FileError::BrokenWorkbook), "{}", &rows[..90]);
    }
}

#[test]
fn reads_an_ods_as_a_person_sees_it() {
    let cell = |attributes: &str, inside: &str| format!("<table:table-cell {attributes}>{inside}</table:table-cell>");
    let cells = [
        // White space comes to one blank, and what is meant to be more is written otherwise.
        cell("", "\n  <text:p> Åsa\n   <text:span>Ö</text:span>berg<text:s text:c=\"3\"/>&amp;&#x2605;</text:p>\n"),
        cell("", "<text:p>one</text:p><text:p/><text:p>two<text:line-break/>three</text:p>"),
        cell("", "<office:annotation><text:p>a comment</text:p></office:annotation><text:p>value</text:p>"),
        cell("office:value-type='float' office:value='46701234567'", "<text:p>4.67E+10</text:p>"),
        cell("office:value-type='float' office:value='1' calcext:value-type='float'", "<text:p>SANT</text:p>"),
        cell("office:value-type='boolean' office:boolean-value='false'", ""),
        cell("office:value-type='percentage' office:value='0.125'", "<text:p>13%</text:p>"),
        cell("office:value-type='date' office:date-value='2024-05-03T14:30:00.4'", ""),
        cell("office:value-type='time' office:time-value='PT30H05M07S'", ""),
        cell("office:value-type='string' office:string-value='' calcext:value-type='error'", "<text:p>#N/A</text:p>"),
        cell("office:value-type='string' office:string-value='only here'", ""),
        cell("office:value-type='float' office:value='not one'", "<text:p>shown</text:p>"),
    ];
    let found = sheet_of(&format!("<table:table-row>{}</table:table-row>", cells.concat())).unwrap();
    let seen: Vec<_> = found[0].1.iter().map(|(_, text)| text.as_str()).collect();
    let expected = [
        "Åsa Öberg   &★",
        "one\n\ntwo\nthree",
        "value",
        "46701234567",
        "TRUE",
        "FALSE",
        "12.5%",
        "2024-05-03 14:30:00",
        "30:05:07",
        "#N/A",
        "only here",
        "shown",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn reads_the_number_formats_of_an_ods() {
    let content = "<o:document-content><o:automatic-styles>
        <number:number-style style:name='N1'><number:number number:min-integer-digits='5' number:decimal-places='0'/></number:number-style>
        <number:percentage-style style:name='N2'><number:number number:min-integer-digits='1'/><number:text>%</number:text></number:percentage-style>
        <number:boolean-style style:name='N3'><number:boolean/></number:boolean-style>
        <style:style style:name='zeros' style:family='table-cell' style:data-style-name='N1'/>
        <style:style style:name='child' style:family='table-cell' style:parent-style-name='zeros'/>
        <style:style style:name='percent' style:family='table-cell' style:data-style-name='N2'/>
        <style:style style:name='truth' style:family='table-cell' style:data-style-name='N3'/>
        <style:style style:name='ta2' style:family='table'><style:table-properties table:display='false'/></style:style>
        </o:automatic-styles><o:body><o:spreadsheet>
        <table:table table:name='A'><table:table-column/><table:table-column table:default-cell-style-name='zeros'/>
        <table:table-row><table:table-cell office:value-type='float' office:value='123'/>
        <table:table-cell office:value-type='float' office:value='123'/>
        <table:table-cell table:style-name='child' office:value-type='float' office:value='123'/>
        <table:table-cell table:style-name='percent' office:value-type='float' office:value='0.5'/>
        <table:table-cell table:style-name='truth' office:value-type='float' office:value='0'/></table:table-row>
        <table:table-row table:default-cell-style-name='percent'><table:table-cell office:value-type='float' office:value='0.25'/>
        </table:table-row></table:table><table:table table:name='B' table:style-name='ta2'/></o:spreadsheet></o:body></o:document-content>";
    let mut parts = parts("");
    parts[2].1 = content.to_owned();
    // Without the part that says what the file is, which some programs leave out.
    let mut book = fallback::open(zip(parts.split_off(1)), FileKind::Ods, &Limits::default()).unwrap();
    let sheets: Vec<_> = book.sheets().iter().map(|sheet| (sheet.name.as_str(), sheet.hidden)).collect();
    assert_eq!(sheets, [("A", false), ("B", true)]);
    let lines: Vec<String> = rows(&mut *book, 0)
        .iter()
        .map(|(_, cells)| cells.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("|"))
        .collect();
    assert_eq!(lines, ["123|00123|00123|50%|FALSE", "25%"]);
}

/// A record of an .xlsb, the bytes of its numbers seven bits each.
fn record(kind: u16, data: &[&[u8]]) -> Vec<u8> {
    let (data, mut bytes) = (data.concat(), Vec::new());
    for mut number in [usize::from(kind), data.len()] {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    [bytes, data].concat()
}

/// A text of an .xlsb.
fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    [&(units.len() as u32).to_le_bytes()[..], &units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>()]
        .concat()
}

/// An .xlsb whose only sheet has these records between its rows' begin and end.
fn xlsb(cells: &[Vec<u8>]) -> Vec<u8> {
    let workbook =
        [record(156, &[&[0; 4], &[1, 0, 0, 0], &wide("r1"), &wide("S")]), record(144, &[]), record(132, &[])];
    let sheet = [record(148, &[&[0; 16]]), record(145, &[]), cells.concat(), record(146, &[])];
    let names = "<Relationships><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.bin\"/></Relationships>";
    zip([
        ("xl/workbook.bin".to_owned(), workbook.concat()),
        ("xl/_rels/workbook.bin.rels".to_owned(), names.into()),
        ("xl/worksheets/sheet1.bin".to_owned(), sheet.concat()),
    ])
}

#[test]
fn an_xlsb_is_read_cell_by_cell() {
    let row = |row: u32| record(0, &[&row.to_le_bytes(), &[0; 13]]);
    let head = |column: u32| [column.to_le_bytes(), [0; 4]].concat();
    let cells = [
        row(0),
        record(6, &[&head(0), &wide("Åsa")]),
        record(5, &[&head(2), &46_701_234_567_f64.to_le_bytes()]),
        row(3),
        record(4, &[&head(1), &[1]]),
    ];
    let limits = Limits::default();
    let mut book = fallback::open(xlsb(&cells), FileKind::Xlsb, &limits).unwrap();
    assert_eq!(book.sheets().iter().map(|sheet| sheet.name.as_str()).collect::<Vec<_>>(), ["S"]);
    let cell = |column: usize, text: &str| (column, text.to_owned());
    assert_eq!(rows(&mut *book, 0), [(1, vec![cell(0, "Åsa"), cell(2, "46701234567")]), (4, vec![cell(1, "TRUE")])]);
    for damaged in [
        // A text that ends with its record, a row and a column that come before others, and a column beyond the last.
        vec![row(0), record(6, &[&head(0), &[9, 0, 0, 0]])],
        vec![row(3), row(0)],
        vec![row(0), record(1, &[&head(2)]), record(1, &[&head(1)])],
        vec![row(0), record(1, &[&head(16_384)])],
        vec![row(1_048_576)],
        vec![row(0), record(5, &[&head(0), &[0; 7]])],
    ] {
        let mut book = fallback::open(xlsb(&damaged), FileKind::Xlsb, &limits).unwrap();
        assert_eq!(book.start(0), Err(FileError::BrokenWorkbook), "{damaged:?}");
    }
}

#[test]
fn refuses_an_archive_that_would_take_too_much_memory() {
    let whole = parts("<table:table table:name='S'/>");
    let with = |more: Vec<(String, Vec<u8>)>| {
        zip(whole.iter().map(|(name, content)| (name.clone(), content.clone().into_bytes())).chain(more))
    };
    let open =
        |bytes: Vec<u8>| fallback::open(bytes, FileKind::Ods, &Limits::default()).map(|book| book.sheets().len());
    // As many parts as may be, and one more.
    let many = |count: usize| with((whole.len()..count).map(|n| (n.to_string(), Vec::new())).collect());
    assert_eq!([open(many(4_096)), open(many(4_097))], [Ok(1), Err(FileError::BrokenWorkbook)]);
    // A part that claims to be large, though nobody reads it.
    let claiming = |size: u32| {
        let mut bytes = with(vec![("picture.png".into(), b"PNG".to_vec())]);
        let at = bytes.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
        bytes[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
        open(bytes)
    };
    assert_eq!([claiming(1 << 20), claiming((1 << 30) + 1)], [Ok(1), Err(FileError::BrokenWorkbook)]);
    // Blanks that a few bytes stand for, and more sheets than any workbook has.
    let blanks = format!(
        "<table:table><table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row></table:table>",
        "<text:s text:c='32767'/>".repeat(1_000)
    );
    let mut book = fallback::open(zip(parts(&blanks)), FileKind::Ods, &Limits::default()).unwrap();
    assert_eq!(book.start(0), Err(FileError::CellTooLong { row: 1, column: 1, max: 32_767 }));
    assert_eq!(open(zip(parts(&"<table:table/>".repeat(4_097)))), Err(FileError::BrokenWorkbook));
    // A piece of XML that is longer than any program writes, and one that would grow by itself.
    let mut long = parts("<table:table table:name='S'/>");
    long[2].1.insert_str(3, &" ".repeat(5 << 20));
    assert_eq!(open(zip(long)), Err(FileError::BrokenWorkbook));
    let mut grown = parts("<table:table table:name='S'/>");
    grown[2].1.insert_str(0, "<!DOCTYPE a [<!ENTITY b 'c'>]>");
    assert_eq!(open(zip(grown)), Err(FileError::BrokenWorkbook));
}

#[test]
fn what_holds_no_sheet_or_is_locked_is_told() {
    let open = |parts: Vec<(String, String)>| {
        fallback::open(zip(parts), FileKind::Ods, &Limits::default()).map(|book| book.sheets().len())
    };
    assert_eq!(open(parts("")), Err(FileError::NotASpreadsheet { found: "a document of another kind" }));
    let mut letter = parts("");
    letter[2].1 = "<o:document-content><o:body><o:text/></o:body></o:document-content>".into();
    let another = FileError::NotASpreadsheet { found: "an OpenDocument file of another program" };
    assert_eq!(open(letter), Err(another));
    let mut locked = parts("");
    locked[2].1 = "no XML, since it is encrypted".into();
    locked[1].1 = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry>\
                   </manifest:manifest>"
        .into();
    assert_eq!(open(locked), Err(FileError::PasswordProtected));
    let text = fallback::open(b"Namn;Ort\n".to_vec(), FileKind::Csv, &Limits::default());
    assert_eq!(text.map(|book| book.sheets().len()), Err(FileError::BrokenWorkbook));
}
