//! Bindings for looking up companies.

use crate::{BindingResult, api, checks};
use forecourt_call::{ApiRequest, BindingError, to_js};
use forecourt_core::message::Message;
use forecourt_core::organizations::{self, OrganizationExists, OrganizationQuery};
use forecourt_core::reply::Reply;
use js_sys::Promise;
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkOrganizationNumber = check_organization_number(OrganizationQuery);
}

/// Returns a hint if the organization number looks wrong. It never prevents using the number.
#[wasm_bindgen(js_name = organizationNumberHint)]
pub fn organization_number_hint(number: &str) -> BindingResult<Option<Ts<Message>>> {
    organizations::check_digit_hint(number).map(to_js).transpose()
}

/// Returns true if both texts are the same organization number, regardless of their format.
#[wasm_bindgen(js_name = isSameOrganizationNumber)]
pub fn is_same_organization_number(one: &str, other: &str) -> bool {
    organizations::normalize_number(one) == organizations::normalize_number(other)
}

/// Looks up a company by its organization number, for the form that registers a corporation.
#[wasm_bindgen(js_name = searchOrganization, unchecked_return_type = "Promise<Organization>")]
pub fn search_organization(query: Ts<OrganizationQuery>) -> Promise {
    api::fetch_data(ApiRequest::post(organizations::SEARCH, query))
}

/// Looks up a company by its organization number, for the form of an existing corporation. If it is a corporation of
/// this installation, even the edited one, its e-mail and phone are left out.
#[wasm_bindgen(js_name = searchPublicOrganization, unchecked_return_type = "Promise<Organization>")]
pub fn search_public_organization(query: Ts<OrganizationQuery>) -> Promise {
    api::fetch_data(ApiRequest::post(organizations::PUBLIC_SEARCH, query))
}

/// Returns true if a corporation with this organization number exists on this installation.
#[wasm_bindgen(js_name = organizationExists)]
pub async fn organization_exists(query: Ts<OrganizationQuery>) -> Result<bool, BindingError> {
    let request = ApiRequest::post(organizations::CHECK_EXISTS, query);
    let reply: Reply<OrganizationExists> = api::send_authorized(&request).await?.parse()?;
    Ok(reply.data.exists)
}
