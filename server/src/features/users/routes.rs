use crate::access::route::{Who, delete, get, handler, post, put};
use crate::features::Route;
use Action::{Create, Delete, Read, Update};
use ResourceId::{Corporations, Users};
use Who::{Administrator, May};
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    get("/api/users", May(Read, Users), handler!(super::handlers::list, "Lists users")),
    get("/api/users/export", May(Read, Users), handler!(super::handlers::export, "Exports the list")),
    post("/api/users", May(Create, Users), handler!(super::handlers::create, "Creates a user")).errors(&[409, 429]),
    get("/api/users/{id}", May(Read, Users), handler!(super::handlers::get, "Returns a user")),
    put("/api/users/{id}", May(Update, Users), handler!(super::handlers::update, "Updates a user")).errors(&[409, 429]),
    delete("/api/users/{id}", May(Delete, Users), handler!(super::handlers::delete, "Deletes a user")).errors(&[409]),
    put("/api/users/{id}/password", May(Update, Users), handler!(super::handlers::set_password, "Sets a password"))
        .errors(&[429]),
    get(
        "/api/corporations/{corpId}/users",
        Administrator,
        handler!(super::corporation_users::list, "Lists a corporation's users"),
    ),
    get(
        "/api/corporations/{corpId}/roles",
        Administrator,
        handler!(super::corporation_users::list_roles, "Lists a corporation's roles"),
    ),
    post(
        "/api/corporations/users",
        Administrator,
        handler!(super::corporation_users::create, "Creates a user of a corporation"),
    )
    .errors(&[404, 409, 429]),
    put(
        "/api/corporations/users/{id}",
        Administrator,
        handler!(super::corporation_users::update, "Updates, activates or deactivates a user of a corporation"),
    )
    .errors(&[409, 429]),
    post("/api/corporations/users/{id}/ban", May(Update, Corporations), handler!(super::bans::ban, "Bans a user"))
        .errors(&[409]),
    delete("/api/corporations/users/{id}/ban", May(Update, Corporations), handler!(super::bans::lift, "Lifts a ban")),
];
