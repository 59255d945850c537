//! Cookies: they tell the browser that began something from every other one. No session is kept in one.

use crate::features::state::App;
use axum::http::{HeaderMap, HeaderValue, header};

/// A cookie of one purpose. Scripts never see it.
pub(super) struct Cookie {
    pub name: &'static str,
    /// `Lax` where the browser comes back from another site with it, else `Strict`.
    pub same_site: &'static str,
    /// How long the browser keeps it.
    pub seconds: i64,
}

impl Cookie {
    /// The header that gives the browser this value.
    ///
    /// # Errors
    /// The value is not plain ASCII.
    pub fn give(&self, app: &App, value: &str) -> Result<HeaderValue, header::InvalidHeaderValue> {
        self.header(app, value, self.seconds)
    }

    /// The header that takes it away.
    ///
    /// # Errors
    /// None with a name of ours.
    pub fn take(&self, app: &App) -> Result<HeaderValue, header::InvalidHeaderValue> {
        self.header(app, "", 0)
    }

    /// What the browser sent.
    pub fn read<'h>(&self, app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
        let name = self.full_name(app);
        let sent = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut pairs = sent.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    fn header(&self, app: &App, value: &str, seconds: i64) -> Result<HeaderValue, header::InvalidHeaderValue> {
        let (name, same_site) = (self.full_name(app), self.same_site);
        let secure = if is_secure(app) { "; Secure" } else { "" };
        HeaderValue::from_str(&format!(
            "{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}"
        ))
    }

    /// Under `__Host-` a browser takes it only from this very host, and only by https (RFC 6265bis).
    fn full_name(&self, app: &App) -> String {
        format!("{}{}", if is_secure(app) { "__Host-" } else { "" }, self.name)
    }
}

fn is_secure(app: &App) -> bool {
    app.config.public_url().starts_with("https://")
}
