//! All routes: those of the features, the health checks and the OpenAPI document.

use super::{health, openapi};
use crate::features::{self, Route};

/// Returns every route.
pub fn routes() -> impl Iterator<Item = &'static Route> {
    [health::ROUTES, openapi::ROUTES].iter().chain(features::ROUTES).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::cost::estimate_cost;
    use crate::access::route::Method;
    use crate::platform::fairness::{Cost, PUBLIC_RESPONSE, REQUEST_WEIGHT, WRITE_WEIGHT, Work};
    use forecourt_core::invoices::UNPAGED_MAX_BYTES as INVOICES_MAX;
    use forecourt_core::reply::JSON_MAX;

    fn cost(method: Method, path: &str, uri: &str) -> Cost {
        let route = routes().find(|route| route.method == method && route.path == path).unwrap();
        estimate_cost(route, &uri.parse().unwrap(), Some(100))
    }

    #[test]
    fn distinguishes_a_list_from_a_search_by_the_query() {
        let work = |path: &str, uri: &str| cost(Method::Get, path, uri).work;
        assert_eq!(work("/api/contacts", "/api/contacts?page=2"), Work::List);
        assert_eq!(work("/api/contacts", "/api/contacts?page=2&search=%20"), Work::List);
        assert_eq!(work("/api/contacts", "/api/contacts?search=an&page=2"), Work::Search);
        assert_eq!(work("/api/customers", "/api/customers?searchTerm=an"), Work::Search);
        assert_eq!(work("/api/contacts/export", "/api/contacts/export?search=an"), Work::Export);
        assert_eq!(work("/api/dashboard", "/api/dashboard"), Work::List);
        assert_eq!(work("/api/contacts/{id}", "/api/contacts/1?search=an"), Work::Light);
        assert_eq!(work("/api/health", "/api/health?search=an"), Work::Light);
        assert_eq!(cost(Method::Post, "/api/contacts", "/api/contacts?search=an").work, Work::Light);
        assert_eq!(cost(Method::Post, "/api/contacts/bulk", "/api/contacts/bulk").work, Work::Search);
        assert_eq!(cost(Method::Post, "/api/privacy/erase", "/api/privacy/erase").work, Work::Export);
    }

    #[test]
    fn only_the_unpaged_list_of_invoices_reserves_more_than_a_json_response() {
        let bytes = |path: &str, uri: &str| cost(Method::Get, path, uri).bytes;
        assert_eq!(bytes("/api/invoices", "/api/invoices?search=an"), INVOICES_MAX);
        assert_eq!(bytes("/api/invoices", "/api/invoices?limit=100"), JSON_MAX);
        assert_eq!(bytes("/api/contacts", "/api/contacts"), JSON_MAX);
        assert_eq!(bytes("/api/images/{id}", "/api/images/1"), JSON_MAX);
        assert_eq!(bytes("/api/health/ready", "/api/health/ready"), PUBLIC_RESPONSE);
        let bytes = |path: &str| cost(Method::Post, path, path).bytes;
        assert_eq!(bytes("/api/auth/login"), REQUEST_WEIGHT);
        assert_eq!(bytes("/api/contacts/import/submit"), REQUEST_WEIGHT);
        assert_eq!(bytes("/api/contacts"), WRITE_WEIGHT);
    }

    #[test]
    fn a_public_request_reserves_the_declared_length_of_its_body() {
        let route = routes().find(|route| route.path == "/api/auth/login").unwrap();
        let bytes = |length| estimate_cost(route, &"/api/auth/login".parse().unwrap(), length).bytes;
        assert_eq!(bytes(Some(100_000)), 100_000);
        assert_eq!(bytes(Some(usize::MAX)), WRITE_WEIGHT);
        assert_eq!(bytes(None), WRITE_WEIGHT);
    }
}
