//! Two minimal servers that Forecourt is compared with: one sends a constant response, the other reads one row by its
//! key. Both use Forecourt's web framework and listener, but a plain accept loop. Each runs as a child process of this
//! benchmark.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use forecourt::platform::http;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{PgPool, SqlitePool};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use tokio::net::TcpStream;
use uuid::Uuid;

/// Size of the database pool, as in Forecourt.
const CONNECTIONS: u32 = 8;
const POINT: &str = "SELECT name, email, phone FROM contacts WHERE corp_id = $1 AND contact_id = $2";

type Row = (String, String, String);

#[derive(Clone)]
enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Pool {
    async fn open(url: &str) -> Self {
        if url.starts_with("sqlite:") {
            let options = url.parse::<SqliteConnectOptions>().expect("the database has an address").read_only(true);
            let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await;
            return Pool::Sqlite(pool.expect("the database opens"));
        }
        // Row-level security is set once per connection; Forecourt sets it with every statement.
        let options: PgConnectOptions = url.parse().expect("the database has an address");
        let options = options.options([("forecourt.corp", "all")]);
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await;
        Pool::Postgres(pool.expect("the database opens"))
    }

    async fn point(&self, corp: Uuid, id: Uuid) -> sqlx::Result<Row> {
        match self {
            Pool::Sqlite(pool) => sqlx::query_as(POINT).bind(corp).bind(id).fetch_one(pool).await,
            Pool::Postgres(pool) => sqlx::query_as(POINT).bind(corp).bind(id).fetch_one(pool).await,
        }
    }
}

async fn point(State(pool): State<Pool>, Path((corp, id)): Path<(Uuid, Uuid)>) -> Result<Json<Value>, StatusCode> {
    let (name, email, phone) = pool.point(corp, id).await.map_err(|_| StatusCode::NOT_FOUND)?;
    Ok(Json(json!({"name": name, "email": email, "phone": phone})))
}

/// Serves on the address `at` until the process is killed: a constant response if `url` is `hello`, else rows of the
/// database with this URL.
pub async fn serve(at: &str, url: &str) {
    let app = match url {
        "hello" => Router::new().route("/", get(async || "Hello")),
        url => Router::new().route("/{corp}/{id}", get(point)).with_state(Pool::open(url).await),
    };
    let listener = http::listen(at.parse().expect("an address is given"), "bare").expect("the port is free");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection is accepted");
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone());
        let connection = http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service);
        tokio::spawn(connection);
    }
}

/// A child process that runs one of the two minimal servers.
pub struct Bare {
    pub process: Child,
    pub at: SocketAddr,
}

impl Bare {
    pub async fn start(what: &str) -> Self {
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port is free");
        let this = std::env::current_exe().expect("the program knows its place");
        let mut program = Command::new(this);
        program.args(["bare", &free.to_string(), what]).stdin(Stdio::null());
        let bare = Bare { process: program.spawn().expect("the program starts"), at: free };
        while TcpStream::connect(bare.at).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        bare
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
