//! Rows for the tests of lists, which have the values of any of the tables.

use super::{LISTINGS, ListFilter, Listing, sort_tests, writes};
use crate::access::scope::{Scope, scope_of_job};
use crate::platform::db::{Db, Sql, Tx};
use forecourt_core::customers;
use forecourt_core::lists::{Cell, Field, Record};
use forecourt_core::money::Money;
use forecourt_core::text::fold as folded;
use forecourt_core::vehicles;
use uuid::Uuid;

pub(super) const TYPES: [&str; 2] = ["Private", "Company"];
pub(super) const STATUSES: [&str; 2] = ["Active", "Inactive"];
pub(super) const AGREEMENTS: [Option<&str>; 3] = [None, Some("Sales"), Some("Agency")];
pub(super) const DAYS: [&str; 4] = ["2025-12-31", "2026-01-01", "2026-01-31", "2026-02-01"];

/// The values of a row of any of the tables.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub id: Uuid,
    pub text: String,
    pub customer_type: &'static str,
    pub status: &'static str,
    pub agreement: Option<&'static str>,
    pub day: &'static str,
    pub pence: i64,
    /// The folded number by which a customer or a vehicle is found too.
    pub number: Option<String>,
}

impl Row {
    pub fn new(text: String) -> Self {
        let id = Uuid::now_v7();
        let number = None;
        Row { id, text, customer_type: "Private", status: "Active", agreement: None, day: DAYS[1], pence: 1, number }
    }

    /// Returns the number with which [`insertion`] writes the row: so many random bits that no two rows have the same.
    fn serial(&self) -> i64 {
        (self.id.as_u64_pair().1 & ((1 << 52) - 1)) as i64
    }

    pub fn in_list(self, listing: &Listing) -> Self {
        let prefix = match listing.table {
            "customers" => Some(customers::NUMBER_PREFIX),
            "vehicles" => Some(vehicles::NUMBER_PREFIX),
            _ => None,
        };
        Row { number: prefix.map(|prefix| folded(&format!("{prefix}{}", self.serial()))), ..self }
    }

    pub fn matches(&self, filter: &ListFilter, text: Option<&str>) -> bool {
        filter.customer_type.is_none_or(|t| t == self.customer_type)
            && filter.status.is_none_or(|s| s == self.status)
            && filter.from.as_deref().is_none_or(|from| from <= self.day)
            && filter.to.as_deref().is_none_or(|to| to >= self.day)
            && text.is_none_or(|text| {
                let text = folded(text);
                let number = self.number.as_deref().unwrap_or_default();
                let has = |part: &str| folded(&self.text).contains(part) || number.contains(part);
                let words: Vec<&str> = text.split_whitespace().collect();
                let is_whole = words.is_empty() || words.iter().any(|word| word.chars().nth(2).is_none());
                if is_whole { has(&text) } else { words.into_iter().all(has) }
            })
    }

    fn micros(&self) -> i64 {
        let midnight: jiff::Timestamp = format!("{}T00:00:00Z", self.day).parse().unwrap();
        midnight.as_microsecond()
    }
}

impl Record for Row {
    // The fields depend on the table.
    const FIELDS: &'static [Field] = &[];

    fn cell(&self, field: &str) -> Cell<'_> {
        match field {
            field if LISTINGS.iter().any(|listing| listing.columns()[0].field == field) => {
                Cell::Id(self.id.to_string().leak())
            }
            "notes" => Cell::Text(&self.text),
            field if LISTINGS.iter().any(|listing| sort_tests::text_field(listing) == field) => Cell::Text(&self.text),
            "type" => Cell::Choice(self.customer_type),
            "status" => Cell::Choice(self.status),
            "agreementType" => Cell::Choice(self.agreement.unwrap_or_default()),
            "startDate" => Cell::Text(self.day),
            "projectPrice" => Cell::Money(Money::saturating_from_pence(self.pence)),
            "createdAt" | "created_at" => Cell::Time(format!("{}T00:00:00Z", self.day).leak()),
            _ => Cell::Empty,
        }
    }
}

/// Builds an INSERT of rows into a table, with the numbers from `first` on if they were reserved. Contacts, customers
/// and invoices have other columns without a default.
pub(super) fn insertion<'e>(
    sql: Sql<'e>,
    scope: &Scope,
    listing: &Listing,
    first: Option<i64>,
    rows: Vec<Row>,
) -> Sql<'e> {
    let others = match listing.table {
        "contacts" => ", email, phone, website, address, other_details",
        "customers" => {
            ", email, telephone, telephone_key, address, postal_code, location, role, organization_number, company_name, \
             warranty, warranty_period, number_of_orders, total_spent, customer_number, customer_type, status, \
             agreement_type, active_on"
        }
        "invoices" => ", website, email, customer_requirements, end_date, start_date, project_price",
        "agreements" => ", number",
        "vehicles" => ", stock_number",
        _ => "",
    };
    let text = if listing.table == "vehicles" { "notes_key" } else { sort_tests::text_field(listing) };
    let docs = (0..).map(|i| first.map_or(writes::UNNUMBERED, |first| first + i));
    let sql = sql.push("INSERT INTO ").push(listing.table).push(" (corp_id, doc, ").push(listing.id);
    let sql = sql.push(", created_at, updated_at, ").push(listing.search_keys[0]).push(", ").push(text);
    let sql = sql.push(others).push(") VALUES ");
    sql.tuples(docs.zip(rows), |sql, (doc, row)| {
        let sql = sql.arg(scope.corp()).comma(doc).comma(row.id).comma(row.micros()).comma(0i64);
        let text = if listing.table == "vehicles" { folded(&row.text) } else { row.text.clone() };
        let sql = sql.comma(folded(&row.text)).comma(text);
        match listing.table {
            "contacts" => sql.push_arg(", '', '', '', '', ", sqlx::types::Json(serde_json::json!({}))),
            "customers" => sql
                .push(", '', '', '', '', '', '', '', '', '', '', '', 0, 0")
                .comma(row.serial())
                .comma(row.customer_type)
                .comma(row.status)
                .comma(row.agreement)
                .comma(row.day),
            "invoices" => sql.push(", '', '', '', '2030-01-01'").comma(row.day).comma(row.pence),
            "agreements" => sql.comma(unsearched_number(row.id)),
            "vehicles" => sql.comma(row.serial()),
            _ => sql,
        }
    })
}

/// Returns a number that no text of the searches is a part of.
fn unsearched_number(id: Uuid) -> String {
    id.as_bytes().iter().filter_map(|byte| char::from_u32(0x2800 + u32::from(*byte))).collect()
}

/// Inserts rows as an import does: on SQLite they are indexed later.
pub(super) async fn insert_many(tx: &mut Tx, scope: &Scope, listing: &Listing, rows: Vec<Row>) {
    let first = writes::reserve(tx, scope, listing, rows.len()).await.unwrap();
    let added = insertion(tx.sql(""), scope, listing, Some(first), rows).exec().await.unwrap();
    writes::add_to_totals(tx, scope, listing, first, added).await.unwrap();
}

pub(super) async fn update_row(scope: &Scope, listing: &Listing, row: &Row) {
    let sql = scope.db().sql("UPDATE ").push(listing.table).push(" SET ").push(listing.search_keys[0]);
    let sql = sql.push_arg(" = ", folded(&row.text));
    let sql = match listing.table {
        "customers" => sql
            .push_arg(", customer_type = ", row.customer_type)
            .push_arg(", status = ", row.status)
            .push_arg(", agreement_type = ", row.agreement)
            .push_arg(", active_on = ", row.day),
        "vehicles" => sql.push_arg(", notes_key = ", folded(&row.text)),
        "invoices" => sql.push_arg(", start_date = ", row.day).push_arg(", project_price = ", row.pence),
        _ => sql,
    };
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push(" AND ").push(listing.id).push_arg(" = ", row.id);
    assert_eq!(sql.exec().await.unwrap(), 1);
}

pub(super) async fn corporation(db: &Db) -> Scope {
    let scope = scope_of_job(db, Uuid::now_v7(), Uuid::now_v7());
    let sql = "INSERT INTO corporations (corp_id, name, created_at, updated_at) VALUES ($1, 'Nordbil', 0, 0)";
    db.sql(sql).bind(scope.corp()).exec().await.unwrap();
    scope
}
