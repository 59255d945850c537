//! The dashboard's call: what of the corporation's figures its caller may see.

use crate::clock::day;
use crate::db;
use crate::import;
use crate::listing::{self, CONTACTS, CUSTOMERS, INVOICES, Listing, MonthTally};
use crate::problem::{Answer, Refusal};
use crate::scope::{Scope, Signed};
use crate::state::App;
use axum::Json;
use axum::extract::State;
use forecourt_core::customers::AgreementType;
use forecourt_core::dashboard::{
    ContactFigures, CustomerFigures, Dashboard, IMPORTS, ImportFigures, InvoiceFigures, MonthlyTotal, visible_parts,
};
use forecourt_core::reply::Reply;

/// `GET /api/dashboard`: the parts that the person may see, up to the present month.
pub async fn get(actor: Signed, State(app): State<App>) -> Answer<Json<Reply<Dashboard>>> {
    let shown = visible_parts(&actor.permissions().await?);
    let today = day(app.clock.now()).ok_or_else(|| Refusal::unexpected("the clock shows no day"))?;
    let scope = actor.scope();
    let (invoices, customers, agreements, contacts, imports) = tokio::try_join!(
        months(shown.invoices, scope, &INVOICES),
        months(shown.customers, scope, &CUSTOMERS),
        agreements(shown.customers, scope),
        months(shown.contacts, scope, &CONTACTS),
        imports(shown.imports, scope),
    )?;
    Ok(Json(Reply::new(Dashboard {
        invoices: invoices.map(|months| InvoiceFigures::of(today, &months)),
        customers: customers.map(|months| CustomerFigures::of(today, &months, &agreements)),
        contacts: contacts.map(|months| ContactFigures::of(today, &months)),
        imports,
    })))
}

async fn months(shown: bool, scope: &Scope, listing: &Listing) -> db::Result<Option<Vec<MonthlyTotal>>> {
    if !shown {
        return Ok(None);
    }
    let months = listing::months(scope, listing).await?;
    let counted = |m: MonthTally| MonthlyTotal { month: m.month, count: m.count.unsigned_abs(), pence: m.value };
    Ok(Some(months.into_iter().map(counted).collect()))
}

async fn agreements(shown: bool, scope: &Scope) -> db::Result<Vec<(Option<AgreementType>, u64)>> {
    let kinds = if shown { listing::kinds(scope).await? } else { Vec::new() };
    Ok(kinds.iter().map(|k| (AgreementType::parse(&k.agreement_type), k.count.unsigned_abs())).collect())
}

async fn imports(shown: bool, scope: &Scope) -> db::Result<Option<Vec<ImportFigures>>> {
    if shown { import::latest(scope, IMPORTS).await.map(Some) } else { Ok(None) }
}
