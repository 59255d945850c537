//! The routes of organizations.

use crate::access::route::{Who, handler, post};
use crate::features::Route;
use Action::Read;
use ResourceId::Corporations;
use Who::May;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    post(
        "/api/orgs/search",
        May(Read, Corporations),
        handler!(super::search, "Looks a company up, here and in the directory"),
    )
    .errors(&[404, 429]),
    post(
        "/api/orgs/public-search",
        May(Read, Corporations),
        handler!(super::public_search, "Looks a company up in the directory"),
    )
    .errors(&[404, 429]),
    post(
        "/api/orgs/check-exists",
        May(Read, Corporations),
        handler!(super::check_exists, "Tells whether a company is registered here"),
    )
    .errors(&[429]),
];
