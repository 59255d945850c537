//! Messages about uploaded images.

use crate::message::messages;

messages! {
    "images.";
    LOGO_TOO_LARGE = "Logo file size should not exceed 2MB";
    LOGO_KIND = "Please upload a valid image file (PNG, JPG, or SVG)";
    LOGO_MISSING = "Please select a logo file first";
    AVATAR_TOO_LARGE = "The picture should not exceed 5MB";
    PHOTO_TOO_LARGE = "This photo is larger than 10 MB. Scale it down and try again.";
    PHOTO_KIND = "This file is not a PNG or JPEG. Save it as one of these and try again.";
    AVATAR_KIND = "Please choose a PNG or JPG picture";
    /// For an image with a valid signature that can't be decoded.
    UNREADABLE = "This picture can't be read. Save it again or choose another one.";
    /// For an image with too many pixels or an SVG with too many elements.
    TOO_DETAILED = "This picture is too large or too complex. Please scale it down and try again.";
    /// Rejected because the server has no fonts to render text in an SVG.
    SVG_HAS_TEXT = "This SVG contains text, which would be lost. Please convert the text to outlines (paths) and try again, or choose a PNG.";
    /// Rejected because the server does not load files that an SVG refers to.
    SVG_HAS_PICTURE = "This SVG contains another picture, which would be lost. Please remove it and try again, or choose a PNG.";
    NOT_A_FORM = "The picture must be sent as multipart/form-data.";
    TWO_PICTURES = "Please choose only one picture";
}
