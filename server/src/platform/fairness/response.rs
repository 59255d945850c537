//! Attaches permits to a response, which are released when the response's memory is.

use crate::platform::responses::EVENT_STREAM;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

/// Returns the size of a response's body in bytes, if the whole body is in memory.
pub fn size(response: &Response) -> Option<usize> {
    response.body().size_hint().exact().and_then(|size| usize::try_from(size).ok())
}

/// Returns true if the response's body is JSON, by its content type.
pub fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

/// Returns true if the response is a stream of server-sent events, which is open for minutes and has limits of its own.
pub fn is_event_stream(response: &Response) -> bool {
    response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == EVENT_STREAM)
}

/// Attaches `permit` to a response. It is released when the last byte was passed to the kernel, or the connection ends.
///
/// A body that is in memory as a whole is passed to the connection as one piece and then dropped, while its bytes are
/// still being sent. So the permit is stored with the bytes.
pub async fn attach<P: Send + Unpin + 'static>(response: Response, permit: P) -> Response {
    let size = size(&response);
    let (parts, body) = response.into_parts();
    let body = match size {
        Some(_) => match body.collect().await {
            Ok(bytes) => Body::from(Bytes::from_owner(HeldBytes { bytes: bytes.to_bytes(), _permit: permit })),
            Err(error) => return crate::platform::error::ApiError::internal(error).into_response(),
        },
        // The closure owns the permit, and lives as long as the body.
        None => Body::new(body.map_frame(move |frame| {
            let _permit = &permit;
            frame
        })),
    };
    Response::from_parts(parts, body)
}

struct HeldBytes<P> {
    bytes: Bytes,
    _permit: P,
}

impl<P> AsRef<[u8]> for HeldBytes<P> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn assert_holds_until_dropped<T>(permit: &Arc<()>, body: T) {
        assert_eq!(Arc::strong_count(permit), 2);
        drop(body);
        assert_eq!(Arc::strong_count(permit), 1);
    }

    #[tokio::test]
    async fn holds_the_permit_while_any_byte_of_the_body_lives() {
        let permit = Arc::new(());
        let response = attach("x".repeat(1000).into_response(), permit.clone()).await;
        assert_eq!(size(&response), Some(1000));
        let mut bytes = response.into_body().collect().await.unwrap().to_bytes();
        let last = bytes.split_off(999);
        drop(bytes);
        assert_holds_until_dropped(&permit, last);
    }

    #[tokio::test]
    async fn holds_the_permit_of_a_stream_until_it_is_dropped() {
        let permit = Arc::new(());
        let chunks = futures_util::stream::iter(["a", "b"].map(Ok::<_, std::io::Error>));
        let response = attach(Body::from_stream(chunks).into_response(), permit.clone()).await;
        assert_eq!(size(&response), None);
        let mut body = response.into_body();
        assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "a");
        assert_holds_until_dropped(&permit, body);
    }

    #[tokio::test]
    async fn releases_the_permit_of_an_empty_body() {
        let permit = Arc::new(());
        let response = attach(axum::http::StatusCode::NO_CONTENT.into_response(), permit.clone()).await;
        drop(response);
        assert_eq!(Arc::strong_count(&permit), 1);
    }
}
