//! The label and the values of a history entry as the hash chain covers them: as the stored JSON, not as the types with
//! which the program reads it.

use crate::platform::db::{Result, from_json, to_json};
use forecourt_core::history::ChangedValue;
use forecourt_core::privacy::ERASED;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change of one field, as stored in a history entry.
#[derive(Deserialize, Serialize)]
pub struct StoredChange {
    pub field: String,
    pub before: Value,
    pub after: Value,
}

/// Returns the label, then each change's value before and after it, as pairs: the name of the field (empty for the
/// label) and the value, as JSON for a change. If the changes can't be parsed, they are returned as one value.
pub fn list(label: &str, changes: &str) -> Result<Vec<(String, String)>> {
    let mut values = vec![(String::new(), label.to_owned())];
    let Ok(changes_read) = from_json::<Vec<StoredChange>>(changes) else {
        values.push((String::new(), changes.to_owned()));
        return Ok(values);
    };
    for StoredChange { field, before, after } in changes_read {
        values.push((field.clone(), to_json(&before)?));
        values.push((field, to_json(&after)?));
    }
    Ok(values)
}

/// Returns the JSON that replaces an erased value in a change.
pub fn erased_marker() -> Result<Value> {
    serde_json::to_value(ChangedValue::ERASED).map_err(|error| sqlx::Error::Encode(error.into()))
}

/// Returns whether a value of [`list`] was erased. `place` is its index in that list; the label is at 0.
pub fn is_erased_marker(place: usize, value: &str) -> bool {
    match place {
        0 => value == ERASED,
        _ => erased_marker().and_then(|marker| to_json(&marker)).is_ok_and(|marker| marker == value),
    }
}
