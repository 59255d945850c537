use super::stored::StoredCustomer;
use crate::access::route::{Body, Who, delete, get, handler, post, put};
use crate::features::Route;
use crate::features::records::{self, bulk::bulk, duplicates, export::export, merge::merge};
use Action::{Create, Delete, Read, Update};
use ResourceId::Customers;
use Who::May;
use forecourt_core::customers::CustomerSummary;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    get("/api/customers", May(Read, Customers), handler!(super::list, "Lists customers")),
    post("/api/customers", May(Create, Customers), handler!(records::create::<StoredCustomer>, "Creates a customer")),
    post(
        "/api/customers/search-person",
        May(Read, Customers),
        handler!(super::search_person, "Finds a customer by telephone number"),
    )
    .errors(&[404]),
    get("/api/customers/{id}", May(Read, Customers), handler!(super::get, "Returns a customer")),
    put(
        "/api/customers/{id}",
        May(Update, Customers),
        handler!(records::update::<StoredCustomer>, "Updates a customer"),
    )
    .errors(&[409]),
    delete(
        "/api/customers/{id}",
        May(Delete, Customers),
        handler!(records::remove::<CustomerSummary>, "Deletes a customer"),
    ),
    get(
        "/api/customers/duplicates",
        May(Read, Customers),
        handler!(duplicates::list::<StoredCustomer>, "Lists customers that may be the same"),
    ),
    post("/api/customers/merge", May(Update, Customers), handler!(merge::<StoredCustomer>, "Merges customers"))
        .errors(&[404, 409]),
    get("/api/customers/export", May(Read, Customers), handler!(export::<CustomerSummary>, "Exports the list")),
    post(
        "/api/customers/bulk",
        May(Read, Customers),
        handler!(bulk::<StoredCustomer>, "Changes or deletes many customers"),
    )
    .body(Body::Ids)
    .errors(&[409]),
];
