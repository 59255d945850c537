//! How the browser polls a running import (docs/product.md 6.4).

use super::{ImportSession, ImportStatus, text};
use crate::message::Message;
use serde::Serialize;

/// The pauses between polls; the last one repeats. Small files are done after the first ones.
pub const POLL_MS: [u32; 3] = [300, 1_000, 3_000];
/// The pauses before retrying a failed poll. If the last retry fails too, polling stops.
pub const RETRY_MS: [u32; 3] = [1_000, 2_000, 4_000];

/// What to do after a poll.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Watch {
    /// Poll again after `after_ms` milliseconds.
    Again { after_ms: u32 },
    /// Stop: the import ended, successfully or not, or the server rejected the poll. The message of the response is
    /// shown or, without one, this one.
    Over { success: bool, message: &'static Message },
    /// Stop: the server can't be reached, so the result is unknown. This message is shown.
    Lost { message: &'static Message },
}

/// Returns what to do after a response to a poll. `earlier` is the number of responses before this one.
pub fn after_response(session: &ImportSession, earlier: u32) -> Watch {
    match session.status {
        ImportStatus::Completed => Watch::Over { success: true, message: text::COMPLETED },
        ImportStatus::Failed => Watch::Over { success: false, message: text::FAILED },
        ImportStatus::Cancelled => {
            let is_empty = session.success_records == 0;
            Watch::Over { success: false, message: if is_empty { text::CANCELLED_EMPTY } else { text::CANCELLED } }
        }
        ImportStatus::Pending | ImportStatus::Processing => {
            let index = usize::try_from(earlier).unwrap_or(usize::MAX).min(POLL_MS.len() - 1);
            Watch::Again { after_ms: POLL_MS[index] }
        }
    }
}

/// Returns what to do after `failures` failed polls in a row, given the last one's status (0: no connection).
/// A missing connection, a rate limit (429) and server errors (5xx) are retried; other errors, such as 404, are final.
pub fn after_failure(failures: u32, status: u16) -> Watch {
    if !matches!(status, 0 | 429 | 500..) {
        return Watch::Over { success: false, message: text::FAILED };
    }
    let index = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    match RETRY_MS.get(index) {
        Some(&after_ms) => Watch::Again { after_ms },
        None => Watch::Lost { message: text::CONNECTION_LOST },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_failed_polls_three_times_with_growing_pauses() {
        let pauses: Vec<_> = (1..=3).map(|n| after_failure(n, 0)).collect();
        assert_eq!(pauses, RETRY_MS.map(|after_ms| Watch::Again { after_ms }));
        assert!(matches!(after_failure(4, 503), Watch::Lost { message } if message == text::CONNECTION_LOST));
    }

    #[test]
    fn a_missing_import_stops_polling_immediately() {
        assert_eq!(after_failure(1, 404), Watch::Over { success: false, message: text::FAILED });
        assert_eq!(after_failure(1, 429), Watch::Again { after_ms: 1_000 });
    }

    #[test]
    fn only_a_completed_import_ends_with_the_success_sentence() {
        let mut session = ImportSession { status: ImportStatus::Failed, ..ImportSession::default() };
        assert_eq!(after_response(&session, 0), Watch::Over { success: false, message: text::FAILED });
        session.status = ImportStatus::Completed;
        assert_eq!(after_response(&session, 0), Watch::Over { success: true, message: text::COMPLETED });
    }

    #[test]
    fn a_cancelled_import_keeps_its_contacts_only_if_it_has_any() {
        for (success_records, message) in [(0, text::CANCELLED_EMPTY), (1, text::CANCELLED)] {
            let status = ImportStatus::Cancelled;
            let session = ImportSession { status, success_records, ..ImportSession::default() };
            assert_eq!(after_response(&session, 0), Watch::Over { success: false, message });
        }
    }

    #[test]
    fn polls_quickly_at_first_and_then_every_three_seconds() {
        for status in [ImportStatus::Pending, ImportStatus::Processing] {
            let session = ImportSession { status, ..ImportSession::default() };
            let pauses: Vec<_> = (0..5).map(|earlier| after_response(&session, earlier)).collect();
            assert_eq!(pauses, [300, 1_000, 3_000, 3_000, 3_000].map(|after_ms| Watch::Again { after_ms }));
            assert_eq!(after_response(&session, u32::MAX), Watch::Again { after_ms: 3_000 });
        }
    }
}
