//! A cache of search totals. Each entry contains the corporation's change counter, read in the same statement. The
//! counter only grows: while it is unchanged, so are the rows, regardless of which node changes them.

use super::ListFilter;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use uuid::Uuid;

/// Maximum number of entries. When it is reached, the cache is cleared.
const MAX_ENTRIES: usize = 4_096;

/// The key: corporation, table, folded search text and filter.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct CacheKey {
    pub corp: Uuid,
    pub table: &'static str,
    pub text: String,
    pub filter: ListFilter,
}

struct CachedTotal {
    changes: i64,
    total: i64,
}

static TOTALS: LazyLock<Mutex<HashMap<CacheKey, CachedTotal>>> = LazyLock::new(Mutex::default);

pub(super) fn get(key: &CacheKey, changes: i64) -> Option<i64> {
    let totals = TOTALS.lock().unwrap_or_else(PoisonError::into_inner);
    totals.get(key).filter(|cached| cached.changes == changes).map(|cached| cached.total)
}

pub(super) fn put(key: CacheKey, changes: i64, total: i64) {
    let mut totals = TOTALS.lock().unwrap_or_else(PoisonError::into_inner);
    if totals.len() >= MAX_ENTRIES {
        totals.clear();
    }
    totals.insert(key, CachedTotal { changes, total });
}
