//! The setting that names an external company register.

use forecourt_core::secret::Secret;
use url::form_urlencoded::byte_serialize;
use url::{Host, Url};

/// URL template of a company register, which may contain an API key.
#[derive(Clone)]
pub struct DirectoryUrl(Secret<String>);

impl DirectoryUrl {
    /// Placeholder for the organization number.
    const NUMBER: &str = "{organization_number}";

    pub fn parse(text: &str) -> Result<Self, String> {
        if !text.contains(Self::NUMBER) {
            return Err(format!("it must contain {}", Self::NUMBER));
        }
        let template = DirectoryUrl(text.into());
        let url = template.url_for("1").ok_or("it is not a URL")?;
        // The number may choose the path and query, but never the host.
        if template.url_for("2").is_none_or(|other| other.authority() != url.authority()) {
            return Err(format!("{} must follow the host", Self::NUMBER));
        }
        let is_local = url.host().is_some_and(|host| match host {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(ip) => ip.is_loopback(),
            Host::Ipv6(ip) => ip.is_loopback(),
        });
        match url.scheme() {
            "https" => Ok(template),
            "http" if is_local => Ok(template),
            _ => Err("it must start with https://".into()),
        }
    }

    /// Returns the URL for one organization number.
    pub fn url_for(&self, number: &str) -> Option<Url> {
        // Form encoding, but with `%20` for a space.
        let number: String = byte_serialize(number.as_bytes()).collect();
        Url::parse(&self.0.expose_secret().replace(Self::NUMBER, &number.replace('+', "%20"))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requires_the_number_in_path_or_query_and_https_except_on_the_loopback_address() {
        for right in [
            "https://register.example/{organization_number}.json?key=a",
            "https://register.example:8443/?number={organization_number}",
            "http://127.0.0.1:9/{organization_number}",
            "http://[::1]/{organization_number}",
            "http://localhost/{organization_number}",
        ] {
            assert!(DirectoryUrl::parse(right).is_ok(), "{right}");
        }
        for wrong in [
            "https://register.example/",
            "http://register.example/{organization_number}",
            "https://{organization_number}.register.example/",
            "https://register.example:{organization_number}/",
            "https://user:{organization_number}@register.example/",
            "ftp://register.example/{organization_number}",
            "{organization_number}",
        ] {
            assert!(DirectoryUrl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn encodes_the_number_as_one_part_of_the_url() {
        let template = DirectoryUrl::parse("https://register.example/a/{organization_number}?full=1").unwrap();
        let url_for = |number: &str| template.url_for(number).unwrap().to_string();
        assert_eq!(url_for("HRB 31045"), "https://register.example/a/HRB%2031045?full=1");
        assert_eq!(url_for("../x?y=1#z/å"), "https://register.example/a/..%2Fx%3Fy%3D1%23z%2F%C3%A5?full=1");
    }
}
