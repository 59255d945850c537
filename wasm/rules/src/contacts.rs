//! Bindings for contacts.

use crate::{Door, api, check_change, checks};
use forecourt_call::{Call, Coming, read};
use forecourt_core::contacts::{
    self, Comment, CommentInput, CommentList, Contact, ContactInput, ContactList, ContactQuery, ContactUpdateInput,
};
use forecourt_core::form::FieldError;
use forecourt_core::reply::Done;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkContact = check_contact(ContactInput), "Validates a contact.";
    checkComment = check_comment(CommentInput), "Validates a comment.";
}

/// Validates a change of a contact; the stored website is accepted unchanged.
#[wasm_bindgen(js_name = checkContactUpdate)]
pub fn check_contact_update(
    form: Ts<ContactUpdateInput>,
    #[wasm_bindgen(js_name = storedWebsite)] stored_website: Option<String>,
) -> Door<Vec<Ts<FieldError>>> {
    check_change(&form, stored_website)
}

/// Returns whether the user may edit the comment.
#[wasm_bindgen(js_name = mayEditComment)]
pub fn may_edit_comment(comment: Ts<Comment>, #[wasm_bindgen(js_name = userId)] user_id: &str) -> Door<bool> {
    Ok(contacts::may_edit_comment(&read(&comment)?, user_id))
}

/// Returns whether the user may delete the comment.
#[wasm_bindgen(js_name = mayDeleteComment)]
pub fn may_delete_comment(
    comment: Ts<Comment>,
    #[wasm_bindgen(js_name = userId)] user_id: &str,
    #[wasm_bindgen(js_name = mayDeleteContacts)] may_delete_contacts: bool,
) -> Door<bool> {
    Ok(contacts::may_delete_comment(&read(&comment)?, user_id, may_delete_contacts))
}

/// Returns the number of contacts per page.
#[wasm_bindgen(js_name = contactsPageSize)]
pub fn contacts_page_size() -> u32 {
    contacts::PAGE_SIZE
}

/// Returns a page of contacts. `signal` aborts the request.
#[wasm_bindgen(js_name = listContacts)]
pub fn list_contacts(query: Ts<ContactQuery>, signal: Option<AbortSignal>) -> Coming<ContactList> {
    api::whole(read(&query).map(|query| {
        let call = Call::get(contacts::PATH).page(query.page, query.limit).query("search", &query.search);
        call.query_if_any("importBatchId", &query.import_batch_id).until(signal)
    }))
}

/// Returns a contact.
#[wasm_bindgen(js_name = getContact)]
pub fn get_contact(id: String) -> Coming<Contact> {
    api::data(Call::get(contacts::PATH).under(&id))
}

/// Creates a contact.
#[wasm_bindgen(js_name = createContact)]
pub fn create_contact(form: Ts<ContactInput>) -> Coming<Contact> {
    api::data(Call::post(contacts::PATH, form))
}

/// Changes a contact.
#[wasm_bindgen(js_name = updateContact)]
pub fn update_contact(id: String, form: Ts<ContactUpdateInput>) -> Coming<Contact> {
    api::data(Call::put(contacts::PATH, form).under(&id))
}

/// Deletes a contact with its comments.
#[wasm_bindgen(js_name = deleteContact)]
pub fn delete_contact(id: String) -> Coming<Done> {
    api::whole(Call::delete(contacts::PATH).under(&id))
}

/// Returns a page of the comments that are older than the comment `before`. `signal` aborts the request.
#[wasm_bindgen(js_name = listOlderComments)]
pub fn list_older_comments(id: String, before: &str, signal: Option<AbortSignal>) -> Coming<CommentList> {
    api::whole(Call::get(contacts::PATH).under(&id).under("comments").query("before", before).until(signal))
}

/// Adds a comment, and returns the contact with its comments.
#[wasm_bindgen(js_name = createComment)]
pub fn create_comment(id: String, form: Ts<CommentInput>) -> Coming<Contact> {
    api::data(Call::post(contacts::PATH, form).under(&id).under("comments"))
}

/// Changes a comment, and returns the contact with its comments.
#[wasm_bindgen(js_name = updateComment)]
pub fn update_comment(
    id: String,
    #[wasm_bindgen(js_name = commentId)] comment_id: String,
    form: Ts<CommentInput>,
) -> Coming<Contact> {
    api::data(Call::put(contacts::PATH, form).under(&id).under("comments").under(&comment_id))
}

/// Deletes a comment, and returns the contact with the remaining comments.
#[wasm_bindgen(js_name = deleteComment)]
pub fn delete_comment(id: String, #[wasm_bindgen(js_name = commentId)] comment_id: String) -> Coming<Contact> {
    api::data(Call::delete(contacts::PATH).under(&id).under("comments").under(&comment_id))
}
