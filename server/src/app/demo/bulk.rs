//! Sample records in any number, for the demo and for load tests (`make demo-data`).

use super::drawings::Drawings;
use super::{records, stock};
use crate::access::scope::{Scope, scope_of_job};
use crate::features::contacts::{self, NewContact};
use crate::features::customers::{self, NewCustomer};
use crate::features::invoices;
use crate::features::listing::index_worker::index_all;
use crate::features::listing::{CUSTOMERS, INVOICES, VEHICLES, writes};
use crate::features::state::App;
use crate::features::vehicles;
use crate::platform::Failure;
use crate::platform::clock::{DAY, HOUR};
use crate::platform::db::{Result, Sql, Tx};
use crate::platform::encryption::DataKeys;
use crate::platform::error::ApiResult;
use forecourt_core::customers::CustomerInput;
use forecourt_core::form::{Checked, Form, check};
use forecourt_core::settings::Settings;
use std::ops::Range;
use std::time::Instant;
use uuid::Uuid;

/// The age of the oldest sample records, in microseconds.
const MAX_AGE: i64 = 3 * 365 * DAY;
/// Rows of a table per INSERT statement.
const ROWS_PER_INSERT: usize = 500;
/// Rows of a table per transaction, which blocks other writers on SQLite until it ends.
const ROWS_PER_TRANSACTION: usize = 5_000;

/// Adds `count` contacts, as many customers and as many invoices to a corporation, given by its name or id. Returns a
/// sentence about them for the terminal.
pub async fn add_records(app: &App, corporation: &str, count: usize) -> std::result::Result<String, Failure> {
    let failed = |error: sqlx::Error| format!("can't write the records: {error}");
    let corporations: Vec<(Uuid,)> = app
        .db
        .sql("SELECT corp_id FROM corporations WHERE name = $1 OR corp_id = $2")
        .bind(corporation.to_owned())
        .bind(Uuid::try_parse(corporation).unwrap_or_default())
        .all()
        .await
        .map_err(failed)?;
    let [(corp,)] = corporations[..] else {
        return Err(match corporations.len() {
            0 => format!("there is no corporation '{corporation}'"),
            _ => format!("several corporations are named '{corporation}': give the id"),
        });
    };
    let scope = scope_of_job(&app.db, corp, Uuid::nil());
    app.data_keys.register_current_key(&app.db).await.map_err(failed)?;
    let (started, now) = (Instant::now(), app.clock.now());
    for from in (0..count).step_by(ROWS_PER_TRANSACTION) {
        let rows = from..count.min(from + ROWS_PER_TRANSACTION);
        let mut tx = scope.db().begin().await.map_err(failed)?;
        tx.lift_statement_timeout().await.map_err(failed)?;
        insert_sample_records(&mut tx, &scope, &app.data_keys, rows, count, now).await.map_err(failed)?;
        tx.commit().await.map_err(failed)?;
    }
    index_all(&app.db).await.map_err(failed)?;
    let seconds = started.elapsed().as_secs_f64();
    let rate = 3.0 * count as f64 / seconds;
    Ok(format!("{count} contacts, {count} customers and {count} invoices in {seconds:.0} s, {rate:.0} rows/s"))
}

/// Writes those of `count` sample contacts, customers and invoices whose numbers are in `rows`. Number 0 is the oldest.
pub async fn insert_sample_records(
    tx: &mut Tx,
    scope: &Scope,
    keys: &DataKeys,
    rows: Range<usize>,
    count: usize,
    now: i64,
) -> Result<()> {
    // Contacts of one insert have the same creation time; with few contacts, each has its own.
    let batch = (count / 2_000).clamp(1, ROWS_PER_INSERT);
    let created_at = |i: usize| now - HOUR - MAX_AGE / count as i64 * (count - i - 1) as i64;
    for from in rows.clone().step_by(batch) {
        let range = (from..rows.end.min(from + batch)).filter_map(|i| validate(records::contact(i)));
        let range = range.map(|contact| NewContact::new(contact, None)).collect();
        contacts::insert_batch(tx, scope, range, None, created_at(from)).await?;
    }
    for from in rows.clone().step_by(ROWS_PER_INSERT) {
        let range = from..rows.end.min(from + ROWS_PER_INSERT);
        let customers: Vec<_> = range
            .clone()
            .filter_map(|i| Some((created_at(i), validate(records::customer(i, records::utc_date(created_at(i))))?)))
            .collect();
        let first = writes::reserve(tx, scope, &CUSTOMERS, customers.len()).await?;
        let added = push_customer_insert(tx.sql(""), scope, keys, first, customers)?.exec().await?;
        writes::add_to_totals(tx, scope, &CUSTOMERS, first, added).await?;
        let invoices: Vec<_> = range
            .filter_map(|i| Some((created_at(i), validate(records::invoice(i, records::utc_date(created_at(i))))?)))
            .collect();
        let first = writes::reserve(tx, scope, &INVOICES, invoices.len()).await?;
        let rows = (first..).zip(invoices).map(|(doc, (now, form))| (doc, now, form));
        let added = invoices::insert(&mut *tx, scope, rows).exec().await?;
        writes::add_to_totals(tx, scope, &INVOICES, first, added).await?;
    }
    Ok(())
}

/// Returns the form with the proof that it is valid; `None` if it is not, which a test excludes for all sample records.
fn validate<F: Form>(form: F) -> Option<Checked<F>> {
    check(form).ok()
}

fn push_customer_insert<'e>(
    sql: Sql<'e>,
    scope: &Scope,
    keys: &DataKeys,
    first: i64,
    rows: Vec<(i64, Checked<CustomerInput>)>,
) -> Result<Sql<'e>> {
    let mut customers = Vec::new();
    for ((doc, (now, input)), place) in (first..).zip(rows).zip(1..) {
        let id = Uuid::now_v7();
        let encrypted =
            input.social_security_number.as_ref().map(|number| keys.encrypt(scope.corp(), id, number)).transpose()?;
        let purchase = input.latest_purchase().map(|day| day.to_string());
        let active_on = purchase.unwrap_or_else(|| records::utc_date(now).to_string());
        customers.push(NewCustomer { doc, id, input, encrypted, active_on, now, place });
    }
    Ok(sql.push(customers::INSERT).tuples(customers, |sql, new| customers::push_values(sql, scope, new)))
}

/// Adds [`stock::VEHICLES`] vehicles, created at intervals of a day, the newest a day ago.
pub async fn insert_vehicles(tx: &mut Tx, scope: &Scope, settings: &Settings, now: i64) -> Result<()> {
    let today = records::utc_date(now);
    let rows = (0..stock::VEHICLES).filter_map(|i| validate(stock::vehicle(i, today, settings))).enumerate();
    let rows: Vec<_> = rows.map(|(i, form)| (now - DAY * (stock::VEHICLES - i) as i64, form)).collect();
    let first = writes::reserve(tx, scope, &VEHICLES, rows.len()).await?;
    let rows = (first..).zip(rows).map(|(doc, (at, form))| (doc, at, form));
    let added = vehicles::insert(&mut *tx, scope, rows).exec().await?;
    writes::add_to_totals(tx, scope, &VEHICLES, first, added).await
}

/// Adds a photo to each vehicle of the corporation, and a second one to every third.
pub async fn insert_photos(tx: &mut Tx, scope: &Scope, drawings: &mut Drawings, now: i64) -> ApiResult<()> {
    let vehicles: Vec<(Uuid, String, String)> = tx
        .sql("SELECT vehicle_id, body, colour FROM vehicles WHERE corp_id = $1 ORDER BY doc")
        .bind(scope.corp())
        .all()
        .await?;
    for (i, (vehicle, body, colour)) in vehicles.into_iter().enumerate() {
        let nearer = (i % 3 == 0).then_some(1 + i % 2);
        let views = [0].into_iter().chain(nearer);
        let photos = views.filter_map(|view| drawings.photo(&body, &colour, view)).collect();
        vehicles::insert_photos(tx, scope, vehicle, photos, now).await?;
    }
    Ok(())
}

/// Adds a sample comment to 8 of the 12 newest contacts.
pub async fn insert_comments(tx: &mut Tx, scope: &Scope, now: i64) -> Result<()> {
    let newest: Vec<(Uuid,)> = tx
        .sql("SELECT contact_id FROM contacts WHERE corp_id = $1 ORDER BY doc DESC LIMIT 12")
        .bind(scope.corp())
        .all()
        .await?;
    for (i, (contact,)) in newest.into_iter().enumerate().filter(|(i, _)| i % 3 != 1) {
        let sql =
            "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) VALUES (";
        let created_at = now - HOUR + i as i64;
        let sql = tx.sql(sql).arg(scope.corp()).next(Uuid::now_v7()).next(contact).next(scope.user());
        sql.next(records::comment(i)).next(created_at).next(created_at).push(")").exec().await?;
    }
    Ok(())
}
