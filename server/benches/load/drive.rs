//! Virtual users. Each has one connection and sends requests at times that are fixed beforehand. The latency of a
//! request counts from its fixed time, so that a slow response also counts for the requests that wait behind it (this
//! avoids coordinated omission).

use axum::body::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout_at};

/// A request without a response after this time counts as an error.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Generator of random numbers that are the same in every run (xorshift).
#[derive(Clone)]
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % most.max(1)
    }

    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Returns the time until the next request, exponentially distributed with `mean` in seconds.
    fn interval(&mut self, mean: f64) -> Duration {
        let share = (self.below(1 << 30) + 1) as f64 / f64::from(1 << 30);
        Duration::from_secs_f64(mean * -share.ln())
    }
}

/// A request of a virtual user. `kind` is its name in the report.
pub struct Call {
    pub kind: &'static str,
    pub method: Method,
    pub path: String,
    pub body: Option<String>,
}

pub type Choose = Arc<dyn Fn(&mut Dice) -> Call + Send + Sync>;

#[derive(Clone)]
pub struct User {
    pub at: SocketAddr,
    pub token: String,
    pub dice: Dice,
    /// Chooses the user's next request.
    pub choose: Choose,
}

/// The latency of a request.
pub struct Wait {
    pub kind: &'static str,
    pub ms: f64,
    pub is_ok: bool,
}

type Connection = SendRequest<Full<Bytes>>;

impl User {
    async fn connect(&self) -> Result<Connection, Box<dyn Error + Send + Sync>> {
        let stream = TcpStream::connect(self.at).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(sender)
    }

    async fn send(&self, connection: &mut Connection, call: &Call) -> Result<StatusCode, Box<dyn Error + Send + Sync>> {
        connection.ready().await?;
        let body = call.body.clone().unwrap_or_default();
        let request = Request::builder()
            .method(&call.method)
            .uri(&call.path)
            .header(header::HOST, "bench.example")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(body)))?;
        let response = connection.send_request(request).await?;
        let status = response.status();
        response.into_body().collect().await?;
        Ok(status)
    }

    /// Sends a request. If the connection has failed, opens a new one and sends the request once more, as a browser
    /// does.
    async fn call(
        &self,
        connection: &mut Option<Connection>,
        call: &Call,
    ) -> Result<StatusCode, Box<dyn Error + Send + Sync>> {
        if let Some(open) = connection
            && let Ok(status) = self.send(open, call).await
        {
            return Ok(status);
        }
        let open = connection.insert(self.connect().await?);
        self.send(open, call).await
    }

    /// Sends requests from `begin` on for `time`, one every `mean` seconds on average. Returns their latencies.
    async fn visit(mut self, begin: Instant, mean: f64, time: Duration) -> Vec<Wait> {
        let mut waits = Vec::new();
        let mut connection = self.connect().await.ok();
        let mut due = begin + self.dice.interval(mean);
        while due < begin + time {
            sleep_until(due).await;
            let call = (self.choose)(&mut self.dice);
            let response = timeout_at(due + TIMEOUT, self.call(&mut connection, &call)).await;
            if response.is_err() {
                connection = None;
            }
            let status = response.ok().and_then(Result::ok);
            let is_ok = status.is_some_and(|status| status.is_success());
            if !is_ok {
                eprintln!("{} {}: {status:?}", call.method, call.path);
            }
            waits.push(Wait { kind: call.kind, ms: due.elapsed().as_secs_f64() * 1000.0, is_ok });
            due += self.dice.interval(mean);
        }
        waits
    }
}

/// The results of a period under load: the latency of each request, and the duration of the period.
pub struct Outcome {
    pub waits: Vec<Wait>,
    pub took: Duration,
}

impl Outcome {
    /// Returns the requests per second.
    pub fn rate(&self) -> f64 {
        self.waits.len() as f64 / self.took.as_secs_f64()
    }

    pub fn errors(&self) -> usize {
        self.waits.iter().filter(|wait| !wait.is_ok).count()
    }

    /// Returns percentiles of the latency in milliseconds, for one kind of request or for all.
    pub fn percentiles<const N: usize>(&self, kind: Option<&str>, percents: [f64; N]) -> [f64; N] {
        let some = self.waits.iter().filter(|wait| kind.is_none_or(|kind| wait.kind == kind));
        let mut all: Vec<f64> = some.map(|wait| wait.ms).collect();
        all.sort_by(f64::total_cmp);
        percents.map(|percent| {
            let at = (all.len() as f64 * percent / 100.0) as usize;
            all.get(at.min(all.len().saturating_sub(1))).copied().unwrap_or_default()
        })
    }
}

/// Lets all users send requests for `time`, `rate` per second in total.
pub async fn load(users: &[User], rate: f64, time: Duration) -> Outcome {
    let mean = users.len() as f64 / rate;
    let begin = Instant::now() + Duration::from_millis(500);
    let mut visits: JoinSet<_> = users.iter().cloned().map(|user| user.visit(begin, mean, time)).collect();
    let mut waits = Vec::new();
    while let Some(visit) = visits.join_next().await {
        waits.extend(visit.expect("a user's task does not panic"));
    }
    Outcome { waits, took: begin.elapsed().max(time) }
}
