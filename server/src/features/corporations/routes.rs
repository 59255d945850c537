use crate::access::route::{Who, delete, get, handler, post, put};
use crate::features::Route;
use crate::platform::limits;
use Action::{Create, Delete, Read, Update};
use ResourceId::Corporations;
use Who::{May, Public, Session};
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    post("/api/auth/signup", Public, handler!(super::signup, "Registers a corporation"))
        .limit(limits::SIGNUP_ADDRESS)
        .errors(&[403]),
    post("/api/auth/verify-email", Public, handler!(super::verify_email, "Confirms a registration by mailed link"))
        .limit(limits::VERIFY_EMAIL_ADDRESS)
        .errors(&[403, 409]),
    get(
        "/api/platform",
        May(Read, Corporations),
        handler!(super::platform::platform, "Returns figures of all corporations"),
    ),
    get("/api/corporations", May(Read, Corporations), handler!(super::list, "Lists corporations")),
    get("/api/corporations/export", May(Read, Corporations), handler!(super::export, "Exports the list")),
    get("/api/corporations/{id}", May(Read, Corporations), handler!(super::get, "Returns a corporation")),
    get(
        "/api/corporations/{id}/full-details",
        May(Read, Corporations),
        handler!(super::full_details, "Returns a corporation and its organization"),
    ),
    put("/api/corporations/{id}", May(Update, Corporations), handler!(super::update, "Updates a corporation"))
        .errors(&[409]),
    delete("/api/corporations/{id}", May(Delete, Corporations), handler!(super::delete, "Deletes a corporation"))
        .errors(&[409]),
    post("/api/corporations/{id}/decline", May(Delete, Corporations), handler!(super::decline, "Declines a sign-up"))
        .errors(&[409]),
    post(
        "/api/corporations/{id}/resources",
        May(Update, Corporations),
        handler!(super::add_resources, "Adds modules to a corporation"),
    )
    .errors(&[409]),
    delete(
        "/api/corporations/{id}/resources",
        May(Delete, Corporations),
        handler!(super::remove_resources, "Removes modules from a corporation"),
    )
    .errors(&[409]),
    post(
        "/api/corporations/organizations/register",
        May(Create, Corporations),
        handler!(super::create, "Creates a corporation and its administrator"),
    )
    .errors(&[409]),
    get("/api/corporations/corporations/current", Session, handler!(super::current, "Returns the user's corporation"))
        .errors(&[404]),
    get(
        "/api/corporations/resources",
        May(Read, Corporations),
        handler!(super::list_resources, "Lists the modules that a corporation can have"),
    ),
    get("/api/corporations/allowed-resources", Session, handler!(super::allowed_resources, "Lists the user's modules")),
    post(
        "/api/orgs/register",
        May(Create, Corporations),
        handler!(super::create, "Creates a corporation and its administrator"),
    )
    .errors(&[409]),
    put(
        "/api/orgs/update",
        May(Update, Corporations),
        handler!(super::update_by_body, "Updates the corporation that the body names"),
    )
    .errors(&[404, 409]),
];
