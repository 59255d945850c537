//! Erases the personal data of records, in their list and in the trash (docs/product.md 4.25).

use super::Entity;
use super::columns::{Stored, push_id_list};
use super::table::WholeRow;
use super::trash::Content;
use crate::access::scope::{ResourceType, Scope};
use crate::features::binding::push_states;
use crate::platform::db::{Result, Sql, Tx, from_json, to_json};
use crate::platform::events::{Change, MAX_IDS};
use forecourt_core::agreements::AgreementState;
use forecourt_core::customers::is_figure;
use forecourt_core::history::HistoryAction;
use forecourt_core::lists::Personal;
use forecourt_core::privacy::{ERASED, KEPT_IF_BINDING, erased_value, label_is_erased};
use forecourt_core::text::fold;
use sqlx::types::Json;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Ids per statement.
const BATCH: usize = 500;

/// SQL that gives a record the version of its erasure. The time of the erasure follows.
const SET_VERSION: &str = " SET version = version + 1, erased_version = version + 1, updated_at = ";

/// How many records and rows were erased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    pub records: u64,
    /// Rows that belong to the records, such as the comments of a contact.
    pub children: u64,
}

/// A text field with personal data.
struct PersonalText {
    field: &'static str,
    column: &'static str,
    /// The column with the folded text, which lists search and sort by.
    key: &'static str,
}

/// Returns the text fields whose personal data an erasure replaces, in the order of the fields.
fn personal_texts<E: Entity>() -> impl Iterator<Item = PersonalText> {
    E::FIELDS.iter().filter(|field| field.personal == Personal::Erased).map(|field| {
        let key = E::LISTING.column(field);
        // The names of both columns differ in the end: `name` and `name_key`, `telephone` and `telephone_folded`.
        PersonalText { field: field.name, column: key.rsplit_once('_').map_or(key, |(column, _)| column), key }
    })
}

/// Erases the personal data of these records and of what belongs to them, both in the lists and in the trash.
pub async fn erase<E: Entity>(tx: &mut Tx, scope: &Scope, now: i64, ids: &[Uuid]) -> Result<Erased> {
    let mut erased = Erased::default();
    if ids.is_empty() {
        return Ok(erased);
    }
    for child in E::CHILDREN {
        let sql = tx.sql("UPDATE ").push(child.table.name).push(" SET ").push(child.text).push_arg(" = ", ERASED);
        let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(child.record).push(" IN (");
        erased.children += push_id_list(sql, ids).push(")").exec().await?;
    }
    let sql = tx.sql("UPDATE ").push(E::TABLE.name).push(SET_VERSION).arg(now);
    let sql = personal_texts::<E>().fold(sql, |sql, personal| {
        let value = erased_value(E::Resource::RESOURCE, personal.field);
        let sql = push_erased::<E>(sql, personal.column, &personal, value.to_owned());
        push_erased::<E>(sql, personal.key, &personal, fold(value))
    });
    let others = E::personal_others().into_iter();
    let sql = others.fold(sql, |sql, (column, value)| value.push(sql.push(", ").push(column).push(" = ")));
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push(" IN (");
    erased.records += push_id_list(sql, ids).push(")").announce(change::<E>(scope, ids)).exec().await?;
    E::refresh(tx, scope, now, None, ids).await?;
    let in_trash = erase_in_trash::<E>(tx, scope, now, ids).await?;
    Ok(Erased { records: erased.records + in_trash.records, children: erased.children + in_trash.children })
}

/// Returns the change that is announced to open lists.
fn change<E: Entity>(scope: &Scope, ids: &[Uuid]) -> Change {
    Change {
        corp: scope.corp(),
        resource: E::Resource::RESOURCE,
        action: HistoryAction::Erased,
        by: scope.is_own_corporation().then_some(scope.user()),
        ids: (ids.len() <= MAX_IDS).then(|| ids.to_vec()),
    }
}

/// Appends an assignment to `column`: the value, or an empty text in rows without the personal text. A text that follows
/// from other records stays, and so does what accounting law requires of a binding agreement.
fn push_erased<'e, E: Entity>(sql: Sql<'e>, column: &'static str, personal: &PersonalText, value: String) -> Sql<'e> {
    let sql = sql.push(", ").push(column).push(" = CASE");
    // `typed_number_of_orders` is NULL unless the customer's figures follow from agreements.
    let sql = match is_figure(E::TABLE.name, personal.field) {
        true => sql.push(" WHEN typed_number_of_orders IS NOT NULL THEN ").push(column),
        false => sql,
    };
    let sql = match (E::Resource::RESOURCE, personal.field) == KEPT_IF_BINDING {
        true => push_states(sql.push(" WHEN state IN ("), &AgreementState::BINDING).push(") THEN ").push(column),
        false => sql,
    };
    sql.push(" WHEN ").push(personal.column).push(" = '' THEN '' ELSE ").arg(value).push(" END")
}

async fn erase_in_trash<E: Entity>(tx: &mut Tx, scope: &Scope, now: i64, ids: &[Uuid]) -> Result<Erased> {
    let (mut erased, resource) = (Erased::default(), E::Resource::RESOURCE);
    let sql = tx.sql("SELECT record_id, label, content FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql = push_id_list(sql.push_arg(" AND resource_id = ", resource.as_str()).push(" AND record_id IN ("), ids);
    let rows: Vec<(Uuid, String, String)> = sql.push(")").all().await?;
    for (id, label, content) in rows {
        let mut content: Content = from_json(&content)?;
        erase_row::<E>(&mut content.row, now);
        for child in E::CHILDREN {
            for row in content.children.get_mut(child.table.name).into_iter().flatten() {
                row.insert(child.text, Stored::Text(Some(ERASED.to_owned())));
                erased.children += 1;
            }
        }
        if let Some(moved) = &mut content.moved {
            moved.details.clear();
        }
        let label = if label_is_erased(resource, E::LABEL) { ERASED.to_owned() } else { label };
        let sql = tx.sql("UPDATE trash SET social_security = NULL, social_security_key = NULL, label = ");
        let sql = sql.arg(label.clone()).push_arg(", label_key = ", fold(&label));
        let sql = sql.push_arg(", content = ", to_json(&content)?).push_arg(" WHERE corp_id = ", scope.corp());
        let sql = sql.push_arg(" AND resource_id = ", resource.as_str()).push_arg(" AND record_id = ", id);
        erased.records += sql.exec().await?;
    }
    Ok(erased)
}

/// What merges moved from a person's records to the records that they kept.
#[derive(Clone, Default)]
pub struct FromMerges {
    /// The records that these merges kept, and those that later merges of them kept.
    pub kept: Vec<Uuid>,
    /// Ids of the moved rows, such as comments, which belong to the kept records now.
    pub children: BTreeSet<Uuid>,
    /// Other details (name and text) that the kept records got from these merges.
    pub details: BTreeSet<(String, String)>,
}

/// Erases what merges moved, where it is now: in the lists or in the trash. Returns the number of erased rows, such as
/// comments.
pub async fn erase_moved<E: Entity>(tx: &mut Tx, scope: &Scope, now: i64, moved: &FromMerges) -> Result<u64> {
    let mut erased = 0;
    let children: Vec<Uuid> = moved.children.iter().copied().collect();
    for child in E::CHILDREN {
        for ids in children.chunks(BATCH) {
            let sql = tx.sql("UPDATE ").push(child.table.name).push(" SET ").push(child.text).push_arg(" = ", ERASED);
            let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(child.id).push(" IN (");
            erased += push_id_list(sql, ids).push(")").announce(change::<E>(scope, &moved.kept)).exec().await?;
        }
    }
    let column = E::personal_others().into_iter().find(|(_, value)| matches!(value, Stored::Details(_)));
    let column = column.map(|(column, _)| column);
    for ids in moved.kept.chunks(BATCH) {
        erased += erase_moved_in_trash::<E>(tx, scope, now, column, ids, moved).await?;
        if let Some(column) = column.filter(|_| !moved.details.is_empty()) {
            erase_moved_details::<E>(tx, scope, now, column, ids, moved).await?;
        }
    }
    Ok(erased)
}

async fn erase_moved_in_trash<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    details: Option<&'static str>,
    kept: &[Uuid],
    moved: &FromMerges,
) -> Result<u64> {
    let (mut erased, resource) = (0, E::Resource::RESOURCE.as_str());
    let sql = tx.sql("SELECT record_id, content FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql = push_id_list(sql.push_arg(" AND resource_id = ", resource).push(" AND record_id IN ("), kept);
    for (id, content) in sql.push(")").all::<(Uuid, String)>().await? {
        let mut content: Content = from_json(&content)?;
        for child in E::CHILDREN {
            let rows = content.children.get_mut(child.table.name).into_iter().flatten();
            for row in rows.filter(|row| row.id(child.id).is_some_and(|id| moved.children.contains(&id))) {
                row.insert(child.text, Stored::Text(Some(ERASED.to_owned())));
                erased += 1;
            }
        }
        if let Some(column) = details {
            let mut is_changed = false;
            content.row.change_details(column, |details| {
                let count = details.len();
                *details = without(std::mem::take(details), &moved.details);
                is_changed = details.len() < count;
            })?;
            if is_changed {
                set_version(&mut content.row, now);
            }
        }
        // If a later merge moved these details on, they are also removed from what it recorded: undoing it would look
        // for them.
        if let Some(further) = &mut content.moved {
            further.details = without(std::mem::take(&mut further.details), &moved.details);
        }
        let sql =
            tx.sql("UPDATE trash SET content = ").arg(to_json(&content)?).push_arg(" WHERE corp_id = ", scope.corp());
        let sql = sql.push_arg(" AND resource_id = ", resource).push_arg(" AND record_id = ", id);
        sql.announce(change::<E>(scope, &[id])).exec().await?;
    }
    Ok(erased)
}

async fn erase_moved_details<E: Entity>(
    tx: &mut Tx,
    scope: &Scope,
    now: i64,
    column: &'static str,
    kept: &[Uuid],
    moved: &FromMerges,
) -> Result<()> {
    let for_update = tx.pick(")", ") FOR UPDATE");
    let sql = tx.sql("SELECT ").push(E::ID).push(", ").push(column).push(" FROM ").push(E::TABLE.name);
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push(" IN (");
    let rows: Vec<(Uuid, Json<BTreeMap<String, String>>)> = push_id_list(sql, kept).push(for_update).all().await?;
    for (id, Json(details)) in rows {
        let (count, rest) = (details.len(), without(details, &moved.details));
        if rest.len() < count {
            let sql = tx.sql("UPDATE ").push(E::TABLE.name).push(SET_VERSION).arg(now);
            let sql = Stored::Details(rest).push(sql.push(", ").push(column).push(" = "));
            let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push_arg(" = ", id);
            sql.announce(change::<E>(scope, &[id])).exec().await?;
        }
    }
    Ok(())
}

fn without(mut details: BTreeMap<String, String>, moved: &BTreeSet<(String, String)>) -> BTreeMap<String, String> {
    details.retain(|name, value| !moved.contains(&(name.clone(), value.clone())));
    details
}

/// Gives a record's row in the trash the version of its erasure, as [`SET_VERSION`] does in the list.
fn set_version(row: &mut WholeRow, now: i64) {
    let version = row.number("version").unwrap_or_default() + 1;
    for (column, value) in [("version", version), ("erased_version", version), ("updated_at", now)] {
        row.insert(column, value.into());
    }
}

/// Erases a row in the trash. No binding agreement is there, because it can't be deleted.
fn erase_row<E: Entity>(row: &mut WholeRow, now: i64) {
    set_version(row, now);
    for PersonalText { field, column, key } in personal_texts::<E>() {
        if row.text(column).is_some_and(|text| !text.is_empty()) {
            let value = erased_value(E::Resource::RESOURCE, field);
            row.insert(column, Stored::Text(Some(value.to_owned())));
            row.insert(key, Stored::Text(Some(fold(value))));
        }
    }
    for (column, value) in E::personal_others() {
        // Only columns that the row has are erased: the trash keeps the encrypted number in a column of its own table.
        if row.remove(column).is_some() {
            row.insert(column, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::records::EntityOf;
    use crate::features::with_record;
    use forecourt_core::history::resources;
    use forecourt_core::lists::Kind;

    fn check<E: Entity>() {
        let mut personal = E::FIELDS.iter().filter(|field| field.personal == Personal::Erased);
        assert!(personal.all(|field| field.kind == Kind::Text), "only texts are erased: {}", E::TABLE.name);
        let others: Vec<_> = E::personal_others().into_iter().map(|(column, _)| column).collect();
        let columns = personal_texts::<E>().flat_map(|text| [text.column, text.key]).chain(others);
        let columns = columns.chain(["erased_version"]);
        for column in columns {
            assert!(E::TABLE.names().any(|name| name == column), "{}.{column}", E::TABLE.name);
        }
    }

    #[test]
    fn every_personal_field_has_its_columns() {
        for resource in resources() {
            with_record!(resource, Record => check::<EntityOf<Record>>());
        }
    }
}
