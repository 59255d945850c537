//! Types that handlers return for responses other than JSON with status 200. The OpenAPI document gets a route's status
//! and media type from them. Also functions for the size of values as JSON.

use crate::platform::error::ApiError;
use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
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

/// Status 200 if the request was processed completely, 202 if processing continues after the response.
pub enum Finished<T> {
    Now(T),
    Later(T),
}

impl<T: Serialize> IntoResponse for Finished<T> {
    fn into_response(self) -> Response {
        match self {
            Finished::Now(body) => Json(body).into_response(),
            Finished::Later(body) => Queued(body).into_response(),
        }
    }
}

/// 302: a redirect that sets cookies.
pub struct Redirect(Response);

impl Redirect {
    pub fn new(location: &str, cookies: impl IntoIterator<Item = HeaderValue>) -> Self {
        let Ok(location) = HeaderValue::from_str(location) else {
            return Redirect(ApiError::internal("the redirect's location is no header value").into_response());
        };
        let mut response = (StatusCode::FOUND, [(header::LOCATION, location)]).into_response();
        for cookie in cookies {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        Redirect(response)
    }
}

impl IntoResponse for Redirect {
    fn into_response(self) -> Response {
        self.0
    }
}

/// A file that browsers save under the name in the `Content-Disposition` header, whose value comes first.
pub struct Download<T>(pub HeaderValue, pub T);

impl<T: IntoResponse> IntoResponse for Download<T> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_DISPOSITION, self.0)], self.1).into_response()
    }
}

/// The media type of server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream; charset=utf-8";

/// The media type of a response.
pub trait MediaType {
    const NAME: &'static str;
}

macro_rules! media_types {
    ($($name:ident $text:literal),* $(,)?) => {
        $(
            pub enum $name {}
            impl MediaType for $name {
                const NAME: &'static str = $text;
            }
        )*
    };
}

media_types! {
    Css "text/css; charset=utf-8",
    Csv "text/csv; charset=utf-8",
    Html "text/html; charset=utf-8",
    // For the OpenAPI document: any type of image. The handler sets the header with the specific type.
    Image "image/*",
    Xlsx "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    OpenApi "application/json",
    Zip "application/zip",
}

/// Status 200 with a body of media type `K`, such as a file, instead of the JSON that other routes return.
pub struct Content<K> {
    body: Body,
    media_type: PhantomData<K>,
}

impl<K> Content<K> {
    pub fn new(body: impl Into<Body>) -> Self {
        Content { body: body.into(), media_type: PhantomData }
    }
}

impl<K: MediaType> IntoResponse for Content<K> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, K::NAME)], self.body).into_response()
    }
}

/// Returns the longest prefix of `items` whose JSON, with a comma after each item, takes at most `max` bytes.
pub fn take_within_bytes<T: Serialize>(items: impl IntoIterator<Item = T>, max: usize) -> serde_json::Result<Vec<T>> {
    let (mut taken, mut bytes) = (Vec::new(), 0);
    for item in items {
        bytes += json_length(&item)? + 1;
        if bytes > max {
            break;
        }
        taken.push(item);
    }
    Ok(taken)
}

/// Shortens the last of `items` until the JSON of all of them takes at most `max` bytes.
pub fn shorten_to_bytes<T: Serialize>(items: &mut [T], max: usize, shorten: impl Fn(&mut T)) -> serde_json::Result<()> {
    let mut bytes = json_length(&items)?;
    for item in items.iter_mut().rev() {
        if bytes <= max {
            break;
        }
        let before = json_length(item)?;
        shorten(item);
        bytes = bytes - before + json_length(item)?;
    }
    Ok(())
}

/// Returns how many bytes a value takes as JSON.
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
    fn takes_items_as_long_as_their_escaped_json_fits() {
        let texts = ["å", "\"", "\u{1}", ""];
        let json = serde_json::to_string(&texts).unwrap();
        // The length of the array's JSON without its two brackets, but with a comma after the last item.
        let whole = json.len() - 1;
        assert_eq!(take_within_bytes(texts, whole).unwrap(), texts);
        assert_eq!(take_within_bytes(texts, whole - 1).unwrap(), texts[..3]);
        assert_eq!(take_within_bytes(texts, 0).unwrap(), [""; 0]);
    }

    #[test]
    fn shortens_the_last_items_until_the_json_of_all_fits() {
        let shortened = |max: usize| {
            let mut texts = ["aa", "bb", "cc"].map(str::to_owned);
            shorten_to_bytes(&mut texts, max, String::clear).unwrap();
            texts
        };
        let whole = r#"["aa","bb","cc"]"#.len();
        assert_eq!(shortened(whole), ["aa", "bb", "cc"]);
        assert_eq!(shortened(whole - 1), ["aa", "bb", ""]);
        assert_eq!(shortened(whole - 2), ["aa", "bb", ""]);
        assert_eq!(shortened(whole - 3), ["aa", "", ""]);
    }
}
