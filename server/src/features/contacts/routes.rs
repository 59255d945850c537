use crate::access::route::{Who::May, delete, get, handler, post, put};
use crate::features::Route;
use crate::features::records::routes::record_routes;
use crate::features::records::{duplicates, merge::merge, show};
use forecourt_core::contacts::ContactSummary;
use forecourt_core::permissions::{
    Action::{Read, Update},
    ResourceId::Contacts,
};

pub const ROUTES: &[Route] = record_routes!(
    "/api/contacts", Contacts, ContactSummary, "a contact", "contacts",
    list: super::list, show: show::<ContactSummary>,
    get(
        "/api/contacts/duplicates",
        May(Read, Contacts),
        handler!(duplicates::list::<ContactSummary>, "Lists contacts that may be the same"),
    ),
    post("/api/contacts/merge", May(Update, Contacts), handler!(merge::<ContactSummary>, "Merges contacts"))
        .note("Also requires the Delete permission.")
        .errors(&[404, 409]),
    get("/api/contacts/{id}/comments", May(Read, Contacts), handler!(super::comments::list, "Lists comments")),
    post("/api/contacts/{id}/comments", May(Read, Contacts), handler!(super::comments::create, "Adds a comment"))
        .errors(&[409]),
    put(
        "/api/contacts/{id}/comments/{commentId}",
        May(Read, Contacts),
        handler!(super::comments::update, "Updates a comment"),
    )
    .note("Only for the comment's author."),
    delete(
        "/api/contacts/{id}/comments/{commentId}",
        May(Read, Contacts),
        handler!(super::comments::delete, "Deletes a comment"),
    )
    .note("Only for the comment's author, and for users with the Delete permission."),
);
