//! The sentences of uploaded pictures (specification section 5, Logo).

pub const LOGO_TOO_LARGE: &str = "Logo file size should not exceed 2MB";
pub const LOGO_KIND: &str = "Please upload a valid image file (PNG, JPG, or SVG)";
pub const LOGO_MISSING: &str = "Please select a logo file first";
pub const AVATAR_TOO_LARGE: &str = "The picture should not exceed 5MB";
pub const AVATAR_KIND: &str = "Please choose a PNG or JPG picture";
/// A picture that has the right first bytes and can't be decoded all the same.
pub const UNREADABLE: &str = "This picture can't be read. Please save it anew and try again.";
/// More pixels than anybody needs, or an SVG with more in it.
pub const TOO_DETAILED: &str = "This picture is too large or too complex. Please scale it down and try again.";
/// An SVG without fonts would lose its words.
pub const SVG_HAS_TEXT: &str = "This SVG contains text, which would be lost. Please convert the text to outlines (paths) and try again, or choose a PNG.";
/// An SVG that shows another file would lose it.
pub const SVG_HAS_PICTURE: &str =
    "This SVG contains another picture, which would be lost. Please remove it and try again, or choose a PNG.";
pub const NOT_A_FORM: &str = "The picture must be sent as a form (multipart/form-data).";
pub const TWO_PICTURES: &str = "Please choose one picture";
