//! Whoever sends a file or a picture slowly may have lost the right to it when it is there.

use crate::app::{ADMIN, CLERK, TestApp};
use crate::imports::csv_mapping;
use crate::steps::{count, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a form in parts, takes something away before its last bytes, and says how it was answered.
async fn sent(app: &TestApp, email: &str, call: &str, parts: &[(&str, &str)], lost: &'static str) -> String {
    let token = app.sign_in(email).await;
    let part =
        |(head, text): &(&str, &str)| format!("--b\r\nContent-Disposition: form-data; name={head}\r\n\r\n{text}\r\n");
    let body: String = parts.iter().map(part).collect();
    let rest = "--b--\r\n";
    let head = format!(
        "{call} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n",
        body.len() + rest.len()
    );
    let throttles = "SELECT count(*) FROM throttles";
    let before = count(app, throttles).await;
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    until("it is let in by its head, and counted", async || count(app, throttles).await > before).await;
    assert!(app.db().sql(lost).exec().await.unwrap() > 0, "{lost}");
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn p11_a_right_that_is_lost_while_a_file_arrives_takes_nothing_in() {
    let mapping = csv_mapping().to_string();
    let file = [("columnMapping", &*mapping), ("file; filename=a.csv", "Namn,E-post,Adress\nAda,,")];
    for (lost, status) in [
        ("UPDATE users SET is_active = FALSE WHERE email = 'clerk@nordbil.example'", 401),
        ("UPDATE role_permissions SET can_create = FALSE", 403),
        ("UPDATE corporations SET active = FALSE", 401),
    ] {
        for call in ["submit", "preview"] {
            let app = TestApp::start().await;
            let answer = sent(&app, CLERK, &format!("POST /api/contacts/import/{call}"), &file, lost).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{call}, {lost}: {answer}");
            assert_eq!(count(&app, "SELECT count(*) FROM imports").await, 0);
        }
    }
}

#[tokio::test]
async fn p11_a_right_that_is_lost_while_a_picture_arrives_takes_nothing_in() {
    let app = TestApp::start().await;
    let logo = [("logo; filename=a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")];
    let lost = "UPDATE users SET user_type = 'User' WHERE email = 'admin@nordbil.example'";
    let answer = sent(&app, ADMIN, "PUT /api/theme/logo", &logo, lost).await;
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    let profile = [("first_name", "Eve"), ("last_name", "Eve"), ("email", CLERK), ("mobile", "0701234567")];
    let call = "POST /api/auth/profile/update-profile";
    let answer = sent(&app, CLERK, call, &profile, "DELETE FROM sessions").await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert_eq!(count(&app, "SELECT count(*) FROM images").await, 0);
    assert_eq!(count(&app, "SELECT count(*) FROM users WHERE first_name = 'Eve'").await, 0);
}
