//! The routes of the OpenAPI document and its page.

use crate::access::route::{Who, get, handler};
use crate::features::Route;
use Who::Public;

pub const ROUTES: &[Route] = &[
    get("/api/openapi.json", Public, handler!(super::json, "Describes every call")),
    get("/api/docs", Public, handler!(super::html, "Shows what this describes")),
    get("/api/docs.css", Public, handler!(super::css, "How that page looks")),
];
