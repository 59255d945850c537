//! Text with delimiters, cut into rows as it comes, in pieces of any size. It reads quotes as the `csv` crate does, and is
//! several times as fast, because it looks only at the bytes that mean something and leaves the text where it lies.

mod marks;
mod utf8;

use super::row::{Cell, EachRow, RawRow, RowBuffer};
use super::{FileError, Limits};
use marks::{Marks, lowest, marks};
use std::ops::ControlFlow;
use utf8::{Sequences, Valid};

/// Cuts a text into rows. A row ends with a line feed, a carriage return or both, save inside of quotes; each counts as
/// one however many lines it has, and blank lines count too, as in a spreadsheet program.
pub struct Scanner {
    delimiter: u8,
    limits: Limits,
    /// How the text's characters hold; not counted where its encoding is certain.
    sequences: Option<Sequences>,
    damaged: bool,
    /// The number of the row that is read, or comes next; 0 is the line that names the delimiter.
    number: u64,
    cursor: Cursor,
    cells: Cells,
    /// The beginning of the row that is read, where earlier pieces held it.
    held: Vec<u8>,
    mended: RowBuffer,
}

/// The cells of the row that is read which have something in them, as places in it.
#[derive(Default)]
struct Cells {
    all: Vec<Cell>,
    /// Which of them hold quotes to be undone.
    quoted: Vec<u32>,
}

/// Where in a row the reading stands. Places count from the row's first byte.
#[derive(Clone, Copy, Default)]
struct Cursor {
    column: u32,
    /// Where the cell begins, an opening quote included.
    start: u32,
    state: State,
    /// The cell's text isn't all that stands between two quotes: there are doubled ones in it, or text follows them.
    odd: bool,
    /// There are zero characters in the row.
    zeros: bool,
    /// The byte before the row was a carriage return, so that a line feed now belongs to it.
    after_return: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// In a cell that doesn't begin with a quote.
    #[default]
    Bare,
    Quoted,
    /// A quote was met inside of quotes, here: whether it closes them, the next byte tells.
    Closed(u32),
    /// Behind closed quotes, where text follows.
    Tail,
}

impl Scanner {
    /// `delimiter`: an ASCII character that isn't zero; for any other stands the comma. `separator_line`: the first line names it, and
    /// isn't shown. `sure`: the text's encoding is certain, so that what isn't UTF-8 is damage, however much of it there is.
    pub fn new(delimiter: u8, separator_line: bool, sure: bool, limits: &Limits) -> Scanner {
        // Any other would cut characters in two, or be left out.
        let delimiter = if matches!(delimiter, 1..128) { delimiter } else { b',' };
        Scanner {
            delimiter,
            limits: Limits { record_bytes: limits.record_bytes.min(u32::MAX as usize / 2), ..*limits },
            sequences: (!sure).then(Sequences::default),
            damaged: false,
            number: u64::from(!separator_line),
            cursor: Cursor::default(),
            cells: Cells::default(),
            held: Vec::new(),
            mended: RowBuffer::default(),
        }
    }

    /// Characters of the text were damaged, and stand as U+FFFD.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Reads the next piece of the text, and gives every row that ends in it and isn't blank. After a break or an error
    /// there is nothing more to be read.
    ///
    /// # Errors
    /// A row or a cell is longer than the limits allow, the text ends inside of quotes, or [`FileError::OtherEncoding`]:
    /// so far more of it is wrong in UTF-8 than right, and its encoding wasn't certain.
    pub fn push(&mut self, bytes: &[u8], last: bool, each: EachRow<'_>) -> Result<ControlFlow<()>, FileError> {
        let mut piece = Piece { bytes, valid: Valid::new(bytes), begin: 0, counted: 0 };
        // Away from the scanner, so that it is kept in registers.
        let mut cursor = self.cursor;
        for (block, Marks { mut delimiters, mut others }) in marks(bytes, self.delimiter) {
            loop {
                let ahead = lowest(others).wrapping_sub(1);
                match cursor.state {
                    // Most of them.
                    State::Bare => {
                        let mut ends = delimiters & ahead;
                        while ends != 0 {
                            let place = piece.place(block + ends.trailing_zeros() as usize, self.held.len());
                            cursor.end_of_bare_cell(place, &mut self.cells);
                            ends &= ends - 1;
                        }
                        delimiters &= !ahead;
                    }
                    // They are text.
                    State::Quoted => delimiters &= !ahead,
                    State::Closed(_) | State::Tail => {}
                }
                let next = lowest(delimiters | others);
                if next == 0 {
                    break;
                }
                (delimiters, others) = (delimiters & !next, others & !next);
                let at = block + next.trailing_zeros() as usize;
                let byte = bytes.get(at).copied().unwrap_or_default();
                let place = piece.place(at, self.held.len());
                if place == 0 && byte == b'\n' && cursor.after_return {
                    // The other half of a line end.
                    cursor.after_return = false;
                    piece.begin = at + 1;
                    continue;
                }
                if cursor.mark(byte, self.delimiter, place, &mut self.cells) {
                    self.cursor = cursor;
                    if self.end_of_line(byte, at, &mut piece, each)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    cursor = self.cursor;
                    piece.begin = at + 1;
                }
            }
        }
        self.cursor = cursor;
        self.held.extend_from_slice(bytes.get(piece.begin..).unwrap_or_default());
        if let Some(sequences) = &mut self.sequences {
            sequences.add(bytes.get(piece.counted..piece.begin).unwrap_or_default());
        }
        if self.held.len() > self.limits.record_bytes {
            return Err(self.too_long());
        }
        if !last || self.held.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        // A line end that a quote swallows shows that the quote was never closed.
        if !self.cursor.mark(b'\n', self.delimiter, self.held.len() as u32, &mut self.cells) {
            return Err(FileError::Truncated { row: self.number.max(1) });
        }
        self.end_of_line(b'\n', 0, &mut Piece { bytes: &[], valid: Valid::new(&[]), begin: 0, counted: 0 }, each)
    }

    /// Ends the row at this byte of the piece.
    #[inline]
    fn end_of_line(
        &mut self,
        byte: u8,
        at: usize,
        piece: &mut Piece<'_>,
        each: EachRow<'_>,
    ) -> Result<ControlFlow<()>, FileError> {
        let place = piece.place(at, self.held.len());
        let mut flow = ControlFlow::Continue(());
        if place > 0 {
            self.cursor.end_of_cell(place, &mut self.cells);
            flow = self.give(at, piece, each)?;
            self.number += 1;
        } else if byte == b'\r' || !self.cursor.after_return {
            self.number += 1;
        }
        self.cells.all.clear();
        self.cells.quoted.clear();
        self.cursor = Cursor { after_return: byte == b'\r', ..Cursor::default() };
        Ok(flow)
    }

    /// Gives the row that ends before this byte of the piece.
    fn give(&mut self, at: usize, piece: &mut Piece<'_>, each: EachRow<'_>) -> Result<ControlFlow<()>, FileError> {
        let mut held = std::mem::take(&mut self.held);
        let here = piece.bytes.get(piece.begin..at).unwrap_or_default();
        let (bytes, text) = if held.is_empty() {
            (here, piece.valid.text(piece.begin, at))
        } else {
            held.extend_from_slice(here);
            (&held[..], std::str::from_utf8(&held).ok())
        };
        if bytes.len() > self.limits.record_bytes {
            return Err(self.too_long());
        }
        if let Some(sequences) = &mut self.sequences
            && (text.is_none() || !held.is_empty())
        {
            sequences.add(piece.bytes.get(piece.counted..piece.begin).unwrap_or_default());
            sequences.add_row(bytes)?;
            piece.counted = at;
        }
        self.damaged |= text.is_none();
        // The line that names the delimiter is no row.
        let flow = if self.number == 0 { ControlFlow::Continue(()) } else { self.give_row(bytes, text, each)? };
        held.clear();
        self.held = held;
        Ok(flow)
    }

    fn give_row(&mut self, bytes: &[u8], text: Option<&str>, each: EachRow<'_>) -> Result<ControlFlow<()>, FileError> {
        let Scanner { number, cells: Cells { all: cells, quoted }, mended, limits, cursor, .. } = self;
        let row = match text {
            Some(text) if !cursor.zeros => {
                let row = RawRow { number: *number, text, cells };
                if quoted.is_empty() { row } else { unquote(row, quoted, mended) }
            }
            _ => {
                mended.start(*number);
                mend(bytes, cells, quoted, |column, text| mended.push(column, text, limits))?;
                mended.row()
            }
        };
        // No cell of a row is longer than the row.
        if bytes.len() > limits.cell_chars {
            for (column, text) in row.cells() {
                limits.check_cell(*number, column, text)?;
            }
        }
        if row.is_blank() { Ok(ControlFlow::Continue(())) } else { each(row) }
    }

    fn too_long(&self) -> FileError {
        FileError::RecordTooLong { row: self.number.max(1), most: self.limits.record_bytes }
    }
}

impl Cursor {
    /// Takes a byte that may mean something, at its place in the row. True when a line ends with it.
    #[inline]
    fn mark(&mut self, byte: u8, delimiter: u8, place: u32, cells: &mut Cells) -> bool {
        if let State::Closed(closed) = self.state
            && (place != closed + 1 || !matches!(byte, b'"' | b'\n' | b'\r') && byte != delimiter)
        {
            // What follows the closing quote belongs to the cell, and quotes in it are text.
            (self.state, self.odd) = (State::Tail, true);
        }
        match (byte, self.state) {
            (b'"', State::Bare) if place == self.start => self.state = State::Quoted,
            (b'"', State::Bare | State::Tail) => {}
            (b'"', State::Quoted) => self.state = State::Closed(place),
            (b'"', State::Closed(_)) => (self.state, self.odd) = (State::Quoted, true),
            (0, _) => self.zeros = true,
            (_, State::Quoted) => {}
            (b'\n' | b'\r', _) => return true,
            (byte, _) if byte == delimiter => self.end_of_cell(place, cells),
            _ => {}
        }
        false
    }

    #[inline]
    fn end_of_bare_cell(&mut self, place: u32, cells: &mut Cells) {
        if self.start < place {
            cells.all.push(Cell { column: self.column, start: self.start, end: place });
        }
        (self.column, self.start) = (self.column + 1, place + 1);
    }

    #[inline]
    fn end_of_cell(&mut self, place: u32, cells: &mut Cells) {
        let (start, end) = match self.state {
            State::Bare => return self.end_of_bare_cell(place, cells),
            State::Closed(closed) if !self.odd => (self.start + 1, closed),
            _ => (self.start + 1, place),
        };
        if start < end {
            if self.odd {
                cells.quoted.push(cells.all.len() as u32);
            }
            cells.all.push(Cell { column: self.column, start, end });
        }
        (self.column, self.start) = (self.column + 1, place + 1);
        (self.state, self.odd) = (State::Bare, false);
    }
}

/// Undoes the quotes in these cells of a row; its other cells stay where they are.
fn unquote<'a>(row: RawRow<'_>, quoted: &[u32], whole: &'a mut RowBuffer) -> RawRow<'a> {
    whole.take(row.number, row.text, row.cells.iter().copied());
    for index in quoted.iter().map(|&index| index as usize) {
        let text = row.cells.get(index).map_or("", |cell| row.text_of(cell));
        whole.replace(index, |into| unquote_into(text, into));
    }
    whole.row()
}

/// Writes a row's cells anew where some of it isn't text.
fn mend(
    bytes: &[u8],
    cells: &[Cell],
    quoted: &[u32],
    mut push: impl FnMut(usize, &str) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut quoted = quoted.iter().copied().peekable();
    for (index, cell) in (0..).zip(cells) {
        // Quotes and delimiters are ASCII, so that they lie between characters, be these right or wrong.
        let text = String::from_utf8_lossy(bytes.get(cell.start as usize..cell.end as usize).unwrap_or_default());
        if quoted.next_if_eq(&index).is_some() {
            let mut whole = String::new();
            unquote_into(&text, &mut whole);
            push(cell.column as usize, &whole)?;
        } else {
            push(cell.column as usize, &text)?;
        }
    }
    Ok(())
}

/// A cell's text, from behind its opening quote on: doubled quotes stand for one, up to the closing one, and what follows
/// that is text.
fn unquote_into(text: &str, into: &mut String) {
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

/// The bytes that are read at once.
struct Piece<'a> {
    bytes: &'a [u8],
    valid: Valid<'a>,
    /// Where the row that is read begins, as far as it lies here.
    begin: usize,
    /// How far the sequences were counted.
    counted: usize,
}

impl Piece<'_> {
    /// The place in its row of a byte of this piece, when so many of the row's bytes came before.
    #[inline]
    fn place(&self, at: usize, held: usize) -> u32 {
        (at + held).wrapping_sub(self.begin) as u32
    }
}
