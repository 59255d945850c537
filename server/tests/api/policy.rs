//! The authorization matrix: each route (`app/routes.rs`), as each of fifteen kinds of users, with their own ids and
//! with those of other tenants. The expected results follow from what each route requires and from core's permission
//! function. A route without a sample fails the test, so every new route needs one.

mod actors;
pub mod content;
mod entries;
pub mod expect;
pub mod fixtures;
mod matrix;
pub mod rows;
pub mod samples;

use crate::app::TestApp;
use fixtures::ResourceKind;
use forecourt::access::route::Method as RouteMethod;
use forecourt::app::routes::routes;
use forecourt_core::text::ROUTE_NOT_FOUND;
use matrix::Matrix;
use samples::SAMPLES;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Returns each occurrence of one of `words` in the Rust files of `folder`, as "file word", sorted.
fn occurrences(folder: &Path, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(occurrences(&entry, words));
        } else if entry.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&entry).unwrap();
            let name = entry.file_name().unwrap().to_string_lossy();
            let times = |word: &&str| vec![format!("{name} {word}"); text.matches(word).count()];
            found.extend(words.iter().flat_map(times));
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn only_routes_of_the_table_and_the_demos_mailbox_are_mounted() {
    let words = ["Router::new(", ".route(", ".merge(", ".nest(", "_service(", ".fallback("];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mailbox = ["mailbox.rs .route(", "mailbox.rs .route(", "mailbox.rs Router::new("];
    let routes_of_features = ["guard.rs .route(", "guard.rs Router::new("];
    let composition = ["mod.rs .fallback(", "mod.rs .merge("];
    // The metrics have a router of their own, because they are served at another address.
    let metrics = ["metrics_server.rs .route(", "metrics_server.rs Router::new("];
    let expected: Vec<_> = routes_of_features
        .iter()
        .chain(&mailbox)
        .chain(&metrics)
        .chain(&composition)
        .map(|place| (*place).to_owned())
        .collect();
    assert_eq!(occurrences(&source, &words), expected);

    let app = TestApp::start().await;
    let verbs = [RouteMethod::Get, RouteMethod::Post, RouteMethod::Put, RouteMethod::Delete];
    for route in routes() {
        let path = samples::path(route, &[]);
        for verb in verbs {
            let response = app.send(app.request(samples::method(verb), &path, None)).await;
            let exists = routes().any(|r| r.method == verb && r.path == route.path);
            assert_eq!(response.status != 405, exists, "{verb:?} {path}: {}", response.status);
        }
        let response = app.get(&format!("{path}/x/x"), None).await;
        assert_eq!(
            (response.status.as_u16(), &response.body["message"]),
            (404, &json!(ROUTE_NOT_FOUND.as_str())),
            "{path}/x/x"
        );
    }
    let mailbox = app.get(forecourt::app::demo::mailbox::PATH, None).await;
    assert!(!mailbox.body.to_string().contains("<h1>Mailbox"), "only the demo has the mailbox");
}

#[tokio::test]
async fn t1_every_route_follows_the_table_and_hides_foreign_ids() {
    let mut matrix = Matrix::new().await;
    for route in routes() {
        let samples: Vec<_> = SAMPLES.iter().filter(|sample| sample.is_for_route(route)).collect();
        matrix.check(!samples.is_empty(), || format!("{:?} {} has no sample", route.method, route.path));
        let ids = route.path.matches('{').count();
        for sample in samples {
            let named = sample.id.map_or(0, ResourceKind::depth);
            matrix.check(ids == named, || format!("{}: the sample does not say what its ids name", route.path));
            matrix.check_row(route, sample).await;
        }
    }
    for sample in SAMPLES.iter() {
        let is_used = routes().any(|route| sample.is_for_route(route));
        matrix.check(is_used, || format!("{sample:?} has no route"));
    }
    let Matrix { asserted, faults, .. } = matrix;
    let line = format!(
        "authorization matrix: {asserted} assertions about {} routes and 15 kinds of users\n",
        routes().count()
    );
    // Written to stdout directly, because the test harness captures `println!`.
    std::io::stdout().write_all(line.as_bytes()).unwrap();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(asserted > 2_000, "{asserted}");
}
