//! Doors to looking up a company.

use crate::{api, checks};
use forecourt_call::{Call, Coming, Failure};
use forecourt_core::organizations::{self, Organization, OrganizationExists, OrganizationQuery};
use forecourt_core::reply::Reply;
use tsify::Ts;
use wasm_bindgen::prelude::*;

checks! {
    checkOrganizationNumber = check_organization_number(OrganizationQuery), "Checks the number that is looked up.";
}

/// What is odd about an organisation number, if anything; never a reason to refuse it.
#[wasm_bindgen(js_name = organizationNumberHint)]
pub fn organization_number_hint(number: &str) -> Option<String> {
    organizations::check_digit_hint(number).map(str::to_owned)
}

/// Are these the same number, however each is written?
#[wasm_bindgen(js_name = isSameOrganizationNumber)]
pub fn is_same_organization_number(one: &str, other: &str) -> bool {
    organizations::normalize_number(one) == organizations::normalize_number(other)
}

/// Looks a company up for a new corporation.
#[wasm_bindgen(js_name = searchOrganization)]
pub fn search_organization(query: Ts<OrganizationQuery>) -> Coming<Organization> {
    api::data(Call::post(organizations::SEARCH, query))
}

/// Looks a company's public record up, for a corporation that there is.
#[wasm_bindgen(js_name = searchPublicOrganization)]
pub fn search_public_organization(query: Ts<OrganizationQuery>) -> Coming<Organization> {
    api::data(Call::post(organizations::PUBLIC_SEARCH, query))
}

/// Does a corporation with this number exist already?
#[wasm_bindgen(js_name = organizationExists)]
pub async fn organization_exists(query: Ts<OrganizationQuery>) -> Result<bool, Failure> {
    let call = Call::post(organizations::CHECK_EXISTS, query);
    let reply: Reply<OrganizationExists> = api::call(&call).await?.read()?;
    Ok(reply.data.exists)
}
