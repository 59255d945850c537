//! A streaming reader of delimited text. It treats quotes like the `csv` crate, except that a missing closing quote is
//! an error. It is several times as fast, because it inspects only special bytes and copies only rows that span two
//! pieces, contain quotes to unescape, or have invalid characters.

mod marks;
mod utf8;

use super::row::{Cell, RawRow, RowBuffer, RowHandler};
use super::{FileError, Limits};
use marks::{Marks, find_marks, lowest_bit};
use std::ops::ControlFlow;
use utf8::{SequenceCounter, Utf8Validator};

/// Splits a text into rows. Outside of quotes, a line feed, a carriage return or both end a row. As in spreadsheet
/// programs, blank lines count in the row numbers, and a row with line breaks inside of quotes counts once.
pub struct Scanner {
    delimiter: u8,
    limits: Limits,
    /// Counts valid and invalid UTF-8 sequences; `None` if the encoding is certain.
    sequences: Option<SequenceCounter>,
    damaged: bool,
    /// The number of the current row, or of the next one between two rows; 0 for a `sep=` line.
    number: u64,
    cursor: Cursor,
    cells: Cells,
    /// The bytes of the current row that were in earlier pieces.
    row_prefix: Vec<u8>,
    row_copy: RowBuffer,
}

/// The cells of the current row that aren't empty, as ranges of its bytes.
#[derive(Default)]
struct Cells {
    all: Vec<Cell>,
    /// Indexes in `all` of the cells with quotes to unescape.
    quoted: Vec<u32>,
}

/// The position in the current row. Offsets count from the row's first byte.
#[derive(Clone, Copy, Default)]
struct Cursor {
    column: u32,
    /// Where the current cell starts, including an opening quote.
    start: u32,
    state: State,
    /// Whether the quoted cell isn't simply the text between two quotes: it contains doubled quotes, or text follows
    /// the closing quote.
    needs_unescape: bool,
    /// Whether the row contains zero bytes.
    has_zeros: bool,
    /// Whether a carriage return ended the previous row, so that a line feed right after it belongs to the same line
    /// end.
    after_return: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// In a cell that doesn't start with a quote.
    #[default]
    Unquoted,
    Quoted,
    /// After a quote inside of a quoted cell, at this offset. The next byte decides whether it closes the cell.
    QuoteInQuotes(u32),
    /// In text that follows a closing quote.
    AfterQuotes,
}

impl Scanner {
    /// Creates a scanner. `delimiter` must be a non-zero ASCII character; for any other value a comma is used.
    /// `has_separator_line`: the first line is `sep=…` and isn't a row. `is_certain`: the file's encoding is certain,
    /// so that invalid UTF-8 counts as damage and never as [`FileError::OtherEncoding`].
    pub fn new(delimiter: u8, has_separator_line: bool, is_certain: bool, limits: &Limits) -> Scanner {
        // A byte above 127 would split characters, and zeros are removed from cells.
        let delimiter = if matches!(delimiter, 1..128) { delimiter } else { b',' };
        Scanner {
            delimiter,
            limits: Limits { record_bytes: limits.record_bytes.min(u32::MAX as usize / 2), ..*limits },
            sequences: (!is_certain).then(SequenceCounter::default),
            damaged: false,
            number: u64::from(!has_separator_line),
            cursor: Cursor::default(),
            cells: Cells::default(),
            row_prefix: Vec::new(),
            row_copy: RowBuffer::default(),
        }
    }

    /// Returns whether invalid UTF-8 was replaced by U+FFFD. What a decoder replaced before is not counted.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Scans the next piece of the text and passes every row that ends in it and isn't blank to `on_row`. After a break
    /// or an error, the scanner can't be used any more.
    ///
    /// # Errors
    /// A row or a cell exceeds the limits, the text ends inside of quotes, or [`FileError::OtherEncoding`]: the
    /// encoding isn't certain and the text has more invalid UTF-8 sequences than valid non-ASCII characters so far.
    pub fn push(&mut self, bytes: &[u8], last: bool, on_row: RowHandler<'_>) -> Result<ControlFlow<()>, FileError> {
        let mut piece = Piece::new(bytes);
        // A local copy, which the compiler can keep in registers.
        let mut cursor = self.cursor;
        for (block, Marks { mut delimiters, mut others }) in find_marks(bytes, self.delimiter) {
            loop {
                let before_other = lowest_bit(others).wrapping_sub(1);
                match cursor.state {
                    // This is the state of most cells.
                    State::Unquoted => {
                        let mut ends = delimiters & before_other;
                        while ends != 0 {
                            let offset =
                                piece.offset_in_row(block + ends.trailing_zeros() as usize, self.row_prefix.len());
                            cursor.end_unquoted_cell(offset, &mut self.cells);
                            ends &= ends - 1;
                        }
                        delimiters &= !before_other;
                    }
                    // Delimiters inside of quotes are text.
                    State::Quoted => delimiters &= !before_other,
                    State::QuoteInQuotes(_) | State::AfterQuotes => {}
                }
                let next = lowest_bit(delimiters | others);
                if next == 0 {
                    break;
                }
                (delimiters, others) = (delimiters & !next, others & !next);
                let at = block + next.trailing_zeros() as usize;
                let byte = bytes.get(at).copied().unwrap_or_default();
                let offset = piece.offset_in_row(at, self.row_prefix.len());
                if offset == 0 && byte == b'\n' && cursor.after_return {
                    // The second half of a CR LF line end.
                    cursor.after_return = false;
                    piece.row_begin = at + 1;
                    continue;
                }
                if cursor.process(byte, self.delimiter, offset, &mut self.cells) {
                    self.cursor = cursor;
                    if self.end_row(byte, at, &mut piece, on_row)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    cursor = self.cursor;
                    piece.row_begin = at + 1;
                }
            }
        }
        self.cursor = cursor;
        self.row_prefix.extend_from_slice(bytes.get(piece.row_begin..).unwrap_or_default());
        if let Some(sequences) = &mut self.sequences {
            sequences.count_valid(bytes.get(piece.counted..piece.row_begin).unwrap_or_default());
        }
        ensure!(self.row_prefix.len() <= self.limits.record_bytes, self.too_long());
        if !last || self.row_prefix.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        // The text ends without a line end, so one is assumed. If it is inside of quotes, the closing quote is missing.
        if !self.cursor.process(b'\n', self.delimiter, self.row_prefix.len() as u32, &mut self.cells) {
            return Err(FileError::Truncated { row: self.number.max(1) });
        }
        self.end_row(b'\n', 0, &mut Piece::new(&[]), on_row)
    }

    /// Ends the current row at byte `at` of the piece.
    #[inline]
    fn end_row(
        &mut self,
        byte: u8,
        at: usize,
        piece: &mut Piece<'_>,
        on_row: RowHandler<'_>,
    ) -> Result<ControlFlow<()>, FileError> {
        let offset = piece.offset_in_row(at, self.row_prefix.len());
        let mut flow = ControlFlow::Continue(());
        if offset > 0 {
            self.cursor.end_cell(offset, &mut self.cells);
            flow = self.emit(at, piece, on_row)?;
            self.number += 1;
        } else if byte == b'\r' || !self.cursor.after_return {
            self.number += 1;
        }
        self.cells.all.clear();
        self.cells.quoted.clear();
        self.cursor = Cursor { after_return: byte == b'\r', ..Cursor::default() };
        Ok(flow)
    }

    /// Passes the row that ends before byte `at` of the piece to `on_row`, unless it is the `sep=` line.
    fn emit(&mut self, at: usize, piece: &mut Piece<'_>, on_row: RowHandler<'_>) -> Result<ControlFlow<()>, FileError> {
        let mut row_prefix = std::mem::take(&mut self.row_prefix);
        let here = piece.bytes.get(piece.row_begin..at).unwrap_or_default();
        let (bytes, text) = if row_prefix.is_empty() {
            (here, piece.valid.text(piece.row_begin, at))
        } else {
            row_prefix.extend_from_slice(here);
            (&row_prefix[..], std::str::from_utf8(&row_prefix).ok())
        };
        ensure!(bytes.len() <= self.limits.record_bytes, self.too_long());
        if let Some(sequences) = &mut self.sequences
            && (text.is_none() || !row_prefix.is_empty())
        {
            sequences.count_valid(piece.bytes.get(piece.counted..piece.row_begin).unwrap_or_default());
            sequences.count_row(bytes)?;
            piece.counted = at;
        }
        self.damaged |= text.is_none();
        // Number 0 is the `sep=` line, which isn't passed on.
        let flow = if self.number == 0 { ControlFlow::Continue(()) } else { self.emit_row(bytes, text, on_row)? };
        row_prefix.clear();
        self.row_prefix = row_prefix;
        Ok(flow)
    }

    fn emit_row(
        &mut self,
        bytes: &[u8],
        text: Option<&str>,
        on_row: RowHandler<'_>,
    ) -> Result<ControlFlow<()>, FileError> {
        let Scanner { number, cells: Cells { all: cells, quoted }, row_copy, limits, cursor, .. } = self;
        let row = match text {
            Some(text) if !cursor.has_zeros => {
                let row = RawRow { number: *number, text, cells };
                if quoted.is_empty() { row } else { unescape_cells(row, quoted, row_copy) }
            }
            _ => {
                row_copy.start(*number);
                copy_lossy(bytes, cells, quoted, |column, text| row_copy.push(column, text, limits))?;
                row_copy.row()
            }
        };
        // A cell can't be longer than its row.
        if bytes.len() > limits.cell_chars {
            for (column, text) in row.cells() {
                limits.check_cell(*number, column, text)?;
            }
        }
        if row.is_blank() { Ok(ControlFlow::Continue(())) } else { on_row(row) }
    }

    fn too_long(&self) -> FileError {
        FileError::RecordTooLong { row: self.number.max(1), max: self.limits.record_bytes }
    }
}

impl Cursor {
    /// Processes a special byte at offset `offset` of the row. Returns whether it ends the row.
    #[inline]
    fn process(&mut self, byte: u8, delimiter: u8, offset: u32, cells: &mut Cells) -> bool {
        if let State::QuoteInQuotes(closed) = self.state
            && (offset != closed + 1 || !matches!(byte, b'"' | b'\n' | b'\r') && byte != delimiter)
        {
            // Text after a closing quote belongs to the cell, and quotes in it are literal.
            (self.state, self.needs_unescape) = (State::AfterQuotes, true);
        }
        match (byte, self.state) {
            (b'"', State::Unquoted) if offset == self.start => self.state = State::Quoted,
            (b'"', State::Unquoted | State::AfterQuotes) => {}
            (b'"', State::Quoted) => self.state = State::QuoteInQuotes(offset),
            (b'"', State::QuoteInQuotes(_)) => (self.state, self.needs_unescape) = (State::Quoted, true),
            (0, _) => self.has_zeros = true,
            (_, State::Quoted) => {}
            (b'\n' | b'\r', _) => return true,
            (byte, _) if byte == delimiter => self.end_cell(offset, cells),
            _ => {}
        }
        false
    }

    #[inline]
    fn end_unquoted_cell(&mut self, offset: u32, cells: &mut Cells) {
        if self.start < offset {
            cells.all.push(Cell { column: self.column, start: self.start, end: offset });
        }
        (self.column, self.start) = (self.column + 1, offset + 1);
    }

    #[inline]
    fn end_cell(&mut self, offset: u32, cells: &mut Cells) {
        let (start, end) = match self.state {
            State::Unquoted => return self.end_unquoted_cell(offset, cells),
            State::QuoteInQuotes(closed) if !self.needs_unescape => (self.start + 1, closed),
            _ => (self.start + 1, offset),
        };
        if start < end {
            if self.needs_unescape {
                cells.quoted.push(cells.all.len() as u32);
            }
            cells.all.push(Cell { column: self.column, start, end });
        }
        (self.column, self.start) = (self.column + 1, offset + 1);
        (self.state, self.needs_unescape) = (State::Unquoted, false);
    }
}

/// Unescapes the quoted cells of a row; the other cells keep their ranges.
fn unescape_cells<'a>(row: RawRow<'_>, quoted: &[u32], buffer: &'a mut RowBuffer) -> RawRow<'a> {
    buffer.set(row.number, row.text, row.cells.iter().copied());
    for index in quoted.iter().map(|&index| index as usize) {
        let text = row.cells.get(index).map_or("", |cell| row.cell_text(cell));
        buffer.replace_cell(index, |into| push_unescaped(text, into));
    }
    buffer.row()
}

/// Copies the cells of a row with invalid UTF-8 or zero bytes, and replaces the invalid characters.
fn copy_lossy(
    bytes: &[u8],
    cells: &[Cell],
    quoted: &[u32],
    mut push: impl FnMut(usize, &str) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut quoted = quoted.iter().copied().peekable();
    for (index, cell) in (0..).zip(cells) {
        // Quotes and delimiters are ASCII, so they never lie inside of a character, not even of an invalid one.
        let text = String::from_utf8_lossy(bytes.get(cell.start as usize..cell.end as usize).unwrap_or_default());
        if quoted.next_if_eq(&index).is_some() {
            let mut buffer = String::new();
            push_unescaped(&text, &mut buffer);
            push(cell.column as usize, &buffer)?;
        } else {
            push(cell.column as usize, &text)?;
        }
    }
    Ok(())
}

/// Appends an unescaped cell. `text` starts after the opening quote: doubled quotes become one, a single one closes the
/// quoted part, and the rest is literal.
fn push_unescaped(text: &str, into: &mut String) {
    let mut rest = text;
    let quote = |text: &str| text.bytes().position(|byte| byte == b'"');
    while let Some((quoted, after)) = quote(rest).and_then(|at| rest.split_at_checked(at)) {
        into.push_str(quoted);
        let Some(more) = after.strip_prefix("\"\"") else {
            rest = after.strip_prefix('"').unwrap_or(after);
            break;
        };
        into.push('"');
        rest = more;
    }
    into.push_str(rest);
}

/// The piece of the text that is being scanned.
struct Piece<'a> {
    bytes: &'a [u8],
    valid: Utf8Validator<'a>,
    /// Where the current row starts in this piece.
    row_begin: usize,
    /// Bytes of the piece before this offset are already counted in the scanner's `sequences`.
    counted: usize,
}

impl<'a> Piece<'a> {
    fn new(bytes: &'a [u8]) -> Piece<'a> {
        Piece { bytes, valid: Utf8Validator::new(bytes), row_begin: 0, counted: 0 }
    }

    /// Returns the offset in the current row of byte `at` of this piece; `row_prefix` bytes of the row are in earlier
    /// pieces.
    #[inline]
    fn offset_in_row(&self, at: usize, row_prefix: usize) -> u32 {
        (at + row_prefix).wrapping_sub(self.row_begin) as u32
    }
}
