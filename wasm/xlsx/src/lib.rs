//! The reader of Office Open XML workbooks (.xlsx) in the browser's worker. It reads the file piece by piece, checks
//! every row in place, and returns only the rows that are displayed, packed. The rules are in `core`. Nothing here is
//! asynchronous.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

forecourt_check::workbook_reader!(XlsxReader, forecourt_core::import::xlsx::open);
