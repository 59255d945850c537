use crate::access::route::{Who, get, handler};
use crate::features::Route;

/// Requires the permission to read records of the kind that the request names; without a record, to read the history.
pub const ROUTES: &[Route] = &[get(
    "/api/history",
    Who::Session,
    handler!(super::list, "Lists the changes of a record, or of the whole corporation"),
)
.errors(&[403])];
