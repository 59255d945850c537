//! Sample records in any number, for load tests (`make demo-data`), and what the demo shares with them; also the photos
//! of its vehicles.

use super::calendar::{Calendar, DAYS};
use super::drawings::Drawings;
use super::people::Country;
use super::records::{self, utc_date};
use crate::access::scope::{Scope, scope_of_job};
use crate::features::contacts::{self, NewContact};
use crate::features::customers::{self, Number};
use crate::features::listing::index_worker::index_all;
use crate::features::listing::{CUSTOMERS, INVOICES, writes};
use crate::features::records::columns::push_insert;
use crate::features::records::plain;
use crate::features::state::App;
use crate::features::vehicles;
use crate::platform::Failure;
use crate::platform::db::{Result, Tx};
use crate::platform::encryption::DataKeys;
use crate::platform::error::ApiResult;
use forecourt_core::customers::{CustomerInput, CustomerSummary};
use forecourt_core::form::{Checked, Form, check};
use forecourt_core::invoices::Invoice;
use std::ops::Range;
use std::time::Instant;
use uuid::Uuid;

/// Rows of a table per INSERT statement.
const ROWS_PER_INSERT: usize = 500;
/// Rows of a table per transaction, which blocks other writers on SQLite until it ends.
const ROWS_PER_TRANSACTION: usize = 5_000;

/// Adds `count` contacts, as many customers and as many invoices to a corporation, given by its name or id. Returns a
/// sentence about them for the terminal.
pub async fn add_records(app: &App, corporation: &str, count: usize) -> std::result::Result<String, Failure> {
    let failed = |error: sqlx::Error| format!("can't write the records: {error}");
    let corporations: Vec<(Uuid, String)> = app
        .db
        .sql("SELECT corp_id, country FROM corporations WHERE name = $1 OR corp_id = $2")
        .bind(corporation.to_owned())
        .bind(Uuid::try_parse(corporation).unwrap_or_default())
        .all()
        .await
        .map_err(failed)?;
    let [(corp, country)] = &corporations[..] else {
        return Err(match corporations.len() {
            0 => format!("there is no corporation '{corporation}'"),
            _ => format!("several corporations are named '{corporation}': give the id"),
        });
    };
    let (scope, country) = (scope_of_job(&app.db, *corp, Uuid::nil()), Country::of(country));
    app.data_keys.register_current_key(&app.db).await.map_err(failed)?;
    let (started, calendar) = (Instant::now(), Calendar::new(app.clock.now(), DAYS));
    for from in (0..count).step_by(ROWS_PER_TRANSACTION) {
        let rows = from..count.min(from + ROWS_PER_TRANSACTION);
        let mut tx = scope.db().begin_job().await.map_err(failed)?;
        insert_sample_records(&mut tx, &scope, &app.data_keys, country, rows, |i| calendar.time(i, count), count)
            .await
            .map_err(failed)?;
        tx.commit().await.map_err(failed)?;
    }
    index_all(&app.db).await.map_err(failed)?;
    let seconds = started.elapsed().as_secs_f64();
    let rate = 3.0 * count as f64 / seconds;
    Ok(format!("{count} contacts, {count} customers and {count} invoices in {seconds:.0} s, {rate:.0} rows/s"))
}

/// Writes those of `count` sample contacts, customers and invoices whose numbers are in `rows`. Number 0 is the oldest.
async fn insert_sample_records(
    tx: &mut Tx,
    scope: &Scope,
    keys: &DataKeys,
    country: Country,
    rows: Range<usize>,
    created_at: impl Fn(usize) -> i64,
    count: usize,
) -> Result<()> {
    // Contacts of one insert have the same creation time; with few contacts, each has its own.
    let batch = (count / 2_000).clamp(1, ROWS_PER_INSERT);
    for from in rows.clone().step_by(batch) {
        let range = (from..rows.end.min(from + batch)).filter_map(|i| validate(records::contact(country, i)));
        let range = range.map(|contact| NewContact::new(contact, None)).collect();
        contacts::insert_batch(tx, scope, range, None, created_at(from)).await?;
    }
    for from in rows.clone().step_by(ROWS_PER_INSERT) {
        let range = from..rows.end.min(from + ROWS_PER_INSERT);
        let day = |i| utc_date(created_at(i));
        let customer = |i: usize| match i % 7 {
            2 => records::customer(country, i),
            _ => records::customer_with_purchases(country, i, day(i)),
        };
        let customers = range.clone().filter_map(|i| Some((created_at(i), validate(customer(i))?)));
        insert_customers(tx, scope, keys, customers.collect()).await?;
        let invoices: Vec<_> =
            range.filter_map(|i| Some((created_at(i), validate(records::invoice(country, i, day(i)))?))).collect();
        let first = writes::reserve(tx, scope, &INVOICES, invoices.len()).await?;
        let rows = (first..).zip(invoices).map(|(doc, (now, form))| (doc, now, form));
        let added = plain::insert::<Invoice>(&mut *tx, scope, rows).exec().await?;
        writes::add_to_totals(tx, scope, &INVOICES, first, added).await?;
    }
    Ok(())
}

/// Inserts customers, each with the time of its creation.
pub async fn insert_customers(
    tx: &mut Tx,
    scope: &Scope,
    keys: &DataKeys,
    customers: Vec<(i64, Checked<CustomerInput>)>,
) -> Result<()> {
    let first = writes::reserve(tx, scope, &CUSTOMERS, customers.len()).await?;
    let row = |(doc, (now, form)): (i64, (i64, Checked<CustomerInput>))| -> Result<_> {
        let id = Uuid::now_v7();
        let number = Number::Replaced(customers::encrypt_number(scope, keys, id, &form)?);
        Ok((doc, id, now, customers::columns(&form, number, now, None)))
    };
    let rows = (first..).zip(customers).map(row).collect::<Result<Vec<_>>>()?;
    let added = push_insert::<CustomerSummary>(tx.sql(""), scope, rows).exec().await?;
    writes::add_to_totals(tx, scope, &CUSTOMERS, first, added).await
}

/// Returns the form with the proof that it is valid; `None` if it is not, which a test excludes for the first 1,500
/// sample records of each kind.
fn validate<F: Form>(form: F) -> Option<Checked<F>> {
    check(form).ok()
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
