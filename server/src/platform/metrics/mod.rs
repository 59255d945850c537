//! Metrics for Prometheus (docs/decisions/0012-metrics.md). They are served on their own address, which users can't
//! reach.
//!
//! **Invariant:** labels are constants of the program, such as route patterns. They contain no tenant, no user and
//! nothing from a request.

mod process;

use crate::platform::db::Db;
use crate::platform::db::load::SECONDS;
use crate::platform::error::Reason;
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Timeout for the query that counts the waiting jobs. If it is exceeded, the metric `waiting` keeps its last values,
/// and `database_up` is 0.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
/// The number of panics in this process. Static because a panic hook has no access to [`Metrics`].
static PANICS: AtomicU64 = AtomicU64::new(0);

/// The outcomes of an attempt to deliver a mail, as labels.
const MAIL_OUTCOMES: [&str; 4] = ["sent", "kept", "failed", "again"];

type Labels<const N: usize> = [(&'static str, &'static str); N];
type Durations = Family<Labels<3>, Histogram, fn() -> Histogram>;

/// All metrics of the program.
pub struct Metrics {
    registry: Registry,
    /// The paths of all routes, as labels.
    paths: Vec<&'static str>,
    requests: Durations,
    in_flight: Gauge,
    errors: Family<Labels<2>, Counter>,
    throttled: Family<Labels<1>, Counter>,
    mails: Family<Labels<1>, Counter>,
    rows: Counter,
    /// Imports, mails and requests for reset links that wait or are in progress, counted in the database at each
    /// scrape.
    waiting: Family<Labels<1>, Gauge>,
    database_up: Gauge,
    connections: Family<Labels<1>, Gauge>,
    write_queue: Gauge,
    hashes: Family<Labels<1>, Gauge>,
    response_bytes: Gauge,
    rejected_connections: Counter,
}

impl Metrics {
    pub fn new(db: &Db, now: i64, paths: Vec<&'static str>) -> Self {
        let mut all = Registry::default();
        process::register(&mut all, now);
        let registry = all.sub_registry_with_prefix("forecourt");
        let build = [("version", env!("CARGO_PKG_VERSION")), ("database", db.pick("sqlite", "postgres"))];
        registry.register("build", "Version of the program and kind of database", Info::new(build));
        registry.register_collector(Box::new(Panics));
        let waits = "Time waited for a PostgreSQL connection or SQLite's writer";
        registry.register_with_unit("database_wait", waits, Unit::Seconds, db.counts().waits.clone());
        let requests = Durations::new_with_constructor(|| Histogram::new(SECONDS));
        let durations = "Duration of requests, by route, method and class of status";
        registry.register_with_unit("request_duration", durations, Unit::Seconds, requests.clone());
        let metrics = Metrics {
            paths,
            requests,
            in_flight: register_metric(registry, "requests_in_flight", "Requests in progress"),
            errors: register_metric(registry, "refusals", "Requests that failed, by route and reason"),
            throttled: register_metric(registry, "throttled", "Requests rejected by a rate limit"),
            mails: register_metric(registry, "mails", "Attempts to deliver a mail, by outcome"),
            rows: register_metric(registry, "import_rows", "Imported rows"),
            waiting: register_metric(registry, "waiting", "Waiting or running jobs in the database"),
            database_up: register_metric(registry, "database_up", "Whether the database responds"),
            connections: register_metric(
                registry,
                "database_connections",
                "Database connections of the pool, by state",
            ),
            write_queue: register_metric(registry, "database_write_queue", "Writes waiting for SQLite's writer"),
            hashes: register_metric(registry, "password_hashes", "Password hashes in progress and waiting"),
            response_bytes: register_metric(registry, "response_bytes", "Response bytes reserved or being sent"),
            rejected_connections: register_metric(
                registry,
                "refused_connections",
                "Connections closed because their address had too many",
            ),
            registry: all,
        };
        metrics.create_watched_counters();
        metrics
    }

    /// Creates the counters that alerts watch (docs/operations.md) with the value 0. Prometheus sees no increase when a
    /// counter appears with the value 1.
    fn create_watched_counters(&self) {
        for route in self.paths.iter().copied().chain(["unknown", "web"]) {
            self.errors.get_or_create(&[("route", route), ("reason", Reason::UNEXPECTED)]).inc_by(0);
        }
        for outcome in MAIL_OUTCOMES {
            self.mails.get_or_create(&[("outcome", outcome)]).inc_by(0);
        }
    }

    /// Counts a request that was rejected because this rate limit was exhausted.
    pub fn count_throttled(&self, limit: &'static str) {
        self.throttled.get_or_create(&[("limit", limit)]).inc();
    }

    /// Returns the counter of connections that were closed because their address had too many.
    pub fn rejected_connections(&self) -> Counter {
        self.rejected_connections.clone()
    }

    /// Counts an attempt to deliver a mail, by outcome.
    pub fn count_mail(&self, outcome: &'static str) {
        self.mails.get_or_create(&[("outcome", outcome)]).inc();
    }

    /// Adds to the number of rows that imports have written.
    pub fn count_imported_rows(&self, rows: u64) {
        self.rows.inc_by(rows);
    }

    /// Returns all metrics in the OpenMetrics text format. `response_bytes` is the number of response bytes in flight;
    /// `hashes` is the number of passwords being hashed and the number waiting.
    pub async fn render(
        &self,
        db: &Db,
        response_bytes: usize,
        hashes: (usize, usize),
    ) -> Result<String, std::fmt::Error> {
        let load = db.load();
        let set = |gauges: &Family<Labels<1>, Gauge>, label: [(&'static str, &'static str); 1], value: u64| {
            gauges.get_or_create(&label).set(value.cast_signed());
        };
        set(&self.connections, [("state", "idle")], load.idle);
        set(&self.connections, [("state", "busy")], load.connections.saturating_sub(load.idle));
        self.write_queue.set(load.queued.cast_signed());
        self.response_bytes.set(response_bytes as i64);
        let (computing, waiting) = hashes;
        set(&self.hashes, [("state", "computing")], computing as u64);
        set(&self.hashes, [("state", "waiting")], waiting as u64);
        let counted = tokio::time::timeout(QUERY_TIMEOUT, count_waiting(db)).await;
        self.database_up.set(i64::from(matches!(counted, Ok(Ok(_)))));
        if let Ok(Ok(counts)) = counted {
            let kinds = ["imports_waiting", "imports_running", "mails", "reset_links"];
            for (kind, count) in kinds.into_iter().zip(counts) {
                set(&self.waiting, [("what", kind)], count.unsigned_abs());
            }
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// Registers a new metric under this name, and returns it.
fn register_metric<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

async fn count_waiting(db: &Db) -> super::db::Result<[i64; 4]> {
    let (pending, running, mails, resets) = db
        .sql(
            "SELECT (SELECT count(*) FROM imports WHERE status = 'pending'), \
             (SELECT count(*) FROM imports WHERE status = 'processing'), \
             (SELECT count(*) FROM messages WHERE status = 'queued'), (SELECT count(*) FROM reset_requests)",
        )
        .one()
        .await?;
    Ok([pending, running, mails, resets])
}

/// Middleware that counts and times every request.
pub async fn measure_requests(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let route = match path.and_then(|path| metrics.paths.iter().find(|known| **known == path)) {
        Some(path) => *path,
        None if request.uri().path().starts_with("/api/") => "unknown",
        None => "web",
    };
    // A client may send any word as a method, so all but these are counted as "other".
    let known = [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::HEAD, Method::OPTIONS];
    let names = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"];
    let method =
        known.iter().zip(names).find(|(known, _)| *known == request.method()).map_or("other", |(_, name)| name);
    metrics.in_flight.inc();
    // If the client disconnects, this future is dropped while the handler runs, and the request is counted as "gone".
    let mut timer = RequestTimer { metrics: &metrics, route, method, status: "gone", started: Instant::now() };
    let response = next.run(request).await;
    timer.status = match response.status().as_u16() / 100 {
        1 | 2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    };
    if let Some(Reason(reason)) = response.extensions().get() {
        metrics.errors.get_or_create(&[("route", route), ("reason", reason)]).inc();
    }
    drop(timer);
    response
}

struct RequestTimer<'a> {
    metrics: &'a Metrics,
    route: &'static str,
    method: &'static str,
    status: &'static str,
    started: Instant,
}

impl Drop for RequestTimer<'_> {
    fn drop(&mut self) {
        let metrics = self.metrics;
        metrics.in_flight.dec();
        let status = if std::thread::panicking() { "5xx" } else { self.status };
        let labels = [("route", self.route), ("method", self.method), ("status", status)];
        metrics.requests.get_or_create(&labels).observe(self.started.elapsed().as_secs_f64());
    }
}

/// Sets a panic hook that counts panics and logs their location, but not their message, which may contain personal
/// data.
pub fn watch_panics() {
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        let location = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(location, "panicked");
    }));
}

#[derive(Debug)]
struct Panics;

impl prometheus_client::collector::Collector for Panics {
    fn encode(&self, mut encoder: prometheus_client::encoding::DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        use prometheus_client::encoding::EncodeMetric;
        let panics = ConstCounter::new(PANICS.load(Ordering::Relaxed));
        panics.encode(encoder.encode_descriptor("panics", "Panics in requests and jobs", None, panics.metric_type())?)
    }
}
