//! Decodes and re-encodes uploaded pictures in a child process.

use crate::platform::child::{Program, is_stopped_by_signal};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::images::{HEAD_BYTES, ImageUse, check_image, text};
use forecourt_core::message::Message;
use forecourt_core::vehicles::PHOTO_SIDE;
use serde::{Deserialize, Serialize};
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How long a picture waits for a free child process.
const QUEUE: Duration = Duration::from_secs(15);
/// How long the child may run. Its own CPU limit ends it sooner, unless the machine is very busy.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How much of the child's output is read, in bytes: more than its result line and any picture it writes. A longer
/// output is rejected.
const MAX_OUTPUT_BYTES: u64 = 8 << 20;

/// A vehicle's photo as it is stored and served: JPEG.
#[derive(Clone)]
pub(crate) struct Photo {
    pub bytes: Vec<u8>,
    pub thumbnail: Vec<u8>,
    /// In pixels.
    pub width: u32,
    pub height: u32,
}

/// A picture as it is stored and served.
pub(crate) struct Picture {
    pub mime: &'static str,
    pub bytes: Vec<u8>,
}

/// The format of a re-encoded picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Format {
    Png,
    Jpeg,
    Svg,
}

impl Format {
    fn mime(self) -> &'static str {
        match self {
            Format::Png => "image/png",
            Format::Jpeg => "image/jpeg",
            Format::Svg => "image/svg+xml",
        }
    }
}

/// What the child writes before the bytes of a picture.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    format: Format,
    photo: Option<PhotoHeader>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PhotoHeader {
    width: u32,
    height: u32,
    /// The offset, in the bytes after the header, at which the photo ends and the thumbnail begins.
    thumbnail_at: usize,
}

/// A re-encoded picture.
pub(super) struct Output {
    pub header: Header,
    pub bytes: Vec<u8>,
}

impl Output {
    pub fn new(format: Format, bytes: Vec<u8>) -> Self {
        Output { header: Header { format, photo: None }, bytes }
    }

    pub fn of_photo(Photo { mut bytes, thumbnail, width, height }: Photo) -> Self {
        let photo = Some(PhotoHeader { width, height, thumbnail_at: bytes.len() });
        bytes.extend(thumbnail);
        Output { header: Header { format: Format::Jpeg, photo }, bytes }
    }
}

/// The result of the child: the re-encoded picture, or one of [`REJECTIONS`].
pub(super) type Reencoded = Result<Output, &'static Message>;

/// The messages with which the child rejects a picture. Others are not shown: a decoder that an attacker took over
/// could write anything.
const REJECTIONS: [&Message; 4] = [text::UNREADABLE, text::TOO_DETAILED, text::SVG_HAS_TEXT, text::SVG_HAS_PICTURE];

/// Re-encodes pictures in child processes; cloning it is cheap.
#[derive(Clone)]
pub struct PictureEncoder {
    program: Program,
    /// Limits the child processes to one less than the number of cores, at least one.
    permits: Arc<Semaphore>,
}

impl PictureEncoder {
    /// Creates an encoder that starts this program as its child process.
    pub fn new(program: Program) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        PictureEncoder { program, permits: Arc::new(Semaphore::new((cores - 1).max(1))) }
    }

    /// Re-encodes a picture for its use, in a child process.
    ///
    /// # Errors
    /// 400 with the error of the file; [`ApiError::Unavailable`] if too many wait, or the child can't be started or
    /// takes too long.
    pub(crate) async fn reencode(&self, image: ImageUse, bytes: &[u8]) -> ApiResult<Picture> {
        let Output { header, bytes } = self.run(image, bytes).await?;
        Ok(Picture { mime: header.format.mime(), bytes })
    }

    /// Re-encodes a photo of a vehicle.
    ///
    /// # Errors
    /// As [`PictureEncoder::reencode`].
    pub(crate) async fn reencode_photo(&self, bytes: &[u8]) -> ApiResult<Photo> {
        let Output { header, bytes } = self.run(ImageUse::Photo, bytes).await?;
        let PhotoHeader { width, height, thumbnail_at } =
            header.photo.ok_or_else(|| ApiError::internal("the child's photo has no size"))?;
        // The sizes are checked because a decoder that an attacker took over could write anything.
        let sizes = 1..=PHOTO_SIDE;
        match bytes.split_at_checked(thumbnail_at) {
            Some((photo, thumbnail)) if sizes.contains(&width) && sizes.contains(&height) => {
                Ok(Photo { bytes: photo.to_vec(), thumbnail: thumbnail.to_vec(), width, height })
            }
            _ => Err(ApiError::invalid(text::TOO_DETAILED)),
        }
    }

    async fn run(&self, image: ImageUse, bytes: &[u8]) -> ApiResult<Output> {
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        check_image(image, bytes.len() as u64, head).map_err(ApiError::invalid)?;
        let Ok(Ok(_permit)) = timeout(QUEUE, self.permits.acquire()).await else { return Err(ApiError::Unavailable) };
        match timeout(TIMEOUT, self.run_child(image, bytes)).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => {
                tracing::error!(%error, "the program that reads pictures can't be started");
                Err(ApiError::Unavailable)
            }
            Err(_) => {
                tracing::warn!("a picture took too long to read");
                Err(ApiError::Unavailable)
            }
        }
    }

    async fn run_child(&self, image: ImageUse, bytes: &[u8]) -> io::Result<ApiResult<Output>> {
        let mut command = self.program.command("read-picture");
        command.args(match image {
            ImageUse::Avatar => Some("--avatar"),
            ImageUse::Photo => Some("--photo"),
            ImageUse::Logo => None,
        });
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the child has no input or no output"));
        };
        // A write error means that the child has exited; its status is checked below.
        let _ = stdin.write_all(bytes).await;
        drop(stdin);
        let mut output = Vec::new();
        stdout.take(MAX_OUTPUT_BYTES).read_to_end(&mut output).await?;
        let status = child.wait().await?;
        if status.success() && (output.len() as u64) < MAX_OUTPUT_BYTES {
            return Ok(parse_output(output));
        }
        tracing::warn!(%status, "a picture could not be read");
        // A child that was not terminated from outside has probably exceeded its limits.
        Ok(Err(if is_stopped_by_signal(status) {
            ApiError::Unavailable
        } else {
            ApiError::invalid(text::TOO_DETAILED)
        }))
    }
}

/// Parses the child's output: a line of JSON, then the picture.
fn parse_output(mut output: Vec<u8>) -> ApiResult<Output> {
    let line = output.iter().position(|byte| *byte == b'\n').ok_or_else(|| ApiError::invalid(text::UNREADABLE))?;
    let result: Result<Header, Message> = serde_json::from_slice(&output[..line]).map_err(ApiError::internal)?;
    let header = result.map_err(|message| match REJECTIONS.contains(&&message) {
        true => ApiError::invalid(message),
        false => ApiError::internal("the child rejected a picture with an unknown message"),
    })?;
    output.drain(..=line);
    Ok(Output { header, bytes: output })
}
