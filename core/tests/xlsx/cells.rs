//! All types of cells, and the notations and encodings of the parts that contain them.

use crate::builder::{
    MAIN, ROW, archive, book, book_with, entry, frame_entries, line_of, parts, read, relations, sheet, strings,
};
use forecourt_core::import::{FileError, Limits, xlsx};

/// Returns the cells of a single row.
fn row(cells: &str, shared: &str, formats: &[&str]) -> String {
    let rows = read(book(&format!("<row r=\"3\">{cells}</row>"), shared, formats)).unwrap();
    let [(3, row)] = &rows[..] else { panic!("one row, not {rows:?}") };
    row.clone()
}

#[test]
fn reads_all_types_of_cells_as_text() {
    let cells = "<c r=\"A3\"><v>46701234567</v></c><c r=\"B3\" t=\"n\"><v>4.67E+10</v></c><c r=\"C3\" t=\"b\"><v>1</v></c>\
                 <c r=\"D3\" t=\"b\"><v>0</v></c><c r=\"E3\" t=\"e\"><v>#N/A</v></c>\
                 <c r=\"F3\" t=\"str\"><f>A1&amp;\"x\"</f><v>a &lt;b&gt; _x0041_&#xe5;</v></c>\
                 <c r=\"G3\" t=\"d\"><v>2024-05-03T14:30:00Z</v></c><c r=\"H3\"><f>1+1</f><v>2</v></c>\
                 <c r=\"I3\"><f>TODAY()</f></c><c r=\"J3\"><v>careless</v></c><c r=\"K3\"/><c r=\"L3\"><v/></c>\
                 <c r=\"M3\" t=\"s\"><v></v></c><c r=\"N3\"><v> 7 </v></c>";
    assert_eq!(
        row(cells, "", &["General"]),
        "46701234567·46700000000·TRUE·FALSE·#N/A·a <b> Aå·2024-05-03 14:30:00·2·#UNREADABLE!·careless····7"
    );
}

#[test]
fn a_formula_without_a_stored_value_is_unreadable() {
    let cells = "<c><f>1+1</f><v /></c><c><f>1+1</f><v></v></c><c><f>1+1</f></c><c><f t=\"shared\" si=\"0\"/></c>\
                 <c t=\"str\"><f>A1</f></c><c t=\"b\"><f>A1</f><v/></c><c t=\"s\"><f>A1</f><v/></c>";
    assert_eq!(row(cells, "", &[]), ["#UNREADABLE!"; 7].join("·"));
    // The result of a formula can be an empty text, and a cell without a formula can be empty.
    let cells = "<c t=\"str\"><f>A1</f><v></v></c><c t=\"str\"><f>A1</f><v/></c><c t=\"s\"><f>A1</f><v>0</v></c><c><v/></c>\
                 <c t=\"inlineStr\"><f>A1</f><is><t/></is></c><c><f>1+1</f><v>2</v></c>";
    assert_eq!(row(cells, "<si><t/></si>", &[]), "·····2");
}

#[test]
fn shows_numbers_by_the_format_of_their_style() {
    let formats = ["General", "0000000000", "yyyy-mm-dd", "[h]:mm", "0%", "h:mm", "0.00 \"d\""];
    let cells: String = ["1.5", "701234567", "45292", "1.5", "0.15", "0.25", "3"]
        .iter()
        .enumerate()
        .map(|(style, value)| format!("<c s=\"{style}\"><v>{value}</v></c>"))
        .collect();
    assert_eq!(row(&cells, "", &formats), "1.5·0701234567·2024-01-01·36:00:00·15%·06:00:00·3");
    // A style that doesn't exist has no effect, and texts have no number format.
    let cells = "<c s=\"99\"><v>5</v></c><c s=\"2\" t=\"str\"><v>45292</v></c><c s=\"x\"><v>6</v></c>\
                 <c r=\"D3\" s=\"x\"><v>7</v></c>";
    assert_eq!(row(cells, "", &formats), "5·45292·6·7");
}

#[test]
fn joins_unescapes_and_trims_strings() {
    let shared = [
        "<si><t>plain</t></si>",
        "<si><t> trimmed\n</t></si>",
        "<si><t xml:space=\"preserve\"> kept </t></si>",
        "<si><r><rPr><b/></rPr><t>Åsa</t></r><r><t xml:space=\"preserve\"> Öberg</t></r><rPh sb=\"0\" eb=\"1\"><t>no</t></rPh></si>",
        "<si/>",
        "<si><t/></si>",
        "<si><t>a_x000D__x000A_b_x5F_c_x005F_x000D_</t></si>",
        "<si><t><![CDATA[<raw> & ]] ]]>&amp;<!-- no -->!</t></si>",
        "<si><t>one\r\ntwo\rthree&#13;.</t></si>",
        "<si><t>_xD83D__xDE97_ &#x1F697;</t></si>",
        "<si><t>under_score</t></si>",
        "<si><t>a&#10;b</t></si>",
    ];
    let cells: String = (0..shared.len()).map(|n| format!("<c t=\"s\"><v>{n}</v></c>")).collect();
    assert_eq!(
        row(&cells, &shared.concat(), &[]),
        "plain·trimmed· kept ·Åsa Öberg···a\r\nb_x5F_c_x000D_·<raw> & ]] &!·one\ntwo\nthree\r.·🚗 🚗·under_score·a\nb"
    );
    let inline = "<c t=\"inlineStr\"><is><t>a</t></is></c><c t=\"inlineStr\"><v>0</v><is><r><t>b</t></r><r><t>c</t></r></is></c>\
                  <c t=\"inlineStr\"><is/></c><c t=\"inlineStr\"><v>0</v></c><c t=\"inlineStr\"><is><t> d </t></is><extLst><x><v>9</v></x></extLst></c>";
    assert_eq!(row(inline, "<si><t>z</t></si>", &[]), "a·bc···d");
}

#[test]
fn rows_and_cells_without_references_follow_the_previous_ones() {
    let rows = "<row><c><v>1</v></c><c r=\"C1\"><v>3</v></c><c><v>4</v></c></row><row r=\"5\"/><row><c><v>6</v></c></row>\
                <row><c r=\"B9\"><v>9</v></c></row><row/> <!-- x --><row><c r=\"A11\"><v> </v></c><extLst/></row>";
    let rows = read(book(rows, "", &[])).unwrap();
    let rows: Vec<_> = rows.iter().map(|(number, cells)| (*number, cells.as_str())).collect();
    assert_eq!(rows, [(1, "1··3·4"), (6, "6"), (9, "·9"), (11, " ")]);
}

#[test]
fn rejects_unordered_misplaced_and_malformed_cells() {
    for rows in [
        "<row r=\"2\"/><row r=\"1\"/>",
        "<row r=\"1\"><c r=\"B1\"><v>1</v></c></row><row r=\"1\"><c r=\"A1\"><v>1</v></c></row>",
        "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1\"><c r=\"A1\"><v>1</v></c></row>",
        "<row r=\"0\"/>",
        "<row r=\"1048577\"/>",
        "<row r=\"4294967297\"/>",
        "<row r=\"1\"><c r=\"B1\"/><c r=\"A1\"/></row>",
        "<row r=\"1\"><c r=\"A1\"/><c r=\"A1\"/></row>",
        "<row r=\"1\"><c r=\"A2\"/></row>",
        "<row><c/><c r=\"A2\"/></row>",
        "<row r=\"1\"><c r=\"XFE1\"/></row>",
        "<row r=\"1\"><c r=\"XFD1\"/><c/></row>",
        "<row r=\"1\"><c r=\"AAAA1\"/></row>",
        "<row r=\"1\"><c r=\"1\"/></row>",
        "<row r=\"1\"><c r=\"A\"/></row>",
        "<row r=\"1\"><c r=\"A1234567890\"/></row>",
        "<row r=\"1\"><c t=\"x\"><v>1</v></c></row>",
        "<row r=\"1\"><c t=\"b\"><v>2</v></c></row>",
        "<row r=\"1\"><c t=\"n\"><v>one</v></c></row>",
        "<row r=\"1\"><c t=\"s\"><v>1</v></c></row>",
        "<row r=\"1\"><c t=\"s\"><v>-1</v></c></row>",
        "<row r=\"1\"><c t=\"s\"><v>4000000000</v></c></row>",
        "<row r=\"1\"><c><v>1</v></row>",
        "<row r=\"1\"><c t=\"str\"><v>&bomb;</v></c></row>",
        "<row r=\"1\"><c t=\"str\"><v>&#0;</v></c></row>",
        "<row r=\"1\"><c t=\"str\"><v>&#xD800;</v></c></row>",
        "<row r=\"1\"><c t=\"str\"><v>a & b</v></c></row>",
        "<row",
        "<!ELEMENT x>",
    ] {
        assert_eq!(read(book(rows, "<si><t>a</t></si>", &[])), Err(FileError::BrokenWorkbook), "{rows}");
    }
    let far = "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>";
    assert_eq!(read(book(far, "", &[])).unwrap()[0].0, 1_048_576);
}

#[test]
fn error_names_a_cell_with_too_many_characters() {
    let max = Limits::default().cell_chars;
    let long = |text: &str, times: usize| {
        let shared = format!("<si><t>a</t></si><si><t>{}</t></si>", text.repeat(times));
        read(book("<row r=\"7\"><c r=\"C7\" t=\"s\"><v>1</v></c></row>", &shared, &[]))
    };
    let too_long = Err(FileError::CellTooLong { row: 7, column: 3, max });
    // As many characters as allowed are read in any notation.
    for (text, decoded) in
        [("å", "å"), ("&#x0000E5;", "å"), ("_x00E5_", "å"), ("_xD83D__xDE97_", "🚗"), ("a&amp;", "a&")]
    {
        let times = max / decoded.chars().count();
        assert_eq!(long(text, times).unwrap()[0].1, format!("··{}", decoded.repeat(times)), "{text}");
        assert_eq!(long(text, times + 1), too_long, "{text}");
        assert_eq!(long(text, times * 40), too_long, "{text}");
    }
    // A string that no cell refers to is harmless.
    let shared = format!("<si><t>{}</t></si><si><t>b</t></si>", "å".repeat(max * 9));
    assert_eq!(read(book("<row><c t=\"s\"><v>1</v></c></row>", &shared, &[])).unwrap(), [(1, "b".into())]);
    let inline =
        format!("<row r=\"7\"><c r=\"C7\" t=\"inlineStr\"><is><t>{} x</t></is></c></row>", " ".repeat(1 << 20));
    assert_eq!(read(book(&inline, "", &[])), too_long);
    let cells = format!("<c t=\"inlineStr\"><is><t>{}</t></is></c>", "a".repeat(max)).repeat(40);
    let max = Limits::default().record_bytes;
    assert_eq!(read(book(&format!("<row>{cells}</row>"), "", &[])), Err(FileError::RecordTooLong { row: 1, max }));
}

#[test]
fn lists_sheets_with_their_visibility() {
    let sheets = [("r1", "Shown", ""), ("r4", "Chart", ""), ("r5", "Hidden", "hidden"), ("r6", "Very", "veryHidden")];
    let sheet_of = |(id, name, state): (&str, &str, &str)| {
        let state = if state.is_empty() { String::new() } else { format!(" state=\"{state}\"") };
        format!("<sheet name=\"{name}\" sheetId=\"1\"{state} r:id=\"{id}\"/>")
    };
    let workbook = format!(
        "<workbook {MAIN} xmlns:r=\"x\"><workbookPr date1904=\"1\"/><sheets>{}</sheets></workbook>",
        sheets.map(sheet_of).concat()
    );
    let parts = [
        ("r1", "worksheet", "worksheets/sheet1.xml"),
        ("r4", "chartsheet", "chartsheets/sheet1.xml"),
        ("r5", "worksheet", "worksheets/sheet5.xml"),
        ("r6", "worksheet", "WORKSHEETS\\sheet5.xml"),
        ("r7", "styles", "styles.xml"),
    ];
    let mut entries = frame_entries();
    entries.retain(|entry| !entry.name.contains("workbook"));
    let (relations, date) = (relations(&parts), "<row r=\"1\"><c s=\"0\"><v>43830</v></c></row>");
    entries.extend([
        entry("xl/workbook.xml", workbook.as_bytes()),
        entry("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        sheet(date),
        crate::builder::styles(&["yyyy-mm-dd"]),
        entry("xl/worksheets/sheet5.xml", format!("<worksheet {MAIN}><sheetData/></worksheet>").as_bytes()),
    ]);
    let mut book = xlsx::open(Box::new(archive(&entries)), &Limits::default()).unwrap();
    let heads: Vec<_> = book.sheets().iter().map(|sheet| (sheet.name.as_str(), sheet.hidden)).collect();
    assert_eq!(heads, [("Shown", false), ("Hidden", true), ("Very", true)]);
    let rows = book.sample(0, 5).unwrap();
    assert_eq!(rows.iter().map(line_of).collect::<Vec<_>>(), ["2024-01-01"]);
    assert!(book.sample(2, 5).unwrap().is_empty());
    assert_eq!(book.sample(3, 5).unwrap_err(), FileError::NoSuchSheet);
}

#[test]
fn samples_read_no_further_than_necessary() {
    let rows: String =
        (1..9).map(|n| format!("<row r=\"{n}\"><c t=\"s\"><v>{}</v></c></row>", if n == 2 { 0 } else { n })).collect();
    // The third string is damaged. Row 1 is read without it; row 2 is blank; the string of row 3 comes after it.
    let mut book = xlsx::open(
        Box::new(book(&rows, "<si><t xml:space=\"preserve\"> </t></si><si><t>1</t></si><si><t>&no;</t></si>", &[])),
        &Limits::default(),
    )
    .unwrap();
    assert_eq!(book.sample(0, 1).unwrap().iter().map(line_of).collect::<Vec<_>>(), ["1"]);
    assert_eq!(book.sample(0, 2).unwrap_err(), FileError::BrokenWorkbook);
    // It stays damaged, because the indexes of later strings are unknown.
    assert_eq!(book.sample(0, 2).unwrap_err(), FileError::BrokenWorkbook);
    assert_eq!(book.sample(0, 1).unwrap().len(), 1);
}

#[test]
fn joins_elements_of_the_same_row() {
    let rows = "<row r=\"2\"><c r=\"A2\"><v>1</v></c></row><row r=\"2\"><c r=\"C2\"><v>3</v></c></row>\
                <row r=\"2\"/> <row r=\"2\"><c><v>4</v></c></row><row r=\"3\"/><row r=\"3\"><c><v>5</v></c></row>\
                <row><c><v>6</v></c></row>";
    let rows = read(book(rows, "", &[])).unwrap();
    let rows: Vec<_> = rows.iter().map(|(number, cells)| (*number, cells.as_str())).collect();
    assert_eq!(rows, [(2, "1··3·4"), (3, "5"), (4, "6")]);
}

#[test]
fn reads_iso_dates_times_and_durations_by_their_format() {
    let formats = ["General", "yyyy-mm-dd", "h:mm", "[h]:mm"];
    let cells: String = [
        ("2024-05-03T14:30:00.250", 0),
        ("2024-05-03T00:00:00.000Z", 1),
        ("1900-02-28", 1),
        ("1899-12-30T07:45:00", 2),
        ("1899-12-31T07:45:00", 2),
        ("PT30H15M", 3),
        ("1900-01-01T06:15:00", 3),
        ("P1Y", 1),
    ]
    .iter()
    .map(|(value, style)| format!("<c s=\"{style}\" t=\"d\"><v>{value}</v></c>"))
    .collect();
    let shown = "2024-05-03 14:30:00·2024-05-03·1900-02-28·07:45:00·07:45:00·30:15:00·30:15:00·P1Y";
    assert_eq!(row(&cells, "", &formats), shown);
}

#[test]
fn reads_days_before_march_1900_as_excel_shows_them() {
    // LibreOffice doesn't know February 29, 1900, and shows earlier days one day earlier.
    let cells: String = ["1", "59", "60", "61"].iter().map(|day| format!("<c s=\"0\"><v>{day}</v></c>")).collect();
    assert_eq!(row(&cells, "", &["yyyy-mm-dd"]), "1900-01-01·1900-02-28·1900-02-29·1900-03-01");
}

#[test]
fn reads_a_strict_workbook() {
    let strict = |content: &[u8]| {
        let content = String::from_utf8(content.to_vec()).unwrap();
        let office = "schemas.openxmlformats.org/officeDocument/2006/relationships";
        content
            .replace("schemas.openxmlformats.org/spreadsheetml/2006", "purl.oclc.org/ooxml/spreadsheetml")
            .replace(office, "purl.oclc.org/ooxml/officeDocument/relationships")
            .into_bytes()
    };
    let rows = "<row r=\"1\"><c t=\"s\"><v>0</v></c><c s=\"0\" t=\"d\"><v>2024-05-03T00:00:00</v></c></row>";
    let parts = parts(rows, "<si><t>Åsa</t></si>", &["yyyy-mm-dd"]);
    let entries: Vec<_> = parts.iter().map(|(name, content)| entry(name, &strict(content))).collect();
    assert_eq!(read(archive(&entries)).unwrap(), [(1, "Åsa·2024-05-03".into())]);
}

#[test]
fn reads_parts_in_utf_16() {
    let rows: String =
        (1..4_000).map(|n| format!("<row r=\"{n}\"><c t=\"s\"><v>0</v></c><c><v>{n}</v></c></row>")).collect();
    let parts = parts(&rows, "<si><t>Åsa 🚗 漢</t></si>", &["General"]);
    for (mark, is_big_endian) in [("\u{FEFF}", false), ("\u{FEFF}", true), ("", false), ("", true)] {
        let wide = |content: &[u8]| -> Vec<u8> {
            let text = String::from_utf8(content.to_vec()).unwrap().replace("\"UTF-8\"", "\"UTF-16\"");
            let units = mark.encode_utf16().chain(text.encode_utf16()).collect::<Vec<_>>();
            units.iter().flat_map(|unit| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        };
        let entries: Vec<_> = parts.iter().map(|(name, content)| entry(name, &wide(content))).collect();
        let rows = read(archive(&entries)).unwrap();
        assert_eq!((rows.len(), rows[3_998].clone()), (3_999, (3_999, "Åsa 🚗 漢·3999".into())));
    }
    // A text that ends within a two-byte unit, and half of a surrogate pair.
    for broken in [&b"<\0w\0o"[..], b"\xFF\xFE<\0\x3D\xD8<\0"] {
        let part = entry("xl/worksheets/sheet1.xml", broken);
        assert_eq!(read(book_with(part)), Err(FileError::BrokenWorkbook));
    }
    // Declared as UTF-16 but encoded otherwise.
    let mislabelled = format!(
        "<?xml version=\"1.0\" encoding=\"utf-16\"?><worksheet {MAIN}><sheetData>{ROW}</sheetData></worksheet>"
    );
    assert_eq!(read(book_with(entry("xl/worksheets/sheet1.xml", mislabelled.as_bytes()))).unwrap().len(), 1);
}

#[test]
fn hands_unusual_workbooks_to_the_fallback() {
    for content in [
        format!("<worksheet {MAIN}/>"),
        format!("<x:worksheet {}><x:sheetData/></x:worksheet>", MAIN.replace("xmlns", "xmlns:x")),
        format!("<?xml version=\"1.0\" encoding=\"latin1\"?><worksheet {MAIN}><sheetData/></worksheet>"),
        "\u{FEFF}<worksheet><sheetData/></worksheet>".into(),
    ] {
        let part = entry("xl/worksheets/sheet1.xml", content.as_bytes());
        assert_eq!(read(book_with(part)), Err(FileError::NeedsFallback), "{content}");
    }
    assert_eq!(read(book_with(strings("<si><t>a</t></si>"))).unwrap().len(), 1);
    let marked = format!(
        "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>\n<worksheet {MAIN}><sheetData>{ROW}</sheetData></worksheet>"
    );
    assert_eq!(read(book_with(entry("xl/worksheets/sheet1.xml", marked.as_bytes()))).unwrap().len(), 1);
}

#[test]
fn reads_a_workbook_without_strings_and_styles() {
    let empty = |name: &str, root: &str| entry(name, format!("<{root} {MAIN}/>").as_bytes());
    let mut entries = frame_entries();
    entries.extend([empty("xl/sharedStrings.xml", "sst"), empty("xl/styles.xml", "styleSheet")]);
    entries.push(sheet("<row><c s=\"0\"><v>1</v></c></row>"));
    assert_eq!(read(archive(&entries)).unwrap(), [(1, "1".to_owned())]);
}
