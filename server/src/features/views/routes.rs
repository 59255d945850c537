use crate::access::route::{Who, delete, get, handler, post, put};
use crate::features::Route;
use Who::Session;

/// A view of a list that the user may not read counts as missing: it is not listed, and changing or deleting it is a
/// 404. Creating a view of such a list, or requesting its views with `resource`, is a 403.
pub const ROUTES: &[Route] = &[
    get("/api/views", Session, handler!(super::list, "Lists saved views"))
        .note("Lists only views of resources for which the user has the Read permission.")
        .errors(&[403]),
    post("/api/views", Session, handler!(super::create, "Saves a view"))
        .note("Also requires the Read permission for the resource of the view.")
        .errors(&[403, 409]),
    put("/api/views/{view_id}", Session, handler!(super::update, "Updates a view"))
        .note("Only the owner and administrators may change a shared view; every user may make it the default.")
        .errors(&[403, 409]),
    delete("/api/views/{view_id}", Session, handler!(super::delete, "Deletes a view"))
        .note("Only the owner and administrators may delete a shared view.")
        .errors(&[403]),
];
