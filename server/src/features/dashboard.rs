//! The dashboard: the corporation's figures that the user may see.

use crate::access::route::{self, Who, handler};
use crate::access::scope::{Scope, Signed};
use crate::features::Route;
use crate::features::import;
use crate::features::listing::{self, CONTACTS, CUSTOMERS, INVOICES, Listing, MonthTally};
use crate::features::state::App;
use crate::platform::clock::utc_date;
use crate::platform::db;
use crate::platform::error::{ApiError, ApiResult};
use axum::Json;
use axum::extract::State;
use forecourt_core::customers::AgreementType;
use forecourt_core::dashboard::{
    ContactFigures, CustomerFigures, Dashboard, IMPORTS, ImportFigures, InvoiceFigures, MonthlyTotal, visible_parts,
};
use forecourt_core::reply::Reply;

pub const ROUTES: &[Route] =
    &[route::get("/api/dashboard", Who::Session, handler!(get, "Returns the dashboard's figures"))];

/// `GET /api/dashboard`: the parts that the user may see. Charts end with the current month; totals count all
/// records.
pub async fn get(actor: Signed, State(app): State<App>) -> ApiResult<Json<Reply<Dashboard>>> {
    let visible = visible_parts(actor.access());
    let today = utc_date(app.clock.now()).ok_or_else(|| ApiError::internal("the clock shows no day"))?;
    let scope = actor.scope();
    let (invoices, customers, agreements, contacts, imports) = tokio::try_join!(
        months(visible.invoices, scope, &INVOICES),
        months(visible.customers, scope, &CUSTOMERS),
        agreements(visible.customers, scope),
        months(visible.contacts, scope, &CONTACTS),
        imports(visible.imports, scope),
    )?;
    Ok(Json(Reply::new(Dashboard {
        invoices: invoices.map(|months| InvoiceFigures::of(today, &months)),
        customers: customers.map(|months| CustomerFigures::of(today, &months, &agreements)),
        contacts: contacts.map(|months| ContactFigures::of(today, &months)),
        imports,
    })))
}

async fn months(is_visible: bool, scope: &Scope, listing: &Listing) -> db::Result<Option<Vec<MonthlyTotal>>> {
    if !is_visible {
        return Ok(None);
    }
    let months = listing::months(scope, listing).await?;
    let to_total = |m: MonthTally| MonthlyTotal { month: m.month, count: m.count.unsigned_abs(), pence: m.value };
    Ok(Some(months.into_iter().map(to_total).collect()))
}

async fn agreements(is_visible: bool, scope: &Scope) -> db::Result<Vec<(Option<AgreementType>, u64)>> {
    let tallies = if is_visible { listing::customer_tallies(scope, None).await? } else { Vec::new() };
    Ok(tallies.iter().map(|t| (AgreementType::parse(&t.agreement_type), t.count.unsigned_abs())).collect())
}

async fn imports(is_visible: bool, scope: &Scope) -> db::Result<Option<Vec<ImportFigures>>> {
    if is_visible { import::list_latest(scope, IMPORTS).await.map(Some) } else { Ok(None) }
}
