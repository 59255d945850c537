//! Doors to contacts.

use crate::{Door, api, checks};
use forecourt_call::{Call, Failure};
use forecourt_core::contacts::{
    self, Comment, CommentInput, Contact, ContactInput, ContactList, ContactQuery, ContactUpdateInput,
};
use forecourt_core::reply::Done;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkContact = check_contact(ContactInput), "Checks a contact.";
    checkContactUpdate = check_contact_update(ContactUpdateInput), "Checks a contact's change.";
    checkComment = check_comment(CommentInput), "Checks a comment.";
}

/// May this person edit the comment?
#[wasm_bindgen(js_name = mayEditComment)]
pub fn may_edit_comment(comment: Ts<Comment>, #[wasm_bindgen(js_name = userId)] user_id: &str) -> Door<bool> {
    Ok(contacts::may_edit_comment(&comment.to_rust()?, user_id))
}

/// May this person delete the comment?
#[wasm_bindgen(js_name = mayDeleteComment)]
pub fn may_delete_comment(
    comment: Ts<Comment>,
    #[wasm_bindgen(js_name = userId)] user_id: &str,
    #[wasm_bindgen(js_name = mayDeleteContacts)] may_delete_contacts: bool,
) -> Door<bool> {
    Ok(contacts::may_delete_comment(&comment.to_rust()?, user_id, may_delete_contacts))
}

/// How many contacts stand on a page.
#[wasm_bindgen(js_name = contactsPageSize)]
pub fn contacts_page_size() -> u32 {
    contacts::PAGE_SIZE
}

/// A page of contacts; the signal breaks the question off.
#[wasm_bindgen(js_name = listContacts)]
pub async fn list_contacts(query: Ts<ContactQuery>, signal: Option<AbortSignal>) -> Result<Ts<ContactList>, Failure> {
    let query = query.to_rust()?;
    let mut call = Call::get(contacts::PATH)
        .query("page", &query.page.to_string())
        .query("limit", &query.limit.to_string())
        .query("search", &query.search);
    if !query.import_batch_id.is_empty() {
        call = call.query("importBatchId", &query.import_batch_id);
    }
    Ok(api::call(&call.until(signal)).await?.whole()?)
}

/// One contact.
#[wasm_bindgen(js_name = getContact)]
pub async fn get_contact(id: String) -> Result<Ts<Contact>, Failure> {
    contact(&Call::get(contacts::PATH).under(&id)).await
}

/// Creates a contact.
#[wasm_bindgen(js_name = createContact)]
pub async fn create_contact(form: Ts<ContactInput>) -> Result<Ts<Contact>, Failure> {
    contact(&Call::post_as_is(contacts::PATH, &form)?).await
}

/// Changes a contact.
#[wasm_bindgen(js_name = updateContact)]
pub async fn update_contact(id: String, form: Ts<ContactUpdateInput>) -> Result<Ts<Contact>, Failure> {
    contact(&Call::put_as_is(contacts::PATH, &form)?.under(&id)).await
}

/// Deletes a contact with its comments.
#[wasm_bindgen(js_name = deleteContact)]
pub async fn delete_contact(id: String) -> Result<Ts<Done>, Failure> {
    Ok(api::call(&Call::delete(contacts::PATH).under(&id)).await?.whole()?)
}

/// Adds a comment; gives the contact with it.
#[wasm_bindgen(js_name = createComment)]
pub async fn create_comment(id: String, form: Ts<CommentInput>) -> Result<Ts<Contact>, Failure> {
    contact(&Call::post_as_is(contacts::PATH, &form)?.under(&id).under("comments")).await
}

/// Changes a comment; gives the contact with it.
#[wasm_bindgen(js_name = updateComment)]
pub async fn update_comment(
    id: String,
    #[wasm_bindgen(js_name = commentId)] comment_id: String,
    form: Ts<CommentInput>,
) -> Result<Ts<Contact>, Failure> {
    contact(&Call::put_as_is(contacts::PATH, &form)?.under(&id).under("comments").under(&comment_id)).await
}

/// Deletes a comment; gives the contact without it.
#[wasm_bindgen(js_name = deleteComment)]
pub async fn delete_comment(
    id: String,
    #[wasm_bindgen(js_name = commentId)] comment_id: String,
) -> Result<Ts<Contact>, Failure> {
    contact(&Call::delete(contacts::PATH).under(&id).under("comments").under(&comment_id)).await
}

async fn contact(call: &Call) -> Result<Ts<Contact>, Failure> {
    Ok(api::call(call).await?.data()?)
}
