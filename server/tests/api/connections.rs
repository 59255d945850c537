//! What becomes of connections that come all at once, and when the server is asked to stop.

use crate::app::TestApp;
use crate::steps::until;
use std::io::{self, Write};
use std::net::TcpStream;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

const CALL: &[u8] = b"GET /api/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

async fn answer(stream: TcpStream) -> String {
    stream.set_nonblocking(true).unwrap();
    let mut stream = tokio::net::TcpStream::from_std(stream).unwrap();
    let mut answer = String::new();
    timeout(Duration::from_secs(20), stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    answer
}

#[tokio::test]
async fn of_five_hundred_who_connect_at_the_same_moment_nobody_has_to_try_again() {
    let app = TestApp::start().await;
    // The server has no turn in between: all of them wait in the kernel. Whom it lets fall tries again after a second.
    let moment = Duration::from_millis(900);
    let mut waiting: Vec<TcpStream> =
        (0..500).map(|_| TcpStream::connect_timeout(&app.address, moment).unwrap()).collect();
    let mut last = waiting.pop().unwrap();
    last.write_all(CALL).unwrap();
    assert!(answer(last).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn whoever_has_connected_and_was_not_accepted_yet_is_answered() {
    let app = TestApp::start().await.another_node().await;
    // The server has no turn in between: these wait in the kernel when it is asked to stop.
    let waiting: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(app.address).unwrap();
            stream.write_all(CALL).unwrap();
            stream
        })
        .collect();
    app.ask_to_stop();
    for stream in waiting {
        assert!(answer(stream).await.starts_with("HTTP/1.1 200"));
    }
}

#[tokio::test]
async fn a_first_call_that_comes_once_nobody_new_is_let_in_is_answered() {
    let app = TestApp::start().await;
    let mut early = TcpStream::connect(app.address).unwrap();
    app.ask_to_stop();
    // One who isn't let in any more hears nothing for a second, and tries again; the early one is waited for no longer
    // than three, so nobody here waits for that.
    let moment = Duration::from_millis(50);
    let mut refused = None;
    until("the door is shut", async || {
        let late = timeout(moment, tokio::net::TcpStream::connect(app.address)).await;
        refused = late.ok().and_then(Result::err);
        refused.is_some()
    })
    .await;
    let refused = refused.unwrap();
    assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    early.write_all(CALL).unwrap();
    assert!(answer(early).await.starts_with("HTTP/1.1 200"));
}
