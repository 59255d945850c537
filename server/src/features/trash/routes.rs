use crate::access::route::{Body, Who, delete, get, handler, post};
use crate::features::Route;

/// Users see and restore the records of the resources that they may delete.
pub const ROUTES: &[Route] = &[
    get("/api/trash", Who::Session, handler!(super::list, "Lists deleted records")).errors(&[403]),
    post("/api/trash/restore", Who::Session, handler!(super::restore, "Restores deleted records"))
        .body(Body::Ids)
        .errors(&[403, 404]),
    delete("/api/trash", Who::Administrator, handler!(super::purge, "Deletes records from the trash permanently"))
        .body(Body::Ids)
        .errors(&[403, 404, 409]),
];
