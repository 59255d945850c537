//! Errors that requests end in, and their responses.

use crate::platform::clock::SECOND;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use forecourt_core::form::FieldError;
use forecourt_core::problem::{Ban, Problem};
use forecourt_core::{auth, text};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

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
        Refusal::Taken(Box::new(Problem::of_fields(None, &[error])))
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
    pub fn unexpected(error: impl fmt::Display) -> Self {
        tracing::error!(%error, "unexpected");
        Refusal::Unexpected
    }

    fn parts(self) -> (StatusCode, Problem) {
        let one = |status, message: &str| (status, Problem::new(message));
        match self {
            Refusal::Invalid(problem) => (StatusCode::BAD_REQUEST, *problem),
            Refusal::SessionOver => one(StatusCode::UNAUTHORIZED, text::SESSION_OVER),
            Refusal::WrongCredentials => one(StatusCode::UNAUTHORIZED, auth::text::WRONG_CREDENTIALS),
            Refusal::Banned(ban) => {
                (StatusCode::FORBIDDEN, Problem { data: Some(ban), ..Problem::new(auth::text::BANNED) })
            }
            Refusal::SwitchedOff => one(StatusCode::FORBIDDEN, auth::text::SWITCHED_OFF),
            Refusal::Locked => one(StatusCode::FORBIDDEN, auth::text::LOCKED),
            Refusal::NotAllowed => one(StatusCode::FORBIDDEN, text::NOT_ALLOWED),
            Refusal::Closed(sentence) => one(StatusCode::FORBIDDEN, sentence),
            Refusal::Forbidden(sentence) => one(StatusCode::FORBIDDEN, sentence),
            Refusal::NotFound => one(StatusCode::NOT_FOUND, text::NOT_FOUND),
            Refusal::Unknown(sentence) => one(StatusCode::NOT_FOUND, sentence),
            Refusal::NoSuchCall => one(StatusCode::NOT_FOUND, text::NO_SUCH_CALL),
            Refusal::NoSuchMethod => one(StatusCode::METHOD_NOT_ALLOWED, text::NO_SUCH_METHOD),
            Refusal::TooSlow => one(StatusCode::REQUEST_TIMEOUT, text::TOO_SLOW),
            Refusal::Conflict(message) => one(StatusCode::CONFLICT, &message),
            Refusal::Taken(problem) => (StatusCode::CONFLICT, *problem),
            Refusal::Stale(_) => one(StatusCode::CONFLICT, text::STALE),
            Refusal::Over(sentence, _) => one(StatusCode::CONFLICT, sentence),
            Refusal::TooLarge => one(StatusCode::PAYLOAD_TOO_LARGE, text::BODY_TOO_LARGE),
            Refusal::FileTooLarge(message) => one(StatusCode::PAYLOAD_TOO_LARGE, &message),
            Refusal::NotJson => one(StatusCode::UNSUPPORTED_MEDIA_TYPE, text::NOT_JSON),
            Refusal::TooMany(seconds) => one(StatusCode::TOO_MANY_REQUESTS, &text::too_many_tries(seconds)),
            Refusal::ShareInUse => one(StatusCode::TOO_MANY_REQUESTS, text::SHARE_IN_USE),
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
        Refusal::Invalid(Box::new(Problem::of_fields(None, &errors)))
    }
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        if let Some(lost) = LostRight::of(&error) {
            return lost.into();
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
                Refusal::invalid(text::CHARACTER_UNKEPT)
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

/// Why a transaction may not write: what the user needs for it was lost after the request was let in.
#[derive(Clone, Copy, Debug)]
pub enum LostRight {
    SessionOver,
    NotAllowed,
    /// The tenant is another one.
    NotFound,
}

impl LostRight {
    /// Returns the lost right that a transaction failed with, if that is what it failed with.
    fn of(error: &sqlx::Error) -> Option<Self> {
        let sqlx::Error::Configuration(error) = error else { return None };
        error.downcast_ref().copied()
    }
}

impl fmt::Display for LostRight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the user has lost the right to write this")
    }
}

impl std::error::Error for LostRight {}

impl From<LostRight> for sqlx::Error {
    fn from(lost: LostRight) -> Self {
        sqlx::Error::Configuration(Box::new(lost))
    }
}

impl From<LostRight> for Refusal {
    fn from(lost: LostRight) -> Self {
        match lost {
            LostRight::SessionOver => Refusal::SessionOver,
            LostRight::NotAllowed => Refusal::NotAllowed,
            LostRight::NotFound => Refusal::NotFound,
        }
    }
}
