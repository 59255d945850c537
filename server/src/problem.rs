//! The one way from a refusal to a response, and the one way in for a body.

use crate::clock::SECOND;
use crate::rights;
use crate::state::App;
use axum::Json;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::{HeaderValue, StatusCode, header, request::Parts};
use axum::response::{IntoResponse, Response};
use forecourt_core::form::{ChangesWebsite, Checked, FieldError, Form, check_with};
use forecourt_core::paging::{Page, PageQuery, read_search};
use forecourt_core::problem::{Ban, Problem};
use forecourt_core::{auth, text};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

/// Why a call is refused. Every variant is one status (decisions 4.2).
#[derive(Debug)]
pub enum Refusal {
    /// 400: the request makes no sense, or a rule is broken.
    Invalid(Box<Problem>),
    /// 401: the session is over. It means nothing else.
    SessionOver,
    /// 401: the wrong e-mail or password.
    WrongCredentials,
    /// 403: the account is banned.
    Banned(Ban),
    /// 403: the account or its corporation is switched off.
    SwitchedOff,
    /// 403: too many wrong codes were tried; only a reset link opens the account again.
    Locked,
    /// 403: the permission is missing.
    NotAllowed,
    /// 403: this installation does not offer it, told in a sentence.
    Closed(&'static str),
    /// 403: a rule stands against it, told in a sentence.
    Forbidden(&'static str),
    /// 404: not there, or another corporation's.
    NotFound,
    /// 404: what was looked for isn't there, told in a sentence.
    Unknown(&'static str),
    /// 404: no route has this path.
    NoSuchCall,
    /// 405
    NoSuchMethod,
    /// 408: the request took too long to arrive.
    TooSlow,
    /// 409: it can't be done as things are.
    Conflict(String),
    /// 409: somebody else has what only one may have, told beside its field.
    Taken(Box<Problem>),
    /// 409: the update was based on an older state; the present record goes with it (decisions 6.1).
    Stale(Value),
    /// 409: it is over, told in a sentence; the record as it ended goes with it.
    Over(&'static str, Value),
    /// 413
    TooLarge,
    /// 413, with the sentence that names the file's size and limit.
    FileTooLarge(String),
    /// 415
    NotJson,
    /// 429: so many seconds to wait.
    TooMany(u64),
    /// 429: the session, the tenant or the address has as many requests running as it may.
    ShareInUse,
    /// 503: the database or the hashing is busy or down.
    Busy,
    /// 503: what the program asks elsewhere does not answer.
    Away(&'static str),
    /// 500: a fault of ours; it is in the log under the request's id.
    Unexpected,
}

pub type Answer<T> = Result<T, Refusal>;

impl Refusal {
    /// A 400 of one sentence.
    pub fn invalid(message: impl Into<String>) -> Self {
        Refusal::Invalid(Box::new(Problem::new(message)))
    }

    /// A 400 that belongs to one field.
    pub fn of_field(field: &str, message: &str) -> Self {
        vec![FieldError { field: field.into(), message: message.into() }].into()
    }

    /// A 409 that belongs to one field.
    pub fn taken(field: &str, message: &str) -> Self {
        let error = FieldError { field: field.into(), message: message.into() };
        Refusal::Taken(Box::new(Problem::from_field_errors(&[error])))
    }

    /// A 409 with the record as it is by now.
    pub fn stale(present: &impl Serialize) -> Self {
        serde_json::to_value(present).map_or_else(Refusal::unexpected, Refusal::Stale)
    }

    /// A 429 that ends in so many microseconds, told in whole seconds, rounded up.
    pub fn too_many(micros: i64) -> Self {
        Refusal::TooMany(micros.max(SECOND).unsigned_abs().div_ceil(SECOND.unsigned_abs()))
    }

    /// A fault of ours: logs what happened, tells nothing.
    pub fn unexpected(error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, "unexpected");
        Refusal::Unexpected
    }

    fn parts(self) -> (StatusCode, Problem) {
        let one = |status, message: &str| (status, Problem::new(message));
        match self {
            Refusal::Invalid(problem) => (StatusCode::BAD_REQUEST, *problem),
            Refusal::SessionOver => one(StatusCode::UNAUTHORIZED, text::SESSION_ENDED),
            Refusal::WrongCredentials => one(StatusCode::UNAUTHORIZED, auth::text::WRONG_CREDENTIALS),
            Refusal::Banned(ban) => {
                (StatusCode::FORBIDDEN, Problem { data: Some(ban), ..Problem::new(auth::text::BANNED) })
            }
            Refusal::SwitchedOff => one(StatusCode::FORBIDDEN, auth::text::ACCOUNT_DISABLED),
            Refusal::Locked => one(StatusCode::FORBIDDEN, auth::text::LOCKED),
            Refusal::NotAllowed => one(StatusCode::FORBIDDEN, text::NOT_ALLOWED),
            Refusal::Closed(sentence) => one(StatusCode::FORBIDDEN, sentence),
            Refusal::Forbidden(sentence) => one(StatusCode::FORBIDDEN, sentence),
            Refusal::NotFound => one(StatusCode::NOT_FOUND, text::NOT_FOUND),
            Refusal::Unknown(sentence) => one(StatusCode::NOT_FOUND, sentence),
            Refusal::NoSuchCall => one(StatusCode::NOT_FOUND, text::ROUTE_NOT_FOUND),
            Refusal::NoSuchMethod => one(StatusCode::METHOD_NOT_ALLOWED, text::METHOD_NOT_ALLOWED),
            Refusal::TooSlow => one(StatusCode::REQUEST_TIMEOUT, text::REQUEST_TIMEOUT),
            Refusal::Conflict(message) => one(StatusCode::CONFLICT, &message),
            Refusal::Taken(problem) => (StatusCode::CONFLICT, *problem),
            Refusal::Stale(_) => one(StatusCode::CONFLICT, text::STALE),
            Refusal::Over(sentence, _) => one(StatusCode::CONFLICT, sentence),
            Refusal::TooLarge => one(StatusCode::PAYLOAD_TOO_LARGE, text::BODY_TOO_LARGE),
            Refusal::FileTooLarge(message) => one(StatusCode::PAYLOAD_TOO_LARGE, &message),
            Refusal::NotJson => one(StatusCode::UNSUPPORTED_MEDIA_TYPE, text::NOT_JSON),
            Refusal::TooMany(seconds) => one(StatusCode::TOO_MANY_REQUESTS, &text::too_many_tries(seconds)),
            Refusal::ShareInUse => one(StatusCode::TOO_MANY_REQUESTS, text::TOO_MANY_PARALLEL_REQUESTS),
            Refusal::Busy => one(StatusCode::SERVICE_UNAVAILABLE, text::TOO_BUSY),
            Refusal::Away(sentence) => one(StatusCode::SERVICE_UNAVAILABLE, sentence),
            Refusal::Unexpected => one(StatusCode::INTERNAL_SERVER_ERROR, text::UNEXPECTED),
        }
    }
}

/// Why a call was refused, in one word of ours: it goes with the response as far as the metrics.
#[derive(Clone, Copy)]
pub struct Reason(pub &'static str);

impl Refusal {
    fn reason(&self) -> Reason {
        Reason(match self {
            Refusal::Invalid(_) => "invalid",
            Refusal::SessionOver => "session_over",
            Refusal::WrongCredentials => "wrong_credentials",
            Refusal::Banned(_) => "banned",
            Refusal::SwitchedOff => "switched_off",
            Refusal::Locked => "locked",
            Refusal::NotAllowed => "not_allowed",
            Refusal::Closed(_) => "closed",
            Refusal::Forbidden(_) => "forbidden",
            Refusal::NotFound | Refusal::Unknown(_) => "not_found",
            Refusal::NoSuchCall | Refusal::NoSuchMethod => "no_such_call",
            Refusal::TooSlow => "too_slow",
            Refusal::Conflict(_) | Refusal::Taken(_) | Refusal::Stale(_) | Refusal::Over(..) => "conflict",
            Refusal::TooLarge | Refusal::FileTooLarge(_) => "too_large",
            Refusal::NotJson => "not_json",
            Refusal::TooMany(_) => "too_many",
            Refusal::ShareInUse => "share_in_use",
            Refusal::Busy => "busy",
            Refusal::Away(_) => "away",
            Refusal::Unexpected => "unexpected",
        })
    }
}

/// A problem with the record that it is about.
#[derive(Serialize)]
struct AboutRecord {
    #[serde(flatten)]
    problem: Problem,
    data: Value,
}

impl IntoResponse for Refusal {
    fn into_response(mut self) -> Response {
        let present = match &mut self {
            Refusal::Stale(record) | Refusal::Over(_, record) => Some(record.take()),
            _ => None,
        };
        let wait = match &self {
            Refusal::TooMany(seconds) => Some(*seconds),
            Refusal::ShareInUse | Refusal::Busy | Refusal::Away(_) => Some(2),
            _ => None,
        };
        let reason = self.reason();
        let (status, problem) = self.parts();
        let mut response = match present {
            Some(data) => (status, Json(AboutRecord { problem, data })).into_response(),
            None => (status, Json(problem)).into_response(),
        };
        response.extensions_mut().insert(reason);
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.max(1)));
        }
        response
    }
}

impl From<Vec<FieldError>> for Refusal {
    fn from(errors: Vec<FieldError>) -> Self {
        Refusal::Invalid(Box::new(Problem::from_field_errors(&errors)))
    }
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        if let Some(refusal) = rights::refusal(&error) {
            return refusal;
        }
        match error {
            E::RowNotFound => Refusal::NotFound,
            E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed | E::Io(_) | E::Tls(_) => {
                tracing::warn!(%error, "the database is not available");
                Refusal::Busy
            }
            // Somebody deleted it since the call was let in: the row itself, or what it belongs to.
            E::Database(e) if e.is_foreign_key_violation() => {
                tracing::info!(error = %e, "what a row belongs to is gone");
                Refusal::NotFound
            }
            // PostgreSQL keeps no zero character, neither in a text (22021) nor in JSON (22P05). Forms drop it.
            E::Database(e) if e.code().is_some_and(|code| ["22021", "22P05"].contains(&code.as_ref())) => {
                Refusal::invalid(text::NUL_CHARACTER)
            }
            E::Database(e) if is_passing(e.as_ref()) => {
                tracing::warn!(error = %e, "the database is busy");
                Refusal::Busy
            }
            error => Refusal::unexpected(error),
        }
    }
}

/// Faults that end by themselves: SQLite's BUSY, LOCKED, NOMEM, IOERR, FULL, CANTOPEN and SCHEMA; PostgreSQL's broken
/// connections (08), want of disk, memory or connections (53), shut-down and start-up (57P), failing disks (58), statement
/// and lock time-outs, idle transactions, and serialization.
fn is_passing(error: &dyn sqlx::error::DatabaseError) -> bool {
    let Some(code) = error.code() else { return false };
    let sqlite = code.parse::<u32>().is_ok_and(|c| matches!(c & 0xFF, 5 | 6 | 7 | 10 | 13 | 14 | 17)) && code.len() < 5;
    let class = code.len() == 5 && ["08", "53", "57P", "58"].iter().any(|class| code.starts_with(class));
    sqlite || class || ["57014", "55P03", "25P03", "40001", "40P01"].contains(&code.as_ref())
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                tracing::warn!(%error, "the disk is full");
                Refusal::Busy
            }
            _ => Refusal::unexpected(error),
        }
    }
}

/// A JSON body that passed its form's rules: the only way in for a body that writes.
pub struct Valid<F>(pub Checked<F>);

impl<F: Form + DeserializeOwned> FromRequest<App> for Valid<F> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Answer<Self> {
        Ok(Valid(check_with(app.config.house_rules(), read_json::<F>(request, app).await?)?))
    }
}

async fn read_json<F: DeserializeOwned>(request: Request, app: &App) -> Answer<F> {
    let read = Json::<F>::from_request(request, app).await;
    read.map(|Json(form)| form).map_err(|rejection| match rejection {
        JsonRejection::MissingJsonContentType(_) => Refusal::NotJson,
        JsonRejection::BytesRejection(BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_))) => {
            Refusal::TooLarge
        }
        // The parser's own words may repeat the value, which may be a password.
        _ => Refusal::invalid(text::BODY_INVALID),
    })
}

/// A JSON body that changes a record with a website. It is checked once the handler knows which website is stored.
pub struct Change<F>(F);

impl<F: ChangesWebsite> Change<F> {
    /// Checks the form. The `stored` website is accepted unchanged, even if it breaks the rule of today.
    ///
    /// # Errors
    /// 400 with every broken rule.
    pub fn check(mut self, app: &App, stored: Option<String>) -> Answer<Checked<F>> {
        self.0.set_stored_website(stored);
        Ok(check_with(app.config.house_rules(), self.0)?)
    }
}

impl<F: ChangesWebsite + DeserializeOwned> FromRequest<App> for Change<F> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Answer<Self> {
        Ok(Change(read_json(request, app).await?))
    }
}

/// An id in the path. One that isn't a UUID names nothing, so it is a 404.
pub struct Id(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| Refusal::NotFound)?;
        Uuid::parse_str(&text).map(Id).map_err(|_| Refusal::NotFound)
    }
}

/// Two ids in the path, the second of what belongs to the first.
pub struct Below(pub Uuid, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Below {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((first, second)) = path.map_err(|_| Refusal::NotFound)?;
        let id = |text: String| Uuid::parse_str(&text).map_err(|_| Refusal::NotFound);
        Ok(Below(id(first)?, id(second)?))
    }
}

/// The question of a list. One that can't be read is a 400 with a sentence.
pub struct Question<Q>(pub Q);

impl<Q: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Question<Q> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let query = axum::extract::Query::<Q>::from_request_parts(parts, state).await;
        query.map(|q| Question(q.0)).map_err(|_| Refusal::invalid(text::QUERY_INVALID))
    }
}

/// What a list asks for, still as texts: a client may send anything.
#[derive(Deserialize, JsonSchema)]
pub struct ListQuestion {
    #[serde(flatten)]
    page: PageQuery,
    #[serde(default)]
    search: String,
}

impl ListQuestion {
    /// The page that can be fetched, and what is searched for, if anything.
    ///
    /// # Errors
    /// 400 for numbers that aren't, and for a search that is too long.
    pub fn read(&self, default_limit: u32) -> Answer<(Page, Option<String>)> {
        Ok((self.page.read(default_limit)?, read_search(&self.search)?))
    }

    /// Is a page asked for, or whatever there is?
    pub fn asks_for_a_page(&self) -> bool {
        self.page.is_paged()
    }
}
