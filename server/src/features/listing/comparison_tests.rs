//! Compares lists, searches and sums with a plain filter over the same rows, on either database, while rows are
//! written, indexed and rolled back.

use super::test_rows::{AGREEMENTS, DAYS, Row, STATUSES, TYPES, corporation, insert_many, insertion, update_row};
use super::{
    CustomerTally, LISTINGS, ListFilter, Listing, MonthTally, Selection, customer_tallies, ids, index_worker, months,
    page as page_of, rows as rows_of, sort_tests,
};
use crate::access::scope::Scope;
use crate::features::listing::definitions::test_database;
use crate::platform::db::Db;
use forecourt_core::lists::{Arrangement, SORTED_CHARACTERS};
use forecourt_core::paging::{Page, SEARCH_MAX, read_search};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestCaseResult, TestRunner};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Returns the matching rows in the default order of the list. `rows` has the oldest first.
fn matching_rows(rows: &[Row], filter: &ListFilter, text: Option<&str>) -> Vec<Row> {
    let mut matching: Vec<Row> = rows.iter().rev().filter(|row| row.matches(filter, text)).cloned().collect();
    if filter.has_days() {
        matching.sort_by_key(|row| std::cmp::Reverse(row.day));
    }
    matching
}

/// Compares every page of a list with the rows that it must contain.
async fn compare(scope: &Scope, listing: &Listing, rows: &[Row], filter: &ListFilter, text: Option<&str>) {
    let expected: Vec<Uuid> = matching_rows(rows, filter, text).iter().map(|row| row.id).collect();
    let mut found = Vec::new();
    for page in 1.. {
        let query = Selection {
            page: Page { page, limit: 7 },
            search: text,
            filter: filter.clone(),
            arrangement: Arrangement::default(),
        };
        let (ids, total) = ids(scope, listing, &query).await.unwrap();
        assert_eq!(total, expected.len() as u64, "{} {text:?} {filter:?}", listing.table);
        let shown: Vec<Uuid> = rows_of(scope, listing.id, listing, ids.clone()).values().await.unwrap();
        assert_eq!(shown, ids, "{}", listing.table);
        let shown = page_of::<(Uuid,)>(scope, listing.id, listing, &query).await.unwrap();
        assert_eq!(shown.rows.iter().map(|(id,)| *id).collect::<Vec<_>>(), ids, "{}", listing.table);
        assert_eq!(shown.total, total, "{}", listing.table);
        if ids.is_empty() {
            break;
        }
        found.extend(ids);
    }
    assert_eq!(found, expected, "{} {text:?} {filter:?}", listing.table);
}

async fn compare_sums(scope: &Scope, listing: &Listing, rows: &[Row]) {
    if listing.months.is_empty() {
        return;
    }
    let (mut by_month, mut by_kind) = (BTreeMap::new(), BTreeMap::new());
    for row in rows {
        let sum: &mut (i64, i64) = by_month.entry(&row.day[..7]).or_default();
        *sum = (sum.0 + 1, sum.1 + if listing.table == "invoices" { row.pence } else { 0 });
        *by_kind.entry((row.customer_type, row.agreement.unwrap_or_default())).or_insert(0) += 1;
    }
    let month = |(month, (count, value)): (&str, _)| MonthTally { month: month.into(), count, value };
    let mut found = months(scope, listing).await.unwrap();
    found.sort();
    assert_eq!(found, by_month.into_iter().map(month).collect::<Vec<_>>(), "{}", listing.table);
    if listing.table == "customers" {
        let kind = |((customer_type, agreement_type), count): ((&str, &str), i64)| CustomerTally {
            customer_type: customer_type.into(),
            agreement_type: agreement_type.into(),
            count,
        };
        let expected: Vec<CustomerTally> = by_kind.into_iter().map(kind).collect();
        let query = Selection {
            page: Page { page: 1, limit: 7 },
            search: None,
            filter: ListFilter::default(),
            arrangement: Arrangement::default(),
        };
        let changes = page_of::<(Uuid,)>(scope, listing.id, listing, &query).await.unwrap().changes;
        // After the first iteration, the numbers are cached, if there are customers.
        for changes in [None, Some(changes), Some(changes)] {
            let mut found = customer_tallies(scope, changes).await.unwrap();
            found.sort();
            assert_eq!(found, expected);
        }
    }
}

/// Generates texts that are difficult for folding, patterns and phrases.
fn text(most: usize) -> impl Strategy<Value = String> {
    let part = select(vec![
        "a", "B", "b", "c", "å", "Å", "a\u{30a}", "ß", "ẞ", "İ", "ı", "ø", "Æ", "\u{301}", "%", "_", "\\", "\"", "'",
        " ", "-", "*", "(", "^", "1", "é", "語", "😀", "𝒜", "σ", "Σ", "\u{e001}", "AND", "\n",
    ]);
    // The beginning that some texts share is nearly as long as what is compared when a list is sorted by a long text.
    let shared = prop_oneof![4 => Just(String::new()), 1 => Just("å".repeat(SORTED_CHARACTERS - 2))];
    (shared, proptest::collection::vec(part, 0..most)).prop_map(|(shared, parts)| shared + &parts.concat())
}

/// Returns the text that is searched for if a user types this one; `None` if nothing is.
fn searched(typed: &str) -> Option<String> {
    let shortened: String = typed.chars().take(SEARCH_MAX as usize).collect();
    read_search(&shortened).unwrap()
}

fn row() -> impl Strategy<Value = Row> {
    let kind = (select(TYPES.to_vec()), select(STATUSES.to_vec()), select(AGREEMENTS.to_vec()));
    (text(14), kind, select(DAYS.to_vec()), 1..1_000i64).prop_map(
        |(text, (customer_type, status, agreement), day, pence)| Row {
            customer_type,
            status,
            agreement,
            day,
            pence,
            ..Row::new(text)
        },
    )
}

fn filter() -> impl Strategy<Value = ListFilter> {
    let maybe = |words: [&'static str; 2]| proptest::option::of(select(words.to_vec()));
    let day = || proptest::option::of(select(DAYS.to_vec()).prop_map(str::to_owned));
    (maybe(TYPES), maybe(STATUSES), day(), day()).prop_map(|(customer_type, status, from, to)| ListFilter {
        customer_type,
        status,
        from,
        to,
        ..ListFilter::default()
    })
}

#[derive(Clone, Debug)]
enum Step {
    /// Inserts rows as single writes do: triggers number, count and index them.
    Add(Vec<Row>),
    /// Inserts rows as an import does, with reserved numbers; with `false`, the transaction is rolled back.
    AddMany(Vec<Row>, bool),
    Update(Index, Row),
    Delete(Index),
    /// Indexes at most this many rows.
    Index(i64),
    /// Adds the sort rows of at most this many rows, with one of these changes for each field in between. With `false`,
    /// the end is not recorded, as after a crash.
    Sort(i64, Vec<Step>, bool),
    Query(ListFilter, Option<String>),
}

fn change() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => proptest::collection::vec(row(), 1..4).prop_map(Step::Add),
        3 => (proptest::collection::vec(row(), 1..12), any::<bool>()).prop_map(|(rows, kept)| Step::AddMany(rows, kept)),
        3 => (any::<Index>(), row()).prop_map(|(at, row)| Step::Update(at, row)),
        2 => any::<Index>().prop_map(Step::Delete),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let sort = (1..20i64, proptest::collection::vec(change(), 0..4), any::<bool>());
    prop_oneof![
        10 => change(),
        2 => (1..9i64).prop_map(Step::Index),
        3 => sort.prop_map(|(count, changes, is_finished)| Step::Sort(count, changes, is_finished)),
        4 => (filter(), text(5)).prop_map(|(filter, text)| Step::Query(filter, searched(&text))),
    ]
}

async fn perform(scope: &Scope, listing: &Listing, rows: &mut Vec<Row>, step: Step) {
    let in_list = |rows: Vec<Row>| rows.into_iter().map(|row| row.in_list(listing)).collect::<Vec<_>>();
    match step {
        Step::Add(more) => {
            insertion(scope.db().sql(""), scope, listing, None, more.clone()).exec().await.unwrap();
            rows.extend(in_list(more));
        }
        Step::AddMany(more, is_kept) => {
            let mut tx = scope.db().begin().await.unwrap();
            insert_many(&mut tx, scope, listing, more.clone()).await;
            if is_kept {
                tx.commit().await.unwrap();
                rows.extend(in_list(more));
            }
        }
        Step::Update(at, new) if !rows.is_empty() => {
            let row = at.get_mut(rows);
            // The creation time stays, because it determines the month of contacts and customers.
            let day = if listing.table == "invoices" { new.day } else { row.day };
            *row = Row { id: row.id, day, ..new }.in_list(listing);
            update_row(scope, listing, row).await;
        }
        Step::Delete(at) if !rows.is_empty() => {
            let row = rows.remove(at.index(rows.len()));
            let sql = scope.db().sql("DELETE FROM ").push(listing.table).push_arg(" WHERE corp_id = ", scope.corp());
            assert_eq!(sql.push(" AND ").push(listing.id).push_arg(" = ", row.id).exec().await.unwrap(), 1);
        }
        Step::Index(count) => {
            index_worker::index_chunk(scope.db(), listing, scope.corp(), count).await.unwrap();
        }
        Step::Sort(count, mut changes, is_finished) => {
            let change = async || {
                if let Some(change) = changes.pop() {
                    Box::pin(perform(scope, listing, rows, change)).await;
                }
            };
            sort_tests::add_sort_rows(scope, listing, count, is_finished, change).await;
        }
        Step::Query(filter, text) => {
            let filter = if listing.table == "customers" { filter } else { ListFilter::default() };
            compare(scope, listing, rows, &filter, None).await;
            // Twice: the second time, the total is cached.
            for _ in 0..2 {
                compare(scope, listing, rows, &filter, text.as_deref()).await;
            }
            let matching = matching_rows(rows, &filter, text.as_deref());
            sort_tests::compare(scope, listing, &matching, |row| row.id, &filter, text.as_deref()).await;
            for row in rows.iter().take(3).filter(|row| row.text.chars().count() > 3) {
                let part: String = row.text.chars().skip(1).take(4).collect();
                compare(scope, listing, rows, &filter, searched(&part).as_deref()).await;
                let end: String = row.text.chars().skip(5).collect();
                compare(scope, listing, rows, &filter, searched(&format!("{end} {part}")).as_deref()).await;
            }
        }
        _ => {}
    }
    compare_sums(scope, listing, rows).await;
}

#[test]
fn lists_searches_and_sums_equal_those_of_rows_in_memory_after_any_changes() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let db = runtime.block_on(test_database(folder.path()));
    let mut runner = TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
    let steps = proptest::collection::vec((0..2usize, step()), 1..24);
    let result = runner.run(&(0..LISTINGS.len(), steps), |(listing, steps)| -> TestCaseResult {
        runtime.block_on(async {
            let listing = LISTINGS[listing];
            let mut tenants = [(corporation(&db).await, Vec::new()), (corporation(&db).await, Vec::new())];
            for (tenant, step) in steps {
                let (scope, rows) = &mut tenants[tenant];
                perform(scope, listing, rows, step).await;
            }
            for (scope, rows) in &tenants {
                compare(scope, listing, rows, &ListFilter::default(), None).await;
                sort_tests::complete(scope, listing, rows.len()).await;
                let all = matching_rows(rows, &ListFilter::default(), None);
                sort_tests::compare(scope, listing, &all, |row| row.id, &ListFilter::default(), None).await;
            }
        });
        Ok(())
    });
    result.unwrap();
    runtime.block_on(db.close());
}

#[tokio::test]
async fn deleting_a_corporation_deletes_its_lists_search_rows_and_sort_rows() {
    let folder = tempfile::tempdir().unwrap();
    let db = test_database(folder.path()).await;
    let (one, other) = (corporation(&db).await, corporation(&db).await);
    for (scope, listing) in
        [&one, &other].into_iter().flat_map(|scope| LISTINGS.iter().map(move |listing| (scope, listing)))
    {
        let row = || vec![Row::new("Åsa Berg".into())];
        insertion(scope.db().sql(""), scope, listing, None, row()).exec().await.unwrap();
    }
    db.sql("DELETE FROM corporations WHERE corp_id = $1").bind(one.corp()).exec().await.unwrap();
    let left = "SELECT (SELECT count(*) FROM lists WHERE corp_id = $1) \
                + (SELECT count(*) FROM list_months WHERE corp_id = $1)";
    assert_eq!(db.sql(left).bind(one.corp()).value::<i64>().await.unwrap(), 0);
    if let Db::Sqlite { .. } = db {
        let sort_rows = "SELECT count(*) FROM sort_rows WHERE list NOT IN (SELECT first_doc >> 32 FROM lists)";
        assert_eq!(db.sql(sort_rows).value::<i64>().await.unwrap(), 0);
    }
    for listing in LISTINGS {
        let all_rows = format!("SELECT count(*) FROM {}", listing.search).leak();
        assert_eq!(db.sql(all_rows).value::<i64>().await.unwrap(), 1, "{}", listing.search);
        let query = Selection {
            page: Page { page: 1, limit: 10 },
            search: Some("åsa"),
            filter: ListFilter::default(),
            arrangement: Arrangement::default(),
        };
        assert_eq!(ids(&other, listing, &query).await.unwrap().1, 1);
        assert_eq!(ids(&one, listing, &query).await.unwrap().1, 0);
    }
    db.close().await;
}
