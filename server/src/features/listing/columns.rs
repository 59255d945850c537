//! The columns of the lists' fields, and which of them the database has in sorted order.

use forecourt_core::lists::{Field, Kind, NUMBER_DIGITS, PREFIX_CHARACTERS, SORTED_CHARACTERS};

/// A field of a list with its column.
pub(super) struct Column {
    pub field: &'static str,
    /// The SQL expression of the value as it is compared: texts are folded, times have the precision of the API,
    /// milliseconds.
    pub value: &'static str,
    /// The SQL expression by which rows are sorted: the value, the beginning of a long text, or a padded number.
    pub sort_key: &'static str,
    /// The number of the field in SQLite's `sort_rows`, if it has sort rows.
    pub number: Option<i64>,
    /// Whether PostgreSQL has an index of the rows in the order of this field.
    pub has_index: bool,
    /// Whether values may be negative. Then each row has a value, so that no key of a sort row stands for NULL.
    pub is_signed: bool,
}

impl Column {
    /// Returns the column of a field, which is not sorted. `value` is its expression if that does not follow from the
    /// field.
    pub(super) fn new(field: &'static Field, value: Option<&'static str>) -> Self {
        // Statements need expressions that live as long as the program.
        let value = value.unwrap_or_else(|| self::value(field).leak());
        let sort_key: &'static str = match field {
            Field { is_long: true, .. } => format!("substr({value}, 1, {SORTED_CHARACTERS})").leak(),
            Field { is_numbered: true, .. } => padded_number(value).leak(),
            _ => value,
        };
        Column { field: field.name, value, sort_key, number: None, has_index: false, is_signed: false }
    }

    /// Returns whether SQLite has the values in sort rows, and not only their beginnings.
    pub(super) fn has_values_in_sort_rows(&self) -> bool {
        self.number.is_some() && self.sort_key == self.value
    }

    /// Returns whether PostgreSQL has the values in an index, and not only their beginnings.
    pub(super) fn has_values_in_index(&self) -> bool {
        self.has_index && self.sort_key == self.value
    }
}

/// Returns the SQL expression of a running number ([`Field::is_numbered`]) whose digits are padded with zeros.
fn padded_number(value: &str) -> String {
    // `length` counts the prefix too, and `substr` counts from 1.
    let zeros = "0".repeat(PREFIX_CHARACTERS + NUMBER_DIGITS - 1);
    let digits = PREFIX_CHARACTERS + 1;
    format!(
        "substr({value}, 1, {PREFIX_CHARACTERS}) || substr('{zeros}', length({value})) || substr({value}, {digits})"
    )
}

/// Returns the SQL expression of a field's value, if its column has the field's name, with underscores.
fn value(field: &Field) -> String {
    let mut column = String::new();
    for c in field.name.chars() {
        if c.is_ascii_uppercase() {
            column.push('_');
        }
        column.push(c.to_ascii_lowercase());
    }
    match field.kind {
        Kind::Text => column + "_key",
        Kind::Time => column + " / 1000 * 1000",
        _ => column,
    }
}
