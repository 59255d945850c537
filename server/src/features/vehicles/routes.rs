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
    delete("/api/vehicles/{id}", May(Delete, Vehicles), handler!(records::remove::<Vehicle>, "Deletes a vehicle")),
    get("/api/vehicles/export", May(Read, Vehicles), handler!(export::<Vehicle>, "Exports the list")),
    post("/api/vehicles/bulk", May(Read, Vehicles), handler!(bulk::<Vehicle>, "Changes or deletes many vehicles"))
        .body(Body::Ids)
        .errors(&[409]),
];
