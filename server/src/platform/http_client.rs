//! The HTTP client for requests to other servers.

use reqwest::redirect::Policy;
use std::time::Duration;

/// Creates an HTTP client that connects only to the hosts of the requested URLs: it follows no redirects and uses no
/// proxy. `timeout` limits each request as a whole.
///
/// # Errors
/// The system's trusted certificates can't be used.
pub fn create_http_client(timeout: Duration) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().timeout(timeout).redirect(Policy::none()).no_proxy().build()
}
