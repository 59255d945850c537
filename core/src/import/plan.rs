//! Validates the mapping of columns to fields that the user chose.

use super::{ColumnMapping, ModelColumn, text};
use crate::form::FieldError;
use crate::message::Message;

const MAPPING_FIELD: &str = "columnMapping";

impl ModelColumn {
    pub fn label(self) -> &'static Message {
        text::label(self)
    }

    /// Returns the index among the five fields of a contact that are validated; `None` for the other choices.
    pub(super) fn field(self) -> Option<usize> {
        Self::ALL[..5].iter().position(|&column| column == self)
    }

    /// Returns whether at most one column may be mapped to this field (docs/product.md 6.2).
    pub(super) fn is_single(self) -> bool {
        !matches!(self, ModelColumn::OtherDetails | ModelColumn::DoNotImport)
    }
}

/// A valid mapping: the field of each column.
#[derive(Clone, Debug)]
pub struct Plan {
    targets: Vec<ModelColumn>,
}

impl Plan {
    /// Validates a mapping (docs/product.md 6.2): every column is mapped exactly once and to a known field, each of the
    /// five fields of a contact is used at most once, and one column is mapped to the name.
    ///
    /// # Errors
    /// The validation errors; an error about one column has that column's name as its field.
    pub fn new(file_columns: &[String], mapping: &[ColumnMapping]) -> Result<Plan, Vec<FieldError>> {
        let mut errors: Vec<FieldError> = Vec::new();
        let mut report = |field: &str, message: Message| errors.push(FieldError { field: field.to_owned(), message });
        let mut targets: Vec<Option<ModelColumn>> = vec![None; file_columns.len()];
        let mut unmapped = false;
        for ColumnMapping { file_column, model_column } in mapping {
            let Some((_, mapped)) = file_columns.iter().zip(&mut targets).find(|(column, _)| *column == file_column)
            else {
                report(file_column, text::unknown_file_column(file_column));
                continue;
            };
            if model_column.is_empty() {
                continue;
            }
            match ModelColumn::parse(model_column) {
                None => {
                    report(file_column, text::unknown_model_column(file_column, model_column));
                    // So that the column isn't also reported as unmapped.
                    mapped.get_or_insert(ModelColumn::DoNotImport);
                }
                Some(_) if mapped.is_some() => report(file_column, text::mapped_twice(file_column)),
                Some(target) => *mapped = Some(target),
            }
        }
        let mapped = || file_columns.iter().zip(&targets);
        for (index, (column, target)) in mapped().enumerate() {
            let Some(target) = *target else {
                unmapped = true;
                continue;
            };
            let earlier = mapped().take(index).find(|(_, other)| **other == Some(target));
            if let Some((earlier, _)) = earlier.filter(|_| target.is_single()) {
                let [first, second] = [earlier, column].map(|name| text::column_title(name));
                report(column, text::one_field_twice(text::label(target), &first, &second));
            }
        }
        if unmapped {
            errors.insert(0, FieldError { field: MAPPING_FIELD.into(), message: text::MAP_ALL.into() });
        } else if !targets.contains(&Some(ModelColumn::Name)) {
            errors.push(FieldError { field: MAPPING_FIELD.into(), message: text::MAP_NAME.into() });
        }
        if errors.is_empty() { Ok(Plan { targets: targets.into_iter().flatten().collect() }) } else { Err(errors) }
    }

    /// Returns the field of each column, in the file's order.
    pub fn targets(&self) -> &[ModelColumn] {
        &self.targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(columns: &[&str], mapping: &[(&str, &str)]) -> Result<Plan, Vec<String>> {
        let columns: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
        let mapping: Vec<ColumnMapping> = mapping
            .iter()
            .map(|&(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() })
            .collect();
        Plan::new(&columns, &mapping).map_err(|errors| errors.into_iter().map(|e| e.message.into()).collect())
    }

    fn errors(columns: &[&str], mapping: &[(&str, &str)]) -> Vec<String> {
        plan(columns, mapping).err().unwrap_or_default()
    }

    #[test]
    fn requires_every_column_to_be_mapped() {
        assert_eq!(errors(&["Namn", "Ort"], &[("Namn", "name")]), ["Please map all columns before importing"]);
        assert_eq!(
            errors(&["Namn", "Ort"], &[("Namn", "name"), ("Ort", "")]),
            ["Please map all columns before importing"]
        );
        let valid = plan(&["Namn", "Ort"], &[("Ort", "doNotImport"), ("Namn", "name")]);
        assert_eq!(valid.map(|p| p.targets().to_vec()), Ok(vec![ModelColumn::Name, ModelColumn::DoNotImport]));
    }

    #[test]
    fn error_names_both_columns_of_a_field() {
        assert_eq!(
            errors(&["Namn", "Tel", "Mobil"], &[("Namn", "name"), ("Tel", "phone"), ("Mobil", "phone")]),
            ["Both “Tel” and “Mobil” are mapped to Phone. Choose another field for one of them."]
        );
        let details = [("Namn", "name"), ("Tel", "otherDetails"), ("Mobil", "otherDetails")];
        assert!(plan(&["Namn", "Tel", "Mobil"], &details).is_ok());
    }

    #[test]
    fn rejects_unknown_columns_and_fields() {
        let foreign = [("Namn", "name"), ("Ort", "address")];
        assert_eq!(errors(&["Namn"], &foreign), ["The file has no column “Ort”. Choose the file again."]);
        let unknown = [("Namn", "name"), ("Typ", "user_type")];
        assert_eq!(
            errors(&["Namn", "Typ"], &unknown),
            ["“Typ” can't be mapped to “user_type”. Choose one of the listed fields."]
        );
        let twice = [("Namn", "name"), ("Namn", "email")];
        assert_eq!(errors(&["Namn"], &twice), ["“Namn” is mapped more than once. Choose one field for it."]);
    }

    #[test]
    fn a_name_must_be_among_the_fields() {
        let message = "Please choose the column with the name, because every contact needs one";
        assert_eq!(errors(&["E-post"], &[("E-post", "email")]), [message]);
        assert_eq!(errors(&[], &[]), [message]);
    }
}
