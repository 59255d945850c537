//! Tests that lists and searches use their indexes, on either database.

use super::sameness::{ALL, Row, corporation, insertion};
use super::{CUSTOMERS, Narrow, Wanted, ids, rows};
use crate::access::scope::Scope;
use crate::platform::db::{self, Db};
use forecourt_core::paging::Page;
use uuid::Uuid;

const MANY: u32 = 9_000;

/// Returns a database with nine thousand rows of each table for one corporation, between rows of others, and their ids,
/// oldest first.
async fn filled(folder: &std::path::Path) -> (Db, Scope, Vec<Uuid>) {
    let db = db::test_database(folder).await;
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
        let mut tx = db.begin().await.unwrap();
        for listing in ALL {
            insertion(tx.sql(""), &scope, listing, rows.clone()).exec().await.unwrap();
            let few = rows[..90].iter().map(|r| Row { id: Uuid::now_v7(), ..r.clone() }).collect();
            insertion(tx.sql(""), &other, listing, few).exec().await.unwrap();
        }
        tx.commit().await.unwrap();
        made += count;
    }
    super::fold::fold(&db).await.unwrap();
    db.sql(db.pick("ANALYZE", "VACUUM ANALYZE")).exec().await.unwrap();
    (db, scope, ids)
}

fn wanted<'a>(page: u32, search: Option<&'a str>, narrow: &Narrow) -> Wanted<'a> {
    Wanted { page: Page { page, limit: 15 }, search, narrow: narrow.clone() }
}

#[tokio::test]
async fn lists_and_searches_go_by_their_indexes() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, all) = filled(folder.path()).await;
    let by = |index: &'static str| db.pick(["USING COVERING INDEX ", index], ["Index Only Scan", index]);
    let whole = db.pick(["SCAN contacts\n", "SCAN customers\n", "TEMP B-TREE"], ["Seq Scan", "Seq Scan", "Sort"]);
    let contains_all = |plan: &str, steps: [&str; 2]| steps.iter().all(|step| plan.contains(step));
    let some_type = Narrow { customer_type: Some("Private"), ..Narrow::default() };
    let some_status = Narrow { status: Some("Inactive"), ..Narrow::default() };
    let some_days = Narrow { from: Some("2026-02-02".into()), ..Narrow::default() };
    for (listing, narrow, index) in [
        (ALL[0], &Narrow::default(), "contacts_list"),
        (ALL[1], &Narrow::default(), "customers_list"),
        (ALL[2], &Narrow::default(), "invoices_list"),
        (&CUSTOMERS, &some_type, "customers_types"),
        (&CUSTOMERS, &some_status, "customers_statuses"),
        (&CUSTOMERS, &some_days, "customers_days"),
    ] {
        let (steps, page) = wanted(1, None, narrow).explain_walk(&scope, listing).await;
        assert!(
            steps.contains(db.pick("SEARCH tallies USING PRIMARY KEY (corp_id=? AND kind=?", "tallies")),
            "{steps}"
        );
        assert!(contains_all(&page, by(index)) && !whole.iter().any(|step| page.contains(step)), "{index}: {page}");
    }
    for listing in ALL {
        let key = db.pick(format!("{}_key (corp_id=? AND ", listing.table), format!("{}_pkey", listing.table));
        let found = rows(&scope, "version", listing, all[..15].to_vec()).explain().await.unwrap();
        assert!(found.contains(&key) && !found.contains(whole[0]), "{found}");
        let index = db.pick(
            format!("SCAN {} VIRTUAL TABLE INDEX", listing.search),
            format!("Bitmap Index Scan on {}_text", listing.search),
        );
        // A rare and a frequent text. For the latter, PostgreSQL scans the newest rows.
        let (total, page) = wanted(3, Some("mar 79"), &Narrow::default()).explain_search(&scope, listing, 3).await;
        assert!(total.contains(&index), "{total}");
        let row =
            db.pick(format!("SEARCH {} USING INTEGER PRIMARY KEY", listing.table), format!("{}_list", listing.table));
        assert!(page.contains(&index) && page.contains(&row), "{page}");
        let (_, page) = wanted(3, Some("example"), &Narrow::default()).explain_search(&scope, listing, 9_000).await;
        let newest = db.pick(index, format!("Index Scan Backward using {}_pkey", listing.search));
        assert!(page.contains(&newest), "{page}");
    }
    let (total, page) = wanted(1, Some("mar 79"), &some_type).explain_search(&scope, &CUSTOMERS, 3).await;
    let index = db.pick("SCAN customers_search VIRTUAL TABLE INDEX", "Bitmap Index Scan on customers_search_text");
    assert!(total.contains(index) && page.contains(index), "{total}\n{page}");
    // SQLite reads no rows for the total, and only the needed ones for a page.
    let (kind, sort) = db.pick(("SEARCH customers USING COVERING INDEX customers_types", "TEMP B-TREE"), ("", "\0"));
    assert!(total.contains(kind) && page.contains(kind) && !page.contains(sort), "{total}\n{page}");
    db.close().await;
}

#[tokio::test]
async fn every_page_of_a_list_of_many_blocks_goes_on_where_the_one_before_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (db, scope, all) = filled(folder.path()).await;
    let expected = |step: usize, at: usize| -> Vec<Uuid> {
        all.iter().enumerate().rev().filter(|(i, _)| i % step == at).map(|(_, id)| *id).collect()
    };
    let (private, none) = (Narrow { customer_type: Some("Private"), ..Narrow::default() }, Narrow::default());
    let inactive = Narrow { status: Some("Inactive"), ..Narrow::default() };
    let inactive_private = Narrow { customer_type: Some("Private"), ..inactive.clone() };
    let a_day = Narrow { from: Some("2026-02-03".into()), to: Some("2026-02-03".into()), ..private.clone() };
    for (narrow, search, expected) in [
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
            let wanted = Wanted { page: Page { page, limit: 100 }, ..wanted(page, search, narrow) };
            let (ids, total) = ids(&scope, &CUSTOMERS, &wanted).await.unwrap();
            assert_eq!(total, expected.len() as u64, "{search:?} {narrow:?}");
            if ids.is_empty() {
                break;
            }
            found.extend(ids);
        }
        assert!(found == expected, "{search:?} {narrow:?}");
    }
    db.close().await;
}
