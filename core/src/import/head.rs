//! Combines what is known about a file after its beginning was read.

use super::check::clean_if_needed;
use super::layout::Layout;
use super::row::RowBuffer;
use super::{FileError, FileHead, FileKind, Limits, ReadOptions, SheetHead, match_columns};
use crate::message::Message;

/// How many rows are inspected to find the header, to name the columns and to suggest fields. A preview can't have
/// more.
pub const SAMPLE_ROWS: usize = 100;

/// What is known about a file before its rows are inspected. The members are those of [`FileHead`].
pub struct Recognised {
    pub kind: FileKind,
    pub encoding: Option<String>,
    pub delimiter: Option<char>,
    pub sheet: Option<String>,
    pub sheets: Vec<SheetHead>,
    pub notices: Vec<Message>,
}

/// Detects the columns in the first rows of a file (up to [`SAMPLE_ROWS`] below the header) and suggests a field for
/// each.
///
/// # Errors
/// There is no row, no row below the header, or there are too many columns.
pub fn read_head(
    recognised: Recognised,
    sample: &[RowBuffer],
    options: &ReadOptions,
    preview_rows: usize,
    limits: &Limits,
) -> Result<(FileHead, Layout), FileError> {
    let Recognised { kind, encoding, delimiter, sheet, sheets, mut notices } = recognised;
    let sample: Vec<RowBuffer> = sample.iter().map(clean_sample_row).collect();
    let layout = Layout::detect(&sample, options.header, limits, &mut notices)?;
    let below = sample.iter().map(RowBuffer::row).filter(|row| row.number > layout.header());
    let (numbers, rows): (Vec<u64>, Vec<Vec<String>>) = below.map(|row| (row.number, layout.cells(row))).unzip();
    let matches = match_columns(layout.names(), &rows);
    let head = FileHead {
        kind,
        encoding,
        delimiter,
        sheet,
        sheets,
        header: layout.header(),
        file_columns: layout.names().to_vec(),
        file_width: layout.file_width() as u64,
        preview: rows.into_iter().take(preview_rows).collect(),
        preview_rows: numbers.into_iter().take(preview_rows).collect(),
        notices,
        matches,
    };
    Ok((head, layout))
}

fn clean_sample_row(row: &RowBuffer) -> RowBuffer {
    let mut cleaned = RowBuffer::default();
    if clean_if_needed(row.row(), &mut cleaned) { cleaned } else { row.clone() }
}
