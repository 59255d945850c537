//! Undoing an entry of the history (docs/product.md 4.22).

mod import;
mod past;
mod routes;
pub mod steps;
mod unmerge;

use crate::access::scope::{Scope, Signed};
use crate::features::history::{self, StoredEntry};
use crate::features::records::restore::{Removal, take_from_trash};
use crate::features::records::revert::{self, Revert};
use crate::features::records::trash::{self, TrashSelection};
use crate::features::records::{Editable, Entity};
use crate::features::state::App;
use crate::features::with_record;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, IdAndForm, LocalDay};
use crate::platform::responses::Finished;
use axum::Json;
use axum::extract::State;
use forecourt_core::date::Date;
use forecourt_core::history::{
    HistoryAction, HistoryDetail, HistoryEntry, OnConflict, RevertInput, RevertResult, RevertStarted,
    permission_to_undo, resources, text,
};
use forecourt_core::permissions::{Action, ResourceId, may};
use forecourt_core::reply::Reply;
use forecourt_core::trash::text as trash_text;
pub use routes::ROUTES;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use steps::Begun;
use uuid::Uuid;

/// What undoing an entry did: for one record, the record with its old values; otherwise, and in a dry run, what was or
/// would be undone, or that undoing it takes longer.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Reverted {
    Record(AnyRecord),
    Result(RevertResult),
    Started(RevertStarted),
}

/// A record of any kind, as responses show it.
#[derive(Serialize)]
pub struct AnyRecord(Value);

impl JsonSchema for AnyRecord {
    fn schema_name() -> Cow<'static, str> {
        "AnyRecord".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds = resources().filter_map(
            |resource| with_record!(resource, Record => generator.subschema_for::<<Record as Editable>::Shown>()),
        );
        json_schema!({ "anyOf": kinds.collect::<Vec<_>>() })
    }
}

/// An entry that the user may read.
struct ReadableEntry {
    id: Uuid,
    entry: HistoryEntry,
    /// The scope of a user who may read the entry.
    scope: Scope,
}

/// Returns the entry with this id.
///
/// # Errors
/// 403 if the user may read neither records nor the history, even for an id that is not valid; otherwise 404 if there is
/// no such entry, and the errors of [`history::scope_of_reader`].
async fn find_readable(actor: &Signed, id: ApiResult<Id>) -> ApiResult<ReadableEntry> {
    if !resources().chain([ResourceId::History]).any(|resource| may(actor.access(), resource, Action::Read)) {
        return Err(ApiError::PermissionDenied);
    }
    let Id(id) = id?;
    let entry = history::entry(actor.scope(), id).await?.ok_or(ApiError::NotFound)?;
    let scope = history::scope_of_reader(actor, &entry)?;
    Ok(ReadableEntry { id, entry, scope })
}

/// `GET /api/history/{history_id}`: returns an entry and, if the entry stands for an undoing in steps, its progress.
pub async fn read(actor: Signed, id: ApiResult<Id>) -> ApiResult<Json<Reply<HistoryDetail>>> {
    let ReadableEntry { id, entry, scope } = find_readable(&actor, id).await?;
    let progress = steps::progress(&scope, id).await?;
    Ok(Json(Reply::new(HistoryDetail { entry, progress })))
}

/// `POST /api/history/{history_id}/revert`: undoes an entry: the update or deletion of a record, a bulk action, a
/// merge, or an import.
pub async fn revert(
    actor: Signed,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    request: ApiResult<IdAndForm<RevertInput>>,
) -> ApiResult<Finished<Reply<Reverted>>> {
    let may_write =
        |resource| [Action::Update, Action::Delete].iter().any(|action| may(actor.access(), resource, *action));
    if !resources().any(may_write) {
        return Err(ApiError::PermissionDenied);
    }
    let IdAndForm(id, form) = request?;
    let entry = history::find(None, actor.scope(), id).await?.ok_or(ApiError::NotFound)?;
    let action = permission_to_undo(entry.resource, entry.action);
    let action = action.ok_or_else(|| ApiError::Conflict(text::NOT_REVERTIBLE.clone()))?;
    let scope = actor.with_permission(action, entry.resource)?;
    let on_conflict = form.on_conflict().unwrap_or(OnConflict::Refuse);
    let (today, dry_run) = (today.date(), form.dry_run);
    let undoing = Undoing { scope: &scope, app: &app, today, id, action, dry_run, on_conflict };
    if entry.action == HistoryAction::Merged {
        return undoing.undo_merge(entry).await;
    }
    let resource = entry.resource;
    let undone = with_record!(resource, Record => undoing.run::<Record>(entry).await?);
    undone.ok_or_else(|| ApiError::internal(format!("{} has no records to undo", resource.as_str())))
}

/// A request to undo an entry.
struct Undoing<'a> {
    scope: &'a Scope,
    app: &'a App,
    /// The current day of the request.
    today: Date,
    /// The id of the entry to undo.
    id: Uuid,
    /// The permission that undoing this entry requires.
    action: Action,
    dry_run: bool,
    on_conflict: OnConflict,
}

impl Undoing<'_> {
    async fn run<E: Editable>(&self, entry: StoredEntry) -> ApiResult<Finished<Reply<Reverted>>> {
        let record = entry.record;
        let result = match (self.action, record) {
            (Action::Delete, None) if self.dry_run => {
                steps::preview(self.scope, self.id, &entry, self.on_conflict).await?
            }
            (Action::Delete, None) => return self.begin::<E::Entity>(&entry).await,
            (Action::Delete, Some(id)) => self.restore::<E::Entity>(entry.resource, id).await?,
            _ => self.undo_updates::<E>(entry).await?,
        };
        if self.dry_run {
            return Ok(Finished::Now(Reply::new(Reverted::Result(result))));
        }
        let is_refused = self.on_conflict == OnConflict::Refuse && !result.kept.is_empty();
        if let (true, None) = (is_refused, record) {
            return Err(conflict(&result));
        }
        if let (true, Some(id)) = (is_refused, record) {
            return Err(conflict(&E::show(self.scope, id).await?));
        }
        if result.reverted == 0 {
            let refused = result.refused.into_iter().next().and_then(|refused| refused.messages.into_iter().next());
            let nothing = if result.kept.is_empty() { text::NOTHING_TO_REVERT } else { text::ALL_CHANGED_SINCE };
            return Err(ApiError::Conflict(refused.unwrap_or_else(|| nothing.clone())));
        }
        let message = match (self.action, record) {
            (Action::Delete, _) => trash_text::restored(result.reverted),
            (_, None) => text::reverted(result.reverted),
            _ => text::UNDONE.clone(),
        };
        let data = match record {
            Some(id) => self.show::<E>(id).await?,
            None => Reverted::Result(result),
        };
        Ok(Finished::Now(Reply::new(data).with_message(&message)))
    }

    /// Returns a record as it is now.
    async fn show<E: Editable>(&self, id: Uuid) -> ApiResult<Reverted> {
        let record = serde_json::to_value(E::show(self.scope, id).await?).map_err(ApiError::internal)?;
        Ok(Reverted::Record(AnyRecord(record)))
    }

    /// Begins to undo an import or a bulk deletion. Responds with the result if that is done within the request, else
    /// with the id of the undoing that continues.
    async fn begin<E: Entity>(&self, entry: &StoredEntry) -> ApiResult<Finished<Reply<Reverted>>> {
        let Begun { batch, reverted, kept, is_done } =
            steps::begin::<E>(self.scope, self.app, self.id, entry, self.on_conflict).await?;
        if !is_done {
            let started = Reverted::Started(RevertStarted { batch_id: batch.to_string() });
            return Ok(Finished::Later(Reply::new(started).with_message(text::REVERT_STARTED)));
        }
        let message = match entry.action {
            HistoryAction::Imported => text::import_reverted(reverted),
            _ => trash_text::restored(reverted),
        };
        let result = RevertResult { reverted, kept_count: kept, ..RevertResult::default() };
        Ok(Finished::Now(Reply::new(Reverted::Result(result)).with_message(&message)))
    }

    async fn undo_updates<E: Editable>(&self, entry: StoredEntry) -> ApiResult<RevertResult> {
        let is_batch = entry.record.is_none();
        let entries = match is_batch {
            true => history::ids_of_batch(None, self.scope, self.id, entry.resource).await?,
            false => vec![self.id],
        };
        let how = Revert { on_conflict: self.on_conflict, dry_run: self.dry_run, is_batch, today: self.today };
        revert::revert::<E>(self.scope, self.app, entries, how).await
    }

    /// Restores a deleted record.
    ///
    /// # Errors
    /// 409 if it is not in the trash.
    async fn restore<E: Entity>(&self, resource: ResourceId, id: Uuid) -> ApiResult<RevertResult> {
        let chosen = TrashSelection::Ids(vec![id]);
        let found = match self.dry_run {
            true => {
                trash::check_merged(None, self.scope, self.scope.access(), resource, &chosen).await?;
                trash::count(self.scope, resource, &chosen).await?
            }
            false => take_from_trash::<E>(self.scope, self.app.clock.now(), &chosen, Removal::Restored).await?,
        };
        match found {
            0 => Err(ApiError::Conflict(text::NOT_IN_TRASH.clone())),
            reverted => Ok(RevertResult { reverted, ..RevertResult::default() }),
        }
    }
}

fn conflict(present: &impl Serialize) -> ApiError {
    serde_json::to_value(present)
        .map_or_else(ApiError::internal, |present| ApiError::ConflictWithRecord(text::CHANGED_SINCE, present))
}
