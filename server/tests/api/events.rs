//! Server-sent events: which changes reach which open streams, and when a stream ends.

use crate::app::{ADMIN, CLERK, NO_ROLE, OTHER_ADMIN, READER, SUPER_ADMIN, TestApp};
use crate::customers::company;
use crate::helpers::{
    advance_time, assert_error, assert_throttled, break_table, create_record, create_role, delete, permission_line,
    put, restore_table, role_id, use_up, user_form, user_id, with_field,
};
use crate::imports::{csv, csv_mapping, import};
use crate::server::Server;
use forecourt::platform::db::Db;
use forecourt::platform::events::Event;
use forecourt::platform::limits::PRESENCE as PRESENCE_LIMIT;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

const EVENTS: &str = "/api/events";
const CONTACTS: &str = "/api/contacts";
const CUSTOMERS: &str = "/api/customers";
const PRESENCE: &str = "/api/events/presence";

/// An open stream of server-sent events.
struct Stream {
    response: Response,
    received: String,
}

impl Stream {
    /// Opens a stream that has only events after this call. On PostgreSQL, earlier events may not have arrived yet.
    async fn open(app: &TestApp, token: &str) -> Self {
        let mut events = app.db().events().subscribe();
        // Wait for an event that no stream sends: all earlier events have arrived before it.
        let marker = Event::SessionsEnded(vec![Uuid::now_v7()]);
        app.db().announce(marker.clone()).await.unwrap();
        while *events.recv().await.unwrap() != marker {}
        Self::request(app.request(Method::GET, EVENTS, Some(token))).await
    }

    /// Opens a stream with this request, and waits until it has sent its first line, the comment `: open`.
    async fn request(request: RequestBuilder) -> Self {
        // The client's timeout is longer than tests advance the time.
        let response = request.timeout(Duration::from_secs(3600)).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream; charset=utf-8");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        assert!(!response.headers().contains_key("content-encoding"));
        let mut stream = Stream { response, received: String::new() };
        assert_eq!(stream.block().await.as_deref(), Some(": open"));
        stream
    }

    /// Returns the lines of the next event or comment; `None` if the stream has ended.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.received.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.received = rest;
                return Some(block);
            }
            let chunk = timeout(Duration::from_secs(20), self.response.chunk()).await.expect("an event");
            self.received.push_str(std::str::from_utf8(&chunk.unwrap()?).unwrap());
        }
    }

    /// Returns the name and the data of the next event; `None` if the stream has ended.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            if let (Some(event), Some(data)) = (field("event"), field("data")) {
                return Some((event.to_owned(), serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// Returns the data of the next event, which must be a change.
    async fn change(&mut self) -> Value {
        let (event, data) = self.next().await.expect("the stream is open");
        assert_eq!(event, "changed", "{data}");
        data
    }

    /// Asserts that the next event is a change with this resource, action, record ids and author.
    async fn expect(&mut self, resource: &str, action: &str, ids: Option<&[String]>, by: &str) {
        let mut expected = json!({"resource": resource, "action": action, "by": by});
        if let Some(ids) = ids {
            expected["ids"] = json!(ids);
        }
        assert_eq!(self.change().await, expected);
    }
}

/// Creates a contact, and returns its id.
async fn create_contact(app: &TestApp, token: &str, name: &str) -> String {
    id_of(&create_record(app, token, CONTACTS, json!({"name": name}), "_id").await)
}

async fn create_customer(app: &TestApp, token: &str) -> String {
    id_of(&create_record(app, token, CUSTOMERS, company("Nordbil"), "customer_id").await)
}

fn id_of(path: &str) -> String {
    path.rsplit('/').next().unwrap().to_owned()
}

/// Returns a user's id as text.
async fn id_text(app: &TestApp, email: &str) -> String {
    user_id(app, email).await.to_string()
}

#[tokio::test]
async fn a_change_reaches_other_users_with_its_resource_ids_action_and_author() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let mut stream = Stream::open(&app, &admin).await;
    let by = id_text(&app, CLERK).await;
    let ada = create_contact(&app, &clerk, "Ada").await;
    stream.expect("contacts", "created", Some(std::slice::from_ref(&ada)), &by).await;
    let path = format!("{CONTACTS}/{ada}");
    assert_eq!(put(&app, &path, &clerk, json!({"name": "Ada Öberg"})).await.status, 200);
    stream.expect("contacts", "updated", Some(std::slice::from_ref(&ada)), &by).await;
    assert_eq!(delete(&app, &path, &clerk).await.status, 200);
    stream.expect("contacts", "deleted", Some(std::slice::from_ref(&ada)), &by).await;
    let restored = app.post("/api/trash/restore", Some(&clerk), json!({"resource": "contacts", "ids": [ada]})).await;
    assert_eq!(restored.status, 200, "{}", restored.body);
    stream.expect("contacts", "restored", Some(&[ada]), &by).await;
    let customer = create_customer(&app, &clerk).await;
    stream.expect("customers", "created", Some(&[customer]), &by).await;
}

#[tokio::test]
async fn t1_changes_of_another_corporation_are_never_sent() {
    let app = TestApp::start().await;
    let (clerk, other, platform) =
        (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    let mut streams = [Stream::open(&app, &other).await, Stream::open(&app, &platform).await];
    create_contact(&app, &clerk, "Ada").await;
    for (stream, (token, email)) in streams.iter_mut().zip([(&other, OTHER_ADMIN), (&platform, SUPER_ADMIN)]) {
        let own = create_contact(&app, token, "Own").await;
        stream.expect("contacts", "created", Some(&[own]), &id_text(&app, email).await).await;
    }
}

#[tokio::test]
async fn s3_changes_of_resources_that_the_user_may_not_read_are_never_sent() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let customers_only = [permission_line("customers", [true, false, false, false])];
    let role = create_role(&app, &admin, "Customers only", &customers_only).await;
    let path = format!("/api/users/{}", user_id(&app, NO_ROLE).await);
    assert_eq!(put(&app, &path, &admin, user_form(NO_ROLE, "User", Some(role))).await.status, 200);
    let (limited, reader) = (app.sign_in(NO_ROLE).await, app.sign_in(READER).await);
    let (mut limited, mut reader) = (Stream::open(&app, &limited).await, Stream::open(&app, &reader).await);
    let by = id_text(&app, CLERK).await;

    let ada = create_contact(&app, &clerk, "Ada").await;
    let first = create_customer(&app, &clerk).await;
    limited.expect("customers", "created", Some(std::slice::from_ref(&first)), &by).await;
    reader.expect("contacts", "created", Some(&[ada]), &by).await;
    reader.expect("customers", "created", Some(&[first]), &by).await;

    // The reader loses the permission to read contacts while the stream is open.
    let path = format!("/api/rbac/roles/{}/permissions", role_id(&app, "Reader").await);
    let changed = app.post(&path, Some(&admin), json!({"permissions": customers_only})).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    advance_time(Duration::from_secs(1)).await;
    create_contact(&app, &clerk, "Bo").await;
    let second = create_customer(&app, &clerk).await;
    reader.expect("customers", "created", Some(&[second]), &by).await;
}

#[tokio::test]
async fn s3_the_end_of_a_session_ends_its_stream_within_a_second() {
    let app = TestApp::start().await;
    let (admin, platform) = (app.sign_in(ADMIN).await, app.sign_in(SUPER_ADMIN).await);
    let (clerk, reader, own) = (app.sign_in(CLERK).await, app.sign_in(READER).await, app.sign_in(NO_ROLE).await);
    let mut streams = Vec::new();
    for token in [&own, &reader, &clerk] {
        streams.push(Stream::open(&app, token).await);
    }
    let mut other = Stream::open(&app, &admin).await;
    let ban = format!("/api/corporations/users/{}/ban", user_id(&app, READER).await);
    let user = format!("/api/corporations/users/{}", user_id(&app, CLERK).await);
    let mut times = Vec::new();
    for (i, stream) in streams.iter_mut().enumerate() {
        let response = match i {
            0 => app.post("/api/auth/logout", Some(&own), json!({})).await,
            1 => app.post(&ban, Some(&platform), json!({"reason": "Spam"})).await,
            _ => put(&app, &user, &platform, json!({"is_active": false})).await,
        };
        assert_eq!(response.status, 200, "{}", response.body);
        let since = Instant::now();
        while stream.next().await.is_some() {}
        times.push(since.elapsed());
    }
    // Compare the middle one of the three times, because the machine may be busy once.
    times.sort();
    assert!(times[1] < Duration::from_secs(1), "{times:?}");
    create_contact(&app, &admin, "Ada").await;
    while other.change().await["resource"] != "contacts" {}
}

#[tokio::test]
async fn a_bulk_action_and_an_import_are_one_change_and_have_no_ids_beyond_a_hundred() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let by = [id_text(&app, CLERK).await, id_text(&app, ADMIN).await];
    let mut stream = Stream::open(&app, &clerk).await;
    import(&app, &admin, "people.csv", &csv(110), &csv_mapping()).await;
    stream.expect("contacts", "imported", None, &by[1]).await;

    let list = app.get(&format!("{CONTACTS}?limit=100"), Some(&clerk)).await.body;
    let all: Vec<String> =
        list["data"].as_array().unwrap().iter().map(|contact| contact["_id"].as_str().unwrap().to_owned()).collect();
    let update = async |request: Value| {
        let path = format!("{CONTACTS}/bulk");
        let mut request = request;
        request["action"] = json!("update");
        request["dry_run"] = json!(true);
        let dry = app.post(&path, Some(&clerk), request.clone()).await;
        request["dry_run"] = json!(false);
        request["expected"] = dry.body["data"]["digest"].clone();
        let done = app.post(&path, Some(&clerk), request).await;
        assert_eq!(done.status, 200, "{}", done.body);
    };
    update(json!({"ids": all[..2], "fields": {"website": "two.example"}})).await;
    let mut change = stream.change().await;
    let mut ids: Vec<String> = serde_json::from_value(change["ids"].take()).unwrap();
    ids.sort();
    let mut expected = all[..2].to_vec();
    expected.sort();
    assert_eq!((ids, &change["action"], &change["by"]), (expected, &json!("updated"), &json!(by[0])));
    update(json!({"query": {}, "fields": {"website": "all.example"}})).await;
    stream.expect("contacts", "updated", None, &by[0]).await;
}

#[tokio::test]
async fn the_end_of_an_imports_undoing_is_a_change_of_the_import() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let by = id_text(&app, ADMIN).await;
    // The first is undone within the request, the second by the job.
    for rows in [2, 1_100] {
        let session = import(&app, &admin, &format!("{rows}.csv"), &csv(rows), &csv_mapping()).await;
        let id = session["sessionId"].as_str().unwrap().to_owned();
        let mut stream = Stream::open(&app, &admin).await;
        let undone = app.post(&format!("/api/history/{id}/revert"), Some(&admin), json!({})).await;
        assert!(undone.status.is_success(), "{}", undone.body);
        let mut change = stream.change().await;
        while change["resource"] == "contacts" {
            assert_eq!(change["action"], "deleted");
            change = stream.change().await;
        }
        assert_eq!(change, json!({"resource": "contacts.imports", "action": "reverted", "ids": [id], "by": by}));
    }
}

#[tokio::test]
async fn requests_that_fail_or_change_no_record_send_no_event() {
    let app = TestApp::start().await;
    let (clerk, admin) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await);
    let mut stream = Stream::open(&app, &admin).await;
    app.sign_in(READER).await;
    assert_eq!(app.get(&format!("{CONTACTS}/export"), Some(&clerk)).await.status, 200);
    break_table(&app, "contacts").await;
    let request = app.request(Method::POST, CONTACTS, Some(&clerk)).json(&json!({"name": "Ada"}));
    assert_eq!(request.send().await.unwrap().status(), 500);
    restore_table(&app, "contacts").await;
    let bo = create_contact(&app, &clerk, "Bo").await;
    stream.expect("contacts", "created", Some(&[bo]), &id_text(&app, CLERK).await).await;
}

#[tokio::test]
async fn others_see_who_edits_a_record_if_they_may_read_it() {
    let app = TestApp::start().await;
    let (clerk, admin, other) = (app.sign_in(CLERK).await, app.sign_in(ADMIN).await, app.sign_in(OTHER_ADMIN).await);
    let no_role = app.sign_in(NO_ROLE).await;
    let ada = create_contact(&app, &clerk, "Ada").await;
    let input = |editing: bool| json!({"resource": "contacts", "id": ada, "editing": editing});
    let mut streams = [Stream::open(&app, &admin).await, Stream::open(&app, &clerk).await];
    let mut hidden = [Stream::open(&app, &other).await, Stream::open(&app, &no_role).await];
    for (editing, asks) in [(true, true), (true, false), (false, false)] {
        let announced = app.post(PRESENCE, Some(&clerk), with_field(input(editing), "asks", asks)).await;
        assert_eq!(announced.status, 200, "{}", announced.body);
        let (event, data) = streams[0].next().await.unwrap();
        let user = json!({"id": id_text(&app, CLERK).await, "name": name_of(&app, &clerk).await});
        assert_eq!(event, "presence");
        let expected = json!({"resource": "contacts", "id": ada, "user": user, "editing": editing, "asks": asks});
        assert_eq!(data, expected);
    }
    assert_eq!(app.post(PRESENCE, Some(&other), input(true)).await.status, 404, "another tenant's record");
    assert_eq!(app.post(PRESENCE, Some(&no_role), input(true)).await.status, 403);
    let unknown = json!({"resource": "contacts", "id": "x", "editing": true});
    assert_eq!(app.post(PRESENCE, Some(&clerk), unknown).await.status, 404);
    let users = json!({"resource": "users", "id": ada, "editing": true});
    assert_eq!(app.post(PRESENCE, Some(&clerk), users).await.status, 400);
    assert_eq!(delete(&app, &format!("{CONTACTS}/{ada}"), &admin).await.status, 200);
    assert_eq!(app.post(PRESENCE, Some(&clerk), input(true)).await.status, 404, "in the trash");
    // The clerk's stream has no event about the clerk's own editing, and streams without read permission have none.
    streams[1].expect("contacts", "deleted", Some(&[ada]), &id_text(&app, ADMIN).await).await;
    let own = create_contact(&app, &other, "Own").await;
    hidden[0].expect("contacts", "created", Some(&[own]), &id_text(&app, OTHER_ADMIN).await).await;
    app.request_shutdown();
    assert_eq!(hidden[1].next().await, None);
}

#[tokio::test]
async fn a_user_announces_editing_a_limited_number_of_times_in_five_minutes() {
    let app = TestApp::start().await;
    let (clerk, reader) = (app.sign_in(CLERK).await, app.sign_in(READER).await);
    let ada = create_contact(&app, &clerk, "Ada").await;
    let input = json!({"resource": "contacts", "id": ada, "editing": true, "asks": true});
    assert_eq!(app.post(PRESENCE, Some(&reader), input.clone()).await.status, 200);
    use_up(&app, PRESENCE_LIMIT).await;
    assert_throttled(&app.post(PRESENCE, Some(&reader), input.clone()).await, 300);
    assert_eq!(app.post(PRESENCE, Some(&clerk), input).await.status, 200);
}

/// Returns the full name of the user with this access token.
async fn name_of(app: &TestApp, token: &str) -> String {
    let data = app.get("/api/auth/profile/detail", Some(token)).await.body["data"].clone();
    format!("{} {}", data["first_name"].as_str().unwrap(), data["last_name"].as_str().unwrap())
}

#[tokio::test]
async fn v2_a_slow_reader_gets_a_reload_instead_of_the_events_that_it_missed() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let mut stream = Stream::open(&app, &admin).await;
    // The server shares this thread, so its stream reads no event before all thousand are published.
    for _ in 0..1_000 {
        app.db().events().publish(Event::SessionsEnded(Vec::new()));
    }
    assert_eq!(stream.next().await.unwrap(), ("reload".to_owned(), json!({})));
    let ada = create_contact(&app, &admin, "Ada").await;
    stream.expect("contacts", "created", Some(&[ada]), &id_text(&app, ADMIN).await).await;
}

#[tokio::test]
async fn v2_a_user_has_at_most_twelve_streams() {
    let app = TestApp::start().await;
    let (admin, clerk) = (app.sign_in(ADMIN).await, app.sign_in(CLERK).await);
    let mut streams = Vec::new();
    for _ in 0..12 {
        streams.push(Stream::open(&app, &admin).await);
    }
    assert_eq!(app.get(EVENTS, Some(&admin)).await.status, 429);
    Stream::open(&app, &clerk).await;
    assert_eq!(app.app.fairness.bytes_in_flight(), 0, "they reserve no memory of responses");
}

#[tokio::test]
async fn an_erasure_reaches_the_lists_of_its_records() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let email = "ada@mark.example";
    let contact = create_record(&app, &admin, CONTACTS, json!({"name": "Ada", "email": email}), "_id").await;
    let form = with_field(company("Nordbil"), "email", email);
    let customer = create_record(&app, &admin, CUSTOMERS, form, "customer_id").await;
    let mut stream = Stream::open(&app, &admin).await;
    let by = id_text(&app, ADMIN).await;
    assert_eq!(app.post("/api/privacy/erase", Some(&admin), json!({"email": email})).await.status, 200);
    stream.expect("contacts", "erased", Some(&[id_of(&contact)]), &by).await;
    stream.expect("customers", "erased", Some(&[id_of(&customer)]), &by).await;
}

#[tokio::test]
async fn sends_heartbeats_and_ends_with_the_lifetime_of_a_token() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let mut stream = Stream::open(&app, &admin).await;
    advance_time(Duration::from_secs(21)).await;
    assert_eq!(stream.block().await.as_deref(), Some(":"));
    advance_time(Duration::from_secs(15 * 60)).await;
    while stream.block().await.is_some() {}
}

#[tokio::test]
async fn a_shutdown_ends_streams_at_once() {
    let (app, admin) = TestApp::start_and_sign_in(ADMIN).await;
    let mut stream = Stream::open(&app, &admin).await;
    let since = Instant::now();
    app.request_shutdown();
    assert_eq!(stream.next().await, None);
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
}

#[tokio::test]
async fn an_invalid_session_gets_no_stream() {
    let app = TestApp::start().await;
    assert_error(&app.get(EVENTS, Some("forged")).await, 401, forecourt_core::text::SESSION_ENDED.as_str());
}

#[tokio::test]
async fn a_change_reaches_the_streams_of_every_node() {
    let server = Server::start().await;
    let db = server.database().await;
    if let Db::Sqlite { .. } = db {
        // There is only one node on SQLite, because one process owns the database file.
        return;
    }
    let other = server.start_node().await;
    let mut streams = [
        Stream::request(server.request(Method::GET, EVENTS)).await,
        Stream::request(other.request(Method::GET, EVENTS)).await,
    ];
    for request in [server.request(Method::POST, CONTACTS), other.request(Method::POST, CONTACTS)] {
        let created: Value = request.json(&json!({"name": "Ada"})).send().await.unwrap().json().await.unwrap();
        for stream in &mut streams {
            // Each stream has the change once, though both nodes know of it. A new stream may send `reload` before.
            let (mut event, mut data) = stream.next().await.unwrap();
            if event == "reload" {
                (event, data) = stream.next().await.unwrap();
            }
            assert_eq!((event.as_str(), &data["ids"]), ("changed", &json!([created["data"]["_id"]])));
        }
    }
    db.close().await;
}
