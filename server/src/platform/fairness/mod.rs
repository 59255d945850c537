//! Shares memory, cores and connections fairly between sessions, tenants and addresses, so that an abusive client
//! hardly affects the others.
//!
//! Each request reserves the largest response that it may get, before it uses the database. Once the response exists,
//! the unneeded part is released, and the rest is reserved until the response has been sent. A request whose share is
//! in use waits for a limited time.

pub mod connections;
pub(crate) mod response;
pub mod semaphore;

use crate::platform::client_address::{Peer, address_key, client_behind_proxy};
use crate::platform::config::PlatformConfig;
use crate::platform::error::{ApiError, ApiResult};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use connections::ConnectionLimit;
use forecourt_core::reply::JSON_MAX;
use forecourt_core::text;
use prometheus_client::metrics::counter::Counter;
use semaphore::{FairSemaphore, Limits, Permit};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use tracing::Instrument;
use uuid::Uuid;

/// How long a request waits for each permit. A request needs up to three permits, one after the other, an export four.
const MAX_WAIT: Duration = Duration::from_secs(8);
/// How many requests of one session, tenant or address may wait for each kind of permit (for exports: [`EXPORTS`]).
/// Each occupies its connection and its head.
const QUEUE_LENGTH: usize = 256;
/// The smallest weight of a request in bytes: its connection, buffers and tasks.
pub const REQUEST_WEIGHT: usize = 16 << 10;
/// Bytes that a signed-in user's writing request reserves, unless its body may be larger: the maximum size of an
/// ordinary JSON body. This also limits the number of parallel writes.
pub const WRITE_WEIGHT: usize = 256 << 10;
/// Bytes that a public GET request reserves for its response, unless it requests a picture.
pub const PUBLIC_RESPONSE: usize = 64 << 10;

/// Limit on the parallel exports of all tenants, with searches for a person's data and their erasures. The export of a
/// list keeps the ids of its records in memory: 16 MB for a million.
const EXPORTS: usize = 4;

/// Limit on the bytes of one session's responses in flight, reserved bytes included. [`TENANT_BYTES`] is the limit of
/// one tenant, [`NODE_BYTES`] that of all tenants together.
pub const SESSION_BYTES: usize = 24 << 20;
pub const TENANT_BYTES: usize = 48 << 20;
const NODE_BYTES: usize = 128 << 20;
/// Limit on the bytes of one address's responses in flight to requests without a session, reserved bytes included.
/// [`PUBLIC_BYTES`] is the limit of all addresses together.
const ADDRESS_BYTES: usize = 16 << 20;
const PUBLIC_BYTES: usize = 32 << 20;

/// The semaphores that share this node's memory, cores and connections; cloning is cheap.
#[derive(Clone)]
pub struct Fairness {
    pub sessions: FairSemaphore<Vec<u8>>,
    pub tenants: FairSemaphore<Uuid>,
    pub public: FairSemaphore<Vec<u8>>,
    /// Limits the parallel list queries of each tenant.
    pub lists: FairSemaphore<Uuid>,
    /// Limits the parallel searches of each tenant, and those of all tenants together.
    pub searches: FairSemaphore<Uuid>,
    /// Limits the parallel exports of each tenant, and those of all tenants together.
    pub exports: FairSemaphore<Uuid>,
    /// Limits the parallel requests of each client behind a trusted proxy, to which all connections belong.
    pub clients: FairSemaphore<Vec<u8>>,
    pub connections: ConnectionLimit,
}

/// The database work that a request causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Reading one record, or a write.
    Light,
    /// Reading a list, which reads many rows.
    List,
    /// A list that is searched, sorted or filtered, which may read all its rows.
    Search,
    /// A search whose result is streamed as a file, or one for a person's data. Its handler acquires the permits.
    Export,
}

/// What a request is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    pub work: Work,
    /// The bytes to reserve for its body and its response.
    pub bytes: usize,
    /// Whether a JSON response that is larger is replaced by an error. False for writes: their result is always
    /// returned.
    pub is_capped: bool,
}

/// The client of a request, as known without a database query.
pub enum Client {
    Session(Uuid),
    Address(Vec<u8>),
}

/// The permits of a request until its response has been sent.
pub struct Permits {
    cost: Cost,
    client: Permit<Vec<u8>>,
    tenant: Option<Permit<Uuid>>,
}

/// Permission to run one query over many rows, or one export, until this is dropped.
pub type QueryPermit = Permit<Uuid>;

impl Fairness {
    pub fn new(config: &Arc<PlatformConfig>, rejected_connections: Counter) -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let limits = |total, share| Limits { total, share, queue: QUEUE_LENGTH };
        // Searches leave at least one database connection to other requests, unless there is only one.
        let connections = usize::try_from(config.database_pool).unwrap_or(usize::MAX);
        let searching = cores.max(2).min(connections.saturating_sub(1).max(1));
        let per_address = usize::from(config.connections_per_address);
        Fairness {
            sessions: FairSemaphore::new(limits(usize::MAX, SESSION_BYTES)),
            tenants: FairSemaphore::new(limits(NODE_BYTES, TENANT_BYTES)),
            public: FairSemaphore::new(limits(PUBLIC_BYTES, ADDRESS_BYTES)),
            lists: FairSemaphore::new(limits(usize::MAX, cores.max(2))),
            searches: FairSemaphore::new(limits(searching, (cores / 2).max(1))),
            exports: FairSemaphore::new(Limits { total: EXPORTS, share: EXPORTS / 2, queue: EXPORTS }),
            clients: FairSemaphore::new(Limits { total: usize::MAX, share: per_address, queue: 0 }),
            connections: ConnectionLimit::new(config.clone(), rejected_connections),
        }
    }

    /// Waits until the bytes of a request fit into the share of its session or address, and reserves them.
    ///
    /// # Errors
    /// 429 at once if too many of its requests wait. After [`MAX_WAIT`], 429 if that share is used up, 503 if the share
    /// of all requests without a session is.
    pub async fn admit(&self, client: Client, cost: Cost) -> ApiResult<Permits> {
        let (semaphore, key) = match client {
            Client::Session(session) => (&self.sessions, session.as_bytes().to_vec()),
            Client::Address(address) => (&self.public, address),
        };
        Ok(Permits { cost, client: semaphore.acquire(key, cost.bytes, MAX_WAIT).await?, tenant: None })
    }

    /// Waits until the tenant may run another query over many rows; `None` at once for [`Work::Light`] and
    /// [`Work::Export`].
    ///
    /// # Errors
    /// 429 if the tenant's share is in use after [`MAX_WAIT`], or at once if too many of its requests wait; 503 if the
    /// shares of all tenants together are in use after [`MAX_WAIT`].
    pub async fn acquire_query_permit(&self, tenant: Uuid, work: Work) -> ApiResult<Option<QueryPermit>> {
        let semaphore = match work {
            Work::Light | Work::Export => return Ok(None),
            Work::List => &self.lists,
            Work::Search => &self.searches,
        };
        Ok(Some(semaphore.acquire(tenant, 1, MAX_WAIT).await?))
    }

    /// Waits until the tenant may run another export. The caller keeps the permit until the response has been sent.
    ///
    /// # Errors
    /// As [`Fairness::acquire_query_permit`].
    pub async fn acquire_export_permit(&self, tenant: Uuid) -> ApiResult<QueryPermit> {
        self.exports.acquire(tenant, 1, MAX_WAIT).await
    }

    /// Returns the bytes of responses in flight, reserved bytes included.
    pub fn bytes_in_flight(&self) -> usize {
        self.tenants.weight_in_use() + self.public.weight_in_use()
    }
}

impl Permits {
    /// Waits until the request's bytes also fit into its tenant's share, and reserves them there.
    ///
    /// # Errors
    /// 429 at once if too many of its requests wait. After [`MAX_WAIT`], 429 if the tenant's share is used up, 503 if
    /// the node's is.
    pub async fn charge_tenant(&mut self, fairness: &Fairness, tenant: Uuid) -> ApiResult<()> {
        self.tenant = Some(fairness.tenants.acquire(tenant, self.cost.bytes, MAX_WAIT).await?);
        Ok(())
    }

    /// Releases the reserved bytes that the response does not need, and keeps the rest reserved until the response has
    /// been sent. Replaces a response that is too large by an error ([`Cost::is_capped`]).
    pub async fn attach_to(mut self, response: Response) -> Response {
        if response::is_event_stream(&response) {
            return response;
        }
        let size = response::size(&response).unwrap_or(self.cost.bytes);
        if self.cost.is_capped && size > self.cost.bytes.max(JSON_MAX) && response::is_json(&response) {
            tracing::warn!(size, "a response was too large");
            return ApiError::invalid(text::RESPONSE_TOO_LARGE).into_response();
        }
        let weight = size.max(REQUEST_WEIGHT);
        self.client.resize(weight);
        if let Some(permit) = &mut self.tenant {
            permit.resize(weight);
        }
        response::attach(response, self).await
    }
}

/// Runs a reading request to its end even if its client disconnects, and releases the permit then. The database would
/// continue the statement anyway, so a client that repeats its request could otherwise have many statements running.
pub async fn run_to_end(
    read: impl Future<Output = Response> + Send + 'static,
    permit: Option<QueryPermit>,
) -> Response {
    let read = async move {
        let response = read.await;
        drop(permit);
        response
    };
    match tokio::spawn(read.in_current_span()).await {
        Ok(response) => response,
        Err(fault) if fault.is_panic() => std::panic::resume_unwind(fault.into_panic()),
        Err(fault) => ApiError::internal(fault).into_response(),
    }
}

/// Middleware that limits parallel requests of each client behind a trusted proxy, like connections of direct clients.
pub async fn limit_parallel_requests(
    State((fairness, config)): State<(Fairness, Arc<PlatformConfig>)>,
    request: Request,
    next: Next,
) -> Response {
    let Some(Peer(peer)) = request.extensions().get::<Peer>() else { return next.run(request).await };
    let Some(client) = client_behind_proxy(peer.ip(), request.headers(), &config) else {
        return next.run(request).await;
    };
    match fairness.clients.try_acquire(address_key(client), 1) {
        Some(permit) => {
            let response = next.run(request).await;
            if response::is_event_stream(&response) { response } else { response::attach(response, permit).await }
        }
        None => ApiError::ShareInUse.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio::sync::Notify;

    #[tokio::test]
    async fn v5_a_read_holds_its_permit_after_its_client_disconnects() {
        let semaphore = FairSemaphore::new(Limits { total: 1, share: 1, queue: 1 });
        let permit = semaphore.acquire(Uuid::nil(), 1, MAX_WAIT).await.unwrap();
        let (started, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (has_started, may_end) = (started.clone(), end.clone());
        let read = async move {
            has_started.notify_one();
            may_end.notified().await;
            ().into_response()
        };
        tokio::select! {
            _ = run_to_end(read, Some(permit)) => {}
            () = started.notified() => {}
        }
        assert!(semaphore.try_acquire(Uuid::nil(), 1).is_none());
        end.notify_one();
        assert!(semaphore.acquire(Uuid::nil(), 1, MAX_WAIT).await.is_ok());
    }

    #[tokio::test]
    async fn v2_a_permit_shrinks_to_the_response_size() {
        let sessions = FairSemaphore::new(Limits { total: SESSION_BYTES, share: SESSION_BYTES, queue: 1 });
        let client = sessions.acquire(Vec::new(), JSON_MAX, MAX_WAIT).await.unwrap();
        let cost = Cost { work: Work::List, bytes: JSON_MAX, is_capped: true };
        let response = Permits { cost, client, tenant: None }.attach_to("x".repeat(100_000).into_response()).await;
        assert_eq!(sessions.weight_in_use(), 100_000);
        drop(response);
        assert_eq!(sessions.weight_in_use(), 0);
    }
}
