//! The guard in front of every handler: authentication, permission, rate limits, and timeouts of a request.

use super::actor::{Granted, actor_of_session, grant};
use super::cost::cost_of;
use super::route::{Body, Route, Who};
use super::tokens;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::fairness::{Client, run_to_end};
use crate::platform::http;
use crate::platform::limits;
use crate::platform::state::Platform;
use crate::platform::transfer_rate::Slow;
use axum::Router;
use axum::body::{Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{header, request::Parts};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::on;
use forecourt_core::text;
use http_body_util::{BodyExt, Collected, LengthLimitError, Limited};

/// Returns a router of these routes, each behind its guard.
pub fn router<S>(state: &S, routes: impl Iterator<Item = &'static Route<S>>) -> Router<S>
where
    S: AsRef<Platform> + Clone + Send + Sync + 'static,
{
    routes.fold(Router::new(), |router, route| {
        let respond = route.handler.respond;
        let guarded =
            on(route.method.filter(), move |State(state): State<S>, request: Request| respond(request, state))
                .route_layer(DefaultBodyLimit::max(route.body.max_bytes(&state.as_ref().config)))
                .route_layer(from_fn_with_state((state.clone(), route.clone()), guard));
        router.route(route.path, guarded)
    })
}

/// Middleware in front of every handler: fair share, rate limit, authentication, permission, within the route's
/// timeout.
async fn guard<S>(State((state, route)): State<(S, Route<S>)>, request: Request, next: Next) -> Response
where
    S: AsRef<Platform>,
{
    let app = state.as_ref();
    let is_slow = request.extensions().get::<Slow>().cloned().unwrap_or_default();
    if route.body == Body::File {
        is_slow.expect_file();
    }
    let admitted = async {
        let (mut parts, mut body) = request.into_parts();
        let length = body.size_hint().exact().and_then(|length| usize::try_from(length).ok());
        let cost = cost_of(&route, &parts.uri, length);
        let mut permits = app.fairness.enter(client(app, &route, &parts)?, cost).await?;
        if let Some(limit) = route.limit {
            limits::take(app, limit, &limits::client_key(&parts, app)?).await?;
        }
        admit(app, &route, &mut parts).await?;
        // The permission may have been lost while the body arrived.
        if route.who != Who::Public && route.body == Body::Small && !body.is_end_stream() {
            body = whole(body, route.body.max_bytes(&app.config)).await?.into();
            admit(app, &route, &mut parts).await?;
        }
        let tenant = parts.extensions.get::<Granted>().map(|granted| granted.actor.scope().corp());
        let mut turn = None;
        if let Some(tenant) = tenant {
            turn = app.fairness.turn(tenant, cost.work).await?;
            permits.charge(&app.fairness, tenant).await?;
        }
        let response = next.run(Request::from_parts(parts, body));
        let response = match turn {
            Some(turn) => run_to_end(response, turn).await,
            None => response.await,
        };
        Ok(permits.hold(response).await)
    };
    let answer = tokio::time::timeout(route.body.timeout(), admitted).await;
    // The handler may have responded differently to an incomplete body.
    if is_slow.is_so() {
        return ApiError::RequestTimeout.into_response();
    }
    match answer {
        Ok(answer) => answer.unwrap_or_else(ApiError::into_response),
        Err(_) => ApiError::RequestTimeout.into_response(),
    }
}

/// Returns the client without a database query: the session that a valid token names, else the address.
fn client<S>(app: &Platform, route: &Route<S>, parts: &Parts) -> ApiResult<Client> {
    let session = bearer(parts).filter(|_| route.who != Who::Public);
    match session.and_then(|token| tokens::session_of(&app.keys, token, app.clock.now())) {
        Some(session) => Ok(Client::Session(session)),
        None => limits::client_key(parts, app).map(Client::Address),
    }
}

async fn whole(body: axum::body::Body, most: usize) -> ApiResult<Bytes> {
    Limited::new(body, most).collect().await.map(Collected::to_bytes).map_err(|error| {
        if error.is::<LengthLimitError>() { ApiError::PayloadTooLarge } else { ApiError::invalid(text::BODY_INVALID) }
    })
}

async fn admit<S>(app: &Platform, route: &Route<S>, parts: &mut Parts) -> ApiResult<()> {
    if route.who == Who::Public {
        return Ok(());
    }
    let now = app.clock.now();
    let session =
        bearer(parts).and_then(|token| tokens::session_of(&app.keys, token, now)).ok_or(ApiError::SessionExpired)?;
    let actor = actor_of_session(&app.db, session, now).await?.ok_or(ApiError::SessionExpired)?;
    // Once per request.
    if parts.extensions.get::<Granted>().is_none() {
        http::concerns(actor.scope().user());
    }
    parts.extensions.insert(grant(app, actor, route.who).await?);
    Ok(())
}

/// Returns the token of `Authorization: Bearer …` (RFC 6750). Two such headers are rejected: a proxy may have read the
/// other one.
fn bearer(parts: &Parts) -> Option<&str> {
    let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
