//! The directory in which a company is looked up by its number (decisions 4.7): the platform's own organisations, then the
//! list that was loaded, then the company register that the settings name.

mod listed;
mod own;
mod register;

pub use listed::import;
pub(crate) use own::is_taken;
pub use register::Register;

use crate::limits;
use crate::problem::{Answer, Refusal, Valid};
use crate::scope::{Corporations, May, Read};
use crate::state::App;
use axum::Json;
use axum::extract::State;
use forecourt_core::organizations::{
    Organization, OrganizationExists, OrganizationQuery, normalize_number, text, without_contact_details,
};
use forecourt_core::reply::Reply;
use futures_util::future::BoxFuture;
use listed::Listed;
use own::Own;

/// One place where companies are looked up.
pub(crate) trait Directory: Send + Sync {
    /// The company of a number, as somebody wrote it, if this place knows it.
    fn find<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Answer<Option<Organization>>>;
}

/// `POST /api/orgs/search`: all that is known of a company, for registering it.
pub async fn search(
    platform: May<Read, Corporations>,
    State(app): State<App>,
    Valid(query): Valid<OrganizationQuery>,
) -> Answer<Json<Reply<Organization>>> {
    look_up(&app, platform, &query.organization_number, |record| record).await
}

/// `POST /api/orgs/public-search`: what anybody may know of it.
pub async fn public_search(
    platform: May<Read, Corporations>,
    State(app): State<App>,
    Valid(query): Valid<OrganizationQuery>,
) -> Answer<Json<Reply<Organization>>> {
    look_up(&app, platform, &query.organization_number, without_contact_details).await
}

/// `POST /api/orgs/check-exists`: whether a corporation with this number is registered here.
pub async fn check_exists(
    platform: May<Read, Corporations>,
    State(app): State<App>,
    Valid(query): Valid<OrganizationQuery>,
) -> Answer<Json<Reply<OrganizationExists>>> {
    limits::take(&app, limits::LOOKUPS, platform.user().as_bytes()).await?;
    let exists = own::find(&app.db, &platform, &normalize_number(&query.organization_number)).await?.is_some();
    let message = if exists { text::FOUND } else { text::NOT_FOUND };
    Ok(Json(Reply::new(OrganizationExists { exists }).with_message(message)))
}

/// Asks one place after the other. One that fails is the last, so what it says is the answer.
async fn look_up(
    app: &App,
    platform: May<Read, Corporations>,
    number: &str,
    show: fn(Organization) -> Organization,
) -> Answer<Json<Reply<Organization>>> {
    limits::take(app, limits::LOOKUPS, platform.user().as_bytes()).await?;
    let (own, listed) = (Own { db: &app.db, platform, show }, Listed(&app.db));
    let mut places: Vec<&dyn Directory> = vec![&own, &listed];
    places.extend(app.register.as_deref().map(|register| register as &dyn Directory));
    for place in places {
        if let Some(found) = place.find(number).await? {
            return Ok(Json(Reply::new(found).with_message(text::FOUND)));
        }
    }
    Err(Refusal::Unknown(text::NOT_FOUND))
}
