//! The one-time login exchange after a sign-in with a provider (docs/product.md 2.7). Addresses end up in histories and
//! logs, so the callback's address carries one-time values instead of tokens. They are valid for a minute, once, and
//! only in the browser that started the sign-in. One hash of the two values and of the secret in that browser's cookie
//! is in the table `handoffs`.

use super::cookies::Cookie;
use super::sessions;
use crate::access::scope::find_actor;
use crate::access::tokens;
use crate::features::state::App;
use crate::features::users;
use crate::platform::clock::SECOND;
use crate::platform::db::{self, Tx};
use crate::platform::error::ApiResult;
use crate::platform::extract::Valid;
use crate::platform::http;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::AppendHeaders;
use forecourt_core::auth::{LOGIN_EXCHANGE_SECONDS, Tokens, Verified, VerifyTokenInput};
use forecourt_core::secret::Secret;
use uuid::Uuid;

/// `Strict`: browsers send it only with requests from pages of this site.
const COOKIE: Cookie = Cookie { name: "forecourt-handoff", same_site: "Strict", seconds: LOGIN_EXCHANGE_SECONDS };

/// The one-time values and their cookie, for the browser.
pub(super) struct LoginExchange {
    /// The one-time values, in the same fields as the tokens for which they are exchanged.
    pub values: Tokens,
    pub cookie: HeaderValue,
}

/// Creates one-time values for an authenticated user. The account's status is checked when they are exchanged for a
/// session.
pub(super) async fn create(
    app: &App,
    tx: &mut Tx,
    (corp, user): (Uuid, Uuid),
    device_name: &str,
) -> ApiResult<LoginExchange> {
    let values =
        Tokens { access_token: tokens::create_one_time_value()?, refresh_token: tokens::create_one_time_value()? };
    let browser_secret = tokens::create_one_time_value()?;
    tx.sql(
        "INSERT INTO handoffs (corp_id, handoff_hash, user_id, device_name, expires_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind_all((
        corp,
        hash(app, &values.access_token, &values.refresh_token, browser_secret.expose_secret()),
        user,
        device_name.to_owned(),
        app.clock.now() + LOGIN_EXCHANGE_SECONDS * SECOND,
    ))
    .exec()
    .await?;
    let cookie = COOKIE.set(app, browser_secret.expose_secret())?;
    Ok(LoginExchange { values, cookie })
}

/// The response of [`verify_token`]: the tokens or that the values are invalid, and the header that deletes the
/// exchange's cookie if one was sent.
type VerifyTokenResponse = (AppendHeaders<Option<(HeaderName, HeaderValue)>>, Json<Verified>);

fn response(deleted_cookie: Option<HeaderValue>, tokens: Option<Tokens>) -> VerifyTokenResponse {
    (AppendHeaders(deleted_cookie.map(|cookie| (header::SET_COOKIE, cookie))), Json(Verified::new(tokens)))
}

/// `POST /api/auth/verify-token`: exchanges one-time values for a session, or reports whether the pair is a valid pair
/// of session tokens. An invalid pair is not an error: the response is a 200 that says so.
pub async fn verify_token(
    State(app): State<App>,
    headers: HeaderMap,
    Valid(form): Valid<VerifyTokenInput>,
) -> ApiResult<VerifyTokenResponse> {
    if is_session_pair(&app, &form).await? {
        let VerifyTokenInput { access_token, refresh_token } = form.into_inner();
        return Ok(response(None, Some(Tokens { access_token, refresh_token })));
    }
    let browser_secret = COOKIE.read(&app, &headers).unwrap_or_default();
    let hash = hash(&app, &form.access_token, &form.refresh_token, browser_secret);
    let Some(tokens) = redeem(&app, hash).await? else { return Ok(response(None, None)) };
    let deleted_cookie = COOKIE.clear(&app)?;
    Ok(response(Some(deleted_cookie), Some(tokens)))
}

/// Exchanges the one-time values for a session. Of simultaneous requests only one succeeds.
async fn redeem(app: &App, hash: Vec<u8>) -> ApiResult<Option<Tokens>> {
    let mut tx = app.db.begin().await?;
    let owner: Option<(Uuid, Uuid)> =
        tx.sql("SELECT corp_id, user_id FROM handoffs WHERE handoff_hash = $1").bind(hash.clone()).maybe().await?;
    let Some((corp, user)) = owner else { return Ok(None) };
    http::log_user(user);
    users::lock(&mut tx, corp, user).await?;
    let device_name: Option<String> = tx
        .sql("DELETE FROM handoffs WHERE corp_id = $1 AND handoff_hash = $2 AND expires_at > $3 RETURNING device_name")
        .bind_all((corp, hash, app.clock.now()))
        .maybe_value()
        .await?;
    let Some(device_name) = device_name else { return Ok(None) };
    let tokens = sessions::create_session(app, &mut tx, corp, user, device_name, false).await?;
    tx.commit().await?;
    Ok(Some(tokens))
}

/// Returns whether these are the access and the refresh token of one live session. Does not spend the refresh token.
async fn is_session_pair(app: &App, pair: &VerifyTokenInput) -> ApiResult<bool> {
    let now = app.clock.now();
    let Some(session) = tokens::verify_access_token(&app.keys, pair.access_token.expose_secret(), now) else {
        return Ok(false);
    };
    let Some(actor) = find_actor(&app.db, session, now).await? else { return Ok(false) };
    let is_unspent = app
        .db
        .sql(
            "SELECT session_id FROM refresh_tokens \
             WHERE corp_id = $1 AND token_hash = $2 AND session_id = $3 AND spent_at IS NULL",
        )
        .bind_all((
            actor.scope().corp(),
            tokens::hash_refresh_token(&app.keys, pair.refresh_token.expose_secret()),
            session,
        ))
        .exists()
        .await?;
    Ok(is_unspent)
}

/// Deletes expired one-time values.
pub(super) async fn sweep(app: &App) -> db::Result<()> {
    app.db.sql("DELETE FROM handoffs WHERE expires_at <= $1").bind(app.clock.now()).exec().await?;
    Ok(())
}

fn hash(app: &App, access: &Secret<String>, refresh: &Secret<String>, browser_secret: &str) -> Vec<u8> {
    let values = [access.expose_secret(), refresh.expose_secret(), browser_secret];
    app.keys.mac("handoff", &values.map(str::as_bytes))
}
