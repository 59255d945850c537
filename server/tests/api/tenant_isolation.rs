//! Puts a marker word into every text of one tenant. Users of another tenant then send every request, while jobs run
//! and the server writes a trace log. The word must not be in a response, a mail or the log (security.md T4 and T7).

use crate::app::{CLERK, SUPER_ADMIN, TestApp, client, read_code};
use crate::contract;
use crate::customers::company;
use crate::helpers::wait_until;
use crate::imports::{csv, csv_mapping, submit};
use crate::policy::content::Content;
use crate::policy::fixtures::{
    Ids, ResourceKind, Tenant, create_tenant, insert_resource, insert_tenant_with_swapped_roles, insert_user, mix_ids,
};
use crate::policy::rows::Reader;
use crate::policy::samples::{RequestValues, SAMPLES, Sample, method, path};
use crate::provider::Provider;
use crate::secret_search::{encodings, line_with};
use crate::smtp::ReceivedMail;
use crate::traced_server::{LOGIN, TracedServer, VERIFY_OTP};
use forecourt::access::route::Method as RouteMethod;
use forecourt::app::routes::routes;
use forecourt::features::Route;
use forecourt::platform::db::Db;
use forecourt_core::lists::{Kind, LISTS, fields_of};
use forecourt_core::permissions::UserType::{self, Admin, User};
use serde_json::{Value, json};
use uuid::Uuid;

/// The marker word. It has only letters, so that it can be a name.
const WORD: &str = "Qvxzyaltokmarkwrl";
/// A part of [`WORD`]. A search for it finds the marked records, but the request does not contain the whole word.
const PART: &str = "zyaltok";

/// Columns that can't contain [`WORD`]: their texts come from a list or are derived. See also [`fixed_columns`].
const FIXED: &[&str] = &[
    "agreements.agreement_type",
    "agreements.legs",
    "agreements.number",
    "corporation_resources.resource_id",
    "role_permissions.resource_id",
    "users.user_type",
    "users.password_hash",
    "erasures.parts",
    "history.action",
    "history.actor_kind",
    "history.needed_resource_id",
    "history.resource_id",
    "images.mime",
    "imports.status",
    "import_failures.problems",
    "customers.customer_type",
    "customers.active_on",
    "customers.social_security_key",
    "customers.typed_agreement_type",
    "customers.typed_latest_purchase",
    "messages.status",
    "trash.resource_id",
    "trash.social_security_key",
    "vehicles.photos",
    "view_defaults.resource_id",
    "views.customer_type",
    "views.density",
    "views.from_date",
    "views.resource_id",
    "views.to_date",
];

/// Returns the columns of lists that can't contain [`WORD`]: dates and fixed choices.
fn fixed_columns() -> Vec<String> {
    let of = |list: &'static &str| {
        let fields = fields_of(list).unwrap().iter();
        let fixed = fields.filter(|field| matches!(field.kind, Kind::Date | Kind::Choice(_)));
        fixed.map(move |field| format!("{list}.{}", snake_case(field.name)))
    };
    LISTS.iter().flat_map(of).collect()
}

/// Returns the name of a field such as `startDate` in snake case (`start_date`).
fn snake_case(name: &str) -> String {
    name.chars().flat_map(|c| c.is_uppercase().then_some('_').into_iter().chain(c.to_lowercase())).collect()
}

/// Tables that the program and triggers keep: numbers, totals and links between records. They have no free text.
const DERIVED: [&str; 3] = ["agreement_vehicles", "lists", "list_months"];

struct Harness {
    program: TracedServer,
    password: String,
    /// The mails that the program has sent and that were read so far.
    mails: Vec<ReceivedMail>,
    requests: u64,
}

impl Harness {
    async fn start() -> Self {
        let program = TracedServer::start("json", &Provider::start().await).await;
        let password = program.secrets[0].text.clone();
        Harness { program, password, mails: Vec::new(), requests: 0 }
    }

    /// Sends a request whose response is not recorded.
    async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Value {
        let request = client().post(format!("{}{path}", self.program.base_url)).json(body);
        let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
        contract::send(request).await.value()
    }

    /// Sends the right password from this device, and returns the mailed code.
    async fn request_code(&mut self, email: &str, device: &str) -> String {
        let form = json!({"email": email, "password": self.password, "deviceId": device, "deviceName": device});
        let response = self.post(LOGIN, None, &form).await;
        assert_eq!(response["requiresVerification"], true, "{response}");
        loop {
            let mail = self.program.mails.next().await;
            let code = (mail.subject.starts_with("Your code") && mail.recipients.iter().any(|to| to == email))
                .then(|| read_code(&mail.text));
            self.mails.push(mail);
            if let Some(code) = code {
                return code;
            }
        }
    }

    async fn sign_in(&mut self, email: &str, device: &str) -> String {
        let otp = self.request_code(email, device).await;
        let response = self.post(VERIFY_OTP, None, &json!({"email": email, "otp": otp, "deviceId": device})).await;
        let token = response["data"]["tokens"]["accessToken"].as_str();
        token.unwrap_or_else(|| panic!("{response}")).to_owned()
    }
}

/// Returns a form with a file that has [`WORD`] in its name, columns and cells. One of its rows fails.
fn marked_file() -> Content {
    let file = format!("Namn,{WORD}\n{WORD} Öberg,\n{WORD} Öberg,{WORD}\n");
    let columns = json!([
        {"fileColumn": "Namn", "modelColumn": "name"}, {"fileColumn": WORD, "modelColumn": "email"},
    ]);
    let name = Box::leak(format!("{WORD}.csv").into_boxed_str());
    Content::File("file", name, file.into_bytes(), vec![("columnMapping", columns.to_string())])
}

/// Appends [`WORD`] to every text column of the tenant's rows, and asserts that columns with JSON already contain it.
/// Returns the names of all these columns.
async fn mark_columns(db: &Db, corp: Uuid) -> Vec<String> {
    let columns: Vec<(String, String)> = db
        .sql(db.pick(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND c.type = 'TEXT'",
            "SELECT CAST(table_name AS text), CAST(column_name AS text) FROM information_schema.columns \
             WHERE table_schema = 'public' AND data_type = 'text'",
        ))
        .all()
        .await
        .unwrap();
    let of_tenants: Vec<(String,)> = db
        .sql(db.pick(
            "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c \
             WHERE t.type = 'table' AND c.name = 'corp_id'",
            "SELECT CAST(table_name AS text) FROM information_schema.columns \
             WHERE table_schema = 'public' AND column_name = 'corp_id'",
        ))
        .all()
        .await
        .unwrap();
    let (mut marked, fixed) = (Vec::new(), fixed_columns());
    for (table, column) in columns {
        let name = format!("{table}.{column}");
        let is_a_tenants = of_tenants.iter().any(|(of_tenant,)| *of_tenant == table);
        if !is_a_tenants || FIXED.contains(&name.as_str()) || fixed.contains(&name) || DERIVED.contains(&table.as_str())
        {
            continue;
        }
        let is_json =
            ["contacts.other_details", "imports.mapping", "history.changes", "trash.content", "vehicles.costs"]
                .contains(&name.as_str());
        // Appending the word would make JSON invalid, so only check that earlier requests have put it there.
        let statement = if is_json {
            format!("SELECT {column} FROM {table} WHERE corp_id = $1 AND {column} LIKE '%{WORD}%'")
        } else {
            format!("UPDATE {table} SET {column} = coalesce({column}, '') || '{WORD}' WHERE corp_id = $1")
        };
        let sql = db.sql(Box::leak(statement.into_boxed_str())).bind(corp);
        let rows = if is_json { sql.all::<(String,)>().await.unwrap().len() as u64 } else { sql.exec().await.unwrap() };
        assert!(rows > 0, "no row of the marked tenant has a text in {name}");
        marked.push(name);
    }
    marked
}

/// The tenant whose texts contain [`WORD`].
struct MarkedTenant {
    tenant: Tenant,
    /// The access token of its Admin.
    token: String,
    /// The ids of one resource of every kind.
    ids: Vec<(ResourceKind, Ids)>,
}

/// Creates a tenant whose texts all contain [`WORD`], with requests if possible, and otherwise by inserting rows.
async fn create_marked_tenant(harness: &mut Harness, db: &Db) -> MarkedTenant {
    let tenant = create_tenant(db, WORD).await;
    let email = format!("{}@marked.example", WORD.to_lowercase());
    let admin = insert_user(db, tenant.corp, &email, Admin, None).await;
    let waiting = insert_user(db, tenant.corp, "waiting@marked.example", User, Some(tenant.reading)).await;
    let token = harness.sign_in(&email, WORD).await;
    harness.request_code("waiting@marked.example", WORD).await;
    let contact = json!({"name": WORD, "phone": WORD, "address": WORD, "otherDetails": {WORD: WORD}});
    let made = harness.post("/api/contacts", Some(&token), &contact).await;
    assert_eq!(made["success"], true, "{made}");
    let made = harness.post("/api/customers", Some(&token), &company(WORD)).await;
    let id = made["data"]["customer_id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    let deletion = json!({"ids": [id], "action": "delete"});
    let deleted = harness.post("/api/customers/bulk", Some(&token), &deletion).await;
    assert_eq!(deleted["data"]["changed"], 1, "{deleted}");
    let costs = json!([{"date": "2026-11-20", "kind": "Tyres", "net": 500, "note": WORD}]);
    // The vehicle is not in stock, because the word is put into its VIN, and a VIN is unique in stock.
    let vehicle = json!({"registration_number": "AB12 CDE", "status": "Withdrawn", "costs": costs});
    let made = harness.post("/api/vehicles", Some(&token), &vehicle).await;
    assert_eq!(made["success"], true, "{made}");
    // This change adds an entry with the word in its values to the history.
    let change = json!({"query": {}, "action": "update", "fields": {"address": format!("{WORD} 2")}});
    let changed = harness.post("/api/contacts/bulk", Some(&token), &change).await;
    assert_eq!(changed["data"]["changed"], 1, "{changed}");
    harness.import_marked(&token).await;
    wait_for_imports(db).await;
    for (text, user) in [
        ("INSERT INTO identities (corp_id, user_id, issuer, subject, created_at) VALUES ($1, $2, '', '', 0)", admin),
        (
            "INSERT INTO handoffs (corp_id, user_id, device_name, handoff_hash, expires_at) \
             SELECT corp_id, user_id, '', code_hash, 0 FROM login_codes WHERE corp_id = $1 AND user_id = $2",
            waiting,
        ),
    ] {
        assert_eq!(db.sql(text).bind(tenant.corp).bind(user).exec().await.unwrap(), 1);
    }
    let mut ids = Vec::new();
    for resource in ResourceKind::all() {
        ids.push((resource, insert_resource(db, resource, tenant.corp, None).await));
    }
    let columns = mark_columns(db, tenant.corp).await;
    assert!(columns.len() > 30, "{columns:?}");
    MarkedTenant { tenant, token, ids }
}

/// Waits until every import has ended.
async fn wait_for_imports(db: &Db) {
    let left = "SELECT count(*) FROM imports WHERE status NOT IN ('completed', 'failed')";
    wait_until("every import has ended", async || db.sql(left).value::<i64>().await.unwrap() == 0).await;
}

/// A user of the tenant without marked texts.
struct OtherUser {
    tenant: Tenant,
    user: Uuid,
    email: String,
    token: String,
}

impl OtherUser {
    async fn new(harness: &mut Harness, db: &Db, tenant: Tenant, user_type: UserType, role: Option<Uuid>) -> Self {
        let email = format!("{}@people.example", Uuid::now_v7().simple());
        let user = insert_user(db, tenant.corp, &email, user_type, role).await;
        let token = harness.sign_in(&email, "Tests").await;
        OtherUser { tenant, user, email, token }
    }
}

impl Harness {
    /// Submits the marked file for import.
    async fn import_marked(&self, token: &str) {
        let request = client().post(format!("{}/api/contacts/import/submit", self.program.base_url)).bearer_auth(token);
        let response = contract::send(marked_file().put_into(request)).await;
        assert_eq!(response.status, 202);
    }

    /// Sends a sample's request with the user's own ids, with ids of the marked tenant, and with searches for the word.
    async fn send_sample(&mut self, db: &Db, route: &Route, sample: &Sample, by: &OtherUser, marked: &MarkedTenant) {
        let own = match sample.id {
            Some(resource) => insert_resource(db, resource, by.tenant.corp, Some(by.user)).await,
            None => Ids::new(),
        };
        let foreign =
            |wanted: ResourceKind| marked.ids.iter().find(|(resource, _)| *resource == wanted).unwrap().1.clone();
        for (pointer, resource) in sample.ids {
            let mut content = self.content(sample, by);
            content.set(pointer, foreign(*resource).last().unwrap());
            self.send(route, &path(route, &own), by, content).await;
        }
        if let Some(resource) = sample.id {
            for ids in mix_ids(&own, &foreign(resource)).into_iter().chain([foreign(resource)]) {
                let content = self.content(sample, by);
                self.send(route, &path(route, &ids), by, content).await;
            }
        }
        if route.method == RouteMethod::Get {
            for query in [format!("search={PART}&searchTerm={PART}"), "limit=100".into(), "limit=1&page=2".into()] {
                self.send(route, &format!("{}?{query}", path(route, &own)), by, Content::Empty).await;
            }
        }
        let content = self.content(sample, by);
        self.send(route, &path(route, &own), by, content).await;
    }

    fn content(&mut self, sample: &Sample, by: &OtherUser) -> Content {
        self.requests += 1;
        let Tenant { corp, reading, .. } = by.tenant;
        sample.content(&RequestValues { user: by.user, email: by.email.clone(), corp, role: reading, n: self.requests })
    }

    /// Sends a request as the user `by` through the traced server, which records the response.
    async fn send(&mut self, route: &Route, path: &str, by: &OtherUser, content: Content) {
        let request = self.program.request(method(route.method), path).bearer_auth(&by.token);
        self.program.send(&format!("{:?} {path}", route.method), content.put_into(request)).await;
    }
}

/// Returns the encoded form of [`WORD`] that a text contains; `None` if it contains none.
fn find_word(text: &str) -> Option<String> {
    [WORD.to_owned(), WORD.to_lowercase()].iter().flat_map(|word| encodings(word)).find(|form| text.contains(form))
}

#[tokio::test]
async fn t4_t7_no_request_or_job_reveals_data_of_another_tenant() {
    let mut harness = Harness::start().await;
    let db = harness.program.db().await;
    let marked = create_marked_tenant(&mut harness, &db).await;
    let first = insert_tenant_with_swapped_roles(&db, "First", &marked.tenant).await;
    let people = [(Admin, None), (User, Some(first.full)), (User, Some(first.reading)), (User, None)];
    let mut users = Vec::new();
    for (user_type, role) in people {
        users.push(OtherUser::new(&mut harness, &db, first, user_type, role).await);
    }
    for (route, sample) in routes().flat_map(|r| SAMPLES.iter().filter(|s| s.is_for_route(r)).map(move |s| (r, s))) {
        db.sql("DELETE FROM throttles").exec().await.unwrap();
        for (i, (user_type, role)) in people.into_iter().enumerate() {
            if route.path.ends_with("/import/submit") {
                // Import a file of the marked tenant while the other tenant's imports run.
                harness.import_marked(&marked.token).await;
            }
            if sample.uses_up_user {
                let twin = OtherUser::new(&mut harness, &db, first, user_type, role).await;
                harness.send_sample(&db, route, sample, &twin, &marked).await;
            } else {
                harness.send_sample(&db, route, sample, &users[i], &marked).await;
            }
        }
    }
    wait_for_imports(&db).await;

    assert!(harness.program.responses.len() > 500, "{}", harness.program.responses.len());
    for (request, response) in &harness.program.responses {
        assert_eq!(find_word(response), None, "in a response to {request}: {response}");
    }
    let rows = Reader::new(&db, &[marked.tenant.corp, first.corp]).await.read(&db).await;
    assert!(rows[&marked.tenant.corp].iter().any(|row| find_word(row).is_some()), "the rows are not read");
    for row in &rows[&first.corp] {
        assert_eq!(find_word(row), None, "in a row of the first tenant: {row}");
    }
    harness.mails.extend(harness.program.mails.accept_all_and_take_mails().await);
    let (marked_mails, other_mails): (Vec<_>, Vec<_>) =
        harness.mails.iter().partition(|mail| mail.recipients.iter().any(|to| to.ends_with("@marked.example")));
    assert!(marked_mails.len() > 1 && other_mails.len() > 10, "{} {}", marked_mails.len(), other_mails.len());
    for mail in other_mails {
        assert_eq!(find_word(&format!("{mail:?}")), None, "in a mail to another: {mail:?}");
    }
    let log = harness.program.log();
    assert!(log.contains("TRACE") && log.contains("an import is completed"), "the log level is too low");
    if let Some(form) = find_word(&log) {
        panic!("in the log: {}", line_with(&log, &form));
    }
}

#[tokio::test]
async fn resources_and_waiting_imports_of_a_tenant_do_not_affect_another() {
    let app = TestApp::start().await;
    let (platform, clerk) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(CLERK).await);
    let (small, busy) = (create_tenant(app.db(), "Small").await.corp, create_tenant(app.db(), "Busy").await.corp);
    for text in
        ["DELETE FROM role_permissions WHERE corp_id = $1", "DELETE FROM corporation_resources WHERE corp_id = $1"]
    {
        app.db().sql(text).bind(small).exec().await.unwrap();
    }
    let path = format!("/api/corporations/{small}/resources");
    let added = app.post(&path, Some(&platform), json!({"resourceIds": ["contacts"]})).await;
    assert_eq!((added.status.as_u16(), &added.body["data"]["allowed_resources"]), (200, &json!(["contacts"])));

    for _ in 0..20 {
        insert_resource(app.db(), ResourceKind::Import, busy, None).await;
    }
    // As many imports as may wait in a corporation, leased so that no worker claims them.
    let waiting = "UPDATE imports SET status = 'pending', leased_until = 9000000000000000000 WHERE corp_id = $1";
    assert_eq!(app.db().sql(waiting).bind(busy).exec().await.unwrap(), 20);
    let response = submit(&app, &clerk, "people.csv", &csv(1), &csv_mapping()).await;
    assert_eq!(response.status, 202, "{}", response.body);
}
