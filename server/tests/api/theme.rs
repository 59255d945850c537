//! The theme colour and the logo, for each kind of user.

use crate::app::{ADMIN, ApiResponse, CLERK, NO_ROLE, OTHER_ADMIN, READER, SUPER_ADMIN, TestApp};
use crate::image_files::{LOGO, form, png, png_of_bytes, put_logo, red_and_blue};
use forecourt_core::images::text::{LOGO_MISSING, LOGO_TOO_LARGE, NOT_A_FORM, TWO_PICTURES};
use forecourt_core::text::{NOT_ALLOWED, SESSION_ENDED};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// For each user of the tests, the response status of changing the corporation's colour or logo.
const CHANGE_STATUSES: [(&str, u16); 6] =
    [(SUPER_ADMIN, 200), (ADMIN, 200), (CLERK, 403), (READER, 403), (NO_ROLE, 403), (OTHER_ADMIN, 200)];
const THEME: &str = "/api/theme";

async fn put_theme(app: &TestApp, token: &str, body: Value) -> ApiResponse {
    app.send(app.request(Method::PUT, THEME, Some(token)).json(&body)).await
}

/// Returns three colours: the one that the user sees, the user's own, and the corporation's.
async fn get_colors(app: &TestApp, token: &str) -> [String; 3] {
    let response = app.get(THEME, Some(token)).await;
    assert_eq!((response.status.as_u16(), &response.body["success"]), (200, &json!(true)));
    let data = &response.body["data"];
    assert_eq!((&response.body["color"], &response.body["theme"]), (&data["color"], &data["color"]));
    ["color", "own", "corporation"].map(|name| data[name].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn users_set_their_own_color_and_admins_the_corporations() {
    let app = TestApp::start().await;
    for (email, for_all) in CHANGE_STATUSES {
        let token = app.sign_in(email).await;
        let response = put_theme(&app, &token, json!({"color": "#EF4444"})).await;
        assert_eq!((response.status.as_u16(), &response.body["color"]), (200, &json!("#ef4444")), "{email}");
        assert_eq!(response.body["message"], "Theme color applied successfully");
        let response = put_theme(&app, &token, json!({"theme": "#10b981", "scope": "corporation"})).await;
        assert_eq!(response.status, for_all, "{email}");
        if for_all == 403 {
            assert_eq!(response.body["message"], NOT_ALLOWED.as_str());
        } else {
            // The user sees their own colour, not the corporation's.
            assert_eq!(get_colors(&app, &token).await, ["#ef4444", "#ef4444", "#10b981"], "{email}");
        }
    }
    for (method, body) in [(Method::GET, None), (Method::PUT, Some(json!({"color": "#ef4444"})))] {
        let request = app.request(method, THEME, None);
        let response = app.send(if let Some(body) = body { request.json(&body) } else { request }).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (401, &json!(SESSION_ENDED.as_str())));
    }
}

#[tokio::test]
async fn a_corporation_color_does_not_affect_another_corporation() {
    let app = TestApp::start().await;
    let (admin, clerk, other_admin) =
        (app.sign_in(ADMIN).await, app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    assert_eq!(get_colors(&app, &clerk).await, ["#3b82f6", "", ""]);
    put_theme(&app, &admin, json!({"color": "#14b8a6", "scope": "corporation"})).await;
    assert_eq!(get_colors(&app, &clerk).await, ["#14b8a6", "", "#14b8a6"]);
    assert_eq!(get_colors(&app, &other_admin).await, ["#3b82f6", "", ""]);
    put_theme(&app, &clerk, json!({"color": "#000000", "corp_id": "x", "user_type": "Admin"})).await;
    assert_eq!(get_colors(&app, &admin).await, ["#14b8a6", "", "#14b8a6"]);
    let profile = app.get("/api/auth/profile/detail", Some(&clerk)).await;
    assert_eq!((&profile.body["user"]["theme"], &profile.body["user"]["type"]), (&json!("#000000"), &json!("User")));
}

#[tokio::test]
async fn the_default_color_replaces_the_own_color_and_the_corporations() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    put_theme(&app, &token, json!({"color": "#14b8a6", "scope": "corporation"})).await;
    put_theme(&app, &token, json!({"color": "#ef4444"})).await;
    let response = put_theme(&app, &token, json!({"color": "default"})).await;
    assert_eq!((response.status.as_u16(), &response.body["color"]), (200, &json!("#14b8a6")));
    assert_eq!(get_colors(&app, &token).await, ["#14b8a6", "", "#14b8a6"]);
    let response = put_theme(&app, &token, json!({"color": "default", "scope": "corporation"})).await;
    assert_eq!((response.status.as_u16(), &response.body["color"]), (200, &json!("#3b82f6")));
    assert_eq!(get_colors(&app, &token).await, ["#3b82f6", "", ""]);
    let history = app.get("/api/history", Some(&token)).await;
    let change = json!([{"field": "theme", "before": "#14b8a6", "after": null}]);
    assert_eq!(history.body["data"][0]["changes"], change);
}

#[tokio::test]
async fn an_invalid_color_or_scope_is_rejected_with_its_field() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (body, field) in [
        (json!({}), "color"),
        (json!({"color": null}), "color"),
        (json!({"color": "red"}), "color"),
        (json!({"color": "#fff"}), "color"),
        (json!({"color": "#ef4444;background:url(//x)"}), "color"),
        (json!({"color": "#ef4444", "scope": "platform"}), "scope"),
    ] {
        let response = put_theme(&app, &token, body.clone()).await;
        assert_eq!(response.status, 400, "{body}");
        assert!(response.body["fields"].get(field).is_some(), "{body}: {}", response.body);
    }
    for body in [json!([]), json!({"color": 7}), json!("#ef4444")] {
        assert_eq!(put_theme(&app, &token, body).await.status, 400);
    }
    assert_eq!(get_colors(&app, &token).await, ["#3b82f6", "", ""]);
}

#[tokio::test]
async fn every_user_sees_the_logo_and_only_admins_change_it() {
    let app = TestApp::start().await;
    for (email, change) in CHANGE_STATUSES {
        let token = app.sign_in(email).await;
        let put = put_logo(&app, &token, png(red_and_blue(8, 8))).await;
        assert_eq!(put.status, change, "{email}: {}", put.body);
        let shown = app.get(LOGO, Some(&token)).await;
        assert_eq!((shown.status.as_u16(), &shown.body["success"]), (200, &json!(true)), "{email}");
        if change == 200 {
            assert_eq!(put.body["message"], "Logo uploaded successfully");
            assert_eq!(shown.body["logo"], put.body["logo"]);
            let profile = app.get("/api/auth/profile/detail", Some(&token)).await;
            assert_eq!(profile.body["data"]["logo"], put.body["logo"]);
        }
        let deleted = app.send(app.request(Method::DELETE, LOGO, Some(&token))).await;
        assert_eq!(deleted.status, change, "{email}");
        let message = if change == 200 { "Logo removed successfully" } else { NOT_ALLOWED.as_str() };
        assert_eq!(deleted.body["message"], message);
        if change == 200 {
            // Deleting again has no effect.
            assert_eq!(app.send(app.request(Method::DELETE, LOGO, Some(&token))).await.status, 200);
            put_logo(&app, &token, png(red_and_blue(8, 8))).await;
        }
    }
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        assert_eq!(app.send(app.request(method, LOGO, None)).await.status, 401);
    }
}

#[tokio::test]
async fn t6_an_admin_cannot_change_another_corporations_logo() {
    let app = TestApp::start().await;
    let (admin, other_admin) = (app.sign_in(ADMIN).await, app.sign_in(OTHER_ADMIN).await);
    let own_logo = put_logo(&app, &admin, png(red_and_blue(8, 8))).await.body["logo"].clone();
    let corp = app.nordbil.to_string();
    let foreign = form("logo", png(red_and_blue(8, 8))).text("corp_id", corp.clone()).text("user_id", corp.clone());
    let other_logo = app.send(app.request(Method::PUT, LOGO, Some(&other_admin)).multipart(foreign)).await;
    assert_eq!(other_logo.status, 200);
    assert_ne!(other_logo.body["logo"], own_logo);
    app.send(app.request(Method::DELETE, LOGO, Some(&other_admin)).query(&[("corp_id", &corp)])).await;
    assert_eq!(app.get(LOGO, Some(&admin)).await.body["logo"], own_logo);
    assert_eq!(app.get(own_logo.as_str().unwrap(), None).await.status, 200);
    let path = own_logo.as_str().unwrap();
    assert_eq!(app.send(app.request(Method::DELETE, path, Some(&other_admin))).await.status, 405);
    assert_eq!(app.send(app.request(Method::PUT, path, Some(&other_admin))).await.status, 405);
}

#[tokio::test]
async fn a_logo_request_without_exactly_one_picture_is_rejected() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let empty = Part::bytes(Vec::new()).file_name("");
    let two =
        form("logo", png(red_and_blue(8, 8))).part("logo", Part::bytes(png(red_and_blue(9, 9))).file_name("b.png"));
    for (form, message) in [
        (Form::new().text("other", "x"), LOGO_MISSING),
        (Form::new().text("logo", "/api/images/1"), LOGO_MISSING),
        (Form::new().part("logo", empty), LOGO_MISSING),
        (form("file", png(red_and_blue(8, 8))), LOGO_MISSING),
        (two, TWO_PICTURES),
    ] {
        let response = app.send(app.request(Method::PUT, LOGO, Some(&token)).multipart(form)).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(message.as_str())));
    }
    let json = app.send(app.request(Method::PUT, LOGO, Some(&token)).json(&json!({"logo": "x"}))).await;
    assert_eq!((json.status.as_u16(), &json.body["message"]), (400, &json!(NOT_A_FORM.as_str())));
    assert_eq!(app.get(LOGO, Some(&token)).await.body["logo"], "");
}

/// Sends a logo with chunked transfer encoding, so that no header says its length. Returns status and body.
async fn put_chunked(app: &TestApp, token: &str, file: &[u8]) -> (u16, Value) {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = format!(
        "PUT {LOGO} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: multipart/form-data; boundary=B\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let part = b"--B\r\ncontent-disposition: form-data; name=\"logo\"; filename=\"a.png\"\r\n\r\n";
    let body = [part.as_slice(), file, b"\r\n--B--\r\n"].concat();
    for piece in body.chunks(64 << 10) {
        let piece = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
        stream.write_all(&piece).await.unwrap();
    }
    stream.write_all(b"0\r\n\r\n").await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap())
}

#[tokio::test]
async fn u1_the_upload_limit_applies_without_a_content_length() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (status, body) = put_chunked(&app, &token, &png_of_bytes(2_097_152)).await;
    assert_eq!(status, 200, "{body}");
    for size in [2_097_153, 5_000_000] {
        let (status, body) = put_chunked(&app, &token, &png_of_bytes(size)).await;
        assert_eq!((status, &body["message"]), (413, &json!(LOGO_TOO_LARGE.as_str())), "{size}");
    }
    assert_eq!(app.get(LOGO, Some(&token)).await.status, 200);
}

#[tokio::test]
async fn sixty_picture_uploads_in_ten_minutes_are_the_limit_even_if_refused() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let send = async || app.send(app.request(Method::PUT, LOGO, Some(&token)).multipart(Form::new())).await;
    for _ in 0..60 {
        assert_eq!(send().await.status, 400);
    }
    let response = send().await;
    assert_eq!(response.status, 429);
    assert_eq!(response.headers["retry-after"], "600");
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(put_logo(&app, &other, png(red_and_blue(8, 8))).await.status, 200);
}
