//! Any bytes under any name: told what they are, or refused in a sentence; and what is opened is read to its end. The
//! last byte says the name's ending and the delimiter that somebody chose.
#![no_main]

mod caught;

use forecourt_core::import::{Limits, ReadOptions, Source};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;

const ENDINGS: [&str; 8] = ["csv", "tsv", "txt", "xlsx", "xlsm", "xls", "xlsb", "ods"];
const SEPARATORS: [Option<char>; 4] = [None, Some(';'), Some('\t'), Some('|')];

fuzz_target!(|input: &[u8]| {
    caught::let_be();
    let Some((&choice, bytes)) = input.split_last() else { return };
    let name = format!("a.{}", ENDINGS[usize::from(choice % 8)]);
    let options = ReadOptions { delimiter: SEPARATORS[usize::from(choice / 8 % 4)], ..ReadOptions::default() };
    match Source::open(&name, bytes.to_vec(), &options, 20, &Limits::default()) {
        Ok(mut source) => {
            let head = source.head().clone();
            assert_eq!(head.matches.len(), head.file_columns.len());
            let mut last = 0;
            let read = source.rows(&mut |row| {
                assert!(row.number > last, "row numbers grow");
                last = row.number;
                Ok(ControlFlow::Continue(()))
            });
            if let Err(error) = read {
                assert!(error.message().ends_with('.'));
            }
        }
        Err(error) => assert!(error.message().ends_with('.'), "{}", error.message()),
    }
});
