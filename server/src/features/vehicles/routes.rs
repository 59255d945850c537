use super::photos;
use crate::access::route::{Body, Who, delete, get, handler, post, put};
use crate::features::Route;
use crate::features::records::{self, bulk::bulk, export::export};
use Action::{Create, Delete, Read, Update};
use ResourceId::Vehicles;
use Who::May;
use forecourt_core::permissions::{Action, ResourceId};
use forecourt_core::vehicles::Vehicle;

pub const ROUTES: &[Route] = &[
    get("/api/vehicles", May(Read, Vehicles), handler!(super::list, "Lists vehicles")),
    post("/api/vehicles", May(Create, Vehicles), handler!(records::create::<Vehicle>, "Creates a vehicle")),
    get("/api/vehicles/{id}", May(Read, Vehicles), handler!(records::show::<Vehicle>, "Returns a vehicle")),
    put("/api/vehicles/{id}", May(Update, Vehicles), handler!(records::update::<Vehicle>, "Updates a vehicle"))
        .errors(&[409]),
    delete("/api/vehicles/{id}", May(Delete, Vehicles), handler!(records::remove::<Vehicle>, "Deletes a vehicle"))
        .errors(&[409]),
    get("/api/vehicles/export", May(Read, Vehicles), handler!(export::<Vehicle>, "Exports the list")),
    post("/api/vehicles/bulk", May(Read, Vehicles), handler!(bulk::<Vehicle>, "Changes or deletes many vehicles"))
        .body(Body::Ids)
        .errors(&[409]),
    post("/api/vehicles/{id}/photos", May(Update, Vehicles), handler!(photos::add, "Adds a photo"))
        .body(Body::Photo)
        .errors(&[409, 413, 429]),
    put("/api/vehicles/{id}/photos", May(Update, Vehicles), handler!(photos::order, "Orders the photos"))
        .errors(&[409]),
    delete("/api/vehicles/{id}/photos/{photo_id}", May(Update, Vehicles), handler!(photos::remove, "Removes a photo")),
    get("/api/photos/{id}", Who::Public, handler!(photos::picture, "Returns a photo of a vehicle")),
    get("/api/photos/{id}/thumbnail", Who::Public, handler!(photos::thumbnail, "Returns a small photo of a vehicle")),
];
