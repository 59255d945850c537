//! Fuzz target: opens arbitrary bytes as a file to import. The file must be opened, or rejected with a message. An
//! opened file must yield rows with increasing numbers, to its end or to an error with a message. The last byte of the
//! input selects the file's extension and the delimiter.
#![no_main]

mod panic_hook;

use forecourt_core::import::{Limits, ReadOptions, Source};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;

const EXTENSIONS: [&str; 8] = ["csv", "tsv", "txt", "xlsx", "xlsm", "xls", "xlsb", "ods"];
const DELIMITERS: [Option<char>; 4] = [None, Some(';'), Some('\t'), Some('|')];

fuzz_target!(|input: &[u8]| {
    panic_hook::allow_caught_panics();
    let Some((&choice, bytes)) = input.split_last() else { return };
    let name = format!("a.{}", EXTENSIONS[usize::from(choice % 8)]);
    let options = ReadOptions { delimiter: DELIMITERS[usize::from(choice / 8 % 4)], ..ReadOptions::default() };
    match Source::open(&name, bytes.to_vec(), &options, 20, &Limits::default()) {
        Ok(mut source) => {
            let head = source.head().clone();
            assert_eq!(head.matches.len(), head.file_columns.len());
            let mut last = 0;
            let read = source.rows(&mut |row| {
                assert!(row.number > last, "row numbers increase");
                last = row.number;
                Ok(ControlFlow::Continue(()))
            });
            if let Err(error) = read {
                assert!(error.message().as_str().ends_with('.'));
            }
        }
        Err(error) => assert!(error.message().as_str().ends_with('.'), "{}", error.message()),
    }
});
