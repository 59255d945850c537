//! The health routes and the command `forecourt health`.

use crate::app::{CLERK, TestApp};
use forecourt::app::health::check_readiness;
use forecourt_core::text::{SCHEMA_MISMATCH, SHUTTING_DOWN};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const LIVE: &str = "/api/health/live";
const READY: &str = "/api/health/ready";

#[tokio::test]
async fn a_server_whose_database_has_a_newer_schema_is_live_but_not_ready() {
    let app = TestApp::start().await;
    assert_eq!(app.get(READY, None).await.status, 200);
    let text = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                VALUES (9999, 'later', TRUE, $1, 0)";
    app.db().sql(text).bind(vec![1_u8]).exec().await.unwrap();
    let response = app.get(READY, None).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (503, &json!(SCHEMA_MISMATCH.as_str())));
    assert!(response.headers.contains_key("retry-after"));
    assert_eq!(app.get(LIVE, None).await.status, 200);
}

#[tokio::test]
async fn a_server_without_a_database_is_live_but_not_ready() {
    let app = TestApp::start().await;
    app.db().close().await;
    assert_eq!(app.get(LIVE, None).await.status, 200);
    for path in [READY, "/api/health"] {
        assert_eq!(app.get(path, None).await.status, 503, "{path}");
    }
}

#[tokio::test]
async fn a_draining_server_is_not_ready_but_still_serves_requests() {
    let app = TestApp::start_with(&["--drain-seconds", "300"]).await;
    let token = app.sign_in(CLERK).await;
    app.request_shutdown();
    let deadline = Instant::now() + Duration::from_secs(20);
    let response = loop {
        let response = app.get(READY, None).await;
        if response.status != 200 {
            break response;
        }
        assert!(Instant::now() < deadline, "the server stays ready");
        sleep(Duration::from_millis(5)).await;
    };
    assert_eq!((response.status.as_u16(), &response.body["message"]), (503, &json!(SHUTTING_DOWN.as_str())));
    assert_eq!(app.get("/api/contacts", Some(&token)).await.status, 200);
    assert_eq!(app.get(LIVE, None).await.status, 200);
}

#[tokio::test]
async fn the_health_command_reports_ready_not_ready_and_no_server() {
    let app = TestApp::start().await;
    let ask_at = async |listen: SocketAddr| {
        let mut config = (*app.app.config).clone();
        config.listen = listen;
        check_readiness(&config).await
    };
    let port = app.address.port();
    for ip in [Ipv4Addr::LOCALHOST, Ipv4Addr::UNSPECIFIED] {
        assert_eq!(ask_at((ip, port).into()).await, Ok(()), "{ip}");
    }
    app.db().close().await;
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let not_ready = format!("the server on {here} is not ready: it responds with 503 Service Unavailable");
    assert_eq!(ask_at(here).await, Err(not_ready));
    let closed_port = TcpListener::bind((IpAddr::from(Ipv4Addr::LOCALHOST), 0)).unwrap().local_addr().unwrap();
    let line = ask_at(closed_port).await.unwrap_err();
    assert!(line.starts_with(&format!("no server responds on {closed_port}: ")), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}
