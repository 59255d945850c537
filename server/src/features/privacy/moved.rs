//! Finds what merges moved from a person's records to the records that the merges kept (docs/product.md 4.23).

use super::tables;
use crate::access::scope::Scope;
use crate::features::records::columns::push_id_list;
use crate::features::records::erasure::FromMerges;
use crate::platform::db::{Result, from_json};
use forecourt_core::history::{Change, ChangedValue};
use forecourt_core::permissions::ResourceId;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Ids per statement.
const BATCH: usize = 500;
/// The name of the table of comments, and of the field for comments in a contact's history.
const COMMENTS: &str = "comments";

/// A merge of the record `record` into the record `kept`.
struct Merge {
    record: Uuid,
    /// The id of the history entry of the merge's batch.
    batch: Uuid,
    kept: Uuid,
}

/// Returns the merges of these records into others. Reads them from the history, because the trash may no longer have
/// the records.
async fn merges(scope: &Scope, resource: ResourceId, records: &[Uuid]) -> Result<Vec<Merge>> {
    let mut found = Vec::new();
    for ids in records.chunks(BATCH) {
        let sql = scope.db().sql("SELECT d.record_id, d.batch_id, k.record_id FROM history d");
        let sql = sql.indexed_by("history_record").push(" JOIN history k").indexed_by("history_batch");
        let sql = sql.push(" ON k.corp_id = d.corp_id AND k.batch_id = d.batch_id");
        let sql = sql.push(" AND k.resource_id = d.resource_id AND k.action = 'merged' AND k.record_id IS NOT NULL");
        let sql = sql.push_arg(" WHERE d.corp_id = ", scope.corp()).push(" AND d.action = 'deleted'");
        let sql =
            push_id_list(sql.push_arg(" AND d.resource_id = ", resource.as_str()).push(" AND d.record_id IN ("), ids);
        let rows = sql.push(")").all::<(Uuid, Uuid, Uuid)>().await?;
        found.extend(rows.into_iter().map(|(record, batch, kept)| Merge { record, batch, kept }));
    }
    Ok(found)
}

/// Returns the records of another resource that merges moved from these customers to the customers that they kept.
pub async fn find_moved_records(scope: &Scope, resource: ResourceId, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    let mut found = Vec::new();
    for Merge { record, batch, .. } in merges(scope, ResourceId::Customers, customers).await? {
        let sql = scope.db().sql("SELECT record_id, changes FROM history WHERE corp_id = ").arg(scope.corp());
        let sql = sql.push_arg(" AND batch_id = ", batch).push_arg(" AND resource_id = ", resource.as_str());
        let sql = sql.push(" AND record_id IS NOT NULL");
        let customer = Some(ChangedValue::Text(record.to_string()));
        for (linked, changes) in sql.all::<(Uuid, String)>().await? {
            let changes: Vec<Change> = from_json(&changes)?;
            found.extend(changes.iter().any(|change| change.before == customer).then_some(linked));
        }
    }
    Ok(found)
}

/// A comment that a merge moved to another contact.
#[derive(Clone)]
pub struct MovedComment {
    /// The contact that the comment belongs to now.
    pub contact: Uuid,
    pub created_at: i64,
    pub comment: String,
}

/// What merges moved from a person's contacts to other contacts.
#[derive(Clone, Default)]
pub struct FromContacts {
    pub merges: FromMerges,
    pub comments: Vec<MovedComment>,
    /// The history entries of those other contacts in which a comment's text before the change is one of `texts`.
    /// `texts` has, in lower case, the texts of the moved comments, of all comments in the history of the person's
    /// contacts, and of later changes of these.
    pub entries: Vec<Uuid>,
    pub texts: BTreeSet<String>,
}

/// Finds what merges moved from these contacts; `trashed` are those of them that are in the trash. A comment is
/// recognized as moved by its id, as long as the trash has the contact that it was moved from, or by the time of its
/// creation, which is in that contact's history.
pub async fn find_moved_from_contacts(scope: &Scope, contacts: &[Uuid], trashed: &[Uuid]) -> Result<FromContacts> {
    let (mut found, mut merged) = (FromContacts::default(), contacts.to_vec());
    let own: BTreeSet<Uuid> = merged.iter().copied().collect();
    let mut kept = BTreeSet::new();
    while !merged.is_empty() {
        let further = merges(scope, ResourceId::Contacts, &merged).await?.into_iter().map(|merge| merge.kept);
        merged = further.filter(|id| !own.contains(id)).filter(|id| kept.insert(*id)).collect();
    }
    if kept.is_empty() {
        return Ok(found);
    }
    found.merges.kept = kept.into_iter().collect();
    let mut moved = BTreeSet::new();
    for (_, content) in tables::read_trashed(scope, ResourceId::Contacts, trashed).await? {
        let from_merge = content.moved.unwrap_or_default();
        moved.extend(from_merge.rows(COMMENTS).iter().copied());
        found.merges.details.extend(from_merge.details);
    }
    let mut created = BTreeSet::new();
    for (_, at, change) in comment_entries(scope, contacts).await? {
        if change.before.is_none() {
            created.insert(at);
        }
        found.texts.extend([change.before, change.after].into_iter().filter_map(lower_case_text));
    }
    let is_moved = |id: Uuid, at: i64| moved.contains(&id) || created.contains(&at);
    let mut add = |id: Uuid, comment: MovedComment| {
        found.merges.children.insert(id);
        found.texts.insert(comment.comment.to_lowercase());
        found.comments.push(comment);
    };
    for ids in found.merges.kept.chunks(BATCH) {
        let sql = scope.db().sql("SELECT comment_id, contact_id, created_at, comment FROM comments WHERE corp_id = ");
        let sql = push_id_list(sql.arg(scope.corp()).push(" AND contact_id IN ("), ids).push(")");
        for (id, contact, created_at, comment) in sql.all::<(Uuid, Uuid, i64, String)>().await? {
            if is_moved(id, created_at) {
                add(id, MovedComment { contact, created_at, comment });
            }
        }
    }
    for (contact, content) in tables::read_trashed(scope, ResourceId::Contacts, &found.merges.kept).await? {
        for row in content.children.get(COMMENTS).into_iter().flatten() {
            let (id, created_at) =
                (row.id("comment_id").unwrap_or_default(), row.number("created_at").unwrap_or_default());
            if is_moved(id, created_at) {
                let comment = row.text("comment").unwrap_or_default().to_owned();
                add(id, MovedComment { contact, created_at, comment });
            }
        }
    }
    for (entry, _, change) in comment_entries(scope, &found.merges.kept).await? {
        // The comment was changed after it was moved. Its new text is also looked for, as the comment may have been
        // changed again.
        if lower_case_text(change.before).is_some_and(|before| found.texts.contains(&before)) {
            found.entries.push(entry);
            found.texts.extend(lower_case_text(change.after));
        }
    }
    Ok(found)
}

fn lower_case_text(value: Option<ChangedValue>) -> Option<String> {
    match value {
        Some(ChangedValue::Text(text)) => Some(text.to_lowercase()),
        _ => None,
    }
}

/// Returns the changes of the comments of contacts, oldest first: the entry, its time and the change.
async fn comment_entries(scope: &Scope, contacts: &[Uuid]) -> Result<Vec<(Uuid, i64, Change)>> {
    let mut found = Vec::new();
    for ids in contacts.chunks(BATCH) {
        let sql = scope.db().sql("SELECT history_id, at, changes FROM history WHERE corp_id = ").arg(scope.corp());
        let sql = push_id_list(sql.push(" AND resource_id = 'contacts' AND record_id IN ("), ids);
        for (id, at, changes) in sql.push(") AND changes LIKE '%\"comments\"%'").all::<(Uuid, i64, String)>().await? {
            let changes: Vec<Change> = from_json(&changes)?;
            found.extend(changes.into_iter().filter(|change| change.field == COMMENTS).map(|change| (id, at, change)));
        }
    }
    found.sort_by_key(|(id, ..)| *id);
    Ok(found)
}
