//! Exports a list, with all its pages, as a file that is streamed: at any time only the ids and two batches of records
//! are in memory.

use super::{Entity, ListParameters, csv, get_existing, xlsx};
use crate::access::describe::{Operation, ResponseType};
use crate::access::scope::{May, Read, ResourceType, Scope};
use crate::features::history::record_export;
use crate::features::listing;
use crate::features::state::App;
use crate::platform::clock::utc_date;
use crate::platform::db::Result;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{LocalDay, Params};
use crate::platform::fairness::QueryPermit;
use crate::platform::responses::{Csv, Download, MediaType, Xlsx};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use forecourt_core::lists::{Field, Fields, Record, text};
use forecourt_core::paging::Page;
use forecourt_core::permissions::Access;
use futures_util::stream::{Stream, StreamExt, once, try_unfold};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;
use std::io;
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, spawn_blocking};
use uuid::Uuid;

/// Records per query and per chunk of the file.
const BATCH: usize = 500;
/// How often the user's permission is checked again.
const RECHECK: Duration = Duration::from_secs(10);

/// The query parameters of an export: those of the list, and the format. The page is ignored.
#[derive(Deserialize, JsonSchema)]
#[serde(bound = "Q: Deserialize<'de>")]
#[schemars(transform = without_page)]
pub struct ExportQuery<Q> {
    /// `csv` or `xlsx`; empty: `csv`.
    #[serde(default)]
    format: String,
    #[serde(flatten)]
    pub list: Q,
}

/// Removes the page from the schema of a list's parameters.
fn without_page(schema: &mut Schema) {
    if let Some(Value::Object(parameters)) = schema.get_mut("properties") {
        parameters.retain(|name, _| name != "page" && name != "limit");
    }
}

impl<Q> ExportQuery<Q> {
    /// # Errors
    /// 400 for an unknown format.
    pub fn format(&self) -> ApiResult<Format> {
        match self.format.trim() {
            "" | "csv" => Ok(Format::Csv),
            "xlsx" => Ok(Format::Xlsx),
            _ => Err(ApiError::for_field("format", text::FORMAT_INVALID)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    Xlsx,
}

impl Format {
    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Xlsx => "xlsx",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Format::Csv => Csv::NAME,
            Format::Xlsx => Xlsx::NAME,
        }
    }
}

/// The response of an export.
pub type Export = Download<ExportedFile>;

/// A file with records.
pub struct ExportedFile {
    format: Format,
    body: Body,
}

impl IntoResponse for ExportedFile {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, self.format.media_type())], self.body).into_response()
    }
}

impl ResponseType for ExportedFile {
    fn describe(operation: &mut Operation) {
        for format in [Format::Csv, Format::Xlsx] {
            operation.add_file(200, format.media_type());
        }
    }
}

/// `GET /api/{resource}/export`: exactly the records that the list had when the export began, in its order, except
/// those that are deleted meanwhile.
pub async fn export<E: Entity>(
    may: May<Read, E::Resource>,
    State(app): State<App>,
    LocalDay(today): LocalDay,
    method: Method,
    Params(query): Params<ExportQuery<E::Query>>,
) -> ApiResult<Export> {
    let (format, mut request) = (query.format()?, query.list.read(may.access(), &today)?);
    request.page = Page { page: 1, limit: u32::MAX };
    let permit = acquire(&app, &may).await?;
    let (ids, _) = listing::ids(&may, E::LISTING, &request.selection()).await?;
    let count = ids.len();
    check_count(format, count)?;
    record_export(&may, app.clock.now(), &method, E::Resource::RESOURCE, format.extension()).await?;
    let access = *may.access();
    let state = Batches { may, app: app.clone(), ids: ids.into_iter(), next: None, checked: Instant::now() };
    let batches = try_unfold(state, |mut state: Batches<E>| async move {
        let batch = state.next().await?;
        Ok::<_, ApiError>(batch.map(|batch| (batch, state)))
    });
    respond(&app, E::TABLE.name, (format, count), &access, permit, batches)
}

/// Waits until the tenant may run another export.
///
/// # Errors
/// 429 if the tenant's other exports take too long, 503 if those of all tenants do.
pub async fn acquire(app: &App, scope: &Scope) -> ApiResult<QueryPermit> {
    app.fairness.acquire_export_permit(scope.corp()).await
}

/// # Errors
/// 400 if the file can't contain so many records.
pub fn check_count(format: Format, count: usize) -> ApiResult<()> {
    match format {
        Format::Xlsx if count > xlsx::RECORDS_MAX => {
            Err(ApiError::for_field("format", &text::too_many_for_a_sheet(xlsx::RECORDS_MAX as u64)))
        }
        _ => Ok(()),
    }
}

/// The records of an export, read in batches. While one batch is encoded and sent, the next is read.
struct Batches<E: Entity> {
    may: May<Read, E::Resource>,
    app: App,
    ids: std::vec::IntoIter<Uuid>,
    next: Option<JoinHandle<Result<Vec<E>>>>,
    checked: Instant,
}

impl<E: Entity> Batches<E> {
    /// Returns the next records; `None` after the last ones.
    async fn next(&mut self) -> ApiResult<Option<Vec<E>>> {
        if self.checked.elapsed() >= RECHECK {
            self.may.require_still(&self.app).await?;
            self.checked = Instant::now();
        }
        let Some(batch) = self.next.take().or_else(|| self.read()) else { return Ok(None) };
        let batch = batch.await.map_err(ApiError::internal)??;
        self.next = self.read();
        Ok(Some(batch))
    }

    /// Starts to read the next batch in the background; `None` after the last one.
    fn read(&mut self) -> Option<JoinHandle<Result<Vec<E>>>> {
        let ids: Vec<Uuid> = self.ids.by_ref().take(BATCH).collect();
        let scope = Scope::clone(&self.may);
        (!ids.is_empty()).then(|| tokio::spawn(async move { get_existing(&scope, ids).await }))
    }
}

/// Responds with a file of the records in `batches`, of which there are at most `count`, with the fields that a user
/// with this access sees. If an error occurs while the file is sent, the connection ends, so that the client sees that
/// the file is incomplete.
pub fn respond<R: Record + Send + 'static>(
    app: &App,
    name: &str,
    (format, count): (Format, usize),
    access: &Access,
    permit: QueryPermit,
    batches: impl Stream<Item = ApiResult<Vec<R>>> + Send + 'static,
) -> ApiResult<Export> {
    let day = utc_date(app.clock.now()).map(|day| format!("-{day}")).unwrap_or_default();
    let disposition = format!("attachment; filename=\"{name}{day}.{}\"", format.extension());
    let disposition = HeaderValue::try_from(disposition).map_err(ApiError::internal)?;
    let (encoder, head) = Encoder::start::<R>(format, count, access).map_err(ApiError::internal)?;
    let rest = try_unfold((Some(encoder), Box::pin(batches), permit), |(encoder, mut batches, permit)| async move {
        let Some(encoder) = encoder else { return Ok(None) };
        let batch = batches.next().await.transpose().map_err(|error| {
            tracing::warn!(?error, "an export could not be completed");
            io::Error::other("the records can't be read")
        })?;
        let (encoder, bytes) = spawn_blocking(move || encoder.encode(batch)).await??;
        Ok::<_, io::Error>(Some((bytes, (encoder, batches, permit))))
    });
    let body = Body::from_stream(once(async { Ok(head) }).chain(rest));
    Ok(Download(disposition, ExportedFile { format, body }))
}

/// Writes records in a file format.
enum Encoder {
    Csv(Vec<&'static Field>),
    Xlsx(Vec<&'static Field>, Box<xlsx::Workbook>),
}

impl Encoder {
    /// Returns the encoder and the first bytes of the file. `count` is the maximum number of records.
    fn start<R: Record>(format: Format, count: usize, access: &Access) -> io::Result<(Self, Bytes)> {
        let fields = Fields::visible(R::FIELDS, access).iter();
        let fields: Vec<&'static Field> = fields.filter(|field| field.is_exported).collect();
        Ok(match format {
            Format::Csv => {
                let head = csv::head(fields.iter().map(|field| field.name))?;
                (Encoder::Csv(fields), head.into())
            }
            Format::Xlsx => {
                let workbook = xlsx::Workbook::new(&fields, count)?;
                let head = workbook.take();
                (Encoder::Xlsx(fields, Box::new(workbook)), head.into())
            }
        })
    }

    /// Returns the bytes of these records and the encoder for the next ones. For `None`, returns the end of the file
    /// and no encoder.
    fn encode<R: Record>(mut self, records: Option<Vec<R>>) -> io::Result<(Option<Self>, Bytes)> {
        let Some(records) = records else {
            return Ok((None, self.finish()?.into()));
        };
        let bytes = match &mut self {
            Encoder::Csv(fields) => csv::lines(fields, &records)?,
            Encoder::Xlsx(fields, workbook) => {
                workbook.push(fields, &records)?;
                workbook.take()
            }
        };
        Ok((Some(self), bytes.into()))
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Encoder::Csv(_) => Ok(Vec::new()),
            Encoder::Xlsx(_, workbook) => workbook.finish(),
        }
    }
}
