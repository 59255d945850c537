//! Receives an upload into an unnamed temporary file, never completely into memory.

use super::config::MAX_FIELDS_BYTES;
use crate::access::scope::Scope;
use crate::access::uploads::UploadPermit;
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::multipart::{FormField, FormMessages, MultipartBody};
use aws_lc_rs::digest::{Context, SHA256};
use forecourt_core::import::{
    ColumnMapping, Corrections, MAX_COLUMNS, ReadOptions, Verdict, deserialize_one_more_than, text,
};
use forecourt_core::message::Message;
use forecourt_core::text::BODY_TOO_LARGE;
use forecourt_core::text::is_allowed_in_file_name;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fs::File;
use std::io::SeekFrom;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

/// Maximum size of a mapping in bytes, more than the longest row of column names needs.
const MAX_MAPPING_BYTES: usize = 8 << 20;
/// Maximum number of mapped columns: all columns of the file, and one that joins two.
const MAX_MAPPED_COLUMNS: usize = MAX_COLUMNS + 1;
/// Maximum size of the options and of the verdict, in bytes.
const MAX_OPTIONS_BYTES: usize = 8 << 10;
/// Maximum size of the corrections in bytes: 100,000 cells of a few hundred characters.
const MAX_CORRECTIONS_BYTES: usize = 32 << 20;
/// Maximum size of a field that stays in memory, in bytes. A larger one is stored on disk.
const MAX_IN_MEMORY: usize = 64 << 10;
const _: () = assert!(MAX_MAPPING_BYTES + MAX_CORRECTIONS_BYTES + (1 << 20) <= MAX_FIELDS_BYTES);
/// Maximum length of a file name in characters.
const MAX_FILE_NAME: usize = 255;

/// A received upload form.
pub(super) struct Upload {
    pub name: String,
    pub size: u64,
    /// An unnamed file, which the system deletes when the process ends for any reason.
    file: File,
    /// The file's SHA-256 hash.
    digest: Vec<u8>,
    pub fields: Fields,
    _file_permit: UploadPermit,
    _work_permit: UploadPermit,
}

/// The parsed fields of the form.
#[derive(Default)]
pub(super) struct Fields {
    pub mapping: Vec<ColumnMapping>,
    pub options: ReadOptions,
    pub corrections: Corrections,
    /// The browser's verdict, if it sent one.
    pub verdict: Option<Verdict>,
}

/// The mapping field.
#[derive(Deserialize)]
struct Mapping(#[serde(deserialize_with = "deserialize_one_more_than::<MAX_MAPPED_COLUMNS, _, _>")] Vec<ColumnMapping>);

impl Upload {
    /// Returns the file, positioned at its start.
    pub async fn open_file(&self) -> ApiResult<File> {
        let mut file = tokio::fs::File::from_std(self.file.try_clone()?);
        file.seek(SeekFrom::Start(0)).await?;
        Ok(file.into_std().await)
    }

    /// Returns the corrections as JSON, if there are any.
    pub fn corrections_json(&self) -> serde_json::Result<Option<Vec<u8>>> {
        let corrections = &self.fields.corrections;
        (*corrections != Corrections::default()).then(|| serde_json::to_vec(corrections)).transpose()
    }

    /// Returns a hash that identifies the upload. Excludes the verdict, because a newer browser version may send
    /// another one.
    pub fn fingerprint(&self) -> serde_json::Result<Vec<u8>> {
        let Fields { mapping, options, corrections, .. } = &self.fields;
        let json = serde_json::to_vec(&(&self.name, self.size, mapping, options, corrections))?;
        let mut all = Context::new(&SHA256);
        all.update(&self.digest);
        all.update(&json);
        Ok(all.finish().as_ref().to_vec())
    }
}

/// The received file of a form.
struct ReceivedFile {
    name: String,
    size: u64,
    file: File,
    digest: Vec<u8>,
}

/// The received fields of a form, not yet parsed.
#[derive(Default)]
struct RawFields {
    mapping: Option<Field>,
    options: Option<Field>,
    corrections: Option<Field>,
    verdict: Option<Field>,
}

/// Receives a form with its fields in any order; unknown fields are skipped. Long fields are stored on disk until the
/// whole form has arrived, so that a slow upload uses neither memory nor a work slot that other tenants need.
pub(super) async fn receive<P>(app: &App, scope: &Scope, body: MultipartBody<P>) -> ApiResult<Upload> {
    let messages = FormMessages { not_a_form: text::NOT_A_FORM, too_large: BODY_TOO_LARGE };
    let mut form = body.open(messages).await?;
    let file_permit = app.upload_limits.files.acquire(scope).await?;
    let (mut received, mut fields) = (None, RawFields::default());
    while let Some(part) = form.next_field().await? {
        match part.name() {
            Some("file") if received.is_some() => return Err(ApiError::invalid(text::TWO_FILES)),
            Some("file") => received = Some(receive_file(app, part).await?),
            Some("columnMapping") => {
                let field = Field::receive(app, part, MAX_MAPPING_BYTES, text::MAPPING_UNREADABLE).await?;
                fields.mapping = Some(field.reject_unparsable(app, scope, parse_mapping).await?);
            }
            Some("options") => {
                fields.options = Some(Field::receive(app, part, MAX_OPTIONS_BYTES, text::OPTIONS_UNREADABLE).await?);
            }
            Some("corrections") => {
                let field = Field::receive(app, part, MAX_CORRECTIONS_BYTES, text::CORRECTIONS_UNREADABLE).await?;
                fields.corrections = Some(field.reject_unparsable(app, scope, parse_corrections).await?);
            }
            Some("verdict") => {
                fields.verdict = Some(Field::receive(app, part, MAX_OPTIONS_BYTES, text::VERDICT_UNREADABLE).await?);
            }
            _ => part.skip().await?,
        }
    }
    let ReceivedFile { name, size, file, digest } = received.ok_or_else(|| ApiError::invalid(text::NO_FILE))?;
    let work_permit = app.upload_limits.work.acquire(scope).await?;
    let parsed = Fields {
        mapping: parse_field(fields.mapping, parse_mapping).await?.unwrap_or_default(),
        options: parse_field(fields.options, |json| parse(json, text::OPTIONS_UNREADABLE)).await?.unwrap_or_default(),
        corrections: parse_field(fields.corrections, parse_corrections).await?.unwrap_or_default(),
        verdict: parse_field(fields.verdict, |json| parse(json, text::VERDICT_UNREADABLE)).await?,
    };
    Ok(Upload { name, size, file, digest, fields: parsed, _file_permit: file_permit, _work_permit: work_permit })
}

fn parse_mapping(json: &[u8]) -> ApiResult<Vec<ColumnMapping>> {
    let Mapping(mapping) = parse(json, text::MAPPING_UNREADABLE)?;
    if mapping.len() > MAX_MAPPED_COLUMNS {
        return Err(ApiError::invalid(text::MAPPING_UNREADABLE));
    }
    Ok(mapping)
}

fn parse_corrections(json: &[u8]) -> ApiResult<Corrections> {
    let corrections: Corrections = parse(json, text::CORRECTIONS_UNREADABLE)?;
    corrections.check_count()?;
    Ok(corrections)
}

fn parse<T: DeserializeOwned>(json: &[u8], message: &'static Message) -> ApiResult<T> {
    serde_json::from_slice(json).map_err(|_| ApiError::invalid(message))
}

async fn parse_field<T>(field: Option<Field>, parse: impl FnOnce(&[u8]) -> ApiResult<T>) -> ApiResult<Option<T>> {
    match field {
        Some(mut field) => parse(&field.read_bytes().await?).map(Some),
        None => Ok(None),
    }
}

/// A received field: short ones in memory, long ones on disk.
enum Field {
    Short(Vec<u8>),
    Long(tokio::fs::File),
}

impl Field {
    /// Receives a field of at most `max_bytes` bytes. A larger one is rejected with this message.
    async fn receive(
        app: &App,
        mut part: FormField<'_>,
        max_bytes: usize,
        message: &'static Message,
    ) -> ApiResult<Self> {
        let (mut bytes, mut length, mut file) = (Vec::new(), 0, None);
        while let Some(chunk) = part.chunk().await? {
            length += chunk.len();
            if length > max_bytes {
                return Err(ApiError::invalid(message));
            }
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_IN_MEMORY {
                let file = match &mut file {
                    Some(file) => file,
                    None => file.insert(tokio::fs::File::from_std(create_temporary_file(app).await?)),
                };
                file.write_all(&bytes).await?;
                bytes.clear();
            }
        }
        let Some(mut file) = file else { return Ok(Field::Short(bytes)) };
        file.write_all(&bytes).await?;
        file.flush().await?;
        Ok(Field::Long(file))
    }

    /// Rejects a field that can't be parsed, without waiting for the rest of the form. The parsed value is discarded to
    /// save memory.
    async fn reject_unparsable<T>(
        mut self,
        app: &App,
        scope: &Scope,
        parse: fn(&[u8]) -> ApiResult<T>,
    ) -> ApiResult<Self> {
        let _work_permit = match self {
            Field::Long(_) => Some(app.upload_limits.work.acquire(scope).await?),
            Field::Short(_) => None,
        };
        parse(&self.read_bytes().await?)?;
        Ok(self)
    }

    async fn read_bytes(&mut self) -> ApiResult<Cow<'_, [u8]>> {
        match self {
            Field::Short(bytes) => Ok(Cow::Borrowed(bytes)),
            Field::Long(file) => {
                let mut bytes = Vec::new();
                file.seek(SeekFrom::Start(0)).await?;
                file.read_to_end(&mut bytes).await?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

async fn receive_file(app: &App, mut field: FormField<'_>) -> ApiResult<ReceivedFile> {
    let name = clean_file_name(field.file_name().ok_or_else(|| ApiError::invalid(text::NO_FILE_NAME))?);
    if name.is_empty() {
        return Err(ApiError::invalid(text::NO_FILE_NAME));
    }
    // The maximum for any kind of file; the limit of its own kind is checked when it is opened.
    let limits = app.feature_config.import.limits();
    let mut digest = Context::new(&SHA256);
    let mut file = tokio::fs::File::from_std(create_temporary_file(app).await?);
    let mut size = 0;
    while let Some(chunk) = field.chunk().await? {
        size += chunk.len() as u64;
        // The rest of a file that is too large is received too, because browsers show no response while they are still
        // sending.
        if limits.check_size(size).is_ok() {
            digest.update(&chunk);
            file.write_all(&chunk).await?;
        }
    }
    limits.check_size(size).map_err(|error| ApiError::FileTooLarge(error.message()))?;
    file.flush().await?;
    let digest = digest.finish().as_ref().to_vec();
    Ok(ReceivedFile { name, size, file: file.into_std().await, digest })
}

/// Creates an empty, unnamed file in the data directory.
pub(super) async fn create_temporary_file(app: &App) -> std::io::Result<File> {
    let folder = app.config.data_dir.join("tmp");
    let created = tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&folder)?;
        tempfile::tempfile_in(&folder)
    });
    created.await.map_err(std::io::Error::other)?
}

/// Returns the file name without directories and invisible characters. A very long name keeps its end, which contains
/// the extension.
fn clean_file_name(sent: &str) -> String {
    let name = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: Vec<char> = name.trim().chars().filter(|&c| is_allowed_in_file_name(c)).collect();
    visible[visible.len().saturating_sub(MAX_FILE_NAME)..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_folders_and_invisible_characters_from_file_names() {
        assert_eq!(clean_file_name(r"C:\Users\Åsa\kunder.csv"), "kunder.csv");
        assert_eq!(clean_file_name("../../etc/kunder\r\n\u{1b}[1m.xlsx "), "kunder[1m.xlsx");
        assert_eq!(clean_file_name("kunder\u{202E}vsc.exe\u{2066}\u{9b}.csv"), "kundervsc.exe.csv");
        assert_eq!(clean_file_name("folder/"), "");
        let long = clean_file_name(&format!("{}.csv", "å".repeat(400)));
        assert!(long.chars().count() == 255 && long.ends_with("å.csv"));
    }
}
