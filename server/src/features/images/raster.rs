//! PNG and JPEG: decoded within limits, rotated upright, cropped (pictures of users), scaled down and re-encoded. This
//! removes metadata and any data after the picture.

use super::pictures::{Format, Output, Photo, Reencoded};
use forecourt_core::images::{ImageUse, text};
use forecourt_core::vehicles::{PHOTO_SIDE, THUMBNAIL_SIDE};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// Maximum width and height in pixels, and maximum size of the decoded pixels in bytes.
const MAX_SIDE: u32 = 4096;
const MAX_DECODED_BYTES: u64 = 64 << 20;
/// The same two limits for photos of vehicles, which may come from a camera with 24 megapixels.
const PHOTO_MAX_SIDE: u32 = 8192;
const PHOTO_MAX_DECODED_BYTES: u64 = 96 << 20;
/// Side of the square user picture, and of the square that a logo fits into, in pixels.
const AVATAR_SIDE: u32 = 256;
const LOGO_SIDE: u32 = 400;
const JPEG_QUALITY: u8 = 88;
const PHOTO_QUALITY: u8 = 82;
const THUMBNAIL_QUALITY: u8 = 75;

/// Decodes a picture, and encodes it for its use.
pub(super) fn reencode(format: ImageFormat, image: ImageUse, bytes: &[u8]) -> Reencoded {
    let (side, decoded_bytes) = match image {
        ImageUse::Photo => (PHOTO_MAX_SIDE, PHOTO_MAX_DECODED_BYTES),
        ImageUse::Avatar | ImageUse::Logo => (MAX_SIDE, MAX_DECODED_BYTES),
    };
    let upright = decode(format, bytes, side, decoded_bytes).map_err(|error| match error {
        ImageError::Limits(_) => text::TOO_DETAILED,
        _ => text::UNREADABLE,
    })?;
    let encoded = match image {
        ImageUse::Avatar => encode(&scale_down(crop_to_square(&upright), AVATAR_SIDE), image),
        ImageUse::Logo => encode(&scale_down(upright, LOGO_SIDE), image),
        ImageUse::Photo => encode_photo(upright).map(Output::of_photo),
    };
    encoded.map_err(|_| text::UNREADABLE)
}

/// Encodes a photo and its thumbnail as JPEG.
pub(crate) fn encode_photo(picture: DynamicImage) -> Result<Photo, ImageError> {
    let photo = scale_down(picture, PHOTO_SIDE);
    let photo = if photo.color().has_alpha() { on_white(photo) } else { photo };
    let thumbnail =
        photo.resize(photo.width().min(THUMBNAIL_SIDE), photo.height().min(THUMBNAIL_SIDE), FilterType::Lanczos3);
    Ok(Photo {
        bytes: jpeg(&photo, PHOTO_QUALITY)?,
        thumbnail: jpeg(&thumbnail, THUMBNAIL_QUALITY)?,
        width: photo.width(),
        height: photo.height(),
    })
}

/// Draws a transparent picture on a white background.
fn on_white(image: DynamicImage) -> DynamicImage {
    map_colors(image, |color, alpha| (color * alpha + 255 * (255 - alpha) + 127) / 255).into_rgb8().into()
}

fn jpeg(picture: &DynamicImage, quality: u8) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture)?;
    Ok(bytes)
}

/// Decodes to RGBA if any pixel is transparent, else to RGB. The size that the file declares is checked first.
fn decode(format: ImageFormat, bytes: &[u8], side: u32, decoded_bytes: u64) -> Result<DynamicImage, ImageError> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(side);
    limits.max_image_height = Some(side);
    limits.max_alloc = Some(decoded_bytes);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    limits.reserve(decoder.total_bytes())?;
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    // Converts 16-bit channels and grey to one of the two output formats.
    if !image.color().has_alpha() {
        return Ok(image.into_rgb8().into());
    }
    let rgba = image.into_rgba8();
    let has_transparency = rgba.as_raw().iter().skip(3).step_by(4).any(|alpha| *alpha < 255);
    Ok(if has_transparency { rgba.into() } else { DynamicImage::from(rgba).into_rgb8().into() })
}

fn crop_to_square(image: &DynamicImage) -> DynamicImage {
    let side = image.width().min(image.height());
    image.crop_imm((image.width() - side) / 2, (image.height() - side) / 2, side, side)
}

/// Scales down to fit a square of this side. Never scales up.
fn scale_down(image: DynamicImage, side: u32) -> DynamicImage {
    if image.width() <= side && image.height() <= side {
        return image;
    }
    if !image.color().has_alpha() {
        return image.resize(side, side, FilterType::Lanczos3);
    }
    // Premultiplied by alpha, so that the colours of invisible pixels do not bleed into their neighbours.
    let premultiplied = map_colors(image, |color, alpha| (color * alpha + 127) / 255);
    let resized = premultiplied.resize(side, side, FilterType::Lanczos3);
    map_colors(resized, |color, alpha| (color * 255 + alpha / 2).checked_div(alpha).unwrap_or(0))
}

/// Applies a function to every colour and its pixel's alpha.
fn map_colors(image: DynamicImage, change: impl Fn(u16, u16) -> u16) -> DynamicImage {
    let mut rgba = image.into_rgba8();
    for pixel in rgba.pixels_mut() {
        let [colors @ .., alpha] = &mut pixel.0;
        for color in colors {
            *color = change(u16::from(*color), u16::from(*alpha)).min(255) as u8;
        }
    }
    rgba.into()
}

/// Encodes a user picture as JPEG, and logos and transparent pictures as PNG.
fn encode(picture: &DynamicImage, image: ImageUse) -> Result<Output, ImageError> {
    if image == ImageUse::Logo || picture.color().has_alpha() {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png)?;
        return Ok(Output::new(Format::Png, bytes.into_inner()));
    }
    Ok(Output::new(Format::Jpeg, jpeg(picture, JPEG_QUALITY)?))
}
