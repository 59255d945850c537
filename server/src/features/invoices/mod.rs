//! The handlers of invoices.

mod routes;
mod store;

use crate::access::scope::{Create, Invoices, May, Read, Update};
use crate::features::records::{self, ListParameters, ListRequest, update_reply};
use crate::features::state::App;
use crate::platform::error::ApiResult;
use crate::platform::extract::{ArrangedListQuery, Id, Params, UpdateForm, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::invoices::{Invoice, InvoiceInput, InvoiceTotal, PAGE_SIZE, TOTAL_HEADER, text};
use forecourt_core::reply::Reply;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use store::{INSERT, push_values};

/// The invoices as a plain array, and a header with the total number on all pages.
type List = ([(&'static str, String); 1], Json<Vec<Invoice>>);

impl ListParameters for ArrangedListQuery<Invoice> {
    fn read(&self) -> ApiResult<ListRequest> {
        self.request(PAGE_SIZE)
    }
}

/// `GET /api/invoices`: returns one page if the query names one, else all up to the limit of [`store::first`]; newest
/// first unless it has a sort order.
pub async fn list(may: May<Read, Invoices>, Params(query): Params<ArrangedListQuery<Invoice>>) -> ApiResult<List> {
    let request = ListParameters::read(&query)?;
    let (invoices, total) = match query.list.is_paged() {
        true => store::list(&may, &request).await?,
        false => store::first(&may, &request).await?,
    };
    Ok(([(TOTAL_HEADER, total.to_string())], Json(invoices)))
}

/// The total where existing clients read it; `data` repeats it.
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

pub async fn create(
    may: May<Create, Invoices>,
    State(app): State<App>,
    Valid(form): Valid<InvoiceInput>,
) -> ApiResult<Created<Reply<Invoice>>> {
    let invoice = store::create(&may, form, app.clock.now()).await?;
    Ok(Created(Reply::new(invoice).with_message(text::CREATED)))
}

pub async fn update(
    may: May<Update, Invoices>,
    State(app): State<App>,
    Id(id): Id,
    change: UpdateForm<InvoiceInput>,
) -> ApiResult<Json<Reply<Invoice>>> {
    let form = change.check(&app, records::website::<Invoice>(&may, id).await?)?;
    let is_updated = store::update(&may, id, form, app.clock.now()).await?;
    update_reply(is_updated, records::get::<Invoice>(&may, id).await?, text::UPDATED)
}
