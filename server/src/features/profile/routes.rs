use crate::access::route::{Body, Who, delete, get, handler, post, put};
use crate::features::Route;
use Body::Picture;
use Who::Session;

pub const ROUTES: &[Route] = &[
    get("/api/auth/profile/detail", Session, handler!(super::get, "Returns the user's account")),
    post(
        "/api/auth/profile/update-profile",
        Session,
        handler!(super::update, "Updates the user's account and picture"),
    )
    .body(Picture)
    .errors(&[403, 409, 429]),
    put("/api/auth/profile/language", Session, handler!(super::update_language, "Sets the user's language")),
    post("/api/auth/change-password", Session, handler!(super::change_password, "Changes the user's password"))
        .errors(&[429]),
    delete("/api/profile/delete-account", Session, handler!(super::delete, "Deletes the user's account"))
        .errors(&[409, 429]),
];
