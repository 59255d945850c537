//! Bindings for looking up companies.

use crate::{api, checks};
use forecourt_call::{Call, Coming, Failure};
use forecourt_core::organizations::{self, Organization, OrganizationExists, OrganizationQuery};
use forecourt_core::reply::Reply;
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkOrganizationNumber = check_organization_number(OrganizationQuery), "Validates the number of a lookup.";
}

/// Returns a hint if the organization number looks wrong. It never prevents using the number.
#[wasm_bindgen(js_name = organizationNumberHint)]
pub fn organization_number_hint(number: &str) -> Option<String> {
    organizations::check_digit_hint(number).map(str::to_owned)
}

/// Returns whether both are the same number, regardless of their format.
#[wasm_bindgen(js_name = isSameOrganizationNumber)]
pub fn is_same_organization_number(one: &str, other: &str) -> bool {
    organizations::normalize_number(one) == organizations::normalize_number(other)
}

/// Looks up a company for a new corporation.
#[wasm_bindgen(js_name = searchOrganization)]
pub fn search_organization(query: Ts<OrganizationQuery>) -> Coming<Organization> {
    api::data(Call::post(organizations::SEARCH, query))
}

/// Looks up the public record of a company, for an existing corporation.
#[wasm_bindgen(js_name = searchPublicOrganization)]
pub fn search_public_organization(query: Ts<OrganizationQuery>) -> Coming<Organization> {
    api::data(Call::post(organizations::PUBLIC_SEARCH, query))
}

/// Returns whether a corporation with this number exists.
#[wasm_bindgen(js_name = organizationExists)]
pub async fn organization_exists(query: Ts<OrganizationQuery>) -> Result<bool, Failure> {
    let call = Call::post(organizations::CHECK_EXISTS, query);
    let reply: Reply<OrganizationExists> = api::call(&call).await?.read()?;
    Ok(reply.data.exists)
}
