use crate::access::route::{Body, Who, delete, get, handler, post, put};
use crate::features::Route;
use crate::features::records::{self, bulk::bulk, export::export};
use Action::{Create, Delete, Read, Update};
use ResourceId::Invoices;
use Who::May;
use forecourt_core::invoices::Invoice;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    get("/api/invoices", May(Read, Invoices), handler!(super::list, "Lists invoices")),
    post("/api/invoices", May(Create, Invoices), handler!(records::create::<Invoice>, "Creates an invoice")),
    get("/api/invoices/total", May(Read, Invoices), handler!(super::total, "Returns the number of invoices")),
    get("/api/invoices/{id}", May(Read, Invoices), handler!(records::show::<Invoice>, "Returns an invoice")),
    put("/api/invoices/{id}", May(Update, Invoices), handler!(records::update::<Invoice>, "Updates an invoice"))
        .errors(&[409]),
    delete("/api/invoices/{id}", May(Delete, Invoices), handler!(records::remove::<Invoice>, "Deletes an invoice")),
    get("/api/invoices/export", May(Read, Invoices), handler!(export::<Invoice>, "Exports the list")),
    post("/api/invoices/bulk", May(Read, Invoices), handler!(bulk::<Invoice>, "Changes or deletes many invoices"))
        .body(Body::Ids)
        .errors(&[409]),
];
