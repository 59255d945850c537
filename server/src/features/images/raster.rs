//! PNG and JPEG: decoded within limits, rotated upright, cropped (pictures of users), scaled down and re-encoded. This removes metadata and any data
//! after the picture.

use super::pictures::{Format, Reencoded};
use forecourt_core::images::{ImageUse, text};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// Maximum width and height in pixels, and maximum size of the decoded pixels in bytes.
const MAX_SIDE: u32 = 4096;
const MAX_DECODED_BYTES: u64 = 64 << 20;
/// Side of the square user picture, and of the square that a logo fits into, in pixels.
const AVATAR_SIDE: u32 = 256;
const LOGO_SIDE: u32 = 400;
const JPEG_QUALITY: u8 = 88;

/// Decodes a picture, and encodes it for its use.
pub(super) fn reencode(format: ImageFormat, image: ImageUse, bytes: &[u8]) -> Reencoded {
    let upright = decode(format, bytes).map_err(|error| match error {
        ImageError::Limits(_) => text::TOO_DETAILED,
        _ => text::UNREADABLE,
    })?;
    let scaled = match image {
        ImageUse::Avatar => scale_down(crop_to_square(&upright), AVATAR_SIDE),
        ImageUse::Logo => scale_down(upright, LOGO_SIDE),
    };
    encode(&scaled, image).map_err(|_| text::UNREADABLE)
}

/// Decodes to RGBA if any pixel is transparent, else to RGB. The size that the file declares is checked first.
fn decode(format: ImageFormat, bytes: &[u8]) -> Result<DynamicImage, ImageError> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
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
fn encode(picture: &DynamicImage, image: ImageUse) -> Result<(Format, Vec<u8>), ImageError> {
    let mut bytes = Cursor::new(Vec::new());
    if image == ImageUse::Logo || picture.color().has_alpha() {
        picture.write_to(&mut bytes, ImageFormat::Png)?;
        return Ok((Format::Png, bytes.into_inner()));
    }
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY).encode_image(picture)?;
    Ok((Format::Jpeg, bytes.into_inner()))
}
