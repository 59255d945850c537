//! The dashboard's call: what of the corporation's figures its caller may see.

use crate::clock::day;
use crate::db;
use crate::import;
use crate::listing::{self, CONTACTS, CUSTOMERS, INVOICES, Listing};
use crate::problem::{Answer, Refusal};
use crate::scope::{Scope, Signed};
use crate::state::App;
use axum::Json;
use axum::extract::State;
use forecourt_core::customers::AgreementType;
use forecourt_core::dashboard::{
    ContactFigures, CustomerFigures, Dashboard, IMPORTS, ImportFigures, InvoiceFigures, Tally, parts,
};
use forecourt_core::reply::Reply;

/// `GET /api/dashboard`: the parts that the person may see, up to the present month.
pub async fn get(actor: Signed, State(app): State<App>) -> Answer<Json<Reply<Dashboard>>> {
    let shown = parts(&actor.permissions().await?);
    let today = day(app.clock.now()).ok_or_else(|| Refusal::unexpected("the clock shows no day"))?;
    let scope = actor.scope();
    let (invoices, customers, contacts, imports) = tokio::try_join!(
        tallies(shown.invoices, scope, &INVOICES),
        tallies(shown.customers, scope, &CUSTOMERS),
        tallies(shown.contacts, scope, &CONTACTS),
        imports(shown.imports, scope),
    )?;
    let customers = customers.map(|tallies| {
        let agreements: Vec<_> = tallies.iter().map(|t| (AgreementType::parse(&t.agreement_type), count(t))).collect();
        CustomerFigures::of(today, &counted(tallies), &agreements)
    });
    Ok(Json(Reply::new(Dashboard {
        invoices: invoices.map(|tallies| InvoiceFigures::of(today, &counted(tallies))),
        customers,
        contacts: contacts.map(|tallies| ContactFigures::of(today, &counted(tallies))),
        imports,
    })))
}

async fn tallies(shown: bool, scope: &Scope, listing: &Listing) -> db::Result<Option<Vec<listing::Tally>>> {
    if shown { listing::tallies(scope, listing).await.map(Some) } else { Ok(None) }
}

async fn imports(shown: bool, scope: &Scope) -> db::Result<Option<Vec<ImportFigures>>> {
    if shown { import::latest(scope, IMPORTS).await.map(Some) } else { Ok(None) }
}

fn counted(tallies: Vec<listing::Tally>) -> Vec<Tally> {
    let figures = |t: listing::Tally| Tally { count: count(&t), pence: t.value, month: t.month };
    tallies.into_iter().map(figures).collect()
}

fn count(tally: &listing::Tally) -> u64 {
    tally.count.unsigned_abs()
}
