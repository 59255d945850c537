//! Sign-in with an OpenID Connect provider, and connecting an account with it (docs/product.md 2.7). A user is
//! identified by issuer and subject. An e-mail connects an account only once, and only if both sides verified it.
//!
//! **Invariant:** every redirect goes to one of the paths of [`Landing`], to the provider, or to the callback page with
//! one-time values. No target is taken from a request.

pub(crate) mod identities;
mod journey;
mod metadata;
mod provider;

pub use provider::Provider;

use super::{handoffs, passwords};
use crate::access::route::Who;
use crate::access::scope::{Signed, authorize_again};
use crate::features::state::App;
use crate::features::users;
use crate::platform::clock::DAY;
use crate::platform::db::{self, Db};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::http;
use crate::platform::limits;
use crate::platform::mail::MailMessage;
use crate::platform::responses::Redirect;
use axum::Json;
use axum::extract::Query;
use axum::extract::State;
use axum::extract::rejection::QueryRejection;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use forecourt_core::auth::mail::provider_connected_mail;
use forecourt_core::auth::{Departure, ForgotInput, may_link_by_email, text};
use forecourt_core::form::check;
use forecourt_core::permissions::UserType;
use forecourt_core::profile::ConnectInput;
use forecourt_core::reply::{Done, Reply};
use journey::Journey;
use provider::{Person, Return, Trouble};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

/// Maximum length of a device name.
const DEVICE_NAME_MAX: usize = 200;
/// How long the mail about a new connection may wait for a mail server.
const NOTICE: i64 = DAY;

/// Where a browser is redirected without one-time values. The screens show a message for each value.
#[derive(Clone, Copy)]
enum Landing {
    /// The redirect was not started on this site.
    Unasked,
    Off,
    Failed,
    /// No account matches.
    Unknown,
    Connected,
    /// The provider identity belongs to another account.
    Taken,
    ConnectFailed,
}

impl Landing {
    fn place(self) -> &'static str {
        match self {
            Landing::Unasked => "/login",
            Landing::Off => "/login?federated=off",
            Landing::Failed => "/login?federated=failed",
            Landing::Unknown => "/login?federated=unknown",
            Landing::Connected => "/dashboard/profile?connected=yes",
            Landing::Taken => "/dashboard/profile?connected=taken",
            Landing::ConnectFailed => "/dashboard/profile?connected=failed",
        }
    }
}

/// Why a login flow failed.
enum Stop {
    Failed,
    /// The database is busy or down, or another internal error.
    Refused(ApiError),
    Unknown,
    Taken,
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        tracing::warn!(%trouble, "a sign-in with the provider failed");
        Stop::Failed
    }
}

impl From<ApiError> for Stop {
    fn from(error: ApiError) -> Self {
        Stop::Refused(error)
    }
}

impl From<sqlx::Error> for Stop {
    fn from(error: sqlx::Error) -> Self {
        ApiError::from(error).into()
    }
}

/// The query parameters of the redirect to the provider. Others are ignored.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Leave {
    device_name: String,
}

/// `GET /api/auth/google`: sends the browser to the provider.
pub async fn leave(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<Leave>, QueryRejection>,
) -> Redirect {
    if is_from_another_site(&headers) {
        return Redirect::new(Landing::Unasked.place(), []);
    }
    let device_name = query.map(|Query(leave)| leave.device_name).unwrap_or_default();
    let device_name = device_name.trim().chars().filter(|c| !c.is_control()).take(DEVICE_NAME_MAX).collect();
    match depart(&app, &app.db, device_name, None).await {
        Ok(Some((url, cookie))) => Redirect::new(&url, [cookie]),
        Ok(None) => Redirect::new(Landing::Off.place(), []),
        Err(_) => Redirect::new(Landing::Failed.place(), []),
    }
}

/// Returns whether a page of another site sent the browser. A provider that does not ask for consent would otherwise
/// sign the user in unintentionally. Browsers have sent this header since 2023; without it the origin is unknown.
fn is_from_another_site(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site")
}

/// The provider's address, and the cookie of the login flow.
type Departing = ([(HeaderName, HeaderValue); 1], Json<Reply<Departure>>);

/// `POST /api/auth/google/connect`: returns the address at which the signed-in user connects the account. It requires
/// the password, because a session left open could otherwise be turned into permanent access.
pub async fn connect(State(app): State<App>, actor: Signed, Valid(form): Valid<ConnectInput>) -> ApiResult<Departing> {
    limits::count_use(&app, limits::OIDC_LINKS, actor.scope().user().as_bytes()).await?;
    let scope = actor.scope();
    let account = users::find(&app.db, scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)?;
    passwords::prove(&app, &account, "currentPassword", form.into_inner().current_password).await?;
    let refused = |message: &str| ApiError::Conflict(message.into());
    let departing = depart(&app, scope.db(), String::new(), Some(actor.session()));
    let departure = departing.await.map_err(|stop| match stop {
        Stop::Refused(error) => error,
        _ => refused(text::CONNECT_FAILED),
    })?;
    let (url, cookie) = departure.ok_or_else(|| refused(text::FEDERATED_OFF))?;
    Ok(([(header::SET_COOKIE, cookie)], Json(Reply::new(Departure { url }))))
}

/// `DELETE /api/auth/google/connect`
pub async fn disconnect(State(app): State<App>, actor: Signed) -> ApiResult<Json<Done>> {
    identities::disconnect(actor.scope(), &app.feature_config.auth.oidc_issuer).await?;
    Ok(Json(Done::new(text::DISCONNECTED)))
}

/// Starts a login flow. Returns the provider's address and the flow's cookie, or `None` if no provider is configured.
async fn depart(
    app: &App,
    db: &Db,
    device_name: String,
    session: Option<Uuid>,
) -> Result<Option<(String, HeaderValue)>, Stop> {
    let Some(provider) = &app.provider else { return Ok(None) };
    let leaving = provider.leave(app.clock.now()).await?;
    let journey = Journey { nonce: leaving.nonce, verifier: leaving.verifier, device_name, session };
    let cookie = journey::begin(app, db, &leaving.state, &journey).await?;
    Ok(Some((leaving.url.into(), cookie)))
}

/// The query parameters of the provider's redirect (RFC 6749 4.1.2, RFC 9207). `error` is ignored: without a code the
/// sign-in fails in any case.
#[derive(Default, Deserialize, JsonSchema)]
pub struct Arrival {
    state: Option<String>,
    code: Option<String>,
    iss: Option<String>,
}

/// `GET /api/auth/google/callback`: the target of the provider's redirect. Always redirects to a page, also on errors.
pub async fn callback(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<Arrival>, QueryRejection>,
) -> Redirect {
    let arrival = query.map(|Query(arrival)| arrival).unwrap_or_default();
    let gone = journey::COOKIE.take(&app).ok();
    let Some(provider) = &app.provider else { return Redirect::new(Landing::Off.place(), gone) };
    let journey = match &arrival.state {
        Some(state) => journey::end(&app, &headers, state).await,
        None => Ok(None),
    };
    let Ok(Some(journey)) = journey else { return Redirect::new(Landing::Failed.place(), gone) };
    let person = person(&app, provider, &arrival, &journey).await;
    if let Some(session) = journey.session {
        let landing = match connect_person(&app, person, session).await {
            Ok(()) => Landing::Connected,
            Err(Stop::Taken) => Landing::Taken,
            Err(Stop::Failed | Stop::Refused(_) | Stop::Unknown) => Landing::ConnectFailed,
        };
        return Redirect::new(landing.place(), gone);
    }
    match sign_in(&app, provider, person, &journey.device_name).await {
        Ok((place, cookie)) => Redirect::new(&place, gone.into_iter().chain([cookie])),
        Err(Stop::Unknown) => {
            tracing::info!("the provider's identity matches no account");
            Redirect::new(Landing::Unknown.place(), gone)
        }
        Err(Stop::Failed | Stop::Refused(_) | Stop::Taken) => Redirect::new(Landing::Failed.place(), gone),
    }
}

/// Returns the identity that the provider authenticated.
async fn person(app: &App, provider: &Provider, arrival: &Arrival, journey: &Journey) -> Result<Person, Stop> {
    let code = arrival.code.clone().filter(|code| !code.is_empty()).ok_or(Stop::Failed)?;
    let issuer = arrival.iss.as_deref();
    let back = Return { code, issuer, nonce: &journey.nonce, verifier: &journey.verifier };
    Ok(provider.person(back, app.clock.now()).await?)
}

/// Returns the address of the callback page with one-time values, and their cookie.
async fn sign_in(
    app: &App,
    provider: &Provider,
    person: Result<Person, Stop>,
    device_name: &str,
) -> Result<(String, HeaderValue), Stop> {
    let person = person?;
    let owner = match identities::owner(&app.db, &person).await? {
        Some(owner) => owner,
        None => link(app, provider, &person).await?,
    };
    http::log_user(owner.1);
    let mut tx = app.db.begin().await?;
    // Ending a user's access locks the account too, so it either deletes these values or prevents their creation.
    users::lock(&mut tx, owner.0, owner.1).await?;
    if !identities::is_owner(&mut tx, owner, &person).await? {
        return Err(Stop::Unknown);
    }
    let handoff = handoffs::give(app, &mut tx, owner, device_name).await?;
    tx.commit().await?;
    let (access, refresh) = (handoff.values.access_token, handoff.values.refresh_token);
    Ok((format!("/auth/callback?accessToken={access}&refreshToken={refresh}"), handoff.cookie))
}

/// Connects the account that has the identity's e-mail, if [`may_link_by_email`] allows it.
async fn link(app: &App, provider: &Provider, person: &Person) -> Result<(Uuid, Uuid), Stop> {
    let now = app.clock.now();
    let email = provider.email(person, now).await?.ok_or(Stop::Unknown)?;
    let form = check(ForgotInput { email: email.address.clone() }).map_err(|_| Stop::Unknown)?;
    // The form trims spaces that a user may type. A provider's address must match exactly.
    if form.email != email.address {
        return Err(Stop::Unknown);
    }
    let address = form.email.to_lowercase();
    let account = users::by_email(&app.db, &address).await?.ok_or(Stop::Unknown)?;
    let owner = (account.corp_id, account.user_id);
    let mut tx = app.db.begin().await?;
    // Checked again under the lock: the account may have changed since it was found.
    let account = users::lock(&mut tx, account.corp_id, account.user_id).await?.ok_or(Stop::Unknown)?;
    let user_type = UserType::parse(&account.user_type).ok_or(Stop::Unknown)?;
    if account.email != address || !may_link_by_email(email.is_verified, account.email_verified_at.is_some(), user_type)
    {
        return Err(Stop::Unknown);
    }
    if identities::link(&mut tx, owner, person, now).await? {
        tx.commit().await?;
        return Ok(owner);
    }
    drop(tx);
    // A simultaneous callback connected the account first.
    identities::owner(&app.db, person).await?.filter(|found| *found == owner).ok_or(Stop::Unknown)
}

/// Connects the account whose live session started the flow, and notifies the user by mail.
async fn connect_person(app: &App, person: Result<Person, Stop>, session: Uuid) -> Result<(), Stop> {
    let (person, now) = (person?, app.clock.now());
    let actor = authorize_again(app, session, Who::Session).await?.actor;
    let scope = actor.scope();
    let mut tx = scope.db().begin().await?;
    let account = users::lock(&mut tx, scope.corp(), scope.user()).await?.ok_or(Stop::Failed)?;
    if !identities::connect(&mut tx, scope, &person, now).await? {
        return Err(Stop::Taken);
    }
    let (brand, provider) = (&app.config.brand, app.feature_config.auth.provider_name().unwrap_or_default());
    let link = format!("{}/dashboard/profile", app.config.public_url());
    let words = provider_connected_mail(brand, &account.first_name, &provider, &link);
    let message = MailMessage::new(&account.email, &account.full_name(), words);
    app.mail.queue(app, &mut tx, scope.corp(), &message, None, now + NOTICE).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(())
}

/// Deletes expired login flows.
pub(super) async fn sweep(app: &App) -> db::Result<()> {
    journey::sweep(app).await
}
