//! A cache of search totals. Each entry contains the corporation's change counter, read in the same statement. The
//! counter only grows: while it is unchanged, so are the rows, regardless of which node changes them.

use super::Narrow;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use uuid::Uuid;

/// Maximum number of entries. When it is reached, the cache is cleared.
const MOST: usize = 4_096;

/// The key: corporation, table, folded search text and filter.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    pub corp: Uuid,
    pub table: &'static str,
    pub text: String,
    pub narrow: Narrow,
}

struct Known {
    changes: i64,
    total: i64,
}

static TOTALS: LazyLock<Mutex<HashMap<Asked, Known>>> = LazyLock::new(Mutex::default);

pub(super) fn get(key: &Asked, changes: i64) -> Option<i64> {
    let totals = TOTALS.lock().unwrap_or_else(PoisonError::into_inner);
    totals.get(key).filter(|known| known.changes == changes).map(|known| known.total)
}

pub(super) fn put(key: Asked, changes: i64, total: i64) {
    let mut totals = TOTALS.lock().unwrap_or_else(PoisonError::into_inner);
    if totals.len() >= MOST {
        totals.clear();
    }
    totals.insert(key, Known { changes, total });
}
