//! Fills a database with one large corporation and several small ones, and signs users in.

use crate::drive::{Choose, Dice, User};
use crate::mix::{Tenant, next_request};
use crate::server::{EMAIL, Server, program};
use crate::statistics;
use forecourt::platform::db::Db;
use forecourt_core::permissions::assignable_entries;
use futures_util::StreamExt;
use futures_util::stream;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use uuid::Uuid;

/// The number of small corporations.
const OTHERS: usize = 9;
/// The number of contacts, of customers and of invoices in each small corporation.
const ROWS: usize = 2_000;
/// Of every ten users, how many belong to the large corporation.
const LARGE_SHARE: usize = 6;
/// Number of concurrent sign-ins.
const CONCURRENT_SIGN_INS: usize = 8;

/// Creates the corporations and their users: first the large one with `rows` contacts, as many customers and as many
/// invoices, then the small ones. A server must have started with this database before. Returns each corporation with
/// its number of rows.
pub async fn create_corporations(folder: &Path, url: &str, rows: usize, user_count: usize) -> Vec<(Uuid, usize)> {
    let db = Db::open(url, 2).await.expect("the database opens");
    let mut made = Vec::new();
    for number in 0..=OTHERS {
        let (corp, rows) = (Uuid::now_v7(), if number == 0 { rows } else { ROWS });
        let sql = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, $2, 0, 0)";
        db.sql(sql).bind(corp).bind(format!("Bench {number}")).exec().await.expect("a corporation is created");
        for entry in assignable_entries() {
            let sql = "INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)";
            db.sql(sql).bind(corp).bind(entry.resource_id()).exec().await.expect("a resource is subscribed");
        }
        let mut command = program("demo-data", folder, url);
        command.args(["--count", &rows.to_string(), "--corporation", &corp.to_string()]);
        if number > 0 {
            command.stdout(Stdio::null());
        }
        assert!(command.status().expect("the program starts").success());
        made.push((corp, rows));
    }
    for user in 0..user_count {
        let copy = "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, password_hash, \
            created_at, updated_at) SELECT $1, $2, $3, first_name, last_name, mobile, 'Admin', password_hash, created_at, \
            updated_at FROM users WHERE email = $4";
        let copied =
            db.sql(copy).bind(made[corporation_of(user)].0).bind(Uuid::now_v7()).bind(email(user)).bind(EMAIL).exec();
        assert_eq!(copied.await.expect("a user is created"), 1);
    }
    db.close().await;
    statistics::update(url).await;
    made
}

fn email(user: usize) -> String {
    format!("user-{user}@bench.example")
}

/// Returns the index of the corporation of user number `user`; 0 is the large one.
fn corporation_of(user: usize) -> usize {
    if user % 10 < LARGE_SHARE { 0 } else { 1 + (user / 10 * (10 - LARGE_SHARE) + user % 10) % OTHERS }
}

/// Signs `count` users in, spread over the nodes. Returns the large tenant and the users.
pub async fn sign_in_users(
    nodes: &[Server],
    folder: &Path,
    made: &[(Uuid, usize)],
    count: usize,
) -> (Arc<Tenant>, Vec<User>) {
    let sign_ins =
        (0..count).map(async |user| nodes[user % nodes.len()].sign_in_from(folder, user, &email(user)).await);
    let tokens: Vec<String> = stream::iter(sign_ins).buffered(CONCURRENT_SIGN_INS).collect().await;
    let mut tenants = Vec::new();
    for (number, (corp, rows)) in made.iter().enumerate() {
        let user = (0..count).find(|&user| corporation_of(user) == number).expect("every corporation has users");
        tenants.push(Tenant::load(&nodes[0], *corp, *rows, &tokens[user]).await);
    }
    let users = tokens.into_iter().enumerate().map(|(user, token)| {
        let tenant = tenants[corporation_of(user)].clone();
        let choose: Choose = Arc::new(move |dice| next_request(&tenant, dice));
        let at = nodes[user % nodes.len()].at.trim_start_matches("http://").parse().expect("the server has an address");
        User { at, token, dice: Dice(0x9E37_79B9_7F4A_7C15 ^ ((user as u64 + 1) << 20)), choose }
    });
    (tenants[0].clone(), users.collect())
}
