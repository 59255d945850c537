use crate::access::route::{Who, get, handler};
use crate::features::Route;

pub const ROUTES: &[Route] = &[get(
    "/api/history",
    Who::Session,
    handler!(super::list, "Lists the changes of a record, or of the whole corporation"),
)
.note("Also requires the Read permission for the resource of the record or, without an id, for History.")
.errors(&[403, 404])];
