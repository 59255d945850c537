//! Compares the reader with calamine.

use crate::builder::{book as book_of, line_of};
use crate::rows::filled_rows;
use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, fallback, xlsx};
use rust_xlsxwriter::{Color, ExcelDateTime, Format, Formula, Workbook};
use std::path::Path;

type Rows = Vec<Result<Vec<(u64, String)>, FileError>>;

fn all(book: Result<Box<dyn Book>, FileError>) -> Result<(Vec<(String, bool)>, Rows), FileError> {
    let mut book = book?;
    let heads = book.sheets().iter().map(|sheet| (sheet.name.clone(), sheet.hidden)).collect::<Vec<_>>();
    let sheets = (0..heads.len()).map(|sheet| filled_rows(&mut *book, sheet, line_of)).collect();
    Ok((heads, sheets))
}

/// Asserts that both readers read the same rows, and returns their number. Our reader may also read files and sheets
/// that calamine rejects.
fn compare(name: &str, bytes: Vec<u8>) -> usize {
    let limits = Limits::default();
    let theirs = all(fallback::open(bytes.clone(), FileKind::Xlsx, &limits));
    let ours = all(xlsx::open(Box::new(bytes), &limits));
    let (ours, theirs) = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(_), Err(_)) | (Ok(_), Err(_)) => return 0,
        (Err(FileError::TooMuchInside { .. }), Ok(_)) => return 0,
        (Err(error), Ok(_)) => panic!("{name}: {error:?}"),
    };
    assert_eq!(ours.0, theirs.0, "{name}");
    let mut count = 0;
    for (ours, theirs) in ours.1.into_iter().zip(theirs.1) {
        let (Ok(ours), Ok(theirs)) = (&ours, &theirs) else {
            assert!(theirs.is_err(), "{name}: {ours:?}");
            continue;
        };
        assert_eq!(ours, theirs, "{name}");
        count += ours.len();
    }
    count
}

#[test]
fn agrees_with_calamine_on_the_samples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut rows = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().display().to_string();
        // Malicious files aren't read alike: invalid numbers, or cells at the same position. Neither are some unusual
        // workbooks of other programs.
        let is_known = !["hostile-", "odd-"].iter().any(|start| name.starts_with(start));
        if name.ends_with(".xlsx") && is_known {
            rows += compare(&name, std::fs::read(&path).unwrap());
        }
    }
    assert!(rows > 0);
}

#[test]
fn agrees_with_calamine_on_all_types_of_cells() {
    let mut book = Workbook::new();
    let formats = [
        "General",
        "0",
        "0.00",
        "#,##0.00",
        "0%",
        "0.0%",
        "00000",
        "0000000000",
        "yyyy-mm-dd",
        "d mmm yyyy hh:mm",
        "h:mm",
        "[h]:mm:ss",
        "mm:ss.0",
        "0.00E+00",
        "#,##0 \"kr\"",
        "[Red]-0.00",
        "@",
        "d/m/yy;@",
    ];
    let sheet = book.add_worksheet();
    let values = [
        0.0,
        1.0,
        -1.0,
        0.5,
        0.1 + 0.2,
        1.0 / 3.0,
        59.0,
        60.0,
        61.0,
        366.0,
        367.0,
        45_292.0,
        45_292.791_666_666_7,
        2_958_465.999,
        2_958_466.0,
        46_701_234_567.0,
        123_456_789_012_345.0,
        1_234_567_890_123_456.0,
        1e20,
        -1e20,
        1e-7,
        1e-300,
        1e300,
        4.35,
        36_585.25,
        45_291.999_999_999,
        0.999_999_99,
        100.0 * 1.1,
    ];
    for (row, value) in (0..).zip(values) {
        for (column, format) in (0..).zip(formats) {
            sheet.write_number_with_format(row, column, value, &Format::new().set_num_format(format)).unwrap();
        }
        for (column, id) in (20..).zip((1..60).filter(|id| !matches!(id, 5..=8 | 23..=26))) {
            sheet.write_number_with_format(row, column, value, &Format::new().set_num_format_index(id)).unwrap();
        }
    }
    let sheet = book.add_worksheet().set_name("Text & more").unwrap();
    let bold = Format::new().set_bold();
    for (row, text) in (0..).zip([
        "Åsa",
        " kept ",
        "a\nb",
        "a\r\nb",
        "<x> & \"y\"",
        "_x000D_",
        "_x0041",
        "\u{1}",
        "漢字",
        "🚗",
        "0701234567",
        "=1+1",
        "\t",
        "' x",
    ]) {
        sheet.write_string(row, 0, text).unwrap();
        sheet.write_formula(row, 1, Formula::new("=A1").set_result(text)).unwrap();
        sheet.write_rich_string(row, 2, &[(&bold, text), (&Format::new(), " and "), (&bold, "b")]).unwrap();
        sheet.write_boolean(row, 3, row % 2 == 0).unwrap();
        sheet.write_blank(row, 4, &Format::new().set_background_color(Color::Red)).unwrap();
        sheet.write_formula(row, 5, Formula::new("=NA()").set_result("#N/A")).unwrap();
    }
    sheet.merge_range(20, 1, 22, 3, "merged", &bold).unwrap();
    let date = Format::new().set_num_format("yyyy-mm-dd");
    sheet.write_datetime_with_format(30, 2, ExcelDateTime::from_ymd(1985, 12, 10).unwrap(), &date).unwrap();
    book.add_worksheet().set_hidden(true).write_string(1_048_575, 16_383, "far").unwrap();
    book.add_worksheet();
    assert!(compare("every kind of cell", book.save_to_buffer().unwrap()) > 40);
}

#[test]
fn agrees_with_calamine_on_formulas_without_values() {
    let cells = [
        "<c><f>1+1</f></c>",
        "<c><f>1+1</f><v/></c>",
        "<c s=\"1\"><f t=\"shared\" ref=\"A1:A9\" si=\"0\">1+1</f><v></v></c>",
        "<c><f t=\"shared\" si=\"0\"/></c>",
        "<c t=\"str\"><f>A1</f></c>",
        "<c t=\"str\"><f>A1</f><v></v></c>",
        "<c t=\"s\"><f>A1</f><v/></c>",
        "<c t=\"s\"><f>A1</f><v>0</v></c>",
        "<c t=\"b\"><f>A1</f><v/></c>",
        "<c t=\"e\"><f>A1</f><v/></c>",
        "<c t=\"d\"><f>A1</f><v/></c>",
        "<c t=\"inlineStr\"><f>A1</f><is><t></t></is></c>",
        "<c s=\"1\"><f>1+1</f><v>2</v></c>",
        "<c><v/></c>",
    ];
    let row = |cell: &str| format!("<row>{cell}<c s=\"1\"><v>7</v></c>{cell}</row>");
    // Rows in which nothing but the formula is filled, and blank rows.
    let alone = cells.map(|cell| format!("<row>{cell}</row><row/>"));
    let rows = cells.map(row).concat() + &alone.concat();
    assert_eq!(compare("formulas", book_of(&rows, "<si><t/></si>", &["General", "0000"])), cells.len() + 10);
}

#[test]
fn agrees_with_calamine_on_shared_and_inline_strings() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for row in 0..3_000_u32 {
        sheet.write_string(row, 1, format!("{} & {row}", "é".repeat(row as usize % 90))).unwrap();
        sheet.write_string(row, 5, format!("nr {}", row % 7)).unwrap();
    }
    assert_eq!(compare("shared strings", book.save_to_buffer().unwrap()), 3_000);
    let row = |n: u32| {
        let value = f64::from(n) * 1.1;
        format!(
            "<row r=\"{n}\"><c r=\"B{n}\" t=\"inlineStr\"><is><t>Åsa &amp; {n}</t></is></c><c><v>{value}</v></c></row>"
        )
    };
    let rows: String = (1..3_000).map(row).collect();
    assert_eq!(compare("inline strings", book_of(&rows, "", &[])), 2_999);
}
