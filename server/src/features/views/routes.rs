use crate::access::route::{Who, delete, get, handler, post, put};
use crate::features::Route;
use Who::Session;

/// A view of a list that the user may not read counts as missing: it is not listed, and changing or deleting it is a
/// 404. Creating a view of such a list, or requesting its views with `resource`, is a 403. PUT responds with
/// 403 if it changes another user's shared view, and DELETE if it deletes one: only its owner and administrators may.
/// Every user who sees a view can make it their default.
pub const ROUTES: &[Route] = &[
    get("/api/views", Session, handler!(super::list, "Lists saved views")).errors(&[403]),
    post("/api/views", Session, handler!(super::create, "Saves a view")).errors(&[403, 409]),
    put("/api/views/{view_id}", Session, handler!(super::update, "Updates a view")).errors(&[403, 409]),
    delete("/api/views/{view_id}", Session, handler!(super::delete, "Deletes a view")).errors(&[403]),
];
