use super::steps;
use crate::access::route::{Body, Who, delete, get, handler, post, put};
use crate::features::Route;
use crate::features::records::{self, bulk::bulk, export::export};
use Action::{Create, Delete, Read, Update};
use ResourceId::Agreements;
use Who::May;
use forecourt_core::agreements::Agreement;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    get("/api/agreements", May(Read, Agreements), handler!(super::list, "Lists agreements")),
    post("/api/agreements", May(Create, Agreements), handler!(records::create::<Agreement>, "Creates an agreement")),
    get("/api/agreements/{id}", May(Read, Agreements), handler!(records::show::<Agreement>, "Returns an agreement")),
    put(
        "/api/agreements/{id}",
        May(Update, Agreements),
        handler!(records::update::<Agreement>, "Updates an agreement"),
    )
    .errors(&[409]),
    delete(
        "/api/agreements/{id}",
        May(Delete, Agreements),
        handler!(records::remove::<Agreement>, "Deletes an agreement"),
    )
    .errors(&[409]),
    post("/api/agreements/{id}/state", May(Update, Agreements), handler!(steps::step, "Takes a step of an agreement"))
        .errors(&[409]),
    get("/api/agreements/export", May(Read, Agreements), handler!(export::<Agreement>, "Exports the list")),
    post(
        "/api/agreements/bulk",
        May(Read, Agreements),
        handler!(bulk::<Agreement>, "Changes or deletes many agreements"),
    )
    .body(Body::Ids)
    .errors(&[409]),
];
