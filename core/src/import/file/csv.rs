//! Text files. csv-core cuts the records; what is fed to it is decoded piece by piece, and a record is given up as soon
//! as it is too long, so that a missing quotation mark doesn't swallow the file.

use super::EachRow;
use crate::import::recognise::TextFormat;
use crate::import::row::RowBuffer;
use crate::import::{FileError, Limits, ReadOptions};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use encoding_rs::{CoderResult, Decoder, Encoding};
use std::ops::ControlFlow;

/// How many decoded bytes are fed at once.
const PIECE: usize = 64 << 10;

/// A text file and how it is to be read.
pub(super) struct CsvFile {
    bytes: Vec<u8>,
    format: TextFormat,
}

impl CsvFile {
    pub fn new(bytes: Vec<u8>, mut format: TextFormat, options: &ReadOptions) -> Result<CsvFile, FileError> {
        if let Some(name) = &options.encoding {
            let encoding = Encoding::for_label(name.as_bytes()).ok_or(FileError::UnknownEncoding)?;
            format.plain &= encoding == format.encoding;
            format.encoding = encoding;
        }
        if let Some(delimiter) = options.delimiter {
            format.delimiter = u8::try_from(delimiter).unwrap_or(format.delimiter);
        }
        Ok(CsvFile { bytes, format })
    }

    pub fn encoding(&self) -> &'static str {
        self.format.encoding.name()
    }

    pub fn delimiter(&self) -> char {
        char::from(self.format.delimiter)
    }

    /// As [`super::Source::rows`].
    pub fn each(&self, limits: &Limits, f: EachRow<'_>) -> Result<(), FileError> {
        let bytes = &self.bytes[self.format.start..];
        let mut records = Records::new(self.format.delimiter, limits.record_bytes);
        let mut each = |number: u64, row: &mut RowBuffer, text: &str, ends: &[usize]| {
            if self.format.separator_line && number == 1 {
                return Ok(ControlFlow::Continue(()));
            }
            // Spreadsheet programs don't show the line that names the separator, so it doesn't count.
            row.start(number - u64::from(self.format.separator_line));
            let mut start = 0;
            for (column, &end) in ends.iter().enumerate() {
                row.push(column, text.get(start..end).unwrap_or_default(), limits)?;
                start = end;
            }
            if row.row().is_blank() { Ok(ControlFlow::Continue(())) } else { f(row.row()) }
        };
        let mut row = RowBuffer::default();
        let mut each = |number: u64, text: &str, ends: &[usize]| each(number, &mut row, text, ends);
        if self.format.plain {
            if records.feed(bytes, &mut each)?.is_break() {
                return Ok(());
            }
        } else {
            let mut pieces = Pieces::new(bytes, self.format.encoding.new_decoder_without_bom_handling());
            while let Some(piece) = pieces.next() {
                if records.feed(piece, &mut each)?.is_break() {
                    return Ok(());
                }
            }
        }
        records.finish(&mut each)
    }
}

/// The text of a file in UTF-8, a piece at a time.
struct Pieces<'a> {
    bytes: &'a [u8],
    decoder: Option<Decoder>,
    buffer: Vec<u8>,
}

impl<'a> Pieces<'a> {
    fn new(bytes: &'a [u8], decoder: Decoder) -> Self {
        Pieces { bytes, decoder: Some(decoder), buffer: vec![0; PIECE] }
    }

    fn next(&mut self) -> Option<&[u8]> {
        let decoder = self.decoder.as_mut()?;
        let (result, read, written, _) = decoder.decode_to_utf8(self.bytes, &mut self.buffer, true);
        self.bytes = &self.bytes[read..];
        if matches!(result, CoderResult::InputEmpty) {
            self.decoder = None;
        }
        Some(&self.buffer[..written])
    }
}

/// Cuts text into records and counts them as a spreadsheet program does.
struct Records {
    reader: Reader,
    /// The number of the record that is being read, or comes next.
    number: u64,
    /// A part of this record was read.
    inside: bool,
    /// The last byte was a carriage return, so a line feed now belongs to it.
    after_return: bool,
    output: Vec<u8>,
    written: usize,
    ends: Vec<usize>,
    found: usize,
    most: usize,
}

/// Takes a record: its number, its text, and where in it each cell ends.
type Each<'a> = &'a mut dyn FnMut(u64, &str, &[usize]) -> Result<ControlFlow<()>, FileError>;

impl Records {
    fn new(delimiter: u8, most: usize) -> Self {
        Records {
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            number: 1,
            inside: false,
            after_return: false,
            output: vec![0; 4_096],
            written: 0,
            ends: vec![0; 64],
            found: 0,
            most,
        }
    }

    /// Reads a piece of text. What is left of a record at its end waits for the next piece.
    fn feed(&mut self, mut input: &[u8], each: Each<'_>) -> Result<ControlFlow<()>, FileError> {
        while !input.is_empty() {
            if !self.inside {
                input = self.skip_blank_lines(input);
            }
            while !input.is_empty() {
                let (result, read) = self.read(input)?;
                self.inside = true;
                if read > 0 {
                    self.after_return = input[read - 1] == b'\r';
                    input = &input[read..];
                }
                if result == ReadRecordResult::Record {
                    if self.give(each)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    break;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads what waits for its end. A record that a line break wouldn't end is inside of quotes.
    fn finish(mut self, each: Each<'_>) -> Result<(), FileError> {
        if !self.inside {
            return Ok(());
        }
        loop {
            match self.read(b"\n")?.0 {
                ReadRecordResult::Record => return self.give(each).map(|_| ()),
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::InputEmpty | ReadRecordResult::End => {
                    return Err(FileError::Truncated { row: self.number });
                }
            }
        }
    }

    /// csv-core passes over blank lines without a word, but they count.
    fn skip_blank_lines<'a>(&mut self, mut input: &'a [u8]) -> &'a [u8] {
        while let [first @ (b'\r' | b'\n'), rest @ ..] = input {
            self.number += u64::from(*first == b'\r' || !self.after_return);
            self.after_return = *first == b'\r';
            input = rest;
        }
        if !input.is_empty() {
            self.after_return = false;
        }
        input
    }

    fn read(&mut self, input: &[u8]) -> Result<(ReadRecordResult, usize), FileError> {
        if self.written == self.output.len() {
            // One byte more than is allowed shows that there is more.
            if self.written > self.most {
                return Err(FileError::RecordTooLong { row: self.number, most: self.most });
            }
            self.output.resize((self.written * 2).min(self.most + 1), 0);
        }
        if self.found == self.ends.len() {
            if self.found > self.most {
                return Err(FileError::RecordTooLong { row: self.number, most: self.most });
            }
            self.ends.resize((self.found * 2).min(self.most + 1), 0);
        }
        let (result, read, written, found) =
            self.reader.read_record(input, &mut self.output[self.written..], &mut self.ends[self.found..]);
        self.written += written;
        self.found += found;
        Ok((result, read))
    }

    fn give(&mut self, each: Each<'_>) -> Result<ControlFlow<()>, FileError> {
        let output = &self.output[..self.written];
        let ends = &self.ends[..self.found];
        let number = self.number;
        (self.number, self.inside, self.written, self.found) = (number + 1, false, 0, 0);
        // Delimiters and quotes are ASCII, so cutting at them leaves UTF-8 whole.
        each(number, std::str::from_utf8(output).unwrap_or_default(), ends)
    }
}
