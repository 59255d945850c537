//! The routes of profile.

use crate::access::route::{Body, Who, delete, get, handler, post, put};
use crate::features::Route;
use Body::Picture;
use Who::Session;

pub const ROUTES: &[Route] = &[
    get("/api/auth/profile/detail", Session, handler!(super::get, "Shows one's own account")),
    post("/api/auth/profile/update-profile", Session, handler!(super::update, "Changes one's own account and picture"))
        .body(Picture)
        .errors(&[403, 429]),
    put(
        "/api/auth/profile/language",
        Session,
        handler!(super::update_language, "Chooses the language of one's own screens"),
    ),
    post("/api/auth/change-password", Session, handler!(super::change_password, "Changes one's own password"))
        .errors(&[429]),
    delete(
        "/api/profile/delete-account",
        Session,
        handler!(super::delete, "Deletes one's own account, given its password"),
    )
    .errors(&[409, 429]),
];
