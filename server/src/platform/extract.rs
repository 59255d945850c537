//! Extractors: the validated body of a request, the ids in its path, and its query.

use super::deserialize::{deserialize, query_error, syntax_error};
use super::error::{ApiError, ApiResult};
use super::keys::Keys;
use super::state::Platform;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::{Json, RequestExt};
use forecourt_core::form::{Checked, Form, check_with};
use forecourt_core::lists::text::{AN_ID, wrong_value};
use forecourt_core::lists::{
    self, Arrangement, CONDITIONS_MAX, ConditionInput, Fields, Filter, Record, SORT_MAX, Sort, Today,
};
use forecourt_core::message::Message;
use forecourt_core::paging::{Page, PageQuery, read_search};
use forecourt_core::permissions::Access;
use forecourt_core::text;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use uuid::Uuid;

/// Extractor for a JSON body that complies with the rules of its form.
pub struct Valid<F>(pub Checked<F>);

impl<F: Form + DeserializeOwned, S: AsRef<Platform> + Send + Sync> FromRequest<S> for Valid<F> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<Self> {
        Ok(Valid(check_with(state.as_ref().form_settings, read_json::<F>(request).await?)?))
    }
}

async fn read_json<F: DeserializeOwned>(request: Request) -> ApiResult<F> {
    let read = Json::<Box<RawValue>>::from_request(request, &()).await;
    let Json(json) = read.map_err(|rejection| match rejection {
        JsonRejection::MissingJsonContentType(_) => ApiError::UnsupportedMediaType,
        JsonRejection::BytesRejection(rejection) => body_error(&rejection),
        rejection => syntax_error(&rejection),
    })?;
    deserialize(json.get())
}

/// Returns the error of a body that could not be received.
fn body_error(rejection: &BytesRejection) -> ApiError {
    match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => ApiError::PayloadTooLarge,
        _ => ApiError::invalid(text::BODY_INVALID),
    }
}

/// Extractor for a JSON body that is not validated yet: its rules depend on the stored record or the user, so the
/// handler validates it once it knows these.
pub struct Unchecked<F>(pub F);

impl<F: Form + DeserializeOwned, S: Send + Sync> FromRequest<S> for Unchecked<F> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> ApiResult<Self> {
        Ok(Unchecked(read_json(request).await?))
    }
}

/// Extractor for the id in the path. Anything but a UUID is a 404.
pub struct Id(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let path = Path::<Uuid>::from_request_parts(parts, state).await;
        path.map(|Path(id)| Id(id)).map_err(|_| ApiError::NotFound)
    }
}

/// The header of [`Repeatable`].
pub const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// A request with the header `Idempotency-Key`: a UUID of the client's choice, by which the server recognizes a request
/// that is sent again because its response was lost (draft-ietf-httpapi-idempotency-key-header).
#[derive(Clone, Copy)]
pub struct KeyedRequest {
    pub key: Uuid,
    /// The keyed digest of the body, by which the server recognizes another request with the same key. Of the body as
    /// it was sent, not of the form: newer versions of the program may read other values from the same body.
    pub digest: [u8; 32],
}

impl KeyedRequest {
    fn new(keys: &Keys, key: Uuid, body: &[u8]) -> ApiResult<Self> {
        // Sorts the members of objects and removes white space, which may differ when a client sends the request again.
        let body =
            serde_json::from_slice::<Value>(body).map_or_else(|_| body.to_vec(), |body| body.to_string().into_bytes());
        // With the key, so that the digests of equal bodies differ.
        let digest = <[u8; 32]>::try_from(keys.mac("request", &[key.as_bytes(), &body]));
        let digest = digest.map_err(|_| ApiError::internal("the digest of a body has a wrong length"))?;
        Ok(KeyedRequest { key, digest })
    }
}

/// Extractor for a request that its client may repeat, with what `B` extracts from it. `None` without the header
/// `Idempotency-Key`. A header that is no UUID is a 400.
pub struct Repeatable<B>(pub Option<KeyedRequest>, pub B);

impl<B, S> FromRequest<S> for Repeatable<B>
where
    B: FromRequest<S, Rejection = ApiError>,
    S: AsRef<Platform> + Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<Self> {
        let key = request.headers().get(IDEMPOTENCY_KEY).map(|value| {
            let key = value.to_str().ok().and_then(|key| Uuid::parse_str(key).ok());
            key.ok_or_else(|| ApiError::invalid(text::IDEMPOTENCY_KEY_INVALID))
        });
        let Some(key) = key.transpose()? else { return Ok(Repeatable(None, B::from_request(request, state).await?)) };
        let (parts, body) = request.into_parts();
        let body = Bytes::from_request(Request::from_parts(parts.clone(), body), state).await;
        let body = body.map_err(|rejection| body_error(&rejection))?;
        let keyed = KeyedRequest::new(&state.as_ref().keys, key, &body)?;
        Ok(Repeatable(Some(keyed), B::from_request(Request::from_parts(parts, body.into()), state).await?))
    }
}

/// The header of [`LocalDay`].
pub const TIME_ZONE: &str = "Time-Zone";

/// Extractor for the current day in the time zone that the header `Time-Zone` names, such as `Europe/Stockholm`.
/// Without the header, and if the time zone is unknown, the day in UTC.
pub struct LocalDay(pub Today);

impl<S: AsRef<Platform> + Send + Sync> FromRequestParts<S> for LocalDay {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let name = parts.headers.get(TIME_ZONE).and_then(|name| name.to_str().ok());
        let zone = name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC);
        Ok(LocalDay(Today::new(state.as_ref().clock.now(), zone)))
    }
}

/// Extractor for a request that concerns one record: the id in the path, and the body, which is validated as [`Valid`]
/// is.
pub struct IdAndForm<F>(pub Uuid, pub Checked<F>);

impl<F: Form + DeserializeOwned, S: AsRef<Platform> + Send + Sync> FromRequest<S> for IdAndForm<F> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, state: &S) -> ApiResult<Self> {
        let Id(id) = request.extract_parts_with_state(state).await?;
        let Valid(form) = Valid::from_request(request, state).await?;
        Ok(IdAndForm(id, form))
    }
}

/// Extractor for two ids in the path, the second of which names a part of the record that the first one names.
pub struct NestedIds(pub Uuid, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for NestedIds {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let path = Path::<(Uuid, Uuid)>::from_request_parts(parts, state).await;
        path.map(|Path((first, second))| NestedIds(first, second)).map_err(|_| ApiError::NotFound)
    }
}

/// Extractor for the query string of a list. A query string that can't be parsed is a 400, which names the parameter.
pub struct Params<Q>(pub Q);

impl<Q: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<Q> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let query = axum::extract::Query::<Q>::from_request_parts(parts, state).await;
        query.map(|q| Params(q.0)).map_err(|rejection| query_error(&rejection))
    }
}

/// Parses a text of a query string or a form; `None` if it is empty.
///
/// # Errors
/// 400 with this message for a text that can't be parsed.
pub fn optional<T>(
    field: &str,
    text: &str,
    invalid: &Message,
    parse: impl Fn(&str) -> Option<T>,
) -> ApiResult<Option<T>> {
    match text.trim() {
        "" => Ok(None),
        text => parse(text).map(Some).ok_or_else(|| ApiError::for_field(field, invalid)),
    }
}

/// Parses an id in a query string; `None` if it is empty.
///
/// # Errors
/// 400 for this field if the text is no UUID.
pub fn optional_id(field: &str, text: &str) -> ApiResult<Option<Uuid>> {
    optional(field, text, &wrong_value(AN_ID), |id| Uuid::parse_str(id).ok())
}

/// The query parameters of a list, unparsed. `LIMIT` is the limit of a request without one.
#[derive(Deserialize, JsonSchema)]
pub struct ListQuery<const LIMIT: u32> {
    #[serde(flatten)]
    page: PageQuery<LIMIT>,
    #[serde(default)]
    search: String,
}

impl<const LIMIT: u32> ListQuery<LIMIT> {
    /// Returns the requested page and the search text, if any.
    ///
    /// # Errors
    /// 400 for invalid numbers and for a search that is too long.
    pub fn read(&self) -> ApiResult<(Page, Option<String>)> {
        Ok((self.page.read()?, read_search(&self.search)?))
    }

    /// Returns true if the query requests a page of the list, false if it requests all rows, up to a limit.
    pub fn is_paged(&self) -> bool {
        self.page.is_paged()
    }
}

/// The query parameters of a list of `R`s that can be sorted and filtered by their fields, unparsed.
#[derive(Deserialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(bound = "R: Record")]
pub struct ArrangedListQuery<R, const LIMIT: u32> {
    #[serde(flatten)]
    pub list: ListQuery<LIMIT>,
    #[serde(flatten)]
    arrangement: ArrangementQuery<R>,
}

impl<R: Record, const LIMIT: u32> ArrangedListQuery<R, LIMIT> {
    /// Returns the requested page, the search text, if any, and the sort order and filter of a user with this access on
    /// this day.
    ///
    /// # Errors
    /// As [`ListQuery::read`] and [`ArrangementQuery::read`].
    pub fn read(&self, access: &Access, today: &Today) -> ApiResult<(Page, Option<String>, Arrangement)> {
        let (page, search) = self.list.read()?;
        Ok((page, search, self.arrangement.read(access, today)?))
    }
}

/// The sort order and the filter of a list of `R`s, unparsed.
#[derive(Deserialize)]
#[serde(bound = "")]
pub struct ArrangementQuery<R> {
    #[serde(default)]
    sort: String,
    #[serde(default)]
    filter: String,
    #[serde(skip)]
    record: PhantomData<fn() -> R>,
}

impl<R: Record> ArrangementQuery<R> {
    /// Returns the parsed sort order and filter. Relative dates are counted from `today`.
    ///
    /// # Errors
    /// 400 for a field that is unknown or that a user with this access does not see, and for a condition with an
    /// invalid operator or value.
    pub fn read(&self, access: &Access, today: &Today) -> ApiResult<Arrangement> {
        let conditions = match self.filter.trim() {
            "" => Vec::new(),
            json => parse_conditions(json).map_err(|_| ApiError::for_field("filter", lists::text::FILTER_INVALID))?,
        };
        let fields = Fields::visible(R::FIELDS, access);
        match (Sort::read(fields, &self.sort), Filter::read(fields, &conditions, today)) {
            (Ok(sort), Ok(filter)) => Ok(Arrangement { sort, filter }),
            (sort, filter) => {
                let errors = sort.err().into_iter().chain(filter.err());
                Err(errors.flatten().collect::<Vec<_>>().into())
            }
        }
    }
}

/// Parses the conditions of a filter. Each is an object: a struct would also accept an array of its fields' values.
fn parse_conditions(json: &str) -> serde_json::Result<Vec<ConditionInput>> {
    let conditions: Vec<Map<String, Value>> = serde_json::from_str(json)?;
    conditions.into_iter().map(|condition| serde_json::from_value(condition.into())).collect()
}

impl<R: Record> JsonSchema for ArrangementQuery<R> {
    fn schema_name() -> Cow<'static, str> {
        "Arrangement".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = R::FIELDS.iter().map(|field| field.name).collect();
        let operators: BTreeSet<_> = R::FIELDS.iter().flat_map(|field| field.kind.operators()).collect();
        let mut fields = BTreeMap::<_, Vec<_>>::new();
        for field in R::FIELDS {
            fields.entry(field.kind.operators()).or_default().push(field.name);
        }
        let described =
            fields.iter().map(|(operators, names)| format!(" {}: {}.", names.join(", "), operators.join(", ")));
        let described: String = described.collect();
        let field = format!("-?({})", names.join("|"));
        let conditions = json!({
            "type": "array",
            "maxItems": CONDITIONS_MAX,
            "items": {
                "type": "object",
                "required": ["field", "op"],
                "additionalProperties": false,
                "properties": {"field": {"enum": names}, "op": {"enum": operators}, "value": {}},
            },
        });
        json_schema!({
            "type": "object",
            "properties": {
                "sort": {
                    "type": "string",
                    "pattern": format!("^({field}(,{field}){{0,{}}})?$", SORT_MAX - 1),
                    "description": format!(
                        "Names of fields, separated by commas, with - before descending ones: {}.",
                        names.join(", ")
                    ),
                },
                "filter": {
                    "type": "string",
                    "contentMediaType": "application/json",
                    "contentSchema": conditions,
                    "description": format!(
                        "Conditions, all of which must be met. Dates and times may be relative, such as today-30, month-1 \
                         and year. Fields and their operators:{described}"
                    ),
                },
            },
        })
    }
}
