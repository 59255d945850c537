//! The boundary of this package, in Node.js and in a browser. The rules have their own tests in `core`.

use crate::file::{ImportFile, check_size};
use crate::problems::Problems;
use forecourt_core::import::{ColumnMapping, RowProblem};
use js_sys::{Array, Function, JSON, Object, Reflect};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const VERDICTS: &str = include_str!("../../../core/tests/verdicts.json");

macro_rules! samples {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../../core/tests/files/", $name)).as_slice())),*]
    };
}

fn nobody() -> Function {
    Function::new_no_args("")
}

fn thrown<T>(result: Result<T, forecourt_call::Failure>) -> js_sys::Error {
    let Err(failure) = result else { panic!("this must throw") };
    JsValue::from(failure).dyn_into().unwrap()
}

fn mapping(pairs: &[(&str, &str)]) -> Vec<Ts<ColumnMapping>> {
    pairs
        .iter()
        .map(|(file, model)| {
            ColumnMapping { file_column: (*file).into(), model_column: (*model).into() }.into_ts().unwrap()
        })
        .collect()
}

/// What a file comes to with the columns as they are matched, as JSON.
fn outcome(name: &str, bytes: &[u8]) -> String {
    let read = || {
        let mut file = ImportFile::new(name, bytes.to_vec())?;
        let head = file.head()?;
        let mapping: Vec<Ts<ColumnMapping>> = head
            .to_rust()?
            .matches
            .into_iter()
            .map(|m| {
                ColumnMapping { file_column: m.file_column, model_column: m.model_column.as_str().into() }.into_ts()
            })
            .collect::<Result<_, _>>()?;
        let verdict = file.check(mapping, &nobody())?;
        let problems: Array = file.problems(0, u32::MAX)?.iter().map(Ts::js_value).collect();
        assert_eq!(file.problem_count(), f64::from(problems.length()));
        Ok::<_, forecourt_call::Failure>([
            ("head", head.js_value()),
            ("verdict", verdict.js_value()),
            ("problems", problems.into()),
        ])
    };
    let object = Object::new();
    let fields = match read() {
        Ok(fields) => fields.to_vec(),
        Err(failure) => vec![("refused", thrown::<()>(Err(failure)).message().into())],
    };
    for (name, value) in fields {
        Reflect::set(&object, &name.into(), &value).unwrap();
    }
    JSON::stringify(&object).unwrap().into()
}

#[wasm_bindgen_test]
fn every_sample_comes_to_the_same_head_problems_and_verdict_as_on_the_server() {
    let samples = samples! {
        "20000-columns.csv" "addresses-line-breaks.csv" "blank-rows.csv" "brochure-pdf.csv" "broken.xlsx" "empty.csv"
        "far-cell.xlsx" "header-only.csv" "kontakte-97.xls" "kontakter-utf16.csv" "kontakter.xlsx"
        "kunden-deutsch.csv" "kunder-semikolon.csv" "missing-quote.csv" "only-hidden-sheets.xlsx" "protected-97.xls"
        "protected.xlsx" "text-as-xls.xls" "two-equal-headers.csv" "web-page.xls"
    };
    let verdicts = JSON::parse(VERDICTS).unwrap();
    let names: Vec<_> = Object::keys(verdicts.unchecked_ref::<Object>()).iter().filter_map(|n| n.as_string()).collect();
    assert_eq!(names, samples.map(|(name, _)| name));
    for (name, bytes) in samples {
        let expected = Reflect::get(&verdicts, &name.into()).unwrap();
        assert_eq!(outcome(name, bytes), String::from(JSON::stringify(&expected).unwrap()), "{name}");
    }
}

#[wasm_bindgen_test]
fn garbage_is_refused_with_a_sentence_and_the_module_stays_usable() {
    for round in 0..2_000_u32 {
        let garbage: Vec<u8> = (0..64 + round % 64).map(|i| (i.wrapping_mul(2_654_435_761) ^ round) as u8).collect();
        let ending = ["csv", "xlsx", "xls", "pdf"][round as usize % 4];
        if let Err(failure) = ImportFile::new(&format!("f.{ending}"), garbage) {
            let error = thrown::<()>(Err(failure));
            assert_eq!(String::from(error.name()), "Problem");
            assert!(error.message().length() > 20);
        }
    }
    assert!(ImportFile::new("f.csv", b"Name\nAda\n".to_vec()).is_ok());
}

#[wasm_bindgen_test]
fn a_file_that_is_too_large_is_refused_before_its_bytes_are_there() {
    assert!(check_size(256.0 * 1024.0 * 1024.0).is_ok());
    let error = thrown(check_size(5e9));
    assert_eq!(String::from(error.name()), "Problem");
    assert!(String::from(error.message()).starts_with("This file has 4,769 MB, and 256 MB is the most"));
}

#[wasm_bindgen_test]
fn a_mapping_that_is_none_is_an_error_and_the_file_stays_usable() {
    let mut file = ImportFile::new("f.csv", b"Name,Town\nAda,Bath\n".to_vec()).ok().unwrap();
    for _ in 0..2_000 {
        for garbage in [JsValue::NULL, 7.into(), "x".into(), Array::new().into()] {
            thrown(file.check(vec![Ts::new_unchecked(garbage)], &nobody()));
        }
    }
    let error = thrown(file.check(mapping(&[("Name", "name")]), &nobody()));
    assert_eq!(String::from(error.message()), "Please map all columns before importing");
    let verdict = file.check(mapping(&[("Name", "name"), ("Town", "doNotImport")]), &nobody()).ok().unwrap();
    assert_eq!(verdict.to_rust().unwrap().ready, 1);
}

#[wasm_bindgen_test]
fn the_progress_is_told_while_the_rows_are_read() {
    let mut csv = String::from("Name\n");
    for i in 0..5_000 {
        csv.push_str(&format!("Person {i}\n"));
    }
    let mut file = ImportFile::new("f.csv", csv.into_bytes()).ok().unwrap();
    let watcher =
        Function::new_no_args("const watcher = rows => watcher.told.push(rows); watcher.told = []; return watcher");
    let watcher: Function = watcher.call0(&JsValue::NULL).unwrap().unchecked_into();
    file.check(mapping(&[("Name", "name")]), &watcher).ok().unwrap();
    let told = Array::from(&Reflect::get(&watcher, &"told".into()).unwrap());
    assert_eq!(String::from(told.join(" ")), "2000 4000");
}

#[wasm_bindgen_test]
fn a_watcher_that_throws_does_not_stop_the_check() {
    let csv = format!("Name\n{}", "Ada\n".repeat(3_000));
    let mut file = ImportFile::new("f.csv", csv.into_bytes()).ok().unwrap();
    let verdict = file.check(mapping(&[("Name", "name")]), &Function::new_no_args("throw new Error()")).ok().unwrap();
    assert_eq!(verdict.to_rust().unwrap().total, 3_000);
}

#[wasm_bindgen_test]
fn only_a_window_of_the_problems_goes_out() {
    let csv = format!("Name,Email\n{}", "Ada,nowhere\n".repeat(1_000));
    let mut file = ImportFile::new("f.csv", csv.into_bytes()).ok().unwrap();
    file.check(mapping(&[("Name", "name"), ("Email", "email")]), &nobody()).ok().unwrap();
    assert_eq!((file.problem_count(), file.problems_listed()), (1_000.0, 1_000));
    let window: Vec<_> = file.problems(10, 2).ok().unwrap().iter().map(|p| p.to_rust().unwrap()).collect();
    let problem = |row| RowProblem {
        row,
        file_column: "Email".into(),
        value: "nowhere".into(),
        message: "Please enter a valid email address".into(),
    };
    assert_eq!(window, [problem(12), problem(13)]);
    assert_eq!(file.problems(999, 10).ok().unwrap().len(), 1);
    assert!(file.problems(5_000, u32::MAX).ok().unwrap().is_empty());
}

#[wasm_bindgen_test]
fn beyond_the_most_that_are_kept_problems_are_only_counted() {
    let mut problems = Problems::new(&["Name".into()]);
    let found =
        RowProblem { row: 2, file_column: "Name".into(), value: "é".into(), message: "Name is required".into() };
    for _ in 0..200_001 {
        problems.add(std::slice::from_ref(&found));
    }
    assert_eq!((problems.count(), problems.listed()), (200_001, 200_000));
    assert_eq!(problems.window(199_999, 5).collect::<Vec<_>>(), [found]);
}
