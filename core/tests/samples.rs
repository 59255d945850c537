//! The sample files: their detected formats, their rows and their verdicts.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod checker;
mod cpu_time;

use checker::suggested_checker;
use cpu_time::cpu_time;
use forecourt_core::import::text::format;
use forecourt_core::import::{
    FileError, FileHead, FileKind, Limits, ModelColumn, Outcome, PREVIEW_ROWS, ReadOptions, RowBuffer, RowProblem,
    Source, Verdict,
};
use std::ops::ControlFlow;
use std::path::Path;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap()
}

fn open(name: &str) -> Result<Source, FileError> {
    Source::open(name, bytes(name), &ReadOptions::default(), PREVIEW_ROWS, &Limits::default())
}

fn error_of(name: &str) -> FileError {
    open(name).err().unwrap_or_else(|| panic!("{name} can be imported"))
}

/// A row below the header, including cells beyond the last column.
struct Row {
    number: u64,
    cells: Vec<String>,
}

struct Read {
    head: FileHead,
    rows: Vec<Row>,
    problems: Vec<RowProblem>,
    verdict: Verdict,
}

/// Reads a file with the suggested mapping.
fn read(name: &str) -> Read {
    let mut source = open(name).unwrap();
    let (head, layout) = (source.head().clone(), source.layout().clone());
    let mut checker = suggested_checker(&source, &Limits::default()).unwrap();
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    source
        .rows(&mut |row| {
            if row.number > layout.header() {
                let mut cells = layout.cells(row);
                let beyond = row.cells().filter(|(column, _)| *column >= layout.names().len());
                cells.extend(beyond.map(|(_, text)| text.to_owned()));
                rows.push(Row { number: row.number, cells });
            }
            if let Outcome::Failed(findings) = checker.check_row(row)? {
                let findings = findings.to_vec();
                problems.extend(checker.problems(row.number, &findings));
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    let shown = rows.iter().take(PREVIEW_ROWS).map(|row| row.cells[..layout.names().len()].to_vec());
    assert_eq!(head.preview, shown.collect::<Vec<_>>(), "the preview shows the first rows");
    let numbers = rows.iter().take(PREVIEW_ROWS).map(|row| row.number);
    assert_eq!(head.preview_rows, numbers.collect::<Vec<_>>(), "the preview has the numbers of its rows");
    Read { head, rows, problems, verdict: checker.verdict() }
}

impl Read {
    fn text(&self) -> (&str, char) {
        assert_eq!(self.head.kind, FileKind::Csv);
        (self.head.encoding.as_deref().unwrap_or_default(), self.head.delimiter.unwrap_or('?'))
    }
    fn matches(&self) -> Vec<(&str, ModelColumn)> {
        self.head.matches.iter().map(|m| (m.file_column.as_str(), m.model_column)).collect()
    }
    /// Returns four numbers of rows of the verdict: total, ready, failed, and duplicates.
    fn counts(&self) -> [u64; 4] {
        let Verdict { total, ready, failed, duplicates, .. } = self.verdict;
        [total, ready, failed, duplicates]
    }
    fn numbers(&self) -> Vec<u64> {
        self.rows.iter().map(|row| row.number).collect()
    }
    /// Returns the row, the column of the file (empty for the whole row) and the message of each problem.
    fn problems(&self) -> Vec<(u64, &str, &str)> {
        self.problems.iter().map(|p| (p.row, p.file_column.as_str(), p.message.as_str())).collect()
    }
}

#[test]
fn reads_semicolons_in_windows_1252_as_swedish_excel_saves_them() {
    let file = read("kunder-semikolon.csv");
    assert_eq!(file.text(), ("windows-1252", ';'));
    assert_eq!(
        file.matches(),
        [
            ("Namn", ModelColumn::Name),
            ("E-post", ModelColumn::Email),
            ("Telefon", ModelColumn::Phone),
            ("Hemsida", ModelColumn::Website),
            ("Adress", ModelColumn::Address),
            ("Kundnr", ModelColumn::OtherDetails),
        ]
    );
    assert_eq!(
        file.rows[0].cells,
        [
            "Åsa Öberg",
            "asa.oberg@example.se",
            "070-123 45 67",
            "www.oberg.example",
            "Storgatan 1, 211 42 Malmö",
            "1001"
        ]
    );
    assert_eq!(file.rows[2].cells[0], "Firma \"Blå Bilen\"");
    assert_eq!(file.rows[4].cells[4], "Box 12; 903 25 Umeå");
    assert_eq!(file.counts(), [6, 4, 2, 1]);
    assert_eq!(file.problems(), [(4, "E-post", "Please enter a valid email address"), (5, "Namn", "Name is required")]);
    assert!(file.head.notices.is_empty());
}

#[test]
fn reads_tabs_in_utf_16_as_excel_saves_unicode_text() {
    let file = read("kontakter-utf16.csv");
    assert_eq!(file.text(), ("UTF-16LE", '\t'));
    assert_eq!(file.rows[0].cells, ["Łukasz Wiśniewski", "+48 601 234 567", "lukasz@example.com", "Gdańsk"]);
    assert_eq!(file.rows[2].cells[0], "Αλέξης Παππάς");
    let fields: Vec<_> = file.matches().into_iter().map(|(_, field)| field).collect();
    assert_eq!(fields, [ModelColumn::Name, ModelColumn::Phone, ModelColumn::Email, ModelColumn::OtherDetails]);
    assert_eq!(file.counts(), [3, 3, 0, 0]);
}

#[test]
fn quoted_line_breaks_stay_in_their_cell_and_count_as_one_row() {
    let file = read("addresses-line-breaks.csv");
    assert_eq!(file.text(), ("UTF-8", ','));
    assert_eq!(file.head.file_columns[0], "Full name");
    assert_eq!(file.rows[0].cells[2], "4 High Street\nFlat 2\nBath BA1 1AA");
    assert_eq!(file.rows[0].cells[3], "Says \"call me\"");
    assert_eq!(file.rows[1].cells[2], "1 Mill Lane\r\nYork YO1 7AB");
    assert_eq!(file.numbers(), [2, 4, 5]);
    assert_eq!(file.problems(), [(5, "", "This row has one more value than the file has columns")]);
    assert_eq!(file.problems[0].value, "b");
    assert_eq!(file.counts(), [3, 2, 1, 0]);
}

#[test]
fn joins_a_german_name_in_two_columns() {
    let file = read("kunden-deutsch.csv");
    assert_eq!(file.text(), ("UTF-8", ';'));
    let joined = "Vorname + Name";
    assert_eq!(file.head.file_columns.last().map(String::as_str), Some(joined));
    assert_eq!(file.head.file_width, file.head.file_columns.len() as u64 - 1);
    assert_eq!(
        file.matches(),
        [
            ("Name", ModelColumn::DoNotImport),
            ("Vorname", ModelColumn::DoNotImport),
            ("Straße", ModelColumn::Address),
            ("PLZ", ModelColumn::OtherDetails),
            ("Ort", ModelColumn::OtherDetails),
            ("E-Mail", ModelColumn::Email),
            ("Telefonnummer", ModelColumn::Phone),
            ("Umsatz", ModelColumn::OtherDetails),
            (joined, ModelColumn::Name),
        ]
    );
    let names: Vec<_> = file.rows.iter().filter_map(|row| row.cells.last()).collect();
    assert_eq!(names, ["Jörg Weiß", "Änne Müller-Lüdenscheidt", "Groß"]);
    assert_eq!((file.rows[0].number, file.rows[0].cells[7].as_str()), (2, "1.234,50"));
    assert_eq!(file.rows[2].cells[3], "01067");
    assert_eq!(file.head.notices, ["“Vorname” and “Name” are joined in the additional column “Vorname + Name”."]);
    assert_eq!(file.counts(), [3, 3, 0, 0]);
}

#[test]
fn makes_two_equal_headers_unique() {
    let file = read("two-equal-headers.csv");
    assert_eq!(file.head.file_columns, ["Name", "Email", "Phone", "Email (2)"]);
    assert_eq!(file.head.notices, ["2 columns have the header “Email”. They are called “Email” and “Email (2)” here."]);
    assert_eq!(file.rows[0].cells, ["Ada", "ada@example.com", "+441234567890", "a@example.org"]);
    assert_eq!(file.matches()[3], ("Email (2)", ModelColumn::OtherDetails));
}

#[test]
fn reads_numbers_dates_and_formulas_of_xlsx_as_texts() {
    let file = read("kontakter.xlsx");
    assert_eq!((file.head.kind, file.head.sheet.as_deref()), (FileKind::Xlsx, Some("Kontakter")));
    assert_eq!(
        file.head.file_columns,
        [
            "Column 1",
            "Namn",
            "E-post",
            "Telefon",
            "Mobil",
            "Kundnr",
            "Född",
            "Senast sedd",
            "Rabatt",
            "Aktiv",
            "Hälsning"
        ]
    );
    assert_eq!(
        file.rows[0].cells,
        [
            "",
            "Åsa Öberg",
            "asa@example.se",
            "46701234567",
            "0701234567",
            "00123",
            "1985-12-10",
            "2024-05-03 14:30:00",
            "0.3",
            "TRUE",
            "Hej Åsa Öberg"
        ]
    );
    assert_eq!(
        file.rows[1].cells[3..10],
        ["4681234567890", "0812345678", "00124", "2000-02-29", "2024-05-04 14:30:00", "12", "FALSE"]
    );
    assert_eq!(file.rows[2].cells[1], "Çelik & Söner <AB>");
    assert_eq!(file.rows[2].cells[8], "1234567.25");
    assert_eq!((file.rows[3].cells[1].as_str(), file.rows[3].cells[10].as_str()), ("Dag\nDufva", "#N/A"));
    assert_eq!(file.numbers(), [4, 5, 6, 8]);
    assert_eq!(file.matches()[0], ("Column 1", ModelColumn::OtherDetails));
    assert_eq!(file.problems(), [(8, "E-post", "Please enter a valid email address")]);
    assert_eq!(file.head.notices, ["Only the sheet “Kontakter” is read. The sheet “Gamla” is left out."]);
    assert_eq!(file.counts(), [4, 3, 1, 0]);
}

#[test]
fn reads_xls_cells_like_xlsx_cells() {
    let file = read("kontakte-97.xls");
    assert_eq!((file.head.kind, file.head.sheet.as_deref()), (FileKind::Xls, Some("Kontakte")));
    assert_eq!(file.rows[0].cells, ["", "Jörg Weiß", "joerg@example.de", "492111234567", "2019-03-01", "7.5"]);
    assert_eq!(file.rows[1].cells[3..], ["0761 7654321", "2021-11-30", "42"]);
    assert_eq!(file.numbers(), [2, 3]);
    assert_eq!(file.counts(), [2, 2, 0, 0]);
}

#[test]
fn a_cell_in_the_last_column_is_a_problem_of_its_row_only() {
    let file = read("far-cell.xlsx");
    assert_eq!(file.numbers(), [2, 1_048_576]);
    assert_eq!(file.rows[1].cells, ["", "", "solver"]);
    assert_eq!(file.counts(), [2, 1, 1, 0]);
    assert_eq!(file.problems(), [(1_048_576, "", "This row has one more value than the file has columns")]);
}

#[test]
fn reads_text_with_the_extension_xls_and_adds_a_notice() {
    let file = read("text-as-xls.xls");
    assert_eq!(file.text(), ("windows-1252", '\t'));
    assert_eq!(file.head.notices, ["The name of this file ends in .xls, but it is a text file and is read as such."]);
    assert_eq!(file.counts(), [1, 1, 0, 0]);
}

#[test]
fn errors_of_samples_say_what_to_do() {
    use FileError::*;
    for (name, error) in [
        ("empty.csv", Empty),
        ("blank-rows.csv", NoColumns),
        ("header-only.csv", NoRows),
        ("brochure-pdf.csv", NotASpreadsheet { format: format::PDF }),
        ("web-page.xls", OtherFormat { format: format::HTML }),
        ("broken.xlsx", BrokenWorkbook),
        ("protected.xlsx", PasswordProtected),
        ("protected-97.xls", PasswordProtected),
        ("only-hidden-sheets.xlsx", OnlyHiddenSheets),
        ("20000-columns.csv", TooManyColumns { columns: 20_000, max: 512 }),
        ("make.py", UnsupportedExtension { extension: "py".into() }),
        ("missing-quote.csv", Truncated { row: 2 }),
    ] {
        let found = error_of(name);
        assert_eq!(found, error, "{name}");
        let sentence = found.to_string();
        assert!(sentence.ends_with('.') && sentence.len() > 40, "{sentence}");
    }
}

#[test]
fn reads_a_file_the_same_every_time() {
    for name in ["kunder-semikolon.csv", "kontakter-utf16.csv", "kontakter.xlsx", "kontakte-97.xls"] {
        let mut source = open(name).unwrap();
        let mut once = || {
            let mut rows = Vec::new();
            source.rows(&mut |row| {
                rows.push(RowBuffer::from(row));
                Ok(ControlFlow::Continue(()))
            })?;
            Ok::<_, FileError>(rows)
        };
        assert_eq!(once().unwrap(), once().unwrap(), "{name}");
    }
}

/// A long file that starts with plain lines and ends differently.
fn long_file(line: &str, end: &[u8]) -> Vec<u8> {
    let mut bytes = b"Namn;Ort\n".to_vec();
    while bytes.len() < 11 << 20 {
        bytes.extend(line.as_bytes());
    }
    bytes.extend(end);
    bytes
}

fn last_row(bytes: Vec<u8>, options: &ReadOptions) -> (FileHead, Vec<String>) {
    let mut source = Source::open("a.csv", bytes, options, PREVIEW_ROWS, &Limits::default()).unwrap();
    let (head, layout) = (source.head().clone(), source.layout().clone());
    let mut last = Vec::new();
    source
        .rows(&mut |row| {
            last = layout.cells(row);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    (head, last)
}

#[test]
fn detects_an_encoding_that_shows_only_after_ten_megabytes() {
    let end = b"\xC5sa \xD6berg;Malm\xF6\nBj\xF6rn \xC5kesson;V\xE4xj\xF6\n";
    let (head, last) = last_row(long_file("Bo Ek;Lund\n", end), &ReadOptions::default());
    assert_eq!((head.encoding.as_deref(), last), (Some("windows-1252"), vec!["Björn Åkesson".into(), "Växjö".into()]));
    assert!(head.notices.is_empty());
    // Almost valid UTF-8 is damaged UTF-8.
    let (head, last) = last_row(long_file("Åsa Öberg;Malmö\n", b"Bj\xF6rn;Lund\n"), &ReadOptions::default());
    assert_eq!((head.encoding.as_deref(), last), (Some("UTF-8"), vec!["Bj\u{FFFD}rn".into(), "Lund".into()]));
    assert_eq!(head.notices.len(), 1);
    // A chosen encoding is used.
    let chosen = ReadOptions { encoding: Some("latin2".into()), ..ReadOptions::default() };
    let (head, last) = last_row(long_file("Bo Ek;Lund\n", b"\xA3ukasz;Gda\xF1sk\n"), &chosen);
    assert_eq!((head.encoding.as_deref(), last), (Some("ISO-8859-2"), vec!["Łukasz".into(), "Gdańsk".into()]));
}

#[test]
fn chosen_encoding_delimiter_and_header_override_guesses() {
    let bytes = b"Namn,Ort;Land\nMalm\xF6,a;b\n".to_vec();
    let open = |options: ReadOptions| {
        Source::open("a.csv", bytes.clone(), &options, PREVIEW_ROWS, &Limits::default())
            .map(|source| source.head().clone())
    };
    let head = open(ReadOptions { delimiter: Some(';'), header: Some(0), ..ReadOptions::default() }).unwrap();
    assert_eq!((head.header, head.file_columns.len(), head.preview.len()), (0, 2, 2));
    let again = open(head.options()).unwrap();
    assert_eq!(again, head);
    let encoding = |name: &str| open(ReadOptions { encoding: Some(name.into()), ..ReadOptions::default() }).err();
    assert_eq!(encoding("utf-7"), Some(FileError::UnknownEncoding));
    assert_eq!(encoding("macintosh"), None);
    let utf16 = Source::open(
        "a.csv",
        "N\0a\0m\0n\0\n\0".as_bytes().to_vec(),
        &ReadOptions { encoding: Some("windows-1252".into()), ..ReadOptions::default() },
        PREVIEW_ROWS,
        &Limits::default(),
    );
    assert_eq!(utf16.err(), Some(FileError::NoText));
}

#[test]
fn rejects_two_thousand_columns_quickly() {
    let header: Vec<String> = (0..2_000).map(|i| format!("Kontaktperson {i}")).collect();
    let row = vec!["Åsa Öberg"; 2_000].join(",");
    let bytes = format!("{}\n{}", header.join(","), format!("{row}\n").repeat(120)).into_bytes();
    let start = cpu_time();
    let error = Source::open("a.csv", bytes, &ReadOptions::default(), PREVIEW_ROWS, &Limits::default()).err();
    assert_eq!(error, Some(FileError::TooManyColumns { columns: 2_000, max: 512 }));
    assert!((cpu_time() - start).as_secs() < 20, "{:?}", cpu_time() - start);
}
