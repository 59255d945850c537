//! Validation of websites.

use crate::text::is_mark;
use validator::ValidateNonControlCharacter;

/// Maximum length of a host name and of one of its labels, in bytes (RFC 1035, section 2.3.4; its 255 bytes of a name
/// are 253 as text).
const HOST_MAX: usize = 253;
const LABEL_MAX: usize = 63;

/// Returns whether a text is a host name with an optional port and path (`nordbil.se:8080/cars`), or an http(s) URL.
/// Without `http://` or `https://` the host name must contain a dot, so that `javascript:alert(1)` and single words are
/// rejected.
pub fn is_website(text: &str) -> bool {
    let (rest, has_scheme) = without_scheme(text);
    let end = rest.bytes().position(|b| matches!(b, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    is_authority(authority, has_scheme)
        && !tail.chars().any(char::is_whitespace)
        && tail.validate_non_control_character()
}

/// Returns the URL of a website, with `https://` prepended if it has no scheme. `None` if the text is not a website,
/// which is possible for old records.
pub fn website_link(website: &str) -> Option<String> {
    let website = website.trim();
    let link = || if has_http_scheme(website) { website.to_owned() } else { format!("https://{website}") };
    is_website(website).then(link)
}

/// Returns whether a text begins with `http://` or `https://`, ignoring case.
fn has_http_scheme(text: &str) -> bool {
    without_scheme(text).1
}

/// Returns the text after `http://` or `https://`, and whether it began with one of them.
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

fn is_authority(authority: &str, has_scheme: bool) -> bool {
    // A colon inside brackets belongs to an IPv6 address.
    let colon = authority.bytes().rposition(|b| b == b':' || b == b']');
    let (host, port) = authority.split_at(colon.unwrap_or(authority.len()));
    match port.as_bytes() {
        [] => is_host(host, has_scheme),
        [b':', port @ ..] if is_number(port, 65_535) => is_host(host, has_scheme) || (has_scheme && is_ipv6(host)),
        _ => has_scheme && is_ipv6(authority),
    }
}

/// Returns whether the text is a decimal number with at most five digits and a value of at most `max`.
fn is_number(text: &[u8], max: u32) -> bool {
    let is_short = (1..=5).contains(&text.len());
    is_short && text.iter().all(u8::is_ascii_digit) && text.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')) <= max
}

/// Returns whether a text is a host name or an IPv4 address. Letters of any script are allowed because browsers accept
/// internationalized domain names (RFC 5890). Underscores are allowed because they are in use.
fn is_host(host: &str, may_be_one_label: bool) -> bool {
    let (mut labels, mut length, mut before, mut is_numeric) = (1, 0, '.', true);
    for c in host.chars() {
        let is_allowed = match c {
            '.' => before != '.' && before != '-',
            '-' => before != '.',
            c => c.is_ascii_digit() || c == '_' || c.is_alphabetic() || is_mark(c),
        };
        (labels, length, is_numeric) = match c {
            '.' => (labels + 1, 0, true),
            c => (labels, length + c.len_utf8(), is_numeric && c.is_ascii_digit()),
        };
        before = c;
        if !is_allowed || length > LABEL_MAX {
            return false;
        }
    }
    if before == '.' || before == '-' || host.len() > HOST_MAX {
        return false;
    }
    // Browsers parse a host whose last label is a number as an IPv4 address.
    match is_numeric {
        true => labels == 4 && host.as_bytes().split(|b| *b == b'.').all(|part| is_number(part, 255)),
        false => labels > 1 || may_be_one_label,
    }
}

/// Returns whether a text in brackets has only characters of an IPv6 address. The browser parses it when it opens the
/// link.
fn is_ipv6(host: &str) -> bool {
    let is_inner = |b: &u8| b.is_ascii_hexdigit() || *b == b':' || *b == b'.';
    matches!(host.as_bytes(), [b'[', inner @ .., b']'] if inner.contains(&b':') && inner.iter().all(is_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn website_links_use_no_other_scheme_than_http() {
        assert_eq!(website_link(" example.se ").as_deref(), Some("https://example.se"));
        assert_eq!(website_link("HTTP://example.se").as_deref(), Some("HTTP://example.se"));
        assert_eq!(website_link("javascript:alert(1)"), None);
    }

    #[test]
    fn accepts_host_names_with_port_and_path_and_http_urls() {
        for good in [
            "nordbil.se",
            "www.nordbil.se",
            "NORDBIL.SE",
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
            "http://[2001:db8::1]/x",
        ] {
            assert!(is_website(good), "{good}");
        }
    }

    #[test]
    fn rejects_other_schemes_words_and_invalid_host_names() {
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
            "nordbil.se.",
            ".nordbil.se",
            "nordbil.se:80:80",
            "http://[::1]x",
            "http://[]",
            "\u{202e}nordbil.se",
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
        fn links_only_to_http_urls(text in "(https?://|javascript:|[a-z]{1,8}:)?[a-z0-9.:/@\\[\\]-]{0,16}") {
            if let Some(link) = website_link(&text) {
                prop_assert!(is_website(&text));
                prop_assert!(link.starts_with("http://") || link.starts_with("https://"), "{}", link);
            }
        }
    }
}
