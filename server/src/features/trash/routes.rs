use crate::access::route::{Body, Who, delete, get, handler, post};
use crate::features::Route;

pub const ROUTES: &[Route] = &[
    get("/api/trash", Who::Session, handler!(super::list, "Lists deleted records"))
        .note("Lists only records of resources for which the user has the Delete permission.")
        .errors(&[403]),
    post("/api/trash/restore", Who::Session, handler!(super::restore, "Restores deleted records"))
        .body(Body::Ids)
        .note("Also requires the Delete permission for the resource of the records.")
        .errors(&[403, 404]),
    delete("/api/trash", Who::Administrator, handler!(super::purge, "Deletes records from the trash permanently"))
        .body(Body::Ids)
        .note("Also requires the Delete permission for the resource of the records.")
        .errors(&[403, 404, 409]),
];
