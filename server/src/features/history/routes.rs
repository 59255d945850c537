use crate::access::route::{Who, get, handler};
use crate::features::Route;

/// Reading a record's history requires the permission to read records of its kind; reading the corporation's history
/// requires the permission to read the history.
pub const ROUTES: &[Route] = &[get(
    "/api/history",
    Who::Session,
    handler!(super::list, "Lists the changes of a record, or of the whole corporation"),
)
.errors(&[403, 404])];
