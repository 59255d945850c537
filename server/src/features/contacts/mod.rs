//! The handlers of contacts.

mod comment_store;
pub mod comments;
mod routes;
mod store;

use crate::access::scope::{Contacts, Create, May, Read, Scope, Update};
use crate::features::listing::{ListFilter, Listed};
use crate::features::records::{self, ListParameters, ListRequest, update_reply};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{ArrangedListQuery, Id, Params, UpdateForm, Valid};
use crate::platform::responses::Created;
use axum::Json;
use axum::extract::State;
use forecourt_core::contacts::{
    Contact, ContactInput, ContactList, ContactPagination, ContactSummary, ContactUpdateInput, PAGE_SIZE, text,
};
use forecourt_core::paging::total_pages;
use forecourt_core::reply::Reply;
use forecourt_core::text::QUERY_INVALID;
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

pub(crate) use store::{NewContact, Origin, insert_batch};

/// The query parameters of the list of contacts.
#[derive(Deserialize, JsonSchema)]
pub struct ContactQuery {
    #[serde(flatten)]
    list: ArrangedListQuery<ContactSummary>,
    /// The id of the import that created the contacts.
    #[serde(default, rename = "importBatchId")]
    import: String,
}

impl ListParameters for ContactQuery {
    fn read(&self) -> ApiResult<ListRequest> {
        let request = self.list.request(PAGE_SIZE)?;
        let import = match self.import.trim() {
            "" => None,
            id => Some(Uuid::parse_str(id).map_err(|_| ApiError::invalid(QUERY_INVALID))?),
        };
        Ok(ListRequest { filter: ListFilter { import, ..request.filter }, ..request })
    }
}

pub async fn list(may: May<Read, Contacts>, Params(query): Params<ContactQuery>) -> ApiResult<Json<ContactList>> {
    let request = query.read()?;
    let Listed { rows, total, .. } = records::list::<ContactSummary>(&may, &request).await?;
    let pagination = ContactPagination {
        current_page: request.page.page,
        total_pages: total_pages(total, request.page.limit),
        total_contacts: total,
    };
    Ok(Json(ContactList { success: true, data: rows, pagination }))
}

pub async fn create(
    may: May<Create, Contacts>,
    State(app): State<App>,
    Valid(form): Valid<ContactInput>,
) -> ApiResult<Created<Reply<Contact>>> {
    let contact = store::create(&may, form, app.clock.now()).await?;
    Ok(Created(Reply::new(contact).with_message(text::CREATED)))
}

/// `GET /api/contacts/{id}`: includes the newest comments.
pub async fn get(may: May<Read, Contacts>, Id(id): Id) -> ApiResult<Json<Reply<Contact>>> {
    Ok(Json(Reply::new(get_with_comments(&may, id).await?)))
}

pub async fn update(
    may: May<Update, Contacts>,
    State(app): State<App>,
    Id(id): Id,
    change: UpdateForm<ContactUpdateInput>,
) -> ApiResult<Json<Reply<Contact>>> {
    let form = change.check(&app, records::website::<ContactSummary>(&may, id).await?)?;
    let is_updated = store::update(&may, id, form, app.clock.now()).await?;
    update_reply(is_updated, get_with_comments(&may, id).await?, text::UPDATED)
}

/// Returns the current state of a contact, with its newest comments.
async fn get_with_comments(scope: &Scope, id: Uuid) -> ApiResult<Contact> {
    let contact = async { Ok(store::get(scope, id).await?) };
    let (contact, comments, comments_total) =
        tokio::try_join!(contact, comment_store::newest(scope, id), comment_store::count(scope, id))?;
    Ok(Contact { comments, comments_total, ..contact })
}
