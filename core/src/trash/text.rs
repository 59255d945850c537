//! Messages about the trash.

use crate::message::{Message, messages};

messages! {
    "trash.";
    IDS_OR_BATCH = "Send either ids or a batch_id.";
    BATCH_INVALID = "The batch_id must be the id of a bulk deletion";
    fn too_many(most: u64) = "At most {most, number} records at a time. Send fewer ids.";
    fn batch_too_large(most: u64) = "More than {most, number} records were deleted together. Undo that in the history.";
    RESTORED_ONE = "The record was restored";
    fn restored_many(count: u64) = "{count, number} records were restored";
    DELETED_ONE = "The record was permanently deleted";
    fn is_bound(record: &str) = "{record} is in a signed or delivered agreement, so it can't be permanently deleted. Restore it, or leave it in the trash.";
    fn deleted_many(count: u64) = "{count, number} records were permanently deleted";
}

/// Returns the message after so many records were restored.
pub fn restored(count: u64) -> Message {
    if count == 1 { RESTORED_ONE.into() } else { restored_many(count) }
}

/// Returns the message after so many records were permanently deleted.
pub fn deleted(count: u64) -> Message {
    if count == 1 { DELETED_ONE.into() } else { deleted_many(count) }
}
