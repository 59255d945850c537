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

/// What is known about the other details of records before they are read.
#[derive(Default)]
pub struct DetailsSummary {
    /// Their names, sorted.
    pub names: BTreeSet<String>,
    /// The number of values.
    pub count: usize,
    /// The size of all values in bytes.
    pub bytes: usize,
}

/// Returns the summary of the other details of these records; an incomplete one if they have more than `most` names.
pub async fn summarize_details<E: Entity>(scope: &Scope, ids: &[Uuid], most: usize) -> Result<DetailsSummary> {
    let mut summary = DetailsSummary::default();
    let Some(column) = E::DETAILS else { return Ok(summary) };
    // In the order in which the records were written: in that of a sorted list, the database would read them one by one
    // from all over the table.
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let limit = i64::try_from(most + 1).unwrap_or(i64::MAX);
    let each = scope.db().pick(", json_each(", ", jsonb_each_text(");
    for ids in ids.chunks(BATCH) {
        let figures = "SELECT key, count(*), CAST(sum(octet_length(value)) AS BIGINT) FROM ";
        let sql = scope.db().sql(figures).push(E::TABLE.name).push(each).push(column).push(") AS detail");
        let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(E::ID).push(" IN (");
        let sql = push_id_list(sql, ids).push_arg(") GROUP BY key LIMIT ", limit);
        let rows: Vec<(String, i64, i64)> = sql.all().await?;
        for (name, count, bytes) in rows {
            summary.names.insert(name);
            summary.count += usize::try_from(count).unwrap_or_default();
            summary.bytes += usize::try_from(bytes).unwrap_or_default();
        }
        if summary.names.len() > most {
            break;
        }
    }
    Ok(summary)
}
