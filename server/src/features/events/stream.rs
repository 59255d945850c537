//! The stream of events to one browser. It takes events from this node's shared channel and has no queue of its own, so
//! that a slow client needs no memory.

use super::presence::describe;
use super::streams::OpenStream;
use crate::access::describe::{Operation, ResponseType};
use crate::access::scope::{Actor, Signed, find_actor};
use crate::features::state::App;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::events::{Change, Event, Receiver};
use crate::platform::responses::EVENT_STREAM;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use forecourt_core::auth::ACCESS_TOKEN_SECONDS;
use forecourt_core::events::LiveChange;
use forecourt_core::permissions::{Action, ResourceId, may};
use futures_util::stream::{once, unfold};
use futures_util::{Stream, StreamExt};
use std::convert::Infallible;
use std::future::ready;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

/// After this time without an event, a comment line is sent, so that no proxy takes the connection for dead.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// A stream ends after this time, the lifetime of an access token. The browser opens it again with a new token.
const LIFETIME: Duration = Duration::from_secs(ACCESS_TOKEN_SECONDS.unsigned_abs());
/// How long the user's permissions, once read for an event, are also used for later events.
const RIGHTS_AGE: Duration = Duration::from_millis(500);

/// A response of server-sent events.
pub struct EventStream(Response);

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ResponseType for EventStream {
    fn describe(operation: &mut Operation) {
        operation.add_file(200, EVENT_STREAM);
    }
}

/// Opens a stream of events: `changed` for each change of a resource that the user may read, `presence` when another
/// user edits one of its records or no longer does, and `reload` if events were lost.
pub async fn open(actor: Signed, State(app): State<App>) -> ApiResult<EventStream> {
    let open = app.streams.add(actor.scope().user(), actor.session()).await?;
    // Subscribed before checking for a shutdown, so that the event of a shutdown can't be missed.
    let receiver = app.db.events().subscribe();
    if app.stopping.load(Ordering::SeqCst) {
        return Err(ApiError::Unavailable);
    }
    let read_at = Instant::now();
    let reader = Reader { app, receiver, actor: actor.clone(), read_at, ends_at: read_at + LIFETIME, _open: open };
    // Sent at once, to show proxies and the browser that the stream is open.
    let opened = once(ready(Ok(sse::Event::default().comment("open"))));
    let sse = Sse::new(opened.chain(reader.into_stream())).keep_alive(KeepAlive::new().interval(HEARTBEAT));
    // `x-accel-buffering: no` keeps nginx from buffering the response.
    let headers = [
        (header::CONTENT_TYPE, EVENT_STREAM),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok(EventStream((headers, sse).into_response()))
}

struct Reader {
    app: App,
    receiver: Receiver,
    actor: Actor,
    /// When the permissions in `actor` were read.
    read_at: Instant,
    ends_at: Instant,
    _open: OpenStream,
}

impl Reader {
    fn into_stream(self) -> impl Stream<Item = Result<sse::Event, Infallible>> {
        unfold(self, |mut reader| async move { reader.next().await.map(|event| (Ok(event), reader)) })
    }

    /// Waits for the next event to send; `None` if the stream ends.
    async fn next(&mut self) -> Option<sse::Event> {
        loop {
            let received = tokio::select! {
                () = sleep_until(self.ends_at) => return None,
                received = self.receiver.recv() => received,
            };
            match received {
                Ok(event) => match &*event {
                    Event::Changed(change) => {
                        if let Some(event) = self.describe_change(change).await? {
                            return Some(event);
                        }
                    }
                    Event::Presence(presence) if presence.user != self.actor.scope().user() => {
                        if self.may_read(presence.corp, presence.resource).await? {
                            return sse::Event::default().event("presence").json_data(describe(presence)).ok();
                        }
                    }
                    Event::Presence(_) => {}
                    Event::Lost => return Some(reload()),
                    Event::SessionsEnded(sessions) if sessions.contains(&self.actor.session()) => return None,
                    Event::SessionsEnded(_) => {}
                    Event::Shutdown => return None,
                },
                Err(RecvError::Lagged(_)) => {
                    // The end of the session or the shutdown may be among the lost events.
                    self.read_rights().await?;
                    // Skips the events that are still in the channel: they are older than the `reload`.
                    self.receiver = self.app.db.events().subscribe();
                    return (!self.app.stopping.load(Ordering::SeqCst)).then(reload);
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Returns the event to send for a change; `Some(None)` if the user may not read the resource. `None` ends the
    /// stream.
    async fn describe_change(&mut self, change: &Change) -> Option<Option<sse::Event>> {
        if !self.may_read(change.corp, change.resource).await? {
            return Some(None);
        }
        let data = LiveChange {
            resource: change.resource.as_str().to_owned(),
            ids: change.ids.as_ref().map(|ids| ids.iter().map(ToString::to_string).collect()),
            action: change.action.as_str().to_owned(),
            by: change.by.map(|user| user.to_string()),
        };
        Some(sse::Event::default().event("changed").json_data(data).ok())
    }

    /// Returns whether the user may read a resource of a corporation. `None`, if the session has ended, ends the
    /// stream.
    async fn may_read(&mut self, corp: Uuid, resource: ResourceId) -> Option<bool> {
        if corp != self.actor.scope().corp() {
            return Some(false);
        }
        if self.read_at.elapsed() > RIGHTS_AGE {
            self.read_rights().await?;
        }
        Some(may(self.actor.access(), resource, Action::Read))
    }

    /// Reads the user's permissions again; `None` if the session has ended or can't be read.
    async fn read_rights(&mut self) -> Option<()> {
        // Boxed, because otherwise each stream would keep the memory for this query.
        let found = Box::pin(find_actor(&self.app.db, self.actor.session(), self.app.clock.now())).await;
        self.actor = found.inspect_err(|error| tracing::warn!(%error, "a stream ends")).ok()??;
        self.read_at = Instant::now();
        Some(())
    }
}

fn reload() -> sse::Event {
    sse::Event::default().event("reload").data("{}")
}
