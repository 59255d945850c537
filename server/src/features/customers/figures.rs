//! Brings the figures of customers up to date with their agreements (docs/product.md 4.31).

use super::stored::StoredCustomer;
use super::values::{forget_typed, keep_as_typed, show};
use crate::access::scope::Scope;
use crate::features::agreements;
use crate::features::binding::push_states;
use crate::features::history::{self, Entry};
use crate::features::listing::{self, CUSTOMERS};
use crate::features::records::Editable;
use crate::features::records::columns::{self, Columns, push_id_list};
use crate::platform::db::{Result, Tx};
use forecourt_core::agreements::{AgreementState, figures};
use forecourt_core::customers::{CustomerFigures, CustomerSummary};
use forecourt_core::history::{HistoryAction, changes};
use forecourt_core::permissions::ResourceId;
use uuid::Uuid;

/// Ids per statement.
const BATCH: usize = 500;

/// Brings the figures of customers up to date with their agreements, and adds that to the history.
pub async fn refresh(tx: &mut Tx, scope: &Scope, now: i64, batch: Option<Uuid>, ids: &[Uuid]) -> Result<()> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    for ids in ids.chunks(BATCH) {
        for id in with_figures(tx, scope, ids).await? {
            refresh_one(tx, scope, now, batch, id).await?;
        }
    }
    Ok(())
}

/// Returns those of these customers whose figures follow from agreements, or did so until now, in the order of the ids.
/// For all others there is nothing to do, and there may be thousands of them.
async fn with_figures(tx: &mut Tx, scope: &Scope, ids: &[Uuid]) -> Result<Vec<Uuid>> {
    let sql = tx.sql("SELECT customer_id FROM customers c WHERE corp_id = ").arg(scope.corp());
    let sql = push_id_list(sql.push(" AND customer_id IN ("), ids);
    let sql = sql.push(") AND (typed_number_of_orders IS NOT NULL OR EXISTS (SELECT 1 FROM agreements a");
    let sql = sql.push(" WHERE a.corp_id = c.corp_id AND a.customer_id = c.customer_id AND a.state IN (");
    let sql = push_states(sql, &AgreementState::DELIVERED);
    sql.push("))) ORDER BY customer_id").values().await
}

async fn refresh_one(tx: &mut Tx, scope: &Scope, now: i64, batch: Option<Uuid>, id: Uuid) -> Result<()> {
    let row = listing::rows_in(Some(tx), scope, StoredCustomer::COLUMNS, &CUSTOMERS, vec![id]).maybe().await?;
    let Some(customer) = row.map(StoredCustomer::from_row).transpose()? else { return Ok(()) };
    let figures = figures(&agreements::of_customer(tx, scope, id).await?);
    let columns = columns(&customer, figures);
    if columns.is_empty() {
        return Ok(());
    }
    let updated = columns::update_all::<CustomerSummary>(tx, scope, &[id], now, columns).await?;
    let (before, after) = (customer.into_record(), updated.into_iter().next().ok_or(sqlx::Error::RowNotFound)?);
    let changes = changes(Some(&before), Some(&after), &[]);
    if changes.is_empty() {
        return Ok(());
    }
    let entry = Entry::new(HistoryAction::Updated, ResourceId::Customers, id, &after.name, &changes)?;
    history::insert(tx, scope, now, vec![entry.in_batch(batch)]).await
}

/// Returns the columns that get other values, because these follow from the agreements, or nothing does.
fn columns(customer: &StoredCustomer, figures: Option<CustomerFigures>) -> Columns {
    let (shown, created_at) = (CustomerFigures::from(customer.record()), customer.created_at());
    match (&customer.record().typed, figures) {
        (None, None) => Columns::default(),
        (Some(_), Some(figures)) if figures == shown => Columns::default(),
        (Some(_), Some(figures)) => show(&figures, Columns::default(), created_at),
        (None, Some(figures)) => show(&figures, keep_as_typed(&shown), created_at),
        (Some(typed), None) => show(typed, forget_typed(), created_at),
    }
}
