//! Reads a sheet of an .ods file, whose rows and cells may be stored once and be repeated.

use super::super::in_memory::PackedRows;
use super::super::xml::{Node, Xml, attributes};
use super::cell::{CellHead, read_paragraphs};
use super::style::{NumberDisplay, Styles};
use crate::import::book::MAX_GRID;
use crate::import::row::RowBuffer;
use crate::import::{FileError, Limits, SheetHead};
use quick_xml::events::BytesStart;
use std::collections::HashMap;

/// The maximum number of equal rows with values that are stored as one repeated row. Programs merge equal neighbours,
/// which are rare in lists of contacts.
const MAX_EQUAL_ROWS: u64 = 100;
/// How many bytes the repetitions in a sheet may add, in addition to the number of bytes that were read so far.
const FREE_BYTES: u64 = 1 << 20;
/// The estimated size of a cell without its text.
const CELL_BYTES: u64 = 16;

/// A sheet that is being read. `rows` contains the error if its rows can't be read.
pub(super) struct Table<'a> {
    pub head: SheetHead,
    pub rows: Result<PackedRows, FileError>,
    styles: &'a Styles,
    limits: &'a Limits,
    /// How numbers are shown in cells, by the name of their style.
    shown: HashMap<String, NumberDisplay>,
    /// The default styles of columns, each with the index of the first column after those that have it.
    columns: Vec<(u64, String)>,
    /// The current row. `number` is its number (from 1), `column` that of its next cell (from 0).
    row: RowBuffer,
    number: u64,
    column: u64,
    repeated: u64,
    row_style: Option<String>,
    /// How many bytes repetitions have added to the sheet so far.
    added: u64,
}

impl<'a> Table<'a> {
    /// Creates the sheet that this start tag begins, without its rows.
    pub fn of(tag: &BytesStart<'_>, styles: &'a Styles, limits: &'a Limits) -> Result<Table<'a>, FileError> {
        let mut head = SheetHead { name: String::new(), hidden: false };
        attributes(tag, |name, value| match name {
            "name" => value.clone_into(&mut head.name),
            "style-name" => head.hidden = styles.is_hidden(value),
            _ => {}
        })?;
        Ok(Table {
            head,
            rows: Ok(PackedRows::new(limits)),
            styles,
            limits,
            shown: HashMap::new(),
            columns: Vec::new(),
            row: RowBuffer::default(),
            number: 1,
            column: 0,
            repeated: 1,
            row_style: None,
            added: 0,
        })
    }

    /// Reads the rows up to the sheet's end tag.
    pub fn read(&mut self, xml: &mut Xml<'_>) -> Result<(), FileError> {
        let mut depth = 0_u32;
        loop {
            match xml.next()? {
                Node::Start { tag, is_empty } => match tag.local_name().as_ref() {
                    "table-row" => {
                        self.start_row(&tag)?;
                        if is_empty {
                            self.end_row(xml.position());
                        } else {
                            self.read_cells(xml)?;
                        }
                    }
                    "table-column" => {
                        self.add_column(&tag)?;
                        depth += u32::from(!is_empty);
                    }
                    // Drawings, form controls, nested tables, and the source of a linked sheet aren't rows.
                    "shapes" | "table" | "table-source" | "forms" if !is_empty => xml.skip()?,
                    _ => depth += u32::from(!is_empty),
                },
                Node::End => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return Ok(()),
                },
                Node::Text(_) => {}
                Node::Eof => return Err(FileError::BrokenWorkbook),
            }
        }
    }

    /// Reads a row's cells up to its end tag.
    fn read_cells(&mut self, xml: &mut Xml<'_>) -> Result<(), FileError> {
        let mut text = String::new();
        loop {
            match xml.next()? {
                Node::Start { tag, is_empty } => {
                    let is_cell = matches!(tag.local_name().as_ref(), "table-cell" | "covered-table-cell");
                    if !is_cell {
                        if !is_empty {
                            xml.skip()?;
                        }
                        continue;
                    }
                    let head = CellHead::of(&tag)?;
                    text.clear();
                    if !is_empty {
                        read_paragraphs(xml, &mut text)?;
                    }
                    let position = xml.position();
                    self.add_cell(&head, &text, position);
                }
                Node::End => {
                    self.end_row(xml.position());
                    return Ok(());
                }
                Node::Text(_) => {}
                Node::Eof => return Err(FileError::BrokenWorkbook),
            }
        }
    }

    fn add_column(&mut self, tag: &BytesStart<'_>) -> Result<(), FileError> {
        let (mut repeated, mut style) = (1, String::new());
        attributes(tag, |name, value| match name {
            "number-columns-repeated" => {
                repeated = value.trim().parse().map_or(u64::from(MAX_GRID.1), |times: u64| times.max(1));
            }
            "default-cell-style-name" => value.clone_into(&mut style),
            _ => {}
        })?;
        let start = self.columns.last().map_or(0, |(end, _)| *end);
        if start < u64::from(MAX_GRID.1) {
            self.columns.push((start.saturating_add(repeated), style));
        }
        Ok(())
    }

    fn start_row(&mut self, tag: &BytesStart<'_>) -> Result<(), FileError> {
        (self.repeated, self.row_style, self.column) = (1, None, 0);
        attributes(tag, |name, value| match name {
            "number-rows-repeated" => self.repeated = value.trim().parse().map_or(u64::MAX, |times: u64| times.max(1)),
            "default-cell-style-name" => self.row_style = Some(value.to_owned()),
            _ => {}
        })?;
        self.row.start(self.number);
        Ok(())
    }

    /// Adds a cell with its repetitions. `position` is the number of bytes that were read from the part.
    fn add_cell(&mut self, head: &CellHead, paragraphs: &str, position: u64) {
        let mut out = String::new();
        head.write(paragraphs, self.number_display(head.style.as_deref()), &mut out);
        let (first, end) = (self.column, self.column.saturating_add(head.repeated));
        self.column = end;
        if out.is_empty() || self.rows.is_err() {
            return;
        }
        let added = (head.repeated.saturating_sub(1)).saturating_mul(out.len() as u64 + CELL_BYTES);
        self.added = self.added.saturating_add(added);
        let outcome = if end > u64::from(MAX_GRID.1) {
            Err(FileError::BrokenWorkbook)
        } else if self.added > FREE_BYTES + position {
            Err(FileError::TooManyRepeats { row: self.number })
        } else {
            (first..end).try_for_each(|column| self.row.push(column as usize, &out, self.limits))
        };
        self.set_outcome(outcome);
    }

    /// Stores the row with its repetitions.
    fn end_row(&mut self, position: u64) {
        let (first, times) = (self.number, self.repeated);
        self.number = first.saturating_add(times);
        if self.row.row().is_blank() {
            return;
        }
        let size: u64 = self.row.row().cells().map(|(_, text)| text.len() as u64 + CELL_BYTES).sum();
        self.added = self.added.saturating_add(times.saturating_sub(1).saturating_mul(size));
        if times > MAX_EQUAL_ROWS || self.added > FREE_BYTES + position {
            return self.set_outcome(Err(FileError::TooManyRepeats { row: first }));
        }
        if self.number > u64::from(MAX_GRID.0) + 1 {
            return self.set_outcome(Err(FileError::BrokenWorkbook));
        }
        for number in first..self.number {
            let Ok(rows) = &mut self.rows else { return };
            self.row.set_number(number);
            // If there are too many rows, no more are stored. The rest of the sheet is still read, and an error in it
            // counts.
            let outcome = rows.add(&self.row).map(drop);
            self.set_outcome(outcome);
        }
    }

    fn set_outcome(&mut self, outcome: Result<(), FileError>) {
        if let (Err(error), Ok(_)) = (outcome, &self.rows) {
            self.rows = Err(error);
        }
    }

    /// Returns how numbers are shown in the next cell: by its own style, or else by the row's or the column's default.
    fn number_display(&mut self, style: Option<&str>) -> NumberDisplay {
        let of_column = || {
            let index = self.columns.partition_point(|(end, _)| *end <= self.column);
            self.columns.get(index).map(|(_, style)| style.as_str())
        };
        let Some(style) = style.or(self.row_style.as_deref()).or_else(of_column) else { return NumberDisplay::Default };
        if let Some(shown) = self.shown.get(style) {
            return shown.clone();
        }
        let shown = self.styles.number_display(style);
        if shown != NumberDisplay::Default {
            self.shown.insert(style.to_owned(), shown.clone());
        }
        shown
    }
}
