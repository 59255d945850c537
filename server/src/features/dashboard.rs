//! The dashboard: the corporation's figures that the user may see.

use crate::access::route::{self, Who, handler};
use crate::access::scope::{Scope, Signed};
use crate::features::Route;
use crate::features::agreements::sales_figures;
use crate::features::import;
use crate::features::invoices::totals_by_day;
use crate::features::listing::{self, CONTACTS, CUSTOMERS, INVOICES, Listing, MonthTally};
use crate::features::vehicles::stock_figures;
use crate::platform::db;
use crate::platform::error::ApiResult;
use crate::platform::extract::LocalDay;
use axum::Json;
use forecourt_core::customers::AgreementType;
use forecourt_core::dashboard::{
    ContactFigures, CustomerFigures, Dashboard, IMPORTS, InvoiceFigures, MonthlyTotal, visible_parts,
};
use forecourt_core::reply::Reply;

pub const ROUTES: &[Route] =
    &[route::get("/api/dashboard", Who::Session, handler!(get, "Returns the dashboard's figures"))];

/// `GET /api/dashboard`: the parts that the user may see. Charts end with the current month; totals count all
/// records.
pub async fn get(actor: Signed, LocalDay(today): LocalDay) -> ApiResult<Json<Reply<Dashboard>>> {
    let (visible, today) = (visible_parts(actor.access()), today.date());
    let scope = actor.scope();
    let (invoices, invoice_days, customers, types, contacts, imports, vehicles, agreements) = tokio::try_join!(
        months(visible.invoices, scope, &INVOICES),
        when(visible.invoices, || totals_by_day(scope, today)),
        months(visible.customers, scope, &CUSTOMERS),
        customer_counts(visible.customers, scope),
        months(visible.contacts, scope, &CONTACTS),
        when(visible.imports, || import::list_latest(scope, IMPORTS)),
        when(visible.vehicles, || stock_figures(scope, today)),
        when(visible.agreements, || sales_figures(scope, today)),
    )?;
    Ok(Json(Reply::new(Dashboard {
        invoices: invoices.map(|months| InvoiceFigures::of(today, &months, &invoice_days.unwrap_or_default())),
        customers: customers.map(|months| CustomerFigures::of(today, &months, &types)),
        contacts: contacts.map(|months| ContactFigures::of(today, &months)),
        imports,
        vehicles,
        agreements,
    })))
}

/// Returns what `find` finds, or `None` without looking if the part isn't visible.
async fn when<T>(is_visible: bool, find: impl AsyncFnOnce() -> db::Result<T>) -> db::Result<Option<T>> {
    if is_visible { find().await.map(Some) } else { Ok(None) }
}

async fn months(is_visible: bool, scope: &Scope, listing: &Listing) -> db::Result<Option<Vec<MonthlyTotal>>> {
    let to_total = |m: MonthTally| MonthlyTotal { month: m.month, count: m.count.unsigned_abs(), pence: m.value };
    let months = when(is_visible, || listing::months(scope, listing)).await?;
    Ok(months.map(|months| months.into_iter().map(to_total).collect()))
}

/// Returns numbers of customers with their type of agreement, which may occur several times; none if the part isn't
/// visible.
async fn customer_counts(is_visible: bool, scope: &Scope) -> db::Result<Vec<(Option<AgreementType>, u64)>> {
    let tallies = if is_visible { listing::customer_tallies(scope, None).await? } else { Vec::new() };
    Ok(tallies.iter().map(|t| (AgreementType::parse(&t.agreement_type), t.count.unsigned_abs())).collect())
}
