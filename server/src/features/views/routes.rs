use crate::access::route::{Who, delete, get, handler, post, put};
use crate::features::Route;
use Who::Session;

/// Views of lists that the user may not read are treated as missing. Creating one, or requesting those of one such list, is a
/// 403.
pub const ROUTES: &[Route] = &[
    get("/api/views", Session, handler!(super::list, "Lists saved views")).errors(&[403]),
    post("/api/views", Session, handler!(super::create, "Saves a view")).errors(&[403, 409]),
    put("/api/views/{view_id}", Session, handler!(super::update, "Updates a view")).errors(&[403, 409]),
    delete("/api/views/{view_id}", Session, handler!(super::delete, "Deletes a view")).errors(&[403]),
];
