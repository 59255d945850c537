//! The handlers that only customers have. Those that all kinds of records share are in `records`.

mod figures;
mod key_rotation;
mod record;
mod routes;
mod row;
mod store;
mod stored;
mod values;

use crate::access::scope::{Customers, May, Read};
use crate::features::listing::Listed;
use crate::features::records::{self, ListParameters, ListRequest, panel_filter};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{ArrangedListQuery, Id, LocalDay, Params, Valid};
use axum::Json;
use axum::extract::State;
use forecourt_core::customers::{
    Customer, CustomerFilter, CustomerList, CustomerSummary, PAGE_SIZE, PersonInput, text,
};
use forecourt_core::form::{FieldError, check};
use forecourt_core::lists::Today;
use forecourt_core::paging::{read_search, total_pages};
use forecourt_core::permissions::Access;
use forecourt_core::reply::Reply;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use figures::refresh as refresh_figures;
pub use key_rotation::rotate;
pub(crate) use store::{Number, columns, encrypt_number, get as read_whole};
pub(crate) use stored::StoredCustomer;

/// The query parameters of the list of customers, not yet parsed.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerQuery {
    #[serde(flatten)]
    list: ArrangedListQuery<CustomerSummary, PAGE_SIZE>,
    /// Alternative name of `search`.
    #[serde(default)]
    search_term: String,
    #[serde(flatten)]
    filter: CustomerFilter,
}

impl ListParameters for CustomerQuery {
    fn read(&self, access: &Access, today: &Today) -> ApiResult<ListRequest> {
        let request = ListParameters::read(&self.list, access, today)?;
        let rename = |e: FieldError| FieldError { field: "searchTerm".into(), ..e };
        let search_term =
            read_search(&self.search_term).map_err(|errors| errors.into_iter().map(rename).collect::<Vec<_>>())?;
        let filter = panel_filter(&check(self.filter.clone())?);
        Ok(ListRequest { search: request.search.or(search_term), filter, ..request })
    }
}

pub async fn list(
    may: May<Read, Customers>,
    LocalDay(today): LocalDay,
    Params(query): Params<CustomerQuery>,
) -> ApiResult<Json<CustomerList>> {
    let request = query.read(may.access(), &today)?;
    let Listed { rows, total, changes } = records::list::<CustomerSummary>(&may, &request).await?;
    let stats = store::stats(&may, changes).await?;
    let total_pages = total_pages(total, request.page.limit);
    Ok(Json(CustomerList { success: true, data: rows, total_items: total, total_pages, stats }))
}

/// `GET /api/customers/{id}`: the response contains the social security number. Besides it, only the export of a
/// person's data does.
pub async fn get(may: May<Read, Customers>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Reply<Customer>>> {
    Ok(Json(Reply::new(store::get(&may, &app.data_keys, id).await?)))
}

/// `POST /api/customers/search-person`: finds the customer with a telephone number.
pub async fn search_person(
    may: May<Read, Customers>,
    Valid(person): Valid<PersonInput>,
) -> ApiResult<Json<Reply<CustomerSummary>>> {
    let customer = store::find_by_telephone(&may, &person.phone_number).await?;
    Ok(Json(Reply::new(customer.ok_or(ApiError::NotFoundBecause(text::PERSON_NOT_FOUND))?)))
}
