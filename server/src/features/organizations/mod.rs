//! Looking up a company by its number (docs/product.md 4.7): in the platform's own organizations, then in the loaded
//! list, then in the configured company register.

mod company_register;
mod directory;
pub mod directory_url;
mod routes;
mod store;

pub use company_register::CompanyRegister;
pub use directory::import;
pub(crate) use store::is_number_taken;

use crate::access::scope::{Corporations, May, Read};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::limits;
use axum::Json;
use axum::extract::State;
use forecourt_core::organizations::{
    Organization, OrganizationExists, OrganizationQuery, normalize_number, text, without_email_and_phone,
};
use forecourt_core::reply::Reply;
pub use routes::ROUTES;

/// `POST /api/orgs/search`: all known data of a company, for registering it.
pub async fn search(
    may: May<Read, Corporations>,
    State(app): State<App>,
    Valid(query): Valid<OrganizationQuery>,
) -> ApiResult<Json<Reply<Organization>>> {
    look_up(&app, may, &query.organization_number, |record| record).await
}

/// `POST /api/orgs/public-search`: as [`search`], but without e-mail and phone if the
/// company is a corporation of this installation.
pub async fn public_search(
    may: May<Read, Corporations>,
    State(app): State<App>,
    Valid(query): Valid<OrganizationQuery>,
) -> ApiResult<Json<Reply<Organization>>> {
    look_up(&app, may, &query.organization_number, without_email_and_phone).await
}

/// `POST /api/orgs/check-exists`: whether a corporation with this number is registered here.
pub async fn check_exists(
    may: May<Read, Corporations>,
    State(app): State<App>,
    Valid(query): Valid<OrganizationQuery>,
) -> ApiResult<Json<Reply<OrganizationExists>>> {
    limits::count_use(&app, limits::LOOKUPS, may.user().as_bytes()).await?;
    let exists = store::find(&app.db, &may, &normalize_number(&query.organization_number)).await?.is_some();
    let message = if exists { text::FOUND } else { text::NOT_FOUND };
    Ok(Json(Reply::new(OrganizationExists { exists }).with_message(message)))
}

/// Looks a company up in the three sources in order. An error of one source ends the search.
async fn look_up(
    app: &App,
    may: May<Read, Corporations>,
    number: &str,
    filter_fields: fn(Organization) -> Organization,
) -> ApiResult<Json<Reply<Organization>>> {
    limits::count_use(app, limits::LOOKUPS, may.user().as_bytes()).await?;
    let key = normalize_number(number);
    let mut found = store::find(&app.db, &may, &key).await?.map(filter_fields);
    if found.is_none() {
        found = directory::find(&app.db, &key).await?;
    }
    if let (None, Some(register)) = (&found, &app.register) {
        found = register.find(number).await?;
    }
    let found = found.ok_or(ApiError::NotFoundBecause(text::NOT_FOUND))?;
    Ok(Json(Reply::new(found).with_message(text::FOUND)))
}
