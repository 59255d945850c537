//! Which column becomes which field, as a person decided it, held against its rules before an import.

use super::{ColumnMapping, ModelColumn, text};
use crate::form::FieldError;

/// Under which name a broken rule of the whole mapping is told.
const MAPPING: &str = "columnMapping";

impl ModelColumn {
    /// Every choice, in the order of a menu.
    pub const ALL: [ModelColumn; 7] = [
        ModelColumn::Name,
        ModelColumn::Email,
        ModelColumn::Phone,
        ModelColumn::Website,
        ModelColumn::Address,
        ModelColumn::OtherDetails,
        ModelColumn::DoNotImport,
    ];

    /// The wire name.
    pub fn as_str(self) -> &'static str {
        match self {
            ModelColumn::Name => "name",
            ModelColumn::Email => "email",
            ModelColumn::Phone => "phone",
            ModelColumn::Website => "website",
            ModelColumn::Address => "address",
            ModelColumn::OtherDetails => "otherDetails",
            ModelColumn::DoNotImport => "doNotImport",
        }
    }

    /// The choice of this wire name.
    pub fn parse(name: &str) -> Option<ModelColumn> {
        Self::ALL.into_iter().find(|column| column.as_str() == name)
    }

    /// What a person reads.
    pub fn label(self) -> &'static str {
        text::label(self)
    }

    /// The place among a contact's five fields that are checked; none for the others.
    pub(super) fn field(self) -> Option<usize> {
        Self::ALL[..5].iter().position(|&column| column == self)
    }

    /// Takes one column at most (decisions 5.5).
    pub(super) fn is_single(self) -> bool {
        !matches!(self, ModelColumn::OtherDetails | ModelColumn::DoNotImport)
    }
}

/// A mapping that holds: what each column of the file becomes.
#[derive(Clone, Debug)]
pub struct Plan {
    targets: Vec<ModelColumn>,
}

impl Plan {
    /// Holds a mapping against the rules (decisions 5.5): every column mapped, once, to a field that there is; no field
    /// but the other details given to two columns; and a column for the name.
    ///
    /// # Errors
    /// What is wrong, under the file's column where it is about one.
    pub fn new(file_columns: &[String], mapping: &[ColumnMapping]) -> Result<Plan, Vec<FieldError>> {
        let mut errors: Vec<FieldError> = Vec::new();
        let mut wrong = |field: &str, message: String| errors.push(FieldError { field: field.to_owned(), message });
        let mut targets: Vec<Option<ModelColumn>> = vec![None; file_columns.len()];
        let mut unmapped = false;
        for ColumnMapping { file_column, model_column } in mapping {
            let Some(index) = file_columns.iter().position(|column| column == file_column) else {
                wrong(file_column, text::unknown_file_column(file_column));
                continue;
            };
            if model_column.is_empty() {
                continue;
            }
            match ModelColumn::parse(model_column) {
                None => {
                    wrong(file_column, text::unknown_model_column(file_column, model_column));
                    // Said once; it isn't also called unmapped.
                    targets[index].get_or_insert(ModelColumn::DoNotImport);
                }
                Some(_) if targets[index].is_some() => wrong(file_column, text::mapped_twice(file_column)),
                Some(target) => targets[index] = Some(target),
            }
        }
        for (index, column) in file_columns.iter().enumerate() {
            let Some(target) = targets[index] else {
                unmapped = true;
                continue;
            };
            let earlier = targets[..index].iter().position(|&other| other == Some(target));
            if let Some(earlier) = earlier.filter(|_| target.is_single()) {
                wrong(column, text::one_field_twice(target, &file_columns[earlier], column));
            }
        }
        if unmapped {
            errors.insert(0, FieldError { field: MAPPING.into(), message: text::MAP_ALL.into() });
        } else if !targets.contains(&Some(ModelColumn::Name)) {
            errors.push(FieldError { field: MAPPING.into(), message: text::MAP_NAME.into() });
        }
        if errors.is_empty() { Ok(Plan { targets: targets.into_iter().flatten().collect() }) } else { Err(errors) }
    }

    /// A plan that was made elsewhere.
    pub(super) fn of_targets(targets: Vec<ModelColumn>) -> Plan {
        Plan { targets }
    }

    /// What each column becomes, in the file's order.
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
        Plan::new(&columns, &mapping).map_err(|errors| errors.into_iter().map(|e| e.message).collect())
    }

    fn refused(columns: &[&str], mapping: &[(&str, &str)]) -> Vec<String> {
        plan(columns, mapping).err().unwrap_or_default()
    }

    #[test]
    fn every_choice_is_read_by_its_wire_name() {
        for column in ModelColumn::ALL {
            assert_eq!(ModelColumn::parse(column.as_str()), Some(column));
            assert_eq!(serde_json::to_string(&column).unwrap(), format!("\"{}\"", column.as_str()));
        }
        assert_eq!(ModelColumn::parse("user_type"), None);
        assert_eq!(ModelColumn::DoNotImport.label(), "Do not import");
    }

    #[test]
    fn every_column_must_be_mapped_and_do_not_import_counts() {
        assert_eq!(refused(&["Namn", "Ort"], &[("Namn", "name")]), ["Please map all columns before importing"]);
        assert_eq!(
            refused(&["Namn", "Ort"], &[("Namn", "name"), ("Ort", "")]),
            ["Please map all columns before importing"]
        );
        let held = plan(&["Namn", "Ort"], &[("Ort", "doNotImport"), ("Namn", "name")]);
        assert_eq!(held.map(|p| p.targets().to_vec()), Ok(vec![ModelColumn::Name, ModelColumn::DoNotImport]));
    }

    #[test]
    fn two_columns_for_one_field_are_both_named() {
        assert_eq!(
            refused(&["Namn", "Tel", "Mobil"], &[("Namn", "name"), ("Tel", "phone"), ("Mobil", "phone")]),
            ["Both “Tel” and “Mobil” are mapped to Phone. Choose another field for one of them."]
        );
        let details = [("Namn", "name"), ("Tel", "otherDetails"), ("Mobil", "otherDetails")];
        assert!(plan(&["Namn", "Tel", "Mobil"], &details).is_ok());
    }

    #[test]
    fn a_column_or_field_that_there_is_not_is_refused() {
        let foreign = [("Namn", "name"), ("Ort", "address")];
        assert_eq!(refused(&["Namn"], &foreign), ["The file has no column “Ort”. Choose the file again."]);
        let unknown = [("Namn", "name"), ("Typ", "user_type")];
        assert_eq!(
            refused(&["Namn", "Typ"], &unknown),
            ["“Typ” can't be mapped to “user_type”. Choose one of the listed fields."]
        );
        let twice = [("Namn", "name"), ("Namn", "email")];
        assert_eq!(refused(&["Namn"], &twice), ["“Namn” is mapped more than once. Choose one field for it."]);
    }

    #[test]
    fn a_name_must_be_among_the_fields() {
        let message = "Please choose the column with the name, because every contact needs one";
        assert_eq!(refused(&["E-post"], &[("E-post", "email")]), [message]);
        assert_eq!(refused(&[], &[]), [message]);
    }
}
