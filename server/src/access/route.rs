//! Routes: who may make a request, how often, the size of its body, and its handler.

use super::describe::Operation;
use crate::platform::limits::Limit;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::MethodFilter;
use forecourt_core::permissions::{Action, ResourceId};
use futures_util::future::BoxFuture;
use std::time::Duration;

/// Who may make a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Everyone, signed in or not.
    Public,
    /// Every signed-in user.
    Session,
    /// Users with this permission.
    May(Action, ResourceId),
    /// Administrators of a corporation or of the platform.
    Administrator,
}

/// Maximum size of [`Body::Ids`] in bytes.
pub(super) const IDS_BYTES: usize = 512 << 10;

/// The kind of body that a route accepts, which determines its maximum size and the time limit of the whole request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// At most 256 kB, within 30 seconds.
    Small,
    /// A log line: at most 4 kB, within 30 seconds.
    Line,
    /// The ids of many records: at most 512 kB, within 30 seconds.
    Ids,
    /// A form with a picture: at most 6 MB, within a minute. The handler limits the picture's size further.
    Picture,
    /// A form with a photo of a vehicle: at most 11 MB, within two minutes. The handler limits the photo's size
    /// further.
    Photo,
    /// A form with a file to import, within 15 minutes. Its maximum size is a setting.
    File,
}

impl Body {
    /// Returns the maximum size of the body in bytes; `max_file_form_bytes` is that of [`Body::File`].
    pub(super) fn max_bytes(self, max_file_form_bytes: usize) -> usize {
        match self {
            Body::Small => 256 << 10,
            Body::Line => 4 << 10,
            Body::Ids => IDS_BYTES,
            // The largest picture, and the other fields of the form.
            Body::Picture => 6 << 20,
            Body::Photo => 11 << 20,
            Body::File => max_file_form_bytes,
        }
    }

    /// Returns the time limit of a request with this body, from the upload of the body to the handler's response.
    pub(super) fn timeout(self) -> Duration {
        Duration::from_secs(match self {
            Body::Small | Body::Line | Body::Ids => 30,
            Body::Picture => 60,
            Body::Photo => 120,
            Body::File => 15 * 60,
        })
    }
}

/// The HTTP methods that routes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

impl Method {
    pub(super) fn filter(self) -> MethodFilter {
        match self {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Put => MethodFilter::PUT,
            Method::Delete => MethodFilter::DELETE,
        }
    }
}

/// A route of an application whose state is `S`.
#[derive(Clone, Copy)]
pub struct Route<S> {
    pub method: Method,
    pub path: &'static str,
    pub who: Who,
    /// Rate limit by the client's address, checked before authentication.
    pub limit: Option<Limit>,
    pub body: Body,
    /// For OpenAPI: a sentence about who may make the request, as far as `who` does not say it. Empty if there is none.
    pub note: &'static str,
    /// Statuses of errors that neither the handler's types nor the other fields imply.
    pub errors: &'static [u16],
    pub handler: Handler<S>,
}

/// Responds to a route's requests, and describes the route for OpenAPI.
#[derive(Clone, Copy)]
pub struct Handler<S> {
    /// The handler's type is erased here, so that the layers in front of it are compiled only once.
    pub respond: fn(Request, S) -> BoxFuture<'static, Response>,
    pub describe: fn(&mut Operation),
    pub summary: &'static str,
}

/// Makes a [`Handler`] of a function and a summary for OpenAPI.
macro_rules! handler {
    ($function:path, $summary:expr) => {
        $crate::access::route::Handler {
            respond: |request, state| Box::pin(axum::handler::Handler::call($function, request, state)),
            describe: |operation| operation.add_handler($function),
            summary: $summary,
        }
    };
}
pub(crate) use handler;

/// Returns a route with a [`Body::Small`] and no rate limit.
const fn route<S>(method: Method, path: &'static str, who: Who, handler: Handler<S>) -> Route<S> {
    Route { method, path, who, limit: None, body: Body::Small, note: "", errors: &[], handler }
}

pub const fn get<S>(path: &'static str, who: Who, handler: Handler<S>) -> Route<S> {
    route(Method::Get, path, who, handler)
}

pub const fn post<S>(path: &'static str, who: Who, handler: Handler<S>) -> Route<S> {
    route(Method::Post, path, who, handler)
}

pub const fn put<S>(path: &'static str, who: Who, handler: Handler<S>) -> Route<S> {
    route(Method::Put, path, who, handler)
}

pub const fn delete<S>(path: &'static str, who: Who, handler: Handler<S>) -> Route<S> {
    route(Method::Delete, path, who, handler)
}

impl<S> Route<S> {
    #[must_use]
    pub const fn limit(self, limit: Limit) -> Self {
        Route { limit: Some(limit), ..self }
    }

    #[must_use]
    pub const fn body(self, body: Body) -> Self {
        Route { body, ..self }
    }

    #[must_use]
    pub const fn note(self, note: &'static str) -> Self {
        Route { note, ..self }
    }

    #[must_use]
    pub const fn errors(self, errors: &'static [u16]) -> Self {
        Route { errors, ..self }
    }
}
