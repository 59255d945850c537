//! Personal data of one person: finding, exporting and erasing everything that a corporation has stored.

use crate::app::{ADMIN, ApiResponse, CLERK, OTHER_ADMIN, TestApp};
use crate::comments::add_comment;
use crate::contract;
use crate::customers::customer;
use crate::helpers::{assert_error, create_record, delete, put, read_record, with_field};
use crate::imports::{csv_mapping, import};
use crate::invoices::invoice;
use crate::policy::rows::Reader;
use forecourt::features::history::chain::{extend_all, verify};
use forecourt_core::history::text as history_text;
use forecourt_core::privacy::text;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use uuid::Uuid;

/// A marker word in every text of the person that an erasure must remove.
pub const WORD: &str = "zyaltok";
pub const EMAIL: &str = "Zyaltok@Mark.example";
/// A marker word in texts that an erasure must keep.
const KEPT: &str = "Kvarword";

/// Requests what is stored about the person with this email.
pub async fn person(app: &TestApp, token: &str, email: &str) -> ApiResponse {
    app.post("/api/privacy/person", Some(token), json!({"email": email})).await
}

/// Erases the person with [`EMAIL`], which is sent in upper case.
pub async fn erase(app: &TestApp, token: &str) -> ApiResponse {
    app.post("/api/privacy/erase", Some(token), json!({"email": EMAIL.to_uppercase()})).await
}

/// Downloads the export of the person's data, and returns its files by name.
pub async fn export(app: &TestApp, token: &str) -> BTreeMap<String, String> {
    let request = app.request(Method::GET, "/api/privacy/export", Some(token)).query(&[("email", EMAIL)]);
    let reply = contract::send(request).await;
    assert_eq!((reply.status.as_u16(), &reply.headers["content-type"]), (200, &"application/zip".parse().unwrap()));
    let mut archive = zip::ZipArchive::new(Cursor::new(reply.bytes)).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let (name, mut text) = (file.name().unwrap().into_owned(), String::new());
        file.read_to_string(&mut text).unwrap();
        files.insert(name, text);
    }
    files
}

/// Returns the form of a contact with this name and the person's data.
pub fn contact(name: &str) -> Value {
    json!({"name": format!("{name} {WORD}"), "email": EMAIL, "phone": format!("07 {WORD}"),
        "website": format!("{WORD}.example"), "address": format!("=1+1 {WORD}"), "otherDetails": {WORD: WORD}})
}

/// Returns the form of a customer with this name and the person's data.
pub fn customer_of(name: &str) -> Value {
    let mut customer = customer(&format!("{name} {WORD}"));
    for field in ["telephone", "address", "postalCode", "location", "companyName", "warranty", "warrantyPeriod", "role"]
    {
        customer[field] = json!(format!("{field} {WORD}"));
    }
    with_field(customer, "email", EMAIL)
}

/// Returns the form of an invoice of the person with this email, linked to this customer if there is one.
pub fn invoice_of(customer: Option<&str>, email: &str) -> Value {
    let invoice = with_field(invoice(KEPT), "website", format!("{WORD}.example"));
    let invoice = with_field(with_field(invoice, "customerRequirements", KEPT), "email", email);
    with_field(invoice, "customer_id", customer.unwrap_or_default())
}

pub fn id_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

/// The paths of some of the records that [`store_person`] has created.
pub struct Stored {
    contact: String,
    pub customer: String,
    /// An invoice that is linked to the customer, but has another email address.
    linked: String,
    /// Records that are in the trash: list and path.
    deleted: Vec<(&'static str, String)>,
}

/// Stores data of the person in contacts, comments, customers, invoices, the trash, the history, an import with a failed
/// row, and a view.
pub async fn store_person(app: &TestApp, token: &str) -> Stored {
    let contact_path = create_record(app, token, "/api/contacts", contact("Ada"), "_id").await;
    let record = read_record(app, token, &contact_path).await;
    add_comment(app, token, &record, &format!("Called {WORD}")).await;
    assert_eq!(put(app, &contact_path, token, contact("Åsa")).await.status, 200);
    let customer_path = create_record(app, token, "/api/customers", customer_of("Ada"), "customer_id").await;
    assert_eq!(put(app, &customer_path, token, customer_of("Åsa")).await.status, 200);
    let by_link = invoice_of(Some(id_of(&customer_path)), &format!("other-{WORD}@mark.example"));
    let linked = create_record(app, token, "/api/invoices", by_link, "_id").await;
    let by_email = create_record(app, token, "/api/invoices", invoice_of(None, EMAIL), "_id").await;
    let changed = with_field(invoice_of(None, EMAIL), "website", format!("www.{WORD}.example"));
    assert_eq!(put(app, &by_email, token, changed).await.status, 200);
    let mut deleted = Vec::new();
    for (list, form) in
        [("contacts", contact("Bo")), ("customers", customer_of("Bo")), ("invoices", invoice_of(None, EMAIL))]
    {
        let id = if list == "customers" { "customer_id" } else { "_id" };
        let path = create_record(app, token, &format!("/api/{list}"), form, id).await;
        if list == "contacts" {
            let record = read_record(app, token, &path).await;
            add_comment(app, token, &record, &format!("Wrote {WORD}")).await;
        }
        assert_eq!(delete(app, &path, token).await.status, 200);
        deleted.push((list, path));
    }
    // A contact that was purged, so that only the history has its data.
    let purged = create_record(app, token, "/api/contacts", contact("Cia"), "_id").await;
    assert_eq!(put(app, &purged, token, contact("Cecilia")).await.status, 200);
    assert_eq!(delete(app, &purged, token).await.status, 200);
    let request = app.request(Method::DELETE, "/api/trash", Some(token));
    let ids = json!({"resource": "contacts", "ids": [id_of(&purged)]});
    assert_eq!(app.send(request.json(&ids)).await.status, 200);
    // A contact that had the person's email address, and has another one now.
    let other = json!({"name": "Dag", "email": EMAIL});
    let path = create_record(app, token, "/api/contacts", other.clone(), "_id").await;
    assert_eq!(put(app, &path, token, with_field(other, "email", "dag@mark.example")).await.status, 200);
    // An imported file with a row of the person that fails, so that it is stored as a failed row.
    let file = format!("Namn,E-post,Adress\n,{EMAIL},{WORD}\nEva Ek,eva@mark.example,Gatan 1\n");
    import(app, token, "people.csv", file.as_bytes(), &csv_mapping()).await;
    let filter = json!([{"field": "email", "op": "is", "value": EMAIL}]);
    let view = json!({"resource": "contacts", "name": WORD, "query": {"search": WORD, "filter": filter}});
    assert_eq!(app.post("/api/views", Some(token), view).await.status, 201);
    Stored { contact: contact_path, customer: customer_path, linked, deleted }
}

/// Returns all rows of a corporation that contain [`WORD`] in any case, as texts.
pub async fn rows_with_word(app: &TestApp, corp: Uuid) -> Vec<String> {
    let rows = Reader::new(app.db(), &[corp]).await.read(app.db()).await.remove(&corp).unwrap();
    let mut found: Vec<_> = rows.into_iter().filter(|row| row.to_lowercase().contains(WORD)).collect();
    if app.db().pick(true, false) {
        let keys = app.db().sql("SELECT CAST(key AS TEXT) FROM sort_rows").all::<(String,)>().await.unwrap();
        found.extend(keys.into_iter().map(|(key,)| key).filter(|key| key.contains(WORD)));
    }
    found
}

/// Returns the numbers of a report by kind of data.
pub fn counts(parts: &Value) -> BTreeMap<String, u64> {
    let parts = parts.as_array().unwrap().iter();
    parts.map(|part| (part["kind"].as_str().unwrap().to_owned(), part["count"].as_u64().unwrap())).collect()
}

fn expected(parts: &[(&str, u64)]) -> BTreeMap<String, u64> {
    parts.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect()
}

#[tokio::test]
async fn what_is_stored_about_a_person_is_counted_without_regard_to_case() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    store_person(&app, &token).await;
    let response = person(&app, &token, &EMAIL.to_lowercase()).await;
    let data = &response.body["data"];
    let held = counts(&data["held"]);
    let of_records =
        [("contacts", 2), ("customers", 2), ("invoices", 3), ("comments", 2), ("failed_rows", 1), ("views", 1)];
    for (kind, count) in of_records {
        assert_eq!(held[kind], count, "{kind}: {data}");
    }
    let in_trash = |kind: &str| {
        let part = data["held"].as_array().unwrap().iter().find(|part| part["kind"] == kind);
        part.unwrap()["in_trash"].clone()
    };
    assert_eq!((in_trash("contacts"), in_trash("comments")), (json!(1), json!(1)));
    assert!(held["history"] > 10, "{data}");
    assert_eq!(counts(&data["kept"])["invoices"], 3, "{data}");
    assert_eq!(data["kept"][0]["reason"], text::FOR_ACCOUNTING.as_str());
    assert_error(&person(&app, &token, "nobody@mark.example").await, 404, text::NOTHING_HELD.as_str());
    assert_eq!(person(&app, &token, " ").await.status, 400);
}

#[tokio::test]
async fn an_export_has_everything_as_json_and_as_safe_tables() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let stored = store_person(&app, &token).await;
    let files = export(&app, &token).await;
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    let tables =
        ["README.txt", "comments.csv", "contacts.csv", "customers.csv", "data.json", "history.csv", "invoices.csv"];
    assert_eq!(names, tables);
    let data: Value = serde_json::from_str(&files["data.json"]).unwrap();
    assert_eq!(data["contacts"], json!([read_record(&app, &token, &stored.contact).await]));
    assert_eq!(data["customers"], json!([read_record(&app, &token, &stored.customer).await]));
    assert_eq!(data["customers"][0]["socialSecurityNumber"], "19121212-1212");
    assert_eq!((data["invoices"].as_array().unwrap().len(), data["trash"].as_array().unwrap().len()), (2, 3), "{data}");
    let trashed = data["trash"].as_array().unwrap().iter().find(|record| record["resource"] == "customers").unwrap();
    assert_eq!(trashed["record"]["social_security_number"], "19121212-1212");
    assert_eq!(trashed["record"].get("erased_version"), None);
    assert!(data["trash"].to_string().contains("Wrote"), "with its comments");
    assert_eq!((&data["failed_rows"][0][1], &data["account"]), (&json!(EMAIL), &json!([])));
    assert!(data["history"].as_array().unwrap().len() > 10);
    let view = &data["views"][0];
    assert_eq!(
        (&view["name"], &view["search"], &view["filter"][0]["value"]),
        (&json!(WORD), &json!(WORD), &json!(EMAIL))
    );
    let mention = &data["mentions"][0];
    assert_eq!(
        (&mention["field"], &mention["before"], &mention["after"]),
        (&json!("email"), &json!(EMAIL), &Value::Null)
    );
    assert!(!data.to_string().contains("dag@"), "what others have is not theirs");
    assert!(files["contacts.csv"].contains("'=1+1"), "{}", files["contacts.csv"]);
    assert!(files["comments.csv"].contains("Called") && files["history.csv"].contains("Cecilia"));
    let entries = app.get("/api/history?action=exported", Some(&token)).await.body;
    assert_eq!((&entries["data"][0]["label"], &entries["totalItems"]), (&json!("zip"), &json!(1)));
    assert!(!entries.to_string().to_lowercase().contains(WORD), "it does not say whose data it was");
}

#[tokio::test]
async fn an_export_names_the_imports_of_contacts_in_the_list_and_in_the_trash() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for name in ["kept.csv", "deleted.csv"] {
        let file = format!("Namn,E-post,Adress\nAda Ek,{EMAIL},{name}\n");
        import(&app, &token, name, file.as_bytes(), &csv_mapping()).await;
    }
    let contacts = app.get("/api/contacts", Some(&token)).await.body["data"].clone();
    let deleted = contacts.as_array().unwrap().iter().find(|contact| contact["address"] == "deleted.csv").unwrap();
    let path = format!("/api/contacts/{}", deleted["_id"].as_str().unwrap());
    assert_eq!(delete(&app, &path, &token).await.status, 200);
    let data: Value = serde_json::from_str(&export(&app, &token).await["data.json"]).unwrap();
    let names: BTreeSet<_> =
        data["imports"].as_array().unwrap().iter().map(|import| import["file_name"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["deleted.csv", "kept.csv"]), "{data}");
}

#[tokio::test]
async fn an_account_is_exported_without_secrets_and_kept() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let response = person(&app, &token, &CLERK.to_uppercase()).await;
    assert_eq!(counts(&response.body["data"]["held"]), expected(&[("account", 1)]), "{}", response.body);
    assert_eq!(response.body["data"]["kept"][0]["reason"], text::WITH_ACCOUNT.as_str());
    let request = app.request(Method::GET, "/api/privacy/export", Some(&token)).query(&[("email", CLERK)]);
    let reply = contract::send(request).await;
    let mut archive = zip::ZipArchive::new(Cursor::new(reply.bytes)).unwrap();
    let mut data = String::new();
    archive.by_name("data.json").unwrap().read_to_string(&mut data).unwrap();
    let data: Value = serde_json::from_str(&data).unwrap();
    assert_eq!(data["account"][0]["email"], CLERK);
    assert!(!data.to_string().contains("argon2"));
    let erased = app.post("/api/privacy/erase", Some(&token), json!({"email": CLERK})).await;
    assert_eq!((&erased.body["data"]["erased"], erased.status.as_u16()), (&json!([]), 200));
    app.sign_in(CLERK).await;
    // The account of another corporation's user is not found.
    assert_eq!(person(&app, &token, OTHER_ADMIN).await.status, 404);
}

#[tokio::test]
async fn after_an_erasure_no_table_has_the_person_and_the_chain_holds() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let stored = store_person(&app, &token).await;
    // Chain some history entries before the erasure; the others are chained after it.
    extend_all(app.db()).await.unwrap();
    assert_eq!(put(&app, &stored.contact, &token, contact("Ulla")).await.status, 200);
    assert!(rows_with_word(&app, app.nordbil).await.len() > 20);
    let erased = erase(&app, &token).await;
    assert_eq!((erased.status.as_u16(), &erased.body["message"]), (200, &json!(text::ERASED.as_str())));
    assert_eq!(rows_with_word(&app, app.nordbil).await, [""; 0]);
    extend_all(app.db()).await.unwrap();
    let verified = verify(app.db()).await.unwrap();
    assert_eq!((verified.waiting, verified.broken), (0, vec![]));
    let certificate = &erased.body["data"];
    let done = counts(&certificate["erased"]);
    let of_records =
        [("contacts", 2), ("customers", 2), ("invoices", 3), ("comments", 2), ("failed_rows", 1), ("views", 1)];
    for (kind, count) in of_records {
        assert_eq!(done[kind], count, "{kind}: {certificate}");
    }
    assert_eq!(counts(&certificate["kept"])["invoices"], 3, "{certificate}");
    let invoice = read_record(&app, &token, &stored.linked).await;
    assert_eq!((&invoice["customer"], &invoice["customerRequirements"]), (&json!(KEPT), &json!(KEPT)));
    assert_eq!(invoice["email"], "erased@erased.invalid");
    let contact = read_record(&app, &token, &stored.contact).await;
    assert_eq!(
        (&contact["name"], &contact["email"], &contact["otherDetails"]),
        (&json!("Erased"), &json!(""), &json!({}))
    );
    assert_eq!(contact["comments"][0]["comment"], "Erased");
    let customer = read_record(&app, &token, &stored.customer).await;
    assert_eq!((&customer["name"], &customer["socialSecurityNumber"]), (&json!("Erased"), &json!("")));
    let numbers = "SELECT (SELECT count(*) FROM customers WHERE social_security IS NOT NULL) + \
                   (SELECT count(*) FROM trash WHERE social_security IS NOT NULL)";
    assert_eq!(app.db().all_tenants().sql(numbers).value::<i64>().await.unwrap(), 0);
    for path in ["/api/contacts?search=", "/api/customers?searchTerm=", "/api/invoices?search="] {
        let found = app.get(&format!("{path}{WORD}"), Some(&token)).await.body;
        assert_eq!(found.as_array().or(found["data"].as_array()).unwrap().len(), 0, "{found}");
    }
    let dag = app.get("/api/contacts?search=dag", Some(&token)).await.body;
    assert_eq!(dag["data"][0]["email"], "dag@mark.example", "who has another address now stays");
}

#[tokio::test]
async fn texts_of_vehicles_with_the_address_are_found_and_erased_and_no_others() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let vehicle = |plate: &str, notes: String| json!({"registration_number": plate, "mileage": 100, "notes": notes});
    let create = async |form: Value| create_record(&app, &token, "/api/vehicles", form, "vehicle_id").await;
    let note = format!("Bought from {WORD} <{EMAIL}>");
    let live = create(vehicle("A1", note.clone())).await;
    let trashed = create(vehicle("A2", note.clone())).await;
    assert_eq!(delete(&app, &trashed, &token).await.status, 200);
    let former = create(vehicle("A3", note.clone())).await;
    assert_eq!(put(&app, &former, &token, vehicle("A3", "Two keys".into())).await.status, 200);
    let other = create(vehicle("A4", format!("not{EMAIL}"))).await;

    let found = person(&app, &token, EMAIL).await.body["data"].clone();
    assert_eq!(counts(&found["held"]), expected(&[("vehicles", 2), ("history", 4)]), "{found}");
    assert_eq!(found["erased"][0], json!({"kind": "vehicles", "count": 2, "fields": ["mileage_remark", "notes"]}));
    let data: Value = serde_json::from_str(&export(&app, &token).await["data.json"]).unwrap();
    let texts = data["vehicle_texts"].as_array().unwrap();
    assert!(texts.iter().all(|text| text["text"] == note && text["field"] == "notes"), "{texts:?}");
    let mut vehicles: Vec<_> = texts.iter().map(|text| text["vehicle_id"].as_str().unwrap()).collect();
    vehicles.sort_unstable();
    vehicles.dedup();
    assert_eq!(vehicles, [&live, &trashed, &former].map(|path| id_of(path)));

    assert_eq!(erase(&app, &token).await.status, 200);
    let rows = rows_with_word(&app, app.nordbil).await;
    assert!(rows.iter().all(|row| row.to_lowercase().contains("notzyaltok")), "{rows:?}");
    let notes = async |path: &str| read_record(&app, &token, path).await["notes"].clone();
    assert_eq!((notes(&live).await, notes(&former).await), (json!(""), json!("Two keys")));
    assert_eq!(notes(&other).await, format!("not{EMAIL}"));
    assert_error(&person(&app, &token, EMAIL).await, 404, text::NOTHING_HELD.as_str());
}

#[tokio::test]
async fn an_erased_customer_needs_no_number_until_it_gets_an_address() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let path = create_record(&app, &token, "/api/customers", customer_of("Ada"), "customer_id").await;
    assert_eq!(erase(&app, &token).await.status, 200);
    let mut form = with_field(read_record(&app, &token, &path).await, "location", "Lund");
    form.as_object_mut().unwrap().remove("socialSecurityNumber");
    let updated = put(&app, &path, &token, form.clone()).await;
    assert_eq!((updated.status.as_u16(), &updated.body["data"]["location"]), (200, &json!("Lund")), "{}", updated.body);
    form.as_object_mut().unwrap().remove("version");
    form.as_object_mut().unwrap().remove("updatedAt");
    let named = put(&app, &path, &token, with_field(form, "email", EMAIL)).await;
    assert_eq!(named.status, 400, "{}", named.body);
    assert!(named.body.to_string().contains("socialSecurityNumber"), "{}", named.body);
}

#[tokio::test]
async fn an_erasure_is_recorded_certified_and_not_repeated() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    store_person(&app, &token).await;
    let certificate = erase(&app, &token).await.body["data"].clone();
    let entries = app.get("/api/history?action=erased", Some(&token)).await.body;
    assert_eq!((&entries["totalItems"], &entries["data"][0]["label"]), (&json!(1), &certificate["certificate_id"]));
    assert_eq!((&entries["data"][0]["resource"], &entries["data"][0]["undo"]), (&json!("corporations"), &Value::Null));
    let list = app.get("/api/privacy/certificates", Some(&token)).await.body;
    assert_eq!((&list["data"], &list["totalItems"]), (&json!([certificate]), &json!(1)));
    assert!(certificate["by"].as_str().is_some_and(|name| !name.is_empty()), "{certificate}");
    assert_error(&erase(&app, &token).await, 404, text::NOTHING_HELD.as_str());
    let other = app.sign_in(OTHER_ADMIN).await;
    assert_eq!(app.get("/api/privacy/certificates", Some(&other)).await.body["data"], json!([]));
}

#[tokio::test]
async fn the_same_person_in_another_corporation_is_untouched() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    store_person(&app, &token).await;
    let other = app.sign_in(OTHER_ADMIN).await;
    let theirs = store_person(&app, &other).await;
    let corp = app.db().sql("SELECT corp_id FROM users WHERE email = $1").bind(OTHER_ADMIN.to_owned());
    let corp: Uuid = corp.value().await.unwrap();
    extend_all(app.db()).await.unwrap();
    let before = rows_with_word(&app, corp).await;
    assert_eq!(erase(&app, &token).await.status, 200);
    let sort_rows = |rows: Vec<String>| rows.into_iter().filter(|row| row.contains(": ")).collect::<Vec<_>>();
    assert_eq!(sort_rows(rows_with_word(&app, corp).await), sort_rows(before));
    assert_eq!(read_record(&app, &other, &theirs.contact).await["email"], EMAIL);
}

#[tokio::test]
async fn undoing_and_restoring_do_not_bring_erased_data_back() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let stored = store_person(&app, &token).await;
    assert_eq!(erase(&app, &token).await.status, 200);
    let of_record = format!("/api/history?resource=contacts&id={}", id_of(&stored.contact));
    let entries = app.get(&of_record, Some(&token)).await.body["data"].clone();
    let erased = json!({"erased": true});
    assert_eq!((&entries[0]["label"], &entries[0]["changes"][0]["before"]), (&json!("Erased"), &erased), "{entries}");
    for entry in entries.as_array().unwrap().iter().filter(|entry| entry["action"] == "updated") {
        let path = format!("/api/history/{}/revert", entry["history_id"].as_str().unwrap());
        let reverted = app.post(&path, Some(&token), json!({"on_conflict": "overwrite"})).await;
        assert_error(&reverted, 409, history_text::NOT_RECORDED.as_str());
    }
    for entry in entries.as_array().unwrap() {
        let path = format!("/api/history/{}/record", entry["history_id"].as_str().unwrap());
        let past = app.get(&path, Some(&token)).await.body;
        assert!(!past.to_string().contains(WORD) && past["data"]["values"].is_array(), "{past}");
    }
    let created = entries.as_array().unwrap().last().unwrap()["history_id"].as_str().unwrap();
    let past = app.get(&format!("/api/history/{created}/record"), Some(&token)).await.body;
    assert_eq!(past["data"]["values"][0]["value"], erased, "{past}");
    for (list, path) in &stored.deleted {
        let restored = json!({"resource": list, "ids": [id_of(path)]});
        assert_eq!(app.post("/api/trash/restore", Some(&token), restored).await.status, 200);
        assert_eq!(app.get(path, Some(&token)).await.status, 200);
    }
    assert_eq!(rows_with_word(&app, app.nordbil).await, [""; 0]);
}

#[tokio::test]
async fn a_value_in_the_place_of_an_erased_one_breaks_the_chain() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let stored = store_person(&app, &token).await;
    extend_all(app.db()).await.unwrap();
    assert_eq!(erase(&app, &token).await.status, 200);
    extend_all(app.db()).await.unwrap();
    let db = app.db().all_tenants();
    for change in [
        "UPDATE history SET label = 'Ada' WHERE record_id = $1 AND label = 'Erased'",
        "UPDATE history SET changes = replace(changes, '{\"erased\":true}', '\"Ada\"') WHERE record_id = $1",
        "UPDATE history SET erased = NULL WHERE record_id = $1",
    ] {
        let mut tx = db.begin().await.unwrap();
        let id: Uuid = id_of(&stored.contact).parse().unwrap();
        assert!(tx.sql(change).bind(id).exec().await.unwrap() > 0, "{change}");
        tx.commit().await.unwrap();
        assert_eq!(verify(&db).await.unwrap().broken.len(), 1, "{change}");
    }
}
