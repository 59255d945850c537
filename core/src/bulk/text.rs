//! Messages about bulk actions.

use crate::message::messages;

messages! {
    "bulk.";
    IDS_OR_QUERY = "Send either ids or a query.";
    ACTION_INVALID = "The action must be 'update' or 'delete'";
    NO_FIELDS = "Choose at least one field to change.";
    NO_FIELDS_TO_DELETE = "A deletion has no fields. Leave them out.";
    FIELD_UNKNOWN = "There is no such field. Check its name.";
    VALUE_INVALID = "This field can't have such a value.";
    NOT_OF_THIS_LIST = "This list does not have that filter. Leave it out.";
    CHANGED_SINCE_PREVIEW = "The records have changed since the preview. Check the new numbers, then confirm.";
    fn too_many(most: u64) = "A bulk action can have at most {most, number} records. Select fewer.";
    fn not_editable(fields: &str) = "This field can't be changed in bulk. Use one of: {fields}.";
    fn would_update(count: u64) = "Records that would be changed: {count, number}";
    fn would_delete(count: u64) = "Records that would be deleted: {count, number}";
    fn updated(count: u64) = "Changed records: {count, number}";
    fn deleted(count: u64) = "Deleted records: {count, number}";
}
