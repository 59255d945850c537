//! Whether the program works, for those who send people to it or start it anew.

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
async fn a_server_on_the_schema_of_another_version_lives_and_is_not_ready() {
    let app = TestApp::start().await;
    assert_eq!(app.get(READY, None).await.status, 200);
    let text = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                VALUES (9999, 'later', TRUE, $1, 0)";
    app.db().sql(text).bind(vec![1_u8]).exec().await.unwrap();
    let answer = app.get(READY, None).await;
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (503, &json!(SCHEMA_MISMATCH)));
    assert!(answer.headers.contains_key("retry-after"));
    assert_eq!(app.get(LIVE, None).await.status, 200);
}

#[tokio::test]
async fn without_a_database_a_server_lives_and_is_not_ready() {
    let app = TestApp::start().await;
    app.db().close().await;
    assert_eq!(app.get(LIVE, None).await.status, 200);
    for path in [READY, "/api/health"] {
        assert_eq!(app.get(path, None).await.status, 503, "{path}");
    }
}

#[tokio::test]
async fn a_server_that_is_asked_to_stop_says_so_and_goes_on_working_for_as_long_as_was_set() {
    let app = TestApp::start_with(&["--drain-seconds", "300"]).await;
    let token = app.sign_in(CLERK).await;
    app.ask_to_stop();
    let deadline = Instant::now() + Duration::from_secs(20);
    let answer = loop {
        let answer = app.get(READY, None).await;
        if answer.status != 200 {
            break answer;
        }
        assert!(Instant::now() < deadline, "it goes on being ready");
        sleep(Duration::from_millis(5)).await;
    };
    assert_eq!((answer.status.as_u16(), &answer.body["message"]), (503, &json!(SHUTTING_DOWN)));
    assert_eq!(app.get("/api/contacts", Some(&token)).await.status, 200);
    assert_eq!(app.get(LIVE, None).await.status, 200);
}

#[tokio::test]
async fn the_command_health_tells_a_server_that_is_ready_from_one_that_is_not_and_from_none() {
    let app = TestApp::start().await;
    let asked = async |listen: SocketAddr| {
        let mut config = (*app.app.platform.config).clone();
        config.listen = listen;
        check_readiness(&config).await
    };
    let port = app.address.port();
    for ip in [Ipv4Addr::LOCALHOST, Ipv4Addr::UNSPECIFIED] {
        assert_eq!(asked((ip, port).into()).await, Ok(()), "{ip}");
    }
    app.db().close().await;
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let not_ready = format!("the server on {here} is not ready: it responds with 503 Service Unavailable");
    assert_eq!(asked(here).await, Err(not_ready));
    let nobodys = TcpListener::bind((IpAddr::from(Ipv4Addr::LOCALHOST), 0)).unwrap().local_addr().unwrap();
    let line = asked(nobodys).await.unwrap_err();
    assert!(line.starts_with(&format!("no server responds on {nobodys}: ")), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}
