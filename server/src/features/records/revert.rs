//! Undoes updates of records (docs/product.md 4.22).

use super::bulk::refusal;
use super::change::Batch;
use super::identity;
use super::set_fields::{Plan, plan, write};
use super::{Editable, Entity};
use crate::access::scope::Scope;
use crate::features::history::{self, StoredEntry};
use crate::features::listing::{self, writes};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::bulk::Refused;
use forecourt_core::date::Date;
use forecourt_core::history::{
    Change, ChangedValue, HistoryAction, HistoryEntry, Kept, OnConflict, RevertResult, text, undo, undo_error,
};
use forecourt_core::message::Message;
use serde_json::{Map, Value};
use std::collections::HashMap;
use uuid::Uuid;

/// Records per query.
const BATCH: usize = 500;

/// How updates are undone.
#[derive(Clone, Copy, Debug)]
pub struct Revert {
    pub on_conflict: OnConflict,
    pub dry_run: bool,
    /// Whether the entries are those of a bulk action. Undoing them is then a bulk action too.
    pub is_batch: bool,
    /// The current day of the request.
    pub today: Date,
}

/// Undoes the updates in the history entries with these ids, each of another record, in one transaction. With
/// [`OnConflict::Refuse`], nothing is written if a field was changed again since.
pub async fn revert<E: Editable>(
    scope: &Scope,
    app: &App,
    entries: Vec<Uuid>,
    revert: Revert,
) -> ApiResult<RevertResult> {
    let listing = <E::Entity as Entity>::LISTING;
    let mut batch = if revert.dry_run { None } else { Some(begin::<E::Entity>(scope, app, revert.is_batch).await?) };
    let mut result = RevertResult::default();
    for entries in entries.chunks(BATCH) {
        let entries = history::find_all(batch.as_mut().map(Batch::tx), scope, entries).await?;
        let ids = entries.iter().filter_map(|entry| entry.record).collect();
        let rows = listing::rows_in(batch.as_mut().map(Batch::tx), scope, E::COLUMNS, listing, ids);
        let rows: Vec<E::Row> = rows.all().await?;
        let mut records: HashMap<Uuid, E> = HashMap::new();
        for row in rows {
            let record = E::from_row(row)?;
            records.insert(identity::id(record.record())?, record);
        }
        let mut planned = Vec::new();
        for entry in entries {
            let Some(record) = entry.record.and_then(|id| records.remove(&id)) else {
                result.refused.push(refuse(&entry, text::RECORD_DELETED));
                continue;
            };
            let undo = undo(record.record(), &entry.changes, revert.on_conflict);
            let is_preview = revert.dry_run && !revert.is_batch;
            if is_preview {
                result.unrecorded.clone_from(&undo.unrecorded);
                result.following.clone_from(&undo.following);
            }
            let has_conflicts = !undo.conflicts.is_empty();
            if has_conflicts {
                let (id, label) = (identity::id(record.record())?, identity::label(record.record()).to_owned());
                let fields = undo.conflicts;
                let last_change = match is_preview {
                    true => {
                        let is_of_field = |change: &Change| fields.contains(&change.field);
                        let keeps = |entry: &HistoryEntry| {
                            HistoryAction::parse(&entry.action).is_some_and(HistoryAction::keeps_values)
                        };
                        let is_meant = |entry: &HistoryEntry| !keeps(entry) && entry.changes.iter().any(is_of_field);
                        history::last_change(scope, entry.resource, id, is_meant).await?
                    }
                    false => None,
                };
                result.kept.push(Kept { id: id.to_string(), label, fields, last_change });
            }
            if undo.values.is_empty() {
                if !has_conflicts {
                    let why = match (undo.following.is_empty(), undo.is_partly_undone) {
                        (false, _) => text::FOLLOWS,
                        (true, true) => text::NOTHING_TO_REVERT,
                        (true, false) => text::NOT_RECORDED,
                    };
                    result.refused.push(refuse(&entry, why));
                }
                continue;
            }
            let fields = undo.values.iter().map(|(field, _)| field.clone()).collect();
            let (tx, values) = (batch.as_mut().map(Batch::tx), form_values(undo.values)?);
            match plan(tx, scope, &record, app.form_settings, revert.today, &values).await? {
                Plan::Change(columns, secrets) => {
                    planned.push((columns, record, secrets));
                    if is_preview {
                        result.fields = fields;
                    }
                }
                Plan::Keep => {}
                Plan::Refuse(message) => result.refused.push(refusal(record.record(), undo_error(&message))),
            }
        }
        result.reverted += planned.len() as u64;
        if let Some(batch) = &mut batch {
            write(batch, planned).await.map_err(|error| match error {
                // A rule that only the database can check, such as that a linked record exists.
                ApiError::Invalid(problem) => ApiError::Conflict(undo_error(&problem.message)),
                error => error,
            })?;
        }
    }
    result.kept_count = result.kept.len() as u64;
    let is_refused = revert.on_conflict == OnConflict::Refuse && !result.kept.is_empty();
    if let Some(batch) = batch.filter(|_| !is_refused) {
        batch.commit().await?;
    }
    Ok(result)
}

/// Returns values as forms have them: an empty text for none.
pub(super) fn form_values(values: Vec<(String, Option<ChangedValue>)>) -> ApiResult<Map<String, Value>> {
    let json = |value: Option<ChangedValue>| match value {
        None => Ok(Value::String(String::new())),
        Some(value) => serde_json::to_value(value).map_err(ApiError::internal),
    };
    values.into_iter().map(|(name, value)| Ok((name, json(value)?))).collect()
}

/// Begins the transaction of an undoing. Until it ends, no other request changes records of this list.
async fn begin<'s, E: Entity>(scope: &'s Scope, app: &App, is_batch: bool) -> ApiResult<Batch<'s>> {
    let batch = Batch::begin(scope, app.clock.now(), HistoryAction::Reverted).await?;
    let mut batch = if is_batch { batch } else { batch.for_one_record() };
    writes::lock(batch.tx(), scope, E::LISTING, false).await?;
    Ok(batch)
}

fn refuse(entry: &StoredEntry, message: &Message) -> Refused {
    Refused {
        id: entry.record.map(|id| id.to_string()).unwrap_or_default(),
        label: entry.label.clone(),
        message: message.to_string(),
        messages: vec![message.clone()],
    }
}
