//! What applies to all routes: authentication, request bodies and response headers (S4 and S6 to S8 of
//! docs/security.md).

use crate::app::{ADMIN, ApiResponse, NO_ROLE, SUPER_ADMIN, TestApp};
use crate::openapi::DOCUMENT;
use forecourt::access::route::{Body, Method as RouteMethod, Who};
use forecourt::app::routes::routes;
use forecourt::features::Route;
use forecourt_core::permissions::ResourceId;
use forecourt_core::text::{SENT_TWICE, SESSION_ENDED};
use reqwest::Method;
use serde_json::json;

fn method(route: &Route) -> Method {
    match route.method {
        RouteMethod::Get => Method::GET,
        RouteMethod::Post => Method::POST,
        RouteMethod::Put => Method::PUT,
        RouteMethod::Delete => Method::DELETE,
    }
}

/// Returns the route's path with a random id in place of each parameter.
fn path(route: &Route) -> String {
    let id = uuid::Uuid::now_v7().to_string();
    let part = |part: &str| if part.starts_with('{') { id.clone() } else { part.to_owned() };
    route.path.split('/').map(part).collect::<Vec<_>>().join("/")
}

async fn send(app: &TestApp, route: &Route, token: Option<&str>) -> ApiResponse {
    app.send(app.request(method(route), &path(route), token)).await
}

#[tokio::test]
async fn s4_an_invalid_session_gets_401_and_a_missing_permission_403() {
    let app = TestApp::start().await;
    let (platform, admin, no_role) =
        (app.sign_in(SUPER_ADMIN).await, app.sign_in(ADMIN).await, app.sign_in(NO_ROLE).await);
    // Routes that end the user's own session or account are left out; other tests request them.
    let ends = |route: &&Route| route.path.ends_with("/logout") || route.path.ends_with("/delete-account");
    for route in routes().filter(|r| r.who != Who::Public).filter(|r| !ends(r)) {
        let name = format!("{:?} {}", route.method, route.path);
        for token in [None, Some("forged"), Some("a.b.c")] {
            let response = send(&app, route, token).await;
            assert_eq!(
                (response.status.as_u16(), &response.body["message"]),
                (401, &json!(SESSION_ENDED.as_str())),
                "{name}"
            );
        }
        for (who, token) in [("the Super Admin", &platform), ("the Admin", &admin), ("the user", &no_role)] {
            let status = send(&app, route, Some(token)).await.status.as_u16();
            assert!(status != 401 && status < 500, "{name} for {who}: {status}");
            let is_rejected = match (route.who, who) {
                // The handler of this route decides by the request itself whether it responds with 403.
                (Who::Session, _) if route.errors.contains(&403) => continue,
                (Who::Session, _) | (_, "the Super Admin") => false,
                (_, "the user") => true,
                (Who::May(_, resource), _) => resource == ResourceId::Corporations,
                _ => false,
            };
            assert_eq!(status == 403, is_rejected, "{name} for {who}: {status}");
        }
    }
    for token in [&platform, &admin, &no_role] {
        assert_eq!(app.get("/api/auth/profile/detail", Some(token)).await.status, 200, "all sessions are still active");
    }
}

#[tokio::test]
async fn s6_public_routes_reject_content_types_that_other_sites_can_send() {
    let app = TestApp::start().await;
    let body = json!({"email": ADMIN, "password": "x", "deviceId": "d"}).to_string();
    let public = routes().filter(|r| r.who == Who::Public && r.method != RouteMethod::Get && r.body == Body::Small);
    for route in public {
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
            let request = app.request(method(route), &path(route), None).body(body.clone());
            let request = if kind.is_empty() { request } else { request.header("content-type", kind) };
            let response = app.send(request).await;
            assert_eq!(
                (response.status.as_u16(), &response.body["success"]),
                (415, &json!(false)),
                "{} {kind}",
                route.path
            );
        }
    }
}

/// The headers that every response has, for each path and status.
const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", forecourt::platform::http::CSP),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()"),
];

fn assert_headers(response: &ApiResponse, route_name: &str) {
    for (name, value) in HEADERS {
        let seen = response.headers.get(name).unwrap_or_else(|| panic!("{route_name} lacks {name}"));
        assert_eq!(seen, value, "{route_name}");
    }
    assert!(response.headers.contains_key("x-request-id") && !response.headers.contains_key("server"), "{route_name}");
}

#[tokio::test]
async fn s7_every_response_has_the_security_headers() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for route in routes() {
        let route_name = format!("{:?} {}", route.method, route.path);
        for token in [None, Some(token.as_str())] {
            let response = send(&app, route, token).await;
            assert_headers(&response, &route_name);
            let cache_control = response.headers.get("cache-control").map(|v| v.to_str().unwrap());
            assert_eq!(cache_control, Some("no-store"), "{route_name}");
        }
    }
    for (verb, path, status) in [
        (Method::GET, "/api/nothing", 404),
        (Method::DELETE, "/api/health", 405),
        (Method::GET, "/assets/none.js", 404),
        (Method::GET, "/../../etc/passwd", 200),
        (Method::GET, "/", 200),
        (Method::GET, "/reset-password?token=x", 200),
    ] {
        let response = app.send(app.request(verb, path, None)).await;
        assert_headers(&response, path);
        // In a build without the web app, only API routes have the expected status.
        assert!(response.status == status || !path.starts_with("/a"), "{path}: {}", response.status);
        assert!(!response.headers.contains_key("strict-transport-security"));
    }
    let secure = TestApp::start_with(&["--public-url", "https://cars.example"]).await;
    let response = secure.get("/api/health", None).await;
    assert_eq!(response.headers["strict-transport-security"], "max-age=31536000");
}

#[tokio::test]
async fn s8_no_cross_origin_request_gets_cors_headers() {
    let app = TestApp::start_with(&["--public-url", "https://cars.example"]).await;
    let origins = [
        "null",
        "https://evil.example",
        "https://cars.example",
        "https://cars.example.evil.example",
        "https://evilcars.example",
        "https://CARS.example",
        "http://cars.example",
        "*",
    ];
    for origin in origins {
        for path in ["/api/health", "/api/auth/login", "/api/contacts", "/", "/api/nothing"] {
            for verb in [Method::GET, Method::POST, Method::OPTIONS] {
                let request = app.request(verb.clone(), path, None).header("origin", origin);
                let request = request.header("access-control-request-method", "POST");
                let response = app.send(request.header("access-control-request-headers", "authorization")).await;
                let let_in = response.headers.keys().find(|name| name.as_str().starts_with("access-control-"));
                assert_eq!(let_in, None, "{verb} {path} from {origin}");
            }
        }
    }
}

#[tokio::test]
async fn errors_of_the_framework_have_the_api_error_format() {
    let app = TestApp::start().await;
    let put = app.send(app.request(Method::PUT, "/api/health", None)).await;
    assert_eq!((put.status.as_u16(), &put.body["success"]), (405, &json!(false)));
    let text = app.send(app.request(Method::POST, "/api/auth/login", None).body("x")).await;
    assert_eq!((text.status.as_u16(), &text.body["success"]), (415, &json!(false)));
    let broken = app.request(Method::POST, "/api/auth/login", None).header("content-type", "application/json");
    let broken = app.send(broken.body("{\"password\":\"hunter2\"")).await;
    assert_eq!(broken.status, 400);
    assert!(!broken.body.to_string().contains("hunter2"));
    let large = app.post("/api/auth/login", None, json!({"email": "x".repeat(300_000)})).await;
    assert_eq!(large.status, 413);
}

#[tokio::test]
async fn unknown_methods_are_rejected_and_the_request_is_not_echoed() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let odd = ["TRACE", "TRACK", "PATCH", "PROPFIND", "DEBUG"].map(|m| Method::from_bytes(m.as_bytes()).unwrap());
    let paths = routes().map(path).chain(["/", "/assets/none.js", "/api/nothing"].map(str::to_owned));
    for path in paths {
        for method in &odd {
            let response = app.send(app.request(method.clone(), &path, Some(&token)).header("x-echo", "canary")).await;
            let text = format!("{:?}{}", response.headers, response.body);
            assert!([404, 405].contains(&response.status.as_u16()), "{method} {path}: {}", response.status);
            assert!(!text.contains("canary") && !text.contains(&token), "{method} {path}: {text}");
        }
    }
}

#[tokio::test]
async fn repeated_query_parameters_and_json_fields_are_rejected() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    for path in
        ["contacts?page=1&page=2", "contacts?search=a&search=b", "customers?limit=1&limit=100", "users?page=1&page=1"]
    {
        let response = app.get(&format!("/api/{path}"), Some(&token)).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(SENT_TWICE.as_str())), "{path}");
    }
    let twice = r#"{"email": "a@b.se", "email": "c@d.se", "password": "x", "deviceId": "d"}"#;
    let request = app.request(Method::POST, "/api/auth/login", None).header("content-type", "application/json");
    assert_eq!(app.send(request.body(twice)).await.status, 400);
}

#[tokio::test]
async fn every_route_rejects_an_array_in_place_of_a_json_object() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let takes_json = |route: &&Route| {
        let operation = &DOCUMENT["paths"][route.path][method(route).as_str().to_lowercase()];
        operation["requestBody"]["content"]["application/json"].is_object()
    };
    for route in routes().filter(takes_json) {
        let request = app.request(method(route), &path(route), Some(&token)).json(&json!([]));
        let response = app.send(request).await;
        // The error belongs to no field.
        let seen = (response.status.as_u16(), &response.body["fields"]);
        assert_eq!(seen, (400, &json!({})), "{:?} {}: {}", route.method, route.path, response.body);
    }
    let contact = json!(["Array Contact", "arr@x.example", "1"]);
    assert_eq!(app.post("/api/contacts", Some(&token), contact).await.status, 400);
}

#[tokio::test]
async fn every_text_response_declares_its_charset() {
    let (app, token) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let pages = ["/", "/favicon.svg", "/theme.js", "/assets/none.js", "/api/nothing"].map(str::to_owned);
    for path in routes().filter(|route| route.method == RouteMethod::Get).map(path).chain(pages) {
        let response = app.get(&path, Some(&token)).await;
        let Some(kind) = response.headers.get("content-type").map(|kind| kind.to_str().unwrap()) else { continue };
        let is_text = kind.starts_with("text/") || kind.contains("xml");
        assert!(!is_text || kind.ends_with("; charset=utf-8"), "{path}: {kind}");
    }
}
