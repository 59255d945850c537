use crate::access::route::{Body, Who, handler, post};
use crate::features::Route;

/// Requires the permission of the change that undoing makes: to update the records, or to delete them for one that restores.
pub const ROUTES: &[Route] =
    &[post("/api/history/{history_id}/revert", Who::Session, handler!(super::revert, "Undoes a change"))
        // As costly as a bulk action.
        .body(Body::Ids)
        .errors(&[403, 404, 409])];
