//! Log messages from browsers. The text is untrusted: it is one field of its own log line, with its own target, and is
//! never interpreted.

use crate::access::route::{self, Body, Who, handler};
use crate::access::scope::Signed;
use crate::features::Route;
use crate::features::state::App;
use crate::platform::error::ApiResult;
use crate::platform::extract::Valid;
use crate::platform::limits::{self, LOG_LINES};
use axum::Json;
use axum::extract::State;
use forecourt_core::logs::{LOGGED, LogInput};
use forecourt_core::reply::Done;

pub const ROUTES: &[Route] =
    &[route::post("/api/logs", Who::Session, handler!(post, "Writes a line into the server's log"))
        .body(Body::Line)
        .errors(&[429])];

/// `POST /api/logs`
pub async fn post(State(app): State<App>, actor: Signed, Valid(form): Valid<LogInput>) -> ApiResult<Json<Done>> {
    let session = actor.session();
    limits::count_use(&app, LOG_LINES, session.as_bytes()).await?;
    tracing::info!(target: "browser", %session, text = form.message.as_str(), "a browser reports");
    Ok(Json(Done::new(LOGGED)))
}
