//! The guard in front of the handler of every [`Route`]: authentication, permission, rate limits, and timeouts of a request.

use super::actor::{Authorization, find_actor};
use super::cost::estimate_cost;
use super::route::{Body, Route, Who};
use super::tokens;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::fairness::{Client, Work, run_to_end};
use crate::platform::http;
use crate::platform::limits;
use crate::platform::state::Platform;
use crate::platform::transfer_rate::UploadRate;
use axum::Router;
use axum::body::{Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{header, request::Parts};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::on;
use forecourt_core::text;
use http_body_util::{BodyExt, Collected, LengthLimitError, Limited};
use std::mem;
use std::pin::pin;
use std::time::Duration;
use uuid::Uuid;

/// How long a request waits for a small body before its access is checked for the first time. Nearly every small body
/// arrives with the request's head or right after it, so that one check is enough.
const USUAL_BODY_DELAY: Duration = Duration::from_millis(50);

/// Returns a router of these routes, each behind its guard.
pub fn router<S>(state: &S, routes: impl Iterator<Item = &'static Route<S>>) -> Router<S>
where
    S: AsRef<Platform> + Clone + Send + Sync + 'static,
{
    routes.fold(Router::new(), |router, route| {
        let respond = route.handler.respond;
        let guarded =
            on(route.method.filter(), move |State(state): State<S>, request: Request| respond(request, state))
                .route_layer(DefaultBodyLimit::max(route.body.max_bytes(state.as_ref().max_file_form_bytes)))
                .route_layer(from_fn_with_state((state.clone(), route.clone()), guard));
        router.route(route.path, guarded)
    })
}

/// Middleware in front of the handler of every route: waits for the client's fair share, then checks rate limit, session and
/// permission, and runs the handler, all within the route's timeout.
async fn guard<S>(State((state, route)): State<(S, Route<S>)>, request: Request, next: Next) -> Response
where
    S: AsRef<Platform>,
{
    let app = state.as_ref();
    let rate = request.extensions().get::<UploadRate>().cloned().unwrap_or_default();
    if route.body == Body::File {
        rate.expect_file();
    }
    let handled = async {
        let (mut parts, mut body) = request.into_parts();
        let length = body.size_hint().exact().and_then(|length| usize::try_from(length).ok());
        let cost = estimate_cost(&route, &parts.uri, length);
        // The signed token names the session, so this needs no database query.
        let session = if route.who == Who::Public { None } else { session_of(app, &parts) };
        let client = match session {
            Some(session) => Client::Session(session),
            None => Client::Address(limits::client_key(&parts, app)?),
        };
        let mut permits = app.fairness.admit(client, cost).await?;
        if let Some(limit) = route.limit {
            limits::count_use(app, limit, &limits::client_key(&parts, app)?).await?;
        }
        let mut query_permit = None;
        if route.who != Who::Public {
            let session = session.ok_or(ApiError::SessionExpired)?;
            let (mut received, mut is_checked) = (None, false);
            if matches!(route.body, Body::Small | Body::Ids) && !body.is_end_stream() {
                let bytes = collect_body(mem::take(&mut body), route.body.max_bytes(app.max_file_form_bytes));
                let mut bytes = pin!(bytes);
                received = Some(match tokio::time::timeout(USUAL_BODY_DELAY, &mut bytes).await {
                    Ok(bytes) => bytes,
                    Err(_) => {
                        check_access(app, session, route.who, is_checked).await?;
                        is_checked = true;
                        let bytes = bytes.await;
                        // The token may have expired while the body arrived.
                        session_of(app, &parts).ok_or(ApiError::SessionExpired)?;
                        bytes
                    }
                });
            }
            // After the body: the permission may have been lost while it arrived.
            let authorization = check_access(app, session, route.who, is_checked).await?;
            if let Some(bytes) = received {
                body = bytes?.into();
            }
            let tenant = authorization.actor.scope().corp();
            parts.extensions.insert(authorization);
            query_permit = app.fairness.acquire_query_permit(tenant, cost.work).await?;
            permits.charge_tenant(&app.fairness, tenant).await?;
        }
        let response = next.run(Request::from_parts(parts, body));
        let response = match cost.work {
            Work::Light => response.await,
            Work::List | Work::Search | Work::Export => run_to_end(response, query_permit).await,
        };
        Ok(permits.attach_to(response).await)
    };
    let result = tokio::time::timeout(route.body.timeout(), handled).await;
    // Overrides what the handler has responded to a body that was aborted because it arrived too slowly.
    if rate.is_too_slow() {
        return ApiError::RequestTimeout.into_response();
    }
    match result {
        Ok(result) => result.unwrap_or_else(ApiError::into_response),
        Err(_) => ApiError::RequestTimeout.into_response(),
    }
}

async fn collect_body(body: axum::body::Body, max_bytes: usize) -> ApiResult<Bytes> {
    Limited::new(body, max_bytes).collect().await.map(Collected::to_bytes).map_err(|error| {
        if error.is::<LengthLimitError>() { ApiError::PayloadTooLarge } else { ApiError::invalid(text::BODY_INVALID) }
    })
}

/// Reads the permissions of a session's user, and returns the proof that they meet the requirement `who` of the route.
/// Unless `is_logged`, adds the user's id to the request's log lines.
async fn check_access(app: &Platform, session: Uuid, who: Who, is_logged: bool) -> ApiResult<Authorization> {
    let actor = find_actor(&app.db, session, app.clock.now()).await?.ok_or(ApiError::SessionExpired)?;
    if !is_logged {
        http::log_user(actor.scope().user());
    }
    actor.authorize(app, who)
}

/// Returns the id of the session that the request's access token names; `None` without a valid token.
fn session_of(app: &Platform, parts: &Parts) -> Option<Uuid> {
    bearer_token(parts).and_then(|token| tokens::verify_access_token(&app.keys, token, app.clock.now()))
}

/// Returns the token of `Authorization: Bearer …` (RFC 6750). Two such headers are rejected: a proxy may have read the
/// other one.
fn bearer_token(parts: &Parts) -> Option<&str> {
    let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
