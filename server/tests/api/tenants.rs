//! A tenant that holds a word of its own wherever a text can stand, beside another whose people make every call that there
//! is, with jobs at work and the log at its most talkative. The word must not come to light anywhere (security.md T4, T7).

use crate::app::{CLERK, SUPER_ADMIN, TestApp, client, code_in};
use crate::contract;
use crate::imports::{csv, csv_mapping, submit};
use crate::policy::rows::Reader;
use crate::policy::samples::{Aim, Content, SAMPLES, Sample, method, path};
use crate::policy::world::{Ids, Tenant, Thing, across, make, mixed, person, tenant};
use crate::provider::Provider;
use crate::search::{forms, is_in};
use crate::smtp::Arrived;
use crate::steps::until;
use crate::talkative::{LOGIN, Program, VERIFY};
use forecourt::access::route::Method as RouteMethod;
use forecourt::app::routes::routes;
use forecourt::features::Route;
use forecourt::platform::db::Db;
use forecourt_core::permissions::UserType::{self, Admin, User};
use serde_json::{Value, json};
use uuid::Uuid;

/// The word. It may stand in a name, which has letters alone.
const WORD: &str = "Qvxzyaltokmarkwrl";
/// A part of it, which finds whatever holds the word and doesn't give it away itself.
const PART: &str = "zyaltok";

/// Columns whose texts are not anybody's words: what is chosen from a list, and what is made from something else.
const FIXED: &[&str] = &[
    "corporation_resources.resource_id",
    "role_permissions.resource_id",
    "users.user_type",
    "users.password_hash",
    "images.mime",
    "imports.status",
    "import_failures.problems",
    "customers.customer_type",
    "customers.status",
    "customers.agreement_type",
    "customers.latest_purchase",
    "customers.active_on",
    "customers.social_security_key",
    "invoices.start_date",
    "invoices.end_date",
    "messages.status",
];

/// Tables that the database alone fills, by what it counts.
const COUNTED: [&str; 2] = ["tallies", "tally_changes"];

struct Office {
    program: Program,
    password: String,
    /// Every mail so far.
    mails: Vec<Arrived>,
    calls: u64,
}

impl Office {
    async fn start() -> Self {
        let program = Program::start("json", &Provider::start().await).await;
        let password = program.secrets[0].text.clone();
        Office { program, password, mails: Vec::new(), calls: 0 }
    }

    /// Gives the password on a device of this name; what is answered isn't noted.
    async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Value {
        let request = client().post(format!("{}{path}", self.program.at)).json(body);
        let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
        contract::send(request).await.value()
    }

    async fn log_in(&mut self, email: &str, device: &str) -> String {
        let form = json!({"email": email, "password": self.password, "deviceId": device, "deviceName": device});
        let answer = self.post(LOGIN, None, &form).await;
        assert_eq!(answer["requiresVerification"], true, "{answer}");
        loop {
            let mail = self.program.mails.next().await;
            let code = (mail.subject.starts_with("Your code") && mail.recipients.iter().any(|to| to == email))
                .then(|| code_in(&mail.text));
            self.mails.push(mail);
            if let Some(code) = code {
                return code;
            }
        }
    }

    async fn sign_in(&mut self, email: &str, device: &str) -> String {
        let otp = self.log_in(email, device).await;
        let answer = self.post(VERIFY, None, &json!({"email": email, "otp": otp, "deviceId": device})).await;
        let token = answer["data"]["tokens"]["accessToken"].as_str();
        token.unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}

/// A file with the word in its name, its columns and its cells; one row of it fails, for what is no e-mail.
fn marked_file() -> Content {
    let file = format!("Namn,{WORD}\n{WORD} Öberg,\n{WORD} Öberg,{WORD}\n");
    let columns = json!([
        {"fileColumn": "Namn", "modelColumn": "name"}, {"fileColumn": WORD, "modelColumn": "email"},
    ]);
    let name = Box::leak(format!("{WORD}.csv").into_boxed_str());
    Content::File("file", name, file.into_bytes(), vec![("columnMapping", columns.to_string())])
}

/// Writes the word into every column of a text that a tenant's rows have, and gives the columns' names.
async fn mark(db: &Db, corp: Uuid) -> Vec<String> {
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
    let mut marked = Vec::new();
    for (table, column) in columns {
        let name = format!("{table}.{column}");
        let is_a_tenants = of_tenants.iter().any(|(of_tenant,)| *of_tenant == table);
        if !is_a_tenants || FIXED.contains(&name.as_str()) || COUNTED.contains(&table.as_str()) {
            continue;
        }
        let is_json = ["other_details", "mapping", "problems"].contains(&column.as_str());
        // What is JSON was filled by the calls.
        let written = if is_json {
            format!("SELECT {column} FROM {table} WHERE corp_id = $1 AND {column} LIKE '%{WORD}%'")
        } else {
            format!("UPDATE {table} SET {column} = coalesce({column}, '') || '{WORD}' WHERE corp_id = $1")
        };
        let sql = db.sql(Box::leak(written.into_boxed_str())).bind(corp);
        let rows = if is_json { sql.all::<(String,)>().await.unwrap().len() as u64 } else { sql.exec().await.unwrap() };
        assert!(rows > 0, "no row of the marked tenant has a text in {name}");
        marked.push(name);
    }
    marked
}

/// The tenant that holds the word.
struct Marked {
    tenant: Tenant,
    /// Its Admin's access token.
    token: String,
    /// What it has of every kind that an id can name.
    ids: Vec<(Thing, Ids)>,
}

/// Fills a tenant by calls where calls can, and by rows where they can't.
async fn marked(office: &mut Office, db: &Db) -> Marked {
    let tenant = tenant(db, WORD).await;
    let email = format!("{}@marked.example", WORD.to_lowercase());
    let admin = person(db, tenant.corp, &email, Admin, None).await;
    let waiting = person(db, tenant.corp, "waiting@marked.example", User, Some(tenant.reading)).await;
    let token = office.sign_in(&email, WORD).await;
    office.log_in("waiting@marked.example", WORD).await;
    let contact = json!({"name": WORD, "phone": WORD, "address": WORD, "otherDetails": {WORD: WORD}});
    let made = office.post("/api/contacts", Some(&token), &contact).await;
    assert_eq!(made["success"], true, "{made}");
    office.import_marked(&token).await;
    imported(db).await;
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
    for thing in Thing::ALL {
        ids.push((thing, make(db, thing, tenant.corp, None).await));
    }
    let columns = mark(db, tenant.corp).await;
    assert!(columns.len() > 30, "{columns:?}");
    Marked { tenant, token, ids }
}

/// Waits until no import is left to do.
async fn imported(db: &Db) {
    let left = "SELECT count(*) FROM imports WHERE status NOT IN ('completed', 'failed')";
    until("every import is over", async || db.sql(left).one::<(i64,)>().await.unwrap().0 == 0).await;
}

/// Somebody of the other tenant.
struct Neighbour {
    tenant: Tenant,
    user: Uuid,
    email: String,
    token: String,
}

impl Neighbour {
    async fn new(office: &mut Office, db: &Db, tenant: Tenant, user_type: UserType, role: Option<Uuid>) -> Self {
        let email = format!("{}@people.example", Uuid::now_v7().simple());
        let user = person(db, tenant.corp, &email, user_type, role).await;
        let token = office.sign_in(&email, "Tests").await;
        Neighbour { tenant, user, email, token }
    }
}

impl Office {
    /// Sends the marked file.
    async fn import_marked(&self, token: &str) {
        let request = client().post(format!("{}/api/contacts/import/submit", self.program.at)).bearer_auth(token);
        let answer = contract::send(marked_file().put_into(request)).await;
        assert_eq!(answer.status, 202);
    }

    /// Makes a sample's call with one's own ids, with the marked tenant's, and with what looks for the word.
    async fn call(&mut self, db: &Db, route: &Route, sample: &Sample, by: &Neighbour, marked: &Marked) {
        let own = match sample.id {
            Some(thing) => make(db, thing, by.tenant.corp, Some(by.user)).await,
            None => Ids::new(),
        };
        let foreign = |wanted: Thing| marked.ids.iter().find(|(thing, _)| *thing == wanted).unwrap().1.clone();
        for (pointer, thing) in sample.ids {
            let mut content = self.content(sample, by);
            content.set(pointer, foreign(*thing).last().unwrap());
            self.send(route, &path(route, &own), by, content).await;
        }
        if let Some(thing) = sample.id {
            for ids in mixed(&own, &foreign(thing)).into_iter().chain([foreign(thing)]) {
                let content = self.content(sample, by);
                self.send(route, &path(route, &ids), by, content).await;
            }
        }
        if route.method == RouteMethod::Get {
            for query in [format!("search={PART}&searchTerm={PART}"), "limit=100".into(), "limit=1&page=2".into()] {
                self.send(route, &format!("{}?{query}", path(route, &own)), by, Content::Nothing).await;
            }
        }
        let content = self.content(sample, by);
        self.send(route, &path(route, &own), by, content).await;
    }

    fn content(&mut self, sample: &Sample, by: &Neighbour) -> Content {
        self.calls += 1;
        let Tenant { corp, reading, .. } = by.tenant;
        (sample.content)(&Aim { user: by.user, email: by.email.clone(), corp, role: reading, n: self.calls })
    }

    async fn send(&mut self, route: &Route, path: &str, by: &Neighbour, content: Content) {
        let request = self.program.request(method(route.method), path).bearer_auth(&by.token);
        self.program.send(&format!("{:?} {path}", route.method), content.put_into(request)).await;
    }
}

/// Is the word in this text, in whatever dress?
fn holds_word(text: &str) -> Option<String> {
    [WORD.to_owned(), WORD.to_lowercase()].iter().flat_map(|word| forms(word)).find(|form| text.contains(form))
}

#[tokio::test]
async fn t4_t7_nothing_of_another_tenant_comes_to_light_whatever_one_calls_while_jobs_are_at_work() {
    let mut office = Office::start().await;
    let db = office.program.db().await;
    let marked = marked(&mut office, &db).await;
    let first = across(&db, "First", &marked.tenant).await;
    let people = [(Admin, None), (User, Some(first.full)), (User, Some(first.reading)), (User, None)];
    let mut neighbours = Vec::new();
    for (user_type, role) in people {
        neighbours.push(Neighbour::new(&mut office, &db, first, user_type, role).await);
    }
    for (route, sample) in routes().flat_map(|r| SAMPLES.iter().filter(|s| s.is_of(r)).map(move |s| (r, s))) {
        db.sql("DELETE FROM throttles").exec().await.unwrap();
        for (i, (user_type, role)) in people.into_iter().enumerate() {
            if route.path.ends_with("/import/submit") {
                // Both tenants' files are worked through at once.
                office.import_marked(&marked.token).await;
            }
            if sample.spends {
                let twin = Neighbour::new(&mut office, &db, first, user_type, role).await;
                office.call(&db, route, sample, &twin, &marked).await;
            } else {
                office.call(&db, route, sample, &neighbours[i], &marked).await;
            }
        }
    }
    imported(&db).await;

    assert!(office.program.answers.len() > 500, "{}", office.program.answers.len());
    for (call, answer) in &office.program.answers {
        assert_eq!(holds_word(answer), None, "in an answer to {call}: {answer}");
    }
    let rows = Reader::new(&db, &[marked.tenant.corp, first.corp]).await.read(&db).await;
    assert!(rows[&marked.tenant.corp].iter().any(|row| holds_word(row).is_some()), "the rows are not read");
    for row in &rows[&first.corp] {
        assert_eq!(holds_word(row), None, "in a row of the first tenant: {row}");
    }
    office.mails.extend(office.program.mails.rest().await);
    let (of_marked, others): (Vec<_>, Vec<_>) =
        office.mails.iter().partition(|mail| mail.recipients.iter().any(|to| to.ends_with("@marked.example")));
    assert!(of_marked.len() > 1 && others.len() > 10, "{} {}", of_marked.len(), others.len());
    for mail in others {
        assert_eq!(holds_word(&format!("{mail:?}")), None, "in a mail to another: {mail:?}");
    }
    let log = office.program.log();
    assert!(log.contains("TRACE") && log.contains("an import is completed"), "the log is not talkative");
    if let Some(form) = holds_word(&log) {
        panic!("in the log: {}", is_in(&log, &form));
    }
}

#[tokio::test]
async fn what_one_tenant_may_use_or_has_waiting_is_nothing_to_another() {
    let app = TestApp::start().await;
    let (platform, clerk) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(CLERK).await);
    let (small, busy) = (tenant(app.db(), "Small").await.corp, tenant(app.db(), "Busy").await.corp);
    for text in
        ["DELETE FROM role_permissions WHERE corp_id = $1", "DELETE FROM corporation_resources WHERE corp_id = $1"]
    {
        app.db().sql(text).bind(small).exec().await.unwrap();
    }
    let path = format!("/api/corporations/{small}/resources");
    let added = app.post(&path, Some(&platform), json!({"resourceIds": ["contacts"]})).await;
    assert_eq!((added.status.as_u16(), &added.body["data"]["allowed_resources"]), (200, &json!(["contacts"])));

    for _ in 0..20 {
        make(app.db(), Thing::Import, busy, None).await;
    }
    // More than a corporation may have waiting, and nobody takes them up.
    let waiting = "UPDATE imports SET status = 'pending', leased_until = 9000000000000000000 WHERE corp_id = $1";
    assert_eq!(app.db().sql(waiting).bind(busy).exec().await.unwrap(), 20);
    let answer = submit(&app, &clerk, "people.csv", &csv(1), &csv_mapping()).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
}
