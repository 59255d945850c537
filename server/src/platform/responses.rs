//! Response types other than JSON with 200, and the multipart extractor. Their types are documented in the OpenAPI
//! document.

use crate::platform::error::ApiError;
use crate::platform::multipart::{Form, Unread};
use axum::Json;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;

/// 201: the record was created.
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

/// 202: the request was accepted and is processed later.
pub struct Queued<T>(pub T);

impl<T: Serialize> IntoResponse for Queued<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(self.0)).into_response()
    }
}

/// 302: a redirect that sets cookies.
pub struct Elsewhere(Response);

impl Elsewhere {
    pub fn to(place: &str, cookies: impl IntoIterator<Item = HeaderValue>) -> Self {
        let Ok(place) = HeaderValue::from_str(place) else {
            return Elsewhere(ApiError::internal("an address that can't be sent").into_response());
        };
        let mut response = (StatusCode::FOUND, [(header::LOCATION, place)]).into_response();
        for cookie in cookies {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Elsewhere(response)
    }
}

impl IntoResponse for Elsewhere {
    fn into_response(self) -> Response {
        self.0
    }
}

/// The media type of a response.
pub trait Kind {
    const MEDIA: &'static str;
}

macro_rules! kinds {
    ($($name:ident $media:literal),* $(,)?) => {
        $(
            pub enum $name {}
            impl Kind for $name {
                const MEDIA: &'static str = $media;
            }
        )*
    };
}

kinds! {
    Css "text/css; charset=utf-8",
    Csv "text/csv; charset=utf-8",
    Html "text/html; charset=utf-8",
    // Any image type; the handler sets the specific one.
    Image "image/*",
    OpenApi "application/json",
}

/// 200, with a body that isn't JSON of this API.
pub struct Page<K> {
    body: Body,
    kind: PhantomData<K>,
}

impl<K> Page<K> {
    pub fn new(body: impl Into<Body>) -> Self {
        Page { body: body.into(), kind: PhantomData }
    }
}

impl<K: Kind> IntoResponse for Page<K> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, K::MEDIA)], self.body).into_response()
    }
}

/// A multipart form whose fields are still being received. `P` describes the fields for the OpenAPI document.
pub struct Sent<P> {
    pub form: Result<Form, Unread>,
    of: PhantomData<P>,
}

impl<P, S: Send + Sync> FromRequest<S> for Sent<P> {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Infallible> {
        Ok(Sent { form: Form::of(request, state).await, of: PhantomData })
    }
}

/// Returns the longest prefix of `items` whose JSON, with a comma after each item, takes at most `most` bytes.
///
/// # Errors
/// A value can't be serialized.
pub fn within_bytes<T: Serialize>(items: impl IntoIterator<Item = T>, most: usize) -> serde_json::Result<Vec<T>> {
    let (mut taken, mut bytes) = (Vec::new(), 0);
    for item in items {
        bytes += json_length(&item)? + 1;
        if bytes > most {
            break;
        }
        taken.push(item);
    }
    Ok(taken)
}

/// Returns how many bytes a value takes as JSON.
///
/// # Errors
/// The value can't be serialized.
pub fn json_length(value: &impl Serialize) -> serde_json::Result<usize> {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value)?;
    Ok(counter.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_items_while_their_json_with_its_escapes_fits() {
        let texts = ["å", "\"", "\u{1}", ""];
        let json = serde_json::to_string(&texts).unwrap();
        // Without the brackets, but including a comma after the last item.
        let whole = json.len() - 1;
        assert_eq!(within_bytes(texts, whole).unwrap(), texts);
        assert_eq!(within_bytes(texts, whole - 1).unwrap(), texts[..3]);
        assert_eq!(within_bytes(texts, 0).unwrap(), [""; 0]);
    }
}
