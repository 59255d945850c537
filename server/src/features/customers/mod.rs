//! The handlers of customers.

mod key_rotation;
mod routes;
mod store;

use crate::access::scope::{Create, Customers, Delete, May, Read, Update};
use crate::features::replies::{delete_reply, update_reply};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{ArrangementQuery, Id, IdAndForm, Params, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::customers::{
    Customer, CustomerFilter, CustomerInput, CustomerList, CustomerSummary, CustomerUpdateInput, PAGE_SIZE,
    PersonInput, text,
};
use forecourt_core::form::{FieldError, check};
use forecourt_core::paging::{PageQuery, read_search, total_pages};
use forecourt_core::reply::{Done, Reply};
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;

pub use key_rotation::rotate;
pub(crate) use store::{INSERT, NewCustomer, push_values};

/// The query parameters of the list of customers, not yet parsed.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerQuery {
    #[serde(flatten)]
    page: PageQuery,
    #[serde(default)]
    search_term: String,
    #[serde(flatten)]
    filter: CustomerFilter,
    #[serde(flatten)]
    arrangement: ArrangementQuery<CustomerSummary>,
}

pub async fn list(may: May<Read, Customers>, Params(question): Params<CustomerQuery>) -> ApiResult<Json<CustomerList>> {
    let page = question.page.read(PAGE_SIZE)?;
    let rename = |e: FieldError| FieldError { field: "searchTerm".into(), ..e };
    let search =
        read_search(&question.search_term).map_err(|errors| errors.into_iter().map(rename).collect::<Vec<_>>())?;
    let filter = check(question.filter)?;
    let arrangement = question.arrangement.read()?;
    let (data, total_items, stats) = store::list(&may, page, search.as_deref(), &filter, arrangement).await?;
    let total_pages = total_pages(total_items, page.limit);
    Ok(Json(CustomerList { success: true, data, total_items, total_pages, stats }))
}

pub async fn create(
    may: May<Create, Customers>,
    State(app): State<App>,
    Valid(form): Valid<CustomerInput>,
) -> ApiResult<Created<Reply<CustomerSummary>>> {
    let customer = store::create(&may, &app.data_keys, &form, app.clock.now()).await?;
    Ok(Created(Reply::new(customer).with_message(text::CREATED)))
}

/// `GET /api/customers/{id}`: the only response that contains the social security number.
pub async fn get(may: May<Read, Customers>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Reply<Customer>>> {
    Ok(Json(Reply::new(store::get(&may, &app.data_keys, id).await?)))
}

pub async fn update(
    may: May<Update, Customers>,
    State(app): State<App>,
    IdAndForm(id, form): IdAndForm<CustomerUpdateInput>,
) -> ApiResult<Json<Reply<CustomerSummary>>> {
    let is_updated = store::update(&may, &app.data_keys, id, &form, app.clock.now()).await?;
    update_reply(is_updated, store::get_summary(&may, id).await?, text::UPDATED)
}

pub async fn delete(may: May<Delete, Customers>, Id(id): Id) -> ApiResult<Json<Done>> {
    delete_reply(store::delete(&may, id).await?, text::DELETED)
}

/// `POST /api/customers/search-person`: finds the customer with a telephone number.
pub async fn search_person(
    may: May<Read, Customers>,
    Valid(person): Valid<PersonInput>,
) -> ApiResult<Json<Reply<CustomerSummary>>> {
    let customer = store::find_by_telephone(&may, &person.phone_number).await?;
    Ok(Json(Reply::new(customer.ok_or(ApiError::NoMatch(text::PERSON_NOT_FOUND))?)))
}
