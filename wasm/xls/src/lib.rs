//! The reader of Excel 5 to 2003 workbooks (.xls) in the browser's worker. It reads the file piece by piece, checks every
//! row in place, and returns only the rows that are displayed, packed. The rules are in `core`. Nothing here is
//! asynchronous.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

forecourt_check::workbook_reader!(XlsReader, forecourt_core::import::xls::open);
