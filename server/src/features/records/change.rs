//! Transactions that change records, and record it in the history. Statements that write records require one.

use super::{Entity, Saved};
use crate::access::scope::{ResourceType, Scope};
use crate::features::history::{self, Entry};
use crate::platform::db::{Result, Row, Sql, Tx};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::history::{HistoryAction, changes};
use forecourt_core::lists::{Cell, Record};
use uuid::Uuid;

/// A transaction that changes a record.
pub struct Change<'s> {
    scope: &'s Scope,
    tx: Tx,
    now: i64,
}

impl<'s> Change<'s> {
    pub async fn begin(scope: &'s Scope, now: i64) -> ApiResult<Self> {
        let (tx, _) = scope.begin().await?;
        Ok(Change { scope, tx, now })
    }

    pub fn tx(&mut self) -> &mut Tx {
        &mut self.tx
    }

    pub fn now(&self) -> i64 {
        self.now
    }

    /// Inserts a record with this id and label, and commits. `push_insert` appends the INSERT, which returns a row. The entry has no
    /// values: those of the record are its first ones. On PostgreSQL the entry is written by the same statement.
    pub async fn create<E: Entity, T: Row>(
        mut self,
        id: Uuid,
        label: &str,
        push_insert: impl for<'e> FnOnce(Sql<'e>) -> Sql<'e>,
    ) -> Result<T> {
        let entry = Entry {
            id: Uuid::now_v7(),
            action: HistoryAction::Created,
            resource: E::Resource::RESOURCE,
            record: Some(id),
            batch: None,
            label: label.to_owned(),
            changes: Vec::new(),
        };
        let (scope, now) = (self.scope, self.now);
        let created = match &mut self.tx {
            tx @ Tx::Sqlite(..) => {
                history::insert(tx, scope, now, vec![entry]).await?;
                push_insert(tx.sql("")).one().await?
            }
            tx @ Tx::Postgres(..) => {
                let sql = history::push_insert(tx.sql("WITH entry AS ("), scope, now, vec![entry]);
                push_insert(sql.push("), created AS (")).push(") SELECT * FROM created").one().await?
            }
        };
        self.tx.commit().await?;
        Ok(created)
    }

    /// Commits the update of a record. `secrets` are the secrets that it changed.
    async fn updated<E: Entity>(self, before: &E, after: &E, secrets: &[&str]) -> ApiResult<()> {
        self.commit(entry(HistoryAction::Updated, Some(before), Some(after), secrets)?).await
    }

    /// Commits an update of a record that was read before, if it updated what was read.
    pub async fn save<E: Entity>(self, before: &E, after: Option<E>, secrets: &[&str]) -> ApiResult<Saved> {
        let Some(after) = after else { return Ok(Saved::Outdated) };
        // Every update increases the version by one.
        match version(&after) == version(before) + 1 {
            true => self.updated(before, &after, secrets).await.map(|()| Saved::Updated),
            false => Ok(Saved::Changed),
        }
    }

    /// Commits the deletion of a record.
    pub async fn deleted<E: Entity>(self, record: &E) -> ApiResult<()> {
        self.commit(entry(HistoryAction::Deleted, Some(record), None, &[])?).await
    }

    async fn commit(mut self, entry: Entry) -> ApiResult<()> {
        history::insert(&mut self.tx, self.scope, self.now, vec![entry]).await?;
        Ok(self.tx.commit().await?)
    }
}

/// A transaction that changes many records in the same way.
pub struct Batch<'s> {
    change: Change<'s>,
    id: Uuid,
    action: HistoryAction,
    is_recorded: bool,
}

impl<'s> Batch<'s> {
    pub async fn begin(scope: &'s Scope, now: i64, action: HistoryAction) -> ApiResult<Self> {
        Ok(Batch { change: Change::begin(scope, now).await?, id: Uuid::now_v7(), action, is_recorded: false })
    }

    pub fn tx(&mut self) -> &mut Tx {
        &mut self.change.tx
    }

    /// Records changes, each as the record before and after it; the first call also records the batch.
    pub async fn record<E: Entity>(
        &mut self,
        changed: impl IntoIterator<Item = (Option<E>, Option<E>)>,
    ) -> ApiResult<()> {
        let mut entries = Vec::new();
        for (before, after) in changed {
            let entry = entry(self.action, before.as_ref(), after.as_ref(), &[])?;
            if !self.is_recorded {
                self.is_recorded = true;
                let (record, label, changes) = (None, String::new(), Vec::new());
                entries.push(Entry { id: self.id, record, batch: None, label, changes, ..entry });
            }
            entries.push(Entry { batch: Some(self.id), ..entry });
        }
        let Change { scope, tx, now } = &mut self.change;
        Ok(history::insert(tx, scope, *now, entries).await?)
    }

    pub async fn commit(self) -> ApiResult<()> {
        Ok(self.change.tx.commit().await?)
    }
}

/// Returns the entry for a change between two states of a record, of which one may be missing.
fn entry<E: Entity>(
    action: HistoryAction,
    before: Option<&E>,
    after: Option<&E>,
    secrets: &[&str],
) -> ApiResult<Entry> {
    let record = after.or(before).ok_or_else(|| ApiError::internal("a change of no record"))?;
    Ok(Entry {
        id: Uuid::now_v7(),
        action,
        resource: E::Resource::RESOURCE,
        record: Some(id(record)?),
        batch: None,
        label: label(record).to_owned(),
        changes: changes(before, after, secrets),
    })
}

/// Returns the text by which users know a record.
pub fn label<E: Entity>(record: &E) -> &str {
    match record.cell(E::LABEL) {
        Cell::Text(text) => text,
        _ => "",
    }
}

/// Returns the id of a record, which is its first field.
pub fn id<E: Record>(record: &E) -> ApiResult<Uuid> {
    match record.cell(E::FIELDS[0].name) {
        Cell::Id(id) => Uuid::try_parse(id).map_err(ApiError::internal),
        _ => Err(ApiError::internal("a record without an id")),
    }
}

fn version(record: &impl Record) -> i64 {
    match record.cell("version") {
        Cell::Number(version) => version,
        _ => 0,
    }
}
