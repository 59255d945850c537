//! Whether this server can work: public, and true only when the database answers (decisions 6.3).

use crate::problem::Answer;
use crate::state::App;
use axum::Json;
use axum::extract::State;
use forecourt_core::reply::Done;

/// `GET /api/health`
pub async fn get(State(app): State<App>) -> Answer<Json<Done>> {
    let _: (i64,) = app.db.sql("SELECT CAST(1 AS BIGINT)").one().await?;
    Ok(Json(Done::new("ready")))
}
