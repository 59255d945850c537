//! Permissions that are lost while a file or picture is being uploaded.

use crate::app::{ADMIN, CLERK, TestApp};
use crate::helpers::{count, create_record, wait_until};
use crate::imports::csv_mapping;
use crate::vehicles;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Starts to send a multipart form, runs the SQL statement `lost`, and sends the rest. Returns the response as text.
async fn upload_while_losing(
    app: &TestApp,
    email: &str,
    route: &str,
    parts: &[(&str, &str)],
    lost: &'static str,
) -> String {
    let token = app.sign_in(email).await;
    let part =
        |(head, text): &(&str, &str)| format!("--b\r\nContent-Disposition: form-data; name={head}\r\n\r\n{text}\r\n");
    let body: String = parts.iter().map(part).collect();
    let rest = "--b--\r\n";
    let head = format!(
        "{route} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n",
        body.len() + rest.len()
    );
    let throttles = "SELECT count(*) FROM throttles";
    let before = count(app, throttles).await;
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    wait_until("the head is accepted and counted", async || count(app, throttles).await > before).await;
    assert!(app.db().sql(lost).exec().await.unwrap() > 0, "{lost}");
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}

#[tokio::test]
async fn p11_losing_a_permission_during_a_file_upload_rejects_it() {
    let mapping = csv_mapping().to_string();
    let file = [("columnMapping", &*mapping), ("file; filename=a.csv", "Namn,E-post,Adress\nAda,,")];
    for (lost, status) in [
        ("UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'", 401),
        ("UPDATE role_permissions SET can_create = FALSE", 403),
        ("UPDATE corporations SET active = FALSE", 401),
    ] {
        for route in ["submit", "preview"] {
            let app = TestApp::start().await;
            let response =
                upload_while_losing(&app, CLERK, &format!("POST /api/contacts/import/{route}"), &file, lost).await;
            assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{route}, {lost}: {response}");
            assert_eq!(count(&app, "SELECT count(*) FROM imports").await, 0);
        }
    }
}

#[tokio::test]
async fn p11_losing_a_permission_during_a_picture_upload_rejects_it() {
    let app = TestApp::start().await;
    let logo = [("logo; filename=a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")];
    let lost = "UPDATE users SET user_type = 'User' WHERE email = 'admin@nordbil.example'";
    let response = upload_while_losing(&app, ADMIN, "PUT /api/theme/logo", &logo, lost).await;
    assert!(response.starts_with("HTTP/1.1 403 "), "{response}");
    let profile = [("first_name", "Eve"), ("last_name", "Eve"), ("email", CLERK), ("mobile", "0701234567")];
    let route = "POST /api/auth/profile/update-profile";
    let response = upload_while_losing(&app, CLERK, route, &profile, "DELETE FROM sessions").await;
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
    let token = app.sign_in(CLERK).await;
    let vehicle = create_record(&app, &token, "/api/vehicles", (vehicles::RECORD.form)(), "vehicle_id").await;
    let route = format!("POST {vehicle}/photos");
    let photo = [("photo; filename=a.png", "PNG")];
    let lost = "UPDATE role_permissions SET can_update = FALSE";
    let response = upload_while_losing(&app, CLERK, &route, &photo, lost).await;
    assert!(response.starts_with("HTTP/1.1 403 "), "{response}");
    assert_eq!(count(&app, "SELECT count(*) FROM images").await, 0);
    assert_eq!(count(&app, "SELECT count(*) FROM photos").await, 0);
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE first_name = 'Eve'").await, 0);
}
