//! Sets some fields of records under the rules of their forms, as bulk actions, undoing and merging do.

use super::change::Batch;
use super::columns::Columns;
use super::identity;
use super::{Editable, Entity};
use crate::access::scope::Scope;
use crate::platform::db::Tx;
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::bulk::text;
use forecourt_core::date::Date;
use forecourt_core::form::{FormSettings, normalize_lines};
use forecourt_core::lists::Record;
use forecourt_core::message::Message;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use uuid::Uuid;

/// What an update does with a record.
pub(super) enum Plan {
    /// Sets these columns. The names are those of the secrets that the update removes.
    Change(Columns, &'static [&'static str]),
    Keep,
    Refuse(Message),
}

/// Returns what setting these fields would do to a record on the day `today`. An empty text stands for no value.
pub(super) async fn plan<E: Editable>(
    tx: Option<&mut Tx>,
    scope: &Scope,
    record: &E,
    settings: FormSettings,
    today: Date,
    fields: &Map<String, Value>,
) -> ApiResult<Plan> {
    let values = serde_json::to_value(record.record()).map_err(ApiError::internal)?;
    if fields.iter().all(|(name, value)| value_of::<E::Entity>(&values, name) == value) {
        return Ok(Plan::Keep);
    }
    let mut changed = values.clone();
    for (name, value) in fields {
        set_value::<E::Entity>(&mut changed, name, value.clone());
    }
    let form = |values| serde_json::from_value(values).map_err(ApiError::internal);
    let changed = record.complete_change(tx, scope, today, form(changed)?).await?;
    Ok(match record.check(settings, changed) {
        Ok(changed) => match record.columns(&changed)?.without_unchanged(&record.columns(&form(values)?)?) {
            columns if columns.is_empty() => Plan::Keep,
            columns => Plan::Change(columns, record.removed_secrets(&changed)),
        },
        Err(errors) => {
            Plan::Refuse(errors.into_iter().next().map_or_else(|| text::VALUE_INVALID.clone(), |error| error.message))
        }
    })
}

/// Writes planned updates: for each record, its new columns, the record before, and the names of the secrets that the
/// update removes. Adds the updates to the history. Returns the number of changed records.
pub(super) async fn write<E: Editable>(
    batch: &mut Batch<'_>,
    planned: Vec<(Columns, E, &'static [&'static str])>,
) -> ApiResult<u64> {
    // Records that get the same values are updated by one statement.
    let mut changes: HashMap<Columns, Vec<Uuid>> = HashMap::new();
    let mut before = HashMap::new();
    for (columns, record, secrets) in planned {
        let id = identity::id(record.record())?;
        changes.entry(columns).or_default().push(id);
        before.insert(id, (record.into_record(), secrets));
    }
    let mut changed = Vec::new();
    for (columns, ids) in changes {
        for record in update_group(batch, &ids, columns, &before).await? {
            let Some((before, secrets)) = before.remove(&identity::id(&record)?) else { continue };
            changed.push((Some(before), Some(record), secrets));
        }
    }
    let count = changed.len() as u64;
    batch.record(changed).await.map(|()| count)
}

/// Sets the same columns of several records, which `before` has as they were.
///
/// # Errors
/// If another record has a value that must be unique, the error names the first record that can't get it.
async fn update_group<E: Entity>(
    batch: &mut Batch<'_>,
    ids: &[Uuid],
    columns: Columns,
    before: &HashMap<Uuid, (E, &'static [&'static str])>,
) -> ApiResult<Vec<E>> {
    if !E::HAS_UNIQUE_VALUES {
        return batch.update_all(ids, columns).await.map_err(E::write_error);
    }
    batch.tx().savepoint().await?;
    let error = match batch.update_all(ids, columns.clone()).await {
        Ok(updated) => {
            batch.tx().release_savepoint().await?;
            return Ok(updated);
        }
        Err(error) => E::write_error(error),
    };
    if !matches!(error, ApiError::Invalid(_)) {
        return Err(error);
    }
    batch.tx().rollback_to_savepoint().await?;
    for id in ids {
        if let (Err(error), Some((record, _))) = (batch.update_all::<E>(&[*id], columns.clone()).await, before.get(id))
        {
            return Err(record.named_write_error(error));
        }
    }
    Err(error)
}

/// Returns a value as forms have it; for `None`, an empty text.
pub(super) fn form_value(value: Option<&impl Serialize>) -> ApiResult<Value> {
    let Some(value) = value else { return Ok(Value::String(String::new())) };
    let mut value = serde_json::to_value(value).map_err(ApiError::internal)?;
    if let Value::String(text) = &mut value {
        normalize_lines(text);
    }
    Ok(value)
}

/// Returns whether the form of an update can be parsed with this value in this field.
pub(super) fn is_form_value<E: Editable>(name: &str, value: &Value) -> bool {
    let mut alone = Value::Object(Map::new());
    set_value::<E::Entity>(&mut alone, name, value.clone());
    serde_json::from_value::<E::Form>(alone).is_ok()
}

/// Returns the names that lead to a field's value in the JSON of a record and of its form.
fn path<R: Record>(name: &str) -> Vec<&str> {
    let field = R::FIELDS.iter().find(|field| field.name == name);
    field.map_or_else(|| vec![name], |field| field.path())
}

/// Returns the value of a field; an empty text if the field is absent or null.
fn value_of<'a, R: Record>(record: &'a Value, name: &str) -> &'a Value {
    static EMPTY: Value = Value::String(String::new());
    let value = path::<R>(name).into_iter().try_fold(record, |json, name| json.get(name));
    value.filter(|value| !value.is_null()).unwrap_or(&EMPTY)
}

/// Sets the value of a field.
fn set_value<R: Record>(form: &mut Value, name: &str, value: Value) {
    *path::<R>(name).into_iter().fold(form, |json, name| &mut json[name]) = value;
}

/// Returns a record's values by the names of its fields.
pub(super) fn to_map(record: &impl Serialize) -> ApiResult<Map<String, Value>> {
    match serde_json::to_value(record) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(ApiError::internal("a record is no JSON object")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::with_record;
    use forecourt_core::form::errors;
    use forecourt_core::history::resources;
    use serde_json::json;

    fn check<E: Editable>() {
        // Deserializing a form fails if a field that it has is a list, and ignores an unknown field.
        let has = |name: &str| !is_form_value::<E>(name, &json!([[]]));
        let rejected = errors(serde_json::from_value::<E::Form>(json!({})).unwrap());
        let fields: Vec<_> = E::Entity::FIELDS.iter().filter(|field| field.is_bulk_editable).collect();
        assert!(!fields.is_empty() && !has("unknown"), "{}", E::Entity::TABLE.name);
        for field in fields {
            let is_rejected = rejected.iter().any(|error| error.field == field.name);
            assert!(has(field.name) && (field.is_required || !is_rejected), "{}", field.name);
        }
    }

    #[test]
    fn update_forms_have_all_bulk_fields_and_need_only_the_required_ones() {
        for resource in resources() {
            with_record!(resource, Record => check::<Record>());
        }
    }
}
