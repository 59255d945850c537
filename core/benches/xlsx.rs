//! Measures the cost of reading a workbook's rows, relative to calamine and to decompression alone. Reports ratios
//! too, because times differ between machines. Run by `make bench`.

use calamine::Reader;
use forecourt_core::import::{Limits, RowBuffer, xlsx};
use rust_xlsxwriter::Workbook;
use std::io::{Cursor, Read};
use std::time::{Duration, Instant};

const ROWS: u32 = 100_000;
const ROUNDS: usize = 7;

fn file() -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, (0..10).map(|column| format!("Column {column}"))).expect("a row fits");
    for row in 1..ROWS {
        let texts = [
            format!("Åsa Öberg {row}"),
            format!("asa.oberg{row}@example.se"),
            format!("+46 70 {row:07}"),
            format!("www{}.example.se", row % 1_000),
            format!("Storgatan {}, 211 42 Malmö", row % 90),
            format!("{} & Söner AB", row % 5_000),
            "Said \"call me\",\nlater".into(),
            format!("Kund {}", row % 7),
        ];
        sheet.write_row(row, 0, texts).expect("a row fits");
        sheet.write_number(row, 8, f64::from(row)).expect("a cell fits");
        sheet.write_number(row, 9, f64::from(row) * 1.25).expect("a cell fits");
    }
    book.save_to_buffer().expect("a workbook is written to memory")
}

fn ours(bytes: Vec<u8>) -> u64 {
    let mut book = xlsx::open(Box::new(bytes), &Limits::default()).expect("the workbook is good");
    book.start(0).expect("the sheet is there");
    let (mut row, mut count) = (RowBuffer::default(), 0);
    while book.next(&mut row).expect("the sheet is good") {
        count += 1;
    }
    count
}

fn preview(bytes: Vec<u8>) -> u64 {
    let mut book = xlsx::open(Box::new(bytes), &Limits::default()).expect("the workbook is good");
    book.sample(0, 51).expect("the sheet is good").len() as u64
}

fn calamine(bytes: Vec<u8>) -> u64 {
    let mut book = calamine::Xlsx::new(Cursor::new(bytes)).expect("the workbook is good");
    let sheet = book.sheet_names()[0].clone();
    let mut reader = book.worksheet_cells_reader(&sheet).expect("the sheet is there");
    let mut last = 0;
    while let Some(cell) = reader.next_cell().expect("the sheet is good") {
        last = cell.get_position().0 + 1;
    }
    u64::from(last)
}

fn unpack_only(bytes: Vec<u8>) -> u64 {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("the archive is good");
    let mut piece = vec![0; 128 << 10];
    for name in ["xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"] {
        let mut part = archive.by_name(name).expect("the part is there");
        while part.read(&mut piece).expect("the part is good") > 0 {}
    }
    u64::from(ROWS)
}

/// A name, what to do with a workbook's bytes, and the expected number of rows.
type Job = (&'static str, fn(Vec<u8>) -> u64, u64);

fn main() {
    let bytes = file();
    let jobs: [Job; 4] = [
        ("read by us", ours, u64::from(ROWS)),
        ("read by calamine", calamine, u64::from(ROWS)),
        ("unpacked alone", unpack_only, u64::from(ROWS)),
        ("previewed", preview, 51),
    ];
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        for ((_, job, rows), times) in jobs.iter().zip(&mut times) {
            let bytes = bytes.clone();
            let start = Instant::now();
            assert_eq!(job(bytes), *rows, "every row is seen");
            times.push(start.elapsed());
        }
    }
    let times = times.map(|mut times: Vec<Duration>| {
        times.sort();
        times[ROUNDS / 2]
    });
    println!("{ROWS} rows of 10 columns as .xlsx ({} kB), medians of {ROUNDS} rounds", bytes.len() / 1_000);
    for ((name, ..), time) in jobs.iter().zip(times) {
        println!("  {name}: {time:.1?}, {:.2} times ours", time.as_secs_f64() / times[0].as_secs_f64());
    }
}
