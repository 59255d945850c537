//! Undoes updates of records (docs/product.md 4.22).

use super::bulk::refusal;
use super::change::Batch;
use super::columns::Columns;
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
    Change, ChangedValue, HistoryAction, HistoryEntry, Kept, LastChange, OnConflict, RevertResult, text, undo,
    undo_error,
};
use forecourt_core::message::Message;
use forecourt_core::permissions::ResourceId;
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
    let batch = if revert.dry_run { None } else { Some(begin::<E::Entity>(scope, app, revert.is_batch).await?) };
    let mut reverting = Reverting { scope, app, revert, batch, result: RevertResult::default() };
    for entries in entries.chunks(BATCH) {
        reverting.undo::<E>(entries).await?;
    }
    let Reverting { batch, mut result, .. } = reverting;
    result.kept_count = result.kept.len() as u64;
    let is_refused = revert.on_conflict == OnConflict::Refuse && !result.kept.is_empty();
    if let Some(batch) = batch.filter(|_| !is_refused) {
        batch.commit().await?;
    }
    Ok(result)
}

/// An undoing that is under way.
struct Reverting<'s> {
    scope: &'s Scope,
    app: &'s App,
    revert: Revert,
    /// `None` in a preview.
    batch: Option<Batch<'s>>,
    result: RevertResult,
}

impl Reverting<'_> {
    /// Undoes the updates in the history entries with these ids.
    async fn undo<E: Editable>(&mut self, entries: &[Uuid]) -> ApiResult<()> {
        let listing = <E::Entity as Entity>::LISTING;
        let entries = history::find_all(self.batch.as_mut().map(Batch::tx), self.scope, entries).await?;
        let ids = entries.iter().filter_map(|entry| entry.record).collect();
        let rows = listing::rows_in(self.batch.as_mut().map(Batch::tx), self.scope, E::COLUMNS, listing, ids);
        let rows: Vec<E::Row> = rows.all().await?;
        let mut records: HashMap<Uuid, E> = HashMap::new();
        for row in rows {
            let record = E::from_row(row)?;
            records.insert(identity::id(record.record())?, record);
        }
        let mut planned = Vec::new();
        for entry in entries {
            match entry.record.and_then(|id| records.remove(&id)) {
                Some(record) => planned.extend(self.plan(&entry, record).await?),
                None => self.result.refused.push(refuse(&entry, text::RECORD_DELETED)),
            }
        }
        self.result.reverted += planned.len() as u64;
        if let Some(batch) = &mut self.batch {
            write(batch, planned).await.map_err(|error| match error {
                // A rule that only the database can check, such as that a linked record exists.
                ApiError::Invalid(problem) => ApiError::Conflict(undo_error(&problem.message)),
                error => error,
            })?;
        }
        Ok(())
    }

    /// Returns the update that undoes the one in this entry, for [`write`]; `None` if there is nothing to write. Adds to
    /// the result what stays as it is, and why.
    async fn plan<E: Editable>(
        &mut self,
        entry: &StoredEntry,
        record: E,
    ) -> ApiResult<Option<(Columns, E, &'static [&'static str])>> {
        let undo = undo(record.record(), &entry.changes, self.revert.on_conflict);
        let is_preview = self.revert.dry_run && !self.revert.is_batch;
        if is_preview {
            self.result.unrecorded.clone_from(&undo.unrecorded);
            self.result.following.clone_from(&undo.following);
        }
        let has_conflicts = !undo.conflicts.is_empty();
        if has_conflicts {
            let (id, label) = (identity::id(record.record())?, identity::label(record.record()).to_owned());
            let fields = undo.conflicts;
            let last_change = match is_preview {
                true => last_change(self.scope, entry.resource, id, &fields).await?,
                false => None,
            };
            self.result.kept.push(Kept { id: id.to_string(), label, fields, last_change });
        }
        if undo.values.is_empty() {
            if !has_conflicts {
                let why = match (undo.following.is_empty(), undo.is_partly_undone) {
                    (false, _) => text::FOLLOWS,
                    (true, true) => text::NOTHING_TO_REVERT,
                    (true, false) => text::NOT_RECORDED,
                };
                self.result.refused.push(refuse(entry, why));
            }
            return Ok(None);
        }
        let fields = undo.values.iter().map(|(field, _)| field.clone()).collect();
        let (tx, values) = (self.batch.as_mut().map(Batch::tx), form_values(undo.values)?);
        match plan(tx, self.scope, &record, self.app.form_settings, self.revert.today, &values).await? {
            Plan::Change(columns, secrets) => {
                if is_preview {
                    self.result.fields = fields;
                }
                return Ok(Some((columns, record, secrets)));
            }
            Plan::Keep => {}
            Plan::Refuse(message) => self.result.refused.push(refusal(record.record(), undo_error(&message))),
        }
        Ok(None)
    }
}

/// Returns who made the newest change of one of these fields of a record, and when.
async fn last_change(
    scope: &Scope,
    resource: ResourceId,
    record: Uuid,
    fields: &[String],
) -> ApiResult<Option<LastChange>> {
    let is_of_field = |change: &Change| fields.contains(&change.field);
    let keeps = |entry: &HistoryEntry| HistoryAction::parse(&entry.action).is_some_and(HistoryAction::keeps_values);
    let is_meant = |entry: &HistoryEntry| !keeps(entry) && entry.changes.iter().any(is_of_field);
    history::last_change(scope, resource, record, is_meant).await
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
