//! Merges records (docs/product.md 4.23): one is kept, and gets what belongs to the others. The others go to the trash,
//! which remembers what was moved from them.

use super::change::Batch;
use super::columns::{Columns, push_id_list};
use super::details::read_details;
use super::duplicates::Mergeable;
use super::identity;
use super::set_fields::{form_value, is_form_value, to_map};
use super::trash::MovedByMerge;
use super::{Entity, ResourceOf};
use crate::access::scope::{May, Scope, Update};
use crate::features::listing::{self, writes};
use crate::features::state::App;
use crate::platform::db::{Result, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use axum::Json;
use axum::extract::State;
use forecourt_core::bulk::text as bulk_text;
use forecourt_core::duplicates::{self, Details, MergeInput, Merged, added_details, text};
use forecourt_core::history::{ChangedValue, HistoryAction};
use forecourt_core::lists::{Fields, Record};
use forecourt_core::permissions::Action;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// The name of the form's field with the other details.
pub(super) const DETAILS: &str = "otherDetails";

/// `POST /api/{resource}/merge`: requires the permissions to update and to delete. A dry run reports what the same
/// request would do: it does everything, and then rolls back.
pub async fn merge<E: Mergeable>(
    may: May<Update, ResourceOf<E>>,
    State(app): State<App>,
    Valid(input): Valid<MergeInput>,
) -> ApiResult<Json<Merged<E::Entity>>> {
    let scope = may.with_permission(Action::Delete).ok_or(ApiError::PermissionDenied)?;
    let errors = input.check_fields(Fields::visible(E::Entity::FIELDS, scope.access()));
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let read = |id: &String| Uuid::try_parse(id).map_err(|_| ApiError::NotFound);
    let keep = read(&input.keep)?;
    let others: Vec<Uuid> = input.ids.iter().map(read).collect::<ApiResult<BTreeSet<_>>>()?.into_iter().collect();
    if others.contains(&keep) {
        return Err(ApiError::for_field("ids", text::KEEP_AMONG_IDS));
    }
    let versions = input.versions.iter().map(|(id, version)| Ok((read(id)?, *version))).collect::<ApiResult<_>>()?;
    let count = others.len() as u64 + 1;
    let mut merging = Merging::<E>::begin(&scope, app.clock.now(), keep, others, &versions).await?;
    let added = merging.added_details().await?;
    let fields = read_fields(&input.fields, &merging.kept_details, &added)?;
    let moved = merging.move_rows(added).await?;
    let columns = merging.columns(&app, fields)?;
    let (data, batch) = merging.finish(columns, moved.1).await?;
    let (batch_id, message) = match input.dry_run {
        true => (None, text::would_merge(count)),
        false => (batch.commit().await?, text::MERGED.clone()),
    };
    Ok(Json(Merged {
        success: true,
        message: message.to_string(),
        messages: vec![message],
        data,
        moved: moved.0,
        batch_id: batch_id.map(|id| id.to_string()),
    }))
}

/// Locks records, so that nobody writes what belongs to them, such as a comment, before the transaction ends. On
/// SQLite, a transaction is the only writer.
async fn lock_rows<E: Entity>(tx: &mut Tx, scope: &Scope, ids: &[Uuid]) -> Result<()> {
    if let Tx::Sqlite(..) = tx {
        return Ok(());
    }
    let sql = tx.sql("SELECT FROM ").push(E::TABLE.name).push_arg(" WHERE corp_id = ", scope.corp());
    let sql = push_id_list(sql.push(" AND ").push(E::ID).push(" IN ("), ids);
    sql.push(") FOR UPDATE").exec().await.map(|_| ())
}

/// Returns the values that the merge sets in the kept record: those of the request, with an empty text for no value,
/// and the other details if any are added.
fn read_fields(
    input: &BTreeMap<String, Option<ChangedValue>>,
    kept: &Details,
    added: &[Details],
) -> ApiResult<Map<String, Value>> {
    let values = input.iter().map(|(name, value)| Ok((name.clone(), form_value(value.as_ref())?)));
    let mut fields: Map<String, Value> = values.collect::<ApiResult<_>>()?;
    if added.iter().any(|added| !added.is_empty()) {
        let all: BTreeMap<&String, &String> = added.iter().chain([kept]).flatten().collect();
        fields.insert(DETAILS.to_owned(), serde_json::to_value(all).map_err(ApiError::internal)?);
    }
    Ok(fields)
}

/// A merge in progress: its transaction, and the records as they were read in it.
struct Merging<'s, E> {
    scope: &'s Scope,
    batch: Batch<'s>,
    keep: Uuid,
    kept: E,
    kept_details: Details,
    others: Vec<Uuid>,
}

impl<'s, E: Mergeable> Merging<'s, E> {
    /// Begins the transaction. Until it ends, no other request changes these records.
    ///
    /// # Errors
    /// 404 if a record does not exist, 409 if one has another version than in `versions`.
    async fn begin(
        scope: &'s Scope,
        now: i64,
        keep: Uuid,
        others: Vec<Uuid>,
        versions: &BTreeMap<Uuid, i64>,
    ) -> ApiResult<Self> {
        let mut batch = Batch::begin(scope, now, HistoryAction::Merged).await?;
        batch.require::<E::Entity>(Action::Update)?;
        writes::lock(batch.tx(), scope, E::Entity::LISTING, true).await?;
        let ids: Vec<Uuid> = std::iter::once(keep).chain(others.iter().copied()).collect();
        lock_rows::<E::Entity>(batch.tx(), scope, &ids).await?;
        let rows = listing::rows_in(Some(batch.tx()), scope, E::COLUMNS, E::Entity::LISTING, ids);
        let rows: Vec<E::Row> = rows.all().await?;
        let records = rows.into_iter().map(E::from_row).collect::<Result<Vec<E>>>()?;
        if records.len() != others.len() + 1 {
            return Err(ApiError::NotFound);
        }
        for record in &records {
            let (id, version) = (identity::id(record.record())?, identity::version(record.record()));
            if versions.get(&id).is_some_and(|expected| *expected != version) {
                return Err(ApiError::Conflict(text::CHANGED_SINCE.clone()));
            }
        }
        let kept = records.into_iter().next().ok_or(ApiError::NotFound)?;
        Ok(Merging { scope, batch, keep, kept, kept_details: Details::new(), others })
    }

    /// Reads the other details of all records. Returns those that the kept record gets, separately for each of the
    /// others.
    async fn added_details(&mut self) -> Result<Vec<Details>> {
        let ids: Vec<Uuid> = std::iter::once(self.keep).chain(self.others.iter().copied()).collect();
        let mut details = read_details::<E::Entity>(Some(self.batch.tx()), self.scope, &ids).await?;
        self.kept_details = details.remove(&self.keep).unwrap_or_default();
        let others: Vec<Details> = self.others.iter().map(|id| details.remove(id).unwrap_or_default()).collect();
        Ok(added_details(&self.kept_details, &others))
    }

    /// Returns the columns to update in the kept record, after checking the values by the rules of its form.
    fn columns(&self, app: &App, fields: Map<String, Value>) -> ApiResult<Columns> {
        let mut values = to_map(self.kept.record())?;
        let before =
            self.kept.columns(&serde_json::from_value(Value::Object(values.clone())).map_err(ApiError::internal)?)?;
        for (name, value) in fields {
            if !is_form_value::<E>(&name, &value) {
                return Err(ApiError::for_field(&name, bulk_text::VALUE_INVALID));
            }
            values.insert(name, value);
        }
        let form = serde_json::from_value(Value::Object(values)).map_err(ApiError::internal)?;
        let form = self.kept.check(app.form_settings, form)?;
        if !self.kept.removed_secrets(&form).is_empty() {
            return Err(ApiError::for_field("type", text::NUMBER_LOST));
        }
        Ok(self.kept.columns(&form)?.without_unchanged(&before))
    }

    /// Moves what belongs to the other records, such as comments and links, to the kept one. Returns the counts for the
    /// response, and what was moved from each of the other records.
    async fn move_rows(
        &mut self,
        details: Vec<Details>,
    ) -> ApiResult<(duplicates::Moved, HashMap<Uuid, MovedByMerge>)> {
        let names: BTreeSet<&String> = details.iter().flat_map(BTreeMap::keys).collect();
        let mut count = duplicates::Moved { details: names.len() as u64, ..duplicates::Moved::default() };
        let mut moved = HashMap::new();
        let mut entries = Vec::new();
        for (other, details) in self.others.iter().zip(details) {
            let mut rows: BTreeMap<String, Vec<Uuid>> = BTreeMap::new();
            for child in E::Entity::CHILDREN {
                let sql = self.batch.tx().sql("UPDATE ").push(child.table.name).push(" SET ").push(child.record);
                let sql = sql.push_arg(" = ", self.keep).push_arg(" WHERE corp_id = ", self.scope.corp());
                let sql =
                    sql.push(" AND ").push(child.record).push_arg(" = ", *other).push(" RETURNING ").push(child.id);
                let ids: Vec<Uuid> = sql.values().await?;
                count.comments += ids.len() as u64;
                rows.insert(child.table.name.to_owned(), ids);
            }
            for link in E::Entity::LINKS {
                let sql = self.batch.tx().sql("UPDATE ").push(link.table).push(" SET ").push(link.record);
                let sql = sql.push_arg(" = ", self.keep).push_arg(" WHERE corp_id = ", self.scope.corp());
                let sql = sql.push(" AND ").push(link.record).push_arg(" = ", *other);
                let sql = sql.push(" RETURNING ").push(link.id).push(", ").push(link.label);
                let linked: Vec<(Uuid, String)> = sql.all().await?;
                count.links += linked.len() as u64;
                for (row, label) in &linked {
                    entries.push(link.entry(*row, label, Some(*other), Some(self.keep))?);
                }
                rows.insert(link.table.to_owned(), linked.into_iter().map(|(id, _)| id).collect());
            }
            moved.insert(*other, MovedByMerge { to: self.keep, rows, details });
        }
        for child in E::Entity::CHILDREN {
            let sql = self.batch.tx().sql("SELECT count(*) FROM ").push(child.table.name);
            let sql = sql.push_arg(" WHERE corp_id = ", self.scope.corp()).push(" AND ").push(child.record);
            if sql.push_arg(" = ", self.keep).value::<i64>().await? > i64::from(child.max) {
                return Err(ApiError::for_field("ids", &text::too_much_moved(child.max.into())));
            }
        }
        self.batch.add(entries).await?;
        self.batch.refresh::<E::Entity>(&[self.keep]).await?;
        let rows = listing::rows_in(Some(self.batch.tx()), self.scope, E::COLUMNS, E::Entity::LISTING, vec![self.keep]);
        self.kept = E::from_row(rows.one().await?)?;
        Ok((count, moved))
    }

    /// Updates the kept record, and moves the others to the trash. Returns the kept record and the batch, which is not
    /// committed yet.
    async fn finish(
        mut self,
        columns: Columns,
        moved: HashMap<Uuid, MovedByMerge>,
    ) -> ApiResult<(E::Entity, Batch<'s>)> {
        let updated =
            self.batch.update_all::<E::Entity>(&[self.keep], columns).await.map_err(E::Entity::write_error)?;
        let after = updated.into_iter().next().ok_or(ApiError::NotFound)?;
        self.batch.record([(Some(self.kept.into_record()), Some(after.clone()), &[][..])]).await?;
        let discarded: Vec<E::Entity> = self.batch.discard(&self.others, moved).await?;
        self.batch.record_deletions(&discarded).await?;
        Ok((after, self.batch))
    }
}
