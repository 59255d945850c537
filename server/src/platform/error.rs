//! The errors with which requests can fail, and their responses.

use crate::platform::clock::SECOND;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use forecourt_core::form::FieldError;
use forecourt_core::message::Message;
use forecourt_core::problem::{Ban, Problem, ProblemBody};
use forecourt_core::{auth, text};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// An unsuccessful outcome of a request. Every variant has one HTTP status (docs/product.md 4.2).
#[derive(Debug)]
pub enum ApiError {
    /// 400: the request can't be understood, or breaks a rule.
    Invalid(Box<Problem>),
    /// 400: an earlier request with another body has had the `Idempotency-Key`; with the record that it created.
    KeyUsed(Value),
    /// 401: no valid session: the token is missing or invalid, or the session has expired or was ended.
    SessionExpired,
    /// 401: the wrong e-mail or password.
    WrongCredentials,
    /// 403: the account is banned.
    Banned(Ban),
    /// 403: the account is deactivated.
    AccountDisabled,
    /// 403: the account's corporation is deactivated.
    CorporationDisabled,
    /// 403: the account's corporation has signed up and was not activated yet.
    AwaitsApproval,
    /// 403: too many wrong codes were entered; only a password reset unlocks the account.
    AccountLocked,
    /// 403: the user lacks the permission.
    PermissionDenied,
    /// 403: the body has values in fields that the user may not see; contains the message, which names them.
    FieldsNotAllowed(Message),
    /// 403: this installation does not offer the feature; contains the message.
    FeatureDisabled(&'static Message),
    /// 403: another rule than that of permissions forbids the request; contains the message.
    Forbidden(&'static Message),
    /// 404: the record does not exist, or belongs to another tenant.
    NotFound,
    /// 404: as `NotFound`; contains the message, which says why.
    NotFoundBecause(&'static Message),
    /// 404: no route has this path.
    NoSuchRoute,
    MethodNotAllowed,
    /// 408: the request took too long to arrive.
    RequestTimeout,
    /// 409: the state of the record does not allow it; contains the message.
    Conflict(Message),
    /// 409: another record has a value that must be unique; names the field.
    AlreadyExists(Box<Problem>),
    /// 409: the update was based on an older version; with the current record (docs/product.md 4.13).
    VersionConflict(Value),
    /// 409: the record or import job has changed since the user saw it; contains the message and its current state, or
    /// if undoing a bulk action or an import was refused, what undoing would do.
    ConflictWithRecord(&'static Message, Value),
    PayloadTooLarge,
    /// 413: an uploaded file, or the form that contains it, is too large; contains the message.
    FileTooLarge(Message),
    UnsupportedMediaType,
    /// 429: a rate limit is exhausted; contains the seconds to wait.
    TooManyRequests(u64),
    /// 429: the session, the tenant or the address has reached its limit of parallel requests.
    ShareInUse,
    /// 503: the server is too busy (database, password hashing, or the limits of all clients together), the database is
    /// not available, or the disk is full.
    Unavailable,
    /// 503: an external service does not respond; contains the message.
    UpstreamUnavailable(&'static Message),
    /// 500: a bug or an unexpected failure; logged under the request's id.
    Internal,
}

pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// Returns a 400 with this message.
    pub fn invalid(message: impl Into<Message>) -> Self {
        ApiError::Invalid(Box::new(Problem::new(message)))
    }

    /// Returns a 400 whose message belongs to this field of the form.
    pub fn for_field(field: &str, message: &Message) -> Self {
        vec![FieldError { field: field.into(), message: message.into() }].into()
    }

    /// Returns a 409 for a field whose value another record has already.
    pub fn already_exists(field: &str, message: &Message) -> Self {
        let error = FieldError { field: field.into(), message: message.into() };
        ApiError::AlreadyExists(Box::new(Problem::from_field_errors(vec![error])))
    }

    /// Returns a 409 for an update that was based on an older version, with the current record.
    pub fn version_conflict(current: &impl Serialize) -> Self {
        serde_json::to_value(current).map_or_else(ApiError::internal, ApiError::VersionConflict)
    }

    /// Returns a 429 that asks the client to wait for `micros` microseconds, rounded up to whole seconds.
    pub fn too_many_requests(micros: i64) -> Self {
        ApiError::TooManyRequests(micros.max(SECOND).unsigned_abs().div_ceil(SECOND.unsigned_abs()))
    }

    /// Returns a 400 for the `Idempotency-Key` of the request that created this record.
    pub fn key_used(created: &impl Serialize) -> Self {
        serde_json::to_value(created).map_or_else(ApiError::internal, ApiError::KeyUsed)
    }

    /// Logs the error and returns a 500 that reveals nothing of it.
    pub fn internal(error: impl fmt::Display) -> Self {
        tracing::error!(%error, "unexpected");
        ApiError::Internal
    }

    /// Returns the HTTP status, the reason for logs and metrics, and the problem with the messages.
    fn parts(self) -> (StatusCode, &'static str, Problem) {
        use StatusCode as S;
        let one = |status, reason, message: &Message| (status, reason, Problem::new(message));
        match self {
            ApiError::Invalid(problem) => (S::BAD_REQUEST, "invalid", *problem),
            ApiError::KeyUsed(_) => one(S::BAD_REQUEST, "invalid", text::IDEMPOTENCY_KEY_USED),
            ApiError::SessionExpired => one(S::UNAUTHORIZED, "session_expired", text::SESSION_ENDED),
            ApiError::WrongCredentials => one(S::UNAUTHORIZED, "wrong_credentials", auth::text::WRONG_CREDENTIALS),
            ApiError::Banned(ban) => {
                (S::FORBIDDEN, "banned", Problem { data: Some(ban), ..Problem::new(auth::text::BANNED) })
            }
            ApiError::AccountDisabled => one(S::FORBIDDEN, "account_disabled", auth::text::ACCOUNT_DISABLED),
            ApiError::CorporationDisabled => one(S::FORBIDDEN, "account_disabled", auth::text::CORPORATION_DISABLED),
            ApiError::AwaitsApproval => one(S::FORBIDDEN, "account_disabled", auth::text::AWAITS_APPROVAL),
            ApiError::AccountLocked => one(S::FORBIDDEN, "locked", auth::text::LOCKED),
            ApiError::PermissionDenied => one(S::FORBIDDEN, "not_allowed", text::NOT_ALLOWED),
            ApiError::FieldsNotAllowed(message) => one(S::FORBIDDEN, "not_allowed", &message),
            ApiError::FeatureDisabled(message) => one(S::FORBIDDEN, "feature_disabled", message),
            ApiError::Forbidden(message) => one(S::FORBIDDEN, "forbidden", message),
            ApiError::NotFound => one(S::NOT_FOUND, "not_found", text::NOT_FOUND),
            ApiError::NotFoundBecause(message) => one(S::NOT_FOUND, "not_found", message),
            ApiError::NoSuchRoute => one(S::NOT_FOUND, "route_not_found", text::ROUTE_NOT_FOUND),
            ApiError::MethodNotAllowed => one(S::METHOD_NOT_ALLOWED, "method_not_allowed", text::METHOD_NOT_ALLOWED),
            ApiError::RequestTimeout => one(S::REQUEST_TIMEOUT, "request_timeout", text::REQUEST_TIMEOUT),
            ApiError::Conflict(message) => one(S::CONFLICT, "conflict", &message),
            ApiError::AlreadyExists(problem) => (S::CONFLICT, "conflict", *problem),
            ApiError::VersionConflict(_) => one(S::CONFLICT, "conflict", text::STALE),
            ApiError::ConflictWithRecord(message, _) => one(S::CONFLICT, "conflict", message),
            ApiError::PayloadTooLarge => one(S::PAYLOAD_TOO_LARGE, "too_large", text::BODY_TOO_LARGE),
            ApiError::FileTooLarge(message) => one(S::PAYLOAD_TOO_LARGE, "too_large", &message),
            ApiError::UnsupportedMediaType => one(S::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", text::NOT_JSON),
            ApiError::TooManyRequests(seconds) => one(S::TOO_MANY_REQUESTS, "too_many", &text::too_many_tries(seconds)),
            ApiError::ShareInUse => one(S::TOO_MANY_REQUESTS, "share_in_use", text::TOO_MANY_PARALLEL_REQUESTS),
            ApiError::Unavailable => one(S::SERVICE_UNAVAILABLE, "busy", text::TOO_BUSY),
            ApiError::UpstreamUnavailable(message) => one(S::SERVICE_UNAVAILABLE, "upstream_unavailable", message),
            ApiError::Internal => one(S::INTERNAL_SERVER_ERROR, Reason::UNEXPECTED, text::UNEXPECTED),
        }
    }
}

/// The reason for an error, as logs and metrics name it. It is attached to the response as an extension.
#[derive(Clone, Copy)]
pub struct Reason(pub &'static str);

impl Reason {
    /// The reason of [`ApiError::Internal`].
    pub const UNEXPECTED: &str = "unexpected";
}

/// The JSON body of an error that also contains a record ([`ApiError::KeyUsed`], [`ApiError::VersionConflict`],
/// [`ApiError::ConflictWithRecord`]).
#[derive(Serialize)]
struct ProblemWithRecord {
    #[serde(flatten)]
    problem: ProblemBody,
    data: Value,
}

impl IntoResponse for ApiError {
    fn into_response(mut self) -> Response {
        let record = match &mut self {
            ApiError::KeyUsed(record) | ApiError::VersionConflict(record) | ApiError::ConflictWithRecord(_, record) => {
                Some(record.take())
            }
            _ => None,
        };
        let wait = match &self {
            ApiError::TooManyRequests(seconds) => Some(*seconds),
            ApiError::ShareInUse | ApiError::Unavailable | ApiError::UpstreamUnavailable(_) => Some(2),
            _ => None,
        };
        let (status, reason, problem) = self.parts();
        let problem = ProblemBody::from(problem);
        let mut response = match record {
            Some(data) => (status, Json(ProblemWithRecord { problem, data })).into_response(),
            None => (status, Json(problem)).into_response(),
        };
        response.extensions_mut().insert(Reason(reason));
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.max(1)));
        }
        response
    }
}

impl From<Vec<FieldError>> for ApiError {
    fn from(errors: Vec<FieldError>) -> Self {
        ApiError::Invalid(Box::new(Problem::from_field_errors(errors)))
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the request is rejected")
    }
}

impl std::error::Error for ApiError {}

/// Passes an error through database functions unchanged, as when a transaction may not write because the user has lost
/// the right. `From<sqlx::Error>` below converts it back.
impl From<ApiError> for sqlx::Error {
    fn from(error: ApiError) -> Self {
        sqlx::Error::Configuration(Box::new(error))
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        match error {
            E::Configuration(error) => error.downcast().map_or_else(ApiError::internal, |error| *error),
            E::RowNotFound => ApiError::NotFound,
            E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed | E::Io(_) | E::Tls(_) => {
                tracing::warn!(%error, "the database is not available");
                ApiError::Unavailable
            }
            // The row or its parent was deleted after the request was authorized.
            E::Database(e) if e.is_foreign_key_violation() => {
                tracing::info!(error = %e, "the parent of a row was deleted");
                ApiError::NotFound
            }
            // PostgreSQL stores no NUL character, neither in a text (22021) nor in JSON (22P05). Forms remove it.
            E::Database(e) if e.code().is_some_and(|code| ["22021", "22P05"].contains(&code.as_ref())) => {
                ApiError::invalid(text::NUL_CHARACTER)
            }
            E::Database(e) if is_temporary(e.as_ref()) => {
                tracing::warn!(error = %e, "the database is busy");
                ApiError::Unavailable
            }
            error => ApiError::internal(error),
        }
    }
}

/// Returns true for temporary failures: SQLite's BUSY, LOCKED, NOMEM, IOERR, FULL, CANTOPEN and SCHEMA; PostgreSQL's
/// broken connections (08), lack of disk space, memory or connections (53), shutdown and startup (57P), system errors
/// (58), statement and lock timeouts, idle transactions, serialization failures and deadlocks.
fn is_temporary(error: &dyn sqlx::error::DatabaseError) -> bool {
    let Some(code) = error.code() else { return false };
    let sqlite = code.parse::<u32>().is_ok_and(|c| matches!(c & 0xFF, 5 | 6 | 7 | 10 | 13 | 14 | 17)) && code.len() < 5;
    let class = code.len() == 5 && ["08", "53", "57P", "58"].iter().any(|class| code.starts_with(class));
    sqlite || class || ["57014", "55P03", "25P03", "40001", "40P01"].contains(&code.as_ref())
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                tracing::warn!(%error, "the disk is full");
                ApiError::Unavailable
            }
            _ => ApiError::internal(error),
        }
    }
}
