use crate::access::route::{Body, Who, delete, get, handler, put};
use crate::features::Route;
use Body::Picture;
use Who::{Administrator, Session};

pub const ROUTES: &[Route] = &[
    get("/api/theme", Session, handler!(super::get, "Returns the accent colour")),
    put("/api/theme", Session, handler!(super::update, "Sets the accent colour"))
        .note("Only administrators may set the corporation's colour.")
        .errors(&[403]),
    get("/api/theme/logo", Session, handler!(super::get_logo, "Returns the logo's address")),
    put("/api/theme/logo", Administrator, handler!(super::update_logo, "Replaces the logo"))
        .body(Picture)
        .errors(&[429]),
    delete("/api/theme/logo", Administrator, handler!(super::delete_logo, "Removes the logo")),
];
