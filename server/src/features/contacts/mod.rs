//! The handlers of contacts.

mod changes;
pub mod comments;
mod routes;
mod store;

use crate::access::scope::{Contacts, Create, Delete, May, Read, Scope, Update};
use crate::features::state::App;
use crate::platform::db::{self, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, ListQuery, Params, UpdateForm, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::contacts::{
    Contact, ContactInput, ContactList, ContactPagination, ContactUpdateInput, PAGE_SIZE, text,
};
use forecourt_core::form::Checked;
use forecourt_core::paging::total_pages;
use forecourt_core::reply::{Done, Reply};
use forecourt_core::text::QUERY_INVALID;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

pub(crate) use store::{NewContact, Origin};

/// The query parameters of the list of contacts.
#[derive(Deserialize, JsonSchema)]
pub struct ContactQuestion {
    #[serde(flatten)]
    list: ListQuery,
    /// The id of the import that created the contacts.
    #[serde(default, rename = "importBatchId")]
    import: String,
}

/// `GET /api/contacts`
pub async fn list(
    may: May<Read, Contacts>,
    Params(ContactQuestion { list, import }): Params<ContactQuestion>,
) -> ApiResult<Json<ContactList>> {
    let (page, search) = list.read(PAGE_SIZE)?;
    let import = match import.trim() {
        "" => None,
        id => Some(Uuid::parse_str(id).map_err(|_| ApiError::invalid(QUERY_INVALID))?),
    };
    let (data, total) = store::list(&may, page, search.as_deref(), import).await?;
    let pagination = ContactPagination {
        current_page: page.page,
        total_pages: total_pages(total, page.limit),
        total_contacts: total,
    };
    Ok(Json(ContactList { success: true, data, pagination }))
}

/// `POST /api/contacts`
pub async fn create(
    may: May<Create, Contacts>,
    State(app): State<App>,
    Valid(contact): Valid<ContactInput>,
) -> ApiResult<Created<Reply<Contact>>> {
    let contact = store::create(&may, contact, app.clock.now()).await?;
    Ok(Created(Reply::new(contact).with_message(text::CREATED)))
}

/// `GET /api/contacts/{id}`: includes the newest comments.
pub async fn get(may: May<Read, Contacts>, Id(id): Id) -> ApiResult<Json<Reply<Contact>>> {
    Ok(Json(Reply::new(present(&may, id).await?)))
}

/// `PUT /api/contacts/{id}`
pub async fn update(
    may: May<Update, Contacts>,
    State(app): State<App>,
    Id(id): Id,
    change: UpdateForm<ContactUpdateInput>,
) -> ApiResult<Json<Reply<Contact>>> {
    let form = change.check(&app, store::website(&may, id).await?)?;
    let is_changed = changes::update(&may, id, form, app.clock.now()).await?;
    let contact = present(&may, id).await?;
    match is_changed {
        true => Ok(Json(Reply::new(contact).with_message(text::UPDATED))),
        false => Err(ApiError::version_conflict(&contact)),
    }
}

/// `DELETE /api/contacts/{id}`: deletes its comments too. The counts of its import do not change.
pub async fn delete(may: May<Delete, Contacts>, Id(id): Id) -> ApiResult<Json<Done>> {
    match changes::delete(&may, id).await? {
        true => Ok(Json(Done::new(text::DELETED))),
        false => Err(ApiError::NotFound),
    }
}

/// Returns the current state of a contact, with its newest comments.
async fn present(scope: &Scope, id: Uuid) -> ApiResult<Contact> {
    let contact = async { store::get(scope, id).await?.ok_or(ApiError::NotFound) };
    let (contact, comments, comments_total) =
        tokio::try_join!(contact, comments::newest(scope, id), comments::count(scope, id))?;
    Ok(Contact { comments, comments_total, ..contact })
}

/// Inserts contacts in the caller's transaction.
pub(crate) async fn insert(
    tx: &mut Tx,
    scope: &Scope,
    contacts: Vec<Checked<ContactInput>>,
    now: i64,
) -> db::Result<()> {
    let contacts = contacts.into_iter().map(|contact| NewContact::new(contact, None)).collect();
    store::insert_batch(tx, scope, contacts, None, now).await
}

/// Inserts the contacts of an import batch. Skips rows that are already imported.
pub(crate) async fn insert_imported(
    tx: &mut Tx,
    scope: &Scope,
    contacts: Vec<NewContact>,
    origin: &Origin,
    now: i64,
) -> db::Result<()> {
    store::insert_batch(tx, scope, contacts, Some(origin), now).await
}
