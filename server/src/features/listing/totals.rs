//! How many rows a search has found, remembered as long as nothing has changed that it might tell of. Beside each number
//! stands how often the corporation's rows had changed by then, read in the same statement. That only grows: while it is the
//! same, so are the rows, whichever node has changed them.

use super::Narrow;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use uuid::Uuid;

/// So many are remembered; then all are forgotten.
const MOST: usize = 4_096;

/// What was searched for: whose rows, of which table, the folded text.
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

pub(super) fn get(asked: &Asked, changes: i64) -> Option<i64> {
    let totals = TOTALS.lock().unwrap_or_else(PoisonError::into_inner);
    totals.get(asked).filter(|known| known.changes == changes).map(|known| known.total)
}

pub(super) fn put(asked: Asked, changes: i64, total: i64) {
    let mut totals = TOTALS.lock().unwrap_or_else(PoisonError::into_inner);
    if totals.len() >= MOST {
        totals.clear();
    }
    totals.insert(asked, Known { changes, total });
}
