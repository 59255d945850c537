//! OpenDocument spreadsheets that are built by hand.

use crate::{Row, rows, zip};
use forecourt_core::import::text::format;
use forecourt_core::import::{FileError, FileKind, Limits, fallback};

/// Returns the parts of an .ods with this content.
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

/// Creates an .ods with these rows.
fn ods(rows: &str) -> Vec<u8> {
    zip(parts(&format!("<table:table table:name='S'><!-- it's -->{rows}</table:table>")))
}

fn sheet_of(rows: &str) -> Result<Vec<Row>, FileError> {
    let mut book = fallback::open(ods(rows), FileKind::Ods, &Limits::default())?;
    book.start(0)?;
    Ok(crate::rows(&mut *book, 0))
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
fn v1_rejects_ods_rows_and_cells_with_excessive_repetitions() {
    // A few equal neighbours are normal, and so are empty rows and cells up to the end of the sheet, which cost
    // nothing.
    let empty = "<table:table-cell table:number-columns-repeated=\"16384\"/>";
    let usual = ods_row(3, &ods_cell("=\"4\"", "1")) + &ods_row(1_048_000, empty);
    let found = sheet_of(&usual).unwrap();
    assert_eq!(
        found.iter().map(|(number, cells)| (*number, cells.len())).collect::<Vec<_>>(),
        [(1, 4), (2, 4), (3, 4)]
    );
    assert_eq!(sheet_of(&ods_row(100, &ods_cell("='1'", "1"))).map(|rows| rows.len()), Ok(100));
    let long = "x".repeat(30_000);
    // A count of 0 is treated as 1.
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
        // Other sheets remain readable.
        let both = format!(
            "<table:table table:name='A'>{rows}</table:table><table:table table:name='B'>{usual}</table:table>"
        );
        let mut book = fallback::open(zip(parts(&both)), FileKind::Ods, &Limits::default()).unwrap();
        assert_eq!(crate::rows(&mut *book, 1).len(), 3);
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
fn reads_ods_cells_by_value_and_else_by_text() {
    let cell = |attributes: &str, inside: &str| format!("<table:table-cell {attributes}>{inside}</table:table-cell>");
    let cells = [
        // White space collapses; further blanks are written as elements.
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
fn reads_ods_number_formats_and_hidden_sheets() {
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
    // Without the mimetype part, which some programs leave out.
    let mut book = fallback::open(zip(parts.split_off(1)), FileKind::Ods, &Limits::default()).unwrap();
    let sheets: Vec<_> = book.sheets().iter().map(|sheet| (sheet.name.as_str(), sheet.hidden)).collect();
    assert_eq!(sheets, [("A", false), ("B", true)]);
    let lines: Vec<String> = rows(&mut *book, 0)
        .iter()
        .map(|(_, cells)| cells.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("|"))
        .collect();
    assert_eq!(lines, ["123|00123|00123|50%|FALSE", "25%"]);
}

#[test]
fn rejects_archives_that_would_take_too_much_memory() {
    let whole = parts("<table:table table:name='S'/>");
    let with = |more: Vec<(String, Vec<u8>)>| {
        zip(whole.iter().map(|(name, content)| (name.clone(), content.clone().into_bytes())).chain(more))
    };
    let open =
        |bytes: Vec<u8>| fallback::open(bytes, FileKind::Ods, &Limits::default()).map(|book| book.sheets().len());
    // The maximum number of parts, and one more.
    let many = |count: usize| with((whole.len()..count).map(|n| (n.to_string(), Vec::new())).collect());
    assert_eq!([open(many(4_096)), open(many(4_097))], [Ok(1), Err(FileError::BrokenWorkbook)]);
    // A part that declares a large size, although it is never read.
    let open_declaring = |size: u32| {
        let mut bytes = with(vec![("picture.png".into(), b"PNG".to_vec())]);
        let at = bytes.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
        bytes[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
        open(bytes)
    };
    assert_eq!([open_declaring(1 << 20), open_declaring((1 << 30) + 1)], [Ok(1), Err(FileError::BrokenWorkbook)]);
    // A few bytes that expand to many blanks, and too many sheets.
    let blanks = format!(
        "<table:table><table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row></table:table>",
        "<text:s text:c='32767'/>".repeat(1_000)
    );
    let mut book = fallback::open(zip(parts(&blanks)), FileKind::Ods, &Limits::default()).unwrap();
    assert_eq!(book.start(0), Err(FileError::CellTooLong { row: 1, column: 1, max: 32_767 }));
    assert_eq!(open(zip(parts(&"<table:table/>".repeat(4_097)))), Err(FileError::BrokenWorkbook));
    // An oversized piece of XML, and a document type with an entity.
    let mut long = parts("<table:table table:name='S'/>");
    long[2].1.insert_str(3, &" ".repeat(5 << 20));
    assert_eq!(open(zip(long)), Err(FileError::BrokenWorkbook));
    let mut with_entity = parts("<table:table table:name='S'/>");
    with_entity[2].1.insert_str(0, "<!DOCTYPE a [<!ENTITY b 'c'>]>");
    assert_eq!(open(zip(with_entity)), Err(FileError::BrokenWorkbook));
}

#[test]
fn rejects_ods_without_sheets_and_encrypted_ods() {
    let open = |parts: Vec<(String, String)>| {
        fallback::open(zip(parts), FileKind::Ods, &Limits::default()).map(|book| book.sheets().len())
    };
    assert_eq!(open(parts("")), Err(FileError::NotASpreadsheet { format: format::OTHER_DOCUMENT }));
    let mut text_document = parts("");
    text_document[2].1 = "<o:document-content><o:body><o:text/></o:body></o:document-content>".into();
    let other_program = FileError::NotASpreadsheet { format: format::OTHER_OPEN_DOCUMENT };
    assert_eq!(open(text_document), Err(other_program));
    let mut encrypted = parts("");
    encrypted[2].1 = "encrypted bytes".into();
    encrypted[1].1 = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry>\
                   </manifest:manifest>"
        .into();
    assert_eq!(open(encrypted), Err(FileError::PasswordProtected));
    let text = fallback::open(b"Namn;Ort\n".to_vec(), FileKind::Csv, &Limits::default());
    assert_eq!(text.map(|book| book.sheets().len()), Err(FileError::BrokenWorkbook));
}
