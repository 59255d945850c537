//! Whether a text is a website: a host name with an optional port and path, or an http(s) address.

use crate::text::is_mark;

/// The longest host name (RFC 1035, 2.3.4).
const HOST_MAX: usize = 253;
const LABEL_MAX: usize = 63;

/// Returns whether a text is a host name with an optional port and path (`nordbil.se:8080/cars`), or an http(s) address.
/// Without `http://` or `https://` the host name must contain a dot, so that neither `javascript:alert(1)` nor a word is a
/// website.
pub fn is_website(text: &str) -> bool {
    let (rest, has_scheme) = without_scheme(text);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    is_authority(authority, has_scheme) && !tail.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Returns what follows `http://` or `https://`, and whether the text begins with one of them.
fn without_scheme(text: &str) -> (&str, bool) {
    for scheme in ["http://", "https://"] {
        if let Some((first, rest)) = text.split_at_checked(scheme.len())
            && first.eq_ignore_ascii_case(scheme)
        {
            return (rest, true);
        }
    }
    (text, false)
}

/// Returns whether a text begins with `http://` or `https://`, in any case.
pub(crate) fn has_http_scheme(text: &str) -> bool {
    without_scheme(text).1
}

fn is_authority(authority: &str, has_scheme: bool) -> bool {
    // A colon inside of brackets belongs to an IPv6 address.
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    port.is_none_or(is_port) && (is_host(host, has_scheme) || (has_scheme && is_ipv6(host)))
}

/// Returns whether a text is a decimal number of at most `max`.
fn is_number(text: &str, max: u32) -> bool {
    let digits = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    digits && text.bytes().fold(0, |number, b| number * 10 + u32::from(b - b'0')) <= max
}

fn is_port(port: &str) -> bool {
    is_number(port, 65_535)
}

fn is_host(host: &str, may_be_one_label: bool) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.len() > HOST_MAX || !name.split('.').all(is_label) {
        return false;
    }
    // Browsers take a name that ends in a number for an IPv4 address.
    let last = name.rsplit('.').next().unwrap_or_default();
    if last.bytes().all(|b| b.is_ascii_digit()) {
        return name.split('.').count() == 4 && name.split('.').all(|part| is_number(part, 255));
    }
    may_be_one_label || name.contains('.')
}

/// Letters of any script are allowed, because browsers take international names (RFC 5890); so is the underscore, which
/// is in use.
fn is_label(label: &str) -> bool {
    let is_allowed = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || is_mark(c);
    !label.is_empty()
        && label.len() <= LABEL_MAX
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(is_allowed)
}

/// Only its characters are checked: the browser that opens the link reads the address.
fn is_ipv6(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or_default();
    address.len() <= 45
        && address.contains(':')
        && address.bytes().all(|b| b.is_ascii_hexdigit() || b == b':' || b == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn accepts_a_host_name_with_a_port_and_a_path_and_an_http_address() {
        for good in [
            "nordbil.se",
            "www.nordbil.se",
            "NORDBIL.SE",
            "nordbil.se.",
            "åkesbil.se",
            "nordbil.se:8080",
            "nordbil.se/cars?brand=Volvo#new",
            "nordbil.se?x=javascript:alert(1)",
            "my_shop.example.com",
            "10.0.0.1:8080/x",
            "http://nordbil.se",
            "HTTPS://nordbil.se/ä",
            "http://intranet/cars",
            "http://localhost:3000",
            "https://[::1]:8443/",
        ] {
            assert!(is_website(good), "{good}");
        }
    }

    #[test]
    fn rejects_other_schemes_words_and_what_is_no_host_name() {
        let long = format!("{}.se", "a".repeat(64));
        for bad in [
            "",
            "javascript:alert(1)",
            "JavaScript:alert(document.domain)//nordbil.se",
            "javascript://nordbil.se/%0Aalert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "file:///etc/passwd",
            "ftp://nordbil.se",
            "mailto:ada@nordbil.se",
            "tel:123",
            "//nordbil.se",
            "nordbil",
            "no website",
            "12.50",
            "1.2.3.4.5",
            "ada@nordbil.se",
            "https://ada:secret@nordbil.se",
            "http://",
            "https:///x",
            "http:nordbil.se",
            "http://123",
            "nordbil.se:",
            "nordbil.se:65536",
            "nordbil.se:+80",
            "nordbil..se",
            "-nordbil.se",
            "nordbil-.se",
            "nordbil.se /cars",
            "nordbil.se/our cars",
            "nordbil.se, sodrabil.se",
            "nordbil.se\\cars",
            "[::1]",
            "http://[::1",
            &long,
        ] {
            assert!(!is_website(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            is_website(&text);
        }

        #[test]
        fn a_website_links_to_an_http_address(text in "(https?://|javascript:|[a-z]{1,8}:)?[a-z0-9.:/@\\[\\]-]{0,16}") {
            if let Some(link) = crate::text::website_link(&text) {
                prop_assert!(is_website(&text));
                prop_assert!(link.starts_with("http://") || link.starts_with("https://"), "{}", link);
            }
        }
    }
}
