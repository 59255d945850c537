//! The metrics for Prometheus.

use crate::admin::{Installation, Server};
use crate::app::{ADMIN, CLERK, PASSWORD, TestApp, client};
use forecourt::app::routes::routes;
use reqwest::Method;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Returns the text of the metrics, from the separate address at which they are served.
async fn fetch_metrics(app: &TestApp) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/metrics", listener.local_addr().unwrap());
    let (_stop, stopped) = watch::channel(false);
    tokio::spawn(forecourt::app::metrics_server::serve(app.app.clone(), listener, stopped));
    let response = client().get(url).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    response.text().await.unwrap()
}

#[tokio::test]
async fn requests_rejections_mails_and_the_database_have_metrics() {
    let app = TestApp::start().await;
    app.sign_in(CLERK).await;
    let wrong = json!({"email": ADMIN, "password": "wrong", "deviceId": "d"});
    assert_eq!(app.post("/api/auth/login", None, wrong).await.status, 401);
    assert_eq!(app.get("/api/contacts", None).await.status, 401);
    app.get("/api/contacts/0199aa00-0000-7000-8000-000000000001", None).await;
    let text = fetch_metrics(&app).await;
    let count = r#"forecourt_request_duration_seconds_count{route="#;
    for line in [
        &format!(r#"{count}"/api/auth/login",method="POST",status="2xx"}} 1"#),
        &format!(r#"{count}"/api/auth/login",method="POST",status="4xx"}} 1"#),
        &format!(r#"{count}"/api/contacts/{{id}}",method="GET",status="4xx"}} 1"#),
        r#"forecourt_refusals_total{route="/api/auth/login",reason="wrong_credentials"} 1"#,
        r#"forecourt_refusals_total{route="/api/contacts",reason="session_expired"} 1"#,
        r#"forecourt_mails_total{outcome="kept"} 1"#,
        r#"forecourt_waiting{what="imports_running"} 0"#,
        r#"forecourt_waiting{what="mails"} 0"#,
        "forecourt_database_up 1",
        "forecourt_requests_in_flight 0",
        r#"forecourt_password_hashes{state="computing"} 0"#,
        "process_start_time_seconds 1800000000",
        "# EOF",
    ] {
        assert!(text.lines().any(|l| l == line || l == format!("{line}.0")), "{line} is not in\n{text}");
    }
    for name in [
        // The value of this one is not compared, because a job may be writing at this moment.
        "forecourt_database_write_queue ",
        "forecourt_database_wait_seconds_count ",
        "forecourt_panics_total ",
        "forecourt_build_info{",
        "forecourt_import_rows_total 0",
        r#"forecourt_database_connections{state="idle"}"#,
        "process_resident_memory_bytes ",
        "process_open_fds ",
        "process_cpu_seconds_total ",
    ] {
        assert!(text.lines().any(|l| l.starts_with(name)), "{name} is not in\n{text}");
    }
}

#[tokio::test]
async fn counters_that_alerts_watch_start_at_zero() {
    let app = TestApp::start().await;
    let text = fetch_metrics(&app).await;
    let unexpected = |route| format!(r#"forecourt_refusals_total{{route="{route}",reason="unexpected"}} 0"#);
    let mails = |outcome| format!(r#"forecourt_mails_total{{outcome="{outcome}"}} 0"#);
    let routes = routes().map(|route| route.path).chain(["unknown", "web"]).map(unexpected);
    for line in routes.chain(["failed", "again"].map(mails)) {
        assert!(text.lines().any(|each| each == line), "{line} is not in\n{text}");
    }
}

#[tokio::test]
async fn exceeded_limits_are_counted_by_their_name() {
    let app = TestApp::start().await;
    let login = || json!({"email": "nobody@example.se", "password": "wrong", "deviceId": "d"});
    for _ in 0..11 {
        app.post("/api/auth/login", None, login()).await;
    }
    let text = fetch_metrics(&app).await;
    assert!(text.contains(r#"forecourt_throttled_total{limit="login account"} 1"#), "{text}");
    assert!(text.contains(r#"{route="/api/auth/login",reason="too_many"} 1"#), "{text}");
}

#[tokio::test]
async fn the_metrics_contain_no_data_of_requests() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    app.post("/api/contacts", Some(&token), json!({"name": "Canary Kanarie"})).await;
    app.get("/api/canary-path?search=canary-query", Some(&token)).await;
    app.get("/canary-page", None).await;
    app.send(app.request(Method::from_bytes(b"CANARY").unwrap(), "/api/contacts", None)).await;
    let text = fetch_metrics(&app).await;
    for secret in ["canary", "kanarie", "nordbil", PASSWORD, &token, &app.nordbil.to_string()] {
        assert!(!text.to_lowercase().contains(&secret.to_lowercase()), "{secret} is in the metrics");
    }
    let labels = text.split(r#"route=""#).skip(1).map(|rest| rest.split('"').next().unwrap());
    for route in labels {
        assert!(["web", "unknown"].contains(&route) || routes().any(|line| line.path == route), "{route}");
    }
    assert!(text.contains(r#"{route="unknown",method="GET",status="4xx"}"#), "{text}");
    assert!(text.contains(r#"{route="/api/contacts",method="other",status="4xx"}"#), "{text}");
}

#[tokio::test]
async fn metrics_are_served_without_a_database() {
    let app = TestApp::start().await;
    app.db().close().await;
    let text = fetch_metrics(&app).await;
    assert!(text.contains("forecourt_database_up 0") && text.contains("process_open_fds"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_served_only_at_their_own_address() {
    let installation = Installation::new().await;
    let own = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let server = Server::start(&installation, &["--metrics-listen", &own]);
    let metrics = client().get(format!("http://{own}/metrics")).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("forecourt_build_info"), "{metrics}");
    assert_eq!(client().get(format!("http://{own}/api/health")).send().await.unwrap().status(), 404);
    for path in ["/metrics", "/api/metrics"] {
        let public = client().get(format!("{}{path}", server.address)).send().await.unwrap().text().await.unwrap();
        assert!(!public.contains("forecourt_build_info"), "{path}: {public}");
    }
    server.stop();
    assert!(client().get(format!("http://{own}/metrics")).send().await.is_err(), "the address outlives the server");
}
