//! Undoes a merge (docs/product.md 4.23): the merged records come back from the trash with what was moved from them,
//! and the kept record gets its old values.

use super::Entity;
use super::change::Batch;
use super::columns::Columns;
use super::details::read_details;
use super::duplicates::Mergeable;
use super::identity;
use super::merge::DETAILS;
use super::revert::form_values;
use super::set_fields::{Plan, plan};
use super::trash;
use crate::access::scope::{ResourceType, Scope};
use crate::features::history;
use crate::features::listing::{self, writes};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::date::Date;
use forecourt_core::duplicates::take_back_details;
use forecourt_core::history::{HistoryAction, Kept, OnConflict, RevertResult, text, undo, undo_error};
use forecourt_core::permissions::Action;
use uuid::Uuid;

/// Undoes the merge whose batch has the history entry `merge`. With [`OnConflict::Refuse`], nothing is written if a
/// field of the kept record was changed again since.
///
/// # Errors
/// 404 if there is no such merge. 409 if the kept record was deleted, if none of the merged records is in the trash
/// (unless nothing is written because of another change), or if the old values break the form's rules.
pub async fn unmerge<E: Mergeable>(
    scope: &Scope,
    app: &App,
    today: Date,
    merge: Uuid,
    on_conflict: OnConflict,
    dry_run: bool,
) -> ApiResult<RevertResult> {
    let mut batch = Batch::begin(scope, app.clock.now(), HistoryAction::Unmerged).await?;
    batch.require::<E::Entity>(Action::Update)?;
    writes::lock(batch.tx(), scope, E::Entity::LISTING, true).await?;
    let resource = <E::Entity as Entity>::Resource::RESOURCE;
    let entries = history::ids_of_batch(Some(batch.tx()), scope, merge, resource).await?;
    let entries = history::find_all(Some(batch.tx()), scope, &entries).await?;
    let entry = entries.into_iter().find(|entry| entry.action == HistoryAction::Merged);
    let (entry, id) = entry.and_then(|entry| entry.record.map(|id| (entry, id))).ok_or(ApiError::NotFound)?;
    let is_deleted = || ApiError::Conflict(text::RECORD_DELETED.clone());
    read::<E>(&mut batch, scope, id).await?.ok_or_else(is_deleted)?;
    let given = trash::moved_details(batch.tx(), scope, merge).await?;
    let mut result =
        RevertResult { reverted: batch.restore_merged::<E::Entity>(merge).await?, ..RevertResult::default() };
    // After that, because some of its values follow from what was moved back.
    let kept = read::<E>(&mut batch, scope, id).await?.ok_or_else(is_deleted)?;
    let undo = undo(kept.record(), &entry.changes, on_conflict);
    result.fields = undo.values.iter().map(|(field, _)| field.clone()).collect();
    if !undo.conflicts.is_empty() {
        let label = identity::label(kept.record()).to_owned();
        result.kept_count = 1;
        result.kept.push(Kept { id: id.to_string(), label, fields: undo.conflicts, last_change: None });
        if on_conflict == OnConflict::Refuse && !dry_run {
            return Ok(RevertResult { reverted: 0, ..result });
        }
    }
    if result.reverted == 0 {
        return Err(ApiError::Conflict(text::NOT_IN_TRASH.clone()));
    }
    let mut values = form_values(undo.values)?;
    let mut details = read_details::<E::Entity>(Some(batch.tx()), scope, &[id]).await?.remove(&id).unwrap_or_default();
    if take_back_details(&mut details, &given) {
        values.insert(DETAILS.to_owned(), details.into_iter().collect());
    }
    let (columns, secrets) = match plan(Some(batch.tx()), scope, &kept, app.form_settings, today, &values).await? {
        Plan::Change(columns, secrets) => (columns, secrets),
        Plan::Keep => (Columns::default(), &[][..]),
        Plan::Refuse(message) => return Err(ApiError::Conflict(undo_error(&message))),
    };
    let after = match columns.is_empty() {
        true => kept.record().clone(),
        false => {
            let updated = batch.update_all::<E::Entity>(&[id], columns).await.map_err(E::Entity::write_error)?;
            updated.into_iter().next().ok_or(ApiError::NotFound)?
        }
    };
    batch.record([(Some(kept.into_record()), Some(after), secrets)]).await?;
    if !dry_run {
        batch.commit().await?;
    }
    Ok(result)
}

async fn read<E: Mergeable>(batch: &mut Batch<'_>, scope: &Scope, id: Uuid) -> ApiResult<Option<E>> {
    let rows = listing::rows_in(Some(batch.tx()), scope, E::COLUMNS, E::Entity::LISTING, vec![id]);
    Ok(rows.maybe::<E::Row>().await?.map(E::from_row).transpose()?)
}
