//! Checks the rows of a file with the suggested mapping.

use forecourt_core::form::FieldError;
use forecourt_core::import::{Checker, ColumnMapping, Limits, Patches, Plan, Source};

/// Creates a checker with the suggested mapping of a file.
///
/// # Errors
/// The suggested mapping is invalid, because no column is the name.
pub fn suggested_checker(source: &Source, limits: &Limits) -> Result<Checker, Vec<FieldError>> {
    let head = source.head();
    let mapping: Vec<ColumnMapping> = head
        .matches
        .iter()
        .map(|m| ColumnMapping { file_column: m.file_column.clone(), model_column: m.model_column.as_str().into() })
        .collect();
    let plan = Plan::new(&head.file_columns, &mapping)?;
    Ok(Checker::new(source.layout().clone(), plan, Patches::default(), limits))
}
