//! A database with one large corporation among smaller ones, and people who are signed in.

use crate::drive::{Choose, Dice, User};
use crate::mix::{Tenant, next};
use crate::server::{EMAIL, Server, program};
use forecourt::platform::db::Db;
use forecourt_core::permissions::CATALOGUE;
use futures_util::StreamExt;
use futures_util::stream;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use uuid::Uuid;

/// Corporations beside the large one, and the rows of each of their tables.
const OTHERS: usize = 9;
const ROWS: usize = 2_000;
/// Of ten people, so many are the large corporation's.
const OF_THE_LARGE: usize = 6;
/// So many sign in at the same time.
const SIGNING_IN: usize = 8;

/// Makes the corporations, the large one first, with so many contacts, customers and invoices, and its people.
pub async fn corporations(folder: &Path, url: &str, rows: usize, people: usize) -> Vec<(Uuid, usize)> {
    // Makes the schema and the first person.
    drop(Server::start(folder, url).await);
    let db = Db::open(url, 2).await.expect("the database opens");
    let mut made = Vec::new();
    for number in 0..=OTHERS {
        let (corp, rows) = (Uuid::now_v7(), if number == 0 { rows } else { ROWS });
        let sql = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, $2, 0, 0)";
        db.sql(sql).bind(corp).bind(format!("Bench {number}")).exec().await.expect("a corporation is made");
        for entry in CATALOGUE.iter().filter(|entry| entry.is_assignable()) {
            let sql = "INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)";
            db.sql(sql).bind(corp).bind(entry.resource_id).exec().await.expect("a module is given");
        }
        let mut command = program("demo-data", folder, url);
        command.args(["--count", &rows.to_string(), "--corporation", &corp.to_string()]);
        if number > 0 {
            command.stdout(Stdio::null());
        }
        assert!(command.status().expect("the program starts").success());
        made.push((corp, rows));
    }
    for who in 0..people {
        let copy = "INSERT INTO users (corp_id, user_id, email, first_name, last_name, mobile, user_type, password_hash, \
            created_at, updated_at) SELECT $1, $2, $3, first_name, last_name, mobile, 'Admin', password_hash, created_at, \
            updated_at FROM users WHERE email = $4";
        let copied = db.sql(copy).bind(made[place(who)].0).bind(Uuid::now_v7()).bind(email(who)).bind(EMAIL).exec();
        assert_eq!(copied.await.expect("a person is made"), 1);
    }
    db.sql(db.pick("ANALYZE", "VACUUM ANALYZE")).exec().await.expect("statistics are made");
    db.close().await;
    made
}

fn email(who: usize) -> String {
    format!("person-{who}@bench.example")
}

/// The corporation of a person.
fn place(who: usize) -> usize {
    if who % 10 < OF_THE_LARGE { 0 } else { 1 + (who / 10 * 4 + who % 10) % OTHERS }
}

/// Signs everybody in, and gives each their tenant's records; every node has its share of them.
pub async fn people(nodes: &[Server], folder: &Path, made: &[(Uuid, usize)], count: usize) -> (Arc<Tenant>, Vec<User>) {
    let sign_ins = (0..count).map(async |who| nodes[who % nodes.len()].token_of(folder, who, &email(who)).await);
    let tokens: Vec<String> = stream::iter(sign_ins).buffered(SIGNING_IN).collect().await;
    let mut tenants = Vec::new();
    for (number, (corp, rows)) in made.iter().enumerate() {
        let who = (0..count).find(|&who| place(who) == number).expect("there are people of every corporation");
        tenants.push(Tenant::meet(&nodes[0], *corp, *rows, &tokens[who]).await);
    }
    let users = tokens.into_iter().enumerate().map(|(who, token)| {
        let tenant = tenants[place(who)].clone();
        let choose: Choose = Arc::new(move |dice| next(&tenant, dice));
        let at = nodes[who % nodes.len()].at.trim_start_matches("http://").parse().expect("the server has an address");
        User { at, token, dice: Dice(0x9E37_79B9_7F4A_7C15 ^ ((who as u64 + 1) << 20)), choose }
    });
    (tenants[0].clone(), users.collect())
}
