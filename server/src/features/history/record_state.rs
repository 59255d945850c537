//! The present state of the records that history entries changed, and which undoing runs, as columns of the queries that
//! read entries.

use crate::access::scope::Scope;
use crate::features::binding::push_is_contact_bound;
use crate::features::listing::{push_contacts_of_import, push_existence};
use crate::platform::db::Sql;
use forecourt_core::agreements::AgreementState;
use forecourt_core::history::RecordState;
use forecourt_core::vehicles::VehicleStatus;
use uuid::Uuid;

/// The columns of [`push_record_state`].
#[derive(sqlx_macros::FromRow)]
pub struct RecordStateRow {
    has_record: bool,
    has_deleted: bool,
    has_figures: bool,
    /// The state of an agreement, or the status of a vehicle.
    state: Option<String>,
    /// The undoing that runs, of the entry or as the entry itself.
    pub undoing_id: Option<Uuid>,
}

impl From<RecordStateRow> for RecordState {
    fn from(row: RecordStateRow) -> Self {
        let RecordStateRow { has_record, has_deleted, has_figures, state, .. } = row;
        RecordState {
            has_record,
            has_deleted,
            has_figures,
            // No text is both.
            agreement_state: state.as_deref().and_then(AgreementState::parse),
            vehicle_status: state.as_deref().and_then(VehicleStatus::parse),
        }
    }
}

/// SQL of the columns for an entry `h`. All rows are found by indexes. After the first part come the contacts of an
/// import, after the second the branches of [`push_existence`], and after the third SQLite's index.
const COLUMNS: [&str; 4] = [
    ", CASE WHEN h.action = 'imported' THEN EXISTS (SELECT 1",
    ") WHEN h.record_id IS NULL THEN TRUE",
    " ELSE FALSE END AS has_record, \
     CASE WHEN h.action = 'merged' OR (h.action = 'deleted' AND h.record_id IS NULL) \
     THEN EXISTS (SELECT 1 FROM trash t WHERE t.corp_id = h.corp_id AND t.resource_id = h.resource_id \
     AND t.batch_id = coalesce(h.batch_id, h.history_id)) \
     WHEN h.action = 'deleted' \
     THEN EXISTS (SELECT 1 FROM trash t WHERE t.corp_id = h.corp_id AND t.resource_id = h.resource_id \
     AND t.record_id = h.record_id) \
     ELSE FALSE END AS has_deleted, \
     h.resource_id = 'customers' AND EXISTS (SELECT 1 FROM customers r WHERE r.corp_id = h.corp_id \
     AND r.customer_id = h.record_id AND r.typed_number_of_orders IS NOT NULL) AS has_figures, \
     CASE WHEN h.resource_id = 'agreements' \
     THEN (SELECT r.state FROM agreements r WHERE r.corp_id = h.corp_id AND r.agreement_id = h.record_id) \
     WHEN h.resource_id = 'vehicles' \
     THEN (SELECT r.status FROM vehicles r WHERE r.corp_id = h.corp_id AND r.vehicle_id = h.record_id) \
     END AS state, \
     (SELECT r.batch_id FROM reverts r",
    " WHERE r.corp_id = h.corp_id AND r.ended_at IS NULL \
     AND h.history_id IN (r.history_id, r.batch_id)) AS undoing_id",
];

/// Appends the columns of [`RecordStateRow`] for the entry `h`.
pub fn push_record_state<'e>(sql: Sql<'e>, scope: &Scope) -> Sql<'e> {
    let [imported, batch, others, undoing] = COLUMNS;
    let sql = push_contacts_of_import(sql.push(imported), scope).push("h.history_id AND NOT ");
    let sql = push_existence(push_is_contact_bound(sql).push(batch)).push(others);
    sql.indexed_by("reverts_running").push(undoing)
}
