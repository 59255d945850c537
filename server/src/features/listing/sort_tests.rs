//! The part of `comparison_tests` for sort orders: compares sorted lists with core's sorting of the same rows, for
//! every plan, and runs steps of the job that adds sort rows.

use super::arranged::Arranged;
use super::sort_rows::{Run, sorted_columns};
use super::{ListFilter, Listing, Selection, ids, sort_rows, state};
use crate::access::scope::Scope;
use crate::platform::db::Db;
use forecourt_core::lists::{Arrangement, Field, Fields, Filter, Record, Sort, Today, fields_of};
use forecourt_core::paging::Page;
use serde_json::{Value, json};
use uuid::Uuid;

/// Sort orders of contacts to test: the default order, and mostly fields in which the test's rows differ.
const CONTACT_SORTS: [&str; 7] = ["", "", "name", "-name", "createdAt", "-createdAt,name", "email"];
const CUSTOMER_SORTS: [&str; 8] = ["", "", "name", "-name", "type", "-agreementType", "status,-createdAt", "createdAt"];
const INVOICE_SORTS: [&str; 8] =
    ["", "", "customer", "-customer", "startDate", "-projectPrice", "website,endDate", "-customerRequirements"];
const AGREEMENT_SORTS: [&str; 7] =
    ["", "", "customer_name", "-customer_name", "created_at", "-created_at,customer_name", "vehicles"];
const VEHICLE_SORTS: [&str; 8] = ["", "", "name", "-name", "created_at", "-created_at,name", "vin", "notes"];

fn fields(listing: &Listing) -> &'static [Field] {
    fields_of(listing.table).unwrap()
}

/// Returns the first field that a search compares.
pub(super) fn text_field(listing: &Listing) -> &'static str {
    listing.search_keys[0].strip_suffix("_key").unwrap()
}

/// Returns conditions to test: field, operator and value. In some fields all rows have no value, or some have none.
fn conditions(listing: &Listing) -> Vec<Value> {
    let text_field = text_field(listing);
    let others: &[(&str, &str, Value)] = &match listing.table {
        "contacts" => [("importSource", "is_not", json!("a.csv")), ("importedAt", "is_empty", Value::Null)],
        "customers" => [("agreementType", "is_not", json!("Sales")), ("status", "is", json!("Inactive"))],
        "invoices" => [("projectPrice", "gt", json!(0.01)), ("projectPrice", "lte", json!(0.01))],
        "agreements" => [("deposit", "lt", json!(5)), ("commission", "is_empty", Value::Null)],
        "vehicles" => [("mileage", "lt", json!(5)), ("vin", "is_empty", Value::Null)],
        _ => [("created_at", "is_not_empty", Value::Null), ("created_at", "is_empty", Value::Null)],
    };
    let created = fields(listing).iter().find(|field| ["createdAt", "created_at"].contains(&field.name)).unwrap().name;
    let [minute, other] = ["2026-01-01T00:00Z", "2026-01-31T00:00Z"];
    let texts = [(text_field, "is_not_empty", Value::Null), (text_field, "contains", json!("a"))];
    let minutes = [(created, "in", json!([minute, other])), (created, "is_not", json!(minute))];
    // An update of a test row gives an invoice another day, but no other time of creation.
    let minutes = minutes.iter().filter(|_| listing.table != "invoices");
    let all = texts.iter().chain(minutes).chain(others);
    all.map(|(field, op, value)| match value {
        Value::Null => json!({ "field": field, "op": op }),
        value => json!({ "field": field, "op": op, "value": value }),
    })
    .collect()
}

/// Compares a page of a list in each sort order with the rows that it must contain. `rows` are those that match the
/// filter and the text, in the default order; `id` returns the id of one.
pub(super) async fn compare<R: Record + Clone>(
    scope: &Scope,
    listing: &Listing,
    rows: &[R],
    id: impl Fn(&R) -> Uuid,
    filter: &ListFilter,
    text: Option<&str>,
) {
    let sorts: &[&str] = match listing.table {
        "contacts" => &CONTACT_SORTS,
        "customers" => &CUSTOMER_SORTS,
        "invoices" => &INVOICE_SORTS,
        "agreements" => &AGREEMENT_SORTS,
        "vehicles" => &VEHICLE_SORTS,
        _ => &["", "", text_field(listing), "created_at", "-created_at"],
    };
    let by_id = listing.columns()[0].field;
    let by_id = [by_id.to_owned(), format!("-{by_id}"), format!("-{by_id}")];
    let sorts = sorts.iter().copied().chain(by_id.iter().map(String::as_str));
    let conditions = conditions(listing);
    // Begins with another condition for other rows, so that each order is tested with each condition.
    let conditions = conditions.iter().cycle().skip(rows.len() % conditions.len());
    for ((sort, page), condition) in sorts.zip([1, 2].into_iter().cycle()).zip(conditions) {
        let condition = serde_json::from_value(condition.clone()).unwrap();
        let condition = Filter::read(Fields::all(fields(listing)), &[condition], &Today::default()).unwrap();
        for field_filter in [Filter::default(), condition] {
            let sort = Sort::read(Fields::all(fields(listing)), sort).unwrap();
            let arrangement = Arrangement { sort, filter: field_filter };
            let mut expected = rows.to_vec();
            arrangement.apply(&mut expected);
            let total = expected.len() as u64;
            let expected: Vec<Uuid> = expected.iter().skip((page - 1) * 5).take(5).map(&id).collect();
            let page = Page { page: u32::try_from(page).unwrap(), limit: 5 };
            let query = Selection { page, search: text, filter: filter.clone(), arrangement };
            // Twice: the second time, the total is known.
            for _ in 0..2 {
                let found = ids(scope, listing, &query).await.unwrap();
                assert_eq!(found, (expected.clone(), total), "{} {query:?}", listing.table);
            }
            let state = state(scope, listing).await.unwrap();
            let arranged = Arranged { scope, listing, query: &query, state: &state };
            for (plan, found) in arranged.ids_by_each_plan().await {
                assert_eq!(found, expected, "{} {plan:?} {query:?}", listing.table);
            }
        }
    }
}

/// Runs a step of the job that adds sort rows, on SQLite. `change` is called once for each field, after the rows were
/// sorted and before their sort rows are inserted.
pub(super) async fn add_sort_rows(
    scope: &Scope,
    listing: &Listing,
    count: i64,
    is_finished: bool,
    mut change: impl AsyncFnMut(),
) {
    let (db, Db::Sqlite { .. }) = (scope.db(), scope.db()) else { return };
    let Some(run) = Run::next(db, listing, scope.corp(), count).await.unwrap() else { return };
    for (column, number) in sorted_columns(listing) {
        let docs = run.sort(db, listing, column).await.unwrap();
        change().await;
        for docs in docs.chunks(3) {
            run.insert(db, listing, (column, number), docs).await.unwrap();
        }
    }
    if is_finished {
        run.finish(db, listing).await.unwrap();
    }
}

/// Adds all missing sort rows, on SQLite, and asserts that each of the `rows` rows has one per sortable field.
pub(super) async fn complete(scope: &Scope, listing: &Listing, rows: usize) {
    let (db, Db::Sqlite { .. }) = (scope.db(), scope.db()) else { return };
    sort_rows::add(db, listing, scope.corp()).await.unwrap();
    let state = state(scope, listing).await.unwrap();
    assert!(!state.has_unsorted());
    let count = db.sql("SELECT count(*) FROM sort_rows WHERE list = ").arg(state.first_doc >> 32);
    let count: i64 = count.value().await.unwrap();
    assert_eq!(count as usize, rows * sorted_columns(listing).count(), "{}", listing.table);
}
