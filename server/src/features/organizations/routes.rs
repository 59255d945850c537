use crate::access::route::{Who, handler, post};
use crate::features::Route;
use Action::Read;
use ResourceId::Corporations;
use Who::May;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    post("/api/orgs/search", May(Read, Corporations), handler!(super::search, "Looks up a company"))
        .errors(&[404, 429]),
    post(
        "/api/orgs/public-search",
        May(Read, Corporations),
        handler!(super::public_search, "Looks up a company's public data"),
    )
    .errors(&[404, 429]),
    post(
        "/api/orgs/check-exists",
        May(Read, Corporations),
        handler!(super::check_exists, "Returns whether a company is registered"),
    )
    .errors(&[429]),
];
