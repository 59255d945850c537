//! The address book's calls.

mod store;

use crate::db::{self, Tx};
use crate::problem::{Answer, Id, ListQuestion, Question, Refusal, Valid};
use crate::scope::{Contacts, Create, May, Read, Scope};
use crate::state::App;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use forecourt_core::contacts::{Contact, ContactInput, ContactList, ContactPagination, PAGE_SIZE, text};
use forecourt_core::form::Checked;
use forecourt_core::paging::total_pages;
use forecourt_core::reply::Reply;

pub(crate) use store::{NewContact, Origin};

/// `GET /api/contacts`
pub async fn list(may: May<Read, Contacts>, Question(question): Question<ListQuestion>) -> Answer<Json<ContactList>> {
    let (page, search) = question.read(PAGE_SIZE)?;
    let (data, total) = store::list(&may, page, search.as_deref()).await?;
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
) -> Answer<(StatusCode, Json<Reply<Contact>>)> {
    let contact = store::create(&may, contact, app.clock.now()).await?;
    Ok((StatusCode::CREATED, Json(Reply::new(contact).with_message(text::CREATED))))
}

/// `GET /api/contacts/{id}`
pub async fn get(may: May<Read, Contacts>, Id(id): Id) -> Answer<Json<Reply<Contact>>> {
    let contact = store::get(&may, id).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(Reply::new(contact)))
}

/// Writes a contact as part of a larger change, as of `now`.
pub(crate) async fn insert(tx: &mut Tx, scope: &Scope, contact: &Checked<ContactInput>, now: i64) -> db::Result<()> {
    store::insert_batch(tx, scope, vec![NewContact::new(contact.clone(), None)], None, now).await
}

/// Writes the contacts of an import's batch. A row that was written before is passed over.
pub(crate) async fn insert_imported(
    tx: &mut Tx,
    scope: &Scope,
    contacts: Vec<NewContact>,
    origin: &Origin,
    now: i64,
) -> db::Result<()> {
    store::insert_batch(tx, scope, contacts, Some(origin), now).await
}
