//! Estimates the cost of a request before it uses the database.

use super::route::{Body, IDS_BYTES, Method, Route, Who};
use crate::platform::extract::ListQuery;
use crate::platform::fairness::{Cost, PUBLIC_RESPONSE, REQUEST_WEIGHT, WRITE_WEIGHT, Work};
use axum::extract::Query;
use axum::http::Uri;
use forecourt_core::invoices::{PAGE_SIZE, UNPAGED_MAX_BYTES as INVOICES_MAX};
use forecourt_core::reply::JSON_MAX;
use url::form_urlencoded;

/// Query parameters of lists. With one of them, the database may have to read all rows of the list.
const SCANNING: [&str; 4] = ["search", "searchTerm", "sort", "filter"];

/// Estimates the cost of a request. `length` is the declared length of its body in bytes, if any.
pub(crate) fn estimate_cost<S>(route: &Route<S>, uri: &Uri, length: Option<usize>) -> Cost {
    let is_read = route.method == Method::Get;
    let is_list = is_read && route.who != Who::Public && !route.path.contains('{');
    let mut query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let work = match is_list {
        // A bulk action: it may find its records by a search, and has the ids of all of them in memory.
        _ if route.body == Body::Ids => Work::Search,
        // A search for a person's data. It continues if its client disconnects.
        _ if matches!(route.path, "/api/privacy/person" | "/api/privacy/erase") => Work::Export,
        true if route.path.ends_with("/export") => Work::Export,
        // The search for duplicates reads all rows.
        true if route.path.ends_with("/duplicates") => Work::Search,
        true if query.any(|(name, value)| SCANNING.contains(&&*name) && !value.trim().is_empty()) => Work::Search,
        true => Work::List,
        false => Work::Light,
    };
    let bytes = match is_read {
        true if is_unpaged_list(route, uri) => INVOICES_MAX,
        true if route.who != Who::Public || route.path.contains('{') => JSON_MAX,
        true => PUBLIC_RESPONSE,
        // A multipart body is written to disk as it arrives.
        false if matches!(route.body, Body::Picture | Body::Photo | Body::File) => REQUEST_WEIGHT,
        false if route.body == Body::Ids => IDS_BYTES,
        false if route.who == Who::Public => length.unwrap_or(WRITE_WEIGHT).clamp(REQUEST_WEIGHT, WRITE_WEIGHT),
        false => WRITE_WEIGHT,
    };
    Cost { work, bytes, is_capped: is_read }
}

/// Returns true for a request for all invoices. Their list is the only one that returns all rows if no page is
/// requested.
fn is_unpaged_list<S>(route: &Route<S>, uri: &Uri) -> bool {
    route.path == "/api/invoices"
        && Query::<ListQuery<PAGE_SIZE>>::try_from_uri(uri).is_ok_and(|Query(query)| !query.is_paged())
}
