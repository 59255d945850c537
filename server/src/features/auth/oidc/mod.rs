//! Sign-in with an OpenID Connect provider, and connecting an account with it (docs/product.md 2.7). A user is
//! identified by issuer and subject. An e-mail connects an account only once, and only if both sides verified it.
//!
//! **Invariant:** every redirect goes to one of the paths of [`Landing`], to the provider, or to the callback page with
//! one-time values. No target is taken from a request.

pub(crate) mod identities;
pub(super) mod login_flow;
mod metadata;
mod provider;

pub use provider::Provider;

use super::{login_exchange, passwords};
use crate::access::route::Who;
use crate::access::scope::{Signed, authorize, scope_of_job};
use crate::features::state::App;
use crate::features::users::{self, AccountChange, PROVIDER};
use crate::platform::Failure;
use crate::platform::clock::DAY;
use crate::platform::db::Db;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Valid;
use crate::platform::http;
use crate::platform::limits;
use crate::platform::responses::Redirect;
use axum::Json;
use axum::extract::Query;
use axum::extract::State;
use axum::extract::rejection::QueryRejection;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use forecourt_core::auth::mail::provider_connected_mail;
use forecourt_core::auth::{DEVICE_MAX, Departure, ForgotInput, may_link_by_email, text};
use forecourt_core::form::check;
use forecourt_core::permissions::UserType;
use forecourt_core::profile::ConnectInput;
use forecourt_core::reply::{Done, Reply};
use forecourt_core::secret::Secret;
use login_flow::LoginFlow;
use provider::{AuthorizationResponse, Identity};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

/// How long the mail that tells a user about a newly connected provider may wait for a mail server.
const NOTICE: i64 = DAY;

/// The page to which a browser is redirected if it gets no one-time values. The pages show a message depending on the
/// query string.
#[derive(Clone, Copy)]
enum Landing {
    /// A page of another site sent the browser here to sign in; no login flow is started.
    FromAnotherSite,
    NotConfigured,
    Failed,
    /// No account matches the provider identity.
    NoAccount,
    Connected,
    /// The provider identity belongs to another account.
    OwnedByAnother,
    ConnectFailed,
}

impl Landing {
    fn path(self) -> &'static str {
        match self {
            Landing::FromAnotherSite => "/login",
            Landing::NotConfigured => "/login?federated=off",
            Landing::Failed => "/login?federated=failed",
            Landing::NoAccount => "/login?federated=unknown",
            Landing::Connected => "/dashboard/profile?connected=yes",
            Landing::OwnedByAnother => "/dashboard/profile?connected=taken",
            Landing::ConnectFailed => "/dashboard/profile?connected=failed",
        }
    }
}

/// Logs why the provider could not authenticate the user, and returns the error of the request.
fn provider_error(failure: Failure) -> ApiError {
    tracing::warn!(failure, "a sign-in with the provider failed");
    login_error()
}

fn login_error() -> ApiError {
    ApiError::Conflict(text::CONNECT_FAILED.into())
}

/// The query parameters of the redirect to the provider. Others are ignored.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct LoginQuery {
    device_name: String,
}

/// `GET /api/auth/google`: sends the browser to the provider.
pub async fn redirect_to_provider(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<LoginQuery>, QueryRejection>,
) -> Redirect {
    if is_from_another_site(&headers) {
        return Redirect::new(Landing::FromAnotherSite.path(), []);
    }
    let device_name = query.map(|Query(query)| query.device_name).unwrap_or_default();
    let most = usize::try_from(DEVICE_MAX).unwrap_or(usize::MAX);
    let device_name = device_name.trim().chars().filter(|c| !c.is_control()).take(most).collect();
    match start_login(&app, &app.db, device_name, None).await {
        Ok(Some((url, cookie))) => Redirect::new(&url, [cookie]),
        Ok(None) => Redirect::new(Landing::NotConfigured.path(), []),
        Err(_) => Redirect::new(Landing::Failed.path(), []),
    }
}

/// Returns whether a page of another site sent the browser. A provider that does not ask for consent would otherwise
/// sign the user in unintentionally. All browsers have sent the header `Sec-Fetch-Site` since 2023. Without it, returns
/// `false`, because the origin is unknown.
fn is_from_another_site(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site")
}

/// The response of [`connect`]: the header with the cookie of the login flow, and the provider's address.
type ConnectResponse = ([(HeaderName, HeaderValue); 1], Json<Reply<Departure>>);

/// `POST /api/auth/google/connect`: returns the address at which the signed-in user connects the account. It requires
/// the password, because a session left open could otherwise be turned into permanent access.
pub async fn connect(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<ConnectInput>,
) -> ApiResult<ConnectResponse> {
    limits::count_use(&app, limits::OIDC_LINKS, actor.scope().user().as_bytes()).await?;
    let scope = actor.scope();
    let account = users::find(&app.db, scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)?;
    passwords::verify_current(&app, &account, "currentPassword", form.into_inner().current_password).await?;
    let started = start_login(&app, scope.db(), String::new(), Some(actor.session())).await?;
    let (url, cookie) = started.ok_or_else(|| ApiError::Conflict(text::FEDERATED_OFF.into()))?;
    Ok(([(header::SET_COOKIE, cookie)], Json(Reply::new(Departure { url }))))
}

pub async fn disconnect(State(app): State<App>, actor: Signed) -> ApiResult<Json<Done>> {
    let scope = actor.scope();
    let mut tx = scope.db().begin().await?;
    let change = AccountChange::begin(&mut tx, scope, scope.user()).await?;
    if identities::disconnect(&mut tx, scope, &app.feature_config.auth.oidc_issuer).await? {
        change.record(&mut tx, scope, app.clock.now(), &[PROVIDER]).await?;
    }
    tx.commit().await?;
    Ok(Json(Done::new(text::DISCONNECTED)))
}

/// Starts a login flow. Returns the provider's address and the flow's cookie, or `None` if no provider is configured.
async fn start_login(
    app: &App,
    db: &Db,
    device_name: String,
    session: Option<Uuid>,
) -> ApiResult<Option<(String, HeaderValue)>> {
    let Some(provider) = &app.provider else { return Ok(None) };
    let request = provider.authorization_request(app.clock.now()).await.map_err(provider_error)?;
    let flow = LoginFlow { nonce: request.nonce, verifier: request.verifier, device_name, session };
    let cookie = login_flow::start(app, db, request.state.expose_secret(), &flow).await?;
    Ok(Some((request.url.into(), cookie)))
}

/// The query parameters of the provider's redirect (RFC 6749 4.1.2, RFC 9207). `error` is ignored: without a code the
/// sign-in fails in any case.
#[derive(Default, Deserialize, JsonSchema)]
pub struct CallbackQuery {
    state: Option<Secret<String>>,
    code: Option<Secret<String>>,
    iss: Option<String>,
}

/// `GET /api/auth/google/callback`: the target of the provider's redirect. Always redirects to a page, also on errors.
pub async fn callback(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<CallbackQuery>, QueryRejection>,
) -> Redirect {
    let query = query.map(|Query(query)| query).unwrap_or_default();
    let deleted_cookie = login_flow::COOKIE.clear(&app).ok();
    let Some(provider) = &app.provider else { return Redirect::new(Landing::NotConfigured.path(), deleted_cookie) };
    let flow = match &query.state {
        Some(state) => login_flow::finish(&app, &headers, state.expose_secret()).await,
        None => Ok(None),
    };
    let Ok(Some(flow)) = flow else { return Redirect::new(Landing::Failed.path(), deleted_cookie) };
    let identity = authenticate(&app, provider, query, &flow).await;
    if let Some(session) = flow.session {
        let landing = match connect_identity(&app, identity, session).await {
            Ok(true) => Landing::Connected,
            Ok(false) => Landing::OwnedByAnother,
            Err(_) => Landing::ConnectFailed,
        };
        return Redirect::new(landing.path(), deleted_cookie);
    }
    match sign_in(&app, provider, identity, &flow.device_name).await {
        Ok(Some((url, cookie))) => Redirect::new(&url, deleted_cookie.into_iter().chain([cookie])),
        Ok(None) => {
            tracing::info!("the provider's identity matches no account");
            Redirect::new(Landing::NoAccount.path(), deleted_cookie)
        }
        Err(_) => Redirect::new(Landing::Failed.path(), deleted_cookie),
    }
}

/// Returns the identity that the provider authenticated.
async fn authenticate(app: &App, provider: &Provider, query: CallbackQuery, flow: &LoginFlow) -> ApiResult<Identity> {
    let code = query.code.filter(|code| !code.expose_secret().is_empty()).ok_or_else(login_error)?;
    let issuer = query.iss.as_deref();
    let callback = AuthorizationResponse { code, issuer, nonce: &flow.nonce, verifier: &flow.verifier };
    provider.authenticate(callback, app.clock.now()).await.map_err(provider_error)
}

/// Returns the address of the callback page with one-time values, and their cookie; `None` if no account matches.
async fn sign_in(
    app: &App,
    provider: &Provider,
    identity: ApiResult<Identity>,
    device_name: &str,
) -> ApiResult<Option<(String, HeaderValue)>> {
    let identity = identity?;
    let owner = match identities::find_owner(&app.db, &identity).await? {
        Some(owner) => Some(owner),
        None => link(app, provider, &identity).await?,
    };
    let Some(owner) = owner else { return Ok(None) };
    http::log_user(owner.1);
    let mut tx = app.db.begin().await?;
    // Ending a user's access locks the account too, so it either deletes these values or prevents their creation.
    users::lock(&mut tx, owner.0, owner.1).await?;
    if !identities::is_owner(&mut tx, owner, &identity).await? {
        return Ok(None);
    }
    let exchange = login_exchange::create(app, &mut tx, owner, device_name).await?;
    tx.commit().await?;
    let (access, refresh) = (&exchange.values.access_token, &exchange.values.refresh_token);
    let (access, refresh) = (access.expose_secret(), refresh.expose_secret());
    Ok(Some((format!("/auth/callback?accessToken={access}&refreshToken={refresh}"), exchange.cookie)))
}

/// Connects the account that has the identity's e-mail, if [`may_link_by_email`] allows it. Returns its corporation and
/// user, or `None` if no account was connected.
async fn link(app: &App, provider: &Provider, identity: &Identity) -> ApiResult<Option<(Uuid, Uuid)>> {
    let now = app.clock.now();
    let email = provider.email(identity, now).await.map_err(provider_error)?;
    let Some(email) = email else { return Ok(None) };
    let Ok(form) = check(ForgotInput { email: email.address.clone() }) else { return Ok(None) };
    // The form trims spaces, which a user may type. A provider's address that has any is not accepted.
    if form.email != email.address {
        return Ok(None);
    }
    let address = form.email.to_lowercase();
    let Some(found) = users::by_email(&app.db, &address).await? else { return Ok(None) };
    let owner = (found.corp_id, found.user_id);
    let mut tx = app.db.begin().await?;
    // Checked again under the lock: the account may have changed since it was found.
    let Some(account) = users::lock(&mut tx, owner.0, owner.1).await? else { return Ok(None) };
    let Some(user_type) = UserType::parse(&account.user_type) else { return Ok(None) };
    if account.email != address || !may_link_by_email(email.is_verified, account.email_verified_at.is_some(), user_type)
    {
        return Ok(None);
    }
    let scope = scope_of_job(&app.db, owner.0, owner.1);
    let change = AccountChange::begin(&mut tx, &scope, owner.1).await?;
    if identities::link(&mut tx, owner, identity, now).await? {
        change.record(&mut tx, &scope, now, &[PROVIDER]).await?;
        tx.commit().await?;
        return Ok(Some(owner));
    }
    drop(tx);
    // A simultaneous callback connected the account first.
    Ok(identities::find_owner(&app.db, identity).await?.filter(|found| *found == owner))
}

/// Connects the account whose live session started the flow, and notifies the user by mail. Returns `false` if the
/// identity belongs to another account.
async fn connect_identity(app: &App, identity: ApiResult<Identity>, session: Uuid) -> ApiResult<bool> {
    let (identity, now) = (identity?, app.clock.now());
    let actor = authorize(app, session, Who::Session).await?.actor;
    let scope = actor.scope();
    let mut tx = scope.db().begin().await?;
    let account = users::lock(&mut tx, scope.corp(), scope.user()).await?.ok_or(ApiError::SessionExpired)?;
    let change = AccountChange::begin(&mut tx, scope, scope.user()).await?;
    if !identities::connect(&mut tx, scope, &identity, now).await? {
        return Ok(false);
    }
    change.record(&mut tx, scope, now, &[PROVIDER]).await?;
    let (brand, provider) = (&app.config.brand, app.feature_config.auth.provider_name().unwrap_or_default());
    let link = format!("{}/dashboard/profile", app.config.public_url());
    let mail_text = provider_connected_mail(brand, &account.first_name, &provider, &link);
    app.mail.queue(app, &mut tx, scope.corp(), &account.mail(mail_text), None, now + NOTICE).await?;
    tx.commit().await?;
    app.mail.wake();
    Ok(true)
}
