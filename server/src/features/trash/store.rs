//! The trash in the database.

use super::files_of;
use crate::access::scope::{Scope, scope_of_job};
use crate::features::binding::push_is_bound;
use crate::features::history::{self, Entry};
use crate::features::listing::push_page;
use crate::features::records::moved::{PurgedMerge, redirect_merges};
use crate::features::records::restore::PURGED_WITH_FILES;
use crate::features::state::App;
use crate::platform::clock::rfc3339;
use crate::platform::db::{Result, Sql, Tx};
use forecourt_core::history::{HistoryAction, resources};
use forecourt_core::paging::Page;
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::fold;
use forecourt_core::trash::{DeletedBy, TrashEntry};
use forecourt_core::users::{author_message, author_name};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Number of records that are purged per transaction, of resources without files: few, so that others do not wait long
/// for SQLite's writer.
const PURGED: usize = 500;

#[derive(sqlx_macros::FromRow)]
struct EntryRow {
    resource_id: String,
    record_id: Uuid,
    label: String,
    deleted_at: i64,
    deleted_by: Uuid,
    first_name: Option<String>,
    last_name: Option<String>,
    is_bound: bool,
}

impl EntryRow {
    fn into_entry(self, kept_for: i64) -> TrashEntry {
        let has_account = self.first_name.is_some();
        let id = if has_account { self.deleted_by.to_string() } else { String::new() };
        let name = author_name(self.first_name, self.last_name);
        TrashEntry {
            resource: self.resource_id,
            id: self.record_id.to_string(),
            label: self.label,
            deleted_at: rfc3339(self.deleted_at),
            deleted_by: DeletedBy { id, name, name_message: author_message(has_account) },
            purge_at: rfc3339(self.deleted_at + kept_for),
            is_kept: self.is_bound,
        }
    }
}

/// Returns a page of the deleted records of these resources, the last deleted first, and the number of all of them.
pub async fn list(
    scope: &Scope,
    resources: &[ResourceId],
    search: Option<&str>,
    page: Page,
    kept_for: i64,
) -> Result<(Vec<TrashEntry>, u64)> {
    let rows = scope
        .db()
        .sql("SELECT t.resource_id, t.record_id, t.label, t.deleted_at, t.deleted_by, u.first_name, u.last_name, ");
    // The page is a query of its own, because PostgreSQL would also compute `is_bound` for the rows before the page.
    let rows = push_is_bound(rows).push(
        " AS is_bound FROM (SELECT t.corp_id, t.resource_id, t.record_id, t.label, t.deleted_at, t.deleted_by, t.content \
         FROM trash t WHERE ",
    );
    let order = " ORDER BY t.deleted_at DESC, t.record_id DESC";
    let rows = push_page(push_condition(rows, scope, resources, search).push(order), page)
        .push(") t LEFT JOIN users u ON u.corp_id = t.corp_id AND u.user_id = t.deleted_by")
        .push(order)
        .all::<EntryRow>();
    let total = push_condition(scope.db().sql("SELECT count(*) FROM trash t WHERE "), scope, resources, search);
    let (rows, total) = tokio::try_join!(rows, total.value::<i64>())?;
    Ok((rows.into_iter().map(|row| row.into_entry(kept_for)).collect(), total.unsigned_abs()))
}

fn push_condition<'e>(sql: Sql<'e>, scope: &Scope, resources: &[ResourceId], search: Option<&str>) -> Sql<'e> {
    let sql = sql.push_arg("t.corp_id = ", scope.corp()).push(" AND t.resource_id IN (");
    let sql = sql.texts(resources.iter().map(|resource| resource.as_str())).push(")");
    match search.map(fold) {
        Some(search) => sql.push(" AND ").position("t.label_key", search).push(" > 0"),
        None => sql,
    }
}

/// Purges the records whose time in the trash is over, except those that are bound.
pub async fn sweep(app: &App) -> Result<()> {
    let now = app.clock.now();
    let deleted_before = now - app.feature_config.trash.kept_for();
    for (has_files, limit) in [(false, PURGED), (true, PURGED_WITH_FILES)] {
        while sweep_some(app, now, deleted_before, has_files, limit).await? == limit {}
    }
    Ok(())
}

/// Purges the oldest records that were deleted before `deleted_before`, at most `limit`. `has_files` chooses the
/// resources: those whose records can have files, or the others. Returns the number of purged records.
async fn sweep_some(app: &App, now: i64, deleted_before: i64, has_files: bool, limit: usize) -> Result<usize> {
    // A job, because photos may be large.
    let mut tx = app.db.begin_job().await?;
    let sql = tx
        .sql(
            "DELETE FROM trash WHERE (corp_id, resource_id, record_id) IN \
             (SELECT corp_id, resource_id, record_id FROM trash t WHERE deleted_at < ",
        )
        .arg(deleted_before)
        .push(if has_files { " AND resource_id IN (" } else { " AND resource_id NOT IN (" });
    let with_files = resources().filter(|resource| !files_of(*resource).is_empty());
    let purged: Vec<PurgedRow> = push_is_bound(sql.texts(with_files.map(ResourceId::as_str)).push(") AND NOT "))
        .push_arg(" ORDER BY deleted_at LIMIT ", i64::try_from(limit).unwrap_or(i64::MAX))
        .push(
            ") RETURNING corp_id, resource_id, record_id, label, deleted_by, batch_id, \
             CASE WHEN merged_into IS NOT NULL THEN content END AS content",
        )
        .all()
        .await?;
    let count = purged.len();
    let merged = purged.iter().filter_map(|row| {
        Some(PurgedMerge {
            scope: scope_of_job(&app.db, row.corp_id, row.deleted_by),
            resource: ResourceId::parse(&row.resource_id)?,
            record: row.record_id,
            merge: row.batch_id,
            content: row.content.clone()?,
        })
    });
    redirect_merges(&mut tx, merged.collect()).await?;
    record_purge(&mut tx, now, purged).await?;
    tx.commit().await?;
    Ok(count)
}

#[derive(sqlx_macros::FromRow)]
struct PurgedRow {
    corp_id: Uuid,
    resource_id: String,
    record_id: Uuid,
    label: String,
    deleted_by: Uuid,
    batch_id: Option<Uuid>,
    /// What the trash kept of a record that was merged into another one; `None` for other records.
    content: Option<String>,
}

/// Adds a history entry for each purged record, and deletes the photos of purged vehicles. If several records of a
/// corporation and a resource are purged, their entries form a batch.
async fn record_purge(tx: &mut Tx, now: i64, purged: Vec<PurgedRow>) -> Result<()> {
    let mut lists: BTreeMap<(Uuid, String), Vec<(Uuid, String)>> = BTreeMap::new();
    for PurgedRow { corp_id, resource_id, record_id, label, .. } in purged {
        lists.entry((corp_id, resource_id)).or_default().push((record_id, label));
    }
    for ((corp, resource), records) in lists {
        let Some(resource) = ResourceId::parse(&resource) else { continue };
        let batch = (records.len() > 1).then(Uuid::now_v7);
        let mut entries = Vec::new();
        let purged: Vec<Uuid> = records.iter().map(|(record, _)| *record).collect();
        for files in files_of(resource) {
            files.purge(tx, corp, &purged).await?;
        }
        if let Some(batch) = batch {
            entries.push(Entry::of_batch(batch, HistoryAction::Purged, resource, "")?);
        }
        for (record, label) in records {
            let entry = Entry::new(HistoryAction::Purged, resource, record, &label, &[])?;
            entries.push(entry.in_batch(batch));
        }
        history::insert_by_system(tx, corp, now, entries).await?;
    }
    Ok(())
}
