use super::photos;
use crate::access::route::{Body, Who, Who::May, delete, get, handler, post, put};
use crate::features::Route;
use crate::features::records::routes::record_routes;
use crate::features::records::{list_page, show};
use forecourt_core::permissions::{Action::Update, ResourceId::Vehicles};
use forecourt_core::vehicles::Vehicle;

pub const ROUTES: &[Route] = record_routes!(
    "/api/vehicles", Vehicles, Vehicle, "a vehicle", "vehicles",
    list: list_page::<Vehicle>, show: show::<Vehicle>,
    post("/api/vehicles/{id}/photos", May(Update, Vehicles), handler!(photos::add, "Adds a photo"))
        .body(Body::Photo)
        .errors(&[409, 413, 429]),
    put("/api/vehicles/{id}/photos", May(Update, Vehicles), handler!(photos::order, "Orders the photos"))
        .errors(&[409]),
    delete("/api/vehicles/{id}/photos/{photo_id}", May(Update, Vehicles), handler!(photos::remove, "Removes a photo")),
    get("/api/photos/{id}", Who::Public, handler!(photos::picture, "Returns a photo of a vehicle")),
    get("/api/photos/{id}/thumbnail", Who::Public, handler!(photos::thumbnail, "Returns a small photo of a vehicle")),
);
