use crate::access::route::{Who, get, handler};
use crate::features::Route;

/// Requires the permission to read records of the kind that the request names.
pub const ROUTES: &[Route] =
    &[get("/api/history", Who::Session, handler!(super::list, "Lists the changes of a record")).errors(&[403])];
