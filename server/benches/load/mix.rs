//! The requests that the virtual users send, as in a dealer's working day: nine of ten are reads.

use crate::drive::{Call, Dice};
use crate::server::Server;
use hyper::Method;
use reqwest::Client;
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// A corporation, and ids of some of its records.
pub struct Tenant {
    pub corp: Uuid,
    pub rows: usize,
    pub contacts: Vec<String>,
    customers: Vec<String>,
    invoices: Vec<String>,
}

/// The number of pages of each list from which ids of records are taken.
const PAGES: usize = 12;
/// The number of records per page.
const ROWS: usize = 50;

impl Tenant {
    /// Reads ids of records from pages that are spread over each list, with a user's access token.
    pub async fn load(server: &Server, corp: Uuid, rows: usize, token: &str) -> Arc<Self> {
        let ids = async |table: &str, id: &str| {
            let mut found = Vec::new();
            for part in 0..PAGES {
                let page = 1 + part * rows / ROWS / PAGES;
                let path = format!("{}/api/{table}?limit={ROWS}&page={page}", server.at);
                let response = get_json(&server.client, &path, token).await;
                let list = response.as_array().or(response["data"].as_array()).expect("there is a list");
                found.extend(list.iter().filter_map(|record| record[id].as_str().map(str::to_owned)));
            }
            assert!(found.len() > ROWS, "{table} has too few records");
            found
        };
        let contacts = ids("contacts", "_id").await;
        let (customers, invoices) = (ids("customers", "customer_id").await, ids("invoices", "_id").await);
        Arc::new(Tenant { corp, rows, contacts, customers, invoices })
    }
}

async fn get_json(client: &Client, path: &str, token: &str) -> Value {
    let response = client.get(path).bearer_auth(token).send().await.expect("the server answers");
    response.json().await.expect("the response is JSON")
}

// Names of sample records of British corporations, which the tenants are unless their country is changed.
const FIRST: &[&str] = &["Aisha", "Hannah", "Freya", "Jack", "Zoë", "Priya", "Rosie", "Samuel", "Sophie"];
const LAST: &[&str] = &["Hughes", "Baker", "Thompson", "Green", "Kaur", "Patel", "Walsh", "Reed", "Owen"];
const TYPES: &[&str] = &["Private", "Company", "Agency"];

fn read(kind: &'static str, path: String) -> Call {
    Call { kind, method: Method::GET, path, body: None }
}

fn write(kind: &'static str, method: Method, path: String, body: &Value) -> Call {
    Call { kind, method, path, body: Some(body.to_string()) }
}

/// Returns a search text: part of a name, as while typing, or a whole name.
fn search_text(dice: &mut Dice) -> String {
    let last = dice.one_of(LAST);
    let text = match dice.below(3) {
        0 => last.chars().take(3).collect(),
        1 => format!("{} {last}", dice.one_of(FIRST)),
        _ => (*last).to_owned(),
    };
    url::form_urlencoded::byte_serialize(text.to_lowercase().as_bytes()).collect()
}

/// Returns a page number: one of the pages 2 to 9 in nine of ten cases, else any page.
fn random_page(tenant: &Tenant, dice: &mut Dice) -> usize {
    let pages = (tenant.rows / 15).max(1);
    if pages > 1 && dice.below(10) < 9 { 2 + dice.below((pages - 1).min(8)) } else { 1 + dice.below(pages) }
}

fn random_name_and_email(dice: &mut Dice) -> (String, String) {
    let name = format!("{} {}", dice.one_of(FIRST), dice.one_of(LAST));
    (name, format!("load{}@example.se", dice.below(1 << 30)))
}

fn customer(dice: &mut Dice) -> Value {
    let (name, email) = random_name_and_email(dice);
    json!({
        "name": name, "email": email, "telephone": "+46 70 174 06 41", "address": "Storgatan 1, Malmö",
        "type": "Private", "status": "Active", "socialSecurityNumber": "19121212-1212",
    })
}

fn invoice(dice: &mut Dice) -> Value {
    let (name, email) = random_name_and_email(dice);
    json!({
        "customer": name, "website": "nordbil.example", "email": email, "customerRequirements": "",
        "startDate": "2026-01-10", "endDate": "2026-02-10", "projectPrice": 100 + dice.below(50_000),
    })
}

/// A kind of request: its share of all requests in percent, and the function that creates one.
type Kind = (usize, fn(&Tenant, &mut Dice) -> Call);

const MIX: &[Kind] = &[
    (8, |_, _| read("permissions", "/api/rbac/user-permissions".into())),
    (3, |_, _| read("profile", "/api/auth/profile/detail".into())),
    (3, |_, _| read("theme", "/api/theme".into())),
    (7, |_, _| read("dashboard", "/api/dashboard".into())),
    (12, |_, _| read("contacts, first page", "/api/contacts?page=1&limit=15".into())),
    (7, |t, d| read("contacts, a page", format!("/api/contacts?limit=15&page={}", random_page(t, d)))),
    (8, |_, d| read("contacts, a search", format!("/api/contacts?page=1&limit=15&search={}", search_text(d)))),
    (12, |t, d| read("contact", format!("/api/contacts/{}", d.one_of(&t.contacts)))),
    (6, |_, _| read("customers, first page", "/api/customers?page=1&limit=15".into())),
    (3, |t, d| read("customers, a page", format!("/api/customers?limit=15&page={}", random_page(t, d)))),
    (2, |_, d| read("customers, a type", format!("/api/customers?limit=15&typeAdv={}", d.one_of(TYPES)))),
    (3, |_, d| read("customers, a search", format!("/api/customers?limit=15&searchTerm={}", search_text(d)))),
    (5, |t, d| read("customer", format!("/api/customers/{}", d.one_of(&t.customers)))),
    (4, |_, _| read("invoices, first page", "/api/invoices?page=1&limit=15".into())),
    (2, |_, d| read("invoices, a search", format!("/api/invoices?page=1&limit=15&search={}", search_text(d)))),
    (3, |t, d| read("invoice", format!("/api/invoices/{}", d.one_of(&t.invoices)))),
    (1, |_, _| read("invoices, total", "/api/invoices/total".into())),
    (1, |_, _| read("imports", "/api/contacts/imports?page=1&limit=15".into())),
    (3, |_, d| {
        let (name, email) = random_name_and_email(d);
        write("create a contact", Method::POST, "/api/contacts".into(), &json!({"name": name, "email": email}))
    }),
    (2, |t, d| {
        let (path, (name, _)) = (format!("/api/contacts/{}", d.one_of(&t.contacts)), random_name_and_email(d));
        write("update a contact", Method::PUT, path, &json!({"name": name}))
    }),
    (2, |t, d| {
        let path = format!("/api/contacts/{}/comments", d.one_of(&t.contacts));
        write("comment", Method::POST, path, &json!({"comment": "Called, and asked for winter tyres."}))
    }),
    (1, |_, d| write("create a customer", Method::POST, "/api/customers".into(), &customer(d))),
    (1, |t, d| {
        write("update a customer", Method::PUT, format!("/api/customers/{}", d.one_of(&t.customers)), &customer(d))
    }),
    (1, |_, d| write("create an invoice", Method::POST, "/api/invoices".into(), &invoice(d))),
];

/// Returns a random request of a user of this tenant.
pub fn next_request(tenant: &Tenant, dice: &mut Dice) -> Call {
    let mut at = dice.below(MIX.iter().map(|(share, _)| share).sum());
    for (share, call) in MIX {
        if at < *share {
            return call(tenant, dice);
        }
        at -= share;
    }
    read("dashboard", "/api/dashboard".into())
}
