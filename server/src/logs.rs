//! What browsers report of their own trouble. It is somebody's text: it stands in one field of its own line of the log,
//! under its own target, and is never read as anything else.

use crate::limits::{self, LOG_LINES};
use crate::problem::{Answer, Valid};
use crate::scope::Signed;
use crate::state::App;
use axum::Json;
use axum::extract::State;
use forecourt_core::logs::{LOGGED, LogInput};
use forecourt_core::reply::Done;

/// `POST /api/logs`
pub async fn post(State(app): State<App>, actor: Signed, Valid(form): Valid<LogInput>) -> Answer<Json<Done>> {
    let session = actor.session();
    limits::take(&app, LOG_LINES, session.as_bytes()).await?;
    tracing::info!(target: "browser", %session, text = form.message.as_str(), "a browser reports");
    Ok(Json(Done::new(LOGGED)))
}
