//! Caches of totals and of the numbers of customers by type and agreement. Each entry contains the list's change
//! counter, read in the same statement. The counter only grows: while it is unchanged, so are the rows, regardless of
//! which node changes them.

use super::{CustomerTally, ListFilter, Listing, Selection, push_changes};
use crate::access::scope::Scope;
use crate::platform::db::{Result, Sql};
use forecourt_core::text::fold;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{LazyLock, Mutex, PoisonError};
use uuid::Uuid;

/// Default maximum weight of a cache, whose entries weigh 1 unless [`Cache::put_weighed`] is used. A new entry that
/// would exceed the maximum clears the cache first.
const MAX_ENTRIES: usize = 4_096;
/// Maximum length, in bytes, of the filter of a total that is cached.
const MAX_CONDITIONS: usize = 4_096;

/// The key of a total: corporation, table, and everything that determines which rows match.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct TotalKey {
    corp: Uuid,
    table: &'static str,
    /// The searched text, folded (without case and accents).
    search: Option<String>,
    filter: ListFilter,
    conditions: String,
}

impl TotalKey {
    pub fn new(scope: &Scope, listing: &Listing, query: &Selection<'_>) -> Self {
        TotalKey {
            corp: scope.corp(),
            table: listing.table,
            search: query.search.map(fold),
            filter: query.filter.clone(),
            conditions: format!("{:?}", query.arrangement.filter.conditions()),
        }
    }
}

/// The number of matching rows for each search and filter.
pub(super) static TOTALS: LazyLock<Cache<TotalKey, i64>> = LazyLock::new(Cache::default);
/// The numbers of a corporation's customers of each type and agreement.
pub(super) static CUSTOMER_TALLIES: LazyLock<Cache<Uuid, Vec<CustomerTally>>> = LazyLock::new(Cache::default);

/// Returns the total of a query, from the cache if nothing has changed. `push` appends the matching rows, beginning
/// with FROM, to a statement that counts them.
pub(super) async fn total<'e>(
    scope: &'e Scope,
    listing: &Listing,
    query: &Selection<'_>,
    changes: i64,
    push: impl FnOnce(Sql<'e>) -> Sql<'e>,
) -> Result<i64> {
    let key = TotalKey::new(scope, listing, query);
    if let Some(total) = TOTALS.get(&key, changes) {
        return Ok(total);
    }
    // No row is returned if the corporation was deleted.
    let Some((total, changes)) = select_count(scope, listing, push).maybe::<(i64, i64)>().await? else { return Ok(0) };
    remember(key, changes, total);
    Ok(total)
}

/// Caches a total, unless its filter is long: a filter may be as long as a request, and would fill the memory.
pub(super) fn remember(key: TotalKey, changes: i64, total: i64) {
    if key.conditions.len() <= MAX_CONDITIONS {
        TOTALS.put(key, changes, total);
    }
}

/// Builds the query for the number of matching rows, and the change counter in the same snapshot.
pub(super) fn select_count<'e>(scope: &'e Scope, listing: &Listing, push: impl FnOnce(Sql<'e>) -> Sql<'e>) -> Sql<'e> {
    let sql = push(scope.db().sql("SELECT total, changes FROM (SELECT count(*) AS total"));
    push_changes(sql.push(") AS found CROSS JOIN "), scope, listing).planned_each_time()
}

/// A cache of values, each of which is valid while the list's change counter is the one with which it was read.
pub(super) struct Cache<K, V, const MAX: usize = MAX_ENTRIES>(Mutex<Entries<K, V>>);

struct Entries<K, V> {
    /// By key: the change counter, the value and its weight.
    values: HashMap<K, (i64, V, usize)>,
    weight: usize,
}

impl<K, V, const MAX: usize> Default for Cache<K, V, MAX> {
    fn default() -> Self {
        Cache(Mutex::new(Entries { values: HashMap::new(), weight: 0 }))
    }
}

impl<K: Eq + Hash, V: Clone, const MAX: usize> Cache<K, V, MAX> {
    pub fn get(&self, key: &K, changes: i64) -> Option<V> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.values.get(key).filter(|(counter, ..)| *counter == changes).map(|(_, value, _)| value.clone())
    }

    pub fn put(&self, key: K, changes: i64, value: V) {
        self.put_weighed(key, changes, value, 1);
    }

    /// As [`Cache::put`], for a value of this weight. A value that weighs more than the maximum is cached as the only
    /// one.
    pub fn put_weighed(&self, key: K, changes: i64, value: V, weight: usize) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., former)) = entries.values.remove(&key) {
            entries.weight -= former;
        }
        if entries.weight + weight > MAX {
            entries.values.clear();
            entries.weight = 0;
        }
        entries.weight += weight;
        entries.values.insert(key, (changes, value, weight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_cleared_when_its_values_weigh_too_much() {
        let cache: Cache<&str, i32, 10> = Cache::default();
        let cached = || ["a", "b", "c"].map(|key| cache.get(&key, 1));
        cache.put_weighed("a", 1, 1, 6);
        cache.put_weighed("a", 1, 2, 5);
        cache.put_weighed("b", 1, 3, 5);
        assert_eq!(cached(), [Some(2), Some(3), None]);
        cache.put("c", 1, 4);
        assert_eq!(cached(), [None, None, Some(4)]);
        cache.put_weighed("b", 1, 5, 11);
        assert_eq!(cached(), [None, Some(5), None]);
        assert_eq!(cache.get(&"b", 2), None, "the list has changed");
    }
}
