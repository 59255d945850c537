//! Converts a CSV file to a workbook for `make bench-import`, as a spreadsheet program would save it: shared strings,
//! customer numbers as numbers and dates as dates.
//!
//! Arguments: the CSV file, and the workbook to write.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook};
use std::error::Error;

const NUMBER: u16 = 6;
const DATE: u16 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let [csv, xlsx] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "Usage: bench_workbook CSV XLSX")?;
    let mut workbook = Workbook::new();
    // Makes the output reproducible.
    let created = ExcelDateTime::from_ymd(2026, 11, 22)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let date = Format::new().set_num_format("yyyy-mm-dd");
    let sheet = workbook.add_worksheet().set_name("Kunder")?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(csv)?;
    for (row, record) in (0..).zip(reader.records()) {
        for (column, cell) in (0..).zip(&record?).filter(|(_, cell)| !cell.is_empty()) {
            match column {
                NUMBER if row > 0 => sheet.write_number(row, column, cell.parse::<f64>()?)?,
                DATE if row > 0 => {
                    sheet.write_datetime_with_format(row, column, ExcelDateTime::parse_from_str(cell)?, &date)?
                }
                _ => sheet.write_string(row, column, cell)?,
            };
        }
    }
    Ok(workbook.save(xlsx)?)
}
