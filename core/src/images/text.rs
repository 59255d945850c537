//! Messages about uploaded images.

pub const LOGO_TOO_LARGE: &str = "Logo file size should not exceed 2MB";
pub const LOGO_KIND: &str = "Please upload a valid image file (PNG, JPG, or SVG)";
pub const LOGO_MISSING: &str = "Please select a logo file first";
pub const AVATAR_TOO_LARGE: &str = "The picture should not exceed 5MB";
pub const AVATAR_KIND: &str = "Please choose a PNG or JPG picture";
/// For an image with a valid signature that can't be decoded.
pub const UNREADABLE: &str = "This picture can't be read. Save it again or choose another one.";
/// For an image with too many pixels or an SVG with too many elements.
pub const TOO_DETAILED: &str = "This picture is too large or too complex. Please scale it down and try again.";
/// The server has no fonts to render text in an SVG.
pub const SVG_HAS_TEXT: &str = "This SVG contains text, which would be lost. Please convert the text to outlines (paths) and try again, or choose a PNG.";
/// The server does not load files that an SVG refers to.
pub const SVG_HAS_PICTURE: &str =
    "This SVG contains another picture, which would be lost. Please remove it and try again, or choose a PNG.";
pub const NOT_A_FORM: &str = "The picture must be sent as multipart/form-data.";
pub const TWO_PICTURES: &str = "Please choose only one picture";
