//! Records as CSV (RFC 4180), in UTF-8.

use forecourt_core::lists::{Cell, Field, Record};
use std::io;

/// The byte order mark, by which spreadsheet programs recognize UTF-8.
const BOM: &[u8] = "\u{feff}".as_bytes();

/// Returns the byte order mark and the header line, which has these names.
pub fn head(names: impl IntoIterator<Item = impl AsRef<str>>) -> io::Result<Vec<u8>> {
    let mut writer = writer(BOM.to_vec());
    for name in names {
        writer.write_field(Cell::Text(name.as_ref()).exported().as_bytes())?;
    }
    writer.write_record(None::<&[u8]>)?;
    end(writer)
}

/// Returns a line for each record.
pub fn lines<R: Record>(fields: &[&'static Field], records: &[R]) -> io::Result<Vec<u8>> {
    rows(records.iter().map(|record| fields.iter().map(|field| record.cell(field.name))))
}

/// Returns a line for each row of cells.
pub fn rows<'c>(rows: impl IntoIterator<Item = impl IntoIterator<Item = Cell<'c>>>) -> io::Result<Vec<u8>> {
    let mut writer = writer(Vec::new());
    for row in rows {
        for cell in row {
            writer.write_field(cell.exported().as_bytes())?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    end(writer)
}

fn writer(start: Vec<u8>) -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(start)
}

fn end(writer: csv::Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}
