//! Decodes and re-encodes uploaded pictures in a child process.

use crate::platform::child::{Program, is_stopped_by_signal};
use crate::platform::error::{ApiError, ApiResult};
use forecourt_core::images::{HEAD_BYTES, ImageUse, check_image, text};
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
/// Upper bound on the size of a re-encoded picture, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// A picture as it is stored and served.
pub(crate) struct Picture {
    pub mime: &'static str,
    pub bytes: Vec<u8>,
}

/// The format of a re-encoded picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Written {
    Png,
    Jpeg,
    Svg,
}

/// Why a picture is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Unfit {
    /// It can't be decoded.
    Unreadable,
    /// It would exceed the limits on memory or time.
    TooDetailed,
    /// An SVG with text, which would be lost: there are no fonts.
    HasText,
    /// An SVG with an embedded picture, which would be lost.
    HasPicture,
}

impl Written {
    fn mime(self) -> &'static str {
        match self {
            Written::Png => "image/png",
            Written::Jpeg => "image/jpeg",
            Written::Svg => "image/svg+xml",
        }
    }
}

impl From<Unfit> for ApiError {
    fn from(unfit: Unfit) -> Self {
        ApiError::invalid(match unfit {
            Unfit::Unreadable => text::UNREADABLE,
            Unfit::TooDetailed => text::TOO_DETAILED,
            Unfit::HasText => text::SVG_HAS_TEXT,
            Unfit::HasPicture => text::SVG_HAS_PICTURE,
        })
    }
}

/// Starts child processes; cloning it is cheap.
#[derive(Clone)]
pub struct Pictures {
    program: Program,
    /// Limits the child processes to one per core, minus one.
    places: Arc<Semaphore>,
}

impl Pictures {
    /// Creates it with the program to start as child.
    pub fn new(program: Program) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Pictures { program, places: Arc::new(Semaphore::new((cores - 1).max(1))) }
    }

    /// Re-encodes a picture for its use, in a child process.
    ///
    /// # Errors
    /// 400 with the error of the file; [`ApiError::Unavailable`] if too many wait.
    pub(crate) async fn rewrite(&self, image: ImageUse, bytes: &[u8]) -> ApiResult<Picture> {
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        check_image(image, bytes.len() as u64, head).map_err(ApiError::invalid)?;
        let Ok(Ok(_place)) = timeout(QUEUE, self.places.acquire()).await else { return Err(ApiError::Unavailable) };
        match timeout(TIMEOUT, self.ask(image, bytes)).await {
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

    async fn ask(&self, image: ImageUse, bytes: &[u8]) -> io::Result<ApiResult<Picture>> {
        let mut command = self.program.command("read-picture");
        if image == ImageUse::Avatar {
            command.arg("--avatar");
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the child has no input or no output"));
        };
        // A write error means that the child has exited; its status is checked below.
        let _ = stdin.write_all(bytes).await;
        drop(stdin);
        let mut output = Vec::new();
        stdout.take(MOST_BYTES).read_to_end(&mut output).await?;
        let status = child.wait().await?;
        if status.success() {
            return Ok(parse_output(output));
        }
        tracing::warn!(%status, "a picture could not be read");
        // A child that was not terminated from outside exceeded its limits.
        Ok(Err(if is_stopped_by_signal(status) { ApiError::Unavailable } else { Unfit::TooDetailed.into() }))
    }
}

/// Parses the child's output: a line of JSON, then the picture.
fn parse_output(mut output: Vec<u8>) -> ApiResult<Picture> {
    let line = output.iter().position(|byte| *byte == b'\n').ok_or(Unfit::Unreadable)?;
    let written: Result<Written, Unfit> = serde_json::from_slice(&output[..line]).map_err(ApiError::internal)?;
    let mime = written?.mime();
    output.drain(..=line);
    Ok(Picture { mime, bytes: output })
}
