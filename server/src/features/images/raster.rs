//! PNG and JPEG: decoded within limits, rotated upright, scaled down and re-encoded. This removes metadata and any data
//! after the picture.

use super::pictures::{Unfit, Written};
use forecourt_core::images::ImageUse;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// Maximum width and height in pixels, and maximum size of the decoded pixels in bytes.
const MOST_PIXELS: u32 = 4096;
const MOST_BYTES: u64 = 64 << 20;
/// Side of the square user picture, and of the square that a logo fits into, in pixels.
const AVATAR_SIDE: u32 = 256;
const LOGO_SIDE: u32 = 400;
const JPEG_QUALITY: u8 = 88;

/// Decodes a picture, and encodes it for its use.
pub(super) fn rewrite(format: ImageFormat, of: ImageUse, bytes: &[u8]) -> Result<(Written, Vec<u8>), Unfit> {
    let upright = decode(format, bytes).map_err(|error| match error {
        ImageError::Limits(_) => Unfit::TooDetailed,
        _ => Unfit::Unreadable,
    })?;
    let picture = match of {
        ImageUse::Avatar => square(&upright),
        ImageUse::Logo => upright,
    };
    let side = match of {
        ImageUse::Avatar => AVATAR_SIDE,
        ImageUse::Logo => LOGO_SIDE,
    };
    encode(&scaled(picture, side), of).map_err(|_| Unfit::Unreadable)
}

/// Decodes to RGBA if any pixel is transparent, else to RGB. The size that the file declares is checked first.
fn decode(format: ImageFormat, bytes: &[u8]) -> Result<DynamicImage, ImageError> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_PIXELS);
    limits.max_image_height = Some(MOST_PIXELS);
    limits.max_alloc = Some(MOST_BYTES);
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
    let is_clear = rgba.as_raw().iter().skip(3).step_by(4).any(|alpha| *alpha < 255);
    Ok(if is_clear { rgba.into() } else { DynamicImage::from(rgba).into_rgb8().into() })
}

/// Crops to the square in the middle.
fn square(image: &DynamicImage) -> DynamicImage {
    let side = image.width().min(image.height());
    image.crop_imm((image.width() - side) / 2, (image.height() - side) / 2, side, side)
}

/// Scales down to fit a square of this side. Never scales up.
fn scaled(image: DynamicImage, side: u32) -> DynamicImage {
    if image.width() <= side && image.height() <= side {
        return image;
    }
    if !image.color().has_alpha() {
        return image.resize(side, side, FilterType::Lanczos3);
    }
    // Premultiplied by alpha, so that the colours of invisible pixels do not bleed into their neighbours.
    let weighed = weigh(image, |color, alpha| (color * alpha + 127) / 255);
    let resized = weighed.resize(side, side, FilterType::Lanczos3);
    weigh(resized, |color, alpha| (color * 255 + alpha / 2).checked_div(alpha).unwrap_or(0))
}

/// Applies a function to every colour and its pixel's alpha.
fn weigh(image: DynamicImage, change: impl Fn(u16, u16) -> u16) -> DynamicImage {
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
fn encode(image: &DynamicImage, of: ImageUse) -> Result<(Written, Vec<u8>), ImageError> {
    let mut bytes = Cursor::new(Vec::new());
    if of == ImageUse::Logo || image.color().has_alpha() {
        image.write_to(&mut bytes, ImageFormat::Png)?;
        return Ok((Written::Png, bytes.into_inner()));
    }
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY).encode_image(image)?;
    Ok((Written::Jpeg, bytes.into_inner()))
}
