//! Measures reading and checking a file, relative to only reading it with the crate `csv` or `calamine`. Reports ratios
//! too, because times differ between machines. Run by `make bench`.

#[path = "../tests/checker/mod.rs"]
mod checker;

use calamine::Reader;
use checker::suggested_checker;
use forecourt_core::import::{Limits, ReadOptions, Source, Verdict};
use rust_xlsxwriter::Workbook;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const ROWS: u32 = 100_000;
const ROUNDS: usize = 7;
const HEADERS: [&str; 6] = ["Namn", "E-post", "Telefon", "Hemsida", "Adress", "Anteckning"];

fn cells(row: u32) -> [String; 6] {
    [
        format!("Åsa Öberg {row}"),
        if row.is_multiple_of(100) { "invalid".into() } else { format!("asa.oberg{row}@example.se") },
        format!("+46 70 {row:07}"),
        "www.example.se".into(),
        format!("Storgatan {}, 211 42 Malmö", row % 90),
        "Said \"call me\",\nlater".into(),
    ]
}

fn csv_file() -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADERS).expect("a row is written to memory");
    for row in 0..ROWS {
        writer.write_record(cells(row)).expect("a row is written to memory");
    }
    writer.into_inner().expect("memory is flushed")
}

fn xlsx_file() -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, HEADERS).expect("a row fits");
    for row in 0..ROWS {
        sheet.write_row(row + 1, 0, cells(row)).expect("a row fits");
    }
    book.save_to_buffer().expect("a workbook is written to memory")
}

/// Opens, maps and checks a file, as the browser and the server do.
fn verdict(name: &str, bytes: &[u8]) -> Verdict {
    let (options, limits) = (ReadOptions::default(), Limits::default().for_file(bytes.len() as u64));
    let mut source = Source::open(name, bytes.to_vec(), &options, 10, &limits).expect("the file is good");
    let mut checker = suggested_checker(&source, &limits).expect("the mapping is valid");
    let read = source.rows(&mut |row| checker.check_row(row).map(|_| ControlFlow::Continue(())));
    read.expect("every row is read");
    checker.verdict()
}

fn read_csv_only(bytes: &[u8]) -> u64 {
    let mut reader = csv::Reader::from_reader(bytes);
    let mut record = csv::StringRecord::new();
    let mut rows = 0;
    while reader.read_record(&mut record).expect("the file is good") {
        rows += 1;
    }
    rows
}

fn read_with_calamine_only(bytes: &[u8]) -> u64 {
    let mut book = calamine::Xlsx::new(Cursor::new(bytes)).expect("the workbook is good");
    let sheet = book.sheet_names()[0].clone();
    let mut reader = book.worksheet_cells_reader(&sheet).expect("the sheet is there");
    let mut last = 0;
    while let Some(cell) = reader.next_cell().expect("the sheet is good") {
        last = cell.get_position().0;
    }
    u64::from(last)
}

/// Returns the median times of two alternating jobs.
fn medians(mut ours: impl FnMut() -> u64, mut theirs: impl FnMut() -> u64) -> [Duration; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (job, times) in [&mut ours as &mut dyn FnMut() -> u64, &mut theirs].into_iter().zip(&mut times) {
            let start = Instant::now();
            assert_eq!(job(), u64::from(ROWS), "every row is seen");
            times.push(start.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort();
        times[ROUNDS / 2]
    })
}

fn main() {
    let (csv, xlsx) = (csv_file(), xlsx_file());
    println!("{ROWS} rows of {} columns, medians of {ROUNDS} rounds", HEADERS.len());
    let report = |what: &str, peer: &str, [ours, theirs]: [Duration; 2]| {
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        println!("  {what}: read and checked {ours:.0?}, {peer} alone {theirs:.0?}, ratio {ratio:.2}");
    };
    report("CSV ", "csv", medians(|| verdict("a.csv", &csv).total, || read_csv_only(&csv)));
    report("XLSX", "calamine", medians(|| verdict("a.xlsx", &xlsx).total, || read_with_calamine_only(&xlsx)));
}
