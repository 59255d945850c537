use crate::access::route::{Who::May, get, handler};
use crate::features::Route;
use crate::features::records::routes::record_routes;
use crate::features::records::show;
use forecourt_core::invoices::Invoice;
use forecourt_core::permissions::{Action::Read, ResourceId::Invoices};

pub const ROUTES: &[Route] = record_routes!(
    "/api/invoices", Invoices, Invoice, "an invoice", "invoices",
    list: super::list, show: show::<Invoice>,
    get("/api/invoices/total", May(Read, Invoices), handler!(super::total, "Returns the number of invoices")),
);
