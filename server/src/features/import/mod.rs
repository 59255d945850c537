//! Imports of contacts: a file is previewed, accepted, and processed by a job in batches.

mod checking;
pub mod config;
mod deletion;
mod error;
mod finished;
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
pub(crate) use finished::{FinishedImport, insert_finished};
pub(crate) use jobs::{list_latest, status_of};
pub(crate) use store::{FailedRow, StoredProblem};
pub use worker::worker;

use crate::access::describe::forms::ImportForm;
use crate::access::scope::{Contacts, ContactsImports, Create, Delete, May, Read, Scope};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{Id, ListQuery, Params};
use crate::platform::limits::{self, IMPORTS};
use crate::platform::multipart::MultipartBody;
use crate::platform::responses::{Queued, json_length, take_within_bytes};
use axum::Json;
use axum::extract::State;
use forecourt_core::form::normalize_line;
use forecourt_core::import::{
    FileHead, IMPORTS_PAGE_SIZE, ImportList, ImportPagination, ImportSession, ImportStatus, RememberedMapping,
    SubmitReply, text,
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
use tokio::time::timeout;
use upload::Upload;

/// Maximum number of unfinished imports per tenant, because all tenants share one queue.
const MAX_UNFINISHED: i64 = 20;
/// How long a deletion waits for the stored data to be deleted.
const PURGE_TIMEOUT: Duration = Duration::from_secs(2);

/// The response of the preview: the columns, the first rows by column, and in `data` all that is known about the file,
/// which repeats both, with the rows as arrays.
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
    body: MultipartBody<ImportForm>,
) -> ApiResult<Json<Preview>> {
    limits::count_use(&app, IMPORTS, may.user().as_bytes()).await?;
    let upload = upload::receive(&app, &may, body).await?;
    may.recheck(&app).await?;
    let Opened { head, .. } = read_head(&app, &upload).await?;
    Ok(Json(Preview::new(head)?))
}

impl Preview {
    /// Creates the preview with as many of the first rows as fit into a response; each row repeats the column names.
    fn new(mut head: FileHead) -> ApiResult<Self> {
        let (columns, rows) = (head.file_columns.clone(), std::mem::take(&mut head.preview));
        let mut preview = Preview { success: true, file_columns: columns.clone(), preview: Vec::new(), data: head };
        let bytes = json_length(&preview).map_err(ApiError::internal)?;
        let rows = rows.into_iter().map(|cells| {
            let named = columns.iter().cloned().zip(cells.iter().cloned()).collect();
            (PreviewRow(named), cells)
        });
        let rows = take_within_bytes(rows, JSON_MAX.saturating_sub(bytes)).map_err(ApiError::internal)?;
        (preview.preview, preview.data.preview) = rows.into_iter().unzip();
        Ok(preview)
    }
}

/// The response to an accepted import; `data` repeats its id.
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
    body: MultipartBody<ImportForm>,
) -> ApiResult<Queued<Accepted>> {
    limits::count_use(&app, IMPORTS, may.user().as_bytes()).await?;
    if let Err(error) = submission::check_capacity(&app, &may, MAX_UNFINISHED - 1).await
        && !submission::is_repeatable(&may, app.clock.now()).await?
    {
        return Err(error);
    }
    let upload = upload::receive(&app, &may, body).await?;
    let scope = Scope::clone(&may);
    // A separate task, so that it completes even if the client disconnects; a repeated upload then finds the import.
    let accepted = tokio::spawn(async move { submission::create_job(&app, &scope, &upload).await });
    let session_id = accepted.await.map_err(ApiError::internal)??.to_string();
    let data = SessionId { session_id: session_id.clone() };
    let reply = SubmitReply {
        success: true,
        message: text::ACCEPTED.to_string(),
        messages: vec![text::ACCEPTED.clone()],
        session_id,
    };
    Ok(Queued(Accepted { reply, data }))
}

async fn read_head(app: &App, upload: &Upload) -> ApiResult<Opened> {
    let file = upload.open_file().await?;
    app.reader.head(Input { name: &upload.name, size: upload.size, file, options: &upload.fields.options }).await
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
    Ok(Status::new(jobs::find(&may, id, app.feature_config.import.retention()).await?.ok_or(ApiError::NotFound)?))
}

/// `POST /api/contacts/import/cancel/{sessionId}`: idempotent. An import that ended otherwise is a 409.
pub async fn cancel(may: May<Create, Contacts>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Status>> {
    let cancelled = jobs::cancel(&may, id, app.clock.now()).await?;
    let session = jobs::find(&may, id, app.feature_config.import.retention()).await?.ok_or(ApiError::NotFound)?;
    match cancelled || session.status == ImportStatus::Cancelled {
        true => Ok(Status::new(session)),
        false => {
            Err(ApiError::ConflictWithRecord(text::OVER, serde_json::to_value(session).map_err(ApiError::internal)?))
        }
    }
}

/// `GET /api/contacts/imports`
pub async fn list(
    may: May<Read, ContactsImports>,
    State(app): State<App>,
    Params(query): Params<ListQuery<IMPORTS_PAGE_SIZE>>,
) -> ApiResult<Json<ImportList>> {
    let (page, _) = query.read()?;
    let (data, total) = jobs::list(&may, page, app.feature_config.import.retention()).await?;
    let pagination =
        ImportPagination { current_page: page.page, total_pages: total_pages(total, page.limit), total_imports: total };
    Ok(Json(ImportList { success: true, data, pagination }))
}

/// `DELETE /api/contacts/imports/{sessionId}`: deletes a finished import and its failed rows. The contacts stay.
pub async fn delete(may: May<Delete, ContactsImports>, State(app): State<App>, Id(id): Id) -> ApiResult<Json<Done>> {
    if !deletion::delete(&may, id, app.clock.now()).await? {
        let is_there = jobs::find(&may, id, app.feature_config.import.retention()).await?.is_some();
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

/// The query parameters of a remembered mapping.
#[derive(Deserialize, JsonSchema)]
pub struct HeaderQuery {
    /// The hash by which the web app knows files with the same headers.
    // The result of `forecourt_core::import::header_key`.
    #[serde(default)]
    headers: String,
}

/// `GET /api/contacts/import/mapping`
pub async fn mapping(
    may: May<Create, Contacts>,
    Params(query): Params<HeaderQuery>,
) -> ApiResult<Json<RememberedMapping>> {
    let mut headers = query.headers;
    normalize_line(&mut headers);
    let (mapping, imported_at) = jobs::last_mapping(&may, &headers).await?.unzip();
    Ok(Json(RememberedMapping { success: true, mapping, imported_at }))
}
