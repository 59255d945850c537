use crate::access::route::{Body, Who, get, handler, post};
use crate::features::Route;

pub const ROUTES: &[Route] = &[
    get(
        "/api/history/{history_id}",
        Who::Session,
        handler!(super::read, "Returns an entry, and the progress of undoing it"),
    )
    .note("Only for users who find the entry with GET /api/history.")
    .errors(&[403, 404]),
    get(
        "/api/history/{history_id}/record",
        Who::Session,
        handler!(super::past::read, "Returns a record as it was after an entry"),
    )
    .note("Only for users who find the entry with GET /api/history.")
    .errors(&[403, 404, 409]),
    post("/api/history/{history_id}/revert", Who::Session, handler!(super::revert, "Undoes a change"))
        // Limited like a bulk action, because it costs as much.
        .body(Body::Ids)
        .note(
            "Also requires the Update permission for the resource of the entry; for a deletion or an import the Delete \
             permission instead, and for a merge both.",
        )
        .errors(&[403, 404, 409]),
];
