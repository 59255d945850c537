use super::steps;
use crate::access::route::{Who::May, handler, post};
use crate::features::Route;
use crate::features::records::routes::record_routes;
use crate::features::records::{list_page, show};
use forecourt_core::agreements::Agreement;
use forecourt_core::permissions::{Action::Update, ResourceId::Agreements};

pub const ROUTES: &[Route] = record_routes!(
    "/api/agreements", Agreements, Agreement, "an agreement", "agreements",
    list: list_page::<Agreement>, show: show::<Agreement>,
    post("/api/agreements/{id}/state", May(Update, Agreements), handler!(steps::step, "Changes an agreement's state"))
        .errors(&[409]),
);
