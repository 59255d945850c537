//! The child process that re-encodes a picture. It has no server, database or settings: it reads the picture from
//! standard input, and writes a result line and the new picture to standard output.

use super::pictures::{Format, Output, Reencoded};
use super::{raster, svg};
use crate::platform::child::limit_resources;
use forecourt_core::images::{HEAD_BYTES, ImageKind, ImageUse, check_image, text};
use image::ImageFormat;
use std::io::{self, Read, Write};
use std::process::ExitCode;

/// Limits of the child: memory in bytes, and CPU time in seconds.
const MEMORY: u64 = 512 << 20;
const SECONDS: u64 = 8;

#[derive(clap::Args)]
pub struct ReadPicture {
    /// The picture is a user's, not a logo
    #[arg(long)]
    avatar: bool,
    /// The picture is a vehicle's photo, not a logo
    #[arg(long, conflicts_with = "avatar")]
    photo: bool,
}

/// Applies the limits to this process, then re-encodes the picture from standard input to standard output.
pub fn run(read: &ReadPicture) -> ExitCode {
    let image = match read {
        ReadPicture { avatar: true, .. } => ImageUse::Avatar,
        ReadPicture { photo: true, .. } => ImageUse::Photo,
        _ => ImageUse::Logo,
    };
    match limit_resources(MEMORY, SECONDS).and_then(|()| read_and_write(image)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn read_and_write(image: ImageUse) -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(image.max_bytes()).read_to_end(&mut bytes)?;
    let (result, picture) = match reencode(image, &bytes) {
        Ok(Output { header, bytes }) => (Ok(header), bytes),
        Err(message) => (Err(message), Vec::new()),
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &result)?;
    out.write_all(b"\n")?;
    out.write_all(&picture)?;
    out.flush()
}

fn reencode(image: ImageUse, bytes: &[u8]) -> Reencoded {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    match check_image(image, bytes.len() as u64, head).map_err(|_| text::UNREADABLE)? {
        ImageKind::Png => raster::reencode(ImageFormat::Png, image, bytes),
        ImageKind::Jpeg => raster::reencode(ImageFormat::Jpeg, image, bytes),
        ImageKind::Svg => Ok(Output::new(Format::Svg, svg::reencode(bytes)?)),
    }
}
