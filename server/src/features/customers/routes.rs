use super::stored::StoredCustomer;
use crate::access::route::{Who::May, get, handler, post};
use crate::features::Route;
use crate::features::records::routes::record_routes;
use crate::features::records::{duplicates, merge::merge};
use forecourt_core::permissions::{
    Action::{Read, Update},
    ResourceId::Customers,
};

pub const ROUTES: &[Route] = record_routes!(
    "/api/customers", Customers, StoredCustomer, "a customer", "customers",
    list: super::list, show: super::get,
    post(
        "/api/customers/search-person",
        May(Read, Customers),
        handler!(super::search_person, "Finds a customer by telephone number"),
    )
    .errors(&[404]),
    get(
        "/api/customers/duplicates",
        May(Read, Customers),
        handler!(duplicates::list::<StoredCustomer>, "Lists customers that may be the same"),
    ),
    post("/api/customers/merge", May(Update, Customers), handler!(merge::<StoredCustomer>, "Merges customers"))
        .note("Also requires the Delete permission.")
        .errors(&[404, 409]),
);
