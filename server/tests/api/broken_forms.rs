//! Malformed multipart forms: every route that accepts one rejects them without an effect.

use crate::app::{ADMIN, TestApp};
use crate::helpers::{count_rows, create_record};
use crate::vehicles;
use forecourt_core::profile::AVATAR_FIELD;
use forecourt_core::theme::LOGO_FIELD;
use forecourt_core::vehicles::PHOTO_FIELD;
use reqwest::Method;
use serde_json::json;

fn part(disposition: &str, more: &str, content: &str) -> String {
    format!("--b\r\nContent-Disposition: form-data; {disposition}\r\n{more}\r\n{content}\r\n")
}

/// Returns multipart bodies that are malformed, lack a usable file or have two. Their boundary is `b`.
fn malformed_bodies(field: &str) -> Vec<String> {
    let file = |disposition: &str, content: &str| part(&format!("name=\"{field}\"; {disposition}"), "", content);
    let good = file("filename=\"a.csv\"", "Namn\nAda");
    let twice = format!("{good}{good}--b--\r\n");
    let mut bodies = vec![
        String::new(),
        "--b--\r\n".into(),
        "--b\r\n".into(),
        "\r\n--b\r\n\r\n\r\n--b--".into(),
        "no boundary at all".into(),
        "--c\r\n\r\n--c--\r\n".into(),
        good.replace("\r\n", "\n"),
        good.replace("Content-Disposition", "Content-Disposition\0"),
        good.replace("form-data", "attachment"),
        good.replace("--b\r\n", "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n"),
        good.replace("--b\r\n", &format!("--b\r\nX: {}\r\n", "a".repeat(200_000))),
        good.replace("--b\r\n", &format!("--b\r\n{}", "X: a\r\n".repeat(10_000))),
        part("name", "", "x") + "--b--\r\n",
        part("name=", "", "x") + "--b--\r\n",
        part("name=\"\"; filename=\"\"", "", "") + "--b--\r\n",
        part(&format!("name=\"{field}\"; filename*=utf-8''%ff%zz"), "", "x") + "--b--\r\n",
        part(&format!("name*=utf-8''{field}; filename=\"a.csv"), "", "x") + "--b--\r\n",
        part("name=\"other\"; filename=\"a.csv\"", "Content-Type: \u{e9}/\u{0}\r\n", "x") + "--b--\r\n",
        part("name=\"other\"", "Content-Type: multipart/mixed; boundary=b\r\n", "--b--\r\n--b--") + "--b--\r\n",
        file("filename=\"../../\0\"", "\u{0}\u{1}") + "--b--\r\n",
        file("filename=\"a.csv\"; filename=\"b.xlsx\"", "PK\u{3}\u{4}") + "--b--\r\n",
        file(&format!("filename=\"{}.csv\"", "a".repeat(20_000)), "PK\u{3}\u{4}") + "--b--\r\n",
        part("name=\"x\"", "", "y").repeat(20_000) + "--b--\r\n",
        twice,
    ];
    bodies.extend((0..good.len()).step_by(9).map(|end| good[..end].to_owned()));
    bodies
}

#[tokio::test]
async fn malformed_multipart_forms_are_rejected_without_an_effect() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let vehicle = create_record(&app, &token, vehicles::PATH, (vehicles::RECORD.form)(), "vehicle_id").await;
    let photos = format!("{vehicle}/photos");
    // The routes that accept a multipart form, with the name of the form's field for the file.
    let routes = [
        (Method::POST, "/api/contacts/import/preview", "file"),
        (Method::POST, "/api/contacts/import/submit", "file"),
        (Method::PUT, "/api/theme/logo", LOGO_FIELD),
        (Method::POST, "/api/auth/profile/update-profile", AVATAR_FIELD),
        (Method::POST, &photos, PHOTO_FIELD),
    ];
    for (method, path, field) in routes {
        for body in malformed_bodies(field) {
            let request = app.request(method.clone(), path, Some(&token));
            let request = request.header("content-type", "multipart/form-data; boundary=b").body(body.clone());
            let response = app.send(request).await;
            let status = response.status.as_u16();
            assert!(matches!(status, 400 | 413), "{path} {status} {}: {:.200}", response.body, body.escape_debug());
            app.db().sql("DELETE FROM throttles").exec().await.unwrap();
        }
        for kind in ["", "; boundary=", "; boundary=\"", "; boundary=b; boundary=c", ";;;", "; charset=x"] {
            let kind = format!("multipart/form-data{kind}");
            let request = app.request(method.clone(), path, Some(&token)).header("content-type", &kind);
            let response = app.send(request.body("--b--\r\n")).await;
            assert_eq!(response.status, 400, "{path} {kind}: {}", response.body);
        }
    }
    for path in ["/api/contacts", "/api/contacts/imports"] {
        assert_eq!(app.get(path, Some(&token)).await.body["data"], json!([]), "{path}");
    }
    assert_eq!(count_rows(&app, &["images", "photos"]).await, [0, 0]);
}
