//! A file on its way in: from the request to a nameless file on the disk, never whole in memory.

use crate::problem::{Answer, Refusal};
use crate::state::App;
use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError, MultipartRejection};
use axum::http::StatusCode;
use forecourt_core::import::{ColumnMapping, Limits, text};
use std::fs::File;
use std::io::SeekFrom;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

/// The longest mapping: more than the longest row of column names takes.
const MOST_MAPPING: usize = 8 << 20;
/// The longest file name, in characters, that is kept.
const MOST_NAME: usize = 255;

/// What a form held.
pub(super) struct Upload {
    pub name: String,
    pub size: u64,
    /// On the disk without a name, so that it is gone with this program, whatever ends it.
    file: File,
    pub mapping: Option<Vec<ColumnMapping>>,
}

impl Upload {
    /// The file from its beginning.
    pub async fn file(&self) -> Answer<File> {
        let mut file = tokio::fs::File::from_std(self.file.try_clone()?);
        file.seek(SeekFrom::Start(0)).await?;
        Ok(file.into_std().await)
    }
}

/// Takes a form's fields in any order; fields that the call doesn't document are passed over.
pub(super) async fn receive(app: &App, form: Result<Multipart, MultipartRejection>) -> Answer<Upload> {
    let mut form = form.map_err(|_| Refusal::invalid(text::NOT_A_FORM))?;
    let (mut upload, mut mapping) = (None, None);
    while let Some(field) = form.next_field().await.map_err(refusal)? {
        match field.name() {
            Some("file") if upload.is_some() => return Err(Refusal::invalid(text::TWO_FILES)),
            Some("file") => upload = Some(receive_file(app, field).await?),
            Some("columnMapping") => mapping = Some(receive_mapping(field).await?),
            _ => {}
        }
    }
    let upload = upload.ok_or_else(|| Refusal::invalid(text::NO_FILE))?;
    Ok(Upload { mapping, ..upload })
}

fn refusal(error: MultipartError) -> Refusal {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLarge,
        _ => Refusal::invalid(text::UPLOAD_BROKEN_OFF),
    }
}

async fn receive_file(app: &App, mut field: Field<'_>) -> Answer<Upload> {
    let name = file_name(field.file_name().ok_or_else(|| Refusal::invalid(text::NO_FILE_NAME))?);
    if name.is_empty() {
        return Err(Refusal::invalid(text::NO_FILE_NAME));
    }
    // The most that any kind of file may have; which kind it is, and what that may have, is told when it is read.
    let limits = Limits::default();
    let mut file = tokio::fs::File::from_std(scratch(app).await?);
    let mut size = 0;
    while let Some(chunk) = field.chunk().await.map_err(refusal)? {
        size += chunk.len() as u64;
        // The rest is taken all the same: a browser that still sends doesn't see an answer.
        if limits.check_size(size).is_ok() {
            file.write_all(&chunk).await?;
        }
    }
    limits.check_size(size).map_err(|error| Refusal::FileTooLarge(error.message()))?;
    file.flush().await?;
    Ok(Upload { name, size, file: file.into_std().await, mapping: None })
}

async fn receive_mapping(mut field: Field<'_>) -> Answer<Vec<ColumnMapping>> {
    let mut json = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(refusal)? {
        if json.len() + chunk.len() > MOST_MAPPING {
            return Err(Refusal::invalid(text::MAPPING_UNREADABLE));
        }
        json.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&json).map_err(|_| Refusal::invalid(text::MAPPING_UNREADABLE))
}

/// An empty, nameless file in the data folder.
pub(super) async fn scratch(app: &App) -> std::io::Result<File> {
    let folder = app.config.data_dir.join("tmp");
    let made = tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&folder)?;
        tempfile::tempfile_in(&folder)
    });
    made.await.map_err(std::io::Error::other)?
}

/// The name alone, without folders or anything that isn't to be seen. Of a very long one the end is kept: it says what
/// the file is.
fn file_name(sent: &str) -> String {
    let name = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let seen: Vec<char> = name.trim().chars().filter(|c| !c.is_control()).collect();
    seen[seen.len().saturating_sub(MOST_NAME)..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_keeps_no_folder_and_nothing_unseen() {
        assert_eq!(file_name(r"C:\Users\Åsa\kunder.csv"), "kunder.csv");
        assert_eq!(file_name("../../etc/kunder\r\n\u{1b}[1m.xlsx "), "kunder[1m.xlsx");
        assert_eq!(file_name("folder/"), "");
        let long = file_name(&format!("{}.csv", "å".repeat(400)));
        assert!(long.chars().count() == 255 && long.ends_with("å.csv"));
    }
}
