//! Multipart forms, received field by field and chunk by chunk. The parser (multer) reads as much as the body offers,
//! and buffers it while it looks for a boundary or for the end of a field's headers. So the body is passed on only as
//! fast as the parser makes progress, which bounds its buffer.

use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use http_body_util::BodyExt;
use hyper::body::{Body as Streamed, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

/// Limit on the bytes that the parser may buffer without progress: before the first boundary, or in a field's headers.
/// The parser searches all of them again for each new chunk.
const MAX_UNPARSED: usize = 128 * 1024;

/// Why the rest of a form can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is not a multipart form, or contains too many bytes outside of fields.
    NoForm,
    /// It has more bytes than the route allows.
    TooLarge,
    /// The body ended, or is malformed, before the form's end.
    BrokenOff,
}

/// A multipart form. Each field must be read to its end, or skipped with [`Part::pass_over`], before the next.
pub struct Form {
    inner: Multipart,
    progress: Arc<Progress>,
}

/// A field of a form.
pub struct Part<'a> {
    field: Field<'a>,
    progress: &'a Progress,
}

impl Form {
    /// Returns the form in the request's body.
    ///
    /// # Errors
    /// [`Unread::NoForm`] if the request has another content type.
    pub async fn of<S: Send + Sync>(request: Request, state: &S) -> Result<Self, Unread> {
        let progress = Arc::new(Progress::default());
        let request = request.map(|body| Body::new(OnDemandBody { body, progress: progress.clone() }));
        let inner = Multipart::from_request(request, state).await.map_err(|_| Unread::NoForm)?;
        Ok(Form { inner, progress })
    }

    /// Returns the next field; `None` at the form's end.
    ///
    /// # Errors
    /// The rest of the form can't be read.
    pub async fn next(&mut self) -> Result<Option<Part<'_>>, Unread> {
        let progress = &*self.progress;
        match self.inner.next_field().await {
            Ok(field) => {
                progress.record();
                Ok(field.map(|field| Part { field, progress }))
            }
            Err(error) => Err(progress.reason(&error)),
        }
    }
}

impl Part<'_> {
    pub fn name(&self) -> Option<&str> {
        self.field.name()
    }

    pub fn file_name(&self) -> Option<&str> {
        self.field.file_name()
    }

    /// Returns the next bytes of the field's content; `None` at its end.
    ///
    /// # Errors
    /// The rest of the form can't be read.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Unread> {
        let chunk = self.field.chunk().await.map_err(|error| self.progress.reason(&error))?;
        self.progress.record();
        Ok(chunk)
    }

    /// Returns the field's whole content.
    ///
    /// # Errors
    /// The rest of the form can't be read.
    pub async fn bytes(mut self) -> Result<Vec<u8>, Unread> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// Reads to the field's end and discards the content.
    ///
    /// # Errors
    /// The rest of the form can't be read.
    pub async fn pass_over(mut self) -> Result<(), Unread> {
        while self.chunk().await?.is_some() {}
        Ok(())
    }
}

/// The parser's progress with the data that it received.
#[derive(Default)]
struct Progress {
    /// Bytes passed to the parser since it last made progress.
    unparsed: AtomicUsize,
    /// Whether the parser may have buffered data that it has not yet parsed.
    may_progress: AtomicBool,
    /// Whether parsing was given up, because too many bytes contained no field.
    is_given_up: AtomicBool,
}

impl Progress {
    /// Records that the parser returned a field or content. Its buffer may contain more.
    fn record(&self) {
        self.unparsed.store(0, Ordering::Relaxed);
        self.may_progress.store(true, Ordering::Relaxed);
    }

    fn reason(&self, error: &MultipartError) -> Unread {
        match error.status() {
            _ if self.is_given_up.load(Ordering::Relaxed) => Unread::NoForm,
            StatusCode::PAYLOAD_TOO_LARGE => Unread::TooLarge,
            _ => Unread::BrokenOff,
        }
    }
}

/// A body that passes on one chunk, and the next only when the parser can make no progress with what it has.
struct OnDemandBody {
    body: Body,
    progress: Arc<Progress>,
}

impl Streamed for OnDemandBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let this = &mut *self;
        if this.progress.may_progress.swap(false, Ordering::Relaxed) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if this.progress.unparsed.load(Ordering::Relaxed) >= MAX_UNPARSED {
            this.progress.is_given_up.store(true, Ordering::Relaxed);
            return Poll::Ready(Some(Err(io::Error::other("a form without parts").into())));
        }
        let frame = ready!(Pin::new(&mut this.body.frame()).poll(context));
        let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
        this.progress.unparsed.fetch_add(bytes.map_or(0, Bytes::len), Ordering::Relaxed);
        this.progress.may_progress.store(frame.is_some(), Ordering::Relaxed);
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::CONTENT_TYPE;
    use std::convert::Infallible;

    const FIELD: &str = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n";

    /// Returns a form with boundary `b` from chunks that are available at once, and a counter of the bytes read so far.
    async fn form(pieces: Vec<Vec<u8>>) -> (Form, Arc<AtomicUsize>) {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let pieces = pieces.into_iter().map(move |piece| {
            counter.fetch_add(piece.len(), Ordering::Relaxed);
            Ok::<_, Infallible>(piece)
        });
        let body = Body::from_stream(futures_util::stream::iter(pieces));
        let request = Request::builder().header(CONTENT_TYPE, "multipart/form-data; boundary=b").body(body);
        (Form::of(request.unwrap(), &()).await.unwrap(), asked)
    }

    fn in_pieces(body: &[u8], size: usize) -> Vec<Vec<u8>> {
        body.chunks(size).map(<[u8]>::to_vec).collect()
    }

    #[tokio::test]
    async fn no_more_of_a_form_is_asked_for_than_its_next_field_needs() {
        let part = format!("{FIELD}\r\n{}\r\n", "y".repeat(100));
        let (body, part_bytes) = (format!("{}--b--\r\n", part.repeat(1000)), part.len());
        for size in [7, 1000, 40_000] {
            let (mut form, asked) = form(in_pieces(body.as_bytes(), size)).await;
            for taken in 1..=1000 {
                let part = form.next().await.unwrap().unwrap();
                assert_eq!(part.name(), Some("x"));
                assert_eq!(part.bytes().await.unwrap(), [b'y'; 100]);
                // The parser finds a field's end by the boundary after it.
                let needed = part_bytes * taken + "--b".len();
                assert!(asked.load(Ordering::Relaxed) < needed + size, "{taken} in pieces of {size}");
            }
            assert!(form.next().await.unwrap().is_none());
        }
    }

    #[tokio::test]
    async fn what_a_field_holds_may_be_long_and_lie_in_the_way() {
        let long = "y\r\n--".repeat(100_000);
        let body = format!("{FIELD}\r\n{long}\r\n{FIELD}\r\n{long}\r\n--b--\r\n");
        let (mut form, _) = form(in_pieces(body.as_bytes(), 1400)).await;
        form.next().await.unwrap().unwrap().pass_over().await.unwrap();
        assert_eq!(form.next().await.unwrap().unwrap().bytes().await.unwrap(), long.as_bytes());
        assert!(form.next().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn some_words_before_the_first_boundary_are_no_harm() {
        let body = format!("{}\r\n{FIELD}\r\ny\r\n--b--\r\n", "x".repeat(MAX_UNPARSED - 1000));
        let (mut form, _) = form(in_pieces(body.as_bytes(), 1000)).await;
        assert_eq!(form.next().await.unwrap().unwrap().bytes().await.unwrap(), b"y");
    }

    #[tokio::test]
    async fn a_form_that_comes_to_nothing_is_given_up() {
        for (begin, more) in [("", "x"), ("", "--a\r\n"), ("--b", " "), (FIELD, "X"), (FIELD, "X: y\r\n")] {
            let body = format!("{begin}{}", more.repeat(1 << 20));
            let (mut form, asked) = form(in_pieces(body.as_bytes(), 1400)).await;
            assert_eq!(form.next().await.err(), Some(Unread::NoForm), "{begin:?} {more:?}");
            assert!(asked.load(Ordering::Relaxed) <= MAX_UNPARSED + 1400, "{begin:?} {more:?}");
        }
    }

    #[tokio::test]
    async fn a_form_that_ends_too_soon_has_broken_off() {
        for body in ["", "x", "--b", "--b\r\n", FIELD] {
            let (mut form, _) = form(in_pieces(body.as_bytes(), 10)).await;
            assert_eq!(form.next().await.err(), Some(Unread::BrokenOff), "{body:?}");
        }
        let (mut form, _) = form(in_pieces(format!("{FIELD}\r\nyyyy").as_bytes(), 10)).await;
        let part = form.next().await.unwrap().unwrap();
        assert_eq!(part.bytes().await.err(), Some(Unread::BrokenOff));
    }
}
