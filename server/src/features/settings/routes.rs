use crate::access::route::{Who, get, handler, put};
use crate::features::Route;
use Who::{Administrator, Session};

pub const ROUTES: &[Route] = &[
    get("/api/settings", Session, handler!(super::get, "Returns the corporation's country, currency and VAT")),
    put("/api/settings", Administrator, handler!(super::update, "Sets the corporation's country, currency and VAT"))
        .errors(&[409]),
];
