//! Routes that no screen of the web app uses. They respond because other clients may still call them (docs/product.md
//! 4.4): the menu is fixed, a user's notifications and lists are always empty, and a browser may write a line to the
//! log.

use crate::access::route::{Body, Who, delete, get, handler, post};
use crate::access::scope::{ActionType, Actor, Corporations, Create, Delete, May, Signed, Update};
use crate::features::Route;
use crate::features::corporations::resources_of;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, Valid};
use crate::platform::limits::{self, LOG_LINES};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use forecourt_core::corporations::{CorporationResource, partition_resources, text};
use forecourt_core::logs::{LOGGED, LogInput};
use forecourt_core::permissions::{Action, MenuEntry, ResourceId, build_navigation};
use forecourt_core::reply::{Done, Reply};

const CREATE: Who = Who::May(Action::Create, ResourceId::Corporations);
const UPDATE: Who = Who::May(Action::Update, ResourceId::Corporations);
const DELETE: Who = Who::May(Action::Delete, ResourceId::Corporations);

pub const ROUTES: &[Route] = &[
    get("/api/menu/get-all-menu", Who::Session, handler!(list_menu, "Lists the menu entries")),
    get("/api/menu/get-menu/{id}", Who::Session, handler!(get_menu_entry, "Returns a menu entry")),
    post("/api/menu/create-menu", CREATE, handler!(reject_menu_change::<Create>, "Always fails: the menu is fixed"))
        .errors(&[409]),
    post("/api/menu/update-menu", UPDATE, handler!(reject_menu_change::<Update>, "Always fails: the menu is fixed"))
        .errors(&[409]),
    delete(
        "/api/menu/delete-menu/{id}",
        DELETE,
        handler!(reject_menu_change::<Delete>, "Always fails: the menu is fixed"),
    )
    .errors(&[409]),
    get(
        "/api/corporations/users/{id}/notifications",
        Who::Session,
        handler!(return_empty_list, "Returns an empty list of notifications"),
    ),
    get("/api/corporations/users/{id}/lists", Who::Session, handler!(return_empty_list, "Returns an empty list")),
    get(
        "/api/corporations/users/{id}/subscriptions",
        Who::Session,
        handler!(list_corporation_modules, "Lists the modules of a user's corporation"),
    ),
    post("/api/logs", Who::Session, handler!(create_log_line, "Writes a line to the server's log"))
        .body(Body::Line)
        .errors(&[429]),
];

/// `GET /api/menu/get-all-menu`: the visible entries, those of the profile menu last.
pub async fn list_menu(actor: Signed) -> ApiResult<Json<Reply<Vec<MenuEntry>>>> {
    Ok(Json(Reply::new(menu_of(&actor))))
}

/// `GET /api/menu/get-menu/{id}`: a visible entry or subentry.
pub async fn get_menu_entry(
    actor: Signed,
    id: Result<Path<String>, PathRejection>,
) -> ApiResult<Json<Reply<MenuEntry>>> {
    let Path(id) = id.map_err(|_| ApiError::NotFound)?;
    let mut entries = menu_of(&actor);
    let subentries: Vec<MenuEntry> = entries.iter().flat_map(|entry| entry.subresources.clone()).collect();
    entries.extend(subentries);
    let entry = entries.into_iter().find(|entry| entry.resource_id == id).ok_or(ApiError::NotFound)?;
    Ok(Json(Reply::new(entry)))
}

pub async fn reject_menu_change<A: ActionType>(_: May<A, Corporations>) -> ApiError {
    ApiError::Conflict(text::MENU_READ_ONLY.into())
}

fn menu_of(actor: &Actor) -> Vec<MenuEntry> {
    let navigation = build_navigation(&actor.access().resources());
    [navigation.main, navigation.profile].concat()
}

/// Responds with an empty list to the user with this id and to Super Admins, and with 404 to others.
pub async fn return_empty_list(actor: Signed, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Reply<[(); 0]>>> {
    resources_of(&actor, &app, id).await?;
    Ok(Json(Reply::new([])))
}

/// `GET /api/corporations/users/{id}/subscriptions`: the modules that are available to the user.
pub async fn list_corporation_modules(
    actor: Signed,
    State(app): State<App>,
    Id(id): Id,
) -> ApiResult<Json<Reply<Vec<CorporationResource>>>> {
    Ok(Json(Reply::new(partition_resources(&resources_of(&actor, &app, id).await?).0)))
}

/// `POST /api/logs`. The text is untrusted: it is one field of its own log line, with its own target, and is never
/// interpreted.
pub async fn create_log_line(
    State(app): State<App>,
    actor: Signed,
    Valid(form): Valid<LogInput>,
) -> ApiResult<Json<Done>> {
    let session = actor.session();
    limits::count_use(&app, LOG_LINES, session.as_bytes()).await?;
    tracing::info!(target: "browser", %session, text = form.message.as_str(), "a browser reports");
    Ok(Json(Done::new(LOGGED)))
}
