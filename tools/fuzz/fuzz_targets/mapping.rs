//! Fuzz target: suggests a mapping for arbitrary headers and values. Every column must get a suggestion, no field that
//! takes one column may be suggested twice, and the resulting plan must be valid or have error messages.
#![no_main]

use forecourt_core::import::{ColumnMapping, ModelColumn, Plan, header_key, match_columns};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut lines = text.split('\n');
    let columns: Vec<String> = lines.next().unwrap_or_default().split('\t').map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = lines.take(100).map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    let matches = match_columns(&columns, &rows);
    assert_eq!(matches.len(), columns.len());
    for (index, found) in matches.iter().enumerate() {
        assert!(found.confidence <= 100 && !found.reason.as_str().is_empty());
        let is_single = !matches!(found.model_column, ModelColumn::OtherDetails | ModelColumn::DoNotImport);
        let is_taken = matches[..index].iter().any(|other| other.model_column == found.model_column);
        assert!(!(is_single && is_taken), "two columns map to one field");
    }
    assert_eq!(header_key(&columns).len(), 16);
    let mapping: Vec<ColumnMapping> = matches
        .into_iter()
        .map(|m| ColumnMapping { file_column: m.file_column, model_column: m.model_column.as_str().to_owned() })
        .collect();
    if let Err(errors) = Plan::new(&columns, &mapping) {
        assert!(!errors.is_empty() && errors.iter().all(|error| !error.message.as_str().is_empty()));
    }
});
