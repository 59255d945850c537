//! PNG and JPEG: decoded within limits, turned upright, scaled down and encoded anew. Metadata, text and whatever stands
//! behind the picture in its file is gone with that.

use super::{Unfit, Written};
use forecourt_core::images::ImageUse;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbaImage};
use std::io::Cursor;

/// The widest and highest picture that is decoded, in pixels, and the most bytes that its pixels may take.
const MOST_PIXELS: u32 = 4096;
const MOST_BYTES: u64 = 64 << 20;
/// The side of a person's picture, which is square, and of the square that a logo fits into.
const AVATAR_SIDE: u32 = 256;
const LOGO_SIDE: u32 = 400;
const JPEG_QUALITY: u8 = 88;

/// Decodes a picture and encodes it for its use.
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

/// Decodes; what the file claims of its size is looked at first.
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
    // 16 bits a channel, and shades of grey, become the two kinds that are written.
    Ok(match image.color().has_alpha() {
        true => DynamicImage::ImageRgba8(image.into_rgba8()),
        false => DynamicImage::ImageRgb8(image.into_rgb8()),
    })
}

/// The square in the middle.
fn square(image: &DynamicImage) -> DynamicImage {
    let side = image.width().min(image.height());
    image.crop_imm((image.width() - side) / 2, (image.height() - side) / 2, side, side)
}

/// As large as fits into a square of this side, and never larger than it was.
fn scaled(image: DynamicImage, side: u32) -> DynamicImage {
    if image.width() <= side && image.height() <= side {
        return image;
    }
    let DynamicImage::ImageRgba8(mut rgba) = image else { return image.resize(side, side, FilterType::Lanczos3) };
    // What is transparent must not colour its neighbours.
    weigh(&mut rgba, |channel, alpha| (channel * alpha + 127) / 255);
    let DynamicImage::ImageRgba8(mut rgba) = DynamicImage::ImageRgba8(rgba).resize(side, side, FilterType::Lanczos3)
    else {
        return DynamicImage::new_rgba8(1, 1);
    };
    weigh(&mut rgba, |channel, alpha| (channel * 255 + alpha / 2).checked_div(alpha).unwrap_or(0));
    DynamicImage::ImageRgba8(rgba)
}

/// Changes every colour by its pixel's alpha.
fn weigh(image: &mut RgbaImage, change: impl Fn(u16, u16) -> u16) {
    for pixel in image.pixels_mut() {
        let [colors @ .., alpha] = &mut pixel.0;
        for color in colors {
            *color = change(u16::from(*color), u16::from(*alpha)).min(255) as u8;
        }
    }
}

/// A photograph of a person as JPEG; a logo, and what can be seen through, as PNG.
fn encode(image: &DynamicImage, of: ImageUse) -> Result<(Written, Vec<u8>), ImageError> {
    let mut bytes = Cursor::new(Vec::new());
    let is_clear = image.as_rgba8().is_some_and(|rgba| rgba.pixels().any(|pixel| pixel.0[3] < 255));
    if of == ImageUse::Logo || is_clear {
        image.write_to(&mut bytes, ImageFormat::Png)?;
        return Ok((Written::Png, bytes.into_inner()));
    }
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY).encode_image(&image.to_rgb8())?;
    Ok((Written::Jpeg, bytes.into_inner()))
}
