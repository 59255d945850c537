//! Imports of contacts: a file is looked at, taken in, and worked through by a job, batch by batch.

pub mod reader;
mod store;
mod upload;
mod worker;

pub(crate) use store::latest;
pub use worker::worker;

use crate::limits::{self, IMPORTS};
use crate::problem::{Answer, Id, Refusal};
use crate::scope::{Contacts, Create, May, Scope};
use crate::state::App;
use axum::Json;
use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::http::StatusCode;
use forecourt_core::form::FieldError;
use forecourt_core::import::{FileHead, ImportSession, Plan, SubmitReply, text};
use forecourt_core::problem::Problem;
use reader::Input;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use tokio::io::AsyncReadExt;
use upload::Upload;
use uuid::Uuid;

/// The file is kept in parts of so many bytes.
const PART: usize = 1 << 20;

/// A corporation's imports wait in line with everybody's; so many of its own may wait at once.
const MOST_UNFINISHED: i64 = 20;

/// The columns, the first rows by column, and all that is known of the file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    success: bool,
    file_columns: Vec<String>,
    preview: Vec<PreviewRow>,
    data: FileHead,
}

/// A row as an object whose names stand in the order of the columns.
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
    form: Result<Multipart, MultipartRejection>,
) -> Answer<Json<Preview>> {
    limits::take(&app, IMPORTS, may.user().as_bytes()).await?;
    let upload = upload::receive(&app, form).await?;
    let head = head(&app, &upload).await?;
    let row = |cells: &Vec<String>| PreviewRow(head.file_columns.iter().cloned().zip(cells.iter().cloned()).collect());
    let preview = head.preview.iter().map(row).collect();
    Ok(Json(Preview { success: true, file_columns: head.file_columns.clone(), preview, data: head }))
}

/// An accepted import; `data` repeats where to look for it.
#[derive(Serialize)]
pub struct Accepted {
    #[serde(flatten)]
    reply: SubmitReply,
    data: SessionId,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionId {
    session_id: String,
}

/// `POST /api/contacts/import/submit`
pub async fn submit(
    may: May<Create, Contacts>,
    State(app): State<App>,
    form: Result<Multipart, MultipartRejection>,
) -> Answer<(StatusCode, Json<Accepted>)> {
    limits::take(&app, IMPORTS, may.user().as_bytes()).await?;
    if store::unfinished(&may).await? >= MOST_UNFINISHED {
        return Err(Refusal::Conflict(text::TOO_MANY_UNFINISHED.into()));
    }
    let mut upload = upload::receive(&app, form).await?;
    let head = head(&app, &upload).await?;
    let mapping = upload.mapping.take().unwrap_or_default();
    Plan::new(&head.file_columns, &mapping).map_err(refused)?;
    let id = store::begin(&may, &upload.name, upload.size, mapping, app.clock.now()).await?;
    if let Err(refusal) = keep(&app, &may, id, &upload).await {
        // What can't be taken back now is swept later.
        let _ = store::withdraw(&may, id).await;
        return Err(refusal);
    }
    app.imports.notify_one();
    let session_id = id.to_string();
    let data = SessionId { session_id: session_id.clone() };
    let reply = SubmitReply { success: true, message: text::ACCEPTED.into(), session_id };
    Ok((StatusCode::ACCEPTED, Json(Accepted { reply, data })))
}

/// A mapping that doesn't hold.
fn refused(errors: Vec<FieldError>) -> Refusal {
    Refusal::Invalid(Box::new(Problem::of_fields(None, &errors)))
}

async fn head(app: &App, upload: &Upload) -> Answer<FileHead> {
    let input = Input { name: &upload.name, size: upload.size, file: upload.file().await? };
    Ok(app.reader.head(input).await?)
}

/// Puts the file into the database, from where any node can take the import over, and lets it begin.
async fn keep(app: &App, scope: &Scope, id: Uuid, upload: &Upload) -> Answer<()> {
    let mut file = tokio::fs::File::from_std(upload.file().await?);
    for part in 0.. {
        let mut bytes = Vec::with_capacity(PART);
        (&mut file).take(PART as u64).read_to_end(&mut bytes).await?;
        if bytes.is_empty() {
            break;
        }
        store::add_part(scope, id, part, bytes).await?;
    }
    Ok(store::accept(scope, id, app.clock.now()).await?)
}

/// How far an import is; `data` repeats the session.
#[derive(Serialize)]
pub struct Status {
    success: bool,
    session: ImportSession,
    data: SessionData,
}

#[derive(Serialize)]
struct SessionData {
    session: ImportSession,
}

/// `GET /api/contacts/import/status/{sessionId}`
pub async fn status(may: May<Create, Contacts>, Id(id): Id) -> Answer<Json<Status>> {
    let session = store::session(&may, id).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(Status { success: true, session: session.clone(), data: SessionData { session } }))
}
