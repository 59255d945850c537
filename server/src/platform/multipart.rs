//! Multipart forms, received field by field and chunk by chunk. The parser (multer) reads as much as the body offers,
//! and buffers it while it looks for a boundary or for the end of a field's headers. So the body is passed on only as
//! fast as the parser makes progress, which bounds its buffer.

use crate::platform::error::{ApiError, ApiResult};
use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use forecourt_core::import::text::UPLOAD_BROKEN_OFF;
use forecourt_core::message::Message;
use futures_util::{StreamExt, stream};
use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Poll, ready};

/// Limit on the bytes that the parser may buffer without progress: before the first boundary, or in a field's headers.
/// The parser searches all of them again for each new chunk.
const MAX_UNPARSED: usize = 128 * 1024;

/// The messages for a form that can't be read.
#[derive(Clone, Copy)]
pub struct FormMessages {
    pub not_a_form: &'static Message,
    pub too_large: &'static Message,
}

/// Extractor for a multipart form. `P` describes the fields for the OpenAPI document.
pub struct MultipartBody<P> {
    request: Request,
    described_by: PhantomData<P>,
}

impl<P, S: Sync> FromRequest<S> for MultipartBody<P> {
    type Rejection = Infallible;

    async fn from_request(request: Request, _: &S) -> Result<Self, Infallible> {
        Ok(MultipartBody { request, described_by: PhantomData })
    }
}

impl<P> MultipartBody<P> {
    /// Starts to read the form.
    ///
    /// # Errors
    /// 400 if the request has another content type.
    pub async fn open(self, messages: FormMessages) -> ApiResult<MultipartForm> {
        let progress = Arc::new(Progress::default());
        let request = self.request.map(|body| on_demand(body, progress.clone()));
        let inner = Multipart::from_request(request, &()).await;
        let inner = inner.map_err(|_| ApiError::invalid(messages.not_a_form))?;
        Ok(MultipartForm { inner, reading: Reading { progress, messages } })
    }
}

/// A multipart form. Each field must be read to its end, or skipped with [`FormField::skip`], before the next. If
/// reading fails, the rest of the form can't be read.
pub struct MultipartForm {
    inner: Multipart,
    reading: Reading,
}

/// A field of a form.
pub struct FormField<'a> {
    field: Field<'a>,
    reading: &'a Reading,
}

/// The state that is needed to read a form, and to report why it can't be read.
struct Reading {
    progress: Arc<Progress>,
    messages: FormMessages,
}

impl Reading {
    /// Records that the parser returned a field or content, or converts its error.
    fn record<T>(&self, result: Result<T, MultipartError>) -> ApiResult<T> {
        let FormMessages { not_a_form, too_large } = self.messages;
        match result {
            Ok(item) => {
                self.progress.unparsed.store(0, Ordering::Relaxed);
                // The parser's buffer may contain more fields or content.
                self.progress.may_progress.store(true, Ordering::Relaxed);
                Ok(item)
            }
            Err(_) if self.progress.is_aborted.load(Ordering::Relaxed) => Err(ApiError::invalid(not_a_form)),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(ApiError::FileTooLarge(too_large.into()))
            }
            // The body ended, or is malformed, before the form's end.
            Err(_) => Err(ApiError::invalid(UPLOAD_BROKEN_OFF)),
        }
    }
}

impl MultipartForm {
    /// Returns the next field; `None` at the form's end.
    pub async fn next_field(&mut self) -> ApiResult<Option<FormField<'_>>> {
        let reading = &self.reading;
        let field = reading.record(self.inner.next_field().await)?;
        Ok(field.map(|field| FormField { field, reading }))
    }
}

impl FormField<'_> {
    pub fn name(&self) -> Option<&str> {
        self.field.name()
    }

    pub fn file_name(&self) -> Option<&str> {
        self.field.file_name()
    }

    /// Returns the next bytes of the field's content; `None` at its end.
    pub async fn chunk(&mut self) -> ApiResult<Option<Bytes>> {
        self.reading.record(self.field.chunk().await)
    }

    /// Returns the field's whole content.
    pub async fn bytes(mut self) -> ApiResult<Vec<u8>> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// Reads to the field's end and discards the content.
    pub async fn skip(mut self) -> ApiResult<()> {
        while self.chunk().await?.is_some() {}
        Ok(())
    }
}

/// How far the parser has come with the data that it received.
#[derive(Default)]
struct Progress {
    /// Bytes passed to the parser since it last made progress.
    unparsed: AtomicUsize,
    /// Whether the parser may have buffered data that it has not yet parsed.
    may_progress: AtomicBool,
    /// Whether parsing was aborted, because too many bytes contained no field.
    is_aborted: AtomicBool,
}

/// Returns the body as a stream that gives the parser one chunk, and the next one only when the parser can make no
/// progress with the data that it has.
fn on_demand(body: Body, progress: Arc<Progress>) -> Body {
    let mut body = body.into_data_stream();
    Body::from_stream(stream::poll_fn(move |context| {
        if progress.may_progress.swap(false, Ordering::Relaxed) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if progress.unparsed.load(Ordering::Relaxed) >= MAX_UNPARSED {
            progress.is_aborted.store(true, Ordering::Relaxed);
            return Poll::Ready(Some(Err(axum::Error::new(io::Error::other("too many bytes without a field")))));
        }
        let chunk = ready!(body.poll_next_unpin(context));
        let bytes = chunk.as_ref().and_then(|chunk| chunk.as_ref().ok());
        progress.unparsed.fetch_add(bytes.map_or(0, Bytes::len), Ordering::Relaxed);
        progress.may_progress.store(chunk.is_some(), Ordering::Relaxed);
        Poll::Ready(chunk)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::CONTENT_TYPE;

    const FIELD: &str = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n";
    const MESSAGES: FormMessages =
        FormMessages { not_a_form: &Message::new("a", "not a form"), too_large: &Message::new("b", "too large") };

    /// Returns a form with boundary `b` from chunks that are available at once, and a counter of the bytes read so far.
    async fn form(chunks: Vec<Vec<u8>>) -> (MultipartForm, Arc<AtomicUsize>) {
        let read = Arc::new(AtomicUsize::new(0));
        let counter = read.clone();
        let chunks = chunks.into_iter().map(move |chunk| {
            counter.fetch_add(chunk.len(), Ordering::Relaxed);
            Ok::<_, Infallible>(chunk)
        });
        let body = Body::from_stream(stream::iter(chunks));
        let request = Request::builder().header(CONTENT_TYPE, "multipart/form-data; boundary=b").body(body).unwrap();
        (MultipartBody::<()> { request, described_by: PhantomData }.open(MESSAGES).await.unwrap(), read)
    }

    fn in_chunks(body: &[u8], size: usize) -> Vec<Vec<u8>> {
        body.chunks(size).map(<[u8]>::to_vec).collect()
    }

    /// Returns the message of a 400.
    fn message<T>(result: ApiResult<T>) -> Option<String> {
        match result {
            Err(ApiError::Invalid(problem)) => Some(problem.message.into()),
            _ => None,
        }
    }

    #[tokio::test]
    async fn reads_no_more_of_a_form_than_the_next_field_needs() {
        let field = format!("{FIELD}\r\n{}\r\n", "y".repeat(100));
        let (body, field_bytes) = (format!("{}--b--\r\n", field.repeat(1000)), field.len());
        for size in [7, 1000, 40_000] {
            let (mut form, read) = form(in_chunks(body.as_bytes(), size)).await;
            for taken in 1..=1000 {
                let field = form.next_field().await.unwrap().unwrap();
                assert_eq!(field.name(), Some("x"));
                assert_eq!(field.bytes().await.unwrap(), [b'y'; 100]);
                // The parser finds a field's end by the boundary after it.
                let needed = field_bytes * taken + "--b".len();
                assert!(read.load(Ordering::Relaxed) < needed + size, "{taken} in chunks of {size}");
            }
            assert!(form.next_field().await.unwrap().is_none());
        }
    }

    #[tokio::test]
    async fn accepts_a_long_field_that_resembles_boundaries() {
        let long = "y\r\n--".repeat(100_000);
        let body = format!("{FIELD}\r\n{long}\r\n{FIELD}\r\n{long}\r\n--b--\r\n");
        let (mut form, _) = form(in_chunks(body.as_bytes(), 1400)).await;
        form.next_field().await.unwrap().unwrap().skip().await.unwrap();
        assert_eq!(form.next_field().await.unwrap().unwrap().bytes().await.unwrap(), long.as_bytes());
        assert!(form.next_field().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn accepts_text_before_the_first_boundary() {
        let body = format!("{}\r\n{FIELD}\r\ny\r\n--b--\r\n", "x".repeat(MAX_UNPARSED - 1000));
        let (mut form, _) = form(in_chunks(body.as_bytes(), 1000)).await;
        assert_eq!(form.next_field().await.unwrap().unwrap().bytes().await.unwrap(), b"y");
    }

    #[tokio::test]
    async fn stops_reading_a_form_after_too_many_bytes_without_a_field() {
        for (begin, more) in [("", "x"), ("", "--a\r\n"), ("--b", " "), (FIELD, "X"), (FIELD, "X: y\r\n")] {
            let body = format!("{begin}{}", more.repeat(1 << 20));
            let (mut form, read) = form(in_chunks(body.as_bytes(), 1400)).await;
            assert_eq!(message(form.next_field().await).as_deref(), Some("not a form"), "{begin:?} {more:?}");
            assert!(read.load(Ordering::Relaxed) <= MAX_UNPARSED + 1400, "{begin:?} {more:?}");
        }
    }

    #[tokio::test]
    async fn rejects_a_form_that_ends_early() {
        for body in ["", "x", "--b", "--b\r\n", FIELD] {
            let (mut form, _) = form(in_chunks(body.as_bytes(), 10)).await;
            assert_eq!(message(form.next_field().await).as_deref(), Some(UPLOAD_BROKEN_OFF.as_str()), "{body:?}");
        }
        let (mut form, _) = form(in_chunks(format!("{FIELD}\r\nyyyy").as_bytes(), 10)).await;
        let field = form.next_field().await.unwrap().unwrap();
        assert_eq!(message(field.bytes().await).as_deref(), Some(UPLOAD_BROKEN_OFF.as_str()));
    }
}
