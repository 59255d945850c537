//! The other details of records: texts under names of the user's choice.

use super::Entity;
use super::columns::push_id_list;
use crate::access::scope::Scope;
use crate::platform::db::{Result, Tx};
use forecourt_core::duplicates::Details;
use sqlx::types::Json;
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

/// Records per query for the names of their other details.
const BATCH: usize = 500;

/// Returns the other details of records, by their ids. Reads inside the transaction if one is given.
pub async fn read_details<E: Entity>(
    tx: Option<&mut Tx>,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Details>> {
    let Some(column) = E::DETAILS else { return Ok(HashMap::new()) };
    let sql = scope.sql_in(tx, "SELECT ").push(E::ID).push(", ").push(column).push(" FROM ").push(E::TABLE.name);
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push(" IN (");
    let rows: Vec<(Uuid, Json<Details>)> = push_id_list(sql, ids).push(")").all().await?;
    Ok(rows.into_iter().map(|(id, details)| (id, details.0)).collect())
}

/// Returns the sorted names of the other details that these records have; not all if there are more than `most`.
pub async fn read_names<E: Entity>(scope: &Scope, ids: &[Uuid], most: usize) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let Some(column) = E::DETAILS else { return Ok(names) };
    // In the order in which the records were written: in that of a sorted list, the database would read them one by one
    // from all over the table.
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let limit = i64::try_from(most + 1).unwrap_or(i64::MAX);
    let (before, after) = scope.db().pick((", json_each(", ")"), (", jsonb_object_keys(", ") AS key"));
    for ids in ids.chunks(BATCH) {
        let sql = scope.db().sql("SELECT DISTINCT key FROM ").push(E::TABLE.name).push(before).push(column).push(after);
        let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push(" IN (");
        let sql = push_id_list(sql, ids).push_arg(") LIMIT ", limit);
        names.extend(sql.values::<String>().await?);
        if names.len() > most {
            break;
        }
    }
    Ok(names)
}
