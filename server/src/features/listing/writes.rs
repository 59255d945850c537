//! What a transaction that inserts many rows at once must do. Single writes need nothing: triggers number, count and
//! index their rows (`definitions`, and migrations/sqlite/0029_lists.sql).

use super::Listing;
use crate::access::scope::Scope;
use crate::platform::db::{Result, Tx};

/// The number with which a single row is inserted: a trigger replaces it by the list's next number.
pub const UNNUMBERED: i64 = 0;

/// Reserves the numbers of this many rows, which the transaction is about to insert, and returns the first. This locks
/// the list, so that rows become visible in the order of their numbers. The index job indexes the rows later. On
/// PostgreSQL, a trigger indexes the rows of a statement at once if they are at most 1,000 and all earlier rows are
/// indexed.
pub async fn reserve(tx: &mut Tx, scope: &Scope, listing: &Listing, count: usize) -> Result<i64> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let sql = tx.sql("UPDATE lists SET changes = changes + 1, next_doc = next_doc + ").arg(count);
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND kind = ", listing.table);
    Ok(sql.push(" RETURNING next_doc").value::<i64>().await? - count)
}

/// Adds the rows that were inserted with the numbers from `first` on to the list's total and to its sums by month. Does
/// nothing on PostgreSQL, where a trigger does this.
pub async fn add_to_totals(tx: &mut Tx, scope: &Scope, listing: &Listing, first: i64, added: u64) -> Result<()> {
    if let Tx::Postgres(..) = tx {
        return Ok(());
    }
    let added = i64::try_from(added).unwrap_or(i64::MAX);
    let sql = tx.sql("UPDATE lists SET total = total + ").arg(added).push_arg(" WHERE corp_id = ", scope.corp());
    sql.push_arg(" AND kind = ", listing.table).exec().await?;
    if listing.months.is_empty() {
        return Ok(());
    }
    let sql = tx.sql("INSERT INTO list_months (corp_id, kind, month, customer_type, agreement_type, count, amount) ");
    let sql = sql.push("SELECT corp_id, ").push(listing.months);
    let sql = sql.push(" FROM ").push(listing.table).push(" NOT INDEXED");
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND doc >= ", first);
    let sql = sql.push_arg(" AND doc <= ", first | 0xFFFF_FFFF).push(" GROUP BY 3, 4, 5 ");
    sql.push("ON CONFLICT DO UPDATE SET count = count + excluded.count, amount = amount + excluded.amount")
        .exec()
        .await?;
    Ok(())
}

/// Locks a list as its next write would, so that its rows stay unchanged until this transaction ends. If `is_deletion`,
/// locks all lists of the corporation, because a deletion can change rows of other lists. Does nothing on SQLite, where
/// a writing transaction is the only one.
pub async fn lock(tx: &mut Tx, scope: &Scope, listing: &Listing, is_deletion: bool) -> Result<()> {
    if let Tx::Sqlite(..) = tx {
        return Ok(());
    }
    let sql = tx.sql("SELECT FROM lists WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push_arg(" AND (kind = ", listing.table).push_arg(" OR ", is_deletion);
    sql.push(") ORDER BY kind FOR NO KEY UPDATE").exec().await.map(|_| ())
}
