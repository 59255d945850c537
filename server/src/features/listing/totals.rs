//! Caches of search totals and of the numbers of each kind. Each entry contains the corporation's change counter, read in
//! the same statement. The counter only grows: while it is unchanged, so are the rows, regardless of which node changes
//! them.

use super::{KindTally, ListFilter};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{LazyLock, Mutex, PoisonError};
use uuid::Uuid;

/// Maximum number of entries. When it is reached, the cache is cleared.
const MAX_ENTRIES: usize = 4_096;

/// The key of a total: corporation, table, folded search text and filter.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct TotalKey {
    pub corp: Uuid,
    pub table: &'static str,
    pub text: String,
    pub filter: ListFilter,
}

/// Totals of searches, and of imports' contacts.
pub(super) static TOTALS: LazyLock<Cache<TotalKey, i64>> = LazyLock::new(Cache::default);
/// The numbers of a corporation's customers of each kind.
pub(super) static KINDS: LazyLock<Cache<Uuid, Vec<KindTally>>> = LazyLock::new(Cache::default);

/// Values with the change counter at which they were read.
pub(super) struct Cache<K, V>(Mutex<HashMap<K, (i64, V)>>);

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Cache(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    pub fn get(&self, key: &K, changes: i64) -> Option<V> {
        let values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.get(key).filter(|(counter, _)| *counter == changes).map(|(_, value)| value.clone())
    }

    pub fn put(&self, key: K, changes: i64, value: V) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= MAX_ENTRIES {
            values.clear();
        }
        values.insert(key, (changes, value));
    }
}
