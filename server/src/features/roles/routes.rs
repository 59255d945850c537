use crate::access::route::{Who, delete, get, handler, post, put};
use crate::features::Route;
use Action::{Create, Delete, Read, Update};
use ResourceId::Roles;
use Who::May;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    get("/api/rbac/roles", May(Read, Roles), handler!(super::list, "Lists roles")),
    post("/api/rbac/roles", May(Create, Roles), handler!(super::create, "Creates a role")).errors(&[409]),
    put("/api/rbac/roles/{roleId}", May(Update, Roles), handler!(super::update, "Updates a role")).errors(&[409]),
    delete("/api/rbac/roles/{roleId}", May(Delete, Roles), handler!(super::delete, "Deletes a role without users"))
        .errors(&[409]),
    post(
        "/api/rbac/roles/{roleId}/permissions",
        May(Update, Roles),
        handler!(super::set_permissions, "Replaces a role's permissions"),
    )
    .errors(&[409]),
];
