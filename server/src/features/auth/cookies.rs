//! Cookies that bind a login flow, and the one-time login exchange after it, to the browser that started it. Sessions
//! are not stored in cookies.

use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use axum::http::{HeaderMap, HeaderValue, header};

/// A cookie of one purpose, always `HttpOnly`.
pub(super) struct Cookie {
    pub name: &'static str,
    /// `Lax` if it must be sent when another site redirects back to this one, else `Strict`.
    pub same_site: &'static str,
    /// `Max-Age`, in seconds.
    pub seconds: i64,
}

impl Cookie {
    /// Returns the `Set-Cookie` header that sets the cookie to this value.
    pub fn set(&self, app: &App, value: &str) -> ApiResult<HeaderValue> {
        self.header(app, value, self.seconds)
    }

    /// Returns the `Set-Cookie` header that deletes the cookie.
    pub fn clear(&self, app: &App) -> ApiResult<HeaderValue> {
        self.header(app, "", 0)
    }

    /// Returns the cookie's value in the request, if present.
    pub fn read<'h>(&self, app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
        let name = self.full_name(app);
        let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    fn header(&self, app: &App, value: &str, seconds: i64) -> ApiResult<HeaderValue> {
        let (name, same_site) = (self.full_name(app), self.same_site);
        let secure = if is_secure(app) { "; Secure" } else { "" };
        let header = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}");
        HeaderValue::from_str(&header).map_err(ApiError::internal)
    }

    /// Returns the name, prefixed with `__Host-` on https: browsers then accept it only from this host and over https
    /// (RFC 6265bis).
    fn full_name(&self, app: &App) -> String {
        format!("{}{}", if is_secure(app) { "__Host-" } else { "" }, self.name)
    }
}

fn is_secure(app: &App) -> bool {
    app.config.public_url().starts_with("https://")
}
