//! Small files that cause much storage or work. `tools/attack/files.py` creates similar files.

use crate::malicious_files::xlsx;
use serde_json::{Value, json};

/// The length of the long text in [`shared_text`], in characters. A cell of a valid file may be a little longer.
pub const LONGEST: usize = 32_000;

/// Returns a workbook with this many rows that all refer to one long shared text. The rows fail if its column is mapped
/// to the email, and are valid if it is mapped to another detail.
pub fn shared_text(rows: usize) -> Vec<u8> {
    let long = "x".repeat(LONGEST);
    let strings =
        format!("<sst MAIN><si><t>Namn</t></si><si><t>Lång</t></si><si><t>Ada</t></si><si><t>{long}</t></si></sst>");
    let row = |(row, [a, b]): (usize, [usize; 2])| {
        format!(r#"<row r="{row}"><c r="A{row}" t="s"><v>{a}</v></c><c r="B{row}" t="s"><v>{b}</v></c></row>"#)
    };
    let cells = std::iter::once([0, 1]).chain(std::iter::repeat_n([2, 3], rows));
    let sheet: String = (1..).zip(cells).map(row).collect();
    xlsx(&strings, &format!("<sheetData>{sheet}</sheetData>"))
}

/// Returns a column mapping for [`shared_text`] that maps the long text to the field `model`.
pub fn shared_text_as(model: &str) -> Value {
    json!([{"fileColumn": "Namn", "modelColumn": "name"}, {"fileColumn": "Lång", "modelColumn": model}])
}

/// Returns a CSV file with 511 columns, 510 of which have names of 60 characters, and its mapping. All its rows fail.
pub fn long_names(rows: usize) -> (Vec<u8>, Value) {
    let names: Vec<String> = (0..510).map(|i| format!("{i:03} {}", "n".repeat(56))).collect();
    let row = format!("{}\n", ",x".repeat(510));
    let file = format!("Namn,{}\n{}", names.join(","), row.repeat(rows));
    let others = names.iter().map(|name| json!({"fileColumn": name, "modelColumn": "otherDetails"}));
    let mapping = std::iter::once(json!({"fileColumn": "Namn", "modelColumn": "name"})).chain(others).collect();
    (file.into_bytes(), mapping)
}
