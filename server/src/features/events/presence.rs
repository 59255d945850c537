//! Presence: which users have a record open in a form at the moment. The server stores nothing about it: browsers
//! repeat the message while a form is open, and forget users whose message is not repeated.

use crate::access::scope::{Scope, Signed};
use crate::features::listing;
use crate::features::state::App;
use crate::platform::db::Result;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::events::{Event, Presence};
use crate::platform::extract::Valid;
use crate::platform::limits::{self, PRESENCE};
use axum::Json;
use axum::extract::State;
use forecourt_core::events::{Editor, LivePresence, PresenceInput};
use forecourt_core::history::resource_error;
use forecourt_core::permissions::Action;
use forecourt_core::reply::Reply;
use forecourt_core::users::author_name;
use uuid::Uuid;

/// `POST /api/events/presence`: tells the other users of the corporation who may read the record that the signed-in
/// user edits it, or no longer does.
pub async fn announce(
    actor: Signed,
    State(app): State<App>,
    Valid(input): Valid<PresenceInput>,
) -> ApiResult<Json<Reply<LivePresence>>> {
    let resource = input.resource().ok_or_else(|| ApiError::for_field("resource", &resource_error()))?;
    let scope = actor.with_permission(Action::Read, resource)?;
    limits::count_use(&app, PRESENCE, scope.user().as_bytes()).await?;
    let id = Uuid::try_parse(input.id.trim()).map_err(|_| ApiError::NotFound)?;
    if !listing::exists(&scope, resource, id).await? {
        return Err(ApiError::NotFound);
    }
    let (corp, user, name) = (scope.corp(), scope.user(), name_of(&scope).await?);
    let presence = Presence { corp, resource, id, user, name, editing: input.editing, asks: input.asks };
    let data = describe(&presence);
    app.db.announce(Event::Presence(presence)).await?;
    Ok(Json(Reply::new(data)))
}

pub(super) fn describe(presence: &Presence) -> LivePresence {
    LivePresence {
        resource: presence.resource.as_str().to_owned(),
        id: presence.id.to_string(),
        user: Editor { id: presence.user.to_string(), name: presence.name.clone() },
        editing: presence.editing,
        asks: presence.asks,
    }
}

async fn name_of(scope: &Scope) -> Result<String> {
    let sql = scope.sql("SELECT first_name, last_name FROM users WHERE corp_id = $1 AND user_id = $2");
    let (first, last) = sql.bind(scope.user()).maybe().await?.unwrap_or_default();
    Ok(author_name(first, last))
}
