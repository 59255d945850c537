//! Messages about the trash.

use crate::message::messages;

messages! {
    "trash.";
    IDS_OR_BATCH = "Send either ids or a batch_id.";
    BATCH_INVALID = "The batch_id must be the id of a bulk deletion";
    fn too_many(most: u64) = "At most {most, number} records at a time. Send fewer ids.";
    fn batch_too_large(most: u64) = "More than {most, number} records were deleted together. Undo that in the history.";
    fn restored(count: u64) = "Restored records: {count, number}";
    fn deleted(count: u64) = "Permanently deleted records: {count, number}";
}
