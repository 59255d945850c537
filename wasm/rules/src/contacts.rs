//! Bindings for contacts.

use crate::{BindingResult, api, check_update, checks};
use forecourt_call::{ApiRequest, read};
use forecourt_core::contacts::{self, Comment, CommentInput, ContactInput, ContactUpdateInput};
use forecourt_core::form::FieldError;
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

checks! {
    checkContact = check_contact(ContactInput);
    checkComment = check_comment(CommentInput);
}

/// Returns the validation errors of a change of a contact. The stored website is accepted unchanged, even if it is
/// invalid.
#[wasm_bindgen(js_name = checkContactUpdate)]
pub fn check_contact_update(
    form: Ts<ContactUpdateInput>,
    #[wasm_bindgen(js_name = storedWebsite)] stored_website: Option<String>,
) -> BindingResult<Vec<Ts<FieldError>>> {
    check_update(&form, stored_website)
}

#[wasm_bindgen(js_name = mayEditComment)]
pub fn may_edit_comment(comment: Ts<Comment>, #[wasm_bindgen(js_name = userId)] user_id: &str) -> BindingResult<bool> {
    Ok(contacts::may_edit_comment(&read(&comment)?, user_id))
}

#[wasm_bindgen(js_name = mayDeleteComment)]
pub fn may_delete_comment(
    comment: Ts<Comment>,
    #[wasm_bindgen(js_name = userId)] user_id: &str,
    #[wasm_bindgen(js_name = mayDeleteContacts)] may_delete_contacts: bool,
) -> BindingResult<bool> {
    Ok(contacts::may_delete_comment(&read(&comment)?, user_id, may_delete_contacts))
}

/// Returns a page of the comments that are older than the comment `before`. `signal` aborts the request.
#[wasm_bindgen(js_name = listOlderComments, unchecked_return_type = "Promise<CommentList>")]
pub fn list_older_comments(id: String, before: &str, signal: Option<AbortSignal>) -> Promise {
    api::fetch_body(
        ApiRequest::get(contacts::PATH).segment(&id).segment("comments").query("before", before).abort_on(signal),
    )
}

/// Adds a comment, once if the call is repeated with the same `key`, a UUID, and returns the contact with its newest
/// comments.
#[wasm_bindgen(js_name = createComment, unchecked_return_type = "Promise<Contact>")]
pub fn create_comment(id: String, form: Ts<CommentInput>, key: String) -> Promise {
    api::fetch_data(ApiRequest::post(contacts::PATH, form).segment(&id).segment("comments").key(key))
}

/// Changes a comment, and returns the contact with its newest comments.
#[wasm_bindgen(js_name = updateComment, unchecked_return_type = "Promise<Contact>")]
pub fn update_comment(
    id: String,
    #[wasm_bindgen(js_name = commentId)] comment_id: String,
    form: Ts<CommentInput>,
) -> Promise {
    api::fetch_data(ApiRequest::put(contacts::PATH, form).segment(&id).segment("comments").segment(&comment_id))
}

/// Deletes a comment, and returns the contact with its newest remaining comments.
#[wasm_bindgen(js_name = deleteComment, unchecked_return_type = "Promise<Contact>")]
pub fn delete_comment(id: String, #[wasm_bindgen(js_name = commentId)] comment_id: String) -> Promise {
    api::fetch_data(ApiRequest::delete(contacts::PATH).segment(&id).segment("comments").segment(&comment_id))
}
