//! Counts the cost of a request: on PostgreSQL the round trips between node and database, including those that check a
//! connection; on SQLite the statements.

use crate::app::{CLERK, TestApp};
use crate::customers::customer;
use crate::helpers::{create_record, delete};
use crate::invoices::invoice;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use uuid::Uuid;

/// The maximum cost of a creation, and of a list without a filter.
const LIMIT: u64 = 4;

/// A TCP proxy in front of PostgreSQL that counts round trips.
struct Proxy {
    address: SocketAddr,
    round_trips: Arc<AtomicU64>,
}

impl Proxy {
    async fn start(database: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, round_trips) = (listener.local_addr().unwrap(), Arc::new(AtomicU64::new(0)));
        let counter = round_trips.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(database).await.unwrap();
                let (mut from_client, mut to_client) = client.into_split();
                let (from_server, mut to_server) = server.into_split();
                tokio::spawn(async move { copy(&mut from_client, &mut to_server).await });
                let counter = counter.clone();
                tokio::spawn(async move { forward(from_server, &mut to_client, &counter).await });
            }
        });
        Proxy { address, round_trips }
    }
}

/// Forwards PostgreSQL's messages to the client, and counts `ReadyForQuery`, which ends a round trip. A message is one
/// byte for its type, and a length that includes the length itself.
async fn forward(
    mut server: impl AsyncRead + Unpin,
    client: &mut (impl AsyncWriteExt + Unpin),
    round_trips: &AtomicU64,
) -> std::io::Result<()> {
    loop {
        let mut message = vec![0; 5];
        server.read_exact(&mut message).await?;
        let length = u32::from_be_bytes(message[1..].try_into().unwrap()) as usize;
        message.resize(1 + length, 0);
        server.read_exact(&mut message[5..]).await?;
        if message[0] == b'Z' {
            round_trips.fetch_add(1, Ordering::SeqCst);
        }
        client.write_all(&message).await?;
    }
}

/// A node without jobs whose requests are counted.
struct CountedNode {
    node: TestApp,
    proxy: Option<Proxy>,
}

impl CountedNode {
    async fn start(app: &TestApp) -> Self {
        let mut config = app.config();
        let Ok(mut url) = url::Url::parse(config.platform.database_url().expose_secret()) else { unreachable!() };
        if url.scheme() == "sqlite" {
            return CountedNode { node: app.start_another_node().await, proxy: None };
        }
        let proxy = Proxy::start(SocketAddr::from(([127, 0, 0, 1], url.port().unwrap()))).await;
        url.set_port(Some(proxy.address.port())).unwrap();
        // Without TLS, so that the proxy can read the messages.
        url.query_pairs_mut().append_pair("sslmode", "disable");
        config.platform.database_url = Some(url.to_string().into());
        CountedNode { node: app.start_another_node_with(config).await, proxy: Some(proxy) }
    }

    fn count(&self) -> u64 {
        match &self.proxy {
            Some(proxy) => proxy.round_trips.load(Ordering::SeqCst),
            None => self.node.db().statements(),
        }
    }

    fn get(&self, path: &str, token: &str) -> RequestBuilder {
        self.node.request(Method::GET, path, Some(token))
    }

    /// Returns a POST request with a new key, as the app sends them.
    fn post(&self, path: &str, token: &str, form: &Value) -> RequestBuilder {
        let request = self.node.request(Method::POST, path, Some(token)).json(form);
        request.header("idempotency-key", Uuid::now_v7().to_string())
    }

    /// Returns the lowest cost of 24 equal requests, because a request costs more on a connection that has not yet
    /// prepared its statements. `prepare` returns each of them. What it sends before goes to another node, so that it is
    /// not counted.
    async fn cost(&self, prepare: impl AsyncFn() -> RequestBuilder) -> u64 {
        let mut least = u64::MAX;
        for _ in 0..24 {
            let request = prepare().await;
            let before = self.count();
            let response = self.node.send(request).await;
            assert!(response.status.is_success(), "{}", response.body);
            least = least.min(self.count() - before);
        }
        least
    }
}

#[tokio::test]
async fn a_clerks_requests_take_few_round_trips() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let counted = CountedNode::start(&app).await;
    let contact = json!({"name": "Ada", "email": "ada@example.se"});
    let (customer, invoice) = (customer("Ada"), invoice("Ada"));
    // On PostgreSQL, a creation takes the guard's query; the same query under lock, with BEGIN; the statement with its
    // history entry; COMMIT. On SQLite, the entry is a statement of its own, and BEGIN and COMMIT are not counted. A
    // list takes the guard's query, the total, the page; a sorted one reads the ids of the page before its rows.
    for (path, form, on_sqlite, on_postgres) in [
        ("/api/contacts", Some(&contact), 4, 4),
        ("/api/customers", Some(&customer), 4, 4),
        ("/api/invoices", Some(&invoice), 4, 4),
        ("/api/contacts", None, 3, 3),
        ("/api/contacts?limit=10&page=1", None, 3, 3),
        ("/api/customers", None, 3, 3),
        ("/api/invoices?page=1", None, 3, 3),
        ("/api/contacts?sort=name", None, 4, 4),
    ] {
        let expected = app.db().pick(on_sqlite, on_postgres);
        assert!(expected <= LIMIT);
        let prepare = async || form.map_or_else(|| counted.get(path, &token), |form| counted.post(path, &token, form));
        assert_eq!(counted.cost(prepare).await, expected, "{path}, a form: {}", form.is_some());
    }
    // A query with a filter is planned for its own values, which takes one more. Its total is cached.
    let filter: String = url::form_urlencoded::byte_serialize(br#"[{"field":"name","op":"is_not_empty"}]"#).collect();
    let filtered = format!("/api/contacts?filter={filter}");
    assert_eq!(counted.cost(async || counted.get(&filtered, &token)).await, app.db().pick(4, 5));
    // A list of customers costs one more after a change, because the statistics are read again.
    let after_change = async || {
        assert_eq!(app.post("/api/customers", Some(&token), customer.clone()).await.status, 201);
        counted.get("/api/customers", &token)
    };
    assert_eq!(counted.cost(after_change).await, 4);
}

#[tokio::test]
async fn a_deletion_and_a_restoration_take_a_fixed_number_of_round_trips() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let counted = CountedNode::start(&app).await;
    let (contact, customer) = (json!({"name": "Ada"}), customer("Ada"));
    // On PostgreSQL, a deletion takes the guard's query; the same query under lock, with BEGIN; a lock of the lists; the
    // states of agreements; the row; the comments or the linked invoices; the linked agreements; the DELETE; an INSERT
    // each of the trash and of the history; COMMIT. On SQLite, nothing is locked, and BEGIN and COMMIT are not counted.
    for (path, form, id, on_sqlite, on_postgres) in
        [("/api/contacts", &contact, "_id", 9, 11), ("/api/customers", &customer, "customer_id", 9, 11)]
    {
        let prepare = async || {
            let record = create_record(&app, &token, path, form.clone(), id).await;
            counted.node.request(Method::DELETE, &record, Some(&token))
        };
        assert_eq!(counted.cost(prepare).await, app.db().pick(on_sqlite, on_postgres), "{path}");
    }
    // On PostgreSQL, a restoration takes the guard's query; the same query under lock, with BEGIN; a lock of the lists;
    // the id in the trash; the DELETE there; the reserved number; an INSERT each of the row and of the history; COMMIT.
    // On SQLite, nothing is locked, and BEGIN and COMMIT are not counted, but it also adds to the list's total and to the
    // sums by month.
    let prepare = async || {
        let record = create_record(&app, &token, "/api/contacts", contact.clone(), "_id").await;
        assert_eq!(delete(&app, &record, &token).await.status, 200);
        let id = record.rsplit('/').next().unwrap();
        counted.post("/api/trash/restore", &token, &json!({"resource": "contacts", "ids": [id]}))
    };
    assert_eq!(counted.cost(prepare).await, 9);
}
