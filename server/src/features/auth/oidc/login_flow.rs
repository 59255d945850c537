//! An OIDC login flow: the redirect to the provider and back. It is stored, encrypted, in the table `journeys` under a
//! hash of its `state`, the random parameter of OIDC that the provider returns. The browser that started it has a cookie with
//! the signature of that `state`, so no other browser can complete it.

use crate::features::auth::cookies::Cookie;
use crate::features::state::App;
use crate::platform::clock::{MINUTE, SECOND};
use crate::platform::db::{self, Db};
use crate::platform::error::{ApiError, ApiResult};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forecourt_core::secret::{Secret, exposed};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long the user may spend at the provider, in microseconds.
const LIFETIME: i64 = 10 * MINUTE;

/// `Lax`: browsers must send it with the provider's redirect.
pub(super) const COOKIE: Cookie = Cookie { name: "forecourt-journey", same_site: "Lax", seconds: LIFETIME / SECOND };

/// A login flow as it is stored.
#[derive(Serialize, Deserialize)]
pub(super) struct LoginFlow {
    #[serde(serialize_with = "exposed")]
    pub nonce: Secret<String>,
    /// The PKCE code verifier.
    #[serde(serialize_with = "exposed")]
    pub verifier: Secret<String>,
    pub device_name: String,
    /// The session of the user who connects their account; `None` when signing in.
    pub session: Option<Uuid>,
}

/// Stores a login flow, and returns the header that sets its cookie.
pub(super) async fn start(app: &App, db: &Db, state: &str, flow: &LoginFlow) -> ApiResult<HeaderValue> {
    let plain = serde_json::to_vec(flow).map_err(ApiError::internal)?;
    db.sql("INSERT INTO journeys (state_hash, sealed, expires_at) VALUES ($1, $2, $3)")
        .bind_all((hash(app, state), app.keys.encrypt(&plain)?, app.clock.now() + LIFETIME))
        .exec()
        .await?;
    COOKIE.set(app, &URL_SAFE_NO_PAD.encode(signature(app, state)))
}

/// Deletes and returns the login flow that this browser started with this `state`.
pub(super) async fn finish(app: &App, headers: &HeaderMap, state: &str) -> ApiResult<Option<LoginFlow>> {
    let sent_signature =
        COOKIE.read(app, headers).and_then(|value| URL_SAFE_NO_PAD.decode(value).ok()).unwrap_or_default();
    if verify_slices_are_equal(&sent_signature, &signature(app, state)).is_err() {
        return Ok(None);
    }
    let encrypted: Option<Vec<u8>> = app
        .db
        .sql("DELETE FROM journeys WHERE state_hash = $1 AND expires_at > $2 RETURNING sealed")
        .bind_all((hash(app, state), app.clock.now()))
        .maybe_value()
        .await?;
    let plain = encrypted.and_then(|encrypted| app.keys.decrypt(&encrypted));
    plain.map(|plain| serde_json::from_slice(&plain)).transpose().map_err(ApiError::internal)
}

/// Deletes expired login flows.
pub(in crate::features::auth) async fn sweep(app: &App) -> db::Result<()> {
    app.db.sql("DELETE FROM journeys WHERE expires_at <= $1").bind(app.clock.now()).exec().await?;
    Ok(())
}

fn hash(app: &App, state: &str) -> Vec<u8> {
    app.keys.mac("journey", &[state.as_bytes()])
}

fn signature(app: &App, state: &str) -> Vec<u8> {
    app.keys.mac("journey cookie", &[state.as_bytes()])
}
