//! Doors to contacts.

use crate::api;
use crate::checks;
use forecourt_call::{Call, Failure};
use forecourt_core::contacts::{self, Contact, ContactInput, ContactList, ContactQuery};
use forecourt_core::reply::Reply;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

checks! {
    checkContact = check_contact(ContactInput), "Checks a contact.";
}

/// The address that a contact's website leads to.
#[wasm_bindgen(js_name = websiteLink)]
pub fn website_link(website: &str) -> String {
    contacts::website_link(website)
}

/// How many contacts stand on a page.
#[wasm_bindgen(js_name = contactsPageSize)]
pub fn contacts_page_size() -> u32 {
    contacts::PAGE_SIZE
}

/// A page of contacts.
#[wasm_bindgen(js_name = listContacts)]
pub async fn list_contacts(query: Ts<ContactQuery>) -> Result<Ts<ContactList>, Failure> {
    let query = query.to_rust()?;
    let call = Call::get(contacts::PATH)
        .query("page", &query.page.to_string())
        .query("limit", &query.limit.to_string())
        .query("search", &query.search);
    Ok(api::call(&call).await?.read::<ContactList>()?.into_ts()?)
}

/// One contact.
#[wasm_bindgen(js_name = getContact)]
pub async fn get_contact(id: String) -> Result<Ts<Contact>, Failure> {
    let reply: Reply<Contact> = api::call(&Call::get(contacts::PATH).under(&id)).await?.read()?;
    Ok(reply.data.into_ts()?)
}

/// Creates a contact.
#[wasm_bindgen(js_name = createContact)]
pub async fn create_contact(form: Ts<ContactInput>) -> Result<Ts<Contact>, Failure> {
    let reply: Reply<Contact> = api::call(&Call::post(contacts::PATH, &form.to_rust()?)?).await?.read()?;
    Ok(reply.data.into_ts()?)
}
