use crate::access::route::{Body, Who, get, handler, post};
use crate::features::Route;

/// Reading an entry requires the permission to read records of its kind or, if it is about no record, to read the history
/// and what it is about. Undoing it requires the permission to update these records or, if they are moved to the trash or
/// restored, to delete them.
pub const ROUTES: &[Route] = &[
    get(
        "/api/history/{history_id}",
        Who::Session,
        handler!(super::read, "Returns an entry, and the progress of undoing it"),
    )
    .errors(&[403, 404]),
    get(
        "/api/history/{history_id}/record",
        Who::Session,
        handler!(super::past::read, "Returns a record as it was after an entry"),
    )
    .errors(&[403, 404, 409]),
    post("/api/history/{history_id}/revert", Who::Session, handler!(super::revert, "Undoes a change"))
        // Limited like a bulk action, because it costs as much.
        .body(Body::Ids)
        .errors(&[403, 404, 409]),
];
