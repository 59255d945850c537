//! Messages about duplicates and merging.

use crate::message::messages;

messages! {
    "duplicates.";
    MERGED = "The records were merged";
    UNMERGED = "The records are separate again";
    KEEP_REQUIRED = "Choose the record to keep";
    IDS_REQUIRED = "Choose at least one other record";
    KEEP_AMONG_IDS = "The record to keep can't be one of the others";
    VERSIONS_INVALID = "Send each version with the id of its record";
    FIELD_UNKNOWN = "A merge can't set this field. Leave it out.";
    NUMBER_LOST = "The social security number of the kept customer would be lost. Choose a type that has one.";
    CHANGED_SINCE = "One of the records has changed since you opened them. Check them again, then merge.";
    fn would_merge(count: u64) = "Records that would be merged: {count, number}";
    fn too_many(most: u64) = "At most {most} records can be merged at once";
    fn too_much_moved(most: u64) = "The kept record would have more than {most, number} comments. Delete some first.";
}
