use crate::access::route::{Who, delete, get, handler, post, put};
use crate::features::Route;
use Who::Session;

/// Each also requires that the user may read the view's list.
pub const ROUTES: &[Route] = &[
    get("/api/views", Session, handler!(super::list, "Lists saved views")).errors(&[403]),
    post("/api/views", Session, handler!(super::create, "Saves a view")).errors(&[403, 409]),
    put("/api/views/{view_id}", Session, handler!(super::update, "Updates a view")).errors(&[403, 409]),
    delete("/api/views/{view_id}", Session, handler!(super::delete, "Deletes a view")).errors(&[403]),
];
