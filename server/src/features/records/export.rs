//! Exports a list, with all its pages, as a file that is streamed: at any time only the ids and two batches of records
//! are in memory. The header has the names of the other details of all records, so these are read before.

use super::details::{DetailsSummary, read_details, summarize_details};
use super::{Entity, ListParameters, csv, get_existing, identity, xlsx};
use crate::access::describe::{Operation, ResponseType};
use crate::access::scope::{May, Read, ResourceType, Scope};
use crate::features::history::record_export;
use crate::features::listing;
use crate::features::state::App;
use crate::platform::clock::utc_date;
use crate::platform::db::Result;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::{LocalDay, Params};
use crate::platform::fairness::{QueryPermit, Work};
use crate::platform::responses::{Csv, Download, MediaType, Xlsx};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use forecourt_core::duplicates::Details;
use forecourt_core::import::detail_header;
use forecourt_core::lists::{Cell, Field, Fields, Record, text};
use forecourt_core::paging::Page;
use forecourt_core::permissions::Access;
use futures_util::stream::{Stream, StreamExt, once, try_unfold};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, spawn_blocking};
use uuid::Uuid;

/// Records per query and per chunk of the file.
const BATCH: usize = 500;
/// Records per query and per chunk if they have other details, which may be long.
const DETAILED_BATCH: usize = 100;
/// Maximum size of a record in a workbook's XML, in bytes, without its other details.
const RECORD_BYTES: usize = 100_000;
/// Maximum size there of a byte of a text, and of the tags of a cell.
const ESCAPED_BYTES: usize = 7;
const CELL_BYTES: usize = 100;
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
    let (permit, search_permit) = acquire(&app, &may).await?;
    let checked = Instant::now();
    let (ids, _) = listing::ids(&may, E::LISTING, &request.selection()).await?;
    // The rest reads records by their ids, in short statements.
    drop(search_permit);
    let count = ids.len();
    check_count(format, count)?;
    let details = summarize_details::<E>(&may, &ids, xlsx::COLUMNS_MAX).await?;
    let columns = FileColumns::new(Fields::visible(E::FIELDS, may.access()), details);
    columns.check_count()?;
    record_export(&may, app.clock.now(), &method, E::Resource::RESOURCE, format.extension()).await?;
    let has_details = columns.has_details();
    let state = Batches { may, app: app.clone(), ids: ids.into_iter(), has_details, next: None, checked };
    let batches = try_unfold(state, |mut state: Batches<E>| async move {
        let batch = state.next().await?;
        Ok::<_, ApiError>(batch.map(|batch| (batch, state)))
    });
    stream(&app, E::TABLE.name, (format, count), columns, permit, batches)
}

/// Waits until the tenant may run another export, then until it may run another search. Returns the permit of the
/// export, to be kept until the response has been sent, and that of the search, to be kept while it finds the records.
///
/// # Errors
/// 429 if the tenant's other exports or searches take too long, 503 if those of all tenants do.
pub async fn acquire(app: &App, scope: &Scope) -> ApiResult<(QueryPermit, Option<QueryPermit>)> {
    let permit = app.fairness.acquire_export_permit(scope.corp()).await?;
    Ok((permit, app.fairness.acquire_query_permit(scope.corp(), Work::Search).await?))
}

/// # Errors
/// 400 if the file can't contain so many records.
fn check_count(format: Format, count: usize) -> ApiResult<()> {
    match format {
        Format::Xlsx if count > xlsx::RECORDS_MAX => {
            Err(ApiError::for_field("format", &text::too_many_for_a_sheet(xlsx::RECORDS_MAX as u64)))
        }
        _ => Ok(()),
    }
}

/// Records with their other details.
type Batch<R> = Vec<(R, Details)>;

/// The records of an export, read in batches. While one batch is encoded and sent, the next is read.
struct Batches<E: Entity> {
    may: May<Read, E::Resource>,
    app: App,
    ids: std::vec::IntoIter<Uuid>,
    has_details: bool,
    next: Option<JoinHandle<Result<Batch<E>>>>,
    checked: Instant,
}

impl<E: Entity> Batches<E> {
    /// Returns the next records; `None` after the last ones.
    async fn next(&mut self) -> ApiResult<Option<Batch<E>>> {
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
    fn read(&mut self) -> Option<JoinHandle<Result<Batch<E>>>> {
        let has_details = self.has_details;
        let ids: Vec<Uuid> = self.ids.by_ref().take(if has_details { DETAILED_BATCH } else { BATCH }).collect();
        let scope = Scope::clone(&self.may);
        (!ids.is_empty()).then(|| tokio::spawn(async move { read_batch(&scope, &ids, has_details).await }))
    }
}

/// Returns the records with these ids as the user sees them, with their other details if `has_details`.
async fn read_batch<E: Entity>(scope: &Scope, ids: &[Uuid], has_details: bool) -> Result<Batch<E>> {
    let details = async {
        match has_details {
            true => read_details::<E>(None, scope, ids).await,
            false => Ok(HashMap::new()),
        }
    };
    let (records, mut details) = tokio::try_join!(get_existing::<E>(scope, ids.to_vec()), details)?;
    let mut batch = Vec::with_capacity(records.len());
    for record in records {
        let own = details.remove(&identity::id(&record)?).unwrap_or_default();
        batch.push((record, own));
    }
    Ok(batch)
}

/// Responds with a file of these records, with the fields that a user with this access sees.
pub fn respond<R: Record + Send + 'static>(
    app: &App,
    name: &str,
    format: Format,
    access: &Access,
    permit: QueryPermit,
    records: Vec<R>,
) -> ApiResult<Export> {
    let columns = FileColumns::new(Fields::visible(R::FIELDS, access), DetailsSummary::default());
    let count = records.len();
    let records: Batch<R> = records.into_iter().map(|record| (record, Details::new())).collect();
    stream(app, name, (format, count), columns, permit, once(async { Ok(records) }))
}

/// Responds with a file of the records in `batches`, of which there are at most `count`. If an error occurs while the
/// file is sent, the connection ends, so that the client sees that the file is incomplete.
fn stream<R: Record + Send + 'static>(
    app: &App,
    name: &str,
    (format, count): (Format, usize),
    columns: FileColumns,
    permit: QueryPermit,
    batches: impl Stream<Item = ApiResult<Batch<R>>> + Send + 'static,
) -> ApiResult<Export> {
    let day = utc_date(app.clock.now()).map(|day| format!("-{day}")).unwrap_or_default();
    let disposition = format!("attachment; filename=\"{name}{day}.{}\"", format.extension());
    let disposition = HeaderValue::try_from(disposition).map_err(ApiError::internal)?;
    let (encoder, head) = Encoder::start(format, count, columns).map_err(ApiError::internal)?;
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

/// The columns of an exported file: those of the fields, then those of the other details.
pub struct FileColumns {
    fields: Vec<&'static Field>,
    details: DetailsSummary,
}

impl FileColumns {
    /// Returns the columns of those of these fields that are exported, and of these other details.
    pub fn new(fields: Fields<'_>, details: DetailsSummary) -> Self {
        FileColumns { fields: fields.iter().filter(|field| field.is_exported).collect(), details }
    }

    fn has_details(&self) -> bool {
        self.details.count > 0
    }

    /// # Errors
    /// 400 if there are more columns than a sheet can have.
    fn check_count(&self) -> ApiResult<()> {
        match self.fields.len() + self.details.names.len() {
            ..=xlsx::COLUMNS_MAX => Ok(()),
            _ => Err(ApiError::for_field("filter", &text::too_many_columns(xlsx::COLUMNS_MAX as u64))),
        }
    }

    pub fn headers(&self) -> Vec<Cow<'_, str>> {
        let fields = self.fields.iter().map(|field| Cow::Borrowed(field.name));
        fields.chain(self.details.names.iter().map(|name| detail_header(name))).collect()
    }

    /// Returns the cells of each record.
    pub fn rows<'a, R: Record>(
        &'a self,
        records: &'a [(R, Details)],
    ) -> impl Iterator<Item = impl Iterator<Item = Cell<'a>>> {
        records.iter().map(move |(record, details)| {
            let fields = self.fields.iter().map(move |field| record.cell(field.name));
            let texts = self.details.names.iter().map(move |name| details.get(name));
            fields.chain(texts.map(|text| text.map_or(Cell::Empty, |text| Cell::Text(text))))
        })
    }

    /// Returns the maximum size of this many records in a workbook's XML, in bytes.
    fn max_size(&self, records: usize) -> usize {
        records * RECORD_BYTES + self.details.count * CELL_BYTES + self.details.bytes * ESCAPED_BYTES
    }
}

/// Writes records in a file format.
enum Encoder {
    Csv(FileColumns),
    Xlsx(FileColumns, Box<xlsx::Workbook>),
}

impl Encoder {
    /// Returns the encoder and the first bytes of the file. `count` is the maximum number of records.
    fn start(format: Format, count: usize, columns: FileColumns) -> io::Result<(Self, Bytes)> {
        Ok(match format {
            Format::Csv => {
                let head = csv::head(columns.headers())?;
                (Encoder::Csv(columns), head.into())
            }
            Format::Xlsx => {
                let workbook = xlsx::Workbook::new(&columns.headers(), columns.max_size(count))?;
                let head = workbook.take();
                (Encoder::Xlsx(columns, Box::new(workbook)), head.into())
            }
        })
    }

    /// Returns the bytes of these records and the encoder for the next ones. For `None`, returns the end of the file
    /// and no encoder.
    fn encode<R: Record>(mut self, records: Option<Batch<R>>) -> io::Result<(Option<Self>, Bytes)> {
        let Some(records) = records else {
            return Ok((None, self.finish()?.into()));
        };
        let bytes = match &mut self {
            Encoder::Csv(columns) => csv::rows(columns.rows(&records))?,
            Encoder::Xlsx(columns, workbook) => {
                workbook.push(columns.rows(&records))?;
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
