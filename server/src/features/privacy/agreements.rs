//! Finds the agreements of customers that are no longer linked to them, and counts those that keep the customer's name.

use super::tables::{
    self, AGREEMENTS, BATCH, HISTORY_ROWS, Records, push_text, read_in_pages, select_history, select_linked, values_for,
};
use crate::access::scope::Scope;
use crate::features::binding::push_states;
use crate::features::records::columns::push_id_list;
use crate::platform::db::{Result, Sql, Tx};
use forecourt_core::agreements::AgreementState;
use forecourt_core::permissions::ResourceId;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Ids that one statement looks for in the changes of each history entry.
const CUSTOMERS_AT_ONCE: usize = 50;

/// Adds the agreements that were once linked to these customers and have no customer now, and those that were purged.
/// Others belong to another customer now.
pub async fn add_former(scope: &Scope, customers: &Records, agreements: &mut Records) -> Result<()> {
    let known: BTreeSet<Uuid> = agreements.all().into_iter().collect();
    let former = with_customers(scope, &customers.all()).await?;
    let (live, trashed) = tables::divide(scope, &AGREEMENTS, &former).await?;
    let is_new = |id: &Uuid| !known.contains(id);
    agreements.live.extend(without_customer(scope, &live).await?.into_iter().filter(is_new));
    agreements.trashed.extend(trashed_without_customer(scope, &trashed).await?.into_iter().filter(is_new));
    let present: BTreeSet<Uuid> = known.iter().copied().chain(live).chain(trashed).collect();
    let past: BTreeSet<Uuid> = former.into_iter().filter(|id| !present.contains(id)).collect();
    agreements.past.extend(past);
    Ok(())
}

/// Returns how many of these agreements are binding, so that they keep their customer's name. Reads inside the
/// transaction if one is given.
pub async fn count_binding(mut tx: Option<&mut Tx>, scope: &Scope, agreements: &[Uuid]) -> Result<u64> {
    let mut count = 0;
    for ids in agreements.chunks(BATCH) {
        let sql = scope.sql_in(tx.as_deref_mut(), "SELECT count(*) FROM agreements WHERE corp_id = ");
        let sql = push_states(sql.arg(scope.corp()).push(" AND state IN ("), &AgreementState::BINDING);
        let sql = push_id_list(sql.push(") AND agreement_id IN ("), ids);
        count += sql.push(")").value::<i64>().await?.unsigned_abs();
    }
    Ok(count)
}

/// Returns those of these agreements that have no customer, such as those of a customer who was purged.
async fn without_customer(scope: &Scope, agreements: &[Uuid]) -> Result<Vec<Uuid>> {
    let select = || select_linked(scope, &AGREEMENTS).push(" AND customer_id IS NULL AND agreement_id IN (");
    let found: BTreeSet<Uuid> = values_for(agreements, select).await?.into_iter().collect();
    Ok(found.into_iter().collect())
}

/// Returns those of these agreements that are in the trash and had no customer when they were deleted.
async fn trashed_without_customer(scope: &Scope, records: &[Uuid]) -> Result<BTreeSet<Uuid>> {
    let trashed = tables::read_trashed(scope, ResourceId::Agreements, records).await?.into_iter();
    Ok(trashed.filter(|(_, content)| content.row.id("customer_id").is_none()).map(|(id, _)| id).collect())
}

/// Returns the agreements whose history has one of these customers.
async fn with_customers<'s>(scope: &'s Scope, customers: &[Uuid]) -> Result<Vec<Uuid>> {
    let mut found = Vec::new();
    for ids in customers.chunks(CUSTOMERS_AT_ONCE) {
        let with_ids = |sql: Sql<'s>| {
            let sql = sql.push(" AND resource_id = 'agreements' AND record_id IS NOT NULL AND (");
            sql.joined(" OR ", ids, |sql, id| push_text(sql, "lower(changes)", &id.to_string())).push(")")
        };
        let select = |columns| select_history(scope, columns);
        let rows = read_in_pages::<(Uuid,)>(("history_id", "record_id"), HISTORY_ROWS, select, with_ids).await?;
        found.extend(rows.into_iter().map(|(id,)| id));
    }
    Ok(found)
}
