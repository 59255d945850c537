//! Messages about the history.

use crate::message::{Message, messages};

/// Shown as the author of what a job of the program did, such as purging the trash.
pub const SYSTEM: &str = "Forecourt";

messages! {
    "history.";
    TIME_INVALID = "Send a time like 2026-01-31T08:00:00Z";
    ON_CONFLICT_INVALID = "Use one of: refuse, keep, overwrite.";
    UNDONE = "The change was undone";
    NOT_REVERTIBLE = "This entry can't be undone. Only imports, and changes, deletions and merges of records can.";
    LINK_GONE = "The old values can't be restored, because they refer to a record that no longer exists.";
    fn old_values_refused(reason: &Message) = "The old values can't be restored: {reason}";
    NOTHING_TO_REVERT = "There is nothing to undo: the record already has the old values.";
    FOLLOWS = "These values follow from agreements and can't be undone.";
    NOT_RECORDED = "Comments, and values that are not recorded, can't be undone.";
    ALL_CHANGED_SINCE = "All of this has been changed again since then, so nothing is left to undo.";
    CONTACTS_BOUND = "The contacts that are left are in signed or delivered agreements, so they stay.";
    RECORD_DELETED = "This record is deleted. Restore it first.";
    NOT_IN_TRASH = "This is no longer in the trash, so it can't be restored.";
    DELETED_THEN = "The record was deleted then, so it has no values.";
    NONE_LEFT = "No contact of this import is left, so nothing is left to undo.";
    IMPORT_RUNNING = "This import is still running. Cancel it, or wait until it has ended.";
    REVERT_RUNNING = "An import or a bulk deletion is being undone. Try again when that has ended.";
    REVERT_STARTED = "Undoing has started. It continues if you leave this page.";
    IMPORT_CHANGED_SINCE = "Some of the contacts have been changed since then. Choose what happens to them.";
    CHANGED_SINCE = "It has been changed again since then. Choose what happens to these fields.";
    fn reverted_many(count: u64) = "The changes of {count, number} records were undone";
    IMPORT_REVERTED_ONE = "The contact was moved to the trash";
    fn import_reverted_many(count: u64) = "{count, number} contacts were moved to the trash";
    /// Shown as the author of changes that an administrator of the platform made in another corporation.
    PLATFORM_ADMINISTRATOR = "Platform administrator";
    ID_REQUIRED = "The id of a record is required";
}

/// Returns the message after the changes of so many records were undone.
pub fn reverted(count: u64) -> Message {
    if count == 1 { UNDONE.into() } else { reverted_many(count) }
}

/// Returns the message after an import of so many contacts was undone.
pub fn import_reverted(count: u64) -> Message {
    if count == 1 { IMPORT_REVERTED_ONE.into() } else { import_reverted_many(count) }
}
