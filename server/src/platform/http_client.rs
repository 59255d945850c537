//! The HTTP client for requests to other servers.

use reqwest::redirect::Policy;
use std::time::Duration;

/// Creates a client that connects only to the hosts that it is given: it follows no redirects and uses no proxy.
///
/// # Errors
/// If the system's trusted certificates cannot be used.
pub fn create_http_client(timeout: Duration) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().timeout(timeout).redirect(Policy::none()).no_proxy().build()
}
