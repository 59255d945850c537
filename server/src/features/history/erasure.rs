//! Erases values in history entries. Each erased value leaves its salted digest, so that the hash chain stays valid
//! (docs/decisions/0031-erasure.md).

use super::chain::{self, DIGEST_BYTES, SALT_BYTES, UNERASED, salted_digest};
use super::values::{self, StoredChange};
use crate::access::scope::Scope;
use crate::features::records::columns::push_id_list;
use crate::platform::db::{Result, Tx, from_json, to_json};
use forecourt_core::lists::Personal;
use forecourt_core::permissions::ResourceId;
use forecourt_core::privacy::{ERASED, label_is_erased, personal_in_history};
use serde_json::Value;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Ids per statement.
const BATCH: usize = 500;

/// In which history entries values are erased, and which values.
pub enum Entries<'a> {
    /// The values of all fields that an erasure erases ([`Personal::Erased`]), in all entries about these records.
    OfRecords(&'a [Uuid]),
    /// Of these values only those that equal one of these texts, which are in lower case, in the entries with these ids.
    WithTexts(&'a [Uuid], &'a BTreeSet<String>),
}

/// The columns of [`Row`].
pub(super) const COLUMNS: &str = "history_id, label, changes, salts, erased";

/// An entry with the columns that an erasure changes.
#[derive(sqlx_macros::FromRow)]
pub(super) struct Row {
    history_id: Uuid,
    label: String,
    changes: String,
    salts: Option<Vec<u8>>,
    erased: Option<Vec<u8>>,
}

/// Erases values in history entries about records of this resource. `label` names the field whose value is the entries'
/// label. Returns the number of entries that were changed.
pub async fn erase(
    tx: &mut Tx,
    scope: &Scope,
    resource: ResourceId,
    label: &'static str,
    entries: Entries<'_>,
) -> Result<u64> {
    let (column, ids, texts) = match entries {
        Entries::OfRecords(ids) => (" AND record_id IN (", ids, None),
        Entries::WithTexts(ids, texts) => (" AND history_id IN (", ids, Some(texts)),
    };
    if ids.is_empty() {
        return Ok(0);
    }
    chain::lock(tx, scope.corp()).await?;
    // The body of a request had the values, too.
    let sql = tx.sql("UPDATE history SET request_digest = NULL WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push(" AND request_digest IS NOT NULL").push_arg(" AND resource_id = ", resource.as_str());
    push_id_list(sql.push(column), ids).push(")").exec().await?;
    let sql = tx.sql("SELECT ").push(COLUMNS).push(" FROM history WHERE corp_id = ");
    let sql = sql.arg(scope.corp()).push_arg(" AND resource_id = ", resource.as_str());
    let rows: Vec<Row> = push_id_list(sql.push(column), ids).push(")").all().await?;
    let mut count = 0;
    for row in rows {
        if let Some(row) = erase_row(row, resource, label, texts)? {
            count += row.save(tx, scope.corp()).await?;
        }
    }
    Ok(count)
}

/// Returns how many entries about these records [`erase`] would change.
pub async fn count(scope: &Scope, resource: ResourceId, label: &'static str, records: &[Uuid]) -> Result<u64> {
    let mut count = 0;
    for ids in records.chunks(BATCH) {
        let sql = scope.db().sql("SELECT ").push(COLUMNS).push(" FROM history WHERE corp_id = ").arg(scope.corp());
        let sql = push_id_list(sql.push_arg(" AND resource_id = ", resource.as_str()).push(" AND record_id IN ("), ids);
        for row in sql.push(")").all::<Row>().await? {
            count += u64::from(erase_row(row, resource, label, None)?.is_some());
        }
    }
    Ok(count)
}

/// Returns the entry without its personal data, or without that which equals one of these texts; `None` if it has none.
fn erase_row(
    row: Row,
    resource: ResourceId,
    label: &'static str,
    texts: Option<&BTreeSet<String>>,
) -> Result<Option<Row>> {
    let is_meant = |value: &Value| match texts {
        Some(texts) => value.as_str().is_some_and(|value| texts.contains(&value.to_lowercase())),
        None => true,
    };
    let is_erased =
        |field: &str, value: &Value| personal_in_history(resource, field) == Personal::Erased && is_meant(value);
    row.erase(texts.is_none() && label_is_erased(resource, label), is_erased)
}

impl Row {
    /// Returns the entry without the values to erase; `None` if it has none.
    pub(super) fn erase(
        mut self,
        erases_label: bool,
        is_erased: impl Fn(&str, &Value) -> bool,
    ) -> Result<Option<Self>> {
        let stored = values::list(&self.label, &self.changes)?;
        let Ok(mut changes) = from_json::<Vec<StoredChange>>(&self.changes) else {
            tracing::warn!(entry = %self.history_id, "the values of a history entry can't be read, so they are not erased");
            return Ok(None);
        };
        let marker = values::erased_marker()?;
        let mut places = Vec::new();
        if erases_label && !self.label.is_empty() && self.label != ERASED {
            ERASED.clone_into(&mut self.label);
            places.push(0);
        }
        for (index, StoredChange { field, before, after }) in changes.iter_mut().enumerate() {
            for (place, value) in [(2 * index + 1, before), (2 * index + 2, after)] {
                if !value.is_null() && *value != marker && is_erased(field, value) {
                    *value = marker.clone();
                    places.push(place);
                }
            }
        }
        if places.is_empty() {
            return Ok(None);
        }
        self.changes = to_json(&changes)?;
        // Without salts, the entry is not in the chain yet. It is chained later without the erased values.
        if let Some(salts) = &mut self.salts {
            let mut erased = self.erased.take().unwrap_or_else(|| UNERASED.repeat(stored.len()));
            for place in places {
                let salt = salts.get_mut(place * SALT_BYTES..(place + 1) * SALT_BYTES);
                let digest = erased.get_mut(place * DIGEST_BYTES..(place + 1) * DIGEST_BYTES);
                if let (Some(salt), Some(digest)) = (salt, digest) {
                    digest.copy_from_slice(&salted_digest(salt, stored[place].1.as_bytes()));
                    salt.fill(0);
                }
            }
            self.erased = Some(erased);
        }
        Ok(Some(self))
    }

    pub(super) async fn save(self, tx: &mut Tx, corp: Uuid) -> Result<u64> {
        let sql = tx
            .sql("UPDATE history SET request_digest = NULL, label = ")
            .arg(self.label)
            .push_arg(", changes = ", self.changes);
        let sql = sql.push_arg(", salts = ", self.salts).push_arg(", erased = ", self.erased);
        sql.push_arg(" WHERE corp_id = ", corp).push_arg(" AND history_id = ", self.history_id).exec().await
    }
}
