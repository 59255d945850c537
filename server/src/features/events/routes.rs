use crate::access::route::{Who, get, handler, post};
use crate::features::Route;

/// Presence requires the permission to read records of the kind that the request names.
pub const ROUTES: &[Route] = &[
    get(
        "/api/events",
        Who::Session,
        handler!(super::stream::open, "Sends an event for each change that the user may read, until the session ends"),
    ),
    post(
        "/api/events/presence",
        Who::Session,
        handler!(super::presence::announce, "Shows other users that this one edits a record, or no longer does"),
    )
    .errors(&[403, 404]),
];
