use crate::access::route::{Who, get, handler, post};
use crate::features::Route;

pub const ROUTES: &[Route] = &[
    post("/api/privacy/person", Who::Administrator, handler!(super::person, "Counts what is stored about a person"))
        .errors(&[404, 429]),
    get("/api/privacy/export", Who::Administrator, handler!(super::export, "Downloads what is stored about a person"))
        .errors(&[404, 429]),
    post("/api/privacy/erase", Who::Administrator, handler!(super::erase, "Erases the personal data of a person"))
        .errors(&[404, 429]),
    get(
        "/api/privacy/certificates",
        Who::Administrator,
        handler!(super::certificates, "Lists certificates of erasures"),
    ),
];
