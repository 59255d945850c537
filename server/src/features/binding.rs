//! SQL about binding agreements. A record is bound if a binding agreement has it as its vehicle, customer or contact.
//! Undoing an import keeps it (docs/product.md 4.22), and the trash does not purge it, so that bookkeeping keeps what
//! was sold, and to whom (4.21).

use crate::platform::db::Sql;
use forecourt_core::agreements::AgreementState;

/// Appends states as the content of the parentheses of `IN (…)`.
pub fn push_states<'e>(sql: Sql<'e>, states: &[AgreementState]) -> Sql<'e> {
    sql.texts(states.iter().map(|state| state.as_str()))
}

/// Appends the condition that the contact `c` is bound.
pub fn push_is_contact_bound(sql: Sql<'_>) -> Sql<'_> {
    let sql =
        sql.push("EXISTS (SELECT 1 FROM agreements a WHERE a.corp_id = c.corp_id AND a.contact_id = c.contact_id");
    push_states(sql.push(" AND a.state IN ("), &AgreementState::BINDING).push("))")
}

/// Appends the condition that the record `t` in the trash is bound: a vehicle, customer or contact. An agreement loses
/// the id of a deleted customer or contact, but the trash keeps the agreement's id. An agreement that has got another
/// customer or contact since does not count.
pub fn push_is_bound(sql: Sql<'_>) -> Sql<'_> {
    let sql = sql.push("CASE WHEN t.resource_id = 'vehicles' THEN EXISTS (SELECT 1 FROM agreement_vehicles l");
    let sql = sql
        .indexed_by("agreement_vehicles_vehicle")
        .push(" WHERE l.corp_id = t.corp_id AND l.vehicle = t.record_id AND l.state IN (");
    let sql = push_states(sql, &AgreementState::BINDING).push(
        ")) WHEN t.resource_id IN ('customers', 'contacts') THEN EXISTS (SELECT 1 FROM agreements a \
         WHERE a.corp_id = t.corp_id \
         AND CASE t.resource_id WHEN 'customers' THEN a.customer_id ELSE a.contact_id END IS NULL \
         AND a.agreement_id IN ",
    );
    push_states(push_agreements_of_deleted(sql).push(" AND a.state IN ("), &AgreementState::BINDING)
        .push(")) ELSE FALSE END")
}

/// Appends a subquery for the ids of the agreements that lost the record `t` when it was moved to the trash.
pub fn push_agreements_of_deleted(sql: Sql<'_>) -> Sql<'_> {
    let ids = match sql.is_for_postgres() {
        true => {
            "(SELECT CAST(value AS UUID) \
             FROM json_array_elements_text(CAST(t.content AS JSON) #> '{links,agreements}'))"
        }
        false => "(SELECT unhex(value, '-') FROM json_each(t.content, '$.links.agreements'))",
    };
    sql.push(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::listing::definitions::test_database;
    use crate::platform::db::Db;

    #[tokio::test]
    async fn whether_a_deleted_record_is_bound_is_found_by_indexes() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        // PostgreSQL reads tables that are empty as a whole.
        if let Db::Sqlite { .. } = db {
            let plan = push_is_bound(db.sql("SELECT 1 FROM trash t WHERE NOT ")).explain().await.unwrap();
            for by in [
                "agreements_key (corp_id=? AND agreement_id=?)",
                "agreement_vehicles_vehicle (corp_id=? AND vehicle=?)",
            ] {
                assert!(plan.contains(by), "{plan}");
            }
        }
        db.close().await;
    }
}
