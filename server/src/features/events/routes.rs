use crate::access::route::{Who, get, handler, post};
use crate::features::Route;

pub const ROUTES: &[Route] = &[
    get(
        "/api/events",
        Who::Session,
        handler!(super::stream::open, "Sends an event for each change that the user may read, until the session ends"),
    ),
    post(
        "/api/events/presence",
        Who::Session,
        handler!(super::presence::announce, "Shows other users that this user edits a record, or no longer does"),
    )
    .note("Also requires the Read permission for the resource of the record.")
    .errors(&[403, 404]),
];
