//! Writes of records, each with its entry in the history, in one transaction.

use super::columns::{self, Columns, push_id_list, push_new, push_update_of_one};
use super::identity::{self, id, invalid, label, version};
use super::restore::{self, Removal};
use super::trash::{self, MovedByMerge, TrashSelection};
use super::{Entity, as_seen, shown};
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::{self, Entry};
use crate::features::listing::{self, writes};
use crate::platform::db::{Result, Row, Sql, Tx};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::agreements::AgreementState;
use forecourt_core::history::{Change, HistoryAction, changes};
use forecourt_core::permissions::{Access, Action, may};
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use uuid::Uuid;

/// Creates a record and its history entry. `push_insert` appends the INSERT of the record, which returns a row; `id`
/// and `label` are those of the record. The history entry contains no values: the first values of a record follow from
/// its present ones, or from the entry of its deletion, by going back through its later changes
/// (docs/decisions/0028-history.md). On PostgreSQL both INSERTs are one statement.
pub async fn create<E: Entity, T: Row + Send + Unpin + 'static>(
    scope: &Scope,
    now: i64,
    id: Uuid,
    label: &str,
    push_insert: impl for<'e> FnOnce(Sql<'e>) -> Sql<'e> + Send + 'static,
) -> Result<T> {
    let entry = Entry::new(HistoryAction::Created, E::Resource::RESOURCE, id, label, &[])?.of_request(scope);
    let owned = scope.clone();
    scope
        .db()
        .write(move |tx| {
            Box::pin(async move {
                match tx {
                    Tx::Sqlite(..) => {
                        history::insert(tx, &owned, now, vec![entry]).await?;
                        push_insert(tx.sql("")).one().await
                    }
                    Tx::Postgres(..) => {
                        let sql = history::push_insert(tx.sql("WITH entry AS ("), &owned, now, vec![entry]);
                        push_insert(sql.push("), created AS (")).push(") SELECT * FROM created").one().await
                    }
                }
            })
        })
        .await
        .map_err(history::request_error)
}

/// As [`create`], for a record whose label is known only after it was stored.
pub async fn create_unlabeled<E: Entity>(
    scope: &Scope,
    now: i64,
    push_insert: impl for<'e> FnOnce(Sql<'e>) -> Sql<'e> + Send + 'static,
) -> Result<E> {
    let owned = scope.clone();
    scope
        .db()
        .write(move |tx| {
            Box::pin(async move {
                let record = E::from_row(push_insert(tx.sql("")).one().await?)?;
                let (action, resource) = (HistoryAction::Created, E::Resource::RESOURCE);
                let entry = Entry::new(action, resource, id(&record)?, label(&record), &[])?.of_request(&owned);
                history::insert(tx, &owned, now, vec![entry]).await?;
                Ok(record)
            })
        })
        .await
        .map_err(history::request_error)
}

/// Creates a record from its columns. Returns the record as the user sees it.
pub async fn create_from_columns<E: Entity>(scope: &Scope, columns: Columns, now: i64) -> Result<E> {
    let (id, owned) = (Uuid::now_v7(), scope.clone());
    match columns.text(E::LABEL).map(str::to_owned) {
        Some(label) => {
            let created =
                create::<E, E::Row>(scope, now, id, &label, move |sql| push_new::<E>(sql, &owned, id, now, columns));
            shown(scope, created.await?)
        }
        // Only the stored record has a label, such as its number.
        None => {
            let created = create_unlabeled::<E>(scope, now, move |sql| push_new::<E>(sql, &owned, id, now, columns));
            Ok(as_seen(scope, created.await?))
        }
    }
}

/// Updates these columns of a record that was read before. If it has these values already, it keeps its version, and the
/// history gets no entry. `secrets` are the names of the secrets that the update changes. Returns `false`, and writes
/// nothing, if the record has changed since it was read.
pub async fn update_columns<E: Entity>(
    scope: &Scope,
    before: E,
    now: i64,
    columns: Columns,
    secrets: &'static [&'static str],
) -> Result<bool> {
    let (id, version, owned) = (id(&before)?, version(&before), scope.clone());
    scope
        .db()
        .write(move |tx| {
            Box::pin(async move {
                let sql = push_update_of_one::<E>(tx.sql(""), &owned, now, (id, version), columns);
                let Some(row) = sql.maybe::<E::Row>().await? else {
                    let present = listing::rows_in(Some(tx), &owned, E::COLUMNS, E::LISTING, vec![id]);
                    let present = present.maybe::<E::Row>().await?.map(E::from_row).transpose()?;
                    return Ok(present.is_some_and(|present| identity::version(&present) == version));
                };
                let after = E::from_row(row)?;
                let entry = entry(HistoryAction::Updated, Some(&before), Some(&after), secrets)?;
                history::insert(tx, &owned, now, vec![entry]).await.map(|()| true)
            })
        })
        .await
}

/// Moves a record to the trash. Returns whether it existed.
///
/// # Errors
/// 409 if it can't be deleted.
pub async fn delete<E: Entity>(scope: &Scope, now: i64, id: Uuid) -> Result<bool> {
    let owned = scope.clone();
    scope
        .db()
        .write(move |tx| {
            Box::pin(async move {
                writes::lock(tx, &owned, E::LISTING, true).await?;
                // Read before the deletion, which removes the links from a customer's agreements.
                let agreements = agreement_states::<E>(Some(&mut *tx), &owned, &[id]).await?.remove(&id);
                let Some(record) = trash::discard::<E>(tx, &owned, now, &[id], None, HashMap::new()).await?.pop()
                else {
                    return Ok(false);
                };
                if let Some(message) = record.deletion_error(&agreements.unwrap_or_default()) {
                    return Err(ApiError::Conflict(message.clone()).into());
                }
                let entry = entry(HistoryAction::Deleted, Some(&record), None, &[])?;
                history::insert(tx, &owned, now, vec![entry]).await.map(|()| true)
            })
        })
        .await
}

/// Returns, by record id, the states of its agreements.
pub(super) async fn agreement_states<E: Entity>(
    tx: Option<&mut Tx>,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Vec<AgreementState>>> {
    let mut states: HashMap<Uuid, Vec<AgreementState>> = HashMap::new();
    let Some((table, column)) = E::IN_AGREEMENTS else { return Ok(states) };
    let sql = scope.sql_in(tx, "SELECT DISTINCT ").push(column).push(", state FROM ").push(table);
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp());
    let sql = push_id_list(sql.push(" AND ").push(column).push(" IN ("), ids).push(")");
    for (record, state) in sql.all::<(Uuid, String)>().await? {
        let state = AgreementState::parse(&state).ok_or_else(|| invalid("an unknown state of an agreement"))?;
        states.entry(record).or_default().push(state);
    }
    Ok(states)
}

/// The change, for the record's history, of something that belongs to the record; `None` if nothing was changed.
type PartChange<'t> = BoxFuture<'t, Result<Option<Change>>>;

/// Calls `write`, which changes something that belongs to a record, such as a comment, and adds this change to the
/// record's history. The record keeps its version. Returns whether something was changed.
pub async fn update_part<E: Entity>(
    scope: &Scope,
    now: i64,
    record: Uuid,
    write: impl for<'t> FnOnce(&'t mut Tx) -> PartChange<'t> + Send + 'static,
) -> Result<bool> {
    let owned = scope.clone();
    scope
        .db()
        .write(move |tx| {
            Box::pin(async move {
                let Some(change) = write(tx).await? else { return Ok(false) };
                let row = listing::rows_in(Some(tx), &owned, E::COLUMNS, E::LISTING, vec![record]).one().await?;
                let (action, resource) = (HistoryAction::Updated, E::Resource::RESOURCE);
                let label = label(&E::from_row(row)?).to_owned();
                let entry = Entry::new(action, resource, record, &label, &[change])?.of_request(&owned);
                history::insert(tx, &owned, now, vec![entry]).await.map(|()| true)
            })
        })
        .await
        .map_err(history::request_error)
}

/// A transaction in which any number of records are changed by the same action. Its history entries refer to one entry
/// that stands for the whole batch, unless it is [for one record](Batch::for_one_record).
pub struct Batch<'s> {
    scope: &'s Scope,
    /// What the user may do, as read inside this transaction; nothing in a resumed batch, whose permissions were
    /// checked when it began.
    access: Access,
    tx: Tx,
    now: i64,
    id: Uuid,
    action: HistoryAction,
    is_for_one_record: bool,
    is_recorded: bool,
}

impl<'s> Batch<'s> {
    pub async fn begin(scope: &'s Scope, now: i64, action: HistoryAction) -> ApiResult<Self> {
        let (tx, rights) = scope.begin().await?;
        Ok(Batch {
            scope,
            access: rights.access,
            tx,
            now,
            id: Uuid::now_v7(),
            action,
            is_for_one_record: false,
            is_recorded: false,
        })
    }

    /// Requires another permission of the user than the one that the scope proves.
    ///
    /// # Errors
    /// 403 without this permission.
    pub fn require<E: Entity>(&self, action: Action) -> ApiResult<()> {
        match may(&self.access, E::Resource::RESOURCE, action) {
            true => Ok(()),
            false => Err(ApiError::PermissionDenied),
        }
    }

    /// Continues, in the transaction `tx`, a batch that began in an earlier transaction. Its history entry exists
    /// already.
    pub fn resume(scope: &'s Scope, tx: Tx, now: i64, id: Uuid, action: HistoryAction) -> Self {
        // The permissions were checked when the batch began.
        let access = Access::default();
        Batch { scope, access, tx, now, id, action, is_for_one_record: false, is_recorded: true }
    }

    /// Returns the same transaction, but for a single record: the record's history entry stands alone, without an entry
    /// for a batch.
    pub fn for_one_record(self) -> Self {
        Batch { is_for_one_record: true, ..self }
    }

    pub fn tx(&mut self) -> &mut Tx {
        &mut self.tx
    }

    /// As [`Entity::refresh`], as a part of the batch.
    pub async fn refresh<E: Entity>(&mut self, ids: &[Uuid]) -> Result<()> {
        let batch = (!self.is_for_one_record).then_some(self.id);
        E::refresh(&mut self.tx, self.scope, self.now, batch, ids).await
    }

    /// Moves records to the trash, and adds their deletions to the history. The transaction must have locked all lists.
    /// Returns how many of the records existed.
    pub async fn delete<E: Entity>(&mut self, ids: &[Uuid]) -> ApiResult<u64> {
        let deleted: Vec<E> = self.discard(ids, HashMap::new()).await?;
        let count = deleted.len() as u64;
        self.record(deleted.into_iter().map(|record| (Some(record), None, &[][..]))).await.map(|()| count)
    }

    /// As [`Batch::delete`], without adding the deletions to the history. `moved` contains what a merge moved from each
    /// record before. Returns the records that existed.
    pub async fn discard<E: Entity>(&mut self, ids: &[Uuid], moved: HashMap<Uuid, MovedByMerge>) -> Result<Vec<E>> {
        trash::discard(&mut self.tx, self.scope, self.now, ids, Some(self.id), moved).await
    }

    /// Undoes the deletions of a merge: restores those of its merged records that are still in the trash. Returns their
    /// number.
    pub async fn restore_merged<E: Entity>(&mut self, merge: Uuid) -> Result<u64> {
        let chosen = TrashSelection::Batch(merge);
        restore::take_from_trash_in::<E>(&mut self.tx, self.scope, self.now, &chosen, Removal::Unmerged, Some(self.id))
            .await
    }

    /// Adds the deletions of records to the history, as part of this batch, whose own action is another, such as a
    /// merge.
    pub async fn record_deletions<E: Entity>(&mut self, records: &[E]) -> Result<()> {
        let entry = |record| entry(HistoryAction::Deleted, Some(record), None, &[]);
        let entries = records.iter().map(entry).collect::<Result<_>>()?;
        self.add(entries).await
    }

    /// Adds entries, such as those of other resources, to the batch.
    pub async fn add(&mut self, entries: Vec<Entry>) -> Result<()> {
        let entries = entries.into_iter().map(|entry| entry.in_batch(Some(self.id))).collect();
        trash::insert_entries(&mut self.tx, self.scope, self.now, entries).await
    }

    /// Sets these columns of the records with these ids. Returns the updated records.
    pub async fn update_all<E: Entity>(&mut self, ids: &[Uuid], columns: Columns) -> Result<Vec<E>> {
        columns::update_all(&mut self.tx, self.scope, ids, self.now, columns).await
    }

    /// Adds changes to the history: each is the record before, the record after, and the names of the secrets that the
    /// change removed. Before the first change, adds the entry of the batch, unless it exists already or the batch is
    /// for one record.
    pub async fn record<E: Entity>(
        &mut self,
        changed: impl IntoIterator<Item = (Option<E>, Option<E>, &'static [&'static str])>,
    ) -> ApiResult<()> {
        let batch = (!self.is_for_one_record).then_some(self.id);
        let mut entries = Vec::new();
        for (before, after, secrets) in changed {
            if !self.is_recorded && !self.is_for_one_record {
                self.is_recorded = true;
                entries.push(Entry::of_batch(self.id, self.action, E::Resource::RESOURCE, "")?);
            }
            entries.push(entry(self.action, before.as_ref(), after.as_ref(), secrets)?.in_batch(batch));
        }
        Ok(history::insert(&mut self.tx, self.scope, self.now, entries).await?)
    }

    /// Returns the transaction, to write more in it.
    pub fn into_tx(self) -> Tx {
        self.tx
    }

    /// Commits the transaction. Returns the id of the batch's history entry, if it has one.
    pub async fn commit(self) -> ApiResult<Option<Uuid>> {
        self.tx.commit().await?;
        Ok(self.is_recorded.then_some(self.id))
    }
}

/// Returns the history entry for a change between two states of a record, of which one may be missing.
fn entry<E: Entity>(action: HistoryAction, before: Option<&E>, after: Option<&E>, secrets: &[&str]) -> Result<Entry> {
    let record = after.or(before).ok_or_else(|| invalid("a change of no record"))?;
    let changes = changes(before, after, secrets);
    Entry::new(action, E::Resource::RESOURCE, id(record)?, label(record), &changes)
}
