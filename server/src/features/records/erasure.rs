//! Erases the personal data of records, in their list and in the trash (docs/product.md 4.25).

use super::columns::{Stored, push_ids};
use super::moved::Moved;
use super::table::WholeRow;
use super::trash::Content;
use super::{Entity, PersonalColumn};
use crate::access::scope::{ResourceType, Scope};
use crate::platform::db::{Result, Sql, Tx, from_json, to_json};
use forecourt_core::privacy::{ERASED, erased_value, label_is_erased};
use forecourt_core::text::fold;
use uuid::Uuid;

/// What was erased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    pub records: u64,
    /// Rows that belong to the records, such as the comments of a contact.
    pub children: u64,
}

/// Erases the personal data of these records and of what belongs to them, wherever they are.
pub async fn erase<E: Entity>(tx: &mut Tx, scope: &Scope, now: i64, ids: &[Uuid]) -> Result<Erased> {
    let mut erased = Erased::default();
    if ids.is_empty() {
        return Ok(erased);
    }
    for child in E::CHILDREN {
        let sql = tx.sql("UPDATE ").push(child.table.name).push(" SET ").push(child.text).push_arg(" = ", ERASED);
        let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(child.record).push(" IN (");
        erased.children += push_ids(sql, ids).push(")").exec().await?;
    }
    let sql = tx.sql("UPDATE ").push(E::TABLE.name).push(" SET version = version + 1").push_arg(", updated_at = ", now);
    let sql = E::PERSONAL.iter().fold(sql, |sql, PersonalColumn { field, column, key }| {
        let value = erased_value(E::Resource::RESOURCE, field);
        push_unless_empty(push_unless_empty(sql, column, column, value.to_owned()), key, column, fold(value))
    });
    let others = E::personal_others().into_iter();
    let sql = others.fold(sql, |sql, (column, value)| value.push(sql.push(", ").push(column).push(" = ")));
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push(" IN (");
    erased.records += push_ids(sql, ids).push(")").exec().await?;
    let in_trash = erase_in_trash::<E>(tx, scope, ids).await?;
    Ok(Erased { records: erased.records + in_trash.records, children: erased.children + in_trash.children })
}

/// Appends the assignment of a value to a column, unless the text in this column is empty.
fn push_unless_empty<'e>(sql: Sql<'e>, column: &'static str, text: &'static str, value: String) -> Sql<'e> {
    let sql = sql.push(", ").push(column).push(" = CASE WHEN ").push(text).push(" = '' THEN '' ELSE ");
    sql.arg(value).push(" END")
}

async fn erase_in_trash<E: Entity>(tx: &mut Tx, scope: &Scope, ids: &[Uuid]) -> Result<Erased> {
    let (mut erased, resource) = (Erased::default(), E::Resource::RESOURCE);
    let sql = tx.sql("SELECT record_id, label, content FROM trash WHERE corp_id = ").arg(scope.corp());
    let sql = push_ids(sql.push_arg(" AND resource_id = ", resource.as_str()).push(" AND record_id IN ("), ids);
    let rows: Vec<(Uuid, String, String)> = sql.push(")").all().await?;
    for (id, label, content) in rows {
        let mut content: Content = from_json(&content)?;
        erase_row::<E>(&mut content.row);
        for child in E::CHILDREN {
            for row in content.children.get_mut(child.table.name).into_iter().flatten() {
                row.insert(child.text, Stored::Text(Some(ERASED.to_owned())));
                erased.children += 1;
            }
        }
        if let Some(moved) = &mut content.moved {
            erased.children += erase_moved::<E>(tx, scope, moved).await?;
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

/// Erases what a merge moved from a record in the trash to the one that it kept. Returns the number of rows.
async fn erase_moved<E: Entity>(tx: &mut Tx, scope: &Scope, moved: &mut Moved) -> Result<u64> {
    moved.details.clear();
    let mut erased = 0;
    for child in E::CHILDREN {
        let ids = moved.rows(child.table.name);
        if !ids.is_empty() {
            let sql = tx.sql("UPDATE ").push(child.table.name).push(" SET ").push(child.text).push_arg(" = ", ERASED);
            let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(child.id).push(" IN (");
            erased += push_ids(sql, ids).push(")").exec().await?;
        }
    }
    Ok(erased)
}

fn erase_row<E: Entity>(row: &mut WholeRow) {
    for PersonalColumn { field, column, key } in E::PERSONAL {
        if row.text(column).is_some_and(|text| !text.is_empty()) {
            let value = erased_value(E::Resource::RESOURCE, field);
            row.insert(column, Stored::Text(Some(value.to_owned())));
            row.insert(key, Stored::Text(Some(fold(value))));
        }
    }
    for (column, value) in E::personal_others() {
        // The trash has what is encrypted in columns of its own.
        if row.remove(column).is_some() {
            row.insert(column, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::contacts::ContactSummary;
    use forecourt_core::customers::CustomerSummary;
    use forecourt_core::invoices::Invoice;
    use forecourt_core::lists::Personal;

    fn check<E: Entity>() {
        let personal = E::FIELDS.iter().filter(|field| field.personal == Personal::Erased).map(|field| field.name);
        assert_eq!(E::PERSONAL.iter().map(|column| column.field).collect::<Vec<_>>(), personal.collect::<Vec<_>>());
        let others: Vec<_> = E::personal_others().into_iter().map(|(column, _)| column).collect();
        let columns = E::PERSONAL.iter().flat_map(|column| [column.column, column.key]).chain(others);
        for column in columns {
            assert!(E::TABLE.columns.contains(&column), "{}.{column}", E::TABLE.name);
        }
    }

    #[test]
    fn every_personal_field_has_its_columns() {
        check::<ContactSummary>();
        check::<CustomerSummary>();
        check::<Invoice>();
    }
}
