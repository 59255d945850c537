//! The types of single settings, and how they are parsed.

use openidconnect::IssuerUrl;
use std::fmt;
use url::form_urlencoded::byte_serialize;
use url::{Host, Url};

/// URL template of a company register. Its `Debug` output hides the value, which may contain an API key.
#[derive(Clone, PartialEq, Eq)]
pub struct DirectoryUrl(String);

impl fmt::Debug for DirectoryUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DirectoryUrl(…)")
    }
}

impl DirectoryUrl {
    /// Placeholder for the organization number.
    const NUMBER: &str = "{organization_number}";

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if !text.contains(Self::NUMBER) {
            return Err(format!("it must contain {}", Self::NUMBER));
        }
        let url = DirectoryUrl(text.to_owned());
        let one = url.of("1").ok_or("it is no address")?;
        // The number may choose the path and query, but never the host.
        if url.of("2").is_none_or(|other| other.authority() != one.authority()) {
            return Err(format!("{} must stand behind the host", Self::NUMBER));
        }
        let is_local = one.host().is_some_and(|host| match host {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(ip) => ip.is_loopback(),
            Host::Ipv6(ip) => ip.is_loopback(),
        });
        match one.scheme() {
            "https" => Ok(url),
            "http" if is_local => Ok(url),
            _ => Err("it must start with https://".into()),
        }
    }

    /// Returns the URL for one organization number.
    pub fn of(&self, number: &str) -> Option<Url> {
        // Form encoding, but with `%20` for a space.
        let number: String = byte_serialize(number.as_bytes()).collect();
        Url::parse(&self.0.replace(Self::NUMBER, &number.replace('+', "%20"))).ok()
    }
}

/// Whether corporations may register themselves (docs/product.md 2.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Signup {
    /// They may, and a Super Admin switches them on
    Approval,
    /// They may not
    Off,
}

/// The shape of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people
    Pretty,
    /// One JSON object a line
    Json,
}

/// 32 secret bytes; never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey(pub [u8; 32]);

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

pub(super) fn database_url(text: &str) -> Result<String, String> {
    if ["sqlite:", "postgres://", "postgresql://"].iter().any(|s| text.starts_with(s)) {
        Ok(text.to_owned())
    } else {
        Err("it must start with sqlite: or postgres://".into())
    }
}

pub(super) fn public_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|e| e.to_string())?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() {
        Ok(url)
    } else {
        Err("it must start with http:// or https://".into())
    }
}

/// Parses the issuer without normalizing it: a trailing slash would make it a different issuer.
pub(super) fn issuer_url(text: &str) -> Result<IssuerUrl, String> {
    public_url(text)?;
    IssuerUrl::new(text.to_owned()).map_err(|e| e.to_string())
}

pub(super) fn smtp_url(text: &str) -> Result<String, String> {
    let url = Url::parse(text).map_err(|e| e.to_string())?;
    if matches!(url.scheme(), "smtp" | "smtps") && url.has_host() {
        Ok(text.to_owned())
    } else {
        Err("it must start with smtp:// or smtps://".into())
    }
}

pub(super) fn mail_from(text: &str) -> Result<String, String> {
    text.parse::<lettre::message::Mailbox>().map(|_| text.to_owned()).map_err(|e| e.to_string())
}

/// Parses 64 hexadecimal digits.
pub fn secret_key(text: &str) -> Result<SecretKey, String> {
    let text = text.trim();
    let mut key = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return Err("it must have 64 hexadecimal digits".into());
    }
    for (i, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16)
            .map_err(|_| "it must have 64 hexadecimal digits".to_owned())?;
    }
    Ok(SecretKey(key))
}
