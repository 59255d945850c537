//! Records in the trash that a binding agreement names. They are not purged, so that bookkeeping keeps what was sold,
//! and to whom (docs/product.md 4.21).

use super::trash::{TrashSelection, push_selection};
use crate::access::scope::Scope;
use crate::platform::db::{Sql, Tx};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::agreements::AgreementState;
use forecourt_core::permissions::ResourceId;
use forecourt_core::trash::text;

/// Appends the expression for whether a binding agreement names the record `t` in the trash: one of its vehicles, or
/// its customer. An agreement loses the id of a deleted customer, and the trash has its id instead. An agreement that
/// has got another customer since does not count.
pub fn push_is_named(sql: Sql<'_>) -> Sql<'_> {
    // Without statistics, SQLite would read all vehicles of all agreements.
    let (by_vehicle, lost_by) = match sql.is_for_postgres() {
        true => (
            "",
            "(SELECT CAST(value AS UUID) \
             FROM json_array_elements_text(CAST(t.content AS JSON) #> '{links,agreements}'))",
        ),
        false => (
            " INDEXED BY agreement_vehicles_vehicle",
            "(SELECT unhex(value, '-') FROM json_each(t.content, '$.links.agreements'))",
        ),
    };
    let sql = sql.push("CASE t.resource_id WHEN 'vehicles' THEN EXISTS (SELECT 1 FROM agreement_vehicles l");
    let sql = sql.push(by_vehicle).push(" WHERE l.corp_id = t.corp_id AND l.vehicle = t.record_id AND l.state IN (''");
    let sql = push_binding(sql).push(
        ")) WHEN 'customers' THEN EXISTS (SELECT 1 FROM agreements a WHERE a.corp_id = t.corp_id \
         AND a.customer_id IS NULL AND a.agreement_id IN ",
    );
    push_binding(sql.push(lost_by).push(" AND a.state IN (''")).push(")) ELSE FALSE END")
}

/// Appends the states of binding agreements to a list.
fn push_binding(sql: Sql<'_>) -> Sql<'_> {
    AgreementState::BINDING.iter().fold(sql, |sql, state| sql.comma(state.as_str()))
}

/// Fails with 409 if a binding agreement names one of the chosen records in the trash.
pub(super) async fn check_unnamed(
    tx: &mut Tx,
    scope: &Scope,
    resource: ResourceId,
    chosen: &TrashSelection,
) -> ApiResult<()> {
    let sql = push_selection(tx.sql("SELECT label"), scope, resource, chosen).push(" AND ");
    match push_is_named(sql).push(" LIMIT 1").maybe_value::<String>().await? {
        Some(label) => Err(ApiError::Conflict(text::is_in_agreement(&label))),
        None => Ok(()),
    }
}
