use crate::access::route::{Body, Who, delete, get, handler, post, put};
use crate::features::Route;
use crate::features::records::{self, bulk::bulk, duplicates, export::export, merge::merge};
use Action::{Create, Delete, Read, Update};
use ResourceId::Contacts;
use Who::May;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    get("/api/contacts", May(Read, Contacts), handler!(super::list, "Lists contacts")),
    post("/api/contacts", May(Create, Contacts), handler!(records::create::<ContactSummary>, "Creates a contact")),
    get("/api/contacts/{id}", May(Read, Contacts), handler!(records::show::<ContactSummary>, "Returns a contact")),
    put("/api/contacts/{id}", May(Update, Contacts), handler!(records::update::<ContactSummary>, "Updates a contact"))
        .errors(&[409]),
    delete(
        "/api/contacts/{id}",
        May(Delete, Contacts),
        handler!(records::remove::<ContactSummary>, "Deletes a contact"),
    ),
    get(
        "/api/contacts/duplicates",
        May(Read, Contacts),
        handler!(duplicates::list::<ContactSummary>, "Lists contacts that may be the same"),
    ),
    post("/api/contacts/merge", May(Update, Contacts), handler!(merge::<ContactSummary>, "Merges contacts"))
        .errors(&[404, 409]),
    get("/api/contacts/export", May(Read, Contacts), handler!(export::<ContactSummary>, "Exports the list")),
    post(
        "/api/contacts/bulk",
        May(Read, Contacts),
        handler!(bulk::<ContactSummary>, "Changes or deletes many contacts"),
    )
    .body(Body::Ids)
    .errors(&[409]),
    get("/api/contacts/{id}/comments", May(Read, Contacts), handler!(super::comments::list, "Lists comments")),
    post("/api/contacts/{id}/comments", May(Read, Contacts), handler!(super::comments::create, "Adds a comment"))
        .errors(&[409]),
    put(
        "/api/contacts/{id}/comments/{commentId}",
        May(Read, Contacts),
        handler!(super::comments::update, "Updates a comment"),
    ),
    delete(
        "/api/contacts/{id}/comments/{commentId}",
        May(Read, Contacts),
        handler!(super::comments::delete, "Deletes a comment"),
    ),
];
