//! What an uploaded picture may be (specification sections 5 and 9, decisions 4.10).

use super::text;
use serde::{Deserialize, Serialize};

/// What a picture is for.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImageUse {
    /// A corporation's logo.
    Logo,
    /// A person's picture.
    Avatar,
}

/// The largest logo, in bytes (specification section 9).
pub const LOGO_MAX: u64 = 2_097_152;
/// The largest picture of a person, in bytes, before it is scaled down.
pub const AVATAR_MAX: u64 = 5 * 1024 * 1024;
/// How many of a file's first bytes tell its kind. An SVG may begin with a long comment.
pub const HEAD_BYTES: usize = 4096;

/// What a picture's bytes say that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    Png,
    Jpeg,
    Svg,
}

impl ImageUse {
    pub fn most_bytes(self) -> u64 {
        match self {
            ImageUse::Logo => LOGO_MAX,
            ImageUse::Avatar => AVATAR_MAX,
        }
    }

    /// What is said of a larger one.
    pub fn too_large(self) -> &'static str {
        match self {
            ImageUse::Logo => text::LOGO_TOO_LARGE,
            ImageUse::Avatar => text::AVATAR_TOO_LARGE,
        }
    }
}

/// The kind of a picture of this use, from its size in bytes and its first [`HEAD_BYTES`].
///
/// # Errors
/// The sentence to show: too large, or not one of the kinds that are taken.
pub fn check_image(image: ImageUse, size: u64, head: &[u8]) -> Result<ImageKind, &'static str> {
    let other_kind = match image {
        ImageUse::Logo => text::LOGO_KIND,
        ImageUse::Avatar => text::AVATAR_KIND,
    };
    if size > image.most_bytes() {
        return Err(image.too_large());
    }
    match (kind_of(head), image) {
        (Some(ImageKind::Svg), ImageUse::Avatar) | (None, _) => Err(other_kind),
        (Some(kind), _) => Ok(kind),
    }
}

/// What the first bytes say: PNG and JPEG by their signatures, SVG by its root element.
fn kind_of(head: &[u8]) -> Option<ImageKind> {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(ImageKind::Png);
    }
    if head.starts_with(b"\xff\xd8\xff") {
        return Some(ImageKind::Jpeg);
    }
    let text = String::from_utf8_lossy(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head));
    is_svg(&text).then_some(ImageKind::Svg)
}

/// Is the root element `svg`, after declarations, comments and blanks?
fn is_svg(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!") {
            // A document type may declare entities of its own, between brackets.
            let head = rest.split_once('>').map_or(rest, |(head, _)| head);
            if head.contains('[') { "]>" } else { ">" }
        } else {
            break;
        };
        match rest.split_once(end) {
            Some((_, after)) => rest = after.trim_start(),
            None => return false,
        }
    }
    let Some(name) = rest.strip_prefix('<') else { return false };
    let name: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == ':').collect();
    name == "svg" || name.ends_with(":svg")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
    const JPEG: &[u8] = b"\xff\xd8\xff\xe0rest";

    #[test]
    fn a_logo_is_a_png_a_jpeg_or_an_svg_of_at_most_two_megabytes() {
        let logo = |size, head| check_image(ImageUse::Logo, size, head);
        assert_eq!(logo(LOGO_MAX, PNG), Ok(ImageKind::Png));
        assert_eq!(logo(1, JPEG), Ok(ImageKind::Jpeg));
        assert_eq!(logo(1, b"<svg xmlns='x'/>"), Ok(ImageKind::Svg));
        assert_eq!(logo(LOGO_MAX + 1, PNG), Err("Logo file size should not exceed 2MB"));
        for other in [b"".as_slice(), b"GIF89a", b"<html><svg/></html>", b"%PDF", b"svg", b"<svgx>", b"PNG"] {
            assert_eq!(logo(1, other), Err("Please upload a valid image file (PNG, JPG, or SVG)"), "{other:?}");
        }
    }

    #[test]
    fn an_svg_may_begin_with_declarations_and_comments() {
        for svg in [
            "\u{feff}<?xml version='1.0'?>\n<!-- a > b --><!DOCTYPE svg PUBLIC 'x' 'y'>\n<svg>",
            "  <s:svg xmlns:s='http://www.w3.org/2000/svg'>",
            "<!DOCTYPE svg [ <!ENTITY a 'x'> <!ENTITY b 'y'> ]><svg>",
        ] {
            assert!(is_svg(svg.trim_start_matches('\u{feff}')), "{svg}");
            assert_eq!(check_image(ImageUse::Logo, 9, svg.as_bytes()), Ok(ImageKind::Svg), "{svg}");
        }
    }

    #[test]
    fn a_person_s_picture_is_no_drawing() {
        assert_eq!(check_image(ImageUse::Avatar, AVATAR_MAX, JPEG), Ok(ImageKind::Jpeg));
        assert_eq!(check_image(ImageUse::Avatar, 9, b"<svg/>"), Err(text::AVATAR_KIND));
        assert_eq!(check_image(ImageUse::Avatar, AVATAR_MAX + 1, JPEG), Err(text::AVATAR_TOO_LARGE));
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_check_panic(head: Vec<u8>, text in "[<!?> a-z-]{0,40}") {
            let _ = check_image(ImageUse::Logo, 1, &head);
            let _ = check_image(ImageUse::Logo, 1, text.as_bytes());
        }
    }
}
