//! The handlers that only invoices have. Those that all kinds of records share are in `records`.

mod routes;
mod store;

use crate::access::describe::{Operation, ResponseType};
use crate::access::scope::{Invoices, May, Read};
use crate::features::records::ListParameters;
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, LocalDay, Params};
use axum::Json;
use axum::response::{IntoResponse, Response};
use forecourt_core::invoices::{Invoice, InvoiceTotal, PAGE_SIZE, TOTAL_HEADER, UNPAGED_MAX, UNPAGED_MAX_BYTES};
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

pub use store::totals_by_day;

/// The invoices as a plain array, and a header with the total number on all pages.
pub struct List {
    invoices: Vec<Invoice>,
    total: u64,
}

impl IntoResponse for List {
    fn into_response(self) -> Response {
        ([(TOTAL_HEADER, self.total.to_string())], Json(self.invoices)).into_response()
    }
}

impl ResponseType for List {
    fn describe(operation: &mut Operation) {
        Json::<Vec<Invoice>>::describe(operation);
        let number = json!({"type": "integer", "minimum": 0});
        operation.add_response_header(TOTAL_HEADER, "Number of invoices on all pages.", &number);
        operation.notes.push(format!(
            "Without page and limit, returns the first {UNPAGED_MAX} invoices, or fewer if they take more than {} MB.",
            UNPAGED_MAX_BYTES / 1_000_000
        ));
    }
}

/// `GET /api/invoices`: returns one page if the query has `page` or `limit`, else all up to the limit of
/// [`store::first`]; newest first unless it has a sort order.
pub async fn list(
    may: May<Read, Invoices>,
    LocalDay(today): LocalDay,
    Params(query): Params<ArrangedListQuery<Invoice, PAGE_SIZE>>,
) -> ApiResult<List> {
    let request = ListParameters::read(&query, may.access(), &today)?;
    let (invoices, total) = match query.list.is_paged() {
        true => store::list(&may, &request).await?,
        false => store::first(&may, &request).await?,
    };
    Ok(List { invoices, total })
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
