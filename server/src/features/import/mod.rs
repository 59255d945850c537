//! Imports of contacts: a file is previewed, accepted, and processed by a job in batches.

mod checking;
mod deletion;
mod error;
mod jobs;
mod lanes;
pub mod reader;
pub mod report;
mod routes;
mod store;
mod submission;
mod upload;
mod worker;

pub use deletion::sweep;
pub(crate) use jobs::latest;
pub use worker::worker;

use crate::access::describe::forms::ImportForm;
use crate::access::scope::{Contacts, ContactsImports, Create, Delete, May, Read, Scope};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, ListQuestion, Question};
use crate::platform::limits::{self, IMPORTS};
use crate::platform::responses::{self, Queued, json_length};
use axum::Json;
use axum::extract::State;
use forecourt_core::form::normalize_line;
use forecourt_core::import::{
    FileHead, IMPORTS_PAGE_SIZE, ImportList, ImportPagination, ImportSession, ImportStatus, Patches, Plan,
    RememberedMapping, SubmitReply, header_key, text,
};
use forecourt_core::paging::total_pages;
use forecourt_core::reply::{Done, JSON_MAX};
use reader::{Input, Opened};
pub use routes::ROUTES;
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;
use store::CORRECTIONS;
use submission::{Created, Submission};
use tokio::io::AsyncReadExt;
use tokio::time::{sleep, timeout};
use upload::{Fields, Upload};
use uuid::Uuid;

/// Size of the parts in which a file is stored, in bytes.
const PART_BYTES: usize = 1 << 20;

/// Maximum number of unfinished imports per tenant, because all tenants share one queue.
const MAX_UNFINISHED: i64 = 20;

/// Poll interval while the same upload is being stored by another request.
const REPEAT_POLL: Duration = Duration::from_millis(100);
/// How long a deletion waits for the stored data to be deleted.
const PURGE_TIMEOUT: Duration = Duration::from_secs(2);

/// The response of the preview: the columns, the first rows by column, and everything else known about the file.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    success: bool,
    file_columns: Vec<String>,
    #[schemars(with = "Vec<BTreeMap<String, String>>")]
    preview: Vec<PreviewRow>,
    data: FileHead,
}

/// A row, serialized as an object whose keys are in the order of the columns.
struct PreviewRow(Vec<(String, String)>);

impl Serialize for PreviewRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (column, value) in &self.0 {
            map.serialize_entry(column, value)?;
        }
        map.end()
    }
}

/// `POST /api/contacts/import/preview`
pub async fn preview(
    may: May<Create, Contacts>,
    State(app): State<App>,
    responses::Sent { form, .. }: responses::Sent<ImportForm>,
) -> ApiResult<Json<Preview>> {
    limits::take(&app, IMPORTS, may.user().as_bytes()).await?;
    let upload = upload::receive(&app, &may, form).await?;
    may.again(&app).await?;
    let Opened { head, .. } = read_head(&app, &upload).await?;
    Ok(Json(Preview::new(head)?))
}

impl Preview {
    /// Includes as many of the first rows as fit into a response; each of them repeats the column names.
    fn new(mut head: FileHead) -> ApiResult<Self> {
        let rows = std::mem::take(&mut head.preview);
        let mut preview =
            Preview { success: true, file_columns: head.file_columns.clone(), preview: Vec::new(), data: head };
        let bytes = json_length(&preview).map_err(ApiError::internal)?;
        let mut remaining = JSON_MAX.saturating_sub(bytes);
        for cells in rows {
            let row = PreviewRow(preview.file_columns.iter().cloned().zip(cells.iter().cloned()).collect());
            let bytes = json_length(&(&row, &cells)).map_err(ApiError::internal)?;
            match remaining.checked_sub(bytes) {
                Some(rest) => remaining = rest,
                None => break,
            }
            preview.preview.push(row);
            preview.data.preview.push(cells);
        }
        Ok(preview)
    }
}

/// The response for an accepted import; `data` repeats its id.
#[derive(JsonSchema, Serialize)]
pub struct Accepted {
    #[serde(flatten)]
    reply: SubmitReply,
    data: SessionId,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionId {
    session_id: String,
}

/// `POST /api/contacts/import/submit`
pub async fn submit(
    may: May<Create, Contacts>,
    State(app): State<App>,
    responses::Sent { form, .. }: responses::Sent<ImportForm>,
) -> ApiResult<Queued<Accepted>> {
    limits::take(&app, IMPORTS, may.user().as_bytes()).await?;
    if let Some(error) = capacity_error(&app, &may, MAX_UNFINISHED - 1).await?
        && !submission::is_repeatable(&may, app.clock.now()).await?
    {
        return Err(error);
    }
    let upload = upload::receive(&app, &may, form).await?;
    let scope = Scope::clone(&may);
    // A separate task, so that it completes even if the client disconnects; a repeated upload then finds the import.
    let accepted = tokio::spawn(async move { create_job(&app, &scope, &upload).await });
    let session_id = accepted.await.map_err(ApiError::internal)??.to_string();
    let data = SessionId { session_id: session_id.clone() };
    let reply = SubmitReply { success: true, message: text::ACCEPTED.into(), session_id };
    Ok(Queued(Accepted { reply, data }))
}

/// Returns an error if the tenant has more than `max` unfinished imports or too much stored data.
async fn capacity_error(app: &App, scope: &Scope, max: i64) -> ApiResult<Option<ApiError>> {
    let (unfinished, stored) = submission::usage(scope).await?;
    let max_stored = app.config.import_stored();
    Ok(if unfinished > max {
        Some(ApiError::Conflict(text::TOO_MANY_UNFINISHED.into()))
    } else {
        (stored > max_stored).then(|| ApiError::Conflict(text::too_much_stored(max_stored)))
    })
}

/// Creates an import from an upload, or returns the id of the one that exists for the same upload.
async fn create_job(app: &App, scope: &Scope, upload: &Upload) -> ApiResult<Uuid> {
    let Fields { mapping, options, verdict, .. } = &upload.fields;
    let corrections = upload.corrections().map_err(ApiError::internal)?;
    let submission = Submission {
        file_name: upload.name.clone(),
        file_size: upload.size,
        kept_bytes: upload.size + corrections.as_ref().map_or(0, |json| json.len() as u64),
        mapping: mapping.clone(),
        options: serde_json::to_string(options).map_err(ApiError::internal)?,
        verdict: verdict.as_ref().map(serde_json::to_string).transpose().map_err(ApiError::internal)?,
        fingerprint: upload.fingerprint().map_err(ApiError::internal)?,
    };
    let id = loop {
        match submission::create(scope, &submission, app.clock.now()).await? {
            Created::New(id) => break id,
            Created::Accepted(id) => return Ok(id),
            Created::Receiving => sleep(REPEAT_POLL).await,
        }
    };
    if let Err(error) = store_upload(app, scope, id, upload, corrections).await {
        // If this fails, a later sweep deletes it.
        let _ = deletion::delete_incomplete(&scope.as_job(), id).await;
        return Err(error);
    }
    app.imports.notify_one();
    Ok(id)
}

async fn read_head(app: &App, upload: &Upload) -> ApiResult<Opened> {
    let file = upload.file().await?;
    app.reader.head(Input { name: &upload.name, size: upload.size, file, options: &upload.fields.options }).await
}

/// Validates an upload, stores it in the database so that any node can process it, and marks the import as ready.
async fn store_upload(
    app: &App,
    scope: &Scope,
    id: Uuid,
    upload: &Upload,
    corrections_json: Option<Vec<u8>>,
) -> ApiResult<()> {
    if let Some(error) = capacity_error(app, scope, MAX_UNFINISHED).await? {
        return Err(error);
    }
    let Opened { head, layout } = read_head(app, upload).await?;
    let Fields { mapping, corrections, .. } = &upload.fields;
    Plan::new(&head.file_columns, mapping)?;
    Patches::new(&head.file_columns, corrections)?;
    let mut file = tokio::fs::File::from_std(upload.file().await?);
    for part in 0.. {
        submission::touch(scope, id, app.clock.now()).await?;
        let mut bytes = Vec::with_capacity(PART_BYTES);
        (&mut file).take(PART_BYTES as u64).read_to_end(&mut bytes).await?;
        if bytes.is_empty() {
            break;
        }
        submission::add_part(scope, id, part, bytes).await?;
    }
    if let Some(json) = corrections_json {
        submission::add_part(scope, id, CORRECTIONS, json).await?;
    }
    let key = header_key(&head.file_columns);
    let columns = layout.names_in_file().to_vec();
    Ok(submission::accept(scope, id, columns, key, head.delimiter, app.clock.now()).await?)
}

/// The progress of an import; `data` repeats the session.
#[derive(JsonSchema, Serialize)]
pub struct Status {
    success: bool,
    session: ImportSession,
    data: SessionData,
}

#[derive(JsonSchema, Serialize)]
struct SessionData {
    session: ImportSession,
}

impl Status {
    fn new(session: ImportSession) -> Json<Status> {
        Json(Status { success: true, session: session.clone(), data: SessionData { session } })
    }
}

/// `GET /api/contacts/import/status/{sessionId}`
pub async fn status(may: May<Create, Contacts>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Status>> {
    Ok(Status::new(jobs::find(&may, id, app.config.import_kept()).await?.ok_or(ApiError::NotFound)?))
}

/// `POST /api/contacts/import/cancel/{sessionId}`: idempotent. An import that ended otherwise is a 409.
pub async fn cancel(may: May<Create, Contacts>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Status>> {
    let cancelled = jobs::cancel(&may, id, app.clock.now()).await?;
    let session = jobs::find(&may, id, app.config.import_kept()).await?.ok_or(ApiError::NotFound)?;
    match cancelled || session.status == ImportStatus::Cancelled {
        true => Ok(Status::new(session)),
        false => Err(ApiError::AlreadyFinished(text::OVER, serde_json::to_value(session).map_err(ApiError::internal)?)),
    }
}

/// `GET /api/contacts/imports`
pub async fn list(
    may: May<Read, ContactsImports>,
    State(app): State<App>,
    Question(question): Question<ListQuestion>,
) -> ApiResult<Json<ImportList>> {
    let (page, _) = question.read(IMPORTS_PAGE_SIZE)?;
    let (data, total) = jobs::list(&may, page, app.config.import_kept()).await?;
    let pagination =
        ImportPagination { current_page: page.page, total_pages: total_pages(total, page.limit), total_imports: total };
    Ok(Json(ImportList { success: true, data, pagination }))
}

/// `DELETE /api/contacts/imports/{sessionId}`: deletes a finished import and its failed rows. The contacts stay.
pub async fn delete(may: May<Delete, ContactsImports>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Done>> {
    if !deletion::delete(&may, id, app.clock.now()).await? {
        let is_there = jobs::find(&may, id, app.config.import_kept()).await?.is_some();
        return Err(if is_there { ApiError::Conflict(text::NOT_OVER.into()) } else { ApiError::NotFound });
    }
    let scope = Scope::clone(&may);
    // Continues after the response. If the server stops, the sweep completes it.
    let purged = tokio::spawn(async move {
        if let Err(error) = deletion::purge(&scope, id).await {
            tracing::warn!(import = %id, %error, "the data of a deleted import will be purged later");
        }
    });
    let _ = timeout(PURGE_TIMEOUT, purged).await;
    Ok(Json(Done::new(text::DELETED)))
}

/// The query parameters: the headers of a file.
#[derive(Deserialize, JsonSchema)]
pub struct HeaderQuestion {
    #[serde(default)]
    headers: String,
}

/// `GET /api/contacts/import/mapping`
pub async fn mapping(
    may: May<Create, Contacts>,
    Question(question): Question<HeaderQuestion>,
) -> ApiResult<Json<RememberedMapping>> {
    let mut headers = question.headers;
    normalize_line(&mut headers);
    let (mapping, imported_at) = jobs::last_mapping(&may, &headers).await?.unzip();
    Ok(Json(RememberedMapping { success: true, mapping, imported_at }))
}
