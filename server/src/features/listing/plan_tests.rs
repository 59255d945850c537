//! Tests that lists and searches use their indexes, on either database.

use super::arranged::Arranged;
use super::arranged::plan::Plan;
use super::test_rows::{Row, corporation, insert_many};
use super::{CONTACTS, CUSTOMERS, INVOICES, LISTINGS, ListFilter, Selection, ids, rows, sort_tests};
use crate::access::scope::Scope;
use crate::features::listing::definitions::test_database;
use crate::platform::db::{Db, update_statistics};
use forecourt_core::lists::{Arrangement, Fields, Filter, Sort, Today, fields_of};
use forecourt_core::paging::Page;
use serde_json::{Value, json};
use uuid::Uuid;

const MANY: u32 = 9_000;

/// Returns a database with nine thousand rows of each table for one corporation, between rows of others, and their ids,
/// oldest first.
async fn filled(folder: &std::path::Path) -> (Db, Scope, Vec<Uuid>) {
    let db = test_database(folder).await;
    let scope = corporation(&db).await;
    let (mut ids, mut made) = (Vec::new(), 0);
    while made < MANY {
        let count = 450;
        let other = corporation(&db).await;
        let row = |i: u32| {
            let name = ["Ada", "Björn", "Cecilia", "Dagmar"][i as usize % 4];
            let customer_type = if i.is_multiple_of(2) { "Private" } else { "Company" };
            let status = if i.is_multiple_of(10) { "Inactive" } else { "Active" };
            let day = ["2026-02-01", "2026-02-02", "2026-02-03", "2026-02-04"][i as usize % 4];
            let text = format!("{name} {i}\n{:x}@example.se", i.wrapping_mul(2_654_435_761));
            Row { customer_type, status, day, ..Row::new(text) }
        };
        let rows: Vec<Row> = (made..made + count).map(row).collect();
        ids.extend(rows.iter().map(|row| row.id));
        let mut tx = db.begin_job().await.unwrap();
        for listing in LISTINGS {
            insert_many(&mut tx, &scope, listing, rows.clone()).await;
            let few = rows[..90].iter().map(|r| Row { id: Uuid::now_v7(), ..r.clone() }).collect();
            insert_many(&mut tx, &other, listing, few).await;
        }
        tx.commit().await.unwrap();
        made += count;
    }
    super::index_worker::index_all(&db).await.unwrap();
    update_statistics(&db).await;
    (db, scope, ids)
}

fn query<'a>(page: u32, search: Option<&'a str>, filter: &ListFilter) -> Selection<'a> {
    Selection { page: Page { page, limit: 15 }, search, filter: filter.clone(), arrangement: Arrangement::default() }
}

#[tokio::test]
async fn lists_and_searches_use_their_indexes() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, all) = filled(folder.path()).await;
    let by = |index: &'static str| db.pick(["USING COVERING INDEX ", index], ["Index Only Scan", index]);
    let scan_of = |table: &str| db.pick(format!("SCAN {table}\n"), "Seq Scan".to_owned());
    let contains_all = |plan: &str, steps: [&str; 2]| steps.iter().all(|step| plan.contains(step));
    let some_type = ListFilter { customer_type: Some("Private"), ..ListFilter::default() };
    let some_status = ListFilter { status: Some("Inactive"), ..ListFilter::default() };
    let some_days = ListFilter { from: Some("2026-02-04".into()), ..ListFilter::default() };
    for (listing, filter, index) in [
        (&CONTACTS, &ListFilter::default(), "contacts_list"),
        (&CUSTOMERS, &ListFilter::default(), "customers_list"),
        (&INVOICES, &ListFilter::default(), "invoices_list"),
        (&CUSTOMERS, &some_type, "customers_types"),
        (&CUSTOMERS, &some_status, "customers_statuses"),
        (&CUSTOMERS, &some_days, "customers_days"),
    ] {
        // A page near the beginning of the list, and one near its end.
        for page in [1, 100] {
            let (total, page) = query(page, None, filter).explain_list(&scope, "version", listing, 1_800).await;
            // Without a filter, the total is a stored number and needs no index.
            assert!(filter.is_empty() || contains_all(&total, by(index)), "{total}");
            assert!(contains_all(&page, by(index)) && !page.contains(&scan_of(listing.table)), "{page}");
            // Only the rows of the page are read from the table, and sorted.
            let row = db
                .pick(format!("SEARCH {} USING INTEGER PRIMARY KEY", listing.table), format!("{}_pkey", listing.table));
            let sorts = page.matches(db.pick("TEMP B-TREE", "Sort Key")).count();
            assert!(page.contains(&row) && sorts <= 1, "{index}: {page}");
        }
    }
    for listing in LISTINGS {
        let key = db.pick(format!("{}_key (corp_id=? AND ", listing.table), format!("{}_pkey", listing.table));
        let found = rows(&scope, "version", listing, all[..15].to_vec()).explain().await.unwrap();
        assert!(found.contains(&key) && !found.contains(&scan_of(listing.table)), "{found}");
        let index = db.pick(
            format!("SCAN {} VIRTUAL TABLE INDEX", listing.search),
            format!("Bitmap Index Scan on {}_text", listing.search),
        );
        // A rare and a frequent text. For the latter, PostgreSQL scans the newest rows.
        let (total, page) = query(1, Some("mar 79"), &ListFilter::default()).explain_search(&scope, listing, 3).await;
        assert!(total.contains(&index), "{total}");
        let row =
            db.pick(format!("SEARCH {} USING INTEGER PRIMARY KEY", listing.table), format!("{}_list", listing.table));
        assert!(page.contains(&index) && page.contains(&row), "{page}");
        let (_, page) = query(3, Some("example"), &ListFilter::default()).explain_search(&scope, listing, 9_000).await;
        let newest = db.pick(index, format!("Index Scan Backward using {}_pkey", listing.search));
        assert!(page.contains(&newest), "{page}");
    }
    let (total, page) = query(1, Some("mar 79"), &some_type).explain_search(&scope, &CUSTOMERS, 3).await;
    let index = db.pick("SCAN customers_search VIRTUAL TABLE INDEX", "Bitmap Index Scan on customers_search_text");
    assert!(total.contains(index) && page.contains(index), "{total}\n{page}");
    // SQLite reads no rows for the total, and only the needed ones for a page.
    let (kind, sort) = db.pick(("SEARCH customers USING COVERING INDEX customers_types", "TEMP B-TREE"), ("", "\0"));
    assert!(total.contains(kind) && page.contains(kind) && !page.contains(sort), "{total}\n{page}");
    db.close().await;
}

/// Returns a query for a page of 15 rows, sorted by a field.
fn sorted_query<'a>(list: &str, page: u32, field: &str, search: Option<&'a str>, filter: &ListFilter) -> Selection<'a> {
    let sort = Sort::read(Fields::all(fields_of(list).unwrap()), field).unwrap();
    Selection { arrangement: Arrangement { sort, ..Arrangement::default() }, ..query(page, search, filter) }
}

#[tokio::test]
async fn sorted_lists_use_the_cheapest_plan() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, _) = filled(folder.path()).await;
    let none = ListFilter::default();
    for listing in LISTINGS {
        let state = super::state(&scope, listing).await.unwrap();
        let by_id = listing.columns().iter().find(|column| column.value == listing.id).unwrap().field;
        for (page, order) in [(1, by_id.to_owned()), (300, format!("-{by_id}"))] {
            let query = sorted_query(listing.table, page, &order, None, &none);
            let arranged = Arranged { scope: &scope, listing, query: &query, state: &state };
            let (plan, text) = arranged.explain(i64::from(MANY)).await;
            let key = db.pick(format!("COVERING INDEX {}_key", listing.table), format!("{}_pkey", listing.table));
            assert!(plan == Plan::Walk && text.contains(&key), "{order} {plan:?}: {text}");
            assert!(!text.contains("TEMP B-TREE") && !text.contains("Sort Key"), "{text}");
        }
        let sorted = listing.columns().iter().filter(|column| db.pick(column.number.is_some(), column.has_index));
        for (page, column) in [1, 600].into_iter().flat_map(|page| sorted.clone().map(move |c| (page, c))) {
            let query = sorted_query(listing.table, page, column.field, None, &none);
            let arranged = Arranged { scope: &scope, listing, query: &query, state: &state };
            let (plan, text) = arranged.explain(i64::from(MANY)).await;
            // PostgreSQL reads the rows too if only the beginnings of the values are in the index.
            let is_long =
                fields_of(listing.table).unwrap().iter().any(|field| field.name == column.field && field.is_long);
            let index = if is_long { "Index Scan" } else { "Index Only Scan" };
            let index = db.pick("SEARCH sort_rows USING PRIMARY KEY (list=? AND field=?)", index);
            assert!(plan == Plan::Walk && text.contains(index), "{} {plan:?}: {text}", column.field);
            assert!(
                !text.contains(&format!("SCAN {}", listing.table))
                    && !text.contains("Seq Scan")
                    && !text.contains("Sort Key"),
                "{text}"
            );
        }
    }
    let state = super::state(&scope, &CUSTOMERS).await.unwrap();
    let inactive = ListFilter { status: Some("Inactive"), ..ListFilter::default() };
    for (page, search, filter, total, expected) in [
        (1, None, &inactive, 900, Plan::Walk),
        (1, None, &inactive, 3, Plan::Scan),
        (1, Some("example"), &none, 9_000, Plan::Walk),
        (1, Some("mar 79"), &none, 3, db.pick(Plan::Lookup, Plan::Scan)),
        (300, Some("dagmar"), &none, 9_000, db.pick(Plan::Scan, Plan::Walk)),
    ] {
        let query = sorted_query("customers", page, "name", search, filter);
        let arranged = Arranged { scope: &scope, listing: &CUSTOMERS, query: &query, state: &state };
        let (plan, text) = arranged.explain(total).await;
        assert_eq!(plan, expected, "{page} {search:?}: {text}");
    }
    // Adds a row that has no sort rows yet.
    let mut tx = db.begin().await.unwrap();
    insert_many(&mut tx, &scope, &CUSTOMERS, vec![Row::new("Ada".into())]).await;
    tx.commit().await.unwrap();
    let state = super::state(&scope, &CUSTOMERS).await.unwrap();
    let query = sorted_query("customers", 1, "name", None, &none);
    let arranged = Arranged { scope: &scope, listing: &CUSTOMERS, query: &query, state: &state };
    assert_eq!(arranged.explain(9_001).await.0, db.pick(Plan::Scan, Plan::Walk));
    db.close().await;
}

/// Returns a filter of one condition on the fields of a list.
fn filter_of(list: &str, condition: Value) -> Filter {
    let conditions = [serde_json::from_value(condition).unwrap()];
    Filter::read(Fields::all(fields_of(list).unwrap()), &conditions, &Today::default()).unwrap()
}

/// Returns a query for the first page in the default order, with one condition.
fn filtered_query(list: &str, condition: Value) -> Selection<'static> {
    let arrangement = Arrangement { filter: filter_of(list, condition), ..Arrangement::default() };
    Selection { arrangement, ..query(1, None, &ListFilter::default()) }
}

#[tokio::test]
async fn a_filter_of_one_field_is_counted_by_its_index_or_sort_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, _) = filled(folder.path()).await;
    for listing in LISTINGS {
        let state = super::state(&scope, listing).await.unwrap();
        for column in listing.columns().iter().filter(|column| column.field != "costs") {
            let query = filtered_query(listing.table, json!({ "field": column.field, "op": "is_not_empty" }));
            let arranged = Arranged { scope: &scope, listing, query: &query, state: &state };
            let (is_counted_first, plan) = arranged.explain_total().await;
            let is_indexed = db.pick(column.has_values_in_sort_rows(), column.has_values_in_index());
            assert_eq!(is_counted_first, is_indexed, "{}", column.field);
            // PostgreSQL may also read a table whose rows are narrow. Those of vehicles are wide.
            let index = db.pick("SEARCH sort_rows USING PRIMARY KEY", "Index Only Scan");
            let is_narrow = db.pick(false, listing.table != "vehicles");
            assert!(!is_indexed || is_narrow || plan.contains(index), "{}: {plan}", column.field);
        }
    }
    db.close().await;
}

#[tokio::test]
async fn a_sorted_page_is_found_by_a_scan_if_its_walk_takes_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, all) = filled(folder.path()).await;
    // The customers in the first half of the list, Adas and Björns, become active, all Cecilias inactive.
    let mut tx = db.begin_job().await.unwrap();
    let sql = tx.sql("UPDATE customers SET status = CASE WHEN name_key < 'c' THEN 'Active' ELSE 'Inactive' END");
    sql.push_arg(" WHERE name_key < 'd' AND corp_id = ", scope.corp()).exec().await.unwrap();
    tx.commit().await.unwrap();
    let inactive = ListFilter { status: Some("Inactive"), ..ListFilter::default() };
    let query = sorted_query("customers", 1, "name", None, &inactive);
    let state = super::state(&scope, &CUSTOMERS).await.unwrap();
    let arranged = Arranged { scope: &scope, listing: &CUSTOMERS, query: &query, state: &state };
    let (plan, text) = arranged.explain(2_250).await;
    let limit = db.pick("SEARCH sort_rows USING PRIMARY KEY (list=? AND field=? AND key<?)", "");
    assert!(plan == Plan::Walk && text.contains(limit), "{plan:?}: {text}");
    let (found, total) = ids(&scope, &CUSTOMERS, &query).await.unwrap();
    let mut expected: Vec<(String, Uuid)> =
        all.iter().enumerate().skip(2).step_by(4).map(|(i, id)| (i.to_string(), *id)).collect();
    expected.sort();
    assert_eq!(found, expected[..15].iter().map(|(_, id)| *id).collect::<Vec<_>>());
    assert_eq!(total, 2_250);
    db.close().await;
}

#[tokio::test]
async fn the_first_page_and_the_total_of_a_common_filter_are_right_wherever_its_rows_are() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, all) = filled(folder.path()).await;
    // The first quarter of the customers by name, the Adas, become inactive.
    let mut tx = db.begin_job().await.unwrap();
    let sql = tx.sql("UPDATE customers SET status = CASE WHEN name_key < 'b' THEN 'Inactive' ELSE 'Active' END");
    sql.push_arg(" WHERE corp_id = ", scope.corp()).exec().await.unwrap();
    tx.commit().await.unwrap();
    let mut adas: Vec<(String, Uuid)> = all.iter().enumerate().step_by(4).map(|(i, id)| (i.to_string(), *id)).collect();
    adas.sort();
    let (first, last) = (adas[..15].to_vec(), adas.iter().rev().take(15).cloned().collect());
    // The Adas are where the walk by `name` begins, and far from where the walk by `-name` begins. The conditions
    // differ, because otherwise the second query would find the total in the cache, and not walk before it counts.
    for (sort, condition, expected) in [
        ("name", json!({ "field": "status", "op": "is", "value": "Inactive" }), first),
        ("-name", json!({ "field": "status", "op": "is_not", "value": "Active" }), last),
    ] {
        let mut query = sorted_query("customers", 1, sort, None, &ListFilter::default());
        query.arrangement.filter = filter_of("customers", condition);
        let state = super::state(&scope, &CUSTOMERS).await.unwrap();
        let arranged = Arranged { scope: &scope, listing: &CUSTOMERS, query: &query, state: &state };
        assert_eq!(arranged.explain(i64::from(MANY)).await.0, Plan::Walk, "{sort}");
        let (found, total) = ids(&scope, &CUSTOMERS, &query).await.unwrap();
        assert_eq!(found, expected.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), "{sort}");
        assert_eq!(total, 2_250, "{sort}");
    }
    db.close().await;
}

#[tokio::test]
async fn all_pages_are_complete_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, all) = filled(folder.path()).await;
    let expected = |step: usize, at: usize| -> Vec<Uuid> {
        all.iter().enumerate().rev().filter(|(i, _)| i % step == at).map(|(_, id)| *id).collect()
    };
    let (private, none) =
        (ListFilter { customer_type: Some("Private"), ..ListFilter::default() }, ListFilter::default());
    let inactive = ListFilter { status: Some("Inactive"), ..ListFilter::default() };
    let inactive_private = ListFilter { customer_type: Some("Private"), ..inactive.clone() };
    let a_day = ListFilter { from: Some("2026-02-03".into()), to: Some("2026-02-03".into()), ..private.clone() };
    for (filter, search, expected) in [
        (&none, None, expected(1, 0)),
        (&private, None, expected(2, 0)),
        (&none, Some("BJORN"), expected(4, 1)),
        (&none, Some("bj"), expected(4, 1)),
        (&private, Some("cecilia"), expected(4, 2)),
        (&inactive, Some("cecilia"), expected(20, 10)),
        (&inactive_private, Some("cecilia"), expected(20, 10)),
        (&a_day, Some("cecilia"), expected(4, 2)),
    ] {
        let mut found = Vec::new();
        for page in 1.. {
            let query = Selection { page: Page { page, limit: 100 }, ..query(page, search, filter) };
            let (ids, total) = ids(&scope, &CUSTOMERS, &query).await.unwrap();
            assert_eq!(total, expected.len() as u64, "{search:?} {filter:?}");
            if ids.is_empty() {
                break;
            }
            found.extend(ids);
        }
        assert!(found == expected, "{search:?} {filter:?}");
    }
    db.close().await;
}

#[tokio::test]
async fn a_filter_finds_rows_once_while_their_sort_rows_are_being_added() {
    let folder = tempfile::tempdir().unwrap();
    let db = test_database(folder.path()).await;
    let scope = corporation(&db).await;
    for listing in LISTINGS {
        let rows: Vec<Row> = ["Ada", "Bo"].into_iter().map(|name| Row::new(name.into())).collect();
        let mut tx = db.begin().await.unwrap();
        insert_many(&mut tx, &scope, listing, rows.clone()).await;
        tx.commit().await.unwrap();
        // As when the job is stopped before its last step.
        sort_tests::add_sort_rows(&scope, listing, 10, false, async || {}).await;
        let text = listing.search_keys[0].strip_suffix("_key").unwrap();
        let query = filtered_query(listing.table, json!({ "field": text, "op": "contains", "value": "a" }));
        assert_eq!(ids(&scope, listing, &query).await.unwrap(), (vec![rows[0].id], 1), "{}", listing.table);
    }
    db.close().await;
}

#[tokio::test]
async fn a_filter_finds_an_amount_that_would_be_the_sort_key_of_no_value() {
    let folder = tempfile::tempdir().unwrap();
    let db = test_database(folder.path()).await;
    let scope = corporation(&db).await;
    for (table, field) in [("customers", "totalSpent"), ("agreements", "to_pay")] {
        let listing = LISTINGS.iter().find(|listing| listing.table == table).unwrap();
        let column = listing.columns().iter().find(|column| column.field == field).unwrap();
        let row = Row::new("Ada".into());
        let mut tx = db.begin().await.unwrap();
        insert_many(&mut tx, &scope, listing, vec![row.clone()]).await;
        tx.commit().await.unwrap();
        super::index_worker::index_all(&db).await.unwrap();
        let sql = db.sql("UPDATE ").push(listing.table).push(" SET ").push(column.value).push(" = -1 WHERE corp_id = ");
        sql.arg(scope.corp()).exec().await.unwrap();
        for (condition, expected) in [
            (json!({ "field": field, "op": "lt", "value": 0 }), vec![row.id]),
            (json!({ "field": field, "op": "is", "value": -0.01 }), vec![row.id]),
            (json!({ "field": field, "op": "is_empty" }), vec![]),
        ] {
            let query = filtered_query(table, condition.clone());
            let total = expected.len() as u64;
            assert_eq!(ids(&scope, listing, &query).await.unwrap(), (expected, total), "{condition}");
        }
    }
    db.close().await;
}
