//! A ZIP archive that is sent while it is written.

use crate::platform::error::{ApiError, ApiResult};
use crate::platform::fairness::QueryPermit;
use crate::platform::zip_output::ZipOutput;
use axum::body::{Body, Bytes};
use futures_util::stream::try_unfold;
use serde::Serialize;
use std::io::{self, Write};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

/// Maximum number of pieces that wait to be compressed.
const WAITING: usize = 2;

/// A piece of an archive.
enum Piece {
    /// Begins a file.
    File(String),
    Content(Vec<u8>),
    End,
}

/// Receives the files of an archive.
pub struct Files {
    pieces: Sender<ApiResult<Piece>>,
    is_first_item: bool,
}

impl Files {
    pub async fn begin(&mut self, name: &str) -> ApiResult<()> {
        self.send(Ok(Piece::File(name.to_owned()))).await
    }

    /// Adds bytes to the file that was begun last.
    pub async fn add(&mut self, bytes: impl Into<Vec<u8>>) -> ApiResult<()> {
        self.send(Ok(Piece::Content(bytes.into()))).await
    }

    /// Appends a list member to the JSON object in the current file, up to the list's opening bracket. The object must
    /// have another member before it.
    pub async fn begin_list(&mut self, name: &str) -> ApiResult<()> {
        self.is_first_item = true;
        self.add(format!(",\n\"{name}\": [")).await
    }

    /// Appends an item to the list that was begun last.
    pub async fn add_item(&mut self, item: &impl Serialize) -> ApiResult<()> {
        let mut json = if std::mem::take(&mut self.is_first_item) { b"\n".to_vec() } else { b",\n".to_vec() };
        serde_json::to_writer(&mut json, item).map_err(ApiError::internal)?;
        self.add(json).await
    }

    /// # Errors
    /// 503 if the client has disconnected.
    async fn send(&self, piece: ApiResult<Piece>) -> ApiResult<()> {
        self.pieces.send(piece).await.map_err(|_| ApiError::Unavailable)
    }
}

pub struct Archive {
    zip: ZipWriter<StreamWriter<ZipOutput>>,
    output: ZipOutput,
}

/// An archive that is being sent, and the pieces that are still to come.
struct Rest {
    archive: Archive,
    pieces: Receiver<ApiResult<Piece>>,
    permit: QueryPermit,
}

impl Archive {
    /// Returns the body of a response: an archive of the files that `write` adds. If an error occurs while it is sent,
    /// the connection ends, so that the client sees that the archive is incomplete.
    pub fn stream<F>(permit: QueryPermit, write: impl FnOnce(Files) -> F + Send + 'static) -> Body
    where
        F: Future<Output = ApiResult<()>> + Send,
    {
        let (pieces, receiver) = channel(WAITING);
        let files = Files { pieces: pieces.clone(), is_first_item: true };
        tokio::spawn(async move {
            let end = write(files).await.map(|()| Piece::End);
            // Sending fails if the client has disconnected. Then nobody needs the end.
            let _ = pieces.send(end).await;
        });
        let output = ZipOutput::default();
        let archive = Archive { zip: ZipWriter::new_stream(output.clone()), output };
        let rest = Rest { archive, pieces: receiver, permit };
        Body::from_stream(try_unfold(Some(rest), |rest| async move {
            let Some(mut rest) = rest else { return Ok(None) };
            let piece = rest.pieces.recv().await.unwrap_or(Err(ApiError::Internal)).map_err(|error| {
                tracing::warn!(?error, "an export could not be completed");
                io::Error::other("the data can't be read")
            })?;
            let (bytes, archive) = spawn_blocking(move || rest.archive.write(piece)).await??;
            let rest = archive.map(|archive| Rest { archive, pieces: rest.pieces, permit: rest.permit });
            Ok::<_, io::Error>(Some((Bytes::from(bytes), rest)))
        }))
    }

    /// Writes a piece. Returns the bytes to send, and the archive for the next piece: `None` after the last one.
    fn write(mut self, piece: Piece) -> io::Result<(Vec<u8>, Option<Self>)> {
        match piece {
            Piece::File(name) => {
                let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
                self.zip.start_file(name, options)?;
            }
            Piece::Content(bytes) => self.zip.write_all(&bytes)?,
            Piece::End => {
                self.zip.finish()?;
                return Ok((self.output.take(), None));
            }
        }
        Ok((self.output.take(), Some(self)))
    }
}
