//! The routes of the OpenAPI document and its page.

use crate::access::route::{Who, get, handler};
use crate::features::Route;
use Who::Public;

pub const ROUTES: &[Route] = &[
    get("/api/openapi.json", Public, handler!(super::json, "Returns the OpenAPI document")),
    get("/api/docs", Public, handler!(super::html, "Shows the document as a page")),
    get("/api/docs.css", Public, handler!(super::css, "Returns the page's style sheet")),
];
