//! Rules of uploaded images.

use super::text;
use crate::message::Message;
use serde::{Deserialize, Serialize};
use validator::ValidateRange;

/// What an image is used for.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImageUse {
    Logo,
    Avatar,
    /// A photo of a vehicle.
    Photo,
}

/// Maximum size of a logo, in bytes.
pub const LOGO_MAX: u64 = 2_097_152;
/// Maximum size of a profile picture before it is scaled down, in bytes.
pub const AVATAR_MAX: u64 = 5 * 1024 * 1024;
/// Maximum size of a vehicle's photo before it is scaled down, in bytes.
pub const PHOTO_MAX: u64 = 10 * 1024 * 1024;
/// Number of bytes at a file's beginning that are inspected to detect the format. An SVG may begin with a long comment.
pub const HEAD_BYTES: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    Png,
    Jpeg,
    Svg,
}

impl ImageUse {
    pub fn max_bytes(self) -> u64 {
        match self {
            ImageUse::Logo => LOGO_MAX,
            ImageUse::Avatar => AVATAR_MAX,
            ImageUse::Photo => PHOTO_MAX,
        }
    }

    pub fn too_large_message(self) -> &'static Message {
        match self {
            ImageUse::Logo => text::LOGO_TOO_LARGE,
            ImageUse::Avatar => text::AVATAR_TOO_LARGE,
            ImageUse::Photo => text::PHOTO_TOO_LARGE,
        }
    }
}

/// Detects the format of an image from its first [`HEAD_BYTES`] bytes and checks it. `size` is the file size in bytes.
///
/// # Errors
/// The message to show if the image is too large or its format is not accepted for this use.
pub fn check_image(image: ImageUse, size: u64, head: &[u8]) -> Result<ImageKind, &'static Message> {
    let other_kind = match image {
        ImageUse::Logo => text::LOGO_KIND,
        ImageUse::Avatar => text::AVATAR_KIND,
        ImageUse::Photo => text::PHOTO_KIND,
    };
    ensure!(size.validate_range(None, Some(image.max_bytes()), None, None), image.too_large_message());
    match (detect_kind(head), image) {
        (Some(ImageKind::Svg), ImageUse::Avatar | ImageUse::Photo) | (None, _) => Err(other_kind),
        (Some(kind), _) => Ok(kind),
    }
}

/// Detects PNG and JPEG by their signatures, and SVG by its root element.
fn detect_kind(head: &[u8]) -> Option<ImageKind> {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(ImageKind::Png);
    }
    if head.starts_with(b"\xff\xd8\xff") {
        return Some(ImageKind::Jpeg);
    }
    let text = String::from_utf8_lossy(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head));
    is_svg(&text).then_some(ImageKind::Svg)
}

/// Returns whether the root element is `svg`, after declarations, comments and whitespace.
fn is_svg(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!") {
            // A DOCTYPE may contain declarations in brackets, which themselves contain `>`.
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
    fn accepts_png_jpeg_and_svg_logos_of_at_most_two_megabytes() {
        let logo = |size, head| check_image(ImageUse::Logo, size, head);
        assert_eq!(logo(LOGO_MAX, PNG), Ok(ImageKind::Png));
        assert_eq!(logo(1, JPEG), Ok(ImageKind::Jpeg));
        assert_eq!(logo(1, b"<svg xmlns='x'/>"), Ok(ImageKind::Svg));
        assert_eq!(logo(LOGO_MAX + 1, PNG), Err(text::LOGO_TOO_LARGE));
        for other in [b"".as_slice(), b"GIF89a", b"<html><svg/></html>", b"%PDF", b"svg", b"<svgx>", b"PNG"] {
            assert_eq!(logo(1, other), Err(text::LOGO_KIND), "{other:?}");
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
    fn a_profile_picture_must_not_be_an_svg() {
        assert_eq!(check_image(ImageUse::Avatar, AVATAR_MAX, JPEG), Ok(ImageKind::Jpeg));
        assert_eq!(check_image(ImageUse::Avatar, 9, b"<svg/>"), Err(text::AVATAR_KIND));
        assert_eq!(check_image(ImageUse::Avatar, AVATAR_MAX + 1, JPEG), Err(text::AVATAR_TOO_LARGE));
    }

    #[test]
    fn a_photo_of_a_vehicle_is_a_png_or_jpeg_of_at_most_ten_megabytes() {
        let photo = |size, head| check_image(ImageUse::Photo, size, head);
        assert_eq!(photo(PHOTO_MAX, JPEG), Ok(ImageKind::Jpeg));
        assert_eq!(photo(1, PNG), Ok(ImageKind::Png));
        assert_eq!(photo(PHOTO_MAX + 1, JPEG), Err(text::PHOTO_TOO_LARGE));
        for other in [b"<svg/>".as_slice(), b"RIFF\x1a\0\0\0WEBPVP8L", b"\0\0\0\x18ftypheic"] {
            assert_eq!(photo(9, other), Err(text::PHOTO_KIND), "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(head: Vec<u8>, text in "[<!?> a-z-]{0,40}") {
            let _ = check_image(ImageUse::Logo, 1, &head);
            let _ = check_image(ImageUse::Logo, 1, text.as_bytes());
        }
    }
}
