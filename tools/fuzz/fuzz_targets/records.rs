//! Builds .xls records from fuzzer input: a byte selects the next record, the bytes after it are its content.

use crate::builder::{
    BLANK, BOF, BOOL_ERR, CONTINUE, DATE_1904, EOF, FORMAT, FORMULA, LABEL, LABEL_SST, MULRK, NUMBER,
    RK, ROW, RSTRING, SST, STRING, XF, byte_string, cell, formula, record, words,
};

/// The type of a record with several blank cells of a row.
const MULBLANK: u16 = 0x00BE;

/// The fuzzer's input that is not used yet. After its end, `byte`, `word` and `bytes` return zeros.
struct Recipe<'a>(&'a [u8]);

impl Recipe<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn byte(&mut self) -> u8 {
        self.next().unwrap_or_default()
    }

    fn word(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    fn at_most(&mut self, count: usize) -> Vec<u8> {
        (0..count.min(self.0.len())).map(|_| self.byte()).collect()
    }

    /// Returns a string as .xls records contain it: length, flags, the sizes of the optional parts that the flags
    /// announce, the characters, and these parts. Sometimes the length is wrong.
    fn text(&mut self) -> Vec<u8> {
        let (count, flags) = (usize::from(self.byte() % 24), self.byte());
        let declared = if flags & 0xF0 == 0xF0 { self.word() } else { count as u16 };
        let mut text = words(&[declared]);
        text.push(flags & 0x0D);
        let (runs, phonetic) = (flags & 8 != 0, flags & 4 != 0);
        if runs {
            text.extend(words(&[1]));
        }
        if phonetic {
            text.extend([4, 0, 0, 0]);
        }
        text.extend(self.at_most(count << (flags & 1)));
        text.extend(self.at_most(4 * (usize::from(runs) + usize::from(phonetic))));
        text
    }

    /// Returns a CONTINUE record, which continues the content of the previous record.
    fn continuation(&mut self) -> Vec<u8> {
        let length = usize::from(self.byte());
        record(CONTINUE, &self.at_most(length))
    }

    fn arbitrary(&mut self) -> Vec<u8> {
        let (kind, length) = (self.word(), usize::from(self.byte()));
        record(kind, &self.at_most(length))
    }
}

/// Number formats that spreadsheet programs write. For other formats, the streaming and the in-memory reader, which
/// `xls.rs` compares, may return different texts.
const FORMATS: [&str; 16] = [
    "General", "@", "0", "0.00", "#,##0", "0%", "0.00%", "0000000000", "yyyy\\-mm\\-dd", "d/m/yyyy h:mm", "h:mm:ss",
    "[h]:mm:ss", "#,##0.00\\ \"kr\"", "[Red]-0", "0.00E+00", "dd\\.mm\\.yyyy;@",
];

/// Returns the records before the sheet: date system, shared strings, styles and formats.
pub fn globals(recipe: &[u8]) -> Vec<u8> {
    let mut recipe = Recipe(recipe);
    // The record of the date system (1900 or 1904), which occurs once.
    let mut out = record(DATE_1904, &words(&[u16::from(recipe.byte() & 1)]));
    while let Some(choice) = recipe.next() {
        out.extend(match choice % 8 {
            0 | 1 => shared_strings(&mut recipe),
            2 | 3 => record(XF, &words(&[0, [0, 14, 22, 164, 165, 9, 46, 49][usize::from(recipe.byte() % 8)], 0, 0])),
            4 => {
                let number = 164 + u16::from(recipe.byte() % 3);
                record(FORMAT, &[words(&[number]), byte_string(FORMATS[usize::from(recipe.byte()) % FORMATS.len()])].concat())
            }
            5 | 6 => recipe.continuation(),
            _ => recipe.arbitrary(),
        });
    }
    out
}

fn shared_strings(recipe: &mut Recipe<'_>) -> Vec<u8> {
    let count = recipe.byte() % 12;
    let texts: Vec<u8> = (0..count).flat_map(|_| recipe.text()).collect();
    let declared = match recipe.byte() {
        byte @ 0xF8.. => u32::from(byte) << 24,
        byte @ 0xF0.. => u32::from(byte & 15),
        _ => u32::from(count),
    };
    let (first, rest) = texts.split_at(usize::from(recipe.byte()).min(texts.len()));
    let mut out = record(SST, &[&declared.to_le_bytes(), &declared.to_le_bytes(), first].concat());
    if !rest.is_empty() {
        // If the split is inside a string's characters, the next record begins with the flag of their width.
        let width = [recipe.byte() & 1];
        let width = if recipe.byte() & 1 == 0 { &width[..] } else { &[] };
        out.extend(record(CONTINUE, &[width, rest].concat()));
    }
    out
}

/// Returns the records of the sheet.
pub fn cells(recipe: &[u8]) -> Vec<u8> {
    let (mut recipe, mut out) = (Recipe(recipe), Vec::new());
    let (mut row, mut column) = (0_u16, 0_u16);
    while let Some(choice) = recipe.next() {
        // Usually the next cell of the row, or one of the first two cells of the next row.
        match choice >> 4 {
            0..=9 => column = column.wrapping_add(1),
            10..=13 => (row, column) = (row.wrapping_add(1), u16::from(choice >> 4 & 1)),
            14 => column = u16::from(recipe.byte()),
            _ => (row, column) = (recipe.word(), recipe.word()),
        }
        out.extend(cell_record(choice & 15, row, &mut column, &mut recipe));
    }
    out
}

/// Returns the record, or records, that a choice of 16 selects: mostly a cell at this position.
fn cell_record(kind: u8, row: u16, column: &mut u16, recipe: &mut Recipe<'_>) -> Vec<u8> {
    match kind {
        0 => record(ROW, &words(&[row, 0, 9, 0, 0, 0, 0, 0])),
        1 | 2 => styled(NUMBER, row, *column, &recipe.bytes::<8>(), recipe),
        3 => styled(RK, row, *column, &recipe.bytes::<4>(), recipe),
        4 => {
            let count = u16::from(recipe.byte() % 5) + 1;
            let first = *column;
            *column = first.wrapping_add(count - 1);
            let numbers: Vec<u8> = (0..count).flat_map(|_| recipe.bytes::<6>()).collect();
            record(MULRK, &[words(&[row, first]), numbers, words(&[*column])].concat())
        }
        5 | 6 => cell(LABEL_SST, row, *column, &u32::from(recipe.byte() % 16).to_le_bytes()),
        7 => cell(LABEL, row, *column, &recipe.text()),
        8 => cell(RSTRING, row, *column, &recipe.text()),
        9 => {
            let mut value = [0; 16];
            value[..8].copy_from_slice(&recipe.bytes::<8>());
            cell(FORMULA, row, *column, &value)
        }
        10 => [formula(row, *column), record(STRING, &recipe.text())].concat(),
        11 => cell(BOOL_ERR, row, *column, &[recipe.byte(), recipe.byte() & 1]),
        12 => recipe.continuation(),
        13 => record(BLANK, &words(&[row, *column, 0])),
        14 => match recipe.byte() {
            0..=3 => record(BOF, &words(&[0x0600, 0x0020, 0, 0, 0, 0, 0, 0])),
            4..=7 => record(EOF, &[]),
            _ => record(MULBLANK, &words(&[row, *column, 0, 0, column.wrapping_add(1)])),
        },
        _ => recipe.arbitrary(),
    }
}

/// Returns a cell's record, with one of the first eight styles.
fn styled(kind: u16, row: u16, column: u16, value: &[u8], recipe: &mut Recipe<'_>) -> Vec<u8> {
    let style = u16::from(recipe.byte() % 8);
    record(kind, &[&words(&[row, column, style]), value].concat())
}
