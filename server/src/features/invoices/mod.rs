//! The handlers that only invoices have. Those that all kinds of records share are in `records`.

mod routes;
mod store;

use crate::access::scope::{Invoices, May, Read};
use crate::features::records::ListParameters;
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, LocalDay, Params};
use axum::Json;
use forecourt_core::invoices::{Invoice, InvoiceTotal, TOTAL_HEADER};
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Serialize;

pub use store::totals_by_day;

/// The invoices as a plain array, and a header with the total number on all pages.
type List = ([(&'static str, String); 1], Json<Vec<Invoice>>);

/// `GET /api/invoices`: returns one page if the query has `page` or `limit`, else all up to the limit of
/// [`store::first`]; newest first unless it has a sort order.
pub async fn list(
    may: May<Read, Invoices>,
    LocalDay(today): LocalDay,
    Params(query): Params<ArrangedListQuery<Invoice>>,
) -> ApiResult<List> {
    let request = ListParameters::read(&query, may.access(), &today)?;
    let (invoices, total) = match query.list.is_paged() {
        true => store::list(&may, &request).await?,
        false => store::first(&may, &request).await?,
    };
    Ok(([(TOTAL_HEADER, total.to_string())], Json(invoices)))
}

/// The number of invoices, where existing clients read it; `data` repeats it.
#[derive(JsonSchema, Serialize)]
pub struct Total {
    #[serde(flatten)]
    reply: InvoiceTotal,
    data: TotalData,
}

#[derive(JsonSchema, Serialize)]
struct TotalData {
    total: u64,
}

pub async fn total(may: May<Read, Invoices>) -> ApiResult<Json<Total>> {
    let total = store::total(&may).await?;
    Ok(Json(Total { reply: InvoiceTotal { success: true, total }, data: TotalData { total } }))
}
