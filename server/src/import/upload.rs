//! A file on its way in: from the request to a nameless file on the disk, never whole in memory.

use crate::parts::{Form, Part, Unread};
use crate::places::Place;
use crate::problem::{Answer, Refusal};
use crate::state::App;
use aws_lc_rs::digest::{Context, SHA256};
use forecourt_core::import::{ColumnMapping, Corrections, MOST_COLUMNS, ReadOptions, Verdict, at_most, text};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::SeekFrom;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use uuid::Uuid;

/// The longest mapping, in bytes: more than the longest row of column names takes.
const MOST_MAPPING: usize = 8 << 20;
/// A mapping names each column of the file, and the one that joins two.
const MOST_MAPPED: usize = MOST_COLUMNS + 1;
/// The longest options and the longest verdict.
const MOST_WORDS: usize = 8 << 10;
/// The longest corrections: those of 100,000 cells, each of some hundred characters.
const MOST_CORRECTIONS: usize = 32 << 20;
/// What a form takes beside its file.
pub(crate) const MOST_BESIDE: usize = MOST_MAPPING + MOST_CORRECTIONS + (1 << 20);
/// The longest file name, in characters, that is kept.
const MOST_NAME: usize = 255;

/// What a form held.
pub(super) struct Upload {
    pub name: String,
    pub size: u64,
    /// On the disk without a name, so that it is gone with this program, whatever ends it.
    file: File,
    /// The file's SHA-256.
    digest: Vec<u8>,
    pub words: Words,
    /// Given back with all of this.
    _place: Place,
}

/// What a form says of its file.
#[derive(Default)]
pub(super) struct Words {
    pub mapping: Vec<ColumnMapping>,
    pub options: ReadOptions,
    pub corrections: Corrections,
    /// What the browser came to, if it says so.
    pub verdict: Option<Verdict>,
}

/// A mapping as it is sent.
#[derive(Deserialize)]
struct Mapping(#[serde(deserialize_with = "at_most::<MOST_MAPPED, _, _>")] Vec<ColumnMapping>);

impl Upload {
    /// The file from its beginning.
    pub async fn file(&self) -> Answer<File> {
        let mut file = tokio::fs::File::from_std(self.file.try_clone()?);
        file.seek(SeekFrom::Start(0)).await?;
        Ok(file.into_std().await)
    }

    /// Tells apart whatever was sent, the verdict aside: the same file may be read by a newer browser the next time.
    pub fn fingerprint(&self) -> serde_json::Result<Vec<u8>> {
        let Words { mapping, options, corrections, .. } = &self.words;
        let said = serde_json::to_vec(&(&self.name, self.size, mapping, options, corrections))?;
        let mut all = Context::new(&SHA256);
        all.update(&self.digest);
        all.update(&said);
        Ok(all.finish().as_ref().to_vec())
    }
}

/// A form's file.
struct Received {
    name: String,
    size: u64,
    file: File,
    digest: Vec<u8>,
}

/// Takes a form's fields in any order, once there is a place for it; fields that the call doesn't document are passed over.
pub(super) async fn receive(app: &App, person: Uuid, form: Result<Form, Unread>) -> Answer<Upload> {
    let mut form = form.map_err(refusal)?;
    let place = app.receiving.files.take(person).await?;
    let (mut received, mut words) = (None, Words::default());
    while let Some(field) = form.next().await.map_err(refusal)? {
        match field.name() {
            Some("file") if received.is_some() => return Err(Refusal::invalid(text::TWO_FILES)),
            Some("file") => received = Some(receive_file(app, field).await?),
            Some("columnMapping") => {
                let Mapping(mapping) = json(field, MOST_MAPPING, text::MAPPING_UNREADABLE).await?;
                if mapping.len() > MOST_MAPPED {
                    return Err(Refusal::invalid(text::MAPPING_UNREADABLE));
                }
                words.mapping = mapping;
            }
            Some("options") => words.options = json(field, MOST_WORDS, text::OPTIONS_UNREADABLE).await?,
            Some("corrections") => {
                words.corrections = json(field, MOST_CORRECTIONS, text::CORRECTIONS_UNREADABLE).await?;
                words.corrections.check_count()?;
            }
            Some("verdict") => words.verdict = json(field, MOST_WORDS, text::VERDICT_UNREADABLE).await?,
            _ => field.pass_over().await.map_err(refusal)?,
        }
    }
    let Received { name, size, file, digest } = received.ok_or_else(|| Refusal::invalid(text::NO_FILE))?;
    Ok(Upload { name, size, file, digest, words, _place: place })
}

fn refusal(unread: Unread) -> Refusal {
    match unread {
        Unread::NoForm => Refusal::invalid(text::NOT_A_FORM),
        Unread::TooLarge => Refusal::TooLarge,
        Unread::BrokenOff => Refusal::invalid(text::UPLOAD_BROKEN_OFF),
    }
}

async fn receive_file(app: &App, mut field: Part<'_>) -> Answer<Received> {
    let name = file_name(field.file_name().ok_or_else(|| Refusal::invalid(text::NO_FILE_NAME))?);
    if name.is_empty() {
        return Err(Refusal::invalid(text::NO_FILE_NAME));
    }
    // The most that any kind of file may have; which kind it is, and what that may have, is told when it is read.
    let limits = app.config.import_limits();
    let mut digest = Context::new(&SHA256);
    let mut file = tokio::fs::File::from_std(scratch(app).await?);
    let mut size = 0;
    while let Some(chunk) = field.chunk().await.map_err(refusal)? {
        size += chunk.len() as u64;
        // The rest is taken all the same: a browser that still sends doesn't see an answer.
        if limits.check_size(size).is_ok() {
            digest.update(&chunk);
            file.write_all(&chunk).await?;
        }
    }
    limits.check_size(size).map_err(|error| Refusal::FileTooLarge(error.message()))?;
    file.flush().await?;
    let digest = digest.finish().as_ref().to_vec();
    Ok(Received { name, size, file: file.into_std().await, digest })
}

/// A field of at most so many bytes, or the sentence that says what it should be.
async fn json<T: DeserializeOwned>(mut field: Part<'_>, most: usize, sentence: &'static str) -> Answer<T> {
    let mut json = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(refusal)? {
        if json.len() + chunk.len() > most {
            return Err(Refusal::invalid(sentence));
        }
        json.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&json).map_err(|_| Refusal::invalid(sentence))
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
