//! The values of an entry as the chain contains them: as the JSON that is stored, not as the types with which the program reads it.

use crate::platform::db::{Result, from_json, to_json};
use forecourt_core::history::ChangedValue;
use forecourt_core::privacy::ERASED;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change as it is stored.
#[derive(Deserialize, Serialize)]
pub struct StoredChange {
    pub field: String,
    pub before: Value,
    pub after: Value,
}

/// Returns the label, and each value before and after a change as its JSON, with its name. Changes that can't be read are one
/// value.
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

/// Returns what stands for an erased value in the JSON of a change.
pub fn marker() -> Result<Value> {
    serde_json::to_value(ChangedValue::ERASED).map_err(|error| sqlx::Error::Encode(error.into()))
}

/// Returns whether a value stands for one that was erased. The label is the first one.
pub fn is_marker(place: usize, value: &str) -> bool {
    match place {
        0 => value == ERASED,
        _ => marker().and_then(|marker| to_json(&marker)).is_ok_and(|marker| marker == value),
    }
}
